"""Laws of words: what somebody types in capitals means what it means in small letters."""

from collections.abc import Mapping

import attrs

from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import build, intent_of, parameters
from rollbook.domain.rules.parameters import Parameter, ParameterType
from rollbook.domain.rules.spelling import folded
from rollbook.testing.conformance.moves import Move
from rollbook.testing.conformance.playthrough import Playthrough
from rollbook.testing.conformance.random_suite import RandomPlaySuite

_WORDS = (ParameterType.TEXT, ParameterType.TEXTS, ParameterType.USE, ParameterType.GEAR, ParameterType.PAIRS)
"""Types of parameters in which words are that rules may compare."""


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
    """The move as somebody takes it who types every word in capitals."""
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
