"""Play at random, by the types of the verbs alone: sensible moves, moves like those that worked before, and nonsense.

All chance comes from one ``random.Random``, so hypothesis can drive it, and a fixed seed plays the same evening anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import attrs

from domain.actions import SHARED
from domain.events import Intent, Intervention, Role, Scalar
from domain.ruleset import Ruleset
from domain.verbs import Action, Parameter, parameters
from ruleset_plugins.conformance.deeds import GM, PLAYER, Deed, Outcome
from ruleset_plugins.conformance.evening import Evening
from ruleset_plugins.conformance.values import STRANGER, Values, house_rules

ENGINE = ("start-campaign", "draw-for", "reveal-screen")
"""Shared verbs that the engine alone takes."""

PEOPLE = 3
"""With fewer characters there is little to play; somebody joins first."""

BYTES = "00" * 16


class Player:
    """Somebody who plays an evening at random; ``opening`` are moves that make sense in this game."""

    def __init__(self, chance: Random, evening: Evening, opening: Sequence[Intent] = ()) -> None:
        self.chance = chance
        self.evening = evening
        own = evening.ruleset.actions
        self._verbs = {verb.verb: verb for verb in (*SHARED, *own) if verb.verb not in ENGINE}
        self._own = [verb.verb for verb in own]
        self._shared = [verb for verb in self._verbs if verb not in self._own]
        self._sensible: list[Intent] = list(opening)

    @property
    def values(self) -> Values:
        """What parameters may be given at this moment."""
        return Values(self.chance, self.evening.state)

    def often(self, share: float) -> bool:
        """Whether something happens that happens so often."""
        return self.values.often(share)

    def sit_down(self) -> None:
        """Most tables have seats."""
        if self.often(0.7):
            for name, role in ((GM, Role.GM), (PLAYER, Role.PLAYER)):
                seated = Intent(verb="take-seat", params={"seat": name, "role": role.value})
                self.evening.take(Deed(intent=seated, seat=""))

    def take(self) -> Outcome:
        """One more deed. What works is remembered, and done again in other ways."""
        deed = self.deed()
        outcome = self.evening.take(deed)
        if outcome.played:
            self._sensible.append(attrs.evolve(deed.intent, interventions=()))
        return outcome

    def deed(self) -> Deed:
        """Something that may be done now; it may also be refused."""
        is_empty = len(self.evening.state.characters) < PEOPLE
        intent = self._somebody_joins() if is_empty and self.often(0.6) else self._intent()
        if intent.verb in self._own and self.often(0.1):
            intent = attrs.evolve(intent, interventions=(self.thought(),))
        return Deed(
            intent=intent,
            seat=self.chance.choice((*(GM,) * 7, PLAYER, "")),
            seed=self.chance.getrandbits(32),
            secret=self.often(0.05),
        )

    def thought(self) -> Intervention:
        """A second thought that the ruleset knows, or one that no game knows."""
        chance = self.chance
        return Intervention(
            kind=chance.choice((*self.evening.ruleset.second_thoughts, "another-game's")),
            character=chance.choice(("", *self.evening.state.characters, STRANGER)),
            roll=chance.choice((0, 0, 1, 7)),
            keep=chance.choice(("", "new", "old", "best", "worst", "both")),
        )

    def varied(self, intent: Intent) -> Intent:
        """The same deed with one parameter changed."""
        open_ones = [parameter for parameter in parameters(self._verbs[intent.verb]) if not parameter.hidden]
        if not open_ones:
            return intent
        changed = self.chance.choice(open_ones)
        return attrs.evolve(intent, params={**intent.params, changed.name: self._value(changed)})

    def _intent(self) -> Intent:
        """A verb, and then either anew, or as it was done before, or nearly so."""
        verb = self.chance.choice(self._own if self._own and self.often(0.75) else self._shared)
        before = [intent for intent in self._sensible if intent.verb == verb]
        how = self.chance.choice(("anew", "again", "varied", "varied")) if before else "anew"
        if how == "anew":
            return self._new(verb)
        again = self.chance.choice(before)
        return again if how == "again" else self.varied(again)

    def _new(self, verb: str) -> Intent:
        params = filled_in(self._verbs[verb])
        wordy = self.chance.choice((0.0, 0.15, 0.4))
        for parameter in parameters(self._verbs[verb]):
            if not parameter.hidden and (parameter.required or self.often(wordy)):
                params[parameter.name] = self._value(parameter)
        return Intent(verb=verb, params=params)

    def _somebody_joins(self) -> Intent:
        arrivals = [intent for intent in self._sensible if intent.verb == "join"]
        if arrivals and self.often(0.5):
            return self.varied(self.chance.choice(arrivals))
        name = f"{self.chance.choice(('Robin', 'Marian', 'Tuck', 'Wolf'))} {len(self.evening.state.characters)}"
        newcomer = self._new("join")
        return attrs.evolve(newcomer, params={**newcomer.params, "name": name})

    def _value(self, parameter: Parameter) -> Scalar:
        """Any value of that type, or what a parameter of that name was given in a move that made sense."""
        given = list(self._given(parameter)) if self.often(0.4) else []
        return self.chance.choice(given) if given else self.values.of(parameter)

    def _given(self, parameter: Parameter) -> Iterator[Scalar]:
        wanted = (parameter.name, parameter.want, parameter.choices)
        for intent in self._sensible:
            for other in parameters(self._verbs[intent.verb]):
                value = intent.params.get(other.name)
                if value and (other.name, other.want, other.choices) == wanted:
                    yield value


def filled_in(verb: type[Action]) -> dict[str, Scalar]:
    """What the engine would fill in: commitments that commit to nothing."""
    return {parameter.name: BYTES for parameter in parameters(verb) if parameter.hidden and parameter.required}


def course(evening: Evening, player: Player, opening: Sequence[Deed], actions: int) -> Iterator[Outcome]:
    """Seats are taken, most of the opening is played, then whatever comes to mind."""
    player.sit_down()
    for deed in opening:
        if player.often(0.9):
            yield evening.take(deed)
    for _ in range(actions):
        yield player.take()


def fixed_evening(
    ruleset: Ruleset, opening: Sequence[Deed], number: int, actions: int
) -> Iterator[tuple[Evening, Outcome]]:
    """An evening that depends on its number alone, action by action."""
    chance = Random(f"evening {number}")  # noqa: S311 - the play is random, and nothing is secret
    evening = Evening(ruleset, house_rules(chance, ruleset))
    player = Player(chance, evening, [deed.intent for deed in opening])
    for outcome in course(evening, player, opening, actions):
        yield evening, outcome
