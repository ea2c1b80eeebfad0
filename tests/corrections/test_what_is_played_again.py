"""A later action is played again only if it read what a correction changes, and is told only if something came of it."""

from __future__ import annotations

from rollbook.domain.corrections.changes import Amend, Correction, Effect, Undo
from rollbook.domain.corrections.preview import preview
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import CheckResolved, NoteWritten
from rollbook.domain.history.history import History
from tests.support.comparison import comparable
from tests.support.dice import rolls
from tests.support.toy_table import ToyTable


def test_what_follows_is_played_again_with_the_same_dice() -> None:
    table = ToyTable()
    table.do("adjust", who="robin", what="skill", by=-100, reason="blindfolded")
    blind = table.state
    attack = table.do("attack", attacker="robin", target="guard").action
    table.do("bet", who="marian", dice=2)
    before = table.history.effective(attack)
    assert before is not None
    made = table.preview_drawing({table.history.entries[8].action: Undo()})
    table.apply(made)
    after = table.history.effective(attack)
    assert after is not None
    assert after.kind is EntryKind.REVISED
    assert rolls(before)[0].dice == rolls(after)[0].dice
    assert rolls(before)[0].total + 100 == rolls(after)[0].total
    assert after.causation == table.history.head - 1
    assert made.skipped == 1 + len([e for e in table.history.entries if _verb(e) == "draw-for"])
    assert blind.characters["robin"].stats["skill"] == -97


def _verb(entry: RecordedEntry) -> str:
    return entry.intent.verb if entry.is_outcome else ""


def test_what_an_action_looks_at_may_change_without_its_outcome_changing() -> None:
    table = ToyTable()
    table.hurt("guard", 2)
    loyal = table.do("trait", who="robin", trait="loyal").action
    worry = table.do("worry", who="robin").action
    table.undo(loyal)
    later = table.preview({9: Amend({"by": -5})})
    assert [c.action for c in later.of(Effect.CHANGED)] == [worry]
    (check,) = [event for event in later.consequences[-1].after.events if isinstance(event, CheckResolved)]  # type: ignore[union-attr]
    assert not check.success


def test_what_was_left_to_stand_is_followed_by_what_it_looks_at_now() -> None:
    table = ToyTable()
    table.hurt("guard", 2)
    loyal = table.do("trait", who="robin", trait="loyal").action
    worry = table.do("worry", who="robin").action
    table.undo(loyal, stand=True)
    assert [c.action for c in table.preview({9: Amend({"by": -5})}).of(Effect.CHANGED)] == [worry]
    table.undo(worry)
    table.redo(loyal)
    table.redo(worry, stand=True)
    table.hurt("marian", 1)
    later = table.preview({table.history.actions: Undo()})
    assert later.of(Effect.CHANGED) == ()


def test_what_is_redone_may_look_at_other_things_than_before() -> None:
    table = ToyTable()
    table.hurt("guard", 2)
    loyal = table.do("trait", who="robin", trait="loyal").action
    worry = table.do("worry", who="robin").action
    table.undo(worry)
    table.undo(loyal)
    table.redo(worry)
    later = table.preview({9: Amend({"by": -5})})
    assert [c.action for c in later.of(Effect.CHANGED)] == [worry]


def test_the_order_in_which_things_were_gained_is_state_too() -> None:
    table = ToyTable()
    for trait in ("brave", "sly"):
        table.do("trait", who="robin", trait=trait)
    lose = table.do("trait", who="robin", trait="brave", lose=True).action
    again = table.do("trait", who="robin", trait="brave").action
    recite = table.do("recite", who="robin").action
    assert table.history.latest_outcome(recite).events == (NoteWritten(text="sly, brave", about="robin"),)
    made = table.undo(lose, again)
    assert table.history.latest_outcome(recite).events == (NoteWritten(text="brave, sly", about="robin"),)
    assert comparable(made.after) == comparable(table.state)
    assert [(c.label, c.before, c.after) for c in made.changes] == [("Traits", "sly, brave", "brave, sly")]


def test_what_reads_nothing_that_changed_is_not_played_again() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 5)
    for _ in range(5):
        table.do("gain-token", who="marian")
    table.do("heal", who="robin", dice=1)
    made = table.preview({wound: Amend({"by": -6})})
    assert (made.resolved, made.skipped) == (1, 5)


def test_the_clock_of_an_earlier_hour_changes_what_looks_at_it() -> None:
    table = ToyTable()
    nap = table.do("pass-time", amount=2, unit="hours").action
    look = table.do("look-up").action
    table.amend(nap, amount=13)
    assert table.history.latest_outcome(look).events == (NoteWritten(text="the moon"),)


def test_what_is_played_again_and_comes_out_the_same_is_named_and_all_the_rest_is_counted() -> None:
    table = ToyTable()
    wound = table.hurt("guard", 2)
    table.do("worry", who="marian")
    same = table.do("worry", who="robin").action
    undone = table.do("worry", who="robin").action
    table.undo(undone)
    table.do("gain-token", who="guard")
    made = table.preview({wound: Amend({"by": -3})})
    assert (made.same, made.resolved, made.skipped) == ((same - 1, same), 2, 1)
    again = table.preview({wound: Amend({"by": -2})})
    assert (again.same, again.resolved, again.skipped) == ((), 0, 3)


def test_what_comes_out_the_same_but_looks_at_other_things_is_noted_without_a_word() -> None:
    table = ToyTable()
    table.hurt("guard", 2)
    loyal = table.do("trait", who="robin", trait="loyal").action
    worry = table.do("worry", who="robin").action
    made = table.undo(loyal)
    assert made.same == (worry,)
    assert [one.action for one in made.consequences] == [loyal]
    noted = table.history.latest_outcome(worry)
    assert noted.kind is EntryKind.REVISED
    assert "@guard.lost,who" in noted.reads


def test_what_looked_at_another_field_is_not_played_again_and_what_looked_at_all_of_the_character_is() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 5)
    gain = table.do("gain-token", who="robin").action
    correction = Correction(changes={wound: Amend({"by": -6})}, dice=NoDice())
    made = preview(table.history, correction, table.rulebook)
    assert (made.same, made.skipped) == ((), 1)
    older = History(
        entry._replace(reads=tuple(read.partition(".")[0] for read in entry.reads)) for entry in table.history.entries
    )
    made = preview(older, correction, table.rulebook)
    assert (made.same, made.skipped) == ((gain,), 0)
    assert [one.action for one in made.consequences] == [wound]
    assert len(made.entries) == 1, "what an older entry says of all of a character covers what is noted today"
