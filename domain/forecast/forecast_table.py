"""A table at which no die falls: every roll goes up into the air of one path, and rules read it as they always do."""

from collections.abc import Callable
from typing import Any

from rollbook.domain.dice.notation import parse
from rollbook.domain.dice.record import Die
from rollbook.domain.dice.templates import fill
from rollbook.domain.events import DiceRolled
from rollbook.domain.forecast.path import Path
from rollbook.domain.forecast.undecided import undecided
from rollbook.domain.rules.table import Table


class ForecastRoll(DiceRolled):
    """A roll as a rule sees it. Its total and natural face are undecided; a look at its dice tells them apart."""

    __class__ = property(lambda _: DiceRolled)  # it may be recorded once more, or changed into another

    def __getattribute__(self, name: str) -> object:
        if name == "dice":
            look: Callable[[], tuple[Die, ...]] = super().__getattribute__("look")
            return look()
        return super().__getattribute__(name)


class ForecastTable(Table):
    """The table during one path. With ``whole`` every roll is looked at as soon as it is made."""

    def __init__(self, *args: Any, path: Path, whole: bool = False, **more: Any) -> None:
        super().__init__(*args, **more)
        self._path = path
        self._whole = whole

    def roll(
        self, expression: str, *, roller: str, purpose: str, natural: bool = False, secret: bool = False, **values: int
    ) -> DiceRolled:
        """A roll whose outcome is open. Raises DiceError for bad notation, TooMany where it cannot be counted out."""
        ordinal = self._rolls[(roller, purpose)]
        self._rolls[(roller, purpose)] += 1
        read = parse(fill(expression, **values) if values else expression)
        cast = self._path.cast(read.text, natural=natural, ordinal=ordinal)
        total = undecided(cast.throw, cast.falls.totals)
        face = undecided(cast.throw, cast.falls.naturals)
        known: dict[str, Any] = {
            "roller": roller,
            "purpose": purpose,
            "expression": read.text,
            "typed": expression,
            "total": int(total) if self._whole else total,
            "natural": int(face) if self._whole else face,
            "secret": self._rolls_unseen(roller, secret=secret),
        }
        self.record(DiceRolled(**known))
        fallen = ForecastRoll(**known)
        object.__setattr__(fallen, "look", cast.dice)
        return fallen
