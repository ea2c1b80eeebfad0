"""Older shapes become today's, step by step."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from rollbook.application.encoding.codec import Codec
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.entries import Entry, EntryKind
from rollbook.domain.events import Event, NoteWritten
from rollbook.domain.history.chain import ROOT, seal
from rollbook.domain.history.event_store import StoredEntry
from tests.support.codec_lines import line, read_back


@attrs.frozen(kw_only=True)
class Hurt(Event):
    """Today's shape of what was called DamageTaken, and before that Wounded."""

    who: str
    points: int
    kinds: tuple[str, ...] = ()


def named(fields: dict[str, Any]) -> dict[str, Any]:
    return {"who": fields["character"], "points": fields["amount"]}


def sorted_by_kind(fields: dict[str, Any]) -> dict[str, Any]:
    return fields | {"kinds": [fields.pop("kind")] if "kind" in fields else []}


def newer() -> Codec:
    return Codec(
        (Hurt, NoteWritten),
        {"Hurt": 3, "ActionTaken": 3, "Private": 2},
        {
            ("Wounded", 1): ("Hurt", named),
            ("Hurt", 2): ("Hurt", sorted_by_kind),
            ("ActionStarted", 1): ("ActionTaken", lambda fields: {**fields, "at": fields.pop("when")}),
            ("ActionTaken", 2): ("ActionTaken", lambda fields: {**fields, "seat": fields.get("seat", "?")}),
            ("Private", 1): ("Private", lambda fields: {"action": fields.pop("number"), **fields}),
        },
    )


def test_every_older_shape_becomes_todays_step_by_step() -> None:
    codec = newer()
    today = Hurt(who="robin", points=7)
    assert codec.encode(today).startswith(b'["Hurt@3",')
    assert codec.decode(line("Hurt@3", b'{"points":7,"who":"robin"}')) == today
    assert codec.decode(line("Hurt@2", b'{"points":7,"who":"robin"}')) == today
    assert codec.decode(line("Hurt@2", b'{"points":7,"who":"robin","kind":"cold"}')) == attrs.evolve(
        today, kinds=("cold",)
    )
    assert codec.decode(line("Wounded@1", b'{"amount":7,"character":"robin"}')) == today


def test_older_envelopes_become_todays_step_by_step_too() -> None:
    codec = newer()
    assert codec.kind(EntryKind.TAKEN) == "ActionTaken@3"
    today = Entry(EntryKind.TAKEN, 3, (Hurt(who="robin", points=7),), 5, "?", 9, hash=ROOT, previous_hash=ROOT)
    assert read_back(today, codec) == today
    for kind, public in (
        ("ActionTaken@3", b'{"at":9,"seat":"?"}'),
        ("ActionTaken@2", b'{"at":9}'),
        ("ActionStarted@1", b'{"when":9}'),
    ):
        for private in (line("Private@2", b'{"action":3}'), line("Private@1", b'{"number":3}')):
            data = b"\n".join(
                [line(kind, public), private, line("Wounded@1", b'{"amount":7,"character":"robin"}'), seal(ROOT, ROOT)]
            )
            assert codec.read(StoredEntry(5, kind, data)) == today


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"7", b'{"amount":"x","character":"robin"}', b'{"amount":7}'])
def test_an_older_shape_that_makes_no_sense_is_damage(data: bytes) -> None:
    with pytest.raises(HistoryDamaged, match="the Wounded@1 cannot be read"):
        newer().decode(line("Wounded@1", data))


def test_a_shape_that_was_never_released_is_unknown() -> None:
    for name in ("Hurt@1", "Hurt@4", "Wounded@2", "DamageTaken@1"):
        with pytest.raises(HistoryDamaged, match="there is no event called"):
            newer().decode(line(name))
