"""Finding rulesets: every entry point of the group ``rollbook.rulesets``, ours and anybody's, through the same door."""

from __future__ import annotations

from collections import Counter, defaultdict
from importlib.metadata import EntryPoint, entry_points

import attrs

from domain.errors import RulesetBroken
from domain.ruleset import API, Ruleset
from domain.verbs import Action

GROUP = "rollbook.rulesets"


@attrs.frozen
class Shelf:
    """What was found: rulesets by key, the distributions they came from, and what was refused, with the reason."""

    rulesets: dict[str, Ruleset]
    origins: dict[str, str]
    broken: tuple[RulesetBroken, ...] = ()


def discover() -> Shelf:
    """Load every installed ruleset. A broken plug-in is refused by name and never takes the others down."""
    found: dict[str, list[EntryPoint]] = defaultdict(list)
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if point.value not in {known.value for known in found[point.name]}:
            found[point.name].append(point)
    rulesets: dict[str, Ruleset] = {}
    origins: dict[str, str] = {}
    broken: list[RulesetBroken] = []
    for key, points in found.items():
        try:
            rulesets[key] = _load(key, points)
            origins[key] = _distribution(points[0])
        except RulesetBroken as fault:
            broken.append(fault)
    return Shelf(rulesets, origins, tuple(broken))


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown distribution"


def _load(key: str, points: list[EntryPoint]) -> Ruleset:
    point = points[0]
    where = f"{_distribution(point)}, {point.value}"
    if len(points) > 1:
        others = ", ".join(_distribution(other) for other in points)
        raise RulesetBroken(f"The ruleset {key!r} is claimed by several distributions ({others}): remove all but one.")
    try:
        ruleset = point.load()
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise RulesetBroken(f"The ruleset {key!r} ({where}) fails on import: {what}") from error
    try:
        fault = _fault(key, ruleset)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise RulesetBroken(f"The ruleset {key!r} ({where}) breaks the contract: {what}.") from error
    if fault:
        raise RulesetBroken(f"The ruleset {key!r} ({where}) breaks the contract: {fault}.")
    assert isinstance(ruleset, Ruleset)
    return ruleset


def _fault(key: str, ruleset: object) -> str:
    """What is wrong with the object that an entry point names; "" if nothing is."""
    if not isinstance(ruleset, Ruleset):
        return f"it is a {type(ruleset).__name__}, not a Ruleset"
    if ruleset.key != key:
        return f"its key is {ruleset.key!r}, but its entry point is called {key!r}"
    if ruleset.api > API:
        return f"it is made for version {ruleset.api} of the plug-in contract, and this rollbook speaks version {API}"
    if not isinstance(ruleset.version, str):
        return f"its version is {ruleset.version!r}, which is no text"
    if not callable(ruleset.sheet):
        return "its sheet cannot be called"
    if not attrs.has(ruleset.settings):
        return "its settings are not an attrs class"
    verbs = Counter(
        action.verb for action in ruleset.actions if isinstance(action, type) and issubclass(action, Action)
    )
    twice = next((verb for verb, many in verbs.items() if many > 1), None)
    if twice:
        return f"it has two verbs called {twice!r}"
    return next((fault for fault in map(_verb_fault, ruleset.actions) if fault), "")


def _verb_fault(action: type[Action]) -> str:
    if not (isinstance(action, type) and issubclass(action, Action)):
        return f"{action!r} is among its verbs but is no Action"
    if not action.verb:
        return f"{action.__name__} has no verb"
    if action.resolve is Action.resolve:
        return f"the verb {action.verb!r} ({action.__name__}) does not say how it is resolved"
    return ""
