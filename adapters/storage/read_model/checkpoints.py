"""Outlines, verified entries and checkpoints in the read model, so that looking back reads a stretch of a history.

``noted`` has the outline of every entry that is more than the next action, and the hash of every CHECKPOINT_EVERYth
entry; ``marks`` has the state after a number of actions, on a course that ends with an entry whose hash is known. All
is written by a reader who has verified the chain up to there. It is covered by digests: if rows are missing or altered,
they are not used, and the history is read instead.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

import attrs
import msgspec

from rollbook.adapters.storage.read_model.head_snapshots import form_of_states, pack_state, unpack_state
from rollbook.application.encoding.envelopes import Verb
from rollbook.application.history.head import Head
from rollbook.application.history.verified_ranges import Past, VerifiedEntry
from rollbook.domain.base.describing import DESCRIBING
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber
from rollbook.domain.base.records import Changeable, Record
from rollbook.domain.entries import EntryKind, Outline, RecordedEntry, outline_of
from rollbook.domain.history import checkpoints
from rollbook.domain.history.chain import ROOT
from rollbook.domain.history.checkpoints import Checkpoint
from rollbook.domain.history.entry_index import is_plain
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.database import Database, create_table

_Written = tuple[int, EntryKind, int, tuple[int, ...], bool, str, str, int, int, int, str, str]
with DESCRIBING:
    _DECODER = msgspec.json.Decoder(_Written)
_ENCODE = msgspec.json.encode

NOTHING = ""
"""The digest of the notes before the first entry."""


NOTED = {"noted": str, "noted_entry": int, "noted_hash": str}
"""Columns of a campaign: the digest of its notes, and the last entry that they cover, with its hash."""


def create(db: Database) -> None:
    """Make the tables."""
    note = {"campaign": str, "entry": int, "outline": str, "hash": str}
    create_table(db, "noted", note, ("campaign", "entry"))
    mark = {"campaign": str, "actions": int, "course": int, "hash": str, "digest": str, "state": bytes}
    create_table(db, "marks", mark, ("campaign", "actions", "course"))


class Note(NamedTuple):
    """The note of an entry: its outline if it is not plain, and its hash if it is a verified place."""

    entry: EntryNumber
    outline: str
    hash: str


@attrs.define
class Noting(Changeable):
    """The notes of a campaign while its entries are read: their ``digest``, and the last entry that was read."""

    digest: str = NOTHING
    entry: EntryNumber = 0
    hash: str = ROOT
    waiting: list[Note] = attrs.field(factory=list)

    def take(self, entry: RecordedEntry) -> None:
        """Note one more verified entry."""
        self.entry, self.hash = entry.number, entry.hash
        written = "" if is_plain(entry) else _packed(outline_of(entry))
        hash_ = "" if entry.number % checkpoints.CHECKPOINT_EVERY else entry.hash
        if written or hash_:
            note = Note(entry.number, written, hash_)
            self.digest = _digest_after(self.digest, note)
            self.waiting.append(note)

    @property
    def noted(self) -> tuple[str, EntryNumber, str]:
        """The campaign's values of ``NOTED``."""
        return self.digest, self.entry, self.hash

    def flush(self, db: Database, campaign: CampaignId) -> None:
        """Write the notes that are waiting."""
        if not self.waiting:
            return
        rows = [(campaign, *note) for note in self.waiting]
        db.conn.executemany("INSERT OR REPLACE INTO noted (campaign, entry, outline, hash) VALUES (?, ?, ?, ?)", rows)
        self.waiting = []


def _packed(outline: Outline) -> str:
    *fields, intent = outline
    return _ENCODE((*fields, intent.verb)).decode()


def _unpacked(written: str) -> Outline:
    found = _DECODER.decode(written)
    return Outline._make((*found[:-1], Verb(found[-1])))


def _digest_after(digest: str, note: Note) -> str:
    return sha256(_ENCODE((digest, *note))).hexdigest()


