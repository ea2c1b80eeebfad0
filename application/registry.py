"""The registry of rulesets by key, with their distributions and the ones refused. An adapter finds them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rollbook.domain.base.errors import RulesetBroken, not_found

if TYPE_CHECKING:
    from rollbook.domain.rulebook import Rulebook
    from rollbook.domain.rules.ruleset import Ruleset

_Value = TypeVar("_Value")


class LazyMapping(Mapping[str, _Value]):
    """Values that are made one by one, when each is first asked for; a key that comes to None is not in it.

    Iterating over it, or asking its length, makes all of them.
    """

    def __init__(self, keys: Callable[[], Collection[str]], make: Callable[[str], _Value | None]) -> None:
        self._keys = keys
        self._make = make
        self._made: dict[str, _Value | None] = {}

    def _get(self, key: str) -> _Value | None:
        if key not in self._made and key in self._keys():
            self._made[key] = self._make(key)
        return self._made.get(key)

    def get(self, key: str, default: Any = None, /) -> Any:
        """A value, made if it has to be; it is asked for with every action."""
        value = self._made.get(key)
        if value is None:
            value = self._get(key)
        return default if value is None else value

    def __getitem__(self, key: str) -> _Value:
        value = self._get(key)
        if value is None:
            raise KeyError(key)
        return value

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._get(key) is not None

    def __iter__(self) -> Iterator[str]:
        return (key for key in self._keys() if self._get(key) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@attrs.define(slots=False, eq=False)
class RulesetRegistry:
    """Rulesets by key, the distributions they come from (name and version), and what was refused, with the reason.

    ``fingerprints`` and ``stamps`` are those of the rules as loaded, by key, and under "" those of a campaign without a ruleset.
    """

    rulesets: Mapping[str, Ruleset]
    origins: Mapping[str, str] = attrs.field(factory=dict)
    faults: Mapping[str, RulesetBroken] = attrs.field(factory=dict)
    fingerprints: Mapping[str, str] = attrs.field(factory=dict)
    stamps: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that are installed, loaded or not, broken or not."""
        return tuple(self.rulesets)

    @property
    def broken(self) -> tuple[RulesetBroken, ...]:
        """Every ruleset that was refused. Loads all of them."""
        return tuple(self.faults.values())

    @cached_property
    def packages(self) -> Mapping[str, str]:
        """The names of the distributions by the ruleset's key, without their versions."""
        return LazyMapping(lambda: self.origins, lambda key: self.origins[key].rpartition(" ")[0])

    def rulebook(self) -> Rulebook:
        """The rules that are played by, and their fingerprints."""
        from rollbook.domain.rulebook import Rulebook

        return Rulebook(self.rulesets, self.packages, self.faults, self.fingerprints, self.stamps)

    def stamp_of_files(self, key: str) -> str:  # noqa: ARG002 - rulesets that were given have no files
        """The stamp of the rules as they are installed, found without loading them; "" if it is not known."""
        return ""

    def ruleset(self, key: str) -> Ruleset:
        """A ruleset by its key. Raises NotFound with the nearest keys, RulesetBroken if its plug-in was refused."""
        if key in self.rulesets:
            return self.rulesets[key]
        if key in self.faults:
            raise self.faults[key]
        raise not_found("ruleset", key, self.keys)
