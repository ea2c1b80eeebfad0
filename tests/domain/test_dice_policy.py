"""What a table may settle about its dice: fresh ones, other faces, how a seat rolls. All of it is listed."""

from __future__ import annotations

import attrs
import pytest

from domain.audit import Verdict, audit_dice, audit_rules
from domain.audit.dice_audit import dice_list
from domain.corrections.changes import Override, Redo
from domain.dice.ledger import dice_by_place
from domain.dice.record import Source
from domain.dice.supply import DiceNeeded
from domain.errors import Refused
from domain.events import DiceRolled, Event, FreshDiceGranted, ScreenCounted, SessionClosed
from tests.support.dice import rolls
from tests.support.toy_table import ToyTable, close_and_reveal, grant_dice


def roll(table: ToyTable, expression: str = "1d20", **more: str) -> DiceRolled:
    return rolls(table.do("roll", expression=expression, who="robin", **more))[0]


def at(rolled: DiceRolled) -> list[str]:
    return [str(drawn.place) for drawn in dice_by_place(rolled)]


def kinds(table: ToyTable) -> list[str]:
    return [listed.kind for listed in dice_list(table.history.entries)]


# Fresh dice.


def test_the_same_request_meets_the_same_die_until_fresh_ones_are_granted() -> None:
    table = ToyTable()
    first = roll(table)
    action = table.history.actions
    table.undo(action)
    again = roll(table)
    assert (at(again), again.dice) == (at(first), first.dice)
    table.undo(table.history.actions)
    grant_dice(table, action, why="the wrong character rolled")
    (granted,) = table.history.entries[-1].events
    assert granted == FreshDiceGranted(session=1, places=("0/0/0/0",), why="the wrong character rolled")
    assert at(roll(table)) == ["0/0/0/1"]
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED
    assert kinds(table) == ["redone", "granted"]
    told = dice_list(table.history.entries)[1].text
    assert (
        f"#{action} {first.dice[0].face} (d20) (robin: roll) need not be met again: the wrong character rolled" == told
    )


def test_nothing_is_granted_where_nothing_waits() -> None:
    table = ToyTable()
    roll(table)
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
    roll(table)
    action = table.history.actions
    table.undo(action)
    grant_dice(table, action)
    roll(table)
    close_and_reveal(table)

    def elsewhere(event: Event) -> Event:
        return attrs.evolve(event, places=("0/0/0/9",)) if isinstance(event, FreshDiceGranted) else event

    entries = [entry._replace(events=tuple(map(elsewhere, entry.events))) for entry in table.history.entries]
    answer = audit_dice(entries)
    assert answer.verdict is Verdict.FAILED
    assert "waits for this very request, and nothing was granted" in answer.findings[0].text


# Dice of a roll that was undone.


def test_a_roll_that_waits_is_not_met_with_other_dice_or_for_another_request() -> None:
    table = ToyTable()
    roll(table)
    table.undo(table.history.actions)
    roll(table)
    close_and_reveal(table)
    again = table.history.entries[-3]

    def audit_with(**fields: object) -> str:
        events = tuple(attrs.evolve(event, **fields) if event in rolls(again) else event for event in again.events)
        told = [entry._replace(events=events) if entry is again else entry for entry in table.history.entries]
        answer = audit_dice(told)
        assert answer.verdict is Verdict.FAILED
        return answer.findings[0].text

    assert "waits for another request" in audit_with(intent="s1.0|roll|robin|something|#0")
    d12 = rolls(again)[0].dice[0]._replace(sides=12, face=1)
    assert "met again with other dice" in audit_with(dice=(d12,))


def test_one_roll_does_not_decide_twice() -> None:
    table = ToyTable()
    roll(table)
    roll(table)
    close_and_reveal(table)
    one, two = (entry for entry in table.history.entries if rolls(entry))
    twice = two._replace(events=one.events)
    answer = audit_dice([twice if entry is two else entry for entry in table.history.entries])
    assert "roll 0 of seat 0 where 1 is next" in {finding.text for finding in answer.findings}
    both = one._replace(events=one.events * 2)
    answer = audit_dice([both if entry is one else entry for entry in table.history.entries])
    assert "roll 0 of seat 0 is used twice" in {finding.text for finding in answer.findings}


