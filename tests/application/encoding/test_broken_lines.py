"""What makes no sense is damage: nothing a file says is believed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.application.encoding.codec import CODEC, Codec
from rollbook.application.history.entry_log import EntryLog
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.events import Event, TimePassed
from rollbook.domain.history.chain import ROOT, seal
from rollbook.domain.history.event_store import NewEntry, StoredEntry
from tests.support.codec_lines import envelopes_of, line
from tests.support.golden_logs import every_event
from tests.support.memory_store import MemoryEventStore
from tests.support.strategies import EVENTS


@pytest.mark.parametrize(
    "name",
    [
        "this@1",
        "antigravity",
        "os:system",
        "DamageTaken",
        "DamageTaken@2",
        "DamageTaken@",
        "",
        "Event@1",
        "Entry@1",
        "ActionTaken@1",
    ],
)
def test_an_unknown_name_is_said_and_nothing_is_imported(name: str) -> None:
    before = set(sys.modules)
    with pytest.raises(HistoryDamaged, match="there is no event called") as damage:
        CODEC.decode(line(name))
    assert repr(name) in str(damage.value)
    assert set(sys.modules) - before == set()


def test_an_unknown_name_in_a_history_names_its_entry() -> None:
    store = MemoryEventStore()
    for action, events in ((1, []), (2, [line("Exploded@7")])):
        envelopes = envelopes_of(Entry(EntryKind.TAKEN, action, intent=Intent(verb="note")))
        data = b"\n".join([*envelopes, *events, seal(ROOT, ROOT)])
        store.append("c", action - 1, [NewEntry("ActionTaken@1", data)])
    with pytest.raises(HistoryDamaged, match=r"Entry @2 is damaged: there is no event called 'Exploded@7'"):
        list(EntryLog(store, "c", lambda: 0).entries())


WRONG = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b"\xff",
    b"{}",
    b'{"character":"robin"}',
    b'{"amount":"7","character":"robin","dealt":7}',
    b'{"amount":7.5,"character":"robin","dealt":7}',
    b'{"amount":true,"character":"robin","dealt":7}',
    b'{"amount":null,"character":"robin","dealt":7}',
    b'{"amount":7,"character":7,"dealt":7}',
    b'{"amount":7,"character":null,"dealt":7}',
    b'{"amount":7,"character":"robin","dealt":7,"tags":"cold"}',
    b'{"amount":7,"character":"robin","dealt":7,"tags":[1]}',
    b'{"amount":7,"character":"robin","dealt":7}}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
]


@pytest.mark.parametrize("data", WRONG, ids=[repr(data[:40]) for data in WRONG])
def test_wrong_types_and_broken_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(HistoryDamaged, match="the DamageTaken@1 cannot be read"):
        CODEC.decode(line("DamageTaken@1", data))


def broken(kind: str, data: bytes) -> str:
    """What is said of an entry that cannot be read."""
    with pytest.raises(HistoryDamaged) as damage:
        CODEC.read(StoredEntry(1, kind, data))
    return str(damage.value)


def test_an_entry_that_is_not_one_is_damage() -> None:
    whole = [*envelopes_of(Entry(EntryKind.TAKEN, 1)), CODEC.encode(TimePassed(seconds=1)), seal(ROOT, ROOT)]
    assert CODEC.read(StoredEntry(1, "ActionTaken@1", b"\n".join(whole))).action == 1
    for place in (0, 1, 3):
        assert "envelope cannot be read" in broken("ActionTaken@1", b"\n".join(whole[:place] + whole[place + 1 :]))
    assert "there is no entry called 'Taken@1'" in broken("Taken@1", b"\n".join(whole))
    assert "envelope cannot be read" in broken("ActionVoided@1", b"\n".join(whole))
    odd = [*whole[:2], b'["TimePassed@1",{"seconds":"1"}]', whole[3]]
    assert "the TimePassed@1 cannot be read" in broken("ActionTaken@1", b"\n".join(odd))
    marked = [*whole[:2], b'["~TimePassed@1","%s"]' % (b"ab" * 32), whole[3]]
    assert "there is no event called '~TimePassed@1'" in broken("ActionTaken@1", b"\n".join(marked))
    for data in (b"", b"\n", b"null", *WRONG):
        broken("ActionTaken@1", data)


def test_a_parameter_may_only_be_what_a_parameter_can_be() -> None:
    for value in ("1.5", "null", "[1.5]", "[null]", '[["a"]]', '{"a":null}', '{"a":{}}', '{"a":[1]}'):
        public = b'["ActionTaken@1",{"at":1,"intent":{"params":{"p":%s},"verb":"x"}}]' % value.encode()
        data = b"\n".join([public, b'["Private@1",{"action":1}]', seal(ROOT, ROOT)])
        assert "envelope cannot be read" in broken("ActionTaken@1", data)


@given(st.sampled_from(sorted(CODEC.events)), st.binary(max_size=60))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_bytes_are_an_event_or_damage(name: str, data: bytes) -> None:
    try:
        assert isinstance(CODEC.decode(line(name, data)), Event)
    except HistoryDamaged as damage:
        assert name in str(damage)


@given(EVENTS, st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_changed_byte_is_an_event_or_damage(event: Event, data: st.DataObject) -> None:
    stored = CODEC.encode(event)
    at = data.draw(st.integers(0, len(stored) - 1))
    changed = bytearray(stored)
    changed[at] = data.draw(st.integers(0, 255))
    try:
        assert isinstance(CODEC.decode(bytes(changed)), Event)
    except HistoryDamaged as damage:
        assert "event called" in str(damage) or "cannot be read" in str(damage)


def test_a_field_that_came_later_has_its_default_in_what_was_stored_before() -> None:
    for event in every_event():
        name, told = json.loads(CODEC.encode(event))
        for field in attrs.fields(type(event)):
            if field.default is not attrs.NOTHING:
                older = json.dumps({key: value for key, value in told.items() if key != field.name}).encode()
                default = field.default.factory() if isinstance(field.default, attrs.Factory) else field.default  # type: ignore[arg-type]
                assert getattr(CODEC.decode(line(name, older)), field.name) == default


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data,
        lambda data: data.replace(b"\n", b"\n\n", 1),
        lambda data: data.replace(b'["', b' [ "', 1),
        lambda data: data.replace(b"TimePassed", b"Time\\u0050assed"),
        lambda data: data.replace(b"TimePassed@1", b"TimePassed@9"),
        lambda data: data.replace(b'"note"', b"7"),
        lambda data: data[:-1],
        lambda data: b"",
    ],
)
def test_the_first_entries_are_read_like_all_that_follow(change: Callable[[bytes], bytes]) -> None:
    entry = Entry(EntryKind.TAKEN, 1, (*every_event(), TimePassed(seconds=6)), intent=Intent(verb="note"))
    body = CODEC.body(entry) + seal(ROOT, ROOT)
    found, codec = [], Codec()
    for _ in range(40):
        try:
            found.append(codec.read(StoredEntry(1, "ActionTaken@1", change(body))))
        except HistoryDamaged as damage:
            found.append(str(damage))
    assert all(each == found[0] for each in found)
    assert change(body) != body or found[0].events == entry.events
