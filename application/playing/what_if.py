"""What an action would come to: tried out, looked at before its dice fall, or counted out. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from rollbook.application.history.head import Head
from rollbook.application.playing.built_actions import Params, built
from rollbook.application.playing.engine_parameters import EngineParameters
from rollbook.application.playing.request import ActionPlayer, ActionRequest, acting_seat
from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import ParameterValue
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import intent_of
from rollbook.domain.state.campaign_state import CampaignState

if TYPE_CHECKING:
    from rollbook.domain.forecast.chances import Forecast


@attrs.frozen
class Trial(Record):
    """An action that was only tried out on entry ``base``: the campaign before and after it."""

    base: int
    before: CampaignState
    after: CampaignState


class WhatIf:
    """The questions of an open campaign about actions that nobody has taken.

    ``refresh`` reads what was recorded since and returns the head; ``in_words`` says whose hit points are told in words alone.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        engine: EngineParameters,
        turns: ActionPlayer,
        refresh: Callable[[], Head],
        in_words: Callable[[], frozenset[CharacterId]],
    ) -> None:
        self._rulebook = rulebook
        self._engine = engine
        self._turns = turns
        self._refresh = refresh
        self._in_words = in_words

    def try_out(
        self, verb: str, params: Params | None = None, /, *, seat: str | None = None, **more: ParameterValue
    ) -> Trial:
        """What an action without dice would come to; nothing is stored. Raises what ``do`` raises."""
        head = self._refresh()
        action = built(self._rulebook, head.state, verb, params, more)
        decided = self._turns.decide(head, ActionRequest(action, seat, ()))
        assert decided.state is not None
        return Trial(head.entry, head.state, decided.state)

    def wanted_dice(self, turn: ActionRequest) -> str:
        """How many dice a turn takes, whose and what for, as far as that is known before they fall; "" for none."""
        return self._turns.wanted(self._refresh(), turn)

    def refusal(self, turn: ActionRequest) -> RollbookError | None:
        """The refusal of a turn that does not hang on dice, None for none; no die falls, nothing is stored."""
        return self._turns.refusal(self._refresh(), turn)

    def odds(
        self,
        verb: str,
        params: Params | None = None,
        /,
        *,
        seat: str | None = None,
        secret: bool = False,
        state: CampaignState | None = None,
        **more: ParameterValue,
    ) -> Forecast:
        """What may come of an action and how likely it is, now or on another ``state``; no die falls, nothing is stored.

        Raises what ``do`` raises where the rules say no whatever falls, and TooMany if not every way can be counted out.
        """
        from rollbook.domain.forecast.search import forecast  # noqa: PLC0415 - few commands ask for odds
        from rollbook.projections.in_words import forecast_in_words  # noqa: PLC0415 - as above

        head = self._refresh()
        if state is not None:
            head = attrs.evolve(head, state=state)
        action = built(self._rulebook, head.state, verb, params, more)
        if isinstance(action, Adopt):
            action, _ = self._engine.filled_in(action, head)
        acting = "" if action.anonymous else acting_seat(head.state, seat)
        action = self._rulebook.speller(head.state, acting).spelled_action(action)
        found = forecast(self._rulebook, head.state, intent_of(action), seat=acting, secret=secret)
        return forecast_in_words(found, self._in_words())
