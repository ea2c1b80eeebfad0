"""The d20 roll: reasons for and against, two policies of advantage, summands, targets, and second thoughts in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.dice.notation import parse
from rollbook.kit import d20
from rollbook.plugin import Refused, SecondThought, Term, events, second_thought
from rollbook.testing.scenarios import rule
from tests.support.bare_table import joined_events, recorded_events, table_after

REASONS = st.lists(st.text(max_size=20), max_size=4).map(tuple)


def ease(for_: int, against: int) -> d20.Advantage:
    return d20.Advantage(("good",) * for_, ("bad",) * against)


@rule("QG.4")
@given(st.integers(0, 4), st.integers(0, 4))
def test_any_number_of_each_cancel_out(for_: int, against: int) -> None:
    assert d20.cancelling_advantage(ease(for_, against)) == (for_ > 0) - (against > 0)


@rule("Q3.19")
@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3))
def test_or_they_are_counted_up_to_a_limit(for_: int, against: int, most: int) -> None:
    sway = d20.stacking_advantage(ease(for_, against), most)
    assert abs(sway) == min(most, abs(for_ - against))
    assert sway * (for_ - against) >= 0


@pytest.mark.parametrize(
    ("given_ease", "sway", "dice"),
    [
        (d20.NO_ADVANTAGE, 0, "1d20"),
        (d20.Advantage(("rope",)), 1, "2d20kh1[rope]"),
        (d20.Advantage((), ("rain", "night")), -1, "2d20kl1[rain, night]"),
        (d20.Advantage(("rope",), ("rain",)), 0, "1d20[rope, against, rain]"),
        (d20.Advantage(("rope", "help"), ("rain",)), 1, "2d20kh1[rope, help, against, rain]"),
    ],
)
def test_the_dice_say_why(given_ease: d20.Advantage, sway: int, dice: str) -> None:
    assert d20.advantage_dice(given_ease, sway) == dice


def test_where_low_is_good_the_lower_die_is_the_better_one() -> None:
    assert d20.advantage_dice(ease(1, 0), 1, die="d100", low_is_better=True) == "2d100kl1[good]"
    assert d20.advantage_dice(ease(0, 1), -1, low_is_better=True) == "2d20kh1[bad]"


@given(REASONS, REASONS, st.integers(-1, 1))
def test_whatever_people_give_as_reasons_the_dice_can_be_read(for_, against, sway: int) -> None:
    parse(d20.advantage_dice(d20.Advantage(for_, against), sway))


@given(st.text(max_size=200))
def test_labels_are_short_and_have_no_brackets(text: str) -> None:
    made = d20.label(text)
    assert len(made) <= 60
    assert not {"[", "]", "\n"} & set(made)


def test_reasons_add_up() -> None:
    assert ease(1, 0) + ease(0, 1) == ease(1, 1)
    one = ease(1, 1)
    assert one + d20.NO_ADVANTAGE is one


def test_summands_are_written_with_their_labels_and_zeros_left_out() -> None:
    terms = (Term(3, "DEX"), Term(0, "nothing"), Term(-2, "fog"), Term(1, ""))
    assert d20.notation("1d20", terms) == "1d20 + 3[DEX] - 2[fog] + 1"
    assert d20.notation("2d6", ()) == "2d6"


def test_typed_bonuses_are_a_number_and_a_reason() -> None:
    table = table_after()
    assert d20.bonuses(table, ("+2 high ground", "-1 fog", "3")) == (
        Term(2, "high ground"),
        Term(-1, "fog"),
        Term(3, "bonus"),
    )
    with pytest.raises(Refused, match=r"'\+2 high ground', not 'rope'"):
        d20.bonuses(table, ("rope",))


def test_a_target_is_a_step_of_the_ladder_or_a_number() -> None:
    ladder, table = {"easy": 5, "hard": 15}, table_after()
    assert [d20.target_number(table, text, ladder) for text in ("easy", "hard", "12")] == [5, 15, 12]
    for typed in ("heroic", "12345", "-3", "५"):
        with pytest.raises(Refused, match=r"easy \(5\), hard \(15\) or a number"):
            d20.target_number(table, typed, ladder)


@pytest.mark.parametrize(
    ("natural", "reaches", "lands", "word"),
    [(20, False, True, "natural 20"), (1, True, False, "natural 1"), (7, True, True, "hit"), (7, False, False, "miss")],
)
def test_a_natural_20_lands_and_a_natural_1_never(natural: int, reaches: bool, lands: bool, word: str) -> None:
    assert d20.attack_outcome(natural, reaches=reaches) == (lands, word)


def test_a_roll_knows_its_total_its_face_and_its_modifier() -> None:
    table = table_after(joined_events("robin"), dice=(4, 17))
    with d20.Rolls(table) as rolls:
        rolled = rolls.roll(
            "robin", d20.advantage_dice(ease(1, 0), 1), (Term(3, "DEX"), Term(-1, "fog")), purpose="shot", net=1
        )
    assert (rolled.total, rolled.natural, rolled.modifier, rolled.net) == (19, 17, 2, 1)
    assert [event.purpose for event in recorded_events(table)] == ["shot"]


def again(roll: int = 0, keep: str = "", kind: str = "again") -> SecondThought:
    return second_thought(kind, "robin", roll=roll, keep=keep)


def roll_with(*thoughts: SecondThought, dice: tuple[int, ...], rolls_made: int = 1) -> tuple[list[int], list[str]]:
    table = table_after(joined_events("robin"), dice=dice, thoughts=thoughts)

    def once_more(thought: SecondThought, stands: d20.RollResult) -> None:
        rolls.keep(thought, stands, rolls.again(stands, f"{stands.purpose} again"))

    def plus_ten(thought: SecondThought, stands: d20.RollResult) -> None:
        stands.total += 10

    with d20.Rolls(table, {"again": once_more, "plus": plus_ten}) as rolls:
        totals = [rolls.roll("robin", "1d20", purpose=f"roll {number}").total for number in range(rolls_made)]
    return totals, [event.purpose for event in recorded_events(table)]


@pytest.mark.parametrize(("keep", "total"), [("", 14), ("best", 14), ("worst", 5), ("new", 5), ("old", 14)])
def test_of_two_rolls_the_one_that_is_named_stands(keep: str, total: int) -> None:
    assert roll_with(again(keep=keep), dice=(14, 5)) == ([total], ["roll 0", "roll 0 again"])


def test_each_second_thought_is_about_the_roll_that_it_names() -> None:
    totals, purposes = roll_with(again(1), again(0, "new"), dice=(14, 5, 6, 9), rolls_made=2)
    assert totals == [5, 9]
    assert purposes == ["roll 0", "roll 0 again", "roll 1", "roll 1 again"]


def test_several_thoughts_on_a_roll_are_had_in_the_order_of_their_kinds() -> None:
    assert roll_with(again(kind="plus"), again(), dice=(3, 9))[0] == [19]


def test_a_thought_on_a_roll_that_was_never_made_is_refused() -> None:
    with pytest.raises(Refused, match=r"There is no roll 1 .* one d20, roll 0"):
        roll_with(again(1), dice=(3,))
    with pytest.raises(Refused, match="rolled no d20"):
        roll_with(again(), dice=(), rolls_made=0)
    with pytest.raises(Refused, match="2 d20s, rolls 0 to 1"):
        roll_with(again(-1), dice=(3, 4), rolls_made=2)


def test_a_word_that_keeps_neither_is_refused() -> None:
    with pytest.raises(Refused, match="best, worst|best, new, old or worst"):
        roll_with(again(keep="both"), dice=(3, 4))


def test_what_was_refused_within_is_not_covered_up_by_thoughts() -> None:
    table = table_after(thoughts=(again(),))
    with pytest.raises(Refused, match="the real reason"), d20.Rolls(table, {"again": lambda *_: None}):
        table.refuse("This is the real reason.")


def test_how_a_roll_met_its_target_is_recorded() -> None:
    table = table_after(joined_events("robin"), dice=(12,))
    with d20.Rolls(table) as rolls:
        rolled = rolls.roll("robin", "1d20", purpose="climb")
    d20.record_roll(table, "climb", rolled, 10, success=True, against="a wall")
    d20.record_roll(table, "climb", rolled, 15, success=False)
    _, first, second = recorded_events(table)
    assert first == events.CheckResolved(
        character="robin", check="climb", total=12, target=10, success=True, outcome="success", against="a wall"
    )
    assert isinstance(second, events.CheckResolved)
    assert second.outcome == "failure"


@pytest.mark.parametrize(
    ("given_ease", "dice", "total"),
    [(d20.NO_ADVANTAGE, (7,), 9), (d20.Advantage(("rope",)), (7, 12), 14), (d20.Advantage((), ("rain",)), (7, 12), 9)],
)
@rule("QG.4")
def test_a_roll_with_its_ease_and_what_is_added(given_ease: d20.Advantage, dice: tuple[int, ...], total: int) -> None:
    table = table_after(joined_events("robin"), dice=dice)
    with d20.Rolls(table) as rolls:
        roll = rolls.with_advantage("robin", (Term(2, "luck"),), purpose="check", ease=given_ease)
    assert (roll.total, roll.modifier, roll.net) == (total, 2, d20.cancelling_advantage(given_ease))


@pytest.mark.parametrize(("dice", "most"), [("1d3", 3), ("2d6", 12), ("10d10", 100)])
def test_the_most_that_dice_can_show(dice: str, most: int) -> None:
    assert d20.maximum(dice) == most


def contest(table_dice: tuple[int, ...], mine: int, yours: int) -> tuple[bool, d20.RollResult, d20.RollResult]:
    table = table_after(joined_events("robin", "guard"), dice=table_dice)
    with d20.Rolls(table) as rolls:
        won = d20.opposed_roll(
            lambda: rolls.with_advantage("robin", (Term(mine, "skill"),), purpose="opposed"),
            lambda: rolls.with_advantage("guard", (Term(yours, "skill"),), purpose="opposed"),
        )
    assert len(recorded_events(table)) == len(table_dice)
    return won


def test_of_two_the_higher_total_wins_then_the_higher_modifier_and_else_both_roll_again() -> None:
    assert contest((12, 10), 0, 1)[0]
    assert not contest((10, 9), 2, 3)[0]
    won, one, two = contest((10, 10, 5, 6), 1, 1)
    assert (won, one.total, two.total) == (False, 6, 7)


@pytest.mark.parametrize(
    ("success", "outcome", "word"), [(True, "", "success"), (False, "", "failure"), (False, "is caught", "is caught")]
)
def test_a_check_is_on_record_with_the_games_own_word_if_it_has_one(success: bool, outcome: str, word: str) -> None:
    table = table_after(joined_events("robin"))
    d20.record_check(table, "robin", "chase", 9, 12, success=success, outcome=outcome, against="guard")
    assert recorded_events(table) == (
        events.CheckResolved(
            character="robin", check="chase", total=9, target=12, success=success, outcome=word, against="guard"
        ),
    )


def test_what_follows_from_an_action_goes_on_with_its_rolls() -> None:
    table, another = table_after(joined_events("robin")), table_after(joined_events("robin"))
    with d20.Rolls(table) as rolls:
        with d20.Rolls.at(table) as same, d20.Rolls.at(another) as other:
            assert same is rolls
            assert other is not rolls
        with d20.Rolls.at(table) as still:
            assert still is rolls
    with d20.Rolls.at(table) as new:
        assert new is not rolls
