"""What a plug-in promises, and what is wrong with an object that does not keep it: asked at the door, and by its author."""

from collections import Counter

import attrs

from rollbook.domain.rules.action import Action
from rollbook.domain.rules.adjustments import ADJUST
from rollbook.domain.rules.ruleset import API, Ruleset
from rollbook.domain.rules.squares import fault_of_squares


def fault_of(key: str, ruleset: object) -> str:
    """What is wrong with the object that the entry point ``key`` names; "" if nothing is."""
    if not isinstance(ruleset, Ruleset):
        return f"it is a {type(ruleset).__name__}, not a Ruleset"
    if ruleset.key != key:
        return f"its key is {ruleset.key!r}, but its entry point is called {key!r}"
    if ruleset.api > API:
        return f"it is made for version {ruleset.api} of the plug-in contract, and this rollbook speaks version {API}"
    if not isinstance(ruleset.version, str):
        return f"its version is {ruleset.version!r}, which is not a text"
    if fault := _hook_fault(ruleset):
        return fault
    if not attrs.has(ruleset.settings):
        return "its settings are not an attrs class"
    verbs = Counter(
        action.verb for action in ruleset.actions if isinstance(action, type) and issubclass(action, Action)
    )
    twice = next((verb for verb, many in verbs.items() if many > 1), None)
    if twice:
        return f"it has two verbs called {twice!r}"
    if ADJUST in ruleset.second_thoughts:
        return f"it calls a second thought {ADJUST!r}, which is what the GM's own corrections are called"
    return next((fault for fault in map(_verb_fault, ruleset.actions) if fault), "")


def _hook_fault(ruleset: Ruleset) -> str:
    dead = next((hook for hook in ("sheet", "board") if not callable(getattr(ruleset, hook))), "")
    return f"its {dead} cannot be called" if dead else fault_of_squares(ruleset.squares)


def _verb_fault(verb: type[Action]) -> str:
    if not (isinstance(verb, type) and issubclass(verb, Action)):
        return f"{verb!r} is among its verbs but is not an Action"
    if not verb.verb:
        return f"{verb.__name__} has no verb"
    if verb.resolve is Action.resolve:
        return f"the verb {verb.verb!r} ({verb.__name__}) does not say how it is resolved"
    return ""
