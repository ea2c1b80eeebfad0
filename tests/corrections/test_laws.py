"""The laws of correcting (docs/decisions/004) in every game, on random campaigns; every step is compared with the oracle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs
import pytest

from rollbook.domain.actions.joining import with_kept_id
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Amend, Change, Effect, Orphans, Redo, Undo
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import Intent
from rollbook.domain.events import Event, Scalar
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.testing.conformance.playthrough import Move
from tests.support.comparison import comparable, without_dice_sources, without_requests
from tests.support.games import GameTable, orphans_of, random_adjustment, random_amendment, random_change, try_action
from tests.support.lawful_campaigns import (
    GAMES,
    OF_EACH,
    TRIES,
    campaigns,
    correct,
    corrections_tried,
    done,
    finals,
    known,
    played_again,
    same_story,
    uncorrected,
)
from tests.support.random_steps import RandomSteps
from tests.support.toy_table import ToyTable, play_random_steps


@GAMES
def test_undo_then_redo_is_as_it_was_in_state_and_events(key: str) -> None:
    held = 0
    for _, table, oracle, action in corrections_tried(key, 1):
        before = known(table)
        gone = (action, *orphans_of(correct(oracle, {action: Undo()})))
        assert all(table.history.effective(each) is None for each in gone)
        correct(oracle, dict.fromkeys(gone, Redo()))
        assert known(table) == before
        held += 1
    assert held == OF_EACH * TRIES


@pytest.mark.parametrize("seed", range(24))
def test_undo_and_redo_give_back_the_identical_state(seed: int) -> None:
    table = ToyTable()
    chance = RandomSteps(seed)
    play_random_steps(table, chance, 25, corrections=0)
    tried = 0
    for action in chance.random.sample(range(2, table.history.actions + 1), 12):
        before = comparable(table.state)
        try:
            made = table.preview({action: Undo()}, orphans=Orphans.KEEP)
        except (Refused, DiceNeeded):
            continue
        if made.of(Effect.ORPHANED):
            made = table.preview({action: Undo()}, stand=True)
            table.apply(made)
            table.redo(action, stand=True)
        else:
            table.apply(made)
            table.redo(action)
        assert comparable(table.state) == before
        tried += 1
    assert tried


@GAMES
def test_an_amendment_undone_is_as_it_was(key: str) -> None:
    held = 0
    for player, table, oracle, action in corrections_tried(key, 2):
        before = known(table)
        # A newcomer without an id in the intent has the one of the outcome, and no id would mean to keep another.
        had = with_kept_id(table.history.intent_of(action).params, table.history.latest_outcome(action).events)
        change = random_amendment(table, player, action)
        try:
            made = correct(oracle, {action: change})
        except (Refused, NotFound):
            continue
        back = Amend({name: had.get(name, "") for name in change.params})  # words that were not said are not on record
        correct(oracle, {action: back, **dict.fromkeys(orphans_of(made), Redo())})
        state, events = known(table)
        assert state == before[0]
        assert _gists(events) == _gists(before[1])
        held += 1
    assert held > OF_EACH


def _gists(events: Mapping[int, tuple[Event, ...] | None]) -> dict[int, list[Event] | None]:
    return {action: None if these is None else without_dice_sources(these) for action, these in events.items()}


@GAMES
def test_of_two_amendments_the_last_one_wins_parameter_by_parameter(key: str) -> None:
    held = 0
    for player, table, _, action in corrections_tried(key, 3):
        first, last = random_amendment(table, player, action), random_amendment(table, player, action)
        one, two = table.twin(), table.twin()
        try:
            orphans = [*orphans_of(one.correct({action: first})), *orphans_of(one.correct({action: last}))]
            orphans += orphans_of(two.correct({action: Amend({**first.params, **last.params})}))
        except (Refused, NotFound):
            continue
        if not orphans:
            assert without_requests(one.state) == without_requests(two.state)
            assert _gists(one.events()) == _gists(two.events())
            held += 1
    assert held > OF_EACH / 2


@GAMES
def test_corrections_of_different_actions_commute_unless_they_make_orphans(key: str) -> None:
    held = 0
    for player, table, _ in campaigns(key, 4):
        for _ in range(TRIES):
            one, two = sorted(player.chance.sample(range(2, table.history.actions + 1), 2))
            changes = {action: random_change(table, player, action) for action in (one, two)}
            orders = ([{one: changes[one]}, {two: changes[two]}], [{two: changes[two]}, {one: changes[one]}], [changes])
            try:
                ends = [_corrected(table, order) for order in orders]
            except (Refused, NotFound):
                continue
            if not any(orphans for _, orphans in ends):
                stories = [(without_requests(end.state), _gists(end.events())) for end, _ in ends]
                assert stories[0] == stories[1] == stories[2]
                held += 1
    assert held > OF_EACH / 2


def _corrected(table: GameTable, order: Iterable[Mapping[int, Change]]) -> tuple[GameTable, list[int]]:
    """Another table at which corrections are made one after the other, and what they made impossible."""
    other = table.twin()
    return other, [orphan for changes in order for orphan in orphans_of(other.correct(changes))]


@GAMES
def test_a_history_that_was_put_right_is_the_history_in_which_it_was_right(key: str) -> None:
    held = 0
    for player, table, action in uncorrected(key, 5):
        change = random_amendment(table, player, action)
        if _is_of_a_name(table.history.intent_of(action), change):
            continue
        late, right = table.twin(), played_again(table)
        try:
            late.correct({action: change})
        except (Refused, NotFound):
            continue
        for number, deed in done(table):
            try_action(right, _with(deed, change.params) if number == action else deed, number)
        if finals(late) == finals(right):
            same_story(late, right)
            held += 1
    assert held > OF_EACH


def _is_of_a_name(intent: Intent, change: Amend) -> bool:
    """Whether another name is given to who came under one: their ids stay, and would have been others from the start."""
    names = {"take-seat": {"seat"}, "join": {"name"}, "bring-in": {"name", "who"}, "define-power": {"name"}}
    return not names.get(intent.verb, set[str]()).isdisjoint(change.params)


@GAMES
def test_an_adjustment_in_an_action_is_the_gms_ruling_right_after_it(key: str) -> None:
    held = 0
    for player, table, action in uncorrected(key, 6):
        change = random_adjustment(table, player.chance, action)
        if not change.adjustments:
            continue
        late, right = table.twin(), played_again(table)
        late.correct({action: attrs.evolve(change, unadjusted=False)})
        for number, deed in done(table):
            try_action(right, deed, number)
            if number == action:
                right.take(_ruling(change.adjustments[0]), 9_999)
        if finals(late) == finals(right):
            assert without_requests(late.state) == without_requests(right.state)
            held += 1
    assert held > OF_EACH


@GAMES
def test_adjustments_add_up_and_taken_out_again_they_leave_no_trace(key: str) -> None:
    for player, table, oracle in campaigns(key, 7):
        action = player.chance.choice(table.correctable())
        correct(oracle, {action: Amend(unadjusted=True)})
        before, orphans = known(table), []
        for _ in range(2):
            change = attrs.evolve(random_adjustment(table, player.chance, action), unadjusted=False)
            orphans += orphans_of(correct(oracle, {action: change}))
        correct(oracle, {action: Amend(unadjusted=True), **dict.fromkeys(orphans, Redo())})
        state, events = known(table)
        assert state == before[0]
        assert _gists(events) == _gists(before[1])


def _with(deed: Move, params: Mapping[str, Scalar]) -> Move:
    return attrs.evolve(deed, intent=attrs.evolve(deed.intent, params={**deed.intent.params, **params}))


def _ruling(change: Adjustment) -> Move:
    params: dict[str, Scalar] = {"who": change.who, "what": change.what, "by": change.by, "reason": "so"}
    return Move(intent=Intent(verb="adjust", params=params), seat="")
