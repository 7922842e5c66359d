"""The cadet game, scenarios 1 to 6."""

from referee.rulebooks.base import rules_in
from referee.rulebooks.cadet import damage, energy, fast_damage

RULES = rules_in(energy, damage, fast_damage)
PROCEDURES = {"volley": fast_damage.cadet_volley}
