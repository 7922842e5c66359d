"""A grid of text cells with a place: what every energy form is before it is understood."""

from __future__ import annotations

from referee.core.frozen import frozen
from referee.core.location import Location, cell_name


@frozen
class Sheet:
    """Rows of cell texts as a reader found them; `place` is where the grid is."""

    rows: tuple[tuple[str, ...], ...]
    place: Location
    title: str = ""

    def at(self, row: int, column: int) -> Location:
        """Where a cell is; rows and columns count from 0."""
        return self.place.within(cell=cell_name(row, column))

    def origin_of(self, column: int) -> object:
        """All that the places of a column's cells hang on beside their rows: where two sheets tell the same, so are
        the places."""
        return self.__class__, self.place
