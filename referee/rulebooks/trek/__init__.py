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
    "work out": "working:work_given",
    "answer volley": "answers:volley",
    "answer fire": "answers:fire",
    "answer odds": "answers:odds",
    "check document": "answers:check_document",
    "show document": "answers:show_document",
    "game fold": "recordfold:game_fold",
    "ship sheets": "answers:ship_sheets",
}
