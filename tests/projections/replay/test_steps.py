"""A replay has a step for every entry that the reader may see, and stands at each as the history stood, or stands today."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.application.campaign import Campaign
from rollbook.application.visibility.seat_campaign import as_seen
from rollbook.domain.base.errors import Refused
from rollbook.projections.replay import MarkKind, Step, both_sides, steps_of
from rollbook.projections.session_log import Wanted, lines
from rollbook.projections.status import Statuses, status_of
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.example_sessions import EXAMPLE_SESSIONS, played_example


def replayed(campaign: Campaign) -> list[Step]:
    """All steps of what a campaign shows."""
    wanted = Wanted(campaign=campaign.id, everything=True)
    return list(steps_of(campaign.history, campaign.session.rulebook, lines(campaign.read_model.db, wanted)))


@pytest.fixture(scope="module")
def sherwood(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return played_example("sherwood", tmp_path_factory.mktemp("sherwood"))


def check_both_courses(campaign: Campaign) -> int:
    """Compare every step with the history's own answers. Returns how many steps have two sides."""
    history, rulebook, two = campaign.history, campaign.session.rulebook, 0
    for step in replayed(campaign):
        assert step.then == status_of(history.as_known_at(step.number), rulebook)
        so_far = history.actions_at(step.number)
        assert step.corrected == status_of(history.as_corrected_to(so_far), rulebook)
        two += step.then != step.corrected
    return two


@pytest.mark.parametrize("name", EXAMPLE_SESSIONS)
def test_each_step_stands_as_the_history_stood_and_as_it_stands_today(name: str, tmp_path: Path) -> None:
    two = check_both_courses(played_example(name, tmp_path))
    assert two > 0 or name != "sherwood"


@pytest.mark.parametrize("name", EXAMPLE_SESSIONS)
def test_the_moments_may_be_asked_for_in_any_order(name: str, tmp_path: Path) -> None:
    campaign = played_example(name, tmp_path)
    history, rulebook = campaign.history, campaign.session.rulebook
    order = list(range(1, history.actions + 1)) * 2
    random.Random(7).shuffle(order)
    statuses = Statuses(rulebook)
    for action in order:
        state = history.as_corrected_to(action)
        assert statuses.of(state) == status_of(state, rulebook)


@given(st.lists(st.sampled_from(("attack", "undo", "redo", "note")), max_size=25), st.data())
@settings(max_examples=30, deadline=None)
def test_whatever_is_corrected_in_whatever_order_both_courses_are_right(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], data: st.DataObject
) -> None:
    campaign = begin_campaign(memory_book(tmp_path_factory.mktemp("toy")))
    blows: list[int] = []
    undone: set[int] = set()
    for word in words:
        if word == "attack":
            with suppress(Refused):  # who is down already is not attacked
                blows.append(campaign.do("attack", attacker="robin", target="guard").action)
        elif word == "note":
            campaign.do("note", text="so it is said")
        elif blows:
            action = data.draw(st.sampled_from(blows))
            if word == "undo" and action not in undone:
                campaign.corrections.undo(action, reason="no").apply()
                undone.add(action)
            elif word == "redo" and action in undone:
                campaign.corrections.redo(action, reason="yes").apply()
                undone.discard(action)
    campaign.session.project()
    check_both_courses(campaign)


def test_the_marks_of_a_session_are_its_scenes_rounds_level_ups_x_card_and_corrections(sherwood: Campaign) -> None:
    marks = [(step.number, mark.kind, mark.text) for step in replayed(sherwood) for mark in step.marks]
    assert [mark for mark in marks if mark[1] is not MarkKind.CORRECTION] == [
        (6, MarkKind.SESSION, "The Silver Arrow"),
        (14, MarkKind.SCENE, "The archery contest at Nottingham"),
        (18, MarkKind.SCENE, "The road through Sherwood"),
        (19, MarkKind.ROUND, "1"),
        (29, MarkKind.ROUND, "2"),
        (34, MarkKind.X_CARD, ""),
        (40, MarkKind.SCENE, "After the fight"),
        (45, MarkKind.LEVEL, "Marian"),
    ]
    assert [number for number, kind, _ in marks if kind is MarkKind.CORRECTION] == [30, 38, 46]


def test_somebody_whose_hit_points_are_gone_has_fallen(tmp_path: Path) -> None:
    fallen = [
        (mark.text, step.line.result)
        for step in replayed(played_example("carrow-bridge", tmp_path))
        for mark in step.marks
        if mark.kind is MarkKind.FALL
    ]
    assert fallen
    assert all(name in result for name, result in fallen)


def test_the_moment_of_a_correction_shows_both_sides_at_each_of_its_entries(sherwood: Campaign) -> None:
    steps = replayed(sherwood)
    said = {step.number: both_sides(steps, at) for at, step in enumerate(steps)}
    assert [(each.label, each.what, each.before, each.after) for each in said[46]] == [
        ("The Sheriff", "hit points", "25 of 40", "40 of 40")
    ]
    assert said[47] == said[46]
    assert not said[45]
    assert not said[48]


def test_a_step_says_which_outcome_counts_today(sherwood: Campaign) -> None:
    counted = {step.number: step.counted for step in replayed(sherwood)}
    assert (counted[20], counted[22], counted[24]) == (47, 0, 24)


def test_a_reader_s_replay_has_nothing_of_what_the_reader_may_not_see(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("note", {"text": "the duke did it", "to": "gm"})
    campaign.do("adjust", {"who": "robin", "what": "hp", "by": -2, "reason": "fell"}, secret=True)
    campaign.do("note", {"text": "heard by all"})
    campaign.session.project()
    steps = replayed(as_seen(campaign, "mira"))
    assert "duke" not in str(steps)
    assert "heard by all" in str(steps)
    assert len(steps) == len(replayed(campaign)) - 2
