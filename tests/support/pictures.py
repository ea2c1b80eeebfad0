"""Pictures of the golden campaigns and of campaigns that are made up of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.domain import events
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.history import History
from rollbook.projections.pictures import Picture, pictures_of, svg
from tests.support.golden_campaigns import FOLDER, NEWEST
from tests.support.memory_store import MemoryEventStore

SVG = "{http://www.w3.org/2000/svg}"
RULEBOOK = discover().rulebook()
MOST = 18
"""Hit points of the invented characters."""


@cache
def golden(name: str) -> History:
    """The history of a recorded session."""
    book = book_of(MemoryEventStore(), SQLiteReadModel(), SeedKeeper(Path("nowhere")), discover())
    imported = import_campaign(book, FOLDER / f"{name}.{NEWEST}.jsonl")
    return book.campaign(imported.campaign).history


@cache
def golden_pictures(name: str) -> tuple[Picture, ...]:
    """The pictures of a recorded session."""
    return pictures_of(golden(name), RULEBOOK)


def history_of(*actions: Sequence[Event]) -> History:
    """A history in which these events happened, action by action."""
    entries = [
        RecordedEntry(
            EntryKind.TAKEN, action, seat="ana", intent=Intent(verb="note"), events=tuple(happened), number=action
        )
        for action, happened in enumerate(actions, 1)
    ]
    return History(entries)


def people(*names: str) -> list[Event]:
    """Characters who join, each with the number of the order as id."""
    joined = [events.CharacterJoined(character=f"c{at}", name=name) for at, name in enumerate(names)]
    return [*joined, *(events.StatChanged(character=each.character, stat="max_hp", amount=MOST) for each in joined)]


def drawn(picture: Picture, width: int = 460) -> ET.Element:
    """The drawing, as a reader of XML has it."""
    return ET.fromstring(svg(picture, width))


def words_in(drawing: ET.Element) -> Iterable[ET.Element]:
    """The lines of text of a drawing."""
    return drawing.iter(f"{SVG}text")
