"""Visibility: entries that are the GM's or one seat's alone, hidden characters, and secret dice.

What the whole table sees is a chain of its own inside the chain of entries: each of its entries names the one before it that
the table saw, so what lies between can be left out without leaving a gap that could be counted.
"""

import json
import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

import attrs

from rollbook.domain import events
from rollbook.domain.base.records import Record
from rollbook.domain.entries import Entry, Intent
from rollbook.domain.events import DiceRolled, Event
from rollbook.domain.history.chain import ROOT
from rollbook.domain.state.campaign_state import CampaignState

GM = "gm"
"""The reader of what is hidden from the table."""

EVERYBODYS = frozenset(
    (
        "adopt",
        "agree",
        "close-session",
        "cut-to",
        "entropy",
        "leave-seat",
        "meanwhile",
        "open-session",
        "rename-seat",
        "reveal",
        "reveal-screen",
        "scene",
        "take-seat",
        "time-zone",
    )
)
"""The verbs that settle something for the whole table and cannot be secret: what follows rests on them."""

NEW_NAMES = {"join": ("name", "id"), "bring-in": ("who", "name", "id"), "rename": ("name",)}
"""The parameters of verbs that give a new name or id, and so refer to no character who is there."""


@attrs.frozen
class Names(Record):
    """A search for ids and names of hidden characters in texts, except inside the name of a known one."""

    known: re.Pattern[str]
    hidden: frozenset[str]

    def are_in(self, text: str) -> bool:
        """True if a text names a hidden character."""
        return not self.hidden.isdisjoint(self._named(text))

    def _named(self, *texts: str) -> Iterator[str]:
        return (match.group() for text in texts for match in self.known.finditer(_plain(text)))

    def but(self, *said: object) -> "Names":
        """The search without the characters who are named in what was ``said``."""
        named = self.hidden.intersection(self._named(*_words_of(said)))
        return attrs.evolve(self, hidden=self.hidden - named) if named else self


class PublicHead(NamedTuple):
    """The part of a history that the whole table has seen: the hash of its last entry, and its entries and actions.

    ``secrets`` says whether anything was ever hidden from the table; as long as nothing was, the chain itself is the table's.
    """

    hash: str = ROOT
    entries: int = 0
    actions: int = 0
    secrets: bool = False

    def after(self, entry: Entry) -> "PublicHead":
        """The same after one more entry."""
        last, entries, actions, secrets = self
        if entry.visibility:
            return self if secrets else PublicHead(last, entries, actions, True)  # noqa: FBT003 - the field is named above
        return PublicHead(entry.hash, entries + 1, actions + entry.is_first, secrets or bool(entry.hidden_events))


_is_hidden = attrgetter("hidden")


def hidden_names(
    campaign: CampaignState, added: Sequence[Event] = (), after: CampaignState | None = None
) -> Names | None:
    """The search for ids and names of hidden characters in texts; None if nobody is hidden.

    ``added`` are events to come: the characters whom they hide count as hidden, and those whom they reveal do not.
    Characters who are hidden in the campaign ``after`` a correction are hidden too. The name of a character whom the
    table knows never counts as that of a hidden one, even if both have the same name.
    """
    states = [known for known in (campaign, after) if known is not None]
    are_hidden = any(any(map(_is_hidden, known.characters.values())) for known in states)
    if not are_hidden and not any(isinstance(event, events.CharacterHidden) for event in added):
        return None
    characters = [who for known in states for who in known.characters.values()]
    names = {who.id: who.name for who in characters}
    names |= {
        event.character: event.name
        for event in added
        if isinstance(event, (events.CharacterJoined, events.CharacterRenamed))
    }
    hidden = {who.id: who.name for who in characters if who.hidden}
    for event in added:
        if isinstance(event, events.CharacterHidden):
            hidden[event.character] = names.get(event.character, event.character)
        elif isinstance(event, events.CharacterRevealed):
            hidden.pop(event.character, None)
    if not hidden:
        return None
    open_ = _words({key: name for key, name in names.items() if key not in hidden})
    meant = _words(hidden) - open_
    longer = {word for word in open_ if any(part in word for part in meant)}
    listed = sorted(meant | longer, key=lambda word: (-len(word), word))
    return Names(re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, listed))})(?![\w-])"), frozenset(meant))


def _words(names: Mapping[str, str]) -> set[str]:
    return {_plain(word) for pair in names.items() for word in pair if word.strip()}


def _plain(text: str) -> str:
    """A text for comparing names: without capitals, ways to write a letter, and blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def names_hidden_character(names: Names | None, *texts: str) -> bool:
    """True if one of the texts names a hidden character."""
    return names is not None and any(map(names.are_in, texts))


def intent_names_hidden_character(names: Names | None, intent: Intent, but: Container[str] = ()) -> bool:
    """True if an intent names a hidden character anywhere ``but`` in some parameters.

    A new name refers to nobody yet.
    """
    new = NEW_NAMES.get(intent.verb, ())
    said = (value for name, value in intent.params.items() if name not in new and name not in but)
    return names is not None and names_hidden_character(names, *_words_of(said))


def stored_names_hidden_character(names: Names | None, line: bytes) -> bool:
    """True if a line of a stored entry names a hidden character anywhere but in its own name."""
    return names is not None and names_hidden_character(names, *_words_of(json.loads(line)[1:]))


def _words_of(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _words_of((*value, *value.values()))
        elif isinstance(value, (tuple, list)):
            yield from _words_of(value)


def is_secret_roll(event: Event) -> bool:
    """True if an event is a roll that only the GM may see."""
    return event.__class__ is DiceRolled and event.secret


def has_secret_roll(happened: Iterable[Event]) -> bool:
    """True if one of the events is a roll that only the GM may see."""
    for event in happened:  # noqa: SIM110 - every append asks, and a generator costs twice as much
        if event.__class__ is DiceRolled and event.secret:
            return True
    return False


def counts_secrets(event: Event) -> bool:
    """True if an event names numbers of the history by which a reader could count what is hidden from the table."""
    if isinstance(event, events.FreshDiceGranted):
        return any(place.screen for place in event.places)
    return isinstance(event, (events.EntriesRevealed, events.NoteRedacted))


def may_see(seat: str, entry: Entry) -> bool:
    """True if a seat may see an entry: what is public, what is for this seat, and its own words to another seat.

    Secret dice that a player's own action rolled are the GM's all the same. The seat "" is the table as such.
    """
    if entry.visibility in ("", seat):
        return True
    return bool(seat) and entry.seat == seat and not has_secret_roll(entry.events)


def revealed(happened: Iterable[Event]) -> set[int]:
    """The numbers of the entries that these events revealed."""
    return {number for event in happened if isinstance(event, events.EntriesRevealed) for number in event.entries}
