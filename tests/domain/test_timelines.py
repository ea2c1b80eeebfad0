"""Choices side by side: the same first of all, then the same decisions made in other ways, and none is lost."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.corrections.changes import Amend, Redo, Undo
from rollbook.domain.corrections.timeline_choices import (
    FINAL,
    THOUGHT,
    Choice,
    Pair,
    actions_until,
    aligned,
    choices,
    numbered,
    plan,
)
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry
from rollbook.domain.events import Scalar
from rollbook.domain.history.history import History
from tests.support.random_steps import RandomSteps
from tests.support.toy_table import ToyTable, play_random_steps


def choice(number: int, verb: str, **params: Scalar) -> Choice:
    intent = Intent(verb=verb, params=params)
    return Choice(number, RecordedEntry(EntryKind.TAKEN, number, number=number, intent=intent), intent)


SAID = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(("robin", "guard")), st.integers(1, 2)), max_size=8)


def made(said: list[tuple[str, str, int]]) -> list[Choice]:
    return [choice(number, verb, who=who, by=by) for number, (verb, who, by) in enumerate(said, 1)]


@given(SAID, SAID)
def test_every_choice_is_there_once_and_in_its_order(one: list, other: list) -> None:
    left, right = made(one), made(other)
    pairs = aligned(left, right)
    assert [pair.canon for pair in pairs if pair.canon] == left
    assert [pair.timeline for pair in pairs if pair.timeline] == right
    for pair in pairs:
        if pair.canon and pair.timeline:
            assert pair.canon.whose == pair.timeline.whose


@given(SAID)
def test_the_same_choices_are_all_the_same(said: list) -> None:
    assert all(pair.is_same for pair in aligned(made(said), made(said)))


def test_one_who_does_the_same_in_another_way_has_made_one_decision() -> None:
    canon = [choice(1, "attack", attacker="robin", target="sheriff"), choice(2, "note", text="x")]
    fork = [
        choice(1, "attack", attacker="robin", target="guard"),
        choice(2, "hide", who="robin"),
        choice(3, "note", text="x"),
    ]
    assert aligned(canon, fork) == [Pair(canon[0], fork[0]), Pair(None, fork[1]), Pair(canon[1], fork[2])]


def test_by_number_whatever_was_chosen() -> None:
    canon, fork = [choice(1, "a"), choice(2, "b")], [choice(2, "c"), choice(3, "d")]
    assert numbered(canon, fork) == [Pair(canon[0], None), Pair(canon[1], fork[0]), Pair(None, fork[1])]


# Plans.


def forked(table: ToyTable, entry: int | None = None) -> ToyTable:
    """The same table, with a history of its own from here on."""
    other = ToyTable(table.ruleset, people=False)
    other.history = History(table.history.entries[:entry])
    return other


def test_a_timeline_on_which_nothing_was_decided_asks_for_nothing() -> None:
    table = ToyTable()
    play_random_steps(table, RandomSteps(1), 30)
    made_so_far = plan(table.history, forked(table).history, table.history.head, table.rulebook)
    assert (made_so_far.asked, made_so_far.left) == ((), ())


def test_each_sort_of_choice_is_asked_for_in_its_way() -> None:
    table = ToyTable()
    fall = table.do("adjust", who="robin", what="hp", by=-1, reason="fell")
    gain = table.do("gain-token", who="robin")
    entry, last = table.history.head, table.history.actions
    fork = forked(table)
    table.do("attack", attacker="robin", target="guard", weapon="club")
    table.do("hide", who="robin")
    table.do("note", text="both")
    table.do("close-session")
    fork.undo(fall.action)
    fork.amend(gain.action, who="marian")
    fork.do("attack", attacker="robin", target="guard", weapon="sword")
    fork.do("note", text="both")
    fork.do("gain-token", who="robin")
    found = plan(table.history, fork.history, entry, table.rulebook)
    assert found.changes == {
        fall.action: Undo(),
        gain.action: Amend({"who": "marian"}),
        last + 1: Amend({"weapon": "sword"}),
        last + 2: Undo(),
    }
    assert [one.intent.verb for one in found.new_actions] == ["gain-token"]
    assert [(one.canon.intent.verb, one.why) for one in found.left if one.canon] == [("close-session", FINAL)]
    later = plan(table.history, fork.history, entry, table.rulebook, keep_later=True)
    assert later.left == ()
    assert later.changes == found.changes
    assert actions_until(table.history, entry) == last


def test_what_the_timeline_redone_is_redone_and_second_thoughts_are_left() -> None:
    table = ToyTable()
    table.do("gain-token", who="robin")
    fall = table.do("adjust", who="robin", what="hp", by=-1, reason="fell")
    table.undo(fall.action)
    entry = table.history.head
    fork = forked(table)
    fork.redo(fall.action)
    shot = {"attacker": "robin", "target": "guard"}
    table.do("attack", **shot)
    fork.do("attack", **shot)
    table.second_thought()
    found = plan(table.history, fork.history, entry, table.rulebook)
    assert found.changes == {fall.action: Redo()}
    assert [one.why for one in found.left] == [THOUGHT]


@pytest.mark.parametrize("seed", range(30))
def test_a_canon_that_did_all_it_is_asked_for_has_chosen_as_the_timeline_did(seed: int) -> None:
    table = ToyTable()
    chance = RandomSteps(seed)
    play_random_steps(table, chance, 15, corrections=0.2)
    entry = table.history.head
    fork = forked(table)
    play_random_steps(table, RandomSteps(seed % 3), 12, corrections=0.1)
    play_random_steps(fork, RandomSteps(seed % 4), 12, corrections=0.1)
    last = actions_until(table.history, entry)
    there = choices(table.history, table.rulebook, last)
    here = choices(fork.history, fork.rulebook, last)
    found = plan(table.history, fork.history, entry, table.rulebook)
    left = {id(one.canon) for one in found.left if one.canon}
    after: Counter[object] = Counter()
    for one in there:
        change = found.changes.get(one.action)
        if isinstance(change, Amend):
            after[one.intent.verb, tuple(sorted({**one.intent.params, **change.params}.items()))] += 1
        elif change is None:
            after[one.key] += 1
    after.update(one.key for one in found.new_actions)
    wanted = Counter(one.key for one in here if not one.is_final)
    assert not wanted - after
    assert sum((after - wanted).values()) <= len(left)
