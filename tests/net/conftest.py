"""Each test of the net may ask for an empty folder of its own, without settings from outside."""

from tests.cli.conftest import own_folder

__all__ = ["own_folder"]
