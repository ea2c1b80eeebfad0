"""Who may act at all; conditions as games share them; and rules that only the GM waives."""

from __future__ import annotations

import pytest

from rollbook.domain.events import Event, Role
from rollbook.domain.rules.table import Table
from rollbook.kit import conditions, require
from rollbook.plugin import NotFound, Refused, events
from rollbook.testing.scenarios import rule
from tests.support.bare_table import joined_events, recorded_events, seat_taken, table_after

HELP = {"asleep": "Wake {name}."}
ANN, VERA, WATCHER = seat_taken("Ann"), seat_taken("Vera", Role.GM), seat_taken("Wat", Role.SPECTATOR)


def robin(*more: Event, seat: str = "") -> Table:
    return table_after((*joined_events("robin", "marian"), *more), seat=seat)


def in_condition(name: str, until: int = 0) -> events.ConditionBegan:
    return events.ConditionBegan(character="robin", condition=name, until=until)


@rule("QG.9")
def test_the_living_are_in_play_and_not_dead() -> None:
    assert require.living(robin(in_condition("asleep")), "robin").id == "robin"
    with pytest.raises(Refused, match="Robin is dead: nothing acts on the dead but a ruling"):
        require.living(robin(in_condition("dead")), "robin")
    with pytest.raises(Refused, match="Robin has left the campaign"):
        require.living(robin(events.CharacterLeft(character="robin")), "robin")
    with pytest.raises(NotFound, match="robin"):
        require.living(robin(), "robbin")


def test_who_is_unable_is_told_what_would_help() -> None:
    assert require.able(robin(), "robin", HELP).id == "robin"
    with pytest.raises(Refused, match=r"Robin is asleep and cannot act\. Wake Robin\."):
        require.able(robin(in_condition("asleep")), "robin", HELP)
    with pytest.raises(Refused, match="Robin is dead"):
        require.able(robin(in_condition("asleep"), in_condition("dead")), "robin", HELP)


@rule("QG.8")
@pytest.mark.parametrize(("seat", "rules"), [("", True), ("Vera", True), ("Ann", False), ("Wat", False)])
def test_only_the_gm_or_nobody_in_particular_rules(seat: str, rules: bool) -> None:
    assert require.is_gm(robin(ANN, VERA, WATCHER, seat=seat)) == rules


def test_nobody_attacks_or_opposes_themselves() -> None:
    table = robin()
    require.other_targets(table, table.character("robin"), "marian")
    with pytest.raises(Refused, match="Robin cannot attack Robin.*harm robin DICE"):
        require.other_targets(table, table.character("robin"), "marian", "robin")
    require.other_opponent(table, "robin", "marian")
    with pytest.raises(Refused, match="Nobody tries against themselves"):
        require.other_opponent(table, "robin", "robin")


def test_of_several_who_are_named_each_is_there_and_named_once() -> None:
    table = robin(events.CharacterLeft(character="marian"))
    require.distinct_living(table, ("robin",))
    with pytest.raises(Refused, match="named twice"):
        require.distinct_living(table, ("robin", "robin"))
    with pytest.raises(Refused, match="Marian has left"):
        require.distinct_living(table, ("robin", "marian"))


@rule("QG.8")
@pytest.mark.parametrize(
    ("condition", "ends", "said"),
    [
        (" ", False, "A condition is a word, as in: condition robin prone"),
        ("dead", False, "Whether somebody is dead follows from the game.*harm, heal"),
        ("prone", True, "Robin is not prone"),
        ("asleep", False, "Robin is already asleep"),
    ],
)
def test_the_gm_says_no_condition_that_is_no_word_or_follows_or_is_so_already(
    condition: str, ends: bool, said: str
) -> None:
    table = robin(in_condition("asleep"))
    with pytest.raises(Refused, match=said):
        conditions.check_ruling(table, table.character("robin"), condition, ends=ends, follows=("dead",))
    assert recorded_events(table) == ()


def test_a_condition_begins_once_and_ends_once() -> None:
    table = robin()
    assert conditions.begin(table, "robin", "prone", source="guard", detail="in the mud", until=9)
    assert not conditions.begin(table, "robin", "prone")
    assert conditions.end(table, "robin", "prone")
    assert not conditions.end(table, "robin", "prone")
    assert recorded_events(table) == (
        events.ConditionBegan(character="robin", condition="prone", source="guard", detail="in the mud", until=9),
        events.ConditionEnded(character="robin", condition="prone"),
    )


def test_several_conditions_end_for_several_people() -> None:
    table = robin(in_condition("prone"), in_condition("surprised"))
    conditions.end_for_all(table, ("robin", "marian"), "surprised", "prone")
    assert [event.condition for event in recorded_events(table) if isinstance(event, events.ConditionEnded)] == [
        "surprised",
        "prone",
    ]


def test_conditions_run_out_when_their_time_has_come_now_or_at_a_moment_that_is_named() -> None:
    happened = (in_condition("weary"), in_condition("prone", 10), in_condition("stunned", 20), in_condition("slow", 21))
    table = robin(*happened, events.TimePassed(seconds=20))
    assert [over.name for over in conditions.expire(table, "robin", 10)] == ["prone"]
    assert [over.name for over in conditions.expire(table, "robin")] == ["stunned"]
    assert conditions.expire(table, "robin") == ()
    assert set(table.character("robin").conditions) == {"weary", "slow"}


def test_a_refusal_is_told_in_words_and_silence_is_consent() -> None:
    assert require.refusal(lambda: require.living(robin(), "robin")) == ""
    said = require.refusal(lambda: require.living(robin(in_condition("dead")), "robin"))
    assert said.startswith("Robin is dead")
    with pytest.raises(NotFound):
        require.refusal(lambda: require.living(robin(), "robbin"))


def test_the_party_is_its_members_or_all_player_characters_who_live() -> None:
    dead = events.ConditionBegan(character="robin", condition="dead")
    table = table_after((*joined_events("robin", "marian"), dead))
    assert [who.id for who in require.party(table)] == ["marian"]
    assert [who.id for who in require.party(table, ("marian",))] == ["marian"]
    assert require.party(table, require.PARTY, [table.character("robin")]) == [table.character("robin")]
    with pytest.raises(Refused, match="Robin is dead"):
        require.party(table, ("robin", "marian"))
    with pytest.raises(Refused, match="There is nobody in the party"):
        require.party(table, members=[])
