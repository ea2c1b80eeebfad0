"""Whether dice fall in the order that their verb says (QG.5)."""

from collections.abc import Iterable

from rollbook.domain.dice.steps import DiceStep, is_test, out_of_order, said
from rollbook.domain.events import DiceRolled, Event
from rollbook.domain.rules.action import Action


def rolls_in(events: Iterable[Event]) -> tuple[DiceRolled, ...]:
    """The rolls among events, as they fell."""
    return tuple(event for event in events if isinstance(event, DiceRolled) and event.dice)


def fault_in_order(verb: type[Action], events: Iterable[Event]) -> str:
    """What is wrong with the order in which a verb rolls its dice; "" if nothing is, or if the verb says nothing about it."""
    rolls = rolls_in(events)
    if not verb.typed_dice:
        return ""
    purpose = out_of_order(verb.typed_dice, [roll.purpose for roll in rolls])
    if purpose:
        fell = ", ".join(f"{roll.purpose} ({roll.expression})" for roll in rolls)
        return f"{verb.verb} says that its dice are {said(verb.typed_dice)}; {purpose!r} is out of that order: {fell}"
    return next((_late_test(verb.typed_dice, roll) for roll in rolls if _late_test(verb.typed_dice, roll)), "")


def _late_test(steps: tuple[DiceStep, ...], roll: DiceRolled) -> str:
    """A rule looks at the face of a die that is no test by the verb's order."""
    is_any = any("*" in purposes.split("|") for step in steps for _, purposes in step.rolls)
    if not roll.natural or is_any or is_test(steps, roll.purpose):
        return ""
    return (
        f"{roll.purpose!r} looks at the face of {roll.expression}, so it is a test and comes before effects and tables"
    )
