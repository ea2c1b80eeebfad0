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
from domain.chain import sealed
from domain.errors import HistoryDamaged, Refused
from domain.events import (
    ActionTaken,
    ActionVoided,
    CharacterJoined,
    DamageTaken,
    Event,
    Header,
    Intent,
    NoteWritten,
    PoolGained,
    RulesetAdopted,
    StatChanged,
    TimePassed,
    vocabulary,
)
from domain.rulebook import Rulebook
from tests.support.golden_logs import EVERY_EVENT, FULL_CAMPAIGN, every_event, read_log
from tests.support.strategies import EVENTS, any_of
from tests.support.toy import TOY


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
    name, stored = CODEC.encode(event)
    again = CODEC.decode(name, stored)
    assert again == event
    assert typed(again) == typed(event)
    assert CODEC.encode(again) == (name, stored)
    assert name == f"{cls.__name__}@{VERSIONS.get(cls.__name__, 1)}" == CODEC.name(cls)


@given(EVENTS)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_the_bytes_are_compact_json_with_every_field_and_sorted_keys(event: Event) -> None:
    _, stored = CODEC.encode(event)
    told = json.loads(stored)
    assert msgspec.json.format(stored, indent=-1) == stored
    assert set(told) == {field.name for field in attrs.fields(type(event))}
    assert list(told) == sorted(told)


def test_the_last_key_of_every_header_is_its_own_hash() -> None:
    for event in every_event():
        if isinstance(event, Header):
            _, bare = CODEC.encode(attrs.evolve(event, witness=""))
            assert bare.endswith(b',"witness":""}')
            assert CODEC.encode(attrs.evolve(event, witness="ab" * 32))[1] == sealed(bare, "ab" * 32)


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
        "    sys.stdout.buffer.write(CODEC.encode(event)[1])\n"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    assert there.stdout == b"".join(CODEC.encode(event)[1] for event in every_event())


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30])
def test_a_number_may_be_larger_than_a_machine_word(number: int) -> None:
    event = StatChanged(character="robin", stat="luck", amount=number)
    assert CODEC.decode(*CODEC.encode(event)) == event


def test_text_that_no_file_can_hold_is_refused() -> None:
    for event in (
        NoteWritten(text="a \ud800 b"),
        ActionTaken(action=1, intent=Intent(verb="note", params={"text": "\udfff"})),
        ActionVoided(action=1, reason="\ud800"),
    ):
        with pytest.raises(Refused, match="not valid Unicode"):
            CODEC.encode(event)


# What makes no sense.


@pytest.mark.parametrize(
    "name",
    ["this@1", "antigravity", "os:system", "DamageTaken", "DamageTaken@2", "DamageTaken@", "", "Event@1", "Header@1"],
)
def test_an_unknown_name_is_said_and_nothing_is_imported(name: str) -> None:
    before = set(sys.modules)
    with pytest.raises(HistoryDamaged, match="there is no event called") as damage:
        CODEC.decode(name, b"{}")
    assert repr(name) in str(damage.value)
    assert set(sys.modules) - before == set()


def test_an_unknown_name_in_a_history_names_its_entry() -> None:
    store = MemoryEventStore()
    store.append("c", 0, [CODEC.encode(ActionTaken(action=1, intent=Intent(verb="note")))])
    store.append("c", 1, [CODEC.encode(ActionTaken(action=2, intent=Intent(verb="note"))), ("Exploded@7", b"{}")])
    with pytest.raises(HistoryDamaged, match=r"Entry 2 is damaged: there is no event called 'Exploded@7'"):
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
        CODEC.decode("DamageTaken@1", data)


def test_a_parameter_may_only_be_what_a_parameter_can_be() -> None:
    for value in ("1.5", "null", "[1]", "{}", '[["a"]]'):
        data = b'{"action":1,"intent":{"verb":"x","params":{"p":%s}}}' % value.encode()
        with pytest.raises(HistoryDamaged):
            CODEC.decode("ActionTaken@1", data)


@given(st.sampled_from(sorted(CODEC.decoders)), st.binary(max_size=60))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_bytes_are_an_event_or_damage(name: str, data: bytes) -> None:
    try:
        assert isinstance(CODEC.decode(name, data), Event)
    except HistoryDamaged as damage:
        assert name in str(damage)


