"""Rounds and turns as games share them: who takes part, who goes first, whose turn it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.events import Event, Role
from rollbook.domain.rules.table import Table
from rollbook.kit import conditions, turn_order
from rollbook.plugin import Character, NotFound, Refused, events
from rollbook.testing.scenarios import rule
from tests.support.bare_table import joined_events, recorded_events, seat_taken, table_after

PEOPLE = joined_events("robin", "guard", "marian")
BEGUN = (*PEOPLE, events.EncounterBegan(), events.RoundBegan())
ORDER = events.TurnOrderSet(order=("robin", "guard", "marian"), scores=(9, 5, 2))


def fight(*more: Event, seat: str = "") -> Table:
    return table_after((*BEGUN, ORDER, *more), seat=seat)


def turn_of(who: str) -> events.TurnBegan:
    return events.TurnBegan(character=who)


def test_a_fight_begins_once_with_everybody_named_once() -> None:
    table = table_after(PEOPLE)
    turn_order.begin_encounter(table, ("robin", "guard"), title="the bridge")
    assert turn_order.require_encounter(table).title == "the bridge"
    with pytest.raises(Refused, match="already being fought"):
        turn_order.begin_encounter(table, ("robin",))


@pytest.mark.parametrize(
    ("more", "names", "fault", "said"),
    [
        ((), ("robin", "robin"), Refused, "named twice"),
        ((), ("robin", "gard"), NotFound, "guard"),
        ((events.CharacterLeft(character="guard"),), ("guard",), Refused, "has left"),
        ((events.ConditionBegan(character="guard", condition="dead"),), ("guard",), Refused, "is dead"),
    ],
)
def test_participants_are_there_and_alive(more, names, fault: type[Exception], said: str) -> None:
    table = table_after((*PEOPLE, *more))
    with pytest.raises(fault, match=said):
        turn_order.begin_encounter(table, names)
    assert table.encounter is None


def test_without_a_fight_there_are_no_turns() -> None:
    table = table_after(PEOPLE)
    for piece in (
        turn_order.require_encounter,
        turn_order.end_turn,
        lambda each: turn_order.join(each, "robin", next_round=True),
    ):
        with pytest.raises(Refused, match="No encounter is being fought"):
            piece(table)


@pytest.mark.parametrize("next_round", [True, False])
def test_a_latecomer_stands_at_the_end_and_may_have_to_wait(next_round: bool) -> None:
    table = fight(*joined_events("deputy"))
    assert turn_order.join(table, "deputy", next_round=next_round).id == "deputy"
    assert turn_order.require_encounter(table).order == ("robin", "guard", "marian", "deputy")
    assert turn_order.require_encounter(table).scores == (9, 5, 2, 0)
    assert table.character("deputy").has(conditions.ARRIVING) == next_round
    with pytest.raises(Refused, match="already takes part"):
        turn_order.join(table, "deputy", next_round=next_round)


def test_who_can_act_is_there_and_kept_out_by_nothing() -> None:
    table = fight(
        events.ConditionBegan(character="guard", condition="unconscious"), events.CharacterLeft(character="marian")
    )
    assert [
        who.id for who in turn_order.able_to_act(table, turn_order.require_encounter(table).order, ("unconscious",))
    ] == ["robin"]
    assert [who.id for who in turn_order.able_to_act(table, turn_order.require_encounter(table).order, ())] == [
        "robin",
        "guard",
    ]


class Scores:
    """Scores that are handed out in order, and who asked for them."""

    def __init__(self, *scores: tuple[int, ...]) -> None:
        self.left, self.asked = list(scores), []

    def __call__(self, who: Character) -> tuple[int, ...]:
        self.asked.append(who.id)
        return self.left.pop(0)


def people() -> list[Character]:
    table = table_after(PEOPLE)
    return [table.character(name) for name in ("robin", "guard", "marian")]


@rule("Q0.7", "QG.6")
def test_those_who_are_level_roll_again_until_nobody_is() -> None:
    roll = Scores((7, 0), (7, 0), (9, 1), (4, 0), (4, 0), (2, 0), (3, 0))
    order = turn_order.rank(people(), roll)
    assert [(who.id, score) for who, score in order] == [("marian", (9, 1)), ("guard", (7, 0)), ("robin", (7, 0))]
    assert roll.asked == ["robin", "guard", "marian", "robin", "guard", "robin", "guard"]


@rule("Q0.7")
def test_where_only_the_lead_matters_only_the_lead_is_rolled_for_again() -> None:
    behind = Scores((7, 0), (7, 0), (9, 0))
    assert [who.id for who, _ in turn_order.rank(people(), behind, only_first=True)] == ["marian", "robin", "guard"]
    assert not behind.left
    ahead = Scores((7, 0), (7, 0), (5, 0), (1, 0), (2, 0))
    assert [who.id for who, _ in turn_order.rank(people(), ahead, only_first=True)] == ["guard", "robin", "marian"]


@given(st.permutations([3, 8, 5]))
def test_the_best_score_comes_first(scores: list[int]) -> None:
    order = turn_order.rank(people(), Scores(*((score,) for score in scores)))
    assert [score for _, (score,) in order] == [8, 5, 3]


def test_the_order_names_the_ranked_and_then_the_others() -> None:
    table = table_after(BEGUN)
    turn_order.set_order(table, [(table.character("guard"), (12, 3))], ("robin", "guard", "marian"))
    assert recorded_events(table) == (events.TurnOrderSet(order=("guard", "robin", "marian"), scores=(12, 0, 0)),)


def test_a_turn_ends_by_the_hand_that_plays_it() -> None:
    ann = seat_taken("Ann")
    table = fight(turn_of("robin"), ann, events.ControlPassed(character="robin", seat="Ann"), seat="Ann")
    assert turn_order.end_turn(table) == "robin"
    assert recorded_events(table) == (events.TurnEnded(character="robin"),)
    other = fight(turn_of("guard"), ann, seat="Ann")
    with pytest.raises(Refused, match="It is Guard's turn, and Ann does not play Guard"):
        turn_order.end_turn(other)
    gm = fight(turn_of("guard"), seat_taken("Vera", Role.GM), seat="Vera")
    assert turn_order.end_turn(gm) == "guard"
    assert turn_order.end_turn(fight()) == ""


@pytest.mark.parametrize(
    ("more", "who", "said"),
    [
        (
            (turn_of("robin"),),
            "guard",
            "It is Robin's turn, so Guard cannot act yet. Robin ends it with: end-turn --next",
        ),
        ((), "guard", "nobody's turn yet, so Guard cannot act. The GM goes on with: end-turn --next"),
        ((turn_of("robin"), *joined_events("deputy")), "deputy", "does not take part.*join-encounter deputy"),
        (
            (turn_of("robin"), events.TurnEnded(character="robin"), turn_of("guard")),
            "robin",
            "Robin has already acted in round 1; it is Guard's turn",
        ),
    ],
)
def test_out_of_turn_is_refused_with_what_would_help(more, who: str, said: str) -> None:
    table = fight(*more)
    with pytest.raises(Refused, match=said):
        turn_order.check_turn(table, table.character(who), hand_on=" --next ID")


def test_on_ones_turn_parts_of_it_are_spent() -> None:
    table = fight(turn_of("robin"))
    robin = table.character("robin")
    assert turn_order.check_turn(table, robin).current == "robin"
    turn_order.spend(table, robin, "action")
    turn_order.spend(table, robin, "feet", 20)
    assert dict(turn_order.require_encounter(table).spent) == {"action": 1, "feet": 20}


def test_anyone_who_is_surprised_takes_part() -> None:
    table = table_after(PEOPLE)
    turn_order.check_participants(table, ("guard",), ("robin", "guard"))
    with pytest.raises(Refused, match="Marian is not among the participants"):
        turn_order.check_participants(table, ("guard", "marian"), ("robin", "guard"))


def test_a_round_begins_with_those_who_can_act_and_everybody_else_comes_last() -> None:
    table = table_after((*PEOPLE, events.EncounterBegan(), events.ConditionBegan(character="robin", condition="dead")))
    scores = {"guard": 3, "marian": 8}
    first = turn_order.begin_round(
        table,
        ("robin", "guard", "marian"),
        ("dead",),
        lambda able: turn_order.rank(able, lambda who: (scores[who.id],)),
    )
    assert first == "marian"
    assert (turn_order.require_encounter(table).round, turn_order.require_encounter(table).order) == (
        1,
        ("marian", "guard", "robin"),
    )
    assert turn_order.require_encounter(table).scores == (8, 3, 0)


def test_a_round_in_which_nobody_can_act_begins_with_nobody() -> None:
    dead = [events.ConditionBegan(character=who, condition="dead") for who in ("robin", "guard")]
    table = table_after((*PEOPLE, events.EncounterBegan(), *dead))
    assert (
        turn_order.begin_round(table, ("robin", "guard"), ("dead",), lambda able: turn_order.rank(able, lambda _: (0,)))
        == ""
    )
    assert turn_order.require_encounter(table).order == ("robin", "guard")


@pytest.mark.parametrize("seconds", [0, 10])
def test_with_a_round_its_conditions_are_over_and_its_time_has_passed(seconds: int) -> None:
    waiting = events.ConditionBegan(character="guard", condition=conditions.ARRIVING)
    table = fight(turn_of("robin"), events.TurnEnded(character="robin"), waiting)
    turn_order.end_round(table, conditions.SURPRISED, conditions.ARRIVING, seconds=seconds)
    assert table.clock == seconds
    assert not table.character("guard").conditions
    assert events.RoundEnded() in recorded_events(table)


def test_still_to_act_are_those_who_have_not_and_can() -> None:
    down = events.ConditionBegan(character="guard", condition="dead")
    table = fight(turn_of("robin"), events.TurnEnded(character="robin"), down)
    assert [who.id for who in turn_order.still_to_act(table, ("dead",))] == ["marian"]


def test_the_first_roll_is_initiative_and_any_further_one_breaks_a_tie() -> None:
    table = table_after(PEOPLE)
    ties = {"robin": 2, "guard": 5}
    roll = turn_order.tie_break(lambda _: (10,), lambda who: (ties[who.id],))
    order = turn_order.rank([table.character(name) for name in ("robin", "guard")], roll)
    assert [(who.id, score) for who, score in order] == [("guard", (10,)), ("robin", (10,))]


@pytest.mark.parametrize(
    ("score", "order"),
    [
        (12, ("deputy", "robin", "guard", "marian")),
        (5, ("robin", "guard", "deputy", "marian")),
        (-1, ("robin", "guard", "marian", "deputy")),
    ],
)
def test_a_latecomer_goes_where_the_roll_says_and_last_among_equals(score: int, order: tuple[str, ...]) -> None:
    table = fight(*joined_events("deputy"))
    turn_order.join(table, "deputy", next_round=False)
    turn_order.insert(table, "deputy", score)
    assert turn_order.require_encounter(table).order == order
    assert turn_order.require_encounter(table).scores == tuple(sorted((9, 5, 2, score), reverse=True))


@rule("QG.8")
def test_ones_own_turn_is_asked_for_in_a_fight_unless_the_gm_waives_it() -> None:
    table = fight(turn_of("robin"))
    robin, guard = table.character("robin"), table.character("guard")
    assert turn_order.own_turn(table, robin, out_of_turn=False) == table.encounter
    assert turn_order.own_turn(table, guard, out_of_turn=True) is None
    with pytest.raises(Refused, match="It is Robin's turn, so Guard cannot act yet.*end-turn --next ID"):
        turn_order.own_turn(table, guard, out_of_turn=False, hand_on=" --next ID")
    assert turn_order.own_turn(table_after(PEOPLE), guard, out_of_turn=False) is None


@pytest.mark.parametrize(
    ("who", "before", "order", "scores"),
    [
        ("marian", "robin", ("marian", "robin", "guard"), (9, 9, 5)),
        ("robin", "marian", ("guard", "robin", "marian"), (5, 2, 2)),
        ("robin", "", ("guard", "marian", "robin"), (5, 2, 2)),
    ],
)
def test_one_who_is_moved_has_the_score_of_the_one_beside_them(who: str, before: str, order, scores) -> None:
    table = fight()
    turn_order.move(table, who, before=before)
    fought = turn_order.require_encounter(table)
    assert (fought.order, fought.scores) == (order, scores)


@pytest.mark.parametrize(
    ("who", "before", "said"),
    [
        ("robin", "guard", "already has that place in the turn order"),
        ("marian", "", "already has that place in the turn order"),
        ("robin", "robin", "already has that place in the turn order"),
        ("will", "robin", "does not take part"),
        ("robin", "will", "does not take part"),
    ],
)
def test_only_those_in_the_fight_are_moved_and_elsewhere(who: str, before: str, said: str) -> None:
    table = table_after((*BEGUN, *joined_events("will"), ORDER))
    with pytest.raises(Refused, match=said):
        turn_order.move(table, who, before=before)


def test_the_order_that_the_table_knows_says_nothing_of_the_hidden() -> None:
    table = fight(events.CharacterHidden(character="guard"))
    turn_order.move(table, "marian", before="robin")
    orders = [event.order for event in recorded_events(table) if isinstance(event, events.TurnOrderSet)]
    assert orders == [("marian", "robin"), ("marian", "robin", "guard")]


def test_those_who_are_there_are_the_fighters_or_everybody() -> None:
    people = (*joined_events("robin", "marian", "tuck"), events.CharacterLeft(character="tuck"))
    assert [who.id for who in turn_order.present(table_after(people))] == ["robin", "marian"]
    fight = (events.EncounterBegan(), events.RoundBegan(), events.TurnOrderSet(order=("marian", "tuck"), scores=(2, 1)))
    assert [who.id for who in turn_order.present(table_after((*people, *fight)))] == ["marian"]
