"""The cadet game, scenarios 1 to 6."""

MODULES = {
    "allocation": ("energy",),
    "entry": ("damage",),
    "fast point": ("fast_damage",),
    "fast end": ("fast_damage",),
    "robot slowed": ("robot",),
    "cloak": ("cloak",),
    "cloak order": ("cloak",),
}
PROCEDURES = {"volley": "fast_damage:cadet_volley"}
DROPPED = ("G13.0/fade", "G13.0/order")
