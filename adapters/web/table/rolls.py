"""Rolls as they lie on a card: each die with its face and its fate, what was added, and the total."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from domain.dice.record import OVERRIDE, PHYSICAL
from domain.events import DiceRolled
from domain.records import Record
from domain.state import CampaignState

_LABEL = re.compile(r"\[[^\]]*\]")


@attrs.frozen(kw_only=True)
class DieView(Record):
    """One die. ``is_kept``: it counts. ``origin`` is "typed" for a real die, "put" for one that the GM put there, or ""."""

    sides: int
    face: int
    is_kept: bool = True
    origin: str = ""

    @property
    def title(self) -> str:
        """What there is to say about the die besides its face."""
        origin = {"typed": "a real die, typed in", "put": "put there by the GM"}.get(self.origin, "")
        return ", ".join(filter(None, (f"d{self.sides}", origin, "" if self.is_kept else "did not count")))


@attrs.frozen(kw_only=True)
class RollView(Record):
    """One roll. ``added`` are flat numbers with their labels; ``is_secret``: it fell behind the screen."""

    roller: str
    purpose: str
    expression: str
    dice: tuple[DieView, ...]
    added: tuple[tuple[int, str], ...]
    total: int
    is_secret: bool = False


def roll_view(roll: DiceRolled, campaign: CampaignState) -> RollView:
    """A roll as it was recorded; its roller by name, if it is somebody in the campaign."""
    known = campaign.characters.get(roll.roller)
    return RollView(
        roller=known.name if known else roll.roller,
        purpose=roll.purpose,
        expression=next(iter(_LABEL.sub("", roll.expression).split()), ""),
        dice=tuple(_dice(roll)),
        added=tuple((flat.amount, flat.label) for flat in roll.flat),
        total=roll.total,
        is_secret=roll.secret,
    )


def _dice(roll: DiceRolled) -> Iterator[DieView]:
    names = {PHYSICAL: "typed", OVERRIDE: "put"}
    origins = [names.get(source.kind, "") for source in roll.sources for _ in range(source.dice)]
    origins += [""] * (len(roll.dice) - len(origins))
    for die, origin in zip(roll.dice, origins, strict=False):
        yield DieView(sides=die.sides, face=die.face, is_kept=die.kept, origin=origin)
