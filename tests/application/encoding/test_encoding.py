"""Every event and entry comes back as it was, byte for byte."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import attrs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.application.encoding.codec import CODEC
from rollbook.application.encoding.upcasters import VERSIONS
from rollbook.domain.base.errors import Refused
from rollbook.domain.entries import REASON, Entry, EntryKind, Intent, RecordedEntry, SecondThought
from rollbook.domain.events import Event, NoteWritten, RulesetAdopted, StatChanged, TimePassed, vocabulary
from rollbook.domain.history.chain import ROOT, canonical
from tests.support.codec_lines import envelopes_of, read_back
from tests.support.golden_logs import every_event
from tests.support.strategies import EVENTS, any_of


def full_entry() -> RecordedEntry:
    """An entry with something in every field, other than its default."""
    given: dict[str, Any] = {
        "kind": EntryKind.REVISED,
        "events": (TimePassed(seconds=1), NoteWritten(text="x", salt="ab")),
        "intent": Intent(verb="v", params={"action": 3, "b": True}, second_thoughts=(SecondThought(kind="k"),)),
        "stand": True,
        "reads": ("@a", "clock"),
        "hidden_events": (REASON, 1),
    }
    for name, value in Entry._field_defaults.items():
        given.setdefault(name, 7 if isinstance(value, int) else f"{name} ü")
    return RecordedEntry(**{"action": 4, **given, "hash": "ab" * 32, "previous_hash": "cd" * 32})


_HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)


ENTRIES = st.builds(
    RecordedEntry,
    kind=st.sampled_from(EntryKind),
    action=st.integers(0, 10**6),
    events=st.lists(EVENTS, max_size=3).map(tuple),
    number=st.integers(1, 10**6),
    seat=st.text(),
    at=st.integers(0, 2**62),
    reason=st.text(),
    visibility=st.sampled_from(["", "gm", "mira"]),
    intent=any_of(Intent),
    provenance=st.sampled_from(["played", "ruling", "imported"]),
    causation=st.integers(0, 99),
    stand=st.booleans(),
    reads=st.lists(st.text()).map(tuple),
    salt=st.text(max_size=3),
    hidden_events=st.lists(st.integers(-1, 3), unique=True).map(tuple),
    hash=_HASHES,
    previous_hash=_HASHES,
)


def typed(value: Any) -> Any:
    """A value with the types of everything in it: True is not 1, and a list is not a tuple."""
    if attrs.has(type(value)):
        fields = attrs.fields(type(value))
        return (type(value), [typed(getattr(value, field.name)) for field in fields])
    if isinstance(value, tuple | list):
        return (type(value), [typed(item) for item in value])
    if isinstance(value, dict):
        return (dict, sorted((key, typed(item)) for key, item in value.items()))
    return (type(value), value)


@pytest.mark.parametrize("cls", vocabulary(), ids=lambda cls: cls.__name__)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.data())
def test_every_event_comes_back_as_it_was(cls: type[Event], data: st.DataObject) -> None:
    event = data.draw(any_of(cls))
    stored = CODEC.encode(event)
    again = CODEC.decode(stored)
    assert again == event
    assert typed(again) == typed(event)
    assert CODEC.encode(again) == stored
    name = f"{cls.__name__}@{VERSIONS.get(cls.__name__, 1)}"
    assert stored.startswith(b'["%s",{' % name.encode())
    assert name == CODEC.name(cls)


@given(EVENTS)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_the_bytes_are_compact_json_with_every_field_and_sorted_keys(event: Event) -> None:
    stored = CODEC.encode(event)
    _, told = json.loads(stored)
    assert msgspec.json.format(stored, indent=-1) == stored
    assert set(told) == {field.name for field in attrs.fields(type(event))}
    assert list(told) == sorted(told)


@given(st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_every_entry_comes_back_as_it_was(data: st.DataObject) -> None:
    entry = data.draw(ENTRIES)
    again = read_back(entry)
    assert again == entry
    assert type(again) is RecordedEntry
    assert envelopes_of(again) == envelopes_of(entry)


def test_an_entry_with_something_in_every_field_comes_back_as_it_was() -> None:
    entry = full_entry()
    assert [name for name in entry._fields if getattr(entry, name) == Entry._field_defaults.get(name)] == []
    assert read_back(entry) == entry


@given(st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_envelopes_are_compact_json_with_sorted_keys_and_nothing_at_its_default(data: st.DataObject) -> None:
    entry = data.draw(ENTRIES)
    for line in envelopes_of(entry):
        assert canonical(json.loads(line)) == line
    bare = Entry(EntryKind.UNDONE, 7)
    assert envelopes_of(bare) == (b'["ActionVoided@1",{"at":0}]', b'["Private@1",{"action":7}]')


def test_a_reason_that_is_hidden_and_numbers_of_the_history_are_in_the_private_envelope() -> None:
    intent = Intent(verb="redact", params={"action": 3, "entries": (7,), "why": "x"})
    entry = Entry(
        EntryKind.TAKEN, 9, intent=intent, reason="it names Ash", hidden_events=(REASON,), hash=ROOT, previous_hash=ROOT
    )
    public, private = (json.loads(line)[1] for line in envelopes_of(entry))
    assert public == {"at": 0, "intent": {"params": {"why": "x"}, "verb": "redact"}}
    assert (private["reason"], private["params"]) == ("it names Ash", {"action": 3, "entries": [7]})
    assert read_back(entry) == entry


def test_the_order_in_which_parameters_were_given_makes_no_other_bytes() -> None:
    one = RulesetAdopted(ruleset="toy", version="1", settings={"a": 1, "b": True, "c": ("x",)})
    other = RulesetAdopted(ruleset="toy", version="1", settings={"c": ("x",), "b": True, "a": 1})
    assert CODEC.encode(one) == CODEC.encode(other)


def test_the_bytes_are_the_same_in_another_process() -> None:
    code = (
        "from rollbook.application.encoding.codec import CODEC\n"
        "from tests.support.golden_logs import every_event\n"
        "import sys\n"
        "for event in every_event():\n"
        "    sys.stdout.buffer.write(CODEC.encode(event))\n"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    assert there.stdout == b"".join(CODEC.encode(event) for event in every_event())


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30])
def test_a_number_may_be_larger_than_a_machine_word(number: int) -> None:
    event = StatChanged(character="robin", stat="luck", amount=number)
    assert CODEC.decode(CODEC.encode(event)) == event


def test_text_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(Refused, match="not valid Unicode"):
        CODEC.encode(NoteWritten(text="a \ud800 b"))
    for entry in (
        Entry(EntryKind.TAKEN, 1, intent=Intent(verb="note", params={"text": "\udfff"})),
        Entry(EntryKind.UNDONE, 1, reason="\ud800"),
    ):
        with pytest.raises(Refused, match="not valid Unicode"):
            envelopes_of(entry)