# Overrides.


def overridden(table: ToyTable, action: int, *faces: int, first: int = 1) -> DiceRolled:
    table.apply(table.preview_drawing({action: Override(faces=faces, first=first)}))
    return rolls(table.history.latest_outcome(action))[0]


def test_an_overridden_die_names_the_one_it_stands_for_and_what_fell_stays_readable() -> None:
    table = ToyTable()
    fell = roll(table, "2d20kh1")
    action = table.history.actions
    lower = min(die.face for die in fell.dice)
    other = overridden(table, action, 20 if lower != 20 else 1)
    stream = Source(kind="stream", count=1, session=1)
    assert other.sources == (attrs.evolve(stream, kind="override"), stream)
    assert [die.face for die in other.dice] == [20 if lower != 20 else 1, fell.dice[1].face]
    assert rolls(table.history.revision(action, 1)) == [fell]
    close_and_reveal(table)
    answer = audit_dice(table.history.entries)
    assert (answer.verdict, answer.checked) == (Verdict.VERIFIED, 2)
    assert "1 die was overridden by the GM; it proves nothing" in answer.remarks
    (listed,) = dice_list(table.history.entries)
    assert listed.kind == "overridden"
    assert "by Ana: so" in listed.text
    assert audit_rules(table.history.entries, table.rulebook).verdict is Verdict.VERIFIED


def test_an_override_has_consequences_and_is_undone_by_its_revision() -> None:
    table = ToyTable()
    table.do("adjust", who="robin", what="skill", by=-10, reason="drunk")
    table.do("attack", attacker="robin", target="guard")
    action = table.history.actions
    fell = rolls(table.history.entries[-1])
    with pytest.raises(DiceNeeded, match="damage"):
        table.preview({action: Override(faces=(20,))})
    overridden(table, action, 20)
    outcome = table.history.latest_outcome(action)
    assert [each.purpose for each in rolls(outcome)] == ["to hit", "damage", "damage"]
    assert table.state.characters["guard"].lost > 0
    table.apply(table.preview({action: Redo(1)}))
    assert rolls(table.history.latest_outcome(action))[0].dice == fell[0].dice


def test_the_first_die_to_be_overridden_can_be_named_and_real_dice_do_not_count() -> None:
    table = ToyTable()
    fell = roll(table, "2d6")
    action = table.history.actions
    face = fell.dice[1].face % 6 + 1
    other = overridden(table, action, face, first=2)
    assert [die.face for die in other.dice] == [fell.dice[0].face, face]
    table.do("roll", expression="1d20", typed=(3,))
    with pytest.raises(Refused, match=r"has no dice of the stream.*amend --retype"):
        overridden(table, table.history.actions, 4)


@pytest.mark.parametrize(
    ("faces", "said"),
    [((21,), "21 is not a face of a d20"), ((3, 4), "2 faces were given, from die 1 on, but"), ((0,), "face")],
)
def test_faces_that_no_die_can_show_are_refused(faces: tuple[int, ...], said: str) -> None:
    table = ToyTable()
    roll(table)
    with pytest.raises(Refused, match=said):
        overridden(table, table.history.actions, *faces)


def test_a_die_that_shows_it_already_is_not_overridden() -> None:
    table = ToyTable()
    fell = roll(table)
    with pytest.raises(Refused, match="show that already"):
        overridden(table, table.history.actions, fell.dice[0].face)


def test_an_overridden_action_that_is_undone_and_asked_again_meets_what_fell() -> None:
    table = ToyTable()
    fell = roll(table)
    action = table.history.actions
    overridden(table, action, fell.dice[0].face % 20 + 1)
    assert table.history.ledger.void == {}
    table.undo(action)
    assert roll(table).dice == fell.dice
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED


