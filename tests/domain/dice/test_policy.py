"""What a table may settle about its dice: fresh ones, other faces, how a seat rolls. All of it is listed."""

from __future__ import annotations

import attrs
import pytest

from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.dice_audit import audit_dice, dice_list
from rollbook.domain.audit.dice_session import LATE
from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.ledger import dice_by_place
from rollbook.domain.dice.record import RollCount, Source, StreamPlace
from rollbook.domain.events import DiceRolled, Event, FreshDiceGranted, ScreenCounted, SessionClosed
from tests.support.audits import with_events
from tests.support.dice import rolls
from tests.support.toy_table import ToyTable, close_and_reveal, grant_dice


def at(rolled: DiceRolled) -> list[StreamPlace]:
    return [drawn.place for drawn in dice_by_place(rolled)]


def place(number: int, fork: int = 0) -> StreamPlace:
    return StreamPlace(screen=False, fork=fork, seat=0, number=number)


def count(rolls: int, *, screen: bool = False) -> RollCount:
    return RollCount(screen=screen, fork=0, seat=0, rolls=rolls)


def kinds(table: ToyTable) -> list[str]:
    return [listed.kind for listed in dice_list(table.history.entries)]


# Fresh dice.


def test_the_same_request_meets_the_same_die_until_fresh_ones_are_granted() -> None:
    table = ToyTable()
    first = table.roll()
    action = table.history.actions
    table.undo(action)
    again = table.roll()
    assert (at(again), again.dice) == (at(first), first.dice)
    table.undo(table.history.actions)
    grant_dice(table, action, why="the wrong character rolled")
    (granted,) = table.history.entries[-1].events
    assert granted == FreshDiceGranted(session=1, places=(place(0),), why="the wrong character rolled")
    assert at(table.roll()) == [place(1)]
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED
    assert kinds(table) == ["redone", "granted"]
    told = dice_list(table.history.entries)[1].text
    assert (
        f"#{action} {first.dice[0].face} (d20) (robin: roll) need not be met again: the wrong character rolled" == told
    )


def test_nothing_is_granted_where_nothing_waits() -> None:
    table = ToyTable()
    table.roll()
    action = table.history.actions
    with pytest.raises(Refused, match=f"No dice of action #{action} wait.*rollbook undo {action}"):
        grant_dice(table, action)
    table.undo(action)
    with pytest.raises(Refused, match="Fresh dice need their reason"):
        grant_dice(table, action, why=" ")
    with pytest.raises(Refused, match="wait to be met again"):
        grant_dice(table, action, screen=True)
    grant_dice(table, action)
    with pytest.raises(Refused, match="wait to be met again"):
        grant_dice(table, action)


def test_a_grant_is_the_gms_and_stays_and_one_for_secret_dice_is_seen_by_the_gm_alone() -> None:
    table = ToyTable()
    table.do("hide", who="robin")
    action = table.history.actions
    table.undo(action)
    with pytest.raises(Refused, match="Only the GM can grant-dice"):
        table.do("grant-dice", seat="mira", action=action, why="please", session=1, places=())
    grant_dice(table, action, screen=True)
    assert table.history.entries[-1].visibility == "gm"
    with pytest.raises(Refused, match="cannot be undone"):
        table.undo(table.history.actions)


def test_a_grant_that_names_other_dice_than_those_that_wait_is_no_excuse() -> None:
    table = ToyTable()
    table.roll()
    action = table.history.actions
    table.undo(action)
    grant_dice(table, action)
    table.roll()
    close_and_reveal(table)

    def elsewhere(event: Event) -> Event:
        return attrs.evolve(event, places=(place(9),)) if isinstance(event, FreshDiceGranted) else event

    answer = audit_dice(with_events(table.history.entries, elsewhere))
    assert answer.verdict is Verdict.FAILED
    assert "waits for this very request, and nothing was granted" in answer.findings[0].text


# Dice of a roll that was undone.


def test_a_roll_that_waits_is_not_met_with_other_dice_or_for_another_request() -> None:
    table = ToyTable()
    table.roll()
    table.undo(table.history.actions)
    table.roll()
    close_and_reveal(table)
    again = table.history.entries[-3]

    def audit_with(**fields: object) -> str:
        events = tuple(attrs.evolve(event, **fields) if event in rolls(again) else event for event in again.events)
        told = [entry._replace(events=events) if entry is again else entry for entry in table.history.entries]
        answer = audit_dice(told)
        assert answer.verdict is Verdict.FAILED
        return "\n".join(finding.text for finding in answer.findings)

    for other in ({"occasion": "s1.0|something|"}, {"repeat": 1}, {"purpose": "something"}, {"roller": "marian"}):
        assert "waits for another request" in audit_with(**other)
    d12 = rolls(again)[0].dice[0]._replace(sides=12, face=1)
    assert "met again with other dice" in audit_with(dice=(d12,))


