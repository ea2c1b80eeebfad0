"""Effects that last: what a catalogue says of somebody for as long as a condition is on record.

On record: a condition whose data have ``of``, the origin of its effects, and ``at``, a path to each of them, as in ``1/fail/0``
(see ``data.at``). So nothing is copied, and the numbers stay in the catalogue. What somebody always has needs no condition.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from rollbook.domain.events import Data
from rollbook.domain.state.sealing import NOTHING
from rollbook.kit import data, fields
from rollbook.kit.remembering import remembered
from rollbook.plugin import Character, Condition

__all__ = ["AT", "OF", "Held", "Lasting"]

OF, AT = "of", "at"


class Held(NamedTuple):
    """An effect that holds for somebody: what it is called, the effect of its kind, and the condition that brings it."""

    label: str
    effect: Any
    condition: Condition | None = None

    @property
    def source(self) -> str:
        """The character who brought it, "" for none."""
        return self.condition.source if self.condition is not None else ""

    @property
    def data(self) -> Data:
        """The data of the condition that brings it, {} for none."""
        return self.condition.data if self.condition is not None else NOTHING


Standing: TypeAlias = Callable[[Character], Iterable[Held]]


def _as_it_is(_: Character, condition: Condition, effect: Any) -> Held:
    return Held(condition.name, effect, condition)


class Lasting:
    """The effects of one game's catalogue.

    ``effects_of`` are those of an origin. ``laid`` gives the effect that a condition lays on somebody as it then holds, or
    None where it does not, since the same lies on them more strongly.
    """

    def __init__(
        self,
        effects_of: Callable[[str], Sequence[data.Kinds]],
        laid: Callable[[Character, Condition, Any], Held | None] = _as_it_is,
    ) -> None:
        self._effects_of, self._laid = effects_of, laid
        self._standing: list[Standing] = []
        self.at = lru_cache(maxsize=4096)(self._at)

        @remembered
        def gathered(who: Character) -> dict[str, tuple[Held, ...]]:
            return self._gather(who)

        self._gathered = gathered

    def standing(self, found: Standing) -> Standing:
        """Register a source of effects that somebody always has, of whatever kinds (a decorator)."""
        self._standing.append(found)
        return found

    def on(self, who: Character, kind: str) -> tuple[Held, ...]:
        """The effects of a kind that hold for a character: those of conditions, then the standing ones."""
        return self._gathered(who).get(kind, ())

    def laid_on(self, who: Character) -> Iterator[Held]:
        """Yield the effects that lie on a character, by conditions."""
        for condition in who.conditions.values():
            origin = fields.text(condition.data, OF)
            for path in fields.names(condition.data, AT) if origin else ():
                effect = self.at(origin, path)
                held = self._laid(who, condition, effect) if effect is not None else None
                if held is not None:
                    yield held

    def _at(self, origin: str, path: str) -> Any:
        """The effect of an origin to which a path leads, None if the catalogue has none there."""
        found = data.at(self._effects_of(origin), path)
        return found if isinstance(found, data.Kinds) else None

    def _gather(self, who: Character) -> dict[str, tuple[Held, ...]]:
        found: dict[str, tuple[Held, ...]] = {}
        for held in (*self.laid_on(who), *(each for source in self._standing for each in source(who))):
            found[held.effect.kind] = (*found.get(held.effect.kind, ()), held)
        return found
