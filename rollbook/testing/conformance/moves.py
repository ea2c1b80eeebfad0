"""A move of random play with its dice, its result, and how it would be typed."""

import random
import re

import attrs

from rollbook.domain.dice.supply import DiceSupply, Hand, PhysicalDice, Request, physical_hand
from rollbook.domain.entries import Intent
from rollbook.domain.events import Event
from rollbook.domain.rules.action import parameters
from rollbook.domain.rules.spelling import typed
from rollbook.domain.rules.table import Played
from rollbook.plugin import Action, CampaignState, Record

WITHOUT_END = 5_000
"""No action at a table takes more dice than this."""

EXTREME = 0.3
"""How often a die shows its lowest or its highest face on purpose: rules look at those most."""


class SeededDice:
    """Dice that fall by a seed, with more ones and more highest faces than honest dice show; ``faces`` are those so far."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - the play is random, and nothing is secret
        self.faces: list[int] = []

    def hand(self, request: Request) -> Hand:
        """The dice for one roll."""
        return physical_hand(request, self.draw)

    def finish(self) -> None:
        """There are always more."""

    def draw(self, sides: int) -> int:
        """The next die. Raises AssertionError if an action never stops rolling."""
        if len(self.faces) == WITHOUT_END:
            raise AssertionError(f"One action has rolled {WITHOUT_END} dice, and still wants more.")
        is_extreme = self._random.random() < EXTREME
        self.faces.append(self._random.choice((1, sides)) if is_extreme else self._random.randint(1, sides))
        return self.faces[-1]


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