def past(db: Database, campaign: CampaignId, hash_at: Callable[[EntryNumber], str]) -> Past | None:
    """The stored past of a campaign; None if there is none.

    ``hash_at`` gives the hash of an entry in the store. Raises ValueError if the past is of another history, or was
    altered.
    """
    found = db.execute("SELECT noted, noted_entry, noted_hash FROM campaigns WHERE campaign = ?", [campaign]).fetchone()
    if found is None:
        return None
    digest, known, last = found
    if known and hash_at(known) != last:
        raise ValueError("what was noted is of another history")
    return Past(known, *_notes(db, campaign, digest), _kept(db, campaign, hash_at))


def _notes(db: Database, campaign: CampaignId, wanted: str) -> tuple[list[Outline], list[VerifiedEntry]]:
    digest, places = NOTHING, [VerifiedEntry(0, ROOT)]
    outlines: list[Outline] = []
    for row in db.execute("SELECT entry, outline, hash FROM noted WHERE campaign = ? ORDER BY entry", [campaign]):
        note = Note(*row)
        digest = _digest_after(digest, note)
        if note.outline:
            outlines.append(_unpacked(note.outline))
        if note.hash:
            places.append(VerifiedEntry(note.entry, note.hash))
    if digest != wanted:
        raise ValueError("what was noted is not as it was written")
    return outlines, places


# States.


@attrs.frozen
class Course(Record):
    """A campaign up to an entry, with the corrections up to there."""

    campaign: CampaignId
    entry: EntryNumber
    hash: str


def keep(db: Database, course: Course, states: Iterable[tuple[ActionNumber, bytes]]) -> None:
    """Keep packed states by numbers of actions on a course. Of older courses only the first one keeps its states."""
    for actions, state in states:
        key = [course.campaign, actions]
        db.execute(
            "DELETE FROM marks WHERE campaign = ? AND actions = ? "
            "AND course > (SELECT MIN(course) FROM marks WHERE campaign = ? AND actions = ?)",
            [*key, *key],
        )
        db.execute(
            "INSERT OR REPLACE INTO marks (campaign, actions, course, hash, digest, state) VALUES (?, ?, ?, ?, ?, ?)",
            [*key, course.entry, course.hash, _digest(course, actions, state), state],
        )


def keep_head(
    db: Database, course: Course, head: Head, met: Sequence[tuple[ActionNumber, bytes]], last: ActionNumber
) -> None:
    """Keep the states met on the way to a head, and the head's own, if the ``last`` kept one is far enough away."""
    keep(db, course, met)
    last = max(last, *(actions for actions, _ in met)) if met else last
    if checkpoints.is_due(head.actions, last, head.state):
        keep(db, course, [(head.actions, pack_state(head.state))])


def keep_found(
    db: Database, campaign: CampaignId, found: Iterable[Checkpoint], hash_at: Callable[[EntryNumber], str]
) -> None:
    """Keep checkpoints that were made while the past of a campaign was read."""
    for mark in found:
        state, course = mark.state(), Course(campaign, mark.course, hash_at(mark.course))
        if state is not None and course.hash:
            keep(db, course, [(mark.actions, pack_state(state))])


def _kept(db: Database, campaign: CampaignId, hash_at: Callable[[EntryNumber], str]) -> list[Checkpoint]:
    def mark(actions: ActionNumber, course: Course) -> Checkpoint:
        def state() -> CampaignState | None:
            return _state(db, course, actions) if hash_at(course.entry) == course.hash else None

        return Checkpoint(actions, course.entry, state)

    rows = db.execute("SELECT actions, course, hash FROM marks WHERE campaign = ?", [campaign]).fetchall()
    return [mark(actions, Course(campaign, entry, hash_)) for actions, entry, hash_ in rows]


def _state(db: Database, course: Course, actions: ActionNumber) -> CampaignState | None:
    found = db.execute(
        "SELECT digest, state FROM marks WHERE campaign = ? AND actions = ? AND course = ?",
        [course.campaign, actions, course.entry],
    ).fetchone()
    if found is None or not isinstance(found[1], bytes) or found[0] != _digest(course, actions, found[1]):
        return None
    try:
        return unpack_state(found[1])
    except (msgspec.MsgspecError, ValueError, zlib.error):
        return None


def _digest(course: Course, actions: ActionNumber, state: bytes) -> str:
    return sha256(_ENCODE((form_of_states(), *attrs.astuple(course), actions)) + state).hexdigest()
