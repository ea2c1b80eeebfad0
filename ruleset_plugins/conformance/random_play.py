"""Play at random, by the types of the verbs alone: sensible moves, moves like those that worked before, and nonsense.

All chance comes from one ``random.Random``, so hypothesis can drive it, and a fixed seed plays the same evening anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random

import attrs

from domain.actions import SHARED
from domain.campaign import Campaign
from domain.events import CharacterId, Intent, Intervention, Role, Scalar
from domain.ruleset import Ruleset, settings_fields
from domain.verbs import LARGEST, Action, Parameter, Want, parameters
from ruleset_plugins.conformance.evening import GM, PLAYER, Deed, Evening, Outcome

ENGINE = ("start-campaign", "draw-for", "reveal-screen")
"""Shared verbs that the engine alone takes."""

PEOPLE = 3
"""With fewer characters there is little to play; somebody joins first."""

STRANGER = "nobody-knows"
WORDS = (
    *(
        "",
        "easy",
        "hard",
        "12",
        "0",
        "-3",
        "1d6",
        "2d6+1",
        "+2 high ground",
        "to_hit=4",
        "hp",
        "pool:token",
        "party",
        "gm",
    ),
    *("Robin Hood", "Ærik the 100% ✨", 'it is "odd" [x], a\\b', "two\nlines", "x" * 90),
)
DICE = ("1d6", "2d6+1", "1d20", "7", "0", "-1d4", "3d6kh1", "dragon", "", "1d1", "2d20kl1+3", "4d6!")
BYTES = "00" * 16


class Player:
    """Somebody who plays an evening at random; ``opening`` are moves that make sense in this game."""

    def __init__(self, chance: Random, evening: Evening, opening: Sequence[Intent] = ()) -> None:
        self.chance = chance
        self.evening = evening
        shared = [verb for verb in SHARED if verb.verb not in ENGINE]
        own = evening.ruleset.actions
        self._verbs = {verb.verb: verb for verb in (*shared, *own)}
        self._own = [verb.verb for verb in own]
        self._shared = [verb.verb for verb in shared if verb.verb not in self._own]
        self._known: list[Intent] = list(opening)
        self._worked: list[Intent] = []

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
            self._worked.append(attrs.evolve(deed.intent, interventions=()))
        return outcome

    def deed(self) -> Deed:
        """Something that may be done now; it may also be refused."""
        intent = self._somebody_joins() if self._is_empty() and self.often(0.6) else self._intent()
        if self.often(0.1) and intent.verb in self._own:
            intent = attrs.evolve(intent, interventions=(self.thought(),))
        return Deed(
            intent=intent,
            seat=self.chance.choice((*(GM,) * 7, PLAYER, "")),
            seed=self.chance.getrandbits(32),
            secret=self.often(0.05),
        )

    def thought(self) -> Intervention:
        """A second thought that the ruleset knows, or one that no game knows."""
        kind = self.chance.choice((*self.evening.ruleset.second_thoughts, "another-game's"))
        who = self.chance.choice(("", *self._people(), STRANGER))
        return Intervention(kind=kind, character=who, roll=self.chance.choice((0, 0, 1, 7)), keep=self._keep())

    def varied(self, intent: Intent) -> Intent:
        """The same deed with one parameter changed."""
        open_ones = [parameter for parameter in parameters(self._verbs[intent.verb]) if not parameter.hidden]
        if not open_ones:
            return intent
        changed = self.chance.choice(open_ones)
        value = self._value(changed)
        return attrs.evolve(intent, params={**intent.params, changed.name: value})

    # What is done.

    def _intent(self) -> Intent:
        """A verb, and then either anew, or as it was done before, or nearly so."""
        verb = self.chance.choice(self._own if self._own and self.often(0.75) else self._shared)
        remembered = [intent for intent in (*self._known, *self._worked) if intent.verb == verb]
        how = self.chance.choice((self._new, self._again, self._varied, self._varied)) if remembered else self._new
        return how(verb)

    def _again(self, verb: str) -> Intent:
        return self.chance.choice([intent for intent in (*self._known, *self._worked) if intent.verb == verb])

    def _varied(self, verb: str) -> Intent:
        return self.varied(self._again(verb))

    def _new(self, verb: str) -> Intent:
        params = filled_in(self._verbs[verb])
        wordy = self.chance.choice((0.0, 0.15, 0.4))
        for parameter in parameters(self._verbs[verb]):
            if not parameter.hidden and (parameter.required or self.often(wordy)):
                params[parameter.name] = self._value(parameter)
        return Intent(verb=verb, params=params)

    def _is_empty(self) -> bool:
        return len(self.evening.state.characters) < PEOPLE

    def _somebody_joins(self) -> Intent:
        arrivals = [intent for intent in self._known if intent.verb == "join"]
        if arrivals and self.often(0.5):
            return self.varied(self.chance.choice(arrivals))
        name = f"{self.chance.choice(('Robin', 'Marian', 'Tuck', 'Wolf'))} {len(self.evening.state.characters)}"
        newcomer = self._new("join")
        return attrs.evolve(newcomer, params={**newcomer.params, "name": name})

    # With what.

    def _value(self, parameter: Parameter) -> Scalar:
        seen = self._seen(parameter)
        if seen and self.often(0.4):
            return self.chance.choice(seen)
        return _VALUES[parameter.want](self, parameter)

    def _seen(self, parameter: Parameter) -> list[Scalar]:
        """What parameters of that name and kind were given in moves that make sense."""
        found = []
        for intent in (*self._known, *self._worked):
            for other in parameters(self._verbs[intent.verb]):
                value = intent.params.get(other.name)
                if value and (other.name, other.want, other.choices) == (
                    parameter.name,
                    parameter.want,
                    parameter.choices,
                ):
                    found.append(value)
        return found

    def _people(self) -> tuple[CharacterId, ...]:
        return tuple(self.evening.state.characters)

    def _character(self, parameter: Parameter) -> str:
        stranger = ("", STRANGER) if not parameter.required else (STRANGER,)
        people, fight = self._people(), self.evening.state.encounter
        if parameter.actor and fight is not None and fight.current and self.often(0.6):
            return fight.current
        return self.chance.choice(people) if people and self.often(0.9) else self.chance.choice(stranger)

    def _characters(self, _: Parameter) -> tuple[str, ...]:
        people = self._people()
        if self.often(0.1):
            return tuple(self.chance.choice((*people, "party", STRANGER)) for _ in range(self.chance.randint(0, 3)))
        return tuple(self.chance.sample(people, self.chance.randint(min(1, len(people)), len(people))))

    def _seat(self, _: Parameter) -> str:
        return self.chance.choice(("", "", PLAYER, GM, STRANGER))

    def _gear(self, parameter: Parameter) -> str:
        held = [item for who in self.evening.state.characters.values() for item in who.gear]
        return self.chance.choice((*parameter.choices, *held, "", "a spoon"))

    def _choice(self, parameter: Parameter) -> str:
        odd = ("no such choice",) if self.often(0.03) else ()
        return self.chance.choice(odd or parameter.choices or ("",))

    def _choices(self, parameter: Parameter) -> tuple[str, ...]:
        return tuple(self.chance.choice(parameter.choices) for _ in range(self.chance.randint(0, 3)))

    def _number(self, parameter: Parameter) -> int:
        low = -6 if parameter.minimum is None else parameter.minimum
        high = LARGEST if parameter.maximum is None else parameter.maximum
        near = min(high, low + self.chance.choice((1, 6, 40)))
        if self.often(0.06):
            return self.chance.choice((low, min(high, 1_000), low - 1, high + 1))
        return self.chance.randint(low, near)

    def _flag(self, _: Parameter) -> bool:
        return self.often(0.5)

    def _dice(self, _: Parameter) -> str:
        return self.chance.choice(DICE)

    def _text(self, parameter: Parameter) -> str:
        about = [parameter.name] if self.often(0.05) else []
        return self.chance.choice(about or (*WORDS, *lying_about(self.evening.state)))

    def _texts(self, parameter: Parameter) -> tuple[str, ...]:
        many = self.chance.randint(0, 7)
        if self.often(0.4):
            return tuple(str(self.chance.randint(-1, 20)) for _ in range(many))
        return tuple(self._text(parameter) for _ in range(min(many, 3)))

    def _keep(self) -> str:
        return self.chance.choice(("", "new", "old", "best", "worst", "both"))

    def often(self, share: float) -> bool:
        """Whether something happens that happens so often. The simplest chance is that it does not."""
        return self.chance.random() >= 1 - share


_VALUES: dict[Want, Callable[[Player, Parameter], Scalar]] = {
    Want.CHARACTER: Player._character,
    Want.CHARACTERS: Player._characters,
    Want.SEAT: Player._seat,
    Want.GEAR: Player._gear,
    Want.CHOICE: Player._choice,
    Want.CHOICES: Player._choices,
    Want.NUMBER: Player._number,
    Want.FLAG: Player._flag,
    Want.DICE: Player._dice,
    Want.TEXT: Player._text,
    Want.TEXTS: Player._texts,
}


def filled_in(verb: type[Action]) -> dict[str, Scalar]:
    """What the engine would fill in: commitments that commit to nothing."""
    return {parameter.name: BYTES for parameter in parameters(verb) if parameter.hidden and parameter.required}


def lying_about(state: Campaign) -> tuple[str, ...]:
    """Words that mean something in this campaign: things, traits, conditions, open choices and what can be chosen."""
    found: dict[str, None] = {}
    for who in state.characters.values():
        found |= dict.fromkeys((*who.gear, *who.traits, *who.conditions, *who.pools, *who.stats))
        for choice, options in who.choices.items():
            found |= dict.fromkeys((choice, *options))
    return tuple(found)


def house_rules(chance: Random, ruleset: Ruleset) -> dict[str, Scalar]:
    """House rules at random: half of all tables play by the defaults."""
    if chance.random() < 0.5:
        return {}
    chosen: dict[str, Scalar] = {}
    for setting in settings_fields(ruleset):
        if chance.random() < 0.4:
            chosen[setting.name] = chance.choice(tuple(_settled(setting)))
    return chosen


def _settled(setting: Parameter) -> Iterator[Scalar]:
    assert setting.default is not None
    yield setting.default
    if setting.want is Want.FLAG:
        yield not setting.default
    elif setting.want is Want.NUMBER:
        assert isinstance(setting.default, int)
        low = setting.minimum if setting.minimum is not None else setting.default - 1
        high = setting.maximum if setting.maximum is not None else setting.default + 5
        yield from (low, high)
    else:
        yield from setting.choices


def course(evening: Evening, player: Player, opening: list[Deed], actions: int) -> Iterator[Outcome]:
    """Seats are taken, most of the opening is played, then whatever comes to mind."""
    player.sit_down()
    for deed in opening:
        if player.often(0.9):
            yield evening.take(deed)
    for _ in range(actions):
        yield player.take()


def fixed_evening(
    ruleset: Ruleset, opening: list[Deed], number: int, actions: int
) -> Iterator[tuple[Evening, Outcome]]:
    """An evening that depends on its number alone, action by action."""
    chance = Random(f"evening {number}")  # noqa: S311 - the play is random, and nothing is secret
    evening = Evening(ruleset, house_rules(chance, ruleset))
    player = Player(chance, evening, [deed.intent for deed in opening])
    for outcome in course(evening, player, opening, actions):
        yield evening, outcome
