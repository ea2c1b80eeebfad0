"""A die that was seen is not un-rolled: undoing and asking again meets the same die, and real dice are counted and checked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Amend
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.ledger import DiceLedger
from rollbook.domain.dice.record import Source, StreamCounter, StreamPlace
from rollbook.domain.dice.recorded import RecordedDice
from rollbook.domain.dice.supply import DiceNeeded, NoDice, PhysicalDice, Request, StreamDice
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled
from rollbook.domain.history.history import History
from tests.support.dice import rolls
from tests.support.random_steps import RandomSteps
from tests.support.toy_table import ToyTable, play_random_steps


def asking(purpose: str = "to hit", ordinal: int = 0, *, secret: bool = False) -> Request:
    return Request(roller="robin", purpose=purpose, ordinal=ordinal, occasion="s1", repeat=ordinal, secret=secret)


OPEN = StreamCounter(screen=False, fork=0, seat=0)


def place(rolled: DiceRolled) -> list[tuple[bool, int, int]]:
    return stream(rolled)


# Real dice.


@pytest.mark.parametrize(
    ("faces", "said"),
    [((), "needs another d20"), ((3, 4), "left over"), ((21,), "not a face of a d20"), ((0,), "not the face of a die")],
)
def test_real_dice_are_counted_and_checked(faces: tuple[int, ...], said: str) -> None:
    table = ToyTable()
    before = table.history.head
    with pytest.raises(DiceError, match=said):
        table.do("roll", expression="1d20", typed=faces)
    assert table.history.head == before


def test_real_dice_are_marked_and_take_no_place_in_the_stream() -> None:
    table = ToyTable()
    typed = rolls(table.do("roll", expression="2d6", typed=(3, 4)))[0]
    assert typed.sources == (Source("physical", 2),)
    assert place(table.roll()) == [(False, 0, 0)]


def test_a_roll_without_dice_has_no_source() -> None:
    assert rolls(ToyTable().do("roll", expression="3 + 4"))[0].sources == ()


# The stream.


def test_every_seat_counts_its_own_rolls_and_the_screen_its_own() -> None:
    table = ToyTable()
    seen = [place(rolls(table.do("roll", seat=seat, expression="1d20"))[0]) for seat in ("Ana", "mira", "Ana", "mira")]
    assert seen == [[(False, 0, 0)], [(False, 1, 0)], [(False, 0, 1)], [(False, 1, 1)]]
    hidden = rolls(table.do("hide", who="robin"))[0]
    assert (hidden.secret, place(hidden)) == (True, [(True, 0, 0)])
    assert place(rolls(table.do("roll", expression="1d20", secret=True))[0]) == [(True, 0, 1)]


def test_the_same_request_after_an_undo_meets_the_same_roll() -> None:
    table = ToyTable()
    first = table.roll("2d20kh1")
    table.undo(table.history.actions)
    again = table.roll("2d20kh1")
    assert (again.dice, place(again)) == (first.dice, place(first))
    assert table.roll("2d20kh1").dice != first.dice or table.history.ledger.used == {OPEN: 2}


def test_undoing_an_earlier_one_of_two_gives_that_one_back() -> None:
    table = ToyTable()
    first = table.roll()
    action = table.history.actions
    second = table.roll()
    table.undo(action)
    third, fourth = table.roll(), table.roll()
    assert [place(rolled) for rolled in (first, second, third, fourth)] == [
        [(False, 0, 0)],
        [(False, 0, 1)],
        [(False, 0, 0)],
        [(False, 0, 2)],
    ]


def test_several_that_were_undone_come_back_in_their_order() -> None:
    table = ToyTable()
    faces = [table.roll().dice for _ in range(3)]
    last = table.history.actions
    table.undo(last - 2, last - 1, last)
    assert [table.roll().dice for _ in range(3)] == faces


def test_another_request_gets_the_next_roll() -> None:
    table = ToyTable()
    table.roll()
    table.undo(table.history.actions)
    assert place(table.roll(purpose="something else")) == [(False, 0, 1)]
    assert place(rolls(table.do("roll", expression="1d20", who="marian"))[0]) == [(False, 0, 2)]
    table.do("scene", title="elsewhere")
    assert place(table.roll()) == [(False, 0, 3)]


def test_a_request_taken_up_again_wants_the_same_dice() -> None:
    table = ToyTable()
    table.roll()
    table.undo(table.history.actions)
    with pytest.raises(Refused, match="A die that was seen is not rolled again"):
        table.roll("1d6")
    longer = table.roll("2d20")
    assert place(longer) == [(False, 0, 0)]


def test_real_dice_do_not_take_up_a_roll_that_waits() -> None:
    table = ToyTable()
    first = table.roll()
    table.undo(table.history.actions)
    table.do("roll", expression="1d20", who="robin", typed=(20,))
    table.undo(table.history.actions)
    assert table.roll().dice == first.dice


def test_a_restored_roll_waits_no_more() -> None:
    table = ToyTable()
    table.roll()
    action = table.history.actions
    table.undo(action)
    assert len(table.history.ledger.undone_rolls) == 1
    table.redo(action)
    assert table.history.ledger.undone_rolls == {}
    assert place(table.roll()) == [(False, 0, 1)]


def test_a_second_thought_that_was_undone_meets_its_own_die_again() -> None:
    table = ToyTable()
    table.do("attack", attacker="robin", target="guard")
    table.second_thought()
    faces = [rolled.dice for rolled in rolls(table.history.entries[-1])][:2]
    table.undo(table.history.actions)
    table.do("attack", attacker="robin", target="guard")
    table.second_thought()
    assert [rolled.dice for rolled in rolls(table.history.entries[-1])][:2] == faces


def test_a_roll_of_mixed_dice_waits_with_those_of_the_stream_alone() -> None:
    table = ToyTable()
    table.do("bet", who="robin", dice=1)
    bet = table.history.actions
    table.apply(table.preview({bet: Amend({"dice": 3})}, dice=PhysicalDice((5, 6))))
    table.undo(bet)
    assert [undone.sides for undone in table.history.ledger.undone_rolls.values()] == [(6,)]


def test_a_new_session_begins_its_own_count_and_forgets_what_waited() -> None:
    table = ToyTable()
    table.roll()
    table.undo(table.history.actions)
    table.close()
    with pytest.raises(Refused, match="No session is open"):
        table.roll()
    table.open()
    assert table.history.ledger == DiceLedger(2)
    assert place(table.roll()) == [(False, 0, 0)]
    assert table.history.ledger.used == {OPEN: 1}


@pytest.mark.parametrize("seed", range(16))
def test_an_index_never_falls_and_the_count_does_not_depend_on_when_it_is_asked_for(seed: int) -> None:
    table = ToyTable()
    chance = RandomSteps(seed)
    used: dict[str, int] = {}
    for _ in range(12):
        play_random_steps(table, chance, 4, corrections=0.4)
        ledger = table.history.ledger
        assert ledger == History(table.history.entries).ledger
        assert all(ledger.used.get(counter, 0) >= many for counter, many in used.items())
        used = dict(ledger.used)
        assert {undone.place for undone in ledger.undone_rolls.values()} == set(ledger.undone_rolls)
        assert all(place.fork == 0 and place.number < used[place.counter] for place in ledger.undone_rolls)


@pytest.mark.parametrize("seed", range(12))
def test_no_roll_of_the_stream_counts_twice_and_none_that_waits_counts(seed: int) -> None:
    table = ToyTable()
    play_random_steps(table, RandomSteps(seed), 60, corrections=0.4)
    drawn = [entry for _, entry in table.history.outcomes() if entry is not None]
    counting = [where for entry in drawn for rolled in rolls(entry) for where in set(stream(rolled))]
    for_others = [where for entry in drawn if verb(entry) == "draw-for" for where in places(entry)]
    once = [where for where in counting if where not in for_others]
    assert len(once) == len(set(once))
    undone = table.history.ledger.undone_rolls
    waiting = {(place.screen, place.seat, place.number) for place in undone}
    assert waiting.isdisjoint(once)


def stream(rolled: DiceRolled) -> list[tuple[bool, int, int]]:
    return [(s.place.screen, s.place.seat, s.place.number) for s in rolled.sources if s.place]


def places(entry: RecordedEntry) -> list[tuple[bool, int, int]]:
    return [where for rolled in rolls(entry) for where in stream(rolled)]


def verb(entry: RecordedEntry) -> str:
    return str(getattr(getattr(entry, "intent", None), "verb", ""))


def test_the_table_and_the_screen_have_streams_of_their_own() -> None:
    dice = StreamDice(key_table=b"t" * 32, key_screen=b"s" * 32, seat=3, ledger=DiceLedger(1))
    faces = [[dice.hand(asking(secret=secret)).draw(1000) for _ in range(4)] for secret in (False, True)]
    assert faces[0] != faces[1]


def test_trying_something_out_uses_nothing_up() -> None:
    ledger = DiceLedger(1)
    dice = StreamDice(key_table=b"t" * 32, key_screen=b"s" * 32, seat=3, ledger=ledger)
    hand = dice.hand(asking())
    assert hand.sources() == ()
    hand.draw(6)
    hand.draw(6)
    assert hand.sources() == (Source("stream", 2, 1, StreamPlace(screen=False, fork=0, seat=3, number=0)),)
    assert ledger == DiceLedger(1)


def test_a_roll_gets_its_place_with_its_first_die() -> None:
    dice = StreamDice(key_table=b"t" * 32, key_screen=b"s" * 32, seat=3, ledger=DiceLedger(1))
    assert dice.hand(asking("a flat five")).sources() == ()
    second = dice.hand(asking())
    second.draw(6)
    assert second.sources() == (Source("stream", 1, 1, StreamPlace(screen=False, fork=0, seat=3, number=0)),)


def test_what_waits_of_an_action_is_known_by_class() -> None:
    table = ToyTable()
    table.do("hide", who="robin", secret=False)
    table.do("attack", attacker="robin", target="guard")
    hidden, attack = table.history.actions - 1, table.history.actions
    table.undo(hidden, attack)
    ledger = table.history.ledger
    assert ledger.waiting_of(table.history.dice_of(hidden)) == ()
    assert ledger.waiting_of(table.history.dice_of(hidden), screen=True) == (OPEN._replace(screen=True).place(0),)
    assert OPEN.place(0) in ledger.waiting_of(table.history.dice_of(attack))


# Recorded dice.


def test_recorded_dice_are_given_by_their_sides_and_then_new_ones_are_asked_for() -> None:
    record = rolls(ToyTable().do("roll", expression="1d20 + 2d6", typed=(17, 2, 5), who="robin"))[0]
    dice = RecordedDice([[record]], NoDice())
    hand = dice.hand(Request(roller="robin", purpose="roll", ordinal=0, occasion="another", repeat=4))
    assert hand.request.key == record.request
    assert [hand.draw(sides) for sides in (6, 20, 6)] == [2, 17, 5]
    with pytest.raises(DiceNeeded) as wanted:
        hand.draw(6)
    assert (wanted.value.sides, wanted.value.request.purpose) == (6, "roll")
    other = dice.hand(asking("roll", 1))
    with pytest.raises(DiceNeeded, match="robin now needs a d20 .roll. that was never rolled"):
        other.draw(20)


@given(st.lists(st.tuples(st.sampled_from((4, 6)), st.integers(1, 4)), max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_latest_outcome_decides_and_earlier_ones_fill_up(dice: list[tuple[int, int]], chance: object) -> None:
    def outcome(faces: list[tuple[int, int]]) -> list[DiceRolled]:
        text = " + ".join(f"1d{sides}" for sides, _ in faces) or "0"
        return rolls(ToyTable(people=False).do("roll", seat="", expression=text, typed=[face for _, face in faces]))

    first, second = dice, dice[: len(dice) // 2]
    second = [(sides, 5 - face) for sides, face in second]
    key = Request(roller="", purpose="roll", ordinal=0, occasion="", repeat=0)
    hand = RecordedDice([outcome(first), outcome(second)], NoDice()).hand(key)
    for sides in (4, 6):
        wanted = [face for of, face in first if of == sides]
        latest = [face for of, face in second if of == sides]
        assert [hand.draw(sides) for _ in wanted] == [*latest, *wanted[len(latest) :]]


def test_there_are_no_dice_without_a_reason() -> None:
    with pytest.raises(Refused, match="it rains"):
        NoDice("it rains").hand(asking()).draw(6)
    NoDice().finish()
    PhysicalDice(()).finish()


def test_entropy_after_the_first_roll_seals_nothing_in_a_session_without_one() -> None:
    table = ToyTable()
    assert not table.history.ledger.sealed
    table.roll()
    assert table.history.ledger.sealed
    table.undo(table.history.actions)
    assert table.history.ledger.sealed
    with pytest.raises(NotFound):
        table.do("roll", expression="1d6", who="nobody")
