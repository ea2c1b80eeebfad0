"""Laws of declarations: the entry point, verbs that explain themselves, settings with defaults, words in any spelling."""

import re
import typing
from collections.abc import Mapping

import attrs
import pytest

from rollbook.domain.actions import SHARED
from rollbook.domain.actions.joining import Join
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import build, intent_of, is_the_gms, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset, chosen_settings, fault_of, settings_fields
from rollbook.domain.rules.spelling import folded
from rollbook.testing.conformance.playthrough import Move, Playthrough
from rollbook.testing.conformance.random_suite import RandomPlaySuite, fault_in, points

_FILLED_IN = tuple(verb for verb in SHARED if verb.final or any(wanted.hidden for wanted in parameters(verb)))
BINDING = tuple(verb.verb for verb in _FILLED_IN if verb is not Join)
"""Shared verbs that bind the engine to something: a commitment, a card that was raised. No game may replace them.

The engine counts newcomers as well, but every game has newcomers of its own.
"""

_VERB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
NONSENSE = "no such thing as this"


class DeclarationLaws(RandomPlaySuite):
    """Read off the ruleset, before anything is played."""

    def test_it_is_found_by_its_entry_point(self) -> None:
        if isinstance(self.ruleset, Ruleset) or ":" in self.ruleset:
            pytest.skip(f"{self.game.key} is named by an object, not by an entry point")
        found = points(self.ruleset)
        assert len(found) == 1, f"{self.ruleset!r} is claimed by {len(found)} entry points: {found}"
        fault = fault_of(self.ruleset, found[0].load())
        assert not fault, f"The ruleset {self.ruleset!r} breaks the contract: {fault}."

    def test_it_keeps_the_contract_with_the_engine(self) -> None:
        fault = fault_of(self.game.key, self.game)
        assert not fault, f"The ruleset {self.game.key!r} breaks the contract: {fault}."
        assert _VERB.fullmatch(self.game.key), f"The key {self.game.key!r} cannot be typed easily."
        for what in ("title", "version", "summary"):
            assert str(getattr(self.game, what)).strip(), f"The ruleset {self.game.key!r} has no {what}."

    def test_every_verb_says_what_it_does(self) -> None:
        for verb in self.game.actions:
            said = (vars(verb).get("__doc__") or "").strip()
            assert said, f"The verb {verb.verb} has no docstring, and help has nothing to show."
            fault = fault_in(said.split("\n\n")[0])
            assert not fault, f"The docstring of {verb.verb} is what help shows, and {fault}: {said!r}"

    def test_every_verb_is_a_frozen_value_with_typed_parameters(self) -> None:
        for verb in self.game.actions:
            with pytest.raises(attrs.exceptions.FrozenInstanceError):
                object.__new__(verb).__setattr__("a_parameter", 1)
            known = {parameter.name: parameter for parameter in parameters(verb)}
            types = typing.get_type_hints(verb)
            for field in attrs.fields(verb):
                assert field.name in known, (
                    f"{verb.verb}: {field.name} is not a parameter: make it with words(), number() …"
                )
                fault = _fault_in_parameter(known[field.name], types[field.name])
                assert not fault, f"{verb.verb}: {field.name} {fault}."

    def test_verbs_are_named_as_people_type_them(self) -> None:
        for verb in self.game.actions:
            assert _VERB.fullmatch(verb.verb), f"{verb.verb!r} is not lower case with hyphens."

    def test_what_a_player_may_take_says_who_acts_or_is_any_seats(self) -> None:
        for verb in self.game.actions:
            is_open = [each for each in parameters(verb) if each.actor and each.required]
            assert not (verb.by_any_seat and (verb.gm_only or is_open)), (
                f"{verb.verb} is taken by any seat, and is the GM's or needs somebody who acts. Say one of the two."
            )
            assert verb.gm_only or not is_the_gms(verb), (
                f"Nobody acts in {verb.verb}, so no player can take it. Say who does (actor=True beside a character), "
                f"or beside the verb by_any_seat=True or gm_only=True."
            )

    def test_no_verb_takes_the_place_of_one_that_binds_the_engine(self) -> None:
        taken = [verb.verb for verb in self.game.actions if verb.verb in BINDING]
        assert not taken, f"{', '.join(taken)}: the engine itself takes these; find other words."

    def test_second_thoughts_say_what_they_do(self) -> None:
        for kind, said in self.game.second_thoughts.items():
            assert _VERB.fullmatch(kind), f"The second thought {kind!r} is not lower case with hyphens."
            assert len(said.split()) > 2, f"The second thought {kind!r} does not say what it does."

    def test_every_house_rule_has_a_default_and_says_what_it_decides(self) -> None:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            object.__new__(self.game.settings).__setattr__("a_setting", 1)
        for setting in settings_fields(self.game):
            where = f"The setting {setting.name}"
            assert _NAME.fullmatch(setting.name), f"{where} is not lower case with underscores."
            assert isinstance(setting.default, bool | int | str), f"{where} has no default that can be kept."
            assert len(setting.help.split()) > 2, f"{where} does not say what it decides."
            setting.check(setting.default)
        assert chosen_settings(self.game, {}) == attrs.asdict(self.game.settings()), "written out they are the defaults"

    def test_house_rules_that_make_no_sense_are_refused(self) -> None:
        for name, value in (("no_such_setting", "yes"), *_wrong(settings_fields(self.game))):
            with pytest.raises(RollbookError) as refusal:
                chosen_settings(self.game, {name: value})
            fault = fault_in(str(refusal.value), [name])
            assert not fault, f"{name}={value} is refused with {str(refusal.value)!r}, but {fault}."


