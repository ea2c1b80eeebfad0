"""Every way in which the dice of an action may fall, followed to its end; the likeliest first.

The action's own ``resolve`` is played, so a forecast knows every rule of every game. No die falls: every roll goes up into the
air of one path, and rules read it as they always do. Nothing is recorded.
"""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from heapq import heappop, heappush
from typing import Any, Final

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.notation import fill, parse
from rollbook.domain.dice.record import Die
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import DiceRolled
from rollbook.domain.forecast.chances import ChanceTally, Forecast
from rollbook.domain.forecast.outcome import PathOutcome, amounts_of, checks_of, first_turn, rolls_of, turned_by
from rollbook.domain.forecast.path import Choices, Path, PathPruned
from rollbook.domain.forecast.roll_outcomes import TooMany
from rollbook.domain.forecast.undecided import undecided
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.noting_table import NotingTable
from rollbook.domain.rules.playing import Played
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.reads import Reads


class ForecastRoll(DiceRolled):
    """A roll as a rule sees it. Its total and natural face are undecided; a look at its dice tells them apart."""

    __class__ = property(lambda _: DiceRolled)  # it may be recorded once more, or changed into another

    def __getattribute__(self, name: str) -> object:
        if name == "dice":
            look: Callable[[], tuple[Die, ...]] = super().__getattribute__("look")
            return look()
        return super().__getattribute__(name)


class ForecastTable(NotingTable):
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


MOST_STEPS: Final = 5_000_000
"""Most results of dice that are gone through: some seconds."""

STEPS_OF_A_PATH: Final = 500
"""The steps of playing the action once, with any dice."""

TOLERATED: Final = Fraction(1, 1_000)
"""Largest share that is ever left out, for want of steps or because a chain of dice has no end."""


def forecast(
    rulebook: Rulebook,
    campaign: CampaignState,
    intent: Intent,
    *,
    seat: str = "",
    secret: bool = False,
    most_steps: int | None = None,
    reads: Reads | None = None,
) -> Forecast:
    """The forecast of an action on a campaign, which stays as it is. What is looked at on any path is noted in ``reads``.

    Raises TooMany if that is more than can be counted out in ``most_steps`` results of dice (None: ``MOST_STEPS``). If the
    rules say no whatever falls, it raises what they raise: Refused, NotFound or RulesetMissing.
    """
    play = partial(rulebook.play, campaign, intent, NoDice(), seat=seat, secret=secret)
    table = partial(ForecastTable, reads=Reads() if reads is None else reads)
    try:
        return _search(play, table, most_steps or MOST_STEPS)
    except RollbookError:
        raise
    except Exception:  # noqa: BLE001 - rules that cannot reckon with an open number get whole ones, or fail with them too
        return _search(play, partial(table, whole=True), most_steps or MOST_STEPS)


def _search(play: Callable[..., Played], table: Callable[..., Table], most_steps: int) -> Forecast:
    tally = ChanceTally()
    waiting: list[tuple[Fraction, Choices]] = [(Fraction(-1), ())]
    steps = 0
    while waiting and steps < most_steps:
        path = Path(heappop(waiting)[1])
        with suppress(PathPruned):
            tally.add(_outcome(path, partial(play, table=partial(table, path=path))))
        for chance, choices in path.branches:
            heappush(waiting, (-chance, choices))
        steps += STEPS_OF_A_PATH + path.steps
    if 1 - tally.followed > TOLERATED:
        raise TooMany("The dice of this action can fall in too many ways that matter")
    if tally.refusal is not None:
        raise tally.refusal
    return tally.forecast()


def _outcome(path: Path, play: Callable[[], Played]) -> PathOutcome:
    """The outcome on this path. Its chance is read last, because until then the path may branch."""
    try:
        recorded = play().events
    except TooMany:
        raise
    except RollbookError as refusal:
        return PathOutcome(chance=path.chance, refusal=refusal)
    return PathOutcome(
        checks=checks_of(recorded),
        turned=turned_by(recorded),
        first=first_turn(recorded),
        amounts=amounts_of(recorded),
        rolls=rolls_of(recorded),
        chance=path.chance,
    )
