"""Scenarios: given what has happened, when a character acts with these dice, then these are the events.

Whatever is played, its dice must fall in the order that its verb says (``typed_dice``, QG.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self, TypeAlias, TypeVar

import attrs

from rollbook.domain.actions.campaign import StartCampaign
from rollbook.domain.dice.steps import DiceStep, is_test, out_of_order, said
from rollbook.domain.dice.supply import PhysicalDice
from rollbook.domain.events import ChoiceOffered, DiceRolled, Event, ParameterValue, Scalar
from rollbook.domain.rules.action import build, intent_of
from rollbook.domain.rules.playing import Played, play_out
from rollbook.domain.rules.ruleset import Ruleset, chosen_settings
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.domain.state.fold import fold
from rollbook.plugin import Action, CampaignState, Character, Record, RollbookError, SecondThought, Table

__all__ = ["Scenario", "ScenarioFailed", "WithDice", "like", "offers", "rule", "scenario", "with_dice"]

Given: TypeAlias = "Event | Action | WithDice"
Expected: TypeAlias = "Event | type[Event] | Callable[[Event], bool]"

_Test = TypeVar("_Test", bound=Callable[..., Any])


def rule(*numbers: str) -> Callable[[_Test], _Test]:
    """Mark a test with the numbers of the rules and rulings that it proves; they are kept in its ``rules``."""

    def mark(test: _Test) -> _Test:
        test.rules = (*numbers, *getattr(test, "rules", ()))  # type: ignore[attr-defined]
        return test

    return mark


@attrs.frozen
class WithDice(Record):
    """An action that has happened, with the dice that were rolled for it."""

    action: Action
    dice: tuple[int, ...] = ()


def with_dice(action: Action, *dice: int) -> WithDice:
    """An action that has happened, with its dice: ``given(with_dice(Join(...), 3, 4, 5))``."""
    return WithDice(action, dice)


class ScenarioFailed(AssertionError):
    """The events are not those that were expected."""


class Scenario:
    """A campaign in which things have happened, and one thing that happens now."""

    def __init__(self, ruleset: Ruleset, campaign: CampaignState) -> None:
        self.ruleset = ruleset
        self.before = campaign
        self._action: Action | None = None
        self._seat = ""
        self._dice: tuple[int, ...] = ()
        self._thoughts: tuple[SecondThought, ...] = ()
        self._played: Played | None = None

    def given(self, *happened: Given | Iterable[Given]) -> Self:
        """Add what has happened: events, and actions that need no dice or bring theirs (``with_dice``)."""
        for each in happened:
            if isinstance(each, Event):
                self.before = fold(self.before, (each,))
            elif isinstance(each, Action):
                self.before = self._play(each, ()).campaign
            elif isinstance(each, WithDice):
                self.before = self._play(each.action, each.dice).campaign
            else:
                self.given(*each)
        return self

    def when(self, action: Action, *thoughts: SecondThought, seat: str = "") -> Self:
        """Set the action that is taken now, its second thoughts and its seat."""
        self._action, self._thoughts, self._seat = action, thoughts, seat
        self._played, self._dice = None, ()
        return self

    def when_typed(self, verb: type[Action], **params: ParameterValue) -> Self:
        """Set the action by its verb and parameters, which are checked as in every front end."""
        return self.when(build(verb, params))

    def rolling(self, *faces: int) -> Self:
        """Set the dice that fall, in order."""
        self._dice = faces
        return self

    def then(self, *expected: Expected, only: bool = False) -> Self:
        """Expect these events, in this order; others may come between them unless it is ``only`` these.

        An event means itself, a class any event of it, a function any event that it accepts.
        """
        events = self.played.events
        if only and len(events) != len(expected):
            raise ScenarioFailed(f"{len(expected)} events were expected:{_listed(events)}")
        rest = iter(events)
        for each in expected:
            if not any(_is(event, each) for event in rest):
                raise ScenarioFailed(
                    f"{_named(each)}\nis not, or not in this order, among the events:{_listed(events)}"
                )
        return self

    def never(self, *unexpected: Expected) -> Self:
        for each in unexpected:
            found = next((event for event in self.played.events if _is(event, each)), None)
            if found is not None:
                raise ScenarioFailed(f"This was not expected: {found}")
        return self

    def refused(self, *parts: str) -> str:
        """Expect that the rules say no, with a sentence that has these parts. Returns the sentence."""
        try:
            played = self.played
        except RollbookError as refusal:
            said = str(refusal)
            missing = [part for part in parts if part not in said]
            if missing:
                raise ScenarioFailed(f"{missing[0]!r} is not in the refusal: {said}") from refusal
            return said
        raise ScenarioFailed(f"It was not refused:{_listed(played.events)}")

    @property
    def played(self) -> Played:
        """The played action. Raises its refusal, and ScenarioFailed for dice that run out or are left over."""
        if self._played is None:
            if self._action is None:
                raise ScenarioFailed("Nothing happens in this scenario: say what with when(…).")
            self._played = self._play(self._action, self._dice, self._thoughts, self._seat)
        return self._played

    @property
    def after(self) -> CampaignState:
        """The campaign when it has happened, or as it was given if nothing happens."""
        return self.before if self._action is None else self.played.campaign

    def character(self, name: str) -> Character:
        return self.after.characters[name]

    def sheet(self, name: str) -> Sheet:
        return self.ruleset.sheet(self.character(name), self.after)

    def events(self, kind: type[Event]) -> tuple[Any, ...]:
        """The events of one class."""
        return tuple(event for event in self.played.events if isinstance(event, kind))

    def go_on(self) -> Scenario:
        """A new scenario that begins where this one ends."""
        return Scenario(self.ruleset, self.after)

    def _play(
        self, action: Action, dice: tuple[int, ...], thoughts: tuple[SecondThought, ...] = (), seat: str = ""
    ) -> Played:
        intent = attrs.evolve(intent_of(action), second_thoughts=thoughts)
        dealt = PhysicalDice(dice)
        table = Table(self.before, action=action, intent=intent, dice=dealt, ruleset=self.ruleset, seat=seat)
        played = play_out(table, action)
        fault = fault_in_order(type(action), played.events)
        if fault:
            raise ScenarioFailed(fault)
        return played


def scenario(ruleset: Ruleset, **settings: Scalar) -> Scenario:
    """A campaign of this ruleset, with these house rules, in which nothing has happened yet."""
    rules = chosen_settings(ruleset, settings)
    start = StartCampaign(name="a test", identity="00", ruleset=ruleset.key, version=ruleset.version, settings=rules)
    table = Table(EMPTY, action=start, intent=intent_of(start), dice=PhysicalDice(()), ruleset=ruleset)
    played = play_out(table, start)
    return Scenario(ruleset, played.campaign)


def _is(event: Event, expected: Expected) -> bool:
    if isinstance(expected, Event):
        return event == expected
    if isinstance(expected, type):
        return isinstance(event, expected)
    return expected(event)


def like(kind: type[Event], /, **fields: Any) -> Callable[[Event], bool]:
    """An event of one class with these fields, whatever the others are."""

    def holds(event: Event) -> bool:
        return isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())

    holds.__name__ = f"{kind.__name__}({', '.join(f'{name}={value!r}' for name, value in fields.items())})"
    return holds


def offers(choice: str, keys: Iterable[str]) -> Callable[[Event], bool]:
    """A choice that is offered with options of these keys."""
    wanted = tuple(keys)

    def holds(event: Event) -> bool:
        if not isinstance(event, ChoiceOffered) or event.choice != choice:
            return False
        return tuple(option.key for option in event.options) == wanted

    holds.__name__ = f"the choice {choice} of {', '.join(wanted)}"
    return holds


def _named(expected: Expected) -> str:
    return getattr(expected, "__name__", None) or str(expected)


def _listed(events: Iterable[Event]) -> str:
    return "".join(f"\n  {event}" for event in events) or " none"


def rolls_in(events: Iterable[Event]) -> tuple[DiceRolled, ...]:
    """The rolls among events, as they fell."""
    return tuple(event for event in events if isinstance(event, DiceRolled) and event.dice)


def fault_in_order(verb: type[Action], events: Iterable[Event]) -> str:
    """The fault in the order in which a verb rolls its dice; "" for none, or if the verb declares no order."""
    rolls = rolls_in(events)
    if not verb.typed_dice:
        return ""
    purpose = out_of_order(verb.typed_dice, [roll.purpose for roll in rolls])
    if purpose:
        fell = ", ".join(f"{roll.purpose} ({roll.expression})" for roll in rolls)
        return f"{verb.verb} says that its dice are {said(verb.typed_dice)}; {purpose!r} is out of that order: {fell}"
    return next(filter(None, (_late_test(verb.typed_dice, roll) for roll in rolls)), "")


def _late_test(steps: tuple[DiceStep, ...], roll: DiceRolled) -> str:
    """The fault in a roll of whose die a rule looks at the face, although it is no test by the verb's order."""
    is_any = any("*" in purposes.split("|") for step in steps for _, purposes in step.rolls)
    if not roll.natural or is_any or is_test(steps, roll.purpose):
        return ""
    return (
        f"{roll.purpose!r} looks at the face of {roll.expression}, so it is a test and comes before effects and tables"
    )
