"""What was stored is read for ever: every event comes back as it was, byte for byte, and nothing a file says is believed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.entry_log import EntryLog
from adapters.storage.codec import CODEC, Codec
from adapters.storage.event_store import MemoryEventStore
from adapters.storage.upcasters import VERSIONS
from domain.audit import Verdict, audit_dice, audit_rules
from domain.chain import ROOT, canonical, seal
from domain.entries import REASON, Entry, EntryKind, Intent, RecordedEntry, SecondThought
from domain.errors import HistoryDamaged, Refused
from domain.event_store import NewEntry, StoredEntry
from domain.events import (
    CharacterJoined,
    DamageTaken,
    Event,
    NoteWritten,
    PoolGained,
    RulesetAdopted,
    StatChanged,
    TimePassed,
    vocabulary,
)
from domain.rulebook import Rulebook
from tests.support.campaigns import new
from tests.support.golden_logs import EVERY_EVENT, FULL_CAMPAIGN, every_event, read_entries, read_log
from tests.support.strategies import EVENTS, any_of
from tests.support.toy import TOY


def line(name: str, data: bytes = b"{}") -> bytes:
    """A line as it is stored."""
    return b'["%s",%s]' % (name.encode(), data)


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


# There and back.


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


def read_back(entry: Entry, codec: Codec = CODEC) -> RecordedEntry:
    """An entry, written and read."""
    lines = [*codec.envelopes(entry), *map(codec.encode, entry.events), seal(entry.hash, entry.previous_hash)]
    return codec.read(StoredEntry(entry.number, codec.kind(entry.kind), b"\n".join(lines)))


@given(st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_every_entry_comes_back_as_it_was(data: st.DataObject) -> None:
    entry = data.draw(ENTRIES)
    again = read_back(entry)
    assert again == entry
    assert type(again) is RecordedEntry
    assert CODEC.envelopes(again) == CODEC.envelopes(entry)


def test_an_entry_with_something_in_every_field_comes_back_as_it_was() -> None:
    entry = full_entry()
    assert [name for name in entry._fields if getattr(entry, name) == Entry._field_defaults.get(name)] == []
    assert read_back(entry) == entry


@given(st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_envelopes_are_compact_json_with_sorted_keys_and_nothing_at_its_default(data: st.DataObject) -> None:
    entry = data.draw(ENTRIES)
    for line in CODEC.envelopes(entry):
        assert canonical(json.loads(line)) == line
    bare = Entry(EntryKind.UNDONE, 7)
    assert CODEC.envelopes(bare) == (b'["ActionVoided@1",{"at":0}]', b'["Private@1",{"action":7}]')


def test_a_reason_that_is_hidden_and_numbers_of_the_history_are_in_the_private_envelope() -> None:
    intent = Intent(verb="redact", params={"action": 3, "entries": ("7",), "why": "x"})
    entry = Entry(
        EntryKind.TAKEN, 9, intent=intent, reason="it names Ash", hidden_events=(REASON,), hash=ROOT, previous_hash=ROOT
    )
    public, private = (json.loads(line)[1] for line in CODEC.envelopes(entry))
    assert public == {"at": 0, "intent": {"params": {"why": "x"}, "verb": "redact"}}
    assert (private["reason"], private["params"]) == ("it names Ash", {"action": 3, "entries": ["7"]})
    assert read_back(entry) == entry


def test_the_order_in_which_parameters_were_given_makes_no_other_bytes() -> None:
    one = RulesetAdopted(ruleset="toy", version="1", settings={"a": 1, "b": True, "c": ("x",)})
    other = RulesetAdopted(ruleset="toy", version="1", settings={"c": ("x",), "b": True, "a": 1})
    assert CODEC.encode(one) == CODEC.encode(other)


def test_the_bytes_are_the_same_in_another_process() -> None:
    code = (
        "from adapters.storage.codec import CODEC\n"
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
            CODEC.envelopes(entry)


# What makes no sense.


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
        envelopes = CODEC.envelopes(Entry(EntryKind.TAKEN, action, intent=Intent(verb="note")))
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
    whole = [*CODEC.envelopes(Entry(EntryKind.TAKEN, 1)), CODEC.encode(TimePassed(seconds=1)), seal(ROOT, ROOT)]
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
    for value in ("1.5", "null", "[1]", "{}", '[["a"]]'):
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


# Shapes that changed.


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


# What was released.


def test_one_event_of_each_class_is_read_for_ever_and_written_as_it_was() -> None:
    released = read_log(EVERY_EVENT)
    events = [CODEC.decode(stored) for stored in released]
    assert [CODEC.encode(event) for event in events] == released
    assert {type(event) for event in events} == set(vocabulary())
    assert events == every_event()


@pytest.mark.parametrize("golden", sorted(EVERY_EVENT.parent.glob("every_event.*.jsonl")), ids=lambda path: path.stem)
def test_events_of_every_release_are_read_for_ever(golden: Path) -> None:
    released = read_log(golden)
    now = [CODEC.encode(CODEC.decode(stored)) for stored in released]
    assert len({json.loads(stored)[0] for stored in now}) == len(released)
    changed = {json.loads(stored)[0] for stored in released if stored not in now}
    kept = {json.loads(stored)[0] for stored in now}
    assert changed == {name for name in map(name_of, released) if name not in kept}, (
        "a shape changed without a new version"
    )


def name_of(stored: bytes) -> str:
    return str(json.loads(stored)[0])


@pytest.mark.parametrize("golden", sorted(FULL_CAMPAIGN.parent.glob("an_evening.*.jsonl")), ids=lambda path: path.stem)
def test_a_campaign_that_was_played_opens_for_ever_and_verifies(golden: Path) -> None:
    store = MemoryEventStore()
    store.append("sherwood", 0, new(read_entries(golden)))
    log = EntryLog(store, "sherwood", lambda: 0)
    history = log.history()
    assert log.audit_chain().verdict is Verdict.VERIFIED
    assert audit_dice(history.entries).verdict is Verdict.VERIFIED
    assert audit_rules(history.entries, Rulebook({"toy": TOY})).verdict is Verdict.VERIFIED
    robin = history.state.characters["robin"]
    assert (robin.lost, robin.experience, robin.level, robin.pools["tokens"]) == (7, 150, 1, 3)
    assert history.state.characters["marian"].pools["coins"] == 2
    assert log.scan().state == history.state
    assert log.scan().ledger == history.ledger


def test_the_vocabulary_is_what_was_released() -> None:
    names = {CODEC.name(cls) for cls in vocabulary()}
    assert names == {name_of(stored) for stored in read_log(EVERY_EVENT)}
    assert {CODEC.name(cls) for cls in (CharacterJoined, DamageTaken, PoolGained, TimePassed)} <= names
