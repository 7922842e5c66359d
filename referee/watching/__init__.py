"""A folder in which VASSAL writes, followed while a game is played."""
