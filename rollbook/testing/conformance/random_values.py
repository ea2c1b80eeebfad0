"""Random values for parameters, by type and by what the campaign holds, with some nonsense."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import ClassVar

from rollbook.domain.events import ParameterValue, Scalar
from rollbook.domain.rules.parameter_types import LARGEST, ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset, settings_fields
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.testing.conformance.playthrough import GM, PLAYER

STRANGER = "nobody-knows"
WORDS = (
    *("", "easy", "hard", "12", "0", "-3", "1d6", "2d6+1"),
    *("+2 high ground", "to_hit=4", "hp", "pool:token", "party", "gm"),
    *("Robin Hood", "Ærik the 100% ✨", 'it is "odd" [x], a\\b', "two\nlines", "x" * 90),
)
DICE = ("1d6", "2d6+1", "1d20", "7", "0", "-1d4", "3d6kh1", "dragon", "", "1d1", "2d20kl1+3", "4d6!")


class RandomValues:
    """Values for one moment of a campaign."""

    def __init__(self, chance: Random, state: CampaignState) -> None:
        self.chance = chance
        self.state = state

    def often(self, share: float) -> bool:
        """True with a chance of ``share``. The simplest draw is False."""
        return self.chance.random() >= 1 - share

    def of(self, parameter: Parameter) -> ParameterValue:
        """A value of a parameter's type; most of them are possible."""
        return self._makers[parameter.want](self, parameter)

    def _character(self, parameter: Parameter) -> str:
        people, fight = tuple(self.state.characters), self.state.encounter
        if parameter.actor and fight is not None and fight.current and self.often(0.6):
            return fight.current
        strangers = (STRANGER,) if parameter.required else ("", STRANGER)
        return self.chance.choice(people) if people and self.often(0.9) else self.chance.choice(strangers)

    def _characters(self, _: Parameter) -> tuple[str, ...]:
        people = tuple(self.state.characters)
        if self.often(0.1):
            return tuple(self.chance.choice((*people, "party", STRANGER)) for _ in range(self.chance.randint(0, 3)))
        return tuple(self.chance.sample(people, self.chance.randint(min(1, len(people)), len(people))))

    def _gear(self, parameter: Parameter) -> str:
        held = [item for who in self.state.characters.values() for item in who.gear]
        return self.chance.choice((*parameter.choices, *held, "", "a spoon"))

    def _number(self, parameter: Parameter) -> int:
        low = -6 if parameter.minimum is None else parameter.minimum
        high = LARGEST if parameter.maximum is None else parameter.maximum
        if self.often(0.06):
            return self.chance.choice((low, min(high, 1_000), low - 1, high + 1))
        return self.chance.randint(low, min(high, low + self.chance.choice((1, 6, 40))))

    def _text(self, parameter: Parameter) -> str:
        if parameter.name == "scene" and self.state.elsewhere and self.often(0.8):
            return self.chance.choice(self.state.elsewhere).name
        return self.chance.choice((*WORDS, *lying_about(self.state)))

    def _texts(self, parameter: Parameter) -> tuple[str, ...]:
        if self.often(0.4):
            return tuple(map(str, self._numbers(parameter)))
        return tuple(self._text(parameter) for _ in range(self.chance.randint(0, 3)))

    def _numbers(self, _: Parameter) -> tuple[int, ...]:
        return tuple(self.chance.randint(-1, 20) for _ in range(self.chance.randint(0, 7)))

    def _amounts(self, parameter: Parameter) -> dict[str, int]:
        return {name: self._number(parameter) for name in self._texts(parameter) if name}

    def _pairs(self, parameter: Parameter) -> dict[str, str]:
        return {name: self._text(parameter) or STRANGER for name in self._texts(parameter) if name}

    _makers: ClassVar[Mapping[ParameterType, Callable[["RandomValues", Parameter], ParameterValue]]] = {
        ParameterType.CHARACTER: _character,
        ParameterType.CHARACTERS: _characters,
        ParameterType.SEAT: lambda self, _: self.chance.choice(("", "", PLAYER, GM, STRANGER)),
        ParameterType.GEAR: _gear,
        ParameterType.CHOICE: lambda self, parameter: (
            STRANGER if self.often(0.03) else self.chance.choice(parameter.choices)
        ),
        ParameterType.CHOICES: lambda self, parameter: tuple(
            self.chance.choice(parameter.choices) for _ in range(self.chance.randint(0, 3))
        ),
        ParameterType.NUMBER: _number,
        ParameterType.NUMBERS: _numbers,
        ParameterType.FLAG: lambda self, _: self.often(0.5),
        ParameterType.DICE: lambda self, _: self.chance.choice(DICE),
        ParameterType.TEXT: _text,
        ParameterType.TEXTS: _texts,
        ParameterType.USE: _texts,
        ParameterType.AMOUNTS: _amounts,
        ParameterType.PAIRS: _pairs,
        ParameterType.SETTINGS: _pairs,
        ParameterType.ROWS: lambda _self, _parameter: (),
    }


def lying_about(state: CampaignState) -> tuple[str, ...]:
    """Words that mean something in this campaign: things, traits, conditions, open choices and what can be chosen."""
    found: dict[str, None] = {}
    for who in state.characters.values():
        found |= dict.fromkeys((*who.gear, *who.traits, *who.conditions, *who.pools, *who.stats))
        for choice, open_choice in who.choices.items():
            found |= dict.fromkeys((choice, *open_choice.keys))
    return tuple(found)


def random_settings(chance: Random, ruleset: Ruleset) -> dict[str, Scalar]:
    """House rules: half of all tables play by the defaults, the others change some."""
    values = RandomValues(chance, CampaignState())
    if values.often(0.5):
        return {}
    changed = [setting for setting in settings_fields(ruleset) if values.often(0.4)]
    return {setting.name: chance.choice(tuple(_settled(setting))) for setting in changed}


def _settled(setting: Parameter) -> Iterator[Scalar]:
    default = setting.default
    assert isinstance(default, (bool, int, str))
    yield default
    if setting.want is ParameterType.FLAG:
        yield not default
    elif isinstance(default, int):
        yield default - 1 if setting.minimum is None else setting.minimum
        yield default + 5 if setting.maximum is None else setting.maximum
    else:
        yield from setting.choices
