"""Writes and reads the golden logs: ``python -m tests.support.golden_logs``."""

from __future__ import annotations

import collections.abc
import enum
import json
import shutil
import tempfile
import types
import typing
from itertools import count
from pathlib import Path
from typing import Any

import attrs

from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.application.encoding.codec import CODEC
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.events import (
    CharacterRenamed,
    Event,
    PictureShown,
    SceneEnded,
    SceneResumed,
    SceneSetAside,
    SeatNamed,
    SeatRenamed,
    vocabulary,
)
from rollbook.domain.history.chain import kind_of
from rollbook.domain.history.event_store import StoredEntry
from tests.support.campaigns import begin_campaign, memory_book, stored_events

FOLDER = Path(__file__).parents[1] / "campaigns"
EVERY_EVENT = FOLDER / "every_event.1.jsonl"
ADDED_EVENTS = FOLDER / "every_event.3.jsonl"
ADDED = (CharacterRenamed, SeatRenamed, PictureShown, SceneSetAside, SceneResumed, SceneEnded, SeatNamed)
"""Events that came after the first shapes had been stored, oldest first, in golden logs of their own, one for each shape."""
FULL_CAMPAIGN = FOLDER / "toy_campaign.1.jsonl"
FOR_MIRA = FOLDER / "shown" / "mira.1.jsonl"


def example_value(kind: Any, name: str, number: typing.Iterator[int]) -> Any:
    """A value for a field, other than its default and other than its neighbours'."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is str:
        return f"{name} äöü ✓ “{next(number)}”"
    if kind is int:
        return next(number) * (-1) ** next(number)
    if kind is bool:
        return not next(number) % 2
    if origin in (types.UnionType, typing.Union):
        return example_value(inner[0], name, number)
    if origin is tuple:
        return tuple(example_value(inner[0], name, number) for _ in range(2))
    if origin is collections.abc.Mapping:
        if origin_of(inner[1]) in (types.UnionType, typing.Union):
            return {"flag": True, "list": ("a", "b"), "number": -7, "word": "ß", "none": ()}
        return {f"{name}-{last}": example_value(inner[1], name, number) for last in "ba"}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return list(kind)[-1]
    return example_instance(kind, number)


def origin_of(kind: Any) -> Any:
    """The generic that a type is made of."""
    return typing.get_origin(kind)


def example_instance(cls: Any, number: typing.Iterator[int]) -> Any:
    """An event, or a part of one, with something in every field."""
    hints = typing.get_type_hints(cls)
    fields = [field.name for field in attrs.fields(cls)] if attrs.has(cls) else list(hints)
    return cls(**{name: example_value(hints[name], name, number) for name in fields})


def every_event() -> list[Event]:
    """One event of each class, those that were added later last."""
    number = count(1)
    return [example_instance(cls, number) for cls in sorted(vocabulary(), key=_place)]


def _place(event: type[Event]) -> int:
    """Rank of an event by its addition, counted from 1; 0 for those that were there from the beginning."""
    return ADDED.index(event) + 1 if event in ADDED else 0


def log_line(stored: bytes) -> str:
    """A stored event or entry as a line of a golden log; it is text, so that it stays byte for byte."""
    return json.dumps(stored.decode(), ensure_ascii=False)


def read_log(path: Path) -> list[bytes]:
    """The stored events or entries of a golden log."""
    return [json.loads(each).encode() for each in path.read_text(encoding="utf-8").splitlines()]


def read_entries(path: Path) -> list[StoredEntry]:
    """The stored entries of a golden log."""
    return [StoredEntry(number, kind_of(data), data) for number, data in enumerate(read_log(path), 1)]


def full_campaign(shown: Path) -> list[bytes]:
    """A short campaign of the toy with everything in it that a history can hold; ``shown`` gets what Mira may see of it."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = begin_campaign(memory_book(Path(folder)), drawn="4")  # the spy hits
        campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
        campaign.do("gain-token", {"who": "robin"})
        campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
        campaign.do("note", {"text": "the duke did it", "to": "gm"})
        campaign.do("hide", {"who": "robin"}, command="from a web form")
        campaign.do("bet", {"who": "marian", "dice": 2}, dice=(3, 5))
        campaign.do("adjust", {"who": "robin", "what": "hp", "by": -3, "reason": "fell"})
        wound = campaign.head.actions
        campaign.do("award", {"who": ("party",), "amount": 150, "reason": "alive"})
        campaign.corrections.undo(wound, reason="caught himself").apply()
        campaign.corrections.redo(wound, reason="did not").apply()
        campaign.corrections.amend(wound, {"by": -2}, reason="soft ground").apply()
        campaign.do("agree", {"matter": "dice", "value": "either", "whose": "mira"})
        campaign.do("join", {"name": "The Spy", "id": "spy"}, secret=True)
        campaign.do("attack", {"attacker": "spy", "target": "robin"})
        campaign.do("note", {"text": "psst, the spy", "to": "mira"})
        whisper = campaign.head.actions
        campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
        struck = campaign.head.actions
        campaign.corrections.undo(struck, reason="too far away").apply()
        campaign.do("grant-dice", {"action": struck, "why": "the die fell off the table"})
        campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
        campaign.corrections.override(
            campaign.head.actions, (20,), reason="agreed on", options=CorrectionOptions(draw=True)
        ).apply()
        campaign.do("reveal", {"who": "spy"})
        campaign.redact(whisper, why="private")
        campaign.do("x-card", seat="mira")
        campaign.do("after-x-card", {"how": "resume"})
        campaign.do("close-session")
        campaign.do("reveal-screen", {"session": 1})
        export_shown(campaign.session.log, Path(folder) / "mira.jsonl", Reader("mira"))
        shutil.copy(Path(folder) / "mira.jsonl", shown)
        return [entry.data for entry in stored_events(campaign)]


if __name__ == "__main__":
    for path, added in ((EVERY_EVENT, False), (ADDED_EVENTS, True)):
        lines = [log_line(CODEC.encode(event)) for event in every_event() if (type(event) in ADDED) is added]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    FULL_CAMPAIGN.write_text("".join(log_line(each) + "\n" for each in full_campaign(FOR_MIRA)), encoding="utf-8")
