"""Finding rulesets: entry points of the group ``rollbook.rulesets``, from rollbook itself and from any other distribution.

The entry points are listed when the registry is first used. A ruleset is imported when it is asked for by its key, so a
command loads only the one that its campaign plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from rollbook.adapters.plugins.entry_points import EntryPoint, distribution, listed, load, origin
from rollbook.adapters.plugins.fingerprint import STARTED, fingerprint, loading_time, stamp
from rollbook.domain.base.errors import RollbookError, RulesetBroken, note_failure
from rollbook.domain.base.identifiers import GROUP

if TYPE_CHECKING:
    from rollbook.domain.rules.ruleset import Ruleset

from rollbook.application.registry import LazyMapping, RulesetRegistry


class InstalledRulesets(RulesetRegistry):
    """The rulesets of all entry points. A broken plug-in is refused by name and does not affect the others."""

    def __init__(self) -> None:
        super().__init__(
            LazyMapping(lambda: self._points, self._ruleset),
            LazyMapping(lambda: self._points, lambda key: distribution(self._points[key][0])),
            LazyMapping(lambda: self._points, self._fault),
            LazyMapping(lambda: ("", *self._points), self._fingerprint),
            LazyMapping(lambda: ("", *self._points), self._stamp),
        )
        self._loaded: dict[str, Ruleset | RulesetBroken] = {}
        self._loading_times: dict[str, int] = {"": STARTED}

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all entry points; none is loaded."""
        return tuple(self._points)

    @cached_property
    def _points(self) -> Mapping[str, list[EntryPoint]]:
        return listed(GROUP)

    def _load(self, key: str) -> Ruleset | RulesetBroken:
        if key not in self._loaded:
            self._loading_times[key] = loading_time(self._points[key][0].module)
            try:
                self._loaded[key] = _load(key, self._points[key])
            except RulesetBroken as fault:
                self._loaded[key] = fault
        return self._loaded[key]

    def _ruleset(self, key: str) -> Ruleset | None:
        loaded = self._load(key)
        return None if isinstance(loaded, RulesetBroken) else loaded

    def _fingerprint(self, key: str) -> str:
        if key:
            self._load(key)
        return fingerprint(self._points[key][0].module if key else "", self._loading_times[key])

    def _stamp(self, key: str) -> str:
        if key and isinstance(self._load(key), RulesetBroken):
            return ""
        return stamp(self._points[key][0].module if key else "", self._loading_times[key])

    def stamp_of_files(self, key: str) -> str:
        points = self._points.get(key, [])
        if key and len(points) != 1:
            return ""
        return stamp(points[0].module if key else "")

    def _fault(self, key: str) -> RulesetBroken | None:
        loaded = self._load(key)
        return loaded if isinstance(loaded, RulesetBroken) else None


def discover() -> RulesetRegistry:
    """The installed rulesets. Each is loaded when it is asked for."""
    return InstalledRulesets()


def _load(key: str, points: list[EntryPoint]) -> Ruleset:
    from rollbook.domain.rules.ruleset import Ruleset, fault_of

    called = f"The ruleset {key!r}"
    try:
        ruleset = load(points, called)
    except RollbookError as fault:
        raise RulesetBroken(str(fault), key=key) from fault
    cause = None
    try:
        broken = fault_of(key, ruleset)
    except Exception as error:  # noqa: BLE001 - the object of a plug-in may raise anything
        broken, cause = f"{type(error).__name__}: {error}", error
        note_failure("plugins", f"{called} breaks the contract", error)
    if broken:
        raise RulesetBroken(f"{called} ({origin(points[0])}) breaks the contract: {broken}.", key=key) from cause
    assert isinstance(ruleset, Ruleset)
    return ruleset
