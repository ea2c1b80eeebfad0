"""Removing the words of a note, or a person's name, for good: from its entries, and with a record of it.

Nothing else can ever be removed. The digest of the line stays in its place, so the chain verifies; the words and their salt are
gone, so nobody can find them by guessing.
"""

from collections.abc import Iterable, Sequence

from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import ActionNumber, SeatName
from rollbook.domain.entries import NAMING, NOTES, REMOVABLE_VERBS, WORDS, RecordedEntry
from rollbook.domain.events import REMOVABLE as EVENTS
from rollbook.domain.events import SeatNamed
from rollbook.domain.history.chain import FIRST_EVENT, REMOVABLE, lines_of, mark
from rollbook.domain.history.history import History


def check_redactable(history: History, action: ActionNumber) -> tuple[int, ...]:
    """The entries of a note or a name. Raises NotFound for no action, Refused for one that is neither or has no words left."""
    numbers = redactable(history, action)
    if is_without_words(history, numbers):
        raise Refused(f"The words of #{action} are removed already.")
    return numbers


def redactable(history: History, action: ActionNumber) -> tuple[int, ...]:
    """The entries of a note or a name, with words or without.

    Raises NotFound for no action, Refused for one that is neither, and for a name that the hashes of its entry cover.
    """
    entries = [entry for entry in history.revisions(action) if is_removable(entry)]
    verb = history.intent_of(action).verb
    if not entries or verb not in REMOVABLE_VERBS:
        raise Refused(
            f"Action #{action} ({verb}) is not a note. Only the words of a note and a person's name can be removed; "
            f"everything else can be undone: rollbook undo {action}"
        )
    if verb in NAMING and not any(map(is_naming, entries)):
        raise Refused(
            f"The name in #{action} stands in the envelope of its entry, and the hashes prove that: it goes with the campaign "
            "alone. Names can be removed at a table that agreed so before the seat was taken: rollbook do agree names removable"
        )
    return tuple(entry.number for entry in entries)


def is_without_words(history: History, numbers: Iterable[int]) -> bool:
    """True if these entries of a note or a name have no words left."""
    return not any(words_of(history.entry(number)) for number in numbers)


def notes_with(history: History, words: frozenset[str]) -> tuple[int, ...]:
    """The actions that are notes or names and have one of these words or salts in any of their entries."""
    found = (entry for entry in history.entries if is_removable(entry) and not words.isdisjoint(words_of(entry)))
    return tuple(dict.fromkeys(entry.action for entry in found))


def names_of(history: History, seat: SeatName) -> tuple[int, ...]:
    """The actions that said what the person of a seat is called, and whose names are still there."""
    found = (entry for entry in history.entries if is_naming(entry) and words_of(entry))
    return tuple(dict.fromkeys(entry.action for entry in found if entry.intent.params.get("seat") == seat))


def words_of(entry: RecordedEntry) -> frozenset[str]:
    """The words, names, salts and digests of pictures of an entry that would be removed."""
    words = (getattr(event, name) for event in entry.events for name in EVENTS.get(type(event), ()))
    return frozenset(words) - {""}


def words_that_stay(entry: RecordedEntry) -> bool:
    """True if the envelope of a note's entry holds its words too, as that of an imported note once did: its hash covers them."""
    return is_removable(entry) and any(entry.intent.params.get(name) for name in WORDS)


def is_note(entry: RecordedEntry) -> bool:
    """True if an entry is an outcome of a note, whose words may be removed one day."""
    return entry.intent.verb in NOTES


def is_naming(entry: RecordedEntry) -> bool:
    """True if an entry says what a person is called, in an event that may be removed one day."""
    return entry.intent.verb in NAMING and any(isinstance(event, SeatNamed) for event in entry.events)


def is_removable(entry: RecordedEntry) -> bool:
    """True if an entry is an outcome of a note, or of a verb that names a person."""
    return entry.intent.verb in REMOVABLE_VERBS


def without_notes(data: bytes) -> bytes:
    """A stored entry with a mark in the place of its words and names."""
    lines: Sequence[bytes] = lines_of(data)
    return b"\n".join(
        mark(line) if place >= FIRST_EVENT and line.startswith(REMOVABLE) else line for place, line in enumerate(lines)
    )
