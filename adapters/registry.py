"""Finding rulesets: every entry point of the group ``rollbook.rulesets``, ours and anybody's, through the same door."""

from __future__ import annotations

from collections import defaultdict
from importlib.metadata import EntryPoint, entry_points

import attrs

from domain.contract import GROUP, fault_of
from domain.errors import RulesetBroken
from domain.ruleset import Ruleset

__all__ = ["GROUP", "RulesetRegistry", "discover"]


@attrs.frozen
class RulesetRegistry:
    """What was found: rulesets by key, the distributions they came from, and what was refused, with the reason."""

    rulesets: dict[str, Ruleset]
    origins: dict[str, str]
    broken: tuple[RulesetBroken, ...] = ()

    @property
    def packages(self) -> dict[str, str]:
        """The names of the distributions, without their versions."""
        return {key: origin.rpartition(" ")[0] for key, origin in self.origins.items()}


def discover() -> RulesetRegistry:
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
    return RulesetRegistry(rulesets, origins, tuple(broken))


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown distribution"


def _load(key: str, points: list[EntryPoint]) -> Ruleset:
    point = points[0]
    where = f"{_distribution(point)}, {point.value}"
    if len(points) > 1:
        others = "; ".join(f"{_distribution(other)}, {other.value}" for other in points)
        raise RulesetBroken(f"The ruleset {key!r} is claimed by several distributions ({others}): remove all but one.")
    try:
        ruleset = point.load()
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise RulesetBroken(f"The ruleset {key!r} ({where}) fails on import: {what}") from error
    try:
        fault = fault_of(key, ruleset)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise RulesetBroken(f"The ruleset {key!r} ({where}) breaks the contract: {what}.") from error
    if fault:
        raise RulesetBroken(f"The ruleset {key!r} ({where}) breaks the contract: {fault}.")
    assert isinstance(ruleset, Ruleset)
    return ruleset