def test_one_roll_does_not_decide_twice() -> None:
    table = ToyTable()
    table.roll()
    table.roll()
    close_and_reveal(table)
    one, two = (entry for entry in table.history.entries if rolls(entry))
    twice = two._replace(events=one.events)
    answer = audit_dice([twice if entry is two else entry for entry in table.history.entries])
    assert "roll 0 of seat 0 where 1 is next" in {finding.text for finding in answer.findings}
    both = one._replace(events=one.events * 2)
    answer = audit_dice([both if entry is one else entry for entry in table.history.entries])
    assert "roll 0 of seat 0 is used twice" in {finding.text for finding in answer.findings}


# What is agreed.


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"matter": "dice", "value": "forbidden"}, "dice can be stream, physical, either, not forbidden"),
        ({"matter": "overrides", "value": "stream"}, "overrides can be forbidden, gm, open, not stream"),
        ({"matter": "overrides", "value": "open", "whose": "mira"}, "for the whole table"),
        ({"matter": "dice", "value": "either", "whose": "nobody"}, "There is no seat nobody. At the table: Ana, mira"),
    ],
)
def test_what_does_not_go_together_is_not_agreed_on(params: dict[str, str], said: str) -> None:
    table = ToyTable()
    with pytest.raises(Refused, match=said):
        table.do("agree", **params)


def test_an_agreement_is_not_undone_but_replaced() -> None:
    table = ToyTable()
    table.do("agree", matter="dice", value="stream", whose="mira")
    with pytest.raises(Refused, match="cannot be undone"):
        table.undo(table.history.actions)
    assert table.state.agreed == {"dice/mira": "stream"}


# The screen.


def test_how_many_secret_rolls_there_were_is_told_when_their_seed_is() -> None:
    table = ToyTable()
    table.do("hide", who="robin")
    table.do("hide", who="marian")
    table.roll()
    table.close()
    (closed,) = (event for event in table.history.entries[-1].events if isinstance(event, SessionClosed))
    assert closed.counts == (count(1),)
    assert "the secret dice of session 1 are sealed still" in audit_dice(table.history.entries).remarks


def test_secret_rolls_that_are_not_as_many_as_were_counted_are_found_also_as_older_histories_count_them() -> None:
    table = ToyTable()
    table.do("hide", who="robin")
    table.roll()
    close_and_reveal(table)

    def audit_with(kind: type[Event], *counts: RollCount, without_secrets: bool = False) -> Verdict:
        told = [
            entry._replace(events=tuple(_with(event, kind, counts) for event in entry.events))
            for entry in table.history.entries
        ]
        return audit_dice(told, without_secrets=without_secrets).verdict

    assert audit_with(SessionClosed, count(1)) is Verdict.VERIFIED
    assert audit_with(SessionClosed, count(1), count(1, screen=True)) is Verdict.VERIFIED
    assert audit_with(SessionClosed, count(1), count(2, screen=True)) is Verdict.FAILED
    assert audit_with(ScreenCounted, count(1, screen=True)) is Verdict.VERIFIED
    assert audit_with(ScreenCounted, count(2, screen=True)) is Verdict.FAILED
    assert audit_with(ScreenCounted, count(2, screen=True), without_secrets=True) is Verdict.UNPROVEN
    assert audit_with(ScreenCounted, without_secrets=True) is Verdict.FAILED


def _with(event: Event, kind: type[Event], counts: tuple[RollCount, ...]) -> Event:
    return attrs.evolve(event, counts=counts) if isinstance(event, kind) else event  # type: ignore[call-arg]


# How far the proof goes.


def test_the_level_of_proof_is_said_of_each_session() -> None:
    table = ToyTable()
    table.roll()
    table.close()
    table.open()
    table.do("entropy", seat="mira", text="6 2 5")
    table.do("entropy", text="the GM's own line raises nothing")
    table.roll()
    table.close()
    table.open()
    table.roll()
    table.close()
    said = audit_dice(table.history.entries).remarks
    assert "sessions 1, 3: level 0, solo: no player mixed anything in" in said
    assert f"session 2: {LATE}" in said


def test_a_fork_is_only_at_home_in_its_own_what_if() -> None:
    table = ToyTable()
    table.roll()
    close_and_reveal(table)
    one = next(entry for entry in table.history.entries if rolls(entry))
    forked = attrs.evolve(rolls(one)[0], sources=(Source("stream", 1, 1, place(0, fork=3)),))
    told = [entry._replace(events=(forked,)) if entry is one else entry for entry in table.history.entries]
    assert "fell in timeline 3, and this history is not that timeline" in audit_dice(told).findings[0].text
    assert all("timeline" not in finding.text for finding in audit_dice(told, timelines=frozenset({3})).findings)
