"""The words of conditions after "is", where the name is that of a thing: what was dropped, held or put down."""

from rollbook.rulesets.russell.delve.lanterns import CLIPPED
from rollbook.rulesets.russell.delve.light_sources import IN_HAND, SET_DOWN
from rollbook.rulesets.russell.fight.criticals import DROPPED


def condition_words(condition: str) -> str:
    """The words for a condition of this game: "prone", "without the dropped bow", "with a torch in hand"."""
    if condition.startswith(DROPPED):
        return f"without the {condition}"
    if condition == CLIPPED or condition.endswith((IN_HAND, SET_DOWN)):
        return f"with a {condition}"
    return condition
