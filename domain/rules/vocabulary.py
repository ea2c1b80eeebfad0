"""Words that rules compare: a game's own spelling of them, and the nearest one where somebody types another.

A parameter names the subject of its words, and a ruleset has the words of each subject. What is newly said is spelled as the game
spells it, capitals, blanks and hyphens aside; what is on record stays as it is, so that it is played again as it was.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import attrs

from rollbook.domain.base.records import ReadOnly, Record
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action, actor_of, parameters, people_in
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import CONDITION, READER, STAT, TRAIT, TRAIT_KIND, folded

if TYPE_CHECKING:
    from rollbook.domain.state.campaign_state import CampaignState, Character

_NO_WORD = r"[-+]?\d+|\d*d\d+.*|-|"
_NEAR = 0.8

ACTOR = ""
"""Key of the acting character among the parameters that are spelled."""


class Unknown(enum.Enum):
    """A word of a subject that no rule knows: a mistake, perhaps a slip of one that is near, or a name of the table's own."""

    MISTAKE = enum.auto()
    PERHAPS_A_SLIP = enum.auto()
    COINED = enum.auto()


def _nothing(_: object) -> Iterable[str]:
    return ()


@attrs.frozen(kw_only=True)
class Words(Record):
    """The words of one subject: those that rules compare (``known``), and others that are meant where they are typed.

    Those are the ones that somebody ``bears``, a group's name say, and those ``at_hand`` at the table, as house rules have them.
    ``unknown`` says what any other word is. ``fault`` says what is wrong with known words together, "" for nothing.
    """

    known: tuple[str, ...] = ()
    bears: Callable[[Character], Iterable[str]] = _nothing
    at_hand: Callable[[CampaignState], Iterable[str]] = _nothing
    unknown: Unknown = Unknown.PERHAPS_A_SLIP
    fault: Callable[[tuple[str, ...]], str] = lambda _: ""


Vocabulary = Mapping[str, Words]
"""The words of a game by their subject."""

_BORNE: Mapping[str, Callable[[Character], Iterable[str]]] = {
    CONDITION: lambda who: who.conditions,
    TRAIT: lambda who: who.traits,
    TRAIT_KIND: lambda who: who.traits.values(),
    STAT: lambda who: (*who.stats, *who.pools),
}
"""The words of the subjects of every game that somebody has."""

_WITHOUT_A_GAME = {
    READER: Words(at_hand=lambda campaign: ("table", "gm", *campaign.people), unknown=Unknown.COINED),
    STAT: Words(known=("hp", "level", "xp", "pool")),
}
"""The words of subjects about which a game says nothing."""


