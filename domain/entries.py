"""Entries: what was done to a history, and the events that followed from it.

``Entry`` is what a preview proposes; ``RecordedEntry`` is one that is stored, with its number and its hashes. Both are tuples
with named fields: whole campaigns of them are read at once, and a tuple is the cheapest immutable value in Python.
"""

import enum
from collections.abc import Mapping
from operator import attrgetter
from typing import NamedTuple, Protocol

import attrs

from rollbook.domain.base.identifiers import ActionNumber, CharacterId, EntryNumber, SeatName
from rollbook.domain.base.records import HoldsMapping, ReadOnly, Record
from rollbook.domain.events import Event, NoteWritten, ParameterValue, PictureShown, Scalar, SeatNamed


class EntryKind(enum.StrEnum):
    """The effect of an entry on an action; its value is the name under which it is stored.

    People undo and redo, stores void and restore: the two pairs of words meet here and nowhere else.
    """

    TAKEN = "ActionTaken"
    INSERTED = "ActionInserted"
    REVISED = "ActionRevised"
    UNDONE = "ActionVoided"
    REDONE = "ActionRestored"


CORRECTIONS = (EntryKind.INSERTED, EntryKind.REVISED, EntryKind.UNDONE, EntryKind.REDONE)
"""The kinds of entries that change what was played before them."""


def read_only_params(params: Mapping[str, ParameterValue]) -> Mapping[str, ParameterValue]:
    """Parameters that cannot be changed, mappings among them neither."""
    if dict in map(type, params.values()):
        params = {name: ReadOnly(value) if isinstance(value, dict) else value for name, value in params.items()}
    return ReadOnly(params)


@attrs.frozen(kw_only=True)
class SecondThought(HoldsMapping, Record):
    """An addition to an action after it was decided: ``kind`` by ``character``, with parameters of its kind.

    A rule's second thought (say "reroll") has ``roll``, the number of the action's roll from 0, and ``keep``, which of the two
    rolls counts; a parameter at its default is left out. "adjust" is the GM's in every game (``rules.sheet_rulings``).
    """

    kind: str
    character: CharacterId = ""
    params: Mapping[str, Scalar] = attrs.field(factory=dict)
    _held = "params"

    @property
    def roll(self) -> int:
        """The number of the roll that a second thought is about."""
        number = self.params.get("roll", 0)
        return number if isinstance(number, int) else 0

    @property
    def keep(self) -> str:
        """The one of two rolls that counts; "" is the rule's default."""
        return str(self.params.get("keep", ""))


@attrs.frozen(kw_only=True)
class Intent(Record):
    """The aim of a seat: a verb, its parameters, and the second thoughts that a rule allowed on it.

    A converter makes the parameters read-only: the codec, which reads past it, does so itself, at half the price of a method.
    """

    verb: str
    params: Mapping[str, ParameterValue] = attrs.field(factory=dict, converter=read_only_params)
    second_thoughts: tuple[SecondThought, ...] = ()


def second_thought(kind: str, character: CharacterId = "", *, roll: int = 0, keep: str = "") -> SecondThought:
    """A rule's second thought about the action's roll number ``roll``, counted from 0."""
    params: dict[str, Scalar] = {"roll": roll, "keep": keep}
    return SecondThought(kind=kind, character=character, params={name: said for name, said in params.items() if said})


NOTE, HANDOUT = "note", "handout"
NOTES = (NOTE, "say", "whisper", HANDOUT, "portrait", "lay-map")
"""The verbs of notes of every kind."""
NAMING = {"take-seat": "called", "rename-seat": "name"}
"""The verbs that say what a person is called, with the parameter that does."""
REMOVABLE_VERBS = (*NOTES, *NAMING)
"""The only verbs whose words, pictures and names can be removed for good."""
WORDS = ("text", "salt", "digest", "alt", "title", "picture", *NAMING.values())
"""The parameters of those verbs that are stored in their events alone, under the same names.

The title of a handout is its first line, and the file of a picture is in none of them.
"""

NO_INTENT = Intent(verb="")
"""The intent of an entry that undoes or redoes an action."""


