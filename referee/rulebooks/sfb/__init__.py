"""What the cadet and the standard game share; not a game by itself.

`MODULES` says where the rules on each subject are, `PROCEDURES` where each way of doing something is, so
that judging a form does not load the rules of fire.
"""

_VOLLEY = ("damage",)

MODULES = {
    "allocation": ("energy", "energy_options", "weapons_energy"),
    "timed": ("sequence",),
    "progress": ("sequence",),
    "absorb": _VOLLEY,
    "choice": _VOLLEY,
    "excess": _VOLLEY,
    "sequence": ("movement",),
    "move": ("movement", "turning"),
    "impulse": ("movement",),
    "turn": ("movement",),
    "turn mode": ("turning",),
    "turn count": ("turning",),
}
PROCEDURES = {
    "known damage": "allocation:Knowledge",
    "energy allocation": "carrying:first_turn",
    "open turn": "carrying:open_turn",
    "carry over": "carrying:carry_over",
    "ledger": "ledger:pay",
    "volley": "damage:resolve_volley",
    "first moment": "sequence:first_moment",
    "next moment": "sequence:next_moment",
    "moments": "sequence:moments_of_a_turn",
    "timed": "sequence:Timed",
    "progress": "sequence:Progress",
    "movement": "motion:Movement",
    "move facts": "motion:MoveFacts",
    "impulse facts": "motion:ImpulseFacts",
    "speed facts": "motion:SpeedFacts",
    "sequence facts": "motion:SequenceFacts",
    "step of": "movement:step_of",
}
