"""The form of effects and of the values in them, and rows that can be asked more than their fields."""

from typing import TYPE_CHECKING, Any, Self

from rollbook.kit import data
from rollbook.kit.data import Frozen as Part
from rollbook.kit.data import Row

__all__ = ["Effect", "Featured", "Part", "Parted", "Row"]


class Effect(data.Kinds):
    """One effect, a subclass for each kind."""

    if TYPE_CHECKING:  # the fields of a kind are data: catalogue.kinds

        def __getattr__(self, name: str) -> Any: ...


class Parted(Part):
    """A feature, which may have parts."""

    name: str
    parts: tuple[Any, ...]

    def called(self, name: str) -> Self | None:
        """The feature or the part of it, at any depth, with this name."""
        if self.name.casefold() == name.casefold():
            return self
        return next((found for part in self.parts if (found := part.called(name))), None)


class Featured(Part):
    """A stat block, whose features stand in several lists."""

    traits: tuple[Any, ...]
    actions: tuple[Any, ...]
    bonus_actions: tuple[Any, ...]
    reactions: tuple[Any, ...]
    legendary_actions: tuple[Any, ...]

    @property
    def features(self) -> tuple[Any, ...]:
        """All traits and actions."""
        return self.traits + self.actions + self.bonus_actions + self.reactions + self.legendary_actions
