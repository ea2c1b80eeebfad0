"""A move of random play, its result, and how it would be typed."""

import re

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.supply import DiceSupply, PhysicalDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import Event
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.playing import Played
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.testing.conformance.seeded_dice import SeededDice

GM, PLAYER = "Ana", "mira"
_PLAIN = re.compile(r"[\w.,:+%=-]+")


@attrs.frozen(kw_only=True)
class Move(Record):
    """What somebody sets out to do: with which dice (those of a ``seed``, or ``typed`` ones), from which seat."""

    intent: Intent
    seat: str = GM
    seed: int = 0
    typed: tuple[int, ...] | None = None
    secret: bool = False

    def dice(self) -> DiceSupply:
        """The dice of this move, from the first one on."""
        return SeededDice(self.seed) if self.typed is None else PhysicalDice(self.typed)


@attrs.frozen(kw_only=True)
class MoveResult(Record):
    """What came of a move: it was ``played`` on the campaign ``before``, or refused with a sentence."""

    move: Move
    before: CampaignState
    played: Played | None = None
    refusal: str = ""

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that it left behind; none if it was refused."""
        return self.played.events if self.played else ()


def line(verb: type[Action], move: Move, dice: DiceSupply) -> str:
    """A move as a person would type it, with the dice that fell."""
    said = [verb.verb]
    for parameter in parameters(verb):
        given = move.intent.params.get(parameter.name, parameter.default)
        if parameter.hidden or given is None or (not parameter.required and given == parameter.default):
            continue
        option = "" if parameter.required else f"--{parameter.name.replace('_', '-')}"
        said.append(option if given is True and option else f"{option} {_quoted(typed(given))}".strip())
    said += [f"--seat {_quoted(move.seat)}"] if move.seat != GM else []
    said += ["--secret"] if move.secret else []
    faces = dice.faces if isinstance(dice, SeededDice) else move.typed or ()
    said += ["!", *map(str, faces)] if faces else []
    for again in move.intent.second_thoughts:
        said.append(
            f"({again.kind} by {again.character or 'the GM'}, roll {again.roll}, keep {again.keep or 'the best'})"
        )
    return " ".join(said)


def _quoted(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
