"""What was stored is read for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.entry_log import EntryLog
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.dice_audit import audit_dice
from rollbook.domain.events import CharacterJoined, DamageTaken, PoolGained, TimePassed, vocabulary
from rollbook.domain.rulebook import Rulebook
from tests.support.audits import audit_rules, chain_of
from tests.support.campaigns import new
from tests.support.golden_logs import ADDED_EVENTS, EVERY_EVENT, FULL_CAMPAIGN, every_event, read_entries, read_log
from tests.support.memory_store import MemoryEventStore
from tests.support.toy import TOY


def test_one_event_of_each_class_is_read_for_ever_and_written_as_it_was() -> None:
    released = [stored for path in (EVERY_EVENT, ADDED_EVENTS) for stored in read_log(path)]
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


@pytest.mark.parametrize(
    "golden", sorted(FULL_CAMPAIGN.parent.glob("toy_campaign.*.jsonl")), ids=lambda path: path.stem
)
def test_a_campaign_that_was_played_opens_for_ever_and_verifies(golden: Path) -> None:
    store = MemoryEventStore()
    store.append("sherwood", 0, new(read_entries(golden)))
    log = EntryLog(store, "sherwood", lambda: 0)
    history = log.history()
    assert chain_of(log).verdict is Verdict.VERIFIED
    assert audit_dice(history.entries).verdict is Verdict.VERIFIED
    assert audit_rules(history.entries, Rulebook({"toy": TOY})).verdict is Verdict.VERIFIED
    robin = history.state.characters["robin"]
    assert (robin.lost, robin.experience, robin.level, robin.pools["tokens"]) == (7, 150, 1, 3)
    assert history.state.characters["marian"].pools["coins"] == 2
    assert log.scan().state == history.state
    assert log.scan().ledger == history.ledger


def test_the_vocabulary_is_what_was_released() -> None:
    names = {CODEC.name(cls) for cls in vocabulary()}
    assert names == {name_of(stored) for path in (EVERY_EVENT, ADDED_EVENTS) for stored in read_log(path)}
    assert {CODEC.name(cls) for cls in (CharacterJoined, DamageTaken, PoolGained, TimePassed)} <= names
