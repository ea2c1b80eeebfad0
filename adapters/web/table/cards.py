"""Cards of a log, as plain values for templates: an action as it counts today, with its dice and its earlier outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import attrs

from rollbook.domain.base.identifiers import ActionNumber, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.dice.record import OVERRIDE, PHYSICAL
from rollbook.domain.events import DiceRolled
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.phrases import sentence
from rollbook.projections.roll_lines import line_of
from rollbook.projections.session_log import LogLine


@attrs.frozen(kw_only=True)
class DieView(Record):
    """One die. ``is_kept``: it counts. ``origin`` is "typed" for a real die, "put" for one that the GM set, or ""."""

    sides: int
    face: int
    is_kept: bool = True
    origin: str = ""

    @property
    def title(self) -> str:
        """The die in words, without its face."""
        origin = {"typed": "a real die, typed in", "put": "put there by the GM"}.get(self.origin, "")
        return ", ".join(filter(None, (f"d{self.sides}", origin, "" if self.is_kept else "did not count")))


@attrs.frozen(kw_only=True)
class RollView(Record):
    """One roll from left to right: ``terms`` are texts, each with the dice after it; ``after`` is the last text.

    In the texts labels are in brackets. ``is_secret``: it was rolled behind the screen.
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
    """A roll as it was recorded; its roller by name, if it is a character of the campaign."""
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


FEW_PHRASES = 3
"""Results of an action that are shown large; a longer list unfolds."""


class CardKind(StrEnum):
    """The looks of a card."""

    ACTION = "action"
    LINE = "line"
    SESSION = "session"
    SCENE = "scene"
    ROUND = "round"
    X_CARD = "x"
    CORRECTION = "correction"


@attrs.frozen(kw_only=True)
class Outcome(Record):
    """The outcome of an action. ``success`` is 1 for ✓, -1 for ✗, 0 if nothing was at stake.

    ``total`` is that of its check, or of the one roll of an action that is only a roll: then there is no ``target``.
    ``phrases`` are the results in the words of the log; ``seat`` decided a later outcome, for a ``reason``.
    """

    phrases: tuple[str, ...]
    success: int = 0
    total: int | None = None
    target: int | None = None
    rolls: tuple[RollView, ...] = ()
    seat: SeatName = ""
    reason: str = ""
    revision: int = 0

    def is_other_than(self, other: Outcome) -> bool:
        """True if a reader sees another outcome: other words, other numbers or other dice."""
        mine, theirs = ((each.phrases, each.success, each.total, each.target, each.rolls) for each in (self, other))
        return mine != theirs

    @property
    def headline(self) -> str:
        """The first few results, which are shown large."""
        few = self.phrases if len(self.phrases) <= FEW_PHRASES + 1 else self.phrases[:FEW_PHRASES]
        return capital("; ".join(few))

    @property
    def more(self) -> tuple[str, ...]:
        """The results that are not in the headline."""
        return self.phrases[FEW_PHRASES:] if len(self.phrases) > FEW_PHRASES + 1 else ()

    @property
    def dice(self) -> int:
        """The number of its dice."""
        return sum(len(roll.dice) for roll in self.rolls)


@attrs.frozen(kw_only=True)
class Consequence(Record):
    """An action that a correction undid, redid or changed: ``done`` says which, ``text`` is its new outcome."""

    action: ActionNumber
    done: str
    text: str = ""


@attrs.frozen(kw_only=True)
class Card(Record):
    """One card. ``id`` is its element's. Its ``first`` row has its place in the order of play; it shows the row ``shown``.

    ``now`` is the outcome that counts or, if it ``is_undone``, the one that was undone; ``before`` are replaced
    outcomes that differ from it, oldest first. ``undone_by`` is the seat that undid it. ``consequences`` are a
    correction's, and ``more`` is the number of those not listed. ``inserted`` are the actions that were inserted before it,
    in the order of play. A heading has a ``title`` and a ``subtitle``; the
    title of a line names the character whose turn it begins, that of a correction says what it did to its action.
    """

    id: str
    kind: CardKind
    first: LogLine
    shown: LogLine
    now: Outcome
    before: tuple[Outcome, ...] = ()
    is_undone: bool = False
    undone_by: SeatName = ""
    consequences: tuple[Consequence, ...] = ()
    more: int = 0
    inserted: tuple[ActionNumber, ...] = ()
    is_final: bool = False
    title: str = ""
    subtitle: str = ""

    @property
    def call(self) -> str:
        """The card's number and place as people write them: ``#12``, or ``#57 before #31``."""
        is_among_others = self.first.before and self.kind is not CardKind.CORRECTION
        return f"{self.number} before #{self.first.before}" if is_among_others else self.number

    @property
    def number(self) -> str:
        """The card's number: ``#12``, or for a correction the entry's, ``@47``."""
        return f"@{self.first.entry}" if self.kind is CardKind.CORRECTION else f"#{self.first.action}"

    @property
    def spoken(self) -> str:
        """The card as one sentence, for screen readers."""
        if self.kind is CardKind.CORRECTION:
            return f"#{self.first.action} {self.title}"
        if self.kind is CardKind.LINE and self.title:
            return f"{self.title}’s turn"
        success = {1: "Success: ", -1: "Failure: "}.get(self.now.success, "")
        return success + (self.title or self.sentence)

    @property
    def sentence(self) -> str:
        """The actor, the action and its results, as a sentence."""
        return sentence(self.shown.who, self.shown.what, "; ".join(self.now.phrases))

    @property
    def line(self) -> tuple[str, str]:
        """A short card as one line: its emphasised beginning, and the rest."""
        return (self.title, "’s turn") if self.title else (self.shown.who, self.sentence.removeprefix(self.shown.who))


def capital(text: str) -> str:
    """A text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
