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
    "play": "turns:play_combat",
    "library": "shipyard:library",
    "work out": "working:work_out",
    "check charts": "chartcheck:check_charts",
}
