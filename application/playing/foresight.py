"""Foresight of an action that is not taken yet: people look at the same one again and again before they take it.

An answer is kept until something that was looked at for it is another.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.dice.wanted import WantedDice, wanted
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, intent_of
from rollbook.domain.rules.noting_table import NotingTable
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.kept_answers import KeptAnswers
from rollbook.domain.state.reads import Reads

if TYPE_CHECKING:
    from rollbook.domain.forecast.chances import Forecast

MOST = 24
"""Most forecasts, and most lists of dice, that are kept of a campaign for one reader."""


class Foresight:
    """Forecasts of actions, and the dice that they take, by the rules of one campaign as one reader sees it."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._forecasts = KeptAnswers["Forecast"](MOST)
        self._dice = KeptAnswers[WantedDice](MOST)

    def forecast(
        self, campaign: CampaignState, action: Action, *, seat: SeatName, secret: bool, most_steps: int
    ) -> Forecast:
        """The forecast of an action in the words of the game: see ``rollbook.domain.forecast.search``, and what it raises."""
        from rollbook.domain.forecast.search import forecast  # noqa: PLC0415 - few commands ask for odds

        intent = intent_of(action)
        ask = partial(forecast, self._rulebook, campaign, intent, seat=seat, secret=secret, most_steps=most_steps)
        return self._forecasts.answer(
            (repr(intent), seat, secret, most_steps), campaign, lambda reads: ask(reads=reads)
        )

    def dice(
        self, campaign: CampaignState, action: Action, faces: tuple[int, ...], *, seat: SeatName, secret: bool
    ) -> WantedDice:
        """The dice that an action takes after these ``faces``."""
        intent = intent_of(action)

        def ask(reads: Reads) -> WantedDice:
            play = partial(self._rulebook.play, campaign, intent, seat=seat, action=action, secret=secret)
            return wanted(partial(play, table=partial(NotingTable, reads=reads)), faces, action.typed_dice)

        return self._dice.answer((repr(intent), faces, seat, secret), campaign, ask)
