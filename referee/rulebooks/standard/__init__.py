"""The standard ships of scenario 7."""

from referee.rulebooks.base import rules_in
from referee.rulebooks.standard import damage, energy

RULES = rules_in(energy, damage)
