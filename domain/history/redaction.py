"""Removing the words of a note for good: from its entries, and with a record of it.

Nothing else can ever be removed. The digest of the line stays in its place, so the chain verifies; the words and their salt are
gone, so nobody can find them by guessing.
"""

from collections.abc import Iterable, Sequence

from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.entries import REMOVABLE_VERBS, WORDS, RecordedEntry
from rollbook.domain.events import NoteWritten, PictureShown
from rollbook.domain.history.chain import FIRST_EVENT, REMOVABLE, lines_of, mark
from rollbook.domain.history.history import History


def check_redactable(history: History, action: ActionNumber) -> tuple[int, ...]:
    """The entries of a note. Raises NotFound for no action, Refused for one that is not a note or has no words left."""
    numbers = redactable(history, action)
    if is_without_words(history, numbers):
        raise Refused(f"The words of #{action} are removed already.")
    return numbers


def redactable(history: History, action: ActionNumber) -> tuple[int, ...]:
    """The entries of a note, with its words or without. Raises NotFound for no action, Refused for one that is not a note."""
    entries = [entry.number for entry in history.revisions(action) if is_note(entry)]
    if not entries or history.intent_of(action).verb not in REMOVABLE_VERBS:
        raise Refused(
            f"Action #{action} ({history.intent_of(action).verb}) is not a note. Only the words of a note can be removed; "
            f"everything else can be undone: rollbook undo {action}"
        )
    return tuple(entries)


def is_without_words(history: History, numbers: Iterable[int]) -> bool:
    """True if these entries of a note have no words left."""
    return not any(words_of(history.entry(number)) for number in numbers)


def notes_with(history: History, words: frozenset[str]) -> tuple[int, ...]:
    """The actions that are notes and have one of these words or salts in any of their entries."""
    found = (entry for entry in history.entries if is_note(entry) and not words.isdisjoint(words_of(entry)))
    return tuple(dict.fromkeys(entry.action for entry in found))


def words_of(entry: RecordedEntry) -> frozenset[str]:
    """The words, salts and digests of pictures of an entry that would be removed."""
    notes = (word for event in entry.events if isinstance(event, NoteWritten) for word in (event.text, event.salt))
    shown = (event for event in entry.events if isinstance(event, PictureShown))
    pictures = (word for event in shown for word in (event.digest, event.alt, event.salt))
    return frozenset((*notes, *pictures)) - {""}


def words_that_stay(entry: RecordedEntry) -> bool:
    """True if the envelope of a note's entry holds its words too, as that of an imported note once did: its hash covers them."""
    return is_note(entry) and any(entry.intent.params.get(name) for name in WORDS)


def is_note(entry: RecordedEntry) -> bool:
    """True if an entry is an outcome of a note, whose words may be removed one day."""
    return entry.intent.verb in REMOVABLE_VERBS


def without_notes(data: bytes) -> bytes:
    """A stored entry of a note with a mark in the place of its words."""
    lines: Sequence[bytes] = lines_of(data)
    return b"\n".join(
        mark(line) if place >= FIRST_EVENT and line.startswith(REMOVABLE) else line for place, line in enumerate(lines)
    )
