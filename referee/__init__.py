"""A referee for starship tabletop games."""

__version__ = "0.1.0"