class Entry(NamedTuple):
    """One thing that was done to a history. ``number`` and what follows ``restores`` are known once it is recorded.

    ``action`` is the number that players use (#412), ``revision`` counts the outcomes of that action from 1. ``seat`` did it at
    ``at`` (microseconds since 1970, UTC; 0: when it is recorded) for ``reason``. ``visibility`` is "" (the whole table), "gm"
    or the name of a seat. ``reads`` are the parts of the campaign that the rules looked at: an action whose reads did not
    change comes out the same. ``actor`` is the character who acts, or else the first that the intent names, "" for nobody.
    ``provenance`` is "played", "imported" (from another program) or "ruling" (against the rules).
    ``causation`` is the entry of the correction that this entry follows from (0: none), ``correction`` an id that all entries
    of one correction share, ``stand`` whether that correction left later actions as they were although it affects them,
    ``restores`` the revision that counts again. ``public_number`` is the action's number among those that the whole table saw:
    of a correction, and once there are secrets of every entry that the table saw. An inserted action is played just ``before``
    another one, which the table saw as its action number ``public_before`` (0 if it does not see the inserted one).

    ``hash`` covers the entry and ``previous_hash``, the hash of the entry before; ``previous_public_hash`` is that of the last
    entry that the whole table saw (see ``chain``). ``hidden_events`` are the positions of events that only the GM may see,
    and ``REASON`` among them means the reason. ``fingerprint`` is that of the installed rules where it changed.
    ``command`` is an id that the caller gave, and ``command_digest`` what was asked for under it.
    """

    kind: EntryKind
    action: ActionNumber
    events: tuple[Event, ...] = ()
    number: int = 0
    seat: SeatName = ""
    at: int = 0
    reason: str = ""
    visibility: str = ""
    revision: int = 1
    intent: Intent = NO_INTENT
    actor: CharacterId = ""
    ruleset: str = ""
    version: str = ""
    provenance: str = "played"
    restores: int = 0
    public_number: int = 0
    previous_public_hash: str = ""
    public_salt: str = ""
    public_before: int = 0
    causation: EntryNumber = 0
    correction: str = ""
    stand: bool = False
    reads: tuple[str, ...] = ()
    salt: str = ""
    hidden_events: tuple[int, ...] = ()
    fingerprint: str = ""
    command: str = ""
    command_digest: str = ""
    before: ActionNumber = 0
    previous_hash: str = ""
    hash: str = ""

    @property
    def is_outcome(self) -> bool:
        """True if the entry has an outcome of its own: an action taken, inserted or revised, not one undone or redone."""
        return self.kind is EntryKind.TAKEN or self.kind is EntryKind.REVISED or self.kind is EntryKind.INSERTED

    @property
    def is_first(self) -> bool:
        """True if the entry is the first of its action, which was taken or inserted."""
        return self.kind is EntryKind.TAKEN or self.kind is EntryKind.INSERTED

    @property
    def full_intent(self) -> Intent:
        """The intent as it was played: with the words of a note, which are stored in its event alone."""
        words = _words(self.intent, self.events)
        return attrs.evolve(self.intent, params={**words, **self.intent.params}) if words else self.intent

    @property
    def is_correction(self) -> bool:
        """True if the entry changes what was played before it."""
        return self.kind is not EntryKind.TAKEN


def without_words(intent: Intent, events: tuple[Event, ...]) -> Intent:
    """An intent as it is stored: without the words of a note, which are in its events."""
    words = _words(intent, events)
    if not words or (intent.verb == NOTE and intent.params.get("text", words["text"]) != words["text"]):
        return intent
    return attrs.evolve(intent, params={name: value for name, value in intent.params.items() if name not in WORDS})


def _words(intent: Intent, events: tuple[Event, ...]) -> dict[str, ParameterValue]:
    """The words of a note by the parameters under which they were said; the same salt is in all its events."""
    found: dict[str, ParameterValue] = {}
    for event in events if intent.verb in REMOVABLE_VERBS else ():
        if isinstance(event, NoteWritten):
            found = _said(intent.verb, event) | {"salt": event.salt} | found
        elif isinstance(event, PictureShown):
            found = {"digest": event.digest, "alt": event.alt, "salt": event.salt} | found
        elif isinstance(event, SeatNamed):
            found = {NAMING[intent.verb]: event.name, "salt": event.salt} | found
    return found


def _said(verb: str, note: NoteWritten) -> dict[str, ParameterValue]:
    """The words of a note; the first line of a handout is its title."""
    title, _, text = note.text.partition("\n") if verb == HANDOUT else ("", "", note.text)
    return {"title": title, "text": text} if verb == HANDOUT else {"text": text}


class RecordedEntry(Entry):
    """An entry of a history, by its ``number``. In a store it has its hashes too."""

    __slots__ = ()


class HasVerb(Protocol):
    """The intent of an entry, as far as its outline has it."""

    @property
    def verb(self) -> str: ...


class Outline(NamedTuple):
    """The fields of an entry by which a history finds its way; the rest is read when it is asked for (see ``entry_list``)."""

    number: EntryNumber
    kind: EntryKind
    action: ActionNumber
    hidden_events: tuple[int, ...]
    stand: bool
    correction: str
    fingerprint: str
    before: ActionNumber
    revision: int
    restores: int
    visibility: str
    intent: HasVerb


def outline_of(entry: RecordedEntry) -> Outline:
    """The outline of an entry."""
    return Outline._make(_NOTED(entry))


_NOTED = attrgetter(*Outline._fields)


UNKNOWN = "-"
"""Stored as a fingerprint from where it is not known any more."""


def known_fingerprint(stored: str) -> str:
    """A fingerprint that was stored, "" for an unknown one."""
    return "" if stored == UNKNOWN else stored


REASON = -1
"""Among the positions of hidden events: the reason is hidden."""


def recorded(entry: Entry, number: int) -> RecordedEntry:
    """An entry as the one of this number in a history that is in memory alone."""
    return RecordedEntry._make(entry)._replace(number=number)
