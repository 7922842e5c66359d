"""The Star Trek RPG's starship combat (Bocchino 2013). It shares only the core with the other games."""

MODULES = {
    "standing": ("sequence",),
    "skill": ("sequence",),
    "power": ("powering", "sensing", "sequence", "shooting"),
    "setup": ("sequence",),
    "enrolled": ("sequence",),
    "sheet": ("sequence",),
    "order": ("sequence",),
    "action": (
        *("damage", "firing", "moving", "powering", "repairing"),
        *("sensing", "sequence", "spent"),
    ),
    "told": ("firing", "powering", "sensing"),
    "move": ("moving",),
    "warp": ("moving",),
    "lock": ("sensing",),
    "shot": ("firing", "shooting"),
    "damage": ("damage",),
    "repair": ("repairing",),
}
PROCEDURES = {
    "play": "answers:played",
    "work_out": "working:work_given",
    "answer_volley": "answers:volley",
    "answer_fire": "answers:fire",
    "answer_odds": "answers:odds",
    "check_document": "answers:check_document",
    "show_document": "answers:show_document",
    "game_fold": "recordfold:game_fold",
    "ship_sheets": "answers:ship_sheets",
}