@given(EVENTS, st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_changed_byte_is_an_event_or_damage(event: Event, data: st.DataObject) -> None:
    name, stored = CODEC.encode(event)
    at = data.draw(st.integers(0, len(stored) - 1))
    changed = bytearray(stored)
    changed[at] = data.draw(st.integers(0, 255))
    try:
        CODEC.decode(name, bytes(changed))
    except HistoryDamaged as damage:
        assert name in str(damage)


def test_a_field_that_came_later_has_its_default_in_what_was_stored_before() -> None:
    for event in every_event():
        name, stored = CODEC.encode(event)
        told = json.loads(stored)
        for field in attrs.fields(type(event)):
            if field.default is not attrs.NOTHING:
                older = json.dumps({key: value for key, value in told.items() if key != field.name}).encode()
                default = field.default.factory() if isinstance(field.default, attrs.Factory) else field.default  # type: ignore[arg-type]
                assert getattr(CODEC.decode(name, older), field.name) == default


# Shapes that changed.


@attrs.frozen(kw_only=True)
class Hurt(Event):
    """Today's shape of what was called DamageTaken, and before that Wounded."""

    who: str
    points: int
    kinds: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Begun(Header):
    """A header that was called otherwise."""

    verb: str


def named(fields: dict[str, Any]) -> dict[str, Any]:
    return {"who": fields["character"], "points": fields["amount"]}


def sorted_by_kind(fields: dict[str, Any]) -> dict[str, Any]:
    return fields | {"kinds": [fields.pop("kind")] if "kind" in fields else []}


def newer() -> Codec:
    return Codec(
        (Hurt, Begun, NoteWritten),
        {"Hurt": 3, "Begun": 2},
        {
            ("Wounded", 1): ("Hurt", named),
            ("Hurt", 2): ("Hurt", sorted_by_kind),
            ("Started", 1): ("Begun", lambda fields: {**fields, "verb": fields.get("verb", "?")}),
        },
    )


def test_every_older_shape_becomes_todays_step_by_step() -> None:
    codec = newer()
    today = Hurt(who="robin", points=7)
    assert codec.encode(today)[0] == "Hurt@3"
    assert codec.decode("Hurt@3", b'{"points":7,"who":"robin"}') == today
    assert codec.decode("Hurt@2", b'{"points":7,"who":"robin"}') == today
    assert codec.decode("Hurt@2", b'{"points":7,"who":"robin","kind":"cold"}') == attrs.evolve(today, kinds=("cold",))
    assert codec.decode("Wounded@1", b'{"amount":7,"character":"robin"}') == today


def test_an_older_header_is_a_header_too() -> None:
    codec = newer()
    assert codec.headers == {"Begun@2", "Started@1"}
    assert codec.decode("Started@1", b'{"action":3}') == Begun(action=3, verb="?")


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"7", b'{"amount":"x","character":"robin"}', b'{"amount":7}'])
def test_an_older_shape_that_makes_no_sense_is_damage(data: bytes) -> None:
    with pytest.raises(HistoryDamaged, match="the Wounded@1 cannot be read"):
        newer().decode("Wounded@1", data)


def test_a_shape_that_was_never_released_is_unknown() -> None:
    for name in ("Hurt@1", "Hurt@4", "Wounded@2", "DamageTaken@1"):
        with pytest.raises(HistoryDamaged, match="there is no event called"):
            newer().decode(name, b"{}")


# What was released.


def test_one_event_of_each_class_is_read_for_ever_and_written_as_it_was() -> None:
    released = read_log(EVERY_EVENT)
    events = [CODEC.decode(name, data) for name, data in released]
    assert [CODEC.encode(event) for event in events] == released
    assert {type(event) for event in events} == set(vocabulary())
    assert events == every_event()


@pytest.mark.parametrize("golden", sorted(EVERY_EVENT.parent.glob("every_event.*.jsonl")), ids=lambda path: path.stem)
def test_events_of_every_release_are_read_for_ever(golden: Path) -> None:
    released = read_log(golden)
    now = {type(event): CODEC.encode(event) for event in (CODEC.decode(name, data) for name, data in released)}
    assert len(now) == len(released)
    shapes = dict(now.values())
    changed = {name for name, data in released if shapes.get(name) != data}
    assert changed == {name for name, _ in released if name not in shapes}, "a shape changed without a new version"


def test_a_ruleset_that_was_adopted_before_packages_were_remembered_has_none() -> None:
    adopted = CODEC.decode("RulesetAdopted@1", b'{"ruleset":"toy","settings":{"hard":true},"version":"1"}')
    assert adopted == RulesetAdopted(ruleset="toy", version="1", settings={"hard": True}, package="")


@pytest.mark.parametrize("golden", sorted(FULL_CAMPAIGN.parent.glob("an_evening.*.jsonl")), ids=lambda path: path.stem)
def test_an_evening_that_was_played_opens_for_ever_and_verifies(golden: Path) -> None:
    store = MemoryEventStore()
    store.append("sherwood", 0, read_log(golden))
    journal = EntryLog(store, "sherwood", lambda: 0)
    history = journal.history()
    assert journal.audit_chain().verdict is Verdict.VERIFIED
    bound = (
        golden.stem != "an_evening.1"
    )  # a session in the first form is not bound to its campaign, so it proves nothing
    assert audit_dice(history.entries).verdict is (Verdict.VERIFIED if bound else Verdict.FAILED)
    assert audit_rules(history.entries, Rulebook({"toy": TOY})).verdict is Verdict.VERIFIED
    robin = history.state.characters["robin"]
    assert (robin.lost, robin.experience, robin.level, robin.pools["tokens"]) == (2, 150, 1, 3)
    assert history.state.characters["marian"].pools["coins"] == 2
    assert journal.scan().state == history.state
    assert journal.scan().ledger == history.ledger


def test_the_vocabulary_is_what_was_released() -> None:
    names = {CODEC.name(cls) for cls in vocabulary()}
    assert names == {name for name, _ in read_log(EVERY_EVENT)}
    assert {CODEC.name(cls) for cls in (CharacterJoined, DamageTaken, PoolGained, TimePassed)} <= names
