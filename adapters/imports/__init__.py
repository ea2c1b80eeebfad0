"""Importers: what another program has recorded, as the actions of a campaign.

An importer is a function that reads a file and returns ``Imported``: who did what, one action after the other, each with its
events. It knows neither store nor rules: the events are what was recorded, and they are stored as imported. It is found by its
name among the entry points of the group ``rollbook.importers``; rollbook's own for the Avrae bot comes the same way.

An importer is named to somebody who picked the wrong one if its module has a function ``recognises(path) -> bool``.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import attrs

from adapters.entry_points import listed, load, origin
from domain.errors import RollbookError, not_found
from domain.events import CharacterId, Event, Scalar, SeatName
from domain.identifiers import CampaignId

__all__ = ["GROUP", "Imported", "ImportedAction", "Importer", "find_importer", "importers", "importers_of"]

GROUP = "rollbook.importers"
"""The group of entry points under which importers are found."""


@attrs.frozen
class ImportedAction:
    """One thing that somebody did, with the events that it left behind.

    ``at`` is microseconds since 1970 (UTC), 0 if nobody knows. A ``seat`` of "" is the importer's own: a correction.
    ``actor`` is the character who acted, "" for nobody.
    """

    verb: str
    params: Mapping[str, Scalar]
    seat: SeatName
    at: int
    events: tuple[Event, ...]
    actor: CharacterId = ""


@attrs.frozen
class Imported:
    """A whole record.

    ``changes_explained`` counts the recorded changes of somebody's hit points that recorded causes account for exactly;
    ``changes_corrected`` those that needed an action of their own that says so. ``warnings`` are sentences about what
    was passed over.
    """

    name: str
    actions: tuple[ImportedAction, ...]
    changes_explained: int
    changes_corrected: int
    warnings: tuple[str, ...]


Importer: TypeAlias = Callable[[Path, str], Imported]
"""Reads a file, for a campaign of that name ("": the importer's choice). Raises RollbookError for what it cannot read."""


def importers() -> tuple[str, ...]:
    """The names of the importers that are installed; none is loaded."""
    return tuple(listed(GROUP))


def importers_of(path: Path) -> Iterator[str]:
    """The names of the importers that recognise a file. One that cannot be loaded, or fails, recognises none."""
    known = listed(GROUP)
    for name, found in known.items():
        try:
            read: Importer = load(found, f"The importer {name!r}")
            recognises = getattr(sys.modules[read.__module__], "recognises", None)
            if recognises is not None and recognises(path):
                yield name
        except Exception:  # noqa: BLE001, S112 - somebody else's code, asked while another error is being reported
            continue


def find_importer(name: str) -> Importer:
    """An importer by its name. Raises NotFound with the nearest names, RollbookError if it cannot be used."""
    known = listed(GROUP)
    if name not in known:
        raise not_found("importer", name, known)
    called = f"The importer {name!r}"
    read: Importer = load(known[name], called)

    def checked(path: Path, campaign: CampaignId) -> Imported:
        imported = read(path, campaign)
        if not isinstance(imported, Imported):
            what = type(imported).__name__
            raise RollbookError(f"{called} ({origin(known[name][0])}) returns a {what}, not an Imported.")
        return imported

    return checked
