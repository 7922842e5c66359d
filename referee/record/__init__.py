"""The game record both sides can trust: a hash chain of entries, sealed orders, verifiable dice.

Only this room and `referee.core` are needed to verify a game. `docs/record.md` is the format.
"""