def _fault_in_parameter(parameter: Parameter, annotated: object) -> str:
    if not _NAME.fullmatch(parameter.name):
        return "is not lower case with underscores"
    if not parameter.help.strip():
        return "is not explained"
    if annotated != parameter.want.value_type:
        return f"is annotated {annotated}, but a {parameter.want} is {parameter.want.value_type}"
    if parameter.want in (ParameterType.CHOICE, ParameterType.CHOICES) and not parameter.choices:
        return "has no choices"
    if not parameter.required:
        assert parameter.default is not None
        try:
            parameter.check(parameter.default)
        except RollbookError as refusal:
            return f"refuses its own default: {refusal}"
    return ""


def _wrong(settings: tuple[Parameter, ...]) -> list[tuple[str, str]]:
    """An invalid value for every setting that has some."""
    found = [(setting.name, NONSENSE) for setting in settings if setting.want is not ParameterType.TEXT]
    found += [(setting.name, str(setting.minimum - 1)) for setting in settings if setting.minimum is not None]
    return found + [(setting.name, str(setting.maximum + 1)) for setting in settings if setting.maximum is not None]


_WORDS = (ParameterType.TEXT, ParameterType.TEXTS, ParameterType.USE, ParameterType.GEAR, ParameterType.PAIRS)
"""Types of parameters with words that rules may compare."""


class VocabularyLaws(RandomPlaySuite):
    """Tried out on the examples."""

    def test_no_two_words_of_a_subject_differ_in_capitals_alone(self) -> None:
        for subject, words in self.game.vocabulary.items():
            spelled: dict[str, str] = {}
            for word in words.known:
                same = spelled.setdefault(folded(word), word)
                assert same == word, f"Of the subject {subject!r} {word!r} and {same!r} are one word to who types it."

    def test_an_example_in_capitals_comes_out_the_same(self) -> None:
        playthrough = Playthrough(self.game)
        for outcome in self.opening:
            again = playthrough.take(_in_capitals(playthrough, outcome.move))
            assert not again.refusal, (
                f"With capitals this is refused: {playthrough.last}\n{again.refusal}\nA parameter says with of=… whose words "
                f"they are, and the ruleset's vocabulary has them."
            )
            assert _plain(again.events) == _plain(outcome.events), (
                f"With capitals this comes out otherwise: {playthrough.last}"
            )


def _in_capitals(playthrough: Playthrough, move: Move) -> Move:
    """The move with every word typed in capitals."""
    verb = playthrough.rulebook.verb(playthrough.state, move.intent.verb)
    said = {**move.intent.params}
    for parameter in parameters(verb):
        if parameter.want in _WORDS and not parameter.is_name and not parameter.hidden and parameter.name in said:
            said[parameter.name] = _louder(parameter, said[parameter.name])
    action = playthrough.rulebook.speller(playthrough.state, move.seat).spelled_action(build(verb, said))
    return attrs.evolve(move, intent=attrs.evolve(move.intent, params=intent_of(action).params))


def _louder(parameter: Parameter, value: ParameterValue) -> ParameterValue:
    if value == parameter.default:
        return value
    if isinstance(value, Mapping):
        return {name: word.upper() if isinstance(word, str) else word for name, word in value.items()}
    if isinstance(value, tuple):
        return tuple(each.upper() if isinstance(each, str) else each for each in value)
    return value.upper() if isinstance(value, str) else value


def _plain(happened: tuple[object, ...]) -> list[str]:
    return [str(event).casefold() for event in happened]
