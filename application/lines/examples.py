"""An example of a verb, as it can be typed at this table: with those who are there, and what they hold and know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from rollbook.application.lines.party_words import people_meant
from rollbook.application.lines.seat_view import View, fitting, view_from
from rollbook.application.lines.short_forms import written
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.records import Record
from rollbook.domain.rules.action import user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.ruleset import settings_fields
from rollbook.domain.rules.sides import Side
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.lookup import FOES, PCS

if TYPE_CHECKING:
    from rollbook.application.view import CampaignView
    from rollbook.domain.rules.action import Action
    from rollbook.domain.rules.parameters import Parameter
    from rollbook.domain.rules.ruleset import Ruleset
    from rollbook.domain.state.campaign_state import Character

NOBODY = ("robin", "guard")
"""Names in an example for a table at which nobody is yet."""
NUMBER, LEAST = 5, 1
DICE, AMOUNT, WORD = "1d6", "1", "something"
TEXTS: Mapping[str, str] = {
    "expression": "1d20+3",
    "item": "rope",
    "name": "Wolf",
    "power": "the mill's blessing",
    "reason": "a loose stone",
    "ruleset": "grid",
    "text": "They crossed the ford",
    "title": "The old mill",
    "trait": "brave",
    "why": "a cocked die",
    "zone": "Europe/Berlin",
}
"""Free texts by the name of their parameter."""


def example_of(campaign: CampaignView, verb: type[Action], *, seat: str | None = None) -> str:
    """A line of a verb with what it needs, which can be read as it is typed; nothing is said of whether the rules take it."""
    rulebook = campaign.session.rulebook
    view = view_from(campaign.state, seat, side=rulebook.side)
    return written(list(_Example(verb, view, rulebook.ruleset_of(campaign.state)).words()))


@attrs.frozen
class _Example(Record):
    verb: type[Action]
    view: View
    game: Ruleset | None

    def words(self) -> Iterator[str]:
        """The verb, and a value for each parameter that it needs."""
        yield self.verb.verb
        named: list[str] = []
        for parameter in user_parameters(self.verb):
            if parameter.required:
                actor = self.view.character(named[0]) if named else None
                value = self._value(parameter, actor, named)
                if parameter.want is ParameterType.CHARACTER:
                    named.append(value)
                yield value

    def _value(self, parameter: Parameter, actor: Character | None, named: list[str]) -> str:
        want = parameter.want
        if want is ParameterType.CHARACTER:
            return self._somebody(actor, named)
        if want is ParameterType.CHARACTERS:
            return self._several(parameter, actor)
        if want is ParameterType.SEAT:
            return next(iter(self.view.state.people), "Mira")
        if want is ParameterType.NUMBER:
            return str(_number(parameter))
        if want is ParameterType.DICE:
            return DICE
        word = self._word(parameter, actor)
        if want is ParameterType.SETTINGS:
            return self._setting()
        if want is ParameterType.AMOUNTS:
            return f"{self._somebody(None, []) if parameter.names_people else word}={AMOUNT}"
        if want is ParameterType.PAIRS:
            return f"{word}={WORD}"
        return str(NUMBER) if want is ParameterType.NUMBERS else word

    def _somebody(self, actor: Character | None, named: list[str]) -> str:
        """The one who has the turn, or a player's character first; then one of the other side."""
        state, side = self.view.state, self.view.side
        turn = state.encounter.current if state.encounter is not None else ""
        order = state.encounter.order if state.encounter is not None else ()
        mine = side(state, actor) if actor is not None else None

        def farness(who: Character) -> tuple[bool, bool, bool]:
            wanted = Side.PARTY if mine is None else {Side.PARTY: Side.FOES}.get(mine, Side.PARTY)
            return who.id != turn or actor is not None, bool(order) and who.id not in order, side(state, who) != wanted

        there = sorted((who for who in self.view.characters() if who.is_here and who.id not in named), key=farness)
        return there[0].id if there else next((name for name in NOBODY if name not in named), NOBODY[0])

    def _several(self, parameter: Parameter, actor: Character | None) -> str:
        if parameter.name == FOES or actor is not None:  # what somebody does is mostly done to the other side
            return self._party_words(FOES) or NOBODY[1]
        both = " ".join(filter(None, map(self._party_words, (PCS, FOES)))).replace(" ", ",")
        one = self._party_words(PCS) or self._party_words(FOES)
        if "participants" in parameter.name:
            return both or ",".join(NOBODY)
        return one or NOBODY[0]

    def _party_words(self, word: str) -> str:
        """The word, if it names anybody here."""
        with suppress(NotFound):
            return (
                word
                if people_meant(word, self.view.state, known_only=bool(self.view.seat), side=self.view.side)
                else ""
            )
        return ""

    def _word(self, parameter: Parameter, actor: Character | None) -> str:
        """A word that the actor has, or the rules know; else a text."""
        known = self.game.vocabulary.get(parameter.of.partition("=")[0]) if self.game and parameter.of else None
        tried: Iterable[Iterable[str]] = (
            fitting(parameter, actor),
            filter(None, parameter.choices),
            parameter.known() if parameter.known is not None else (),
            () if parameter.name in TEXTS or known is None else known.known,
        )
        return next((word for words in tried for word in words), TEXTS.get(parameter.name, WORD))

    def _setting(self) -> str:
        setting = next(iter(settings_fields(self.game)), None) if self.game else None
        return f"{setting.name}={typed(setting.default)}" if setting and setting.default is not None else f"{WORD}=yes"


def _number(parameter: Parameter) -> int:
    low = LEAST if parameter.minimum is None else parameter.minimum
    high = NUMBER if parameter.maximum is None else parameter.maximum
    return max(min(NUMBER, high), low)
