"""Boxes of one label as a display shows them: how many are left, of how many, and which are gone where it tells."""

from __future__ import annotations


class BoxCount(tuple[int, int | None]):
    """Boxes left and all there are. Where only those lost are shown, their number below nought and None.

    `gone` are the places in their row, from 0 on, of those that are lost; None where only their number is shown.
    """

    gone: tuple[int, ...] | None

    def __new__(cls, left: int, total: int | None, gone: tuple[int, ...] | None = None) -> BoxCount:
        """A count; without `gone` it does not tell which."""
        count = super().__new__(cls, (left, total))
        count.gone = gone
        return count

    def __eq__(self, other: object) -> bool:
        """Do they show the same, which boxes are gone too where both tell?"""
        theirs = getattr(other, "gone", None)
        return super().__eq__(other) and (theirs is None or self.gone is None or theirs == self.gone)

    def __ne__(self, other: object) -> bool:
        """Do they not?"""
        return not self == other

    __hash__ = tuple.__hash__
