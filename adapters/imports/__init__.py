"""Importers: another program's record as the actions of a campaign.

An importer is a function that reads a file and returns ``Imported``: actions in order, each with its events. It knows
neither store nor rules: the events are those on record, and they are stored as imported. It is found by its name among
the entry points of the group ``rollbook.importers``, and so is rollbook's own for the Avrae bot.

If its module has a function ``recognises(path) -> bool``, the importer is suggested to a user who picked the wrong one.
A function ``advises(path) -> str`` says what to do with a file of that program's which cannot be imported, "" for others.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, tzinfo
from inspect import signature
from pathlib import Path
from typing import TypeAlias

import attrs

from rollbook.adapters.plugins.entry_points import listed, load, origin
from rollbook.application.playing.recorded_play import Play
from rollbook.domain.base.errors import RollbookError, not_found, note_failure
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, CharacterId, EntryNumber, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.events import Event, Scalar
from rollbook.domain.state.campaign_state import EMPTY, CampaignState

GROUP = "rollbook.importers"
"""The group of entry points under which importers are found."""


@attrs.frozen
class ImportedAction(Record):
    """One action of the record, with its events, and the verb by which it is played, if it is (``Imported.ruleset``).

    ``at`` is microseconds since 1970 (UTC), 0 if not known. A ``seat`` of "" is the importer's own: a correction.
    ``actor`` is the character who acted, "" for none. ``visibility`` is who may see it: "" for everybody, "gm", or a
    seat. ``key`` identifies it in a later import, at most 80 letters, and ``source`` is the part of the record that it
    was made of.
    """

    verb: str
    params: Mapping[str, Scalar]
    seat: SeatName
    at: int
    events: tuple[Event, ...]
    actor: CharacterId = ""
    visibility: str = ""
    key: str = ""
    source: bytes = b""
    play: Play | None = None


@attrs.frozen
class Known(Record):
    """The part of a record that a campaign already has: its state, number of entries, and last imported time.

    By the keys of imported actions: the entry number, the action number, the seat that it took and the character that
    joined. Sessions are named by their days in the ``zone``.
    """

    state: CampaignState = EMPTY
    entries: int = 0
    last: int = 0
    places: Mapping[str, EntryNumber] = attrs.field(factory=dict)
    actions: Mapping[str, ActionNumber] = attrs.field(factory=dict)
    seats: Mapping[str, SeatName] = attrs.field(factory=dict)
    characters: Mapping[str, CharacterId] = attrs.field(factory=dict)
    is_same: Callable[[str, SeatName, bytes], bool] = lambda *_: True
    """Predicate: the action under a key was made of the same source, by the same seat."""
    zone: tzinfo = UTC


def nothing_known(_: str) -> Known:
    """The ``Known`` of a campaign that does not exist yet."""
    return Known()


@attrs.frozen
class Imported(Record):
    """A whole record as actions.

    ``changes_explained`` counts the recorded changes of hit points that recorded causes account for exactly,
    ``changes_corrected`` those that needed a correction as an action of its own. ``warnings`` are sentences about parts
    that were passed over, and ``found`` about those that were imported. ``after`` is the number of entries of the
    campaign that the actions follow, 0 for a new one. By the ``ruleset``, with these ``settings``, actions with a ``play``
    are played; without one every action is stored as it is.
    """

    name: str
    actions: tuple[ImportedAction, ...]
    changes_explained: int
    changes_corrected: int
    warnings: tuple[str, ...]
    after: int = 0
    found: tuple[str, ...] = ()
    ruleset: str = ""
    settings: Mapping[str, Scalar] = attrs.field(factory=dict)


Importer: TypeAlias = Callable[..., Imported]
"""Reader of a file for a campaign of that name ("": the importer's choice). Raises RollbookError if it cannot.

It is given the keyword arguments that it has parameters for: ``known`` maps the name of a campaign to its ``Known``,
``columns`` is a file with the meanings of a table's columns, ``skip_unreadable`` leaves out rows that cannot be read,
``play`` asks for actions that are played.
"""


def importers() -> tuple[str, ...]:
    """The names of the importers that are installed; none is loaded."""
    return tuple(listed(GROUP))


def importers_of(path: Path) -> Iterator[str]:
    """The names of the importers that recognise a file. One that cannot be loaded, or fails, recognises none."""
    yield from (name for name, found in _asked(path, "recognises") if found)


def advice_on(path: Path, origin: str) -> Iterator[str]:
    """Sentences of importers other than this one about a file that none of them can import."""
    yield from (str(found) for name, found in _asked(path, "advises") if found and name != origin)


def _asked(path: Path, question: str) -> Iterator[tuple[str, object]]:
    """The answers of the functions of that name in the modules of importers."""
    for name, found in listed(GROUP).items():
        try:
            read: Importer = load(found, f"The importer {name!r}")
            ask = getattr(sys.modules[read.__module__], question, None)
            if ask is not None:
                yield name, ask(path)
        except Exception as fault:  # noqa: BLE001 - foreign code, called while another error is being reported
            note_failure("plugins", f"the importer {name!r} cannot say whether it recognises a file", fault)


def find_importer(name: str) -> Importer:
    """An importer by its name. Raises NotFound with the nearest names, RollbookError if it cannot be used."""
    known = listed(GROUP)
    if name not in known:
        raise not_found("importer", name, known)
    called = f"The importer {name!r}"
    read: Importer = load(known[name], called)

    takes = _parameters(read)

    def checked(path: Path, campaign: CampaignId, **offered: object) -> Imported:
        if offered.get("columns") is not None and "columns" not in takes:
            raise RollbookError(f"{called} takes no file of columns: leave out --map.")
        if offered.get("skip_unreadable") and "skip_unreadable" not in takes:
            raise RollbookError(f"{called} leaves nothing out: leave out --skip-unreadable.")
        if offered.get("play") and "play" not in takes:
            raise RollbookError(f"{called} only records what happened: leave out --play.")
        imported = read(path, campaign, **{name: value for name, value in offered.items() if name in takes})
        if not isinstance(imported, Imported):
            what = type(imported).__name__
            raise RollbookError(f"{called} ({origin(known[name][0])}) returns a {what}, not an Imported.")
        return imported

    return checked


def _parameters(read: Importer) -> frozenset[str]:
    """The names of an importer's parameters."""
    try:
        return frozenset(signature(read).parameters)
    except (TypeError, ValueError):
        return frozenset()
