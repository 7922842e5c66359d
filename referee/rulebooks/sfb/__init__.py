"""What the cadet and the standard game share; not a game by itself."""

from referee.rulebooks.base import rules_in
from referee.rulebooks.sfb import damage, energy, sequence, weapons_energy
from referee.rulebooks.sfb.allocation import Knowledge, carry_over, first_turn, open_turn
from referee.rulebooks.sfb.ledger import pay

RULES = rules_in(sequence, energy, weapons_energy, damage)
PROCEDURES = {
    "known damage": Knowledge,
    "energy allocation": first_turn,
    "open turn": open_turn,
    "carry over": carry_over,
    "ledger": pay,
    "volley": damage.resolve_volley,
    "first moment": sequence.first_moment,
    "next moment": sequence.next_moment,
    "moments": sequence.moments_of_a_turn,
    "timed": sequence.Timed,
    "progress": sequence.Progress,
}
