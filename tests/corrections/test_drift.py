"""What the installed rules would no longer decide as recorded is left as it is and reported."""

from __future__ import annotations

import attrs
import pytest

from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import Effect, Undo
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import PhysicalDice
from rollbook.domain.events import Event, NoteWritten
from tests.support.toy import TOY
from tests.support.toy_table import ToyTable
from tests.support.toy_verbs import Worry


class Anxious(Worry):
    """The next version of the rules."""

    def resolve(self, table: object) -> None:
        table.character(self.who)  # type: ignore[attr-defined]
        table.record(NoteWritten(text="worried sick", about=self.who))  # type: ignore[attr-defined]


def newer(version: str = "2") -> object:
    actions = tuple(Anxious if action is Worry else action for action in TOY.actions)
    return attrs.evolve(TOY, version=version, actions=actions)


@pytest.mark.parametrize("version", ["1", "2"])
def test_what_the_installed_rules_no_longer_give_is_left_and_reported(version: str) -> None:
    table = ToyTable()
    wound = table.hurt("guard", 1)
    worry = table.do("worry", who="robin").action
    events: tuple[Event, ...] = table.history.latest_outcome(worry).events
    table.rulebook.rulesets["toy"] = newer(version)  # type: ignore[assignment]
    made = table.undo(wound)
    (drifted,) = made.of(Effect.DRIFTED)
    assert (drifted.action, drifted.after) == (worry, None)
    assert table.history.latest_outcome(worry).events == events
    table.undo(worry)
    table.redo(worry)
    assert table.history.latest_outcome(worry).events == events


class Broken(Worry):
    """Rules that no longer know what an older version asked for."""

    def resolve(self, table: object) -> None:
        raise KeyError(self.who)


class Calm(Worry):
    """Rules that refuse now."""

    def resolve(self, table: object) -> None:
        raise Refused(f"{self.who} does not worry.")


@pytest.mark.parametrize("other", [Anxious, Broken, Calm])
@pytest.mark.parametrize("version", ["1", "2"])
def test_an_action_that_the_rules_would_not_decide_so_now_comes_back_as_it_was(
    version: str, other: type[Worry]
) -> None:
    table = ToyTable()
    wound = table.hurt("guard", 1)
    worry = table.do("worry", who="robin").action
    events = table.history.latest_outcome(worry).events
    actions = tuple(other if action is Worry else action for action in TOY.actions)
    table.rulebook.rulesets["toy"] = attrs.evolve(TOY, version=version, actions=actions)  # type: ignore[index]
    assert [one.action for one in table.undo(wound).of(Effect.DRIFTED)] == [worry]
    table.undo(worry)
    assert [one.action for one in table.redo(worry).of(Effect.REDONE)] == [worry]
    assert table.history.latest_outcome(worry).events == events


class Thirsty(Worry):
    """Rules that want a die where there was none."""

    def resolve(self, table: object) -> None:
        table.character(self.who)  # type: ignore[attr-defined]
        table.roll("1d6", roller=self.who, purpose="thirst")  # type: ignore[attr-defined]


def test_what_has_drifted_asks_for_no_dice() -> None:
    table = ToyTable()
    wound = table.hurt("guard", 1)
    worry = table.do("worry", who="robin").action
    actions = tuple(Thirsty if action is Worry else action for action in TOY.actions)
    table.rulebook.rulesets["toy"] = attrs.evolve(TOY, actions=actions)
    made = table.preview({wound: Undo()})
    assert [drifted.action for drifted in made.of(Effect.DRIFTED)] == [worry]
    with pytest.raises(DiceError, match="left over"):
        table.preview({wound: Undo()}, dice=PhysicalDice((3,)))


def test_an_amendment_under_newer_rules_says_so() -> None:
    table = ToyTable()
    worry = table.do("worry", who="robin").action
    table.rulebook.rulesets["toy"] = newer()  # type: ignore[assignment]
    table.amend(worry, who="marian")
    outcome = table.history.latest_outcome(worry)
    assert outcome.version == "2"
    assert outcome.events == (NoteWritten(text="worried sick", about="marian"),)