@attrs.frozen
class Speller(Record):
    """Speller of parameters at one moment, by the words of the game and of the characters whom the speaker knows."""

    vocabulary: Vocabulary
    campaign: CampaignState
    seat: str = ""
    knows_all: bool = True

    def spelled(self, verb: type[Action], params: Mapping[str, ParameterValue]) -> dict[str, ParameterValue]:
        """The parameters that the game spells otherwise, in its spelling."""
        found = {}
        people = [self.campaign.characters.get(str(params.get(name, ""))) for name in (ACTOR, *people_in(verb))]
        for parameter in parameters(verb):
            said = params.get(parameter.name, parameter.default)
            if said and said != parameter.default and (parameter.of or parameter.fits or parameter.choices):
                meant = _mapped(parameter, said, partial(self._spelled, parameter, people))
                if meant != said:
                    found[parameter.name] = meant
        return found

    def spelled_action(self, action: Action) -> Action:
        """An action with its words as the game spells them."""
        said = {each.name: getattr(action, each.name) for each in parameters(type(action))}
        meant = self.spelled(type(action), {**said, ACTOR: actor_of(action)})
        return attrs.evolve(action, **meant) if meant else action

    def remarks(self, action: Action) -> tuple[str, ...]:
        """A sentence for each word of an action that no rule knows and that was perhaps not meant."""
        found: dict[str, None] = {}
        for parameter in parameters(type(action)):
            said = getattr(action, parameter.name)
            if parameter.of and said and said != parameter.default:
                found |= dict.fromkeys(self._remarks(parameter, said))
        return tuple(found)

    def _remarks(self, parameter: Parameter, said: ParameterValue) -> Iterator[str]:
        heard = tuple(_words_in(parameter, said))
        for subject, word in heard:
            words = self._words(subject)
            if words is not None and words.unknown is not Unknown.COINED:
                yield from self._remark(subject, words, word)
        words = self._words(parameter.of)
        fault = words.fault(tuple(word for _, word in heard)) if words is not None else ""
        if fault:
            yield fault

    def _remark(self, subject: str, words: Words, word: str) -> Iterator[str]:
        if folded(word) in self._common(subject) or re.fullmatch(_NO_WORD, word, flags=re.ASCII | re.IGNORECASE):
            return
        known = self._known(subject)
        if folded(word) in known:
            return
        if ":" in word:
            for piece in word.split(":"):
                yield from self._remark(subject, words, piece)
            return
        from difflib import get_close_matches  # noqa: PLC0415 - most words are known

        near = get_close_matches(folded(word), known, n=1, cutoff=_NEAR)
        if near:
            yield f"No rule knows the {subject} {word!r}, which is kept as it was typed. Did you mean {known[near[0]]}?"
        elif words.unknown is Unknown.MISTAKE:
            yield f"No rule knows the {subject} {word!r}, which is kept as it was typed."

    def _spelled(self, parameter: Parameter, people: Sequence[Character | None], subject: str, word: str) -> str:
        """One word; the ``people`` are those whom the action names, first the one who acts."""
        held = parameter.fits(people[0]) if parameter.fits is not None and people[0] is not None else ()
        own = (*held, *parameter.choices)
        if word in own or any(who is not None and word in self._borne(subject, who) for who in people):
            return word
        usual = self._common(subject) | _by_form(own)
        meant = usual.get(folded(word), "")
        if meant:
            return meant
        found = self._known(subject) | usual
        meant = found.get(folded(word), "")
        return meant or ":".join(found.get(folded(piece), piece) for piece in word.split(":"))

    def _common(self, subject: str) -> dict[str, str]:
        """The words of a subject as the game and the table spell them, by their form for comparison."""
        words = self._words(subject)
        return _by_form((*words.known, *words.at_hand(self.campaign))) if words else {}

    def _known(self, subject: str) -> dict[str, str]:
        """The same with the words that people have: a player's own characters, and to the GM everybody."""
        people = (
            who for who in self.campaign.characters.values() if self.knows_all or (who.seat and who.seat == self.seat)
        )
        return _by_form([word for who in people for word in self._borne(subject, who)]) | self._common(subject)

    def _borne(self, subject: str, who: Character) -> tuple[str, ...]:
        """The words of a subject that somebody has, as they are on record."""
        words = self._words(subject)
        return (*_BORNE.get(subject, _nothing)(who), *(words.bears(who) if words else ()))

    def _words(self, subject: str) -> Words | None:
        return self.vocabulary.get(subject) or _WITHOUT_A_GAME.get(subject)


def _by_form(words: Sequence[str]) -> dict[str, str]:
    """Words by their form for comparison; of several with one form the first."""
    return {folded(each): each for each in reversed(words)}


def _mapped(parameter: Parameter, value: ParameterValue, of: Callable[[str, str], str]) -> ParameterValue:
    """A value in which each word is replaced by what ``of`` makes of its subject and of it."""
    names, sign, words = parameter.of.partition("=")
    if isinstance(value, str):
        return of(names, value)
    if isinstance(value, tuple):
        return tuple(of(names, each) if isinstance(each, str) else each for each in value)
    if isinstance(value, Mapping):
        pairs = [
            (of(names, name), of(words, each) if sign and isinstance(each, str) else each)
            for name, each in value.items()
        ]
        return ReadOnly(sorted(pairs)) if len(dict(pairs)) == len(value) else value
    return value


def _words_in(parameter: Parameter, value: ParameterValue) -> Iterator[tuple[str, str]]:
    """The words of a value, each after its subject."""
    heard: list[tuple[str, str]] = []

    def hear(subject: str, word: str) -> str:
        heard.append((subject, word))
        return word

    _mapped(parameter, value, hear)
    yield from heard
