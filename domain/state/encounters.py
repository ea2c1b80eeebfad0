"""Fights in the state of a campaign: the rounds and turns of one, and the scenes in which others wait."""

from collections.abc import Collection, Mapping

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.state.sealing import NOTHING, Sealable, while_unsealed


@attrs.define(kw_only=True, on_setattr=while_unsealed)
class Encounter(Sealable):
    """A stretch of play that is counted in rounds. ``spent`` is what the current turn has used up, ``spent_on`` on what."""

    title: str = ""
    round: int = 0
    order: tuple[CharacterId, ...] = ()
    scores: tuple[int, ...] = ()
    acted: tuple[CharacterId, ...] = ()
    current: CharacterId = ""
    turn: int = 0
    spent: Mapping[str, int] = NOTHING
    spent_on: Mapping[str, tuple[str, ...]] = NOTHING
    sealed: bool = attrs.field(default=False, eq=False, repr=False)

    def waiting(self) -> tuple[CharacterId, ...]:
        """The characters who have not acted in this round, best initiative first."""
        return tuple(who for who in self.order if who not in self.acted)

    def without(self, names: Collection[CharacterId]) -> "Encounter":
        """The same without some who took part; in the turn of one of them it is nobody's turn."""
        left = self.copy()
        left.order = tuple(who for who in self.order if who not in names)
        left.scores = tuple(score for who, score in zip(self.order, self.scores, strict=False) if who not in names)
        left.current = "" if self.current in names else self.current
        left.seal()
        return left


@attrs.frozen(kw_only=True)
class WaitingScene(Record):
    """A scene that waits while the table plays another, with its fight, if any. ``clock`` is the time there."""

    number: int
    title: str = ""
    clock: int = 0
    encounter: Encounter | None = None

    @property
    def name(self) -> str:
        """The name that people use for the scene: its title, or else its number."""
        return self.title or f"scene {self.number}"

    def has_fighter(self, name: CharacterId) -> bool:
        """True if this character takes part in the fight that waits here."""
        return self.encounter is not None and name in self.encounter.order
