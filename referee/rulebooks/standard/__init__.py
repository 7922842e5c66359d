"""The standard ships of scenario 7."""

_VOLLEY = ("damage",)

MODULES = {
    "allocation": ("energy",),
    "absorb": _VOLLEY,
    "cell": _VOLLEY,
    "entry": _VOLLEY,
    "boxes": _VOLLEY,
    "marked": _VOLLEY,
    "volley shown": _VOLLEY,
    "robot photons": ("robot",),
    "robot slowed": ("robot",),
}
