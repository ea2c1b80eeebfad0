"""Real sessions: after every update the folded hit points of everybody are the recorded ones, almost all explained."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

from rollbook.adapters.imports.avrae.importer import read_avrae, read_session
from rollbook.domain import events
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import fold
from tests.support.avrae import Standing, recorded, updates


def as_told(campaign: CampaignState) -> list[Standing]:
    assert campaign.encounter is not None
    fighters = [campaign.characters[key] for key in campaign.encounter.order]
    return sorted(
        (who.name, who.stats["max_hp"] - who.lost, who.stats["max_hp"], who.pools.get("temp_hp", 0)) for who in fighters
    )


def compared(path: Path, moments: dict[int, Any]) -> int:
    """At how many updates the fold was compared with the record."""
    campaign = EMPTY
    for number, actions in read_session(path).by_line():
        campaign = fold(campaign, [event for action in actions for event in action.events])
        if number in moments:
            assert campaign.encounter is not None
            assert as_told(campaign) == recorded(moments[number]), f"line {number}"
            assert campaign.encounter.round == moments[number]["data"]["round"], f"line {number}"
    return len(moments)


def test_after_every_update_the_fold_is_the_record(recordings: list[Path]) -> None:
    assert sum(compared(path, updates(path)) for path in recordings) >= 200


def test_without_the_causes_everything_is_corrected_and_the_fold_is_still_the_record(
    recordings: list[Path], tmp_path: Path
) -> None:
    for path in recordings:
        causeless = tmp_path / path.name
        with gzip.open(path, "rt", encoding="utf-8") as lines, gzip.open(causeless, "wt", encoding="utf-8") as kept:
            kept.writelines(line for line in lines if json.loads(line)["event_type"] != "automation_run")
        compared(causeless, updates(causeless))
        whole, rest = read_avrae(path), read_avrae(causeless)
        assert rest.changes_explained + rest.changes_corrected >= whole.changes_explained
        assert rest.changes_explained <= 0.2 * whole.changes_explained + 2


def test_at_least_nine_changes_of_ten_are_explained(recordings: list[Path]) -> None:
    explained = corrected = changes = 0
    for path in recordings:
        imported = read_avrae(path)
        explained += imported.changes_explained
        corrected += imported.changes_corrected
        before: dict[str, int] = {}
        for _, update in sorted(updates(path).items()):
            now = {name: hp for name, hp, _, _ in recorded(update)}
            changes += sum(before.get(name, hp) != hp for name, hp in now.items())
            before = now
    assert explained + corrected >= changes > 50
    assert explained >= 0.9 * (explained + corrected)


def test_a_correction_stands_apart_from_what_somebody_did(recordings: list[Path]) -> None:
    for path in recordings:
        for action in read_avrae(path).actions:
            if any(isinstance(event, events.HitPointsCorrected) for event in action.events):
                assert action.verb == "correction" or any(isinstance(f, events.StatChanged) for f in action.events)


def test_every_die_is_marked_as_imported_and_every_plain_roll_adds_up(recordings: list[Path]) -> None:
    rolls = [
        event
        for path in recordings
        for action in read_avrae(path).actions
        for event in action.events
        if isinstance(event, events.DiceRolled)
    ]
    assert len(rolls) > 150
    for roll in rolls:
        assert [(source.kind, source.dice) for source in roll.sources] == [("imported", len(roll.dice))]
        if roll.flat or "(" not in roll.expression:
            total = sum(die.value for die in roll.dice) + sum(flat.amount for flat in roll.flat)
            assert total == roll.total, roll


def test_every_update_of_a_real_session_is_understood(recordings: list[Path]) -> None:
    assert [warning for path in recordings for warning in read_avrae(path).warnings] == []


def test_the_longest_session_is_read_in_two_seconds(recordings: list[Path]) -> None:
    longest = max(recordings, key=lambda path: path.stat().st_size)
    began = time.perf_counter()
    read_avrae(longest)
    assert time.perf_counter() - began < 2
