"""What bends rules and was found in the folder: named, with what it changes, whether it counts or not."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from referee.core.finding import Finding
from referee.core.location import Location
from referee.core.naming import how_many
from referee.sources.asked import note
from referee.sources.confirmed import FILE, read_confirmed
from referee.sources.settings import BENDS, CONFIG_FILE, changes_of, read_config, read_house
from referee.sources.trust import is_trusted


def found_settings(named: Collection[str]) -> Iterator[Finding]:
    """A note for each file of the folder that changes the rules or the ships' numbers, or would if it were trusted;
    of what the command itself named, none."""
    for file, changes in _found():
        if file not in named:
            yield note("settings", f"found in this folder and {changes}", file, location=Location(file))


def _found() -> Iterator[tuple[str, str]]:
    config = read_config()
    if not config.keys().isdisjoint(BENDS):
        yield CONFIG_FILE, _whether_it_counts(changes_of(config), CONFIG_FILE)
    if named := config.get("house"):
        house = read_house(str(named))
        changes = [f"without {key}" for key in house.off]
        changes += [f"{name}={value}" for name, value in house.options.items()]
        changes += [f"{key} is a {severity}" for key, severity in house.severity.items()]
        yield house.file, _whether_it_counts(changes, house.file, CONFIG_FILE)
    if confirmed := read_confirmed():
        counts = {id: how_many(len(ship["numbers"]), "number") for id, ship in confirmed.items()}
        yield FILE, _whether_it_counts([f"{count} of {id}" for id, count in counts.items()], FILE)


def _whether_it_counts(changes: list[str], *files: str) -> str:
    """What is changed, and whether it counts: it does where all of these files are trusted."""
    if untrusted := [file for file in files if not is_trusted(file)]:
        return f"not applied: {', '.join(changes)}; to apply it: referee config trust {' '.join(untrusted)}"
    return f"trusted: {', '.join(changes)}, where the command says nothing else"
