"""Rolls as they lie on a card: each die with its face and its fate, what was added, and the total."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.record import OVERRIDE, PHYSICAL
from rollbook.domain.events import DiceRolled
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.roll_lines import line_of


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
    """One roll from left to right: ``terms`` are texts with the dice behind each, ``after`` is what follows the last dice.

    In the texts labels are in brackets. ``is_secret``: it fell behind the screen.
    """

    roller: str
    purpose: str
    terms: tuple[tuple[str, tuple[DieView, ...]], ...]
    after: str
    total: int
    is_secret: bool = False

    @property
    def dice(self) -> tuple[DieView, ...]:
        """All its dice."""
        return tuple(die for _, dice in self.terms for die in dice)


def roll_view(roll: DiceRolled, campaign: CampaignState) -> RollView:
    """A roll as it was recorded; its roller by name, if it is somebody in the campaign."""
    known = campaign.characters.get(roll.roller)
    dice = tuple(_dice(roll))
    line = line_of(roll)
    return RollView(
        roller=known.name if known else roll.roller,
        purpose=roll.purpose,
        terms=tuple((before, tuple([dice[place] for place in places])) for before, places in line.terms),
        after=line.after,
        total=roll.total,
        is_secret=roll.secret,
    )


def _dice(roll: DiceRolled) -> Iterator[DieView]:
    names = {PHYSICAL: "typed", OVERRIDE: "put"}
    origins = [names.get(source.kind, "") for source in roll.sources for _ in range(source.dice)]
    origins += [""] * (len(roll.dice) - len(origins))
    for die, origin in zip(roll.dice, origins, strict=False):
        yield DieView(sides=die.sides, face=die.face, is_kept=die.kept, origin=origin)
