"""The ways in which the words after a verb can be read, with what was left out filled in."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, cached_property, partial

import attrs

from rollbook.application.lines import leftover_words
from rollbook.application.lines.party_words import without_repeats
from rollbook.application.lines.seat_view import (
    View,
    actor_parameter,
    fitting,
    known_as,
    meanings,
    people,
    people_in_parts,
)
from rollbook.application.lines.verb_line import said_of_several
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Record
from rollbook.domain.entries import Intent
from rollbook.domain.events import CharacterKind, EncounterBegan, EncounterEnded, SceneResumed, SceneSetAside
from rollbook.domain.rules.action import Action, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.campaign_state import Character

_REMEMBERED = (ParameterType.GEAR, ParameterType.CHARACTER, ParameterType.CHARACTERS)

LOOKED_BACK = 500
"""Number of entries before the prompt was opened that still count."""
LONGEST_NAME = 4
"""Most words of a name that is typed without quotation marks."""


class LastUsed:
    """Names in the newest entries. ``actor`` acted last, "" if none did. ``changes`` counts changes of any of them.

    ``verbs`` counts the verbs.
    """

    def __init__(self) -> None:
        self.actor = ""
        self.changes = 0
        self.verbs = Counter[str]()
        self._used: dict[tuple[str, str, str], str] = {}
        self._taken: Counter[tuple[str, str, bool]] = Counter()
        self._is_fight = False
        self._seen = 0

    def used(self, who: str, verb: str, parameter: str) -> str:
        """The last value that ``who`` named for this parameter, "" for none."""
        return self._used.get((who, verb, parameter), "")

    def taken(self, who: str, verb: str, *, in_fight: bool) -> int:
        """The number of times that ``who`` ("": nobody in particular) took a verb, in fights or outside them."""
        return self._taken[who, verb, in_fight]

    def catch_up(self, campaign: CampaignView) -> None:
        """Read the entries that were recorded since."""
        head = campaign.head.entry
        if head == self._seen:
            return
        for entry in campaign.session.history.entries_after(max(self._seen, head - LOOKED_BACK)):
            if entry.intent is not None:
                self._note(campaign, entry.intent)
            for event in entry.events:
                if isinstance(event, (EncounterBegan, EncounterEnded, SceneSetAside, SceneResumed)):
                    self._is_fight = isinstance(event, (EncounterBegan, SceneResumed))
        self._is_fight = campaign.state.encounter is not None
        self._seen = head

    def _note(self, campaign: CampaignView, intent: Intent) -> None:
        try:
            verb = campaign.session.rulebook.verb(campaign.state, intent.verb)
        except RollbookError:  # a verb of a game that was played before
            return
        self.verbs[verb.verb] += 1
        actor = next((str(intent.params.get(each.name, "")) for each in user_parameters(verb) if each.actor), "")
        self._taken[actor, verb.verb, self._is_fight] += 1
        if not actor:
            return
        self.changes += self.actor != actor
        self.actor = actor
        for parameter in user_parameters(verb):
            used = intent.params.get(parameter.name, "")
            if used and (parameter.want in _REMEMBERED or parameter.fits is not None):
                place, word = (actor, verb.verb, parameter.name), typed(used)
                self.changes += self._used.get(place) != word
                self._used[place] = word


@attrs.frozen
class Reading(Record):
    """One reading: parameters in full, the number ``assumed``, and the number (``loose``) that are unknown free text.

    ``unclear`` is a word and its meanings, if it has more than one; the word is "" for a parameter that was left out.
    """

    given: Mapping[str, str] = attrs.field(factory=dict)
    assumed: int = 0
    loose: int = 0
    unclear: tuple[str, tuple[str, ...]] | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """The distance from what was typed: lower is nearer."""
        return self.assumed, self.loose

    def with_value(self, parameter: Parameter, word: str, found: Sequence[str], *, assumed: bool = False) -> "Reading":
        """The reading with one more parameter."""
        vouched = parameter.want is not ParameterType.TEXT or found[0] != word
        return attrs.evolve(
            self,
            given={**self.given, parameter.name: found[0]},
            assumed=self.assumed + assumed,
            loose=self.loose + (not vouched),
            unclear=self.unclear or ((word, tuple(found)) if len(found) > 1 else None),
        )


@attrs.frozen(slots=False)
class Reader(Record):
    """Reads the loose words after a verb; ``options`` are the parameters that were given by name."""

    verb: type[Action]
    view: View
    last: LastUsed
    options: Mapping[str, str]

    def readings(self, words: Sequence[str]) -> Iterator[Reading]:
        """All readings, the nearest to what was typed among them."""
        for needed, left, so_far in self._reached(self._needed, words, Reading(), past_end=True, is_whole=True):
            if not needed:
                yield from self._rest(left, so_far)

    @cached_property
    def _needed(self) -> tuple[Parameter, ...]:
        return tuple(each for each in user_parameters(self.verb) if each.required and each.name not in self.options)

    @cached_property
    def actors(self) -> list[str]:
        """The characters meant if none is named: the one whose turn it is; outside fights the seat's own, or all."""
        state, known = self.view.state, self.view.characters()
        if state.encounter is not None:
            return [who.id for who in known if who.id == state.encounter.current]
        present = [who for who in known if who.is_here]
        own = [who.id for who in present if self.view.seat and who.seat == self.view.seat]
        players = sorted(present, key=lambda who: who.kind is not CharacterKind.PLAYER_CHARACTER)
        return own or [who.id for who in players]

    @property
    def default_actor(self) -> str:
        """The actor if none is named, "" if that is not clear: no character is guessed for whom dice would fall."""
        return self.actors[0] if len(self.actors) == 1 else ""

    def actor(self, given: Mapping[str, str]) -> Character | None:
        """The actor of a line, as far as it has been read."""
        mine = self._acting
        named = "" if mine is None else given.get(mine.name) or self.options.get(mine.name, "")
        return self._called(named.partition(",")[0])

    @cached_property
    def _acting(self) -> Parameter | None:
        return actor_parameter(self.verb)

    @cached_property
    def _called(self) -> Callable[[str], Character | None]:
        """The character whom a word names, None for none or several. Each is looked for once, as every reading asks for it."""
        return cache(self._looked_for)

    def _looked_for(self, word: str) -> Character | None:
        found = self.view.named(word)
        return self.view.character(found[0]) if len(found) == 1 else None

    def _reached(
        self,
        needed: Sequence[Parameter],
        words: Sequence[str],
        so_far: Reading,
        *,
        past_end: bool = False,
        is_whole: bool = False,
    ) -> Iterator[tuple[Sequence[Parameter], Sequence[str], Reading]]:
        """Every place up to which words can be read: the parameters needed from there, the words left, the reading.

        With ``past_end``, also places after the last word, where further parameters may be left out. In a line that
        ``is_whole`` none is left out if the next word would then become text.
        """
        yield needed, words, so_far
        if not needed or not (words or past_end):
            return
        parameter, *others = needed
        go_on = partial(self._reached, others, past_end=past_end, is_whole=is_whole)
        is_named = False
        for count, word, found in self._taken(parameter, words, so_far.given, is_last=not others):
            is_named = True
            if self._are_several(parameter):
                yield needed, words[count:], so_far
            yield from go_on(words[count:], so_far.with_value(parameter, word, found))
        left_out = self._left_out(parameter, so_far)
        if left_out and not (is_whole and others and self._would_be_text(others[0], words, is_named=is_named)):
            yield from go_on(words, so_far.with_value(parameter, "", left_out, assumed=True))

    def _would_be_text(self, following: Parameter, words: Sequence[str], *, is_named: bool) -> bool:
        """True if a name, or nearly one, would be read as text if the parameter before it were left out."""
        if is_named and _is_anything(following, words[0], None):
            return True
        if not words or following is not leftover_words.text_to_the_end(user_parameters(self.verb)):
            return False
        known = [caseless(name) for who in self.view.characters() for name in (who.id, who.name)]
        return bool(get_close_matches(caseless(words[0]), known, n=1, cutoff=0.75))

    def stops(self, words: Sequence[str]) -> tuple[int, list["Stop"]]:
        """The number of words that can be read at most, and what could come there."""
        found: list[tuple[int, Stop]] = []
        for needed, left, so_far in self._reached(self._needed, words, Reading()):
            acts, follow = self.actor(so_far.given), () if needed or not left else self._following
            found.append((len(left), Stop(needed[0] if needed else None, acts, so_far.given)))
            found += ((len(left), Stop(each, acts, so_far.given, is_needed=False)) for each in follow)
        fewest = min((left for left, _ in found), default=0)
        return len(words) - fewest, [stop for left, stop in found if left == fewest]

    def _are_several(self, parameter: Parameter) -> bool:
        return parameter.want is ParameterType.CHARACTERS or parameter is said_of_several(self.verb)

    def actor_after(self, words: Sequence[str]) -> Character | None:
        """The actor of a line that goes on after these words."""
        found = (actor for _, actor in self.next_parameters(words))
        return next(filter(None, found), self.view.character(self.default_actor))

    def next_parameters(self, words: Sequence[str]) -> Iterator[tuple[Parameter | None, Character | None]]:
        """The parameters that may come after these words, None if none need follow, each with the actor."""
        for needed, left, so_far in self._reached(self._needed, words, Reading(), past_end=True):
            actor = self.actor(so_far.given)
            if not needed:
                yield None, actor
                yield from ((each, actor) for each in (() if left else self._following))
            elif not left:
                yield needed[0], actor

    @cached_property
    def _free(self) -> tuple[Parameter, ...]:
        free = [each for each in user_parameters(self.verb) if not each.required and each.name not in self.options]
        return tuple(leftover_words.sayable_next(free))

    @cached_property
    def _following(self) -> tuple[Parameter, ...]:
        """The optional parameters for which words that are left over may be meant."""
        return tuple(each for place, each in enumerate(self._free) if _may_follow(each, place))

    def _taken(
        self, parameter: Parameter, words: Sequence[str], given: Mapping[str, str], *, is_last: bool
    ) -> Iterator[tuple[int, str, list[str]]]:
        """The numbers of words that may be the value of a parameter, with the words as typed and their meanings."""
        actor = self.actor(given)
        mine = user_parameters(self.verb)
        if is_last and parameter is leftover_words.text_to_the_end(mine):
            if words:
                text = " ".join(words)
                yield len(words), text, meanings(parameter, text, self.view, actor)
            return
        if self._are_several(parameter):
            yield from self._taken_together(words)
            return
        has_names = parameter.want is ParameterType.GEAR or parameter.fits is not None
        for count in range(1, min(len(words), LONGEST_NAME if has_names else 1) + 1):
            text = " ".join(words[:count])
            found = meanings(parameter, text, self.view, actor)
            is_count = parameter.is_name and leftover_words.is_number(text) and leftover_words.next_numbers(mine, {})
            if found and not is_count and (count == 1 or not _is_anything(parameter, text, actor)):
                yield count, text, found

    def _taken_together(self, words: Sequence[str]) -> Iterator[tuple[int, str, list[str]]]:
        """``kestrel brand ghoul``, with blanks or commas: all words that are names, or fewer."""
        names: list[tuple[bool, list[str]]] = []
        unclear: tuple[str, list[str]] | None = None
        for count, word in enumerate(words, 1):
            found = (
                []
                if leftover_words.is_number(word) and word not in self.view.state.characters
                else people(word, self.view)
            )
            if not found:
                return
            names += people_in_parts(word, self.view)
            unclear = unclear or ((word, found) if len(found) > 1 else None)
            yield count, *(unclear or (" ".join(words[:count]), [",".join(without_repeats(names))]))

    def _left_out(self, parameter: Parameter, so_far: Reading) -> list[str]:
        """The values meant by leaving a parameter out; none if it must be given, several if it is not clear.

        Nobody is assumed beside an actor who is named: a single name is that of the other one.
        """
        if parameter.actor and parameter.want is ParameterType.CHARACTER:
            return self.actors
        actor = self.actor(so_far.given)
        if parameter.usual is not None:
            meant = parameter.usual(self.view.state, actor) if actor is not None and so_far.assumed else ()
            return [name for name in meant if self.view.character(name) is not None]
        if parameter.want is not ParameterType.GEAR or actor is None:
            return []
        used = self.last.used(actor.id, self.verb.verb, parameter.name)
        fits = fitting(parameter, actor)
        return [used] if used and used in (*fits, *parameter.choices) else fits

    def _rest(self, words: Sequence[str], so_far: Reading) -> Iterator[Reading]:
        """Readings of leftover words as optional parameters: the next character, a weapon, a power, a count, a text."""
        if not words:
            yield so_far
            return
        end = leftover_words.text_to_the_end(user_parameters(self.verb))
        if end is not None and end in self._free:
            text = " ".join(words)
            yield so_far.with_value(end, text, [text])
            return
        mine = user_parameters(self.verb)
        if placed := leftover_words.placed_numbers(mine, {**self.options, **so_far.given}, words):
            for parameter, number in placed:
                so_far = so_far.with_value(parameter, number, [number])
            yield from self._rest(words[: -len(placed)], so_far)
            return
        text, actor = " ".join(words), self.actor(so_far.given)
        for place, parameter in enumerate(self._free):
            found = meanings(parameter, text, self.view, actor) if _may_follow(parameter, place) else []
            is_text = not place and len(words) == 1 and leftover_words.is_quoted(text)
            if found and (is_text or not _is_anything(parameter, text, actor)):
                yield so_far.with_value(parameter, text, found)
                return


@attrs.frozen
class Stop(Record):
    """A place where a reading ends: the parameter expected there (None: none needed), the actor, and what was read."""

    expected: Parameter | None
    actor: Character | None
    given: Mapping[str, str]
    is_needed: bool = True


def _is_anything(parameter: Parameter, text: str, actor: Character | None) -> bool:
    """True if a text stands for itself alone, and for nothing that is known."""
    return parameter.want is ParameterType.TEXT and not known_as(parameter, text, actor)


def _may_follow(parameter: Parameter, place: int) -> bool:
    """True if words that are left over may be meant for an optional parameter, the ``place``-th of those."""
    named = parameter.want in (ParameterType.CHARACTER, ParameterType.GEAR)
    return named or (not place and parameter.want is ParameterType.TEXT)