def test_what_the_table_agreed_about_overrides_holds() -> None:
    table = ToyTable()
    roll(table)
    action = table.history.actions
    table.do("hide", who="robin")
    table.do("agree", matter="overrides", value="forbidden")
    with pytest.raises(Refused, match="agreed that no die is overridden"):
        overridden(table, action, 20)
    table.do("agree", matter="overrides", value="gm")
    with pytest.raises(
        Refused, match="only dice behind the screen are overridden, and this one was rolled in the open"
    ):
        overridden(table, action, 20, first=1)
    secret = rolls(table.history.latest_outcome(action + 1))[0]
    overridden(table, action + 1, secret.dice[0].face % 20 + 1)
    table.do("agree", matter="overrides", value="open")
    overridden(table, action, rolls(table.history.latest_outcome(action))[0].dice[0].face % 20 + 1)
    texts = [listed.text for listed in dice_list(table.history.entries) if listed.kind == "agreed"]
    assert texts == ["overrides: forbidden", "overrides: gm, before that forbidden", "overrides: open, before that gm"]


def test_an_override_of_dice_that_never_fell_for_the_action_is_found() -> None:
    table = ToyTable()
    roll(table)
    roll(table, "1d6")
    close_and_reveal(table)
    two = table.history.entries[-3]
    forged = attrs.evolve(rolls(two)[0], sources=(Source(kind="override", count=1, session=1),))
    told = [entry._replace(events=(forged,)) if entry is two else entry for entry in table.history.entries]
    assert "roll 0 of seat 0 is overridden, and it never fell for" in audit_dice(told).findings[0].text


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


def test_an_agreement_is_not_undone_but_made_anew() -> None:
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
    roll(table)
    table.close()
    (closed,) = (event for event in table.history.entries[-1].events if isinstance(event, SessionClosed))
    assert closed.counts == {"0/0/0": 1}
    assert "the secret dice of session 1 are sealed still" in audit_dice(table.history.entries).remarks


def test_secret_rolls_that_are_not_as_many_as_were_counted_are_found_also_as_older_histories_count_them() -> None:
    table = ToyTable()
    table.do("hide", who="robin")
    roll(table)
    close_and_reveal(table)

    def audit_with(kind: type[Event], counts: dict[str, int], *, veiled: bool = False) -> Verdict:
        told = [
            entry._replace(events=tuple(_with(event, kind, counts) for event in entry.events))
            for entry in table.history.entries
        ]
        return audit_dice(told, veiled=veiled).verdict

    assert audit_with(SessionClosed, {"0/0/0": 1}) is Verdict.VERIFIED
    assert audit_with(SessionClosed, {"0/0/0": 1, "1/0/0": 1}) is Verdict.VERIFIED
    assert audit_with(SessionClosed, {"0/0/0": 1, "1/0/0": 2}) is Verdict.FAILED
    assert audit_with(ScreenCounted, {"1/0/0": 1}) is Verdict.VERIFIED
    assert audit_with(ScreenCounted, {"1/0/0": 2}) is Verdict.FAILED
    assert audit_with(ScreenCounted, {"1/0/0": 2}, veiled=True) is Verdict.UNPROVEN
    assert audit_with(ScreenCounted, {}, veiled=True) is Verdict.FAILED


def _with(event: Event, kind: type[Event], counts: dict[str, int]) -> Event:
    return attrs.evolve(event, counts=counts) if isinstance(event, kind) else event  # type: ignore[call-arg]


# How far the proof goes.


def test_the_level_of_proof_is_said_of_each_session() -> None:
    table = ToyTable()
    roll(table)
    table.close()
    table.open()
    table.do("entropy", seat="mira", text="6 2 5")
    table.do("entropy", text="the GM's own line raises nothing")
    roll(table)
    table.close()
    table.open()
    roll(table)
    table.close()
    said = audit_dice(table.history.entries).remarks
    assert "sessions 1, 3: level 0, solo: no player mixed anything in" in said
    assert "session 2: level 1, table: players mixed in 1 line before the first roll" in said


def test_a_fork_is_only_at_home_in_its_own_what_if() -> None:
    table = ToyTable()
    roll(table)
    close_and_reveal(table)
    one = next(entry for entry in table.history.entries if rolls(entry))
    forked = attrs.evolve(rolls(one)[0], sources=(Source(kind="fork:3", count=1, session=1),))
    told = [entry._replace(events=(forked,)) if entry is one else entry for entry in table.history.entries]
    assert "fell in timeline 3, and this history is not that timeline" in audit_dice(told).findings[0].text
    assert all("timeline" not in finding.text for finding in audit_dice(told, fork=frozenset({3})).findings)
