"""What tests of this room may ask for beside what all may: the program, run in this process or as one of its own."""

from tests.cli.conftest import d6_shield_8, holds, own_folder, program, referee

__all__ = ["d6_shield_8", "holds", "own_folder", "program", "referee"]
