"""Play at random, by the types of the verbs alone: sensible moves, moves like those that worked before, and nonsense.

A playthrough is made of steps, and every step has a random generator of its own that follows from the playthrough's
seed and its number. So it is the same wherever it is played, and steps can be left out to find the cause of a failure.
"""

from collections.abc import Iterator, Sequence
from random import Random

import attrs

from rollbook.domain.actions import SHARED
from rollbook.domain.entries import Intent, SecondThought, second_thought
from rollbook.domain.events import ParameterValue, Role
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.testing.conformance.playthrough import GM, PLAYER, Move, MoveResult, Playthrough
from rollbook.testing.conformance.random_values import STRANGER, RandomValues, random_settings

ENGINE = ("start-campaign", "draw-for", "reveal-screen")
"""Shared verbs that the engine alone takes."""

PEOPLE = 3
"""Least number of characters to play with; with fewer, another joins first."""

TRIES = 4
"""Most tries in one step until a move works."""

BYTES = "00" * 16


class RandomPlayer:
    """Plays at random; ``opening`` are moves that make sense in this game."""

    def __init__(self, seed: int | str, playthrough: Playthrough, opening: Sequence[Move] = ()) -> None:
        self.chance = chance_of(seed, "beginning")
        self.playthrough = playthrough
        self._seed = seed
        self._opening = opening
        own = playthrough.ruleset.actions
        self._verbs = {verb.verb: verb for verb in (*SHARED, *own) if verb.verb not in ENGINE}
        self._own = [verb.verb for verb in own]
        self._shared = [verb for verb in self._verbs if verb not in self._own]
        self._sensible: list[Intent] = [move.intent for move in opening]
        self._worked: set[str] = set()

    @property
    def values(self) -> RandomValues:
        """Random values for parameters at this moment."""
        return RandomValues(self.chance, self.playthrough.state)

    def often(self, share: float) -> bool:
        """True with a chance of ``share``."""
        return self.values.often(share)

    def play(self, kept: Sequence[bool]) -> Iterator[MoveResult]:
        """The steps of a playthrough that are kept: seats are taken, the opening is played, then random moves."""
        for number, is_kept in enumerate(kept):
            self.chance = chance_of(self._seed, number)
            if not is_kept:
                continue
            if number == 0:
                for name, role in ((GM, Role.GM), (PLAYER, Role.PLAYER)):
                    seated = Intent(verb="take-seat", params={"seat": name, "role": role.value})
                    yield self.playthrough.take(Move(intent=seated, seat=""))
            elif number <= len(self._opening):
                yield self.playthrough.take(self._opening[number - 1])
            else:
                yield from self._do_something()
        self.chance = chance_of(self._seed, "end")

    def _do_something(self) -> Iterator[MoveResult]:
        """Try moves until one works, and remember it, to do it again in other ways."""
        for _ in range(TRIES):
            move = self.move()
            outcome = self.playthrough.take(move)
            yield outcome
            if outcome.events:
                self._sensible.append(attrs.evolve(move.intent, second_thoughts=()))
                self._worked.add(move.intent.verb)
                return

    def move(self) -> Move:
        """A random move; it may be refused."""
        is_empty = len(self.playthrough.state.characters) < PEOPLE
        intent = self._somebody_joins() if is_empty and self.often(0.6) else self._intent()
        if intent.verb in self._own and self.often(0.1):
            intent = attrs.evolve(intent, second_thoughts=(self.thought(),))
        seat = self.chance.choice((*(GM,) * 7, PLAYER, ""))
        return Move(intent=intent, seat=seat, seed=self.chance.getrandbits(32), secret=self.often(0.05))

    def thought(self) -> SecondThought:
        """A second thought that the ruleset knows, or one that no game knows."""
        chance = self.chance
        return second_thought(
            chance.choice((*self.playthrough.ruleset.second_thoughts, "another-game's")),
            chance.choice(("", *self.playthrough.state.characters, STRANGER)),
            roll=chance.choice((0, 0, 1, 7)),
            keep=chance.choice(("", "new", "old", "best", "worst", "both")),
        )

    def varied(self, intent: Intent) -> Intent:
        """The same move with one parameter changed."""
        open_ones = [parameter for parameter in parameters(self._verbs[intent.verb]) if not parameter.hidden]
        if not open_ones:
            return intent
        changed = self.chance.choice(open_ones)
        return attrs.evolve(intent, params={**intent.params, changed.name: self._value(changed)})

    def _intent(self) -> Intent:
        """A random intent, rather of a verb that did nothing yet: with new parameters, as before, or nearly so."""
        verbs = self._own if self._own and self.often(0.75) else self._shared
        idle = [verb for verb in verbs if verb not in self._worked] if self.often(0.6) else []
        verb = self.chance.choice(idle or verbs)
        before = [intent for intent in self._sensible if intent.verb == verb]
        how = self.chance.choice(("new", "again", "varied", "varied")) if before else "new"
        if how == "new":
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
        name = f"{self.chance.choice(('Robin', 'Marian', 'Tuck', 'Wolf'))} {len(self.playthrough.state.characters)}"
        newcomer = self._new("join")
        return attrs.evolve(newcomer, params={**newcomer.params, "name": name})

    def _value(self, parameter: Parameter) -> ParameterValue:
        """Any value of that type, or one that a parameter of that name had in a move that made sense."""
        given = list(self._given(parameter)) if self.often(0.4) else []
        return self.chance.choice(given) if given else self.values.of(parameter)

    def _given(self, parameter: Parameter) -> Iterator[ParameterValue]:
        wanted = (parameter.name, parameter.want, parameter.choices)
        for intent in self._sensible:
            value = intent.params.get(parameter.name)
            if value and any(
                (other.name, other.want, other.choices) == wanted for other in parameters(self._verbs[intent.verb])
            ):
                yield value


def filled_in(verb: type[Action]) -> dict[str, ParameterValue]:
    """Values for parameters that the engine would fill in: commitments that commit to nothing."""
    return {parameter.name: BYTES for parameter in parameters(verb) if parameter.hidden and parameter.required}


def chance_of(seed: int | str, step: int | str) -> Random:
    """The random generator of one step of a playthrough."""
    return Random(f"playthrough {seed}, step {step}")  # noqa: S311 - the play is random, and nothing is secret


def steps(opening: Sequence[Move], actions: int) -> int:
    """The number of steps of a playthrough."""
    return 1 + len(opening) + actions


def begun(ruleset: Ruleset, seed: int | str, opening: Sequence[Move], *, at_home: bool = False) -> RandomPlayer:
    """A player before the first move: under house rules of its own, or the usual ones ``at_home``."""
    house = {} if at_home else random_settings(chance_of(seed, "house"), ruleset)
    return RandomPlayer(seed, Playthrough(ruleset, house), opening)


def fixed_playthrough(
    ruleset: Ruleset, opening: Sequence[Move], seed: int | str, actions: int
) -> Iterator[tuple[Playthrough, MoveResult]]:
    """A playthrough that depends on its seed alone, action by action; the later moves of the opening may be left out."""
    player = begun(ruleset, seed, opening)
    last = player.chance.randint(0, len(opening)) if player.often(0.5) else len(opening)
    kept = [number <= last or number > len(opening) for number in range(steps(opening, actions))]
    for outcome in player.play(kept):
        yield player.playthrough, outcome
