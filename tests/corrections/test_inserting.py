"""Actions that were forgotten and are put into the past: the laws of correcting, in every game, against the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

import attrs
import pytest

from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.corrections.changes import Effect, Orphans, Redo, Undo
from rollbook.domain.entries import EntryKind
from rollbook.domain.history.history import DRAW, History
from rollbook.domain.history.play_order import PlayOrder
from rollbook.testing.conformance.playthrough import Move
from rollbook.testing.conformance.random_play import RandomPlayer
from tests.oracle.correcting_check import OracleCheck
from tests.support.games import FORGOTTEN, GameTable, orphans_of, random_change, random_insertion, try_action
from tests.support.lawful_campaigns import (
    GAMES,
    OF_EACH,
    TRIES,
    campaigns,
    correct,
    done,
    finals,
    known,
    played_again,
    same_story,
    uncorrected,
)


def inserted(key: str, law: int) -> Iterator[tuple[RandomPlayer, GameTable, OracleCheck]]:
    """Campaigns with corrections, of which the last one has put something into the past."""
    for player, table, oracle in campaigns(key, law):
        for _ in range(TRIES):
            with suppress(Refused, NotFound):
                correct(oracle, dict([random_insertion(table, player)]), player.chance.choice(tuple(Orphans)))
                yield player, table, oracle
            oracle.take_in_entries()


@GAMES
def test_what_is_inserted_and_undone_leaves_no_trace(key: str) -> None:
    held = 0
    for player, table, oracle in campaigns(key, 21):
        for _ in range(2 * TRIES):  # the rules refuse most of what is put somewhere at random
            before, action = known(table), table.history.actions + 1
            try:
                made = correct(oracle, dict([random_insertion(table, player)]))
            except (Refused, NotFound):
                oracle.take_in_entries()
                continue
            action = made.of(Effect.INSERTED)[0].action
            correct(oracle, {action: Undo(), **dict.fromkeys(orphans_of(made), Redo())})
            state, events = known(table)
            assert state == before[0]
            assert {at: what for at, what in events.items() if at != action} == before[1]
            assert events[action] is None
            held += 1
    assert held > OF_EACH


@GAMES
def test_everything_is_known_as_it_was_and_as_it_is(key: str) -> None:
    held = 0
    for player, table, oracle in inserted(key, 23):
        action = player.chance.randint(2, table.history.actions)
        with suppress(Refused, NotFound):
            correct(oracle, {action: random_change(table, player, action)})
        oracle.take_in_entries()
        oracle.check_past_states()
        held += 1
    assert held > OF_EACH


@GAMES
def test_what_is_inserted_is_as_if_it_had_been_done_then(key: str) -> None:
    held = 0
    for player, table, _ in uncorrected(key, 24):
        _, change = random_insertion(table, player)
        late, right = table.twin(), played_again(table)
        try:
            late.insert(change.before, change.intent)
        except (Refused, NotFound):
            continue
        is_secret = late.history.taken(late.history.actions).visibility == "gm"  # somebody is hidden whom it names
        forgotten = Move(intent=change.intent, seat="", secret=is_secret)
        for number, deed in done(table):
            if number == change.before:
                try_action(right, forgotten, FORGOTTEN)
            try_action(right, deed, number)
        if finals(late) == finals(right):
            same_story(late, right)
            held += 1
    assert held > OF_EACH / 2


@GAMES
def test_an_act_inserted_at_the_end_is_an_act_now(key: str) -> None:
    held = 0
    for player, table, _ in uncorrected(key, 25):
        _, change = random_insertion(table, player)
        table.take(Move(intent=attrs.evolve(change.intent, verb="ruling", params={"reason": "so"}), seat=""))
        end = table.history.actions
        table.correct({end: Undo()})
        late, now = table.twin(), table.twin()
        try:
            late.insert(end, late.whole_then(change.intent, end))
        except RollbookError:
            continue
        taken = now.take(Move(intent=change.intent, seat=""), FORGOTTEN)
        entry = late.history.taken(late.history.actions)
        assert (entry.kind, entry.before, entry.intent) == (EntryKind.INSERTED, end, taken.intent)
        same_story(late, now)
        held += 1
    assert held > OF_EACH / 2


@GAMES
def test_a_die_that_was_drawn_for_an_insertion_waits_for_the_next_one(key: str) -> None:
    for player, table, _ in uncorrected(key, 26):
        _, change = random_insertion(table, player)
        with suppress(Refused, NotFound):
            one, two = table.twin(), table.twin()
            one.insert(change.before, change.intent)
            drawn = [entry for entry in one.history.entries if entry.intent.verb == DRAW]
            for entry in drawn:
                two.history.add(entry)
            many = two.history.actions
            two.insert(change.before, change.intent)
            assert two.history.actions == many + 1, "a die was drawn twice"
            assert not one.history.drawn_to_insert()


@pytest.mark.parametrize("seed", range(60))
def test_the_order_of_play_is_that_of_a_list(seed: int) -> None:
    chance, order, listed = Random(seed), PlayOrder(), list[int]()
    for number in range(1, 60):
        if listed and chance.random() < 0.4:
            before = chance.choice(listed)
            at = listed.index(before)
            assert order.insert(number, before) == at + 1
            listed.insert(at, number)
        else:
            listed.append(number)
        assert [order.place(action) for action in listed] == [*range(1, number + 1)]
        assert [order.at(place) for place in range(1, number + 1)] == listed


def test_a_history_with_insertions_is_read_again() -> None:
    for _, table, _ in inserted("storytoken", 27):
        again = History(table.history.entries)
        assert [action for action, _ in again.outcomes()] == [action for action, _ in table.history.outcomes()]
