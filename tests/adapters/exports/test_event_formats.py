"""Events as other programs read them: CloudEvents by their SDK, and a JSON Schema that fits all that was ever stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cloudevents.core.base import BaseCloudEvent
from cloudevents.core.formats.json import JSONFormat
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from rollbook.adapters.exports.events.field_words import FIELDS, OF_CLASS
from rollbook.adapters.exports.events.schema import EVENTS, id_of, schema
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.domain.entries import EntryKind
from rollbook.domain.events import vocabulary
from tests.support.formats import exported
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, NEWEST
from tests.support.golden_logs import ADDED_EVENTS, EVERY_EVENT

SCHEMA = schema()
VALIDATOR = Draft202012Validator(SCHEMA)


RECORDED = [
    pytest.param(path, id=path.name, marks=() if f".{NEWEST}." in path.name else pytest.mark.slow)
    for path in GOLDEN_CAMPAIGNS
]
"""The newest recording of every game, and the older ones where there is time."""


@pytest.fixture(scope="module", params=RECORDED)
def golden(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    folder = tmp_path_factory.mktemp("golden")
    with open_book(folder / "store.db", folder / "seeds") as book:
        yield book.campaign(import_campaign(book, request.param).campaign)


def read(path: Path) -> list[BaseCloudEvent]:
    return [JSONFormat().read(None, line) for line in path.read_bytes().splitlines()]


def part(name: str) -> Draft202012Validator:
    return Draft202012Validator({**SCHEMA, "$id": "urn:tests", "oneOf": [{"$ref": name}]})


# CloudEvents.


def test_the_sdk_reads_every_line_as_one_event(golden: Campaign, tmp_path: Path) -> None:
    done = exported(golden, "cloudevents", tmp_path / "events.jsonl", None)
    events, entries = read(tmp_path / "events.jsonl"), list(golden.history.entries)
    assert len(events) == len(entries) + sum(len(entry.events) for entry in entries)
    assert done.entries == len(entries)
    assert len({(event.get_source(), event.get_id()) for event in events}) == len(events)
    taken = [event for event in events if event.get_extension("entry") == entries[-1].number]
    assert [event.get_type() for event in taken[1:]] == [
        f"rollbook.{type(one).__name__}.v1" for one in entries[-1].events
    ]
    assert taken[0].get_data()["intent"]["verb"] == entries[-1].intent.verb


def test_every_event_fits_the_schema_that_it_names(golden: Campaign, tmp_path: Path) -> None:
    exported(golden, "cloudevents", tmp_path / "events.jsonl", None)
    known = {name: part(name) for name in (id_of("CloudEntry@1"), *map(id_of, EVENTS.values()))}
    for event in read(tmp_path / "events.jsonl"):
        assert list(known[event.get_dataschema()].iter_errors(event.get_data())) == []


def test_a_longer_export_has_the_same_ids_and_more_of_them(campaign: Campaign, tmp_path: Path) -> None:
    for seat in (None, "mira", ""):
        exported(campaign, "cloudevents", tmp_path / "before.jsonl", seat)
        campaign.do("open-session", {})
        campaign.do("note", {"text": "later"})
        campaign.do("close-session")
        exported(campaign, "cloudevents", tmp_path / "after.jsonl", seat)
        before, after = ((tmp_path / f"{name}.jsonl").read_bytes() for name in ("before", "after"))
        assert after.startswith(before)
        assert len(after) > len(before)


def test_what_is_revealed_later_changes_no_id(campaign: Campaign, tmp_path: Path) -> None:
    secret = next(entry for entry in campaign.history.entries if entry.visibility == "gm")
    exported(campaign, "cloudevents", tmp_path / "before.jsonl")
    campaign.do("reveal", {"entries": (secret.number,)})
    exported(campaign, "cloudevents", tmp_path / "after.jsonl")
    before, after = (
        {event.get_id(): event.get_data() for event in read(tmp_path / f"{at}.jsonl")} for at in ("before", "after")
    )
    assert before.keys() < after.keys()
    assert any(data.get("text") == "the duke did it" for id_, data in after.items() if id_ not in before)


def test_an_undone_action_is_a_line_of_its_own(campaign: Campaign, tmp_path: Path) -> None:
    exported(campaign, "cloudevents", tmp_path / "events.jsonl", None)
    (undone,) = (event for event in read(tmp_path / "events.jsonl") if event.get_type() == "rollbook.ActionVoided.v1")
    assert undone.get_data()["reason"] == "did not"


# The schema.


def test_the_schema_is_one_and_every_part_of_it_has_words() -> None:
    validator_for(SCHEMA).check_schema(SCHEMA)
    for name, found in SCHEMA["$defs"].items():
        assert found["description"], name
        for field, kind in found.get("properties", {}).items():
            assert kind.get("description") or name in ("Entry", "Header"), (name, field)
    assert {cls.__name__ for cls in vocabulary()} <= SCHEMA["$defs"].keys()
    assert "``" not in json.dumps(SCHEMA)


def test_no_words_are_kept_for_fields_that_are_not_there() -> None:
    fields = {name: set(found.get("properties", {})) for name, found in SCHEMA["$defs"].items()}
    assert FIELDS.keys() <= set().union(*fields.values())
    assert all(field in fields[name] for name, field in OF_CLASS)


def test_every_line_of_an_export_fits(golden: Campaign, tmp_path: Path) -> None:
    export_campaign(golden.session.log, tmp_path / "all.jsonl")
    for line in (tmp_path / "all.jsonl").read_bytes().splitlines():
        assert list(VALIDATOR.iter_errors(json.loads(line))) == []


def test_a_note_without_its_words_fits(campaign: Campaign, tmp_path: Path) -> None:
    noted = next(entry for entry in campaign.history.entries if entry.intent.verb == "note")
    campaign.redact(noted.action, why="a slip")
    export_campaign(campaign.session.log, tmp_path / "all.jsonl")
    assert b"~NoteWritten@1" in (tmp_path / "all.jsonl").read_bytes()
    for line in (tmp_path / "all.jsonl").read_bytes().splitlines():
        assert list(VALIDATOR.iter_errors(json.loads(line))) == []


def recorded_events() -> list[tuple[str, Any]]:
    lines = [*EVERY_EVENT.read_text().splitlines(), *ADDED_EVENTS.read_text().splitlines()]
    return [(name, fields) for name, fields in (json.loads(json.loads(line)) for line in lines)]


def test_every_event_that_was_ever_stored_fits() -> None:
    stored = recorded_events()
    assert {name for name, _ in stored} == set(EVENTS.values())
    for name, fields in stored:
        assert list(part(id_of(name)).iter_errors(fields)) == [], name


@pytest.mark.parametrize("wrong", ["a field more", "a field less", "a text for a number"])
def test_a_wrong_event_is_refused(wrong: str) -> None:
    tried = 0
    for name, fields in recorded_events():
        needed = SCHEMA["$defs"][name.split("@")[0]].get("required", [])
        numbers = [field for field, held in fields.items() if type(held) is int]
        if wrong == "a field more":
            other = {**fields, "colour": "red"}
        elif wrong == "a field less" and needed:
            other = {field: held for field, held in fields.items() if field != needed[0]}
        elif wrong == "a text for a number" and numbers:
            other = {**fields, numbers[0]: "seven"}
        else:
            continue
        tried += 1
        assert not part(id_of(name)).is_valid(other), name
    assert tried > 15


def test_a_wrong_line_is_refused(campaign: Campaign, tmp_path: Path) -> None:
    export_campaign(campaign.session.log, tmp_path / "all.jsonl")
    header, first, *_ = map(json.loads, (tmp_path / "all.jsonl").read_bytes().splitlines())
    lines = first["lines"]
    for wrong in (
        {**header, "entries": "7"},
        {**first, "entry": 0},
        {**first, "lines": [["ActionForgotten@1", lines[0][1]], *lines[1:]]},
        {**first, "lines": [*lines[:-1], ["Seal@1", {"hash": "abc"}]]},
        {},
    ):
        assert not VALIDATOR.is_valid(wrong), wrong


def test_the_schema_is_written_and_is_the_same_for_every_campaign(campaign: Campaign, tmp_path: Path) -> None:
    exported(campaign, "json-schema", tmp_path / "schema.json")
    assert json.loads((tmp_path / "schema.json").read_bytes()) == SCHEMA
    exported(campaign, "json-schema", tmp_path / "schema.json", overwrite=True)
    assert {kind.value for kind in EntryKind} == {
        *("ActionTaken", "ActionInserted", "ActionRevised", "ActionVoided", "ActionRestored")
    }
