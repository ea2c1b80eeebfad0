"""Nothing that a history hands out can be changed in place; what it is equal to and how it is stored stay the same."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings

from rollbook.adapters.line_commands.json import plain
from rollbook.application.campaign import Campaign
from rollbook.application.encoding.codec import CODEC
from rollbook.domain.base.records import ReadOnly
from rollbook.domain.corrections.changes import Amend
from rollbook.domain.entries import NO_INTENT, Entry, EntryKind, Intent, SecondThought
from rollbook.domain.events import Event, vocabulary
from rollbook.domain.history.chain import seal
from rollbook.domain.history.event_store import StoredEntry
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps
from tests.support.codec_lines import envelopes_of
from tests.support.random_steps import RandomSteps
from tests.support.strategies import EVENTS

CHANGES: dict[str, Callable[[Any], object]] = {
    "set": lambda held: held.__setitem__("by", 1),
    "delete": lambda held: held.__delitem__("a"),
    "in place": lambda held: held.__ior__({"by": 1}),
    "update": lambda held: held.update(by=1),
    "setdefault": lambda held: held.setdefault("by", 1),
    "pop": lambda held: held.pop("a"),
    "popitem": lambda held: held.popitem(),
    "clear": lambda held: held.clear(),
}


def containers(value: Any) -> Iterator[Any]:
    """Every container in a value, as deep as they go."""
    if attrs.has(type(value)):
        for field in attrs.fields(type(value)):
            yield from containers(getattr(value, field.name))
    elif isinstance(value, dict | list | set | tuple):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)


def changeable(value: Any) -> list[Any]:
    """The containers in a value that could be changed."""
    return [found for found in containers(value) if not isinstance(found, ReadOnly | tuple)]


def read_back(entry: Entry) -> Entry:
    """An entry, written and read."""
    lines = [*envelopes_of(entry), *map(CODEC.encode, entry.events), seal("ab" * 32, "cd" * 32)]
    return CODEC.read(StoredEntry(1, CODEC.kind(entry.kind), b"\n".join(lines)))


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return begin_campaign(memory_book(tmp_path))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_way_to_change_a_mapping_is_refused(change: Callable[[Any], object]) -> None:
    held = ReadOnly({"a": 1})
    with pytest.raises(TypeError, match="cannot be changed"):
        change(held)
    assert held == {"a": 1}


def test_no_change_of_a_dict_was_forgotten() -> None:
    reading = {"__getitem__", "__contains__", "__iter__", "__len__", "__reversed__", "copy", "fromkeys", "get"}
    views = {"items", "keys", "values"}
    named = {name for name in vars(dict) if not name.startswith("__")} | {"__setitem__", "__delitem__", "__ior__"}
    assert {name for name in named - reading - views if getattr(ReadOnly, name) is getattr(dict, name)} == set()


def test_what_was_done_and_what_is_loaded_cannot_be_changed(campaign: Campaign) -> None:
    done = campaign.do("note", {"text": "it rains", "about": "robin"})
    for intent in (done.intent, done.full_intent, campaign.history.entries[-1].intent):
        with pytest.raises(TypeError, match="cannot be changed"):
            intent.params["about"] = "marian"  # type: ignore[index]
    assert changeable(done) == []
    assert changeable(tuple(campaign.history.entries)) == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_campaign_and_the_preview_of_its_correction_cannot_be_changed(campaign: Campaign, seed: int) -> None:
    play_campaign_steps(campaign, RandomSteps(seed), 40)
    history = campaign.history
    assert any(entry.intent.params for entry in history.entries)
    assert changeable(tuple(history.entries)) == []
    (*_, last) = (entry for entry in history.entries if entry.intent.verb == "join")
    shown = campaign.corrections.preview({last.action: Amend(params={"name": "Alan"})}, reason="so")
    assert changeable(shown.entries) == []


@given(EVENTS)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_an_event_cannot_be_changed_as_it_is_made_or_as_it_is_read(event: Event) -> None:
    assert changeable(event) == []
    assert changeable(CODEC.decode(CODEC.encode(event))) == []


@pytest.mark.parametrize("cls", vocabulary(), ids=lambda cls: cls.__name__)
def test_every_mapping_of_an_event_is_made_read_only(cls: type[Event]) -> None:
    mappings = [field.name for field in attrs.fields(cls) if "Mapping" in str(field.type) or field.type == "Data"]
    given: dict[str, Any] = {field.name: field.name for field in attrs.fields(cls)} | {
        name: {"a": 1} for name in mappings
    }
    event = cls(**given)
    assert [type(getattr(event, name)) for name in mappings] == [ReadOnly] * len(mappings)
    assert [dict(getattr(event, name)) for name in mappings] == [{"a": 1}] * len(mappings)


@pytest.mark.parametrize("params", [{}, {"by": 1}, {"by": 1, "action": 3}, {"to": ("a", "b")}])
def test_an_entry_that_is_read_has_read_only_parameters(params: dict[str, Any]) -> None:
    thought = SecondThought(kind="reroll", params=params)
    entry = Entry(EntryKind.TAKEN, action=1, intent=Intent(verb="v", params=params, second_thoughts=(thought,)))
    again = read_back(entry)
    assert again.intent == entry.intent
    assert changeable(again) == changeable(entry) == []
    assert hash(again.intent) == hash(entry.intent)
    assert envelopes_of(again) == envelopes_of(entry)
    assert plain(again.intent.params) == json.loads(json.dumps(params))


def test_parameters_are_those_of_the_moment_they_were_given() -> None:
    given = {"by": 1}
    intent = Intent(verb="v", params=given)
    given["by"] = 2
    assert intent.params == {"by": 1}
    assert attrs.evolve(intent, verb="w").params == {"by": 1}
    assert repr(intent.params) == "{'by': 1}"


def test_an_intent_without_parameters_is_stored_without_them() -> None:
    entry = Entry(EntryKind.TAKEN, action=1, intent=Intent(verb="v"))
    assert b'"intent":{"verb":"v"}' in envelopes_of(entry).public
    assert read_back(Entry(EntryKind.UNDONE, action=1)).intent == NO_INTENT
    assert changeable(NO_INTENT) == []


def test_a_copy_is_as_read_only_and_a_union_is_a_plain_dict() -> None:
    held = ReadOnly({"a": ("x",)})
    for again in (copy.copy(held), copy.deepcopy(held), pickle.loads(pickle.dumps(held))):
        assert type(again) is ReadOnly
        assert again == held
    assert type(held | {"b": 1}) is type(held.copy()) is dict
