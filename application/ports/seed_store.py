"""Secrets beside a store and never in its history: the seeds of dice that still fall, and the places of its copies.

All programs that play in a store need the same seeds and marks. For a store in a file they are in a folder of the same
computer (``adapters/local_files/seeds.py``); for a store that several nodes share they are in it, encrypted.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

import attrs

from rollbook.application.ports.clock import microseconds
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import CampaignId, EntryNumber, StreamId
from rollbook.domain.base.records import Record
from rollbook.domain.dice.record import StreamCounter
from rollbook.domain.dice.stream import commitment, session_identity

if TYPE_CHECKING:
    from rollbook.application.ports.seat_links import SeatLinks
    from rollbook.application.ports.surroundings import PageSettings


class TableNotes(Protocol):
    """Texts of one kind. May be used from several threads."""

    def read(self, campaign: CampaignId) -> str:
        """The text of a campaign, "" if there is none. Raises RollbookError."""

    def change(self, campaign: CampaignId, changed: Callable[[str], str]) -> None:
        """Replace the text ("" for none) by what ``changed`` makes of it, atomically. Raises RollbookError."""


def _strings(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(given)


@attrs.frozen(kw_only=True)
class Moved(Record):
    """A campaign (its identity) that went from a store, where it was called ``stream``, in a ``file``, after ``entry``.

    ``sessions`` are those whose seeds went with it. ``is_done`` is false until the file has its name; ``is_back`` says that the
    campaign has come back since. ``at`` is microseconds since 1970, UTC.
    """

    campaign: CampaignId
    store: str
    stream: StreamId
    file: str
    entry: EntryNumber
    sessions: tuple[str, ...] = attrs.field(default=(), converter=_strings)
    at: int = attrs.field(factory=microseconds)
    is_done: bool = False
    is_back: bool = False

    def back(self) -> Self:
        """The same record, once the campaign has come back or nothing of it is here any more."""
        return attrs.evolve(self, is_back=True)

    @property
    def sentence(self) -> str:
        """The sentence for a person who wants to play on here."""
        moment = datetime.fromtimestamp(self.at / 1_000_000, UTC)
        return (
            f"{self.stream} was moved away from here on {moment:%Y-%m-%d %H:%M} (UTC), after entry @{self.entry}, in the file "
            f"{self.file}: it is played where that file was imported. Here it can be read. To bring it back, move it there "
            f"and import that file here."
        )


def gone_of(noted: Iterable[Moved], store: str = "", stream: StreamId = "") -> tuple[Moved, ...]:
    """The campaigns that have gone, by what was ``noted``, and have not come back, the oldest first."""
    last: dict[tuple[str, str, str], Moved] = {}
    for moved in noted:
        last[moved.campaign, moved.store, moved.stream] = moved
    return tuple(
        moved
        for moved in last.values()
        if not moved.is_back and store in ("", moved.store) and stream in ("", moved.stream)
    )


def read_moved(lines: Iterable[str]) -> Iterator[Moved]:
    """Read records of moved campaigns from lines; a damaged line is skipped."""
    for line in lines:
        with suppress(ValueError, TypeError):
            yield Moved(**json.loads(line))


CLOSED = "closed"
"""Line of a session whose seed was revealed, so that its further rolls are public."""


@attrs.frozen
class DiceMarks(Record):
    """The number of rolls handed out in each run, and whether the session was ``closed`` somewhere."""

    used: Mapping[StreamCounter, int] = attrs.field(factory=dict)
    closed: bool = False

    def is_ahead_of(self, used: Mapping[StreamCounter, int], fork: int) -> bool:
        """True if rolls of canon (``fork`` 0) or a timeline were handed out here that a history does not have."""
        return any(count > used.get(run, 0) for run, count in self.used.items() if run.fork == fork)

    def and_also(self, other: DiceMarks) -> DiceMarks:
        """Both marks together, with the higher number for a run that is in both."""
        runs = (*self.used, *(run for run in other.used if run not in self.used))
        used = {run: max(self.used.get(run, 0), other.used.get(run, 0)) for run in runs}
        return DiceMarks(used, self.closed or other.closed)

    def lines(self) -> list[str]:
        """The marks as they are written."""
        rows = [f"{int(run.screen)} {run.fork} {run.seat} {count}" for run, count in self.used.items()]
        return [*rows, CLOSED] if self.closed else rows


def marks_in(lines: Iterable[str]) -> DiceMarks:
    """The marks that lines say."""
    counts: dict[str, list[str]] = {}
    for line in lines:  # many, of few runs
        run, _, count = line.rpartition(" ")
        counts.setdefault(run, []).append(count)
    used: dict[StreamCounter, int] = {}
    for run, said in counts.items():
        with suppress(ValueError):
            screen, fork, seat = map(int, run.split())
            if known := [int(count) for count in said if count.isdigit()]:
                used[StreamCounter(bool(screen), fork, seat)] = max(known)
    return DiceMarks(used, CLOSED in counts.get("", ()))


SECRETS = ("table", "screen")


@attrs.frozen
class Seeds(Record):
    """The two secrets of a session (32 bytes each), its identity, and the ``nonce`` that is in it (16 bytes each)."""

    identity: bytes
    table: bytes
    screen: bytes
    nonce: bytes = b""

    @property
    def commits(self) -> tuple[str, str]:
        """The commitments that the table is shown before the first die: to the open and to the secret dice."""
        table, screen = (commitment(cls, self.identity, seed) for cls, seed in enumerate((self.table, self.screen)))
        return table.hex(), screen.hex()

    @classmethod
    def read(cls, said: Mapping[str, str]) -> Seeds:
        """Seeds out of their identity (``session``) and secrets in hexadecimal. Raises KeyError, ValueError, TypeError."""
        return cls(*(bytes.fromhex(said[key]) for key in ("session", *SECRETS, "nonce")))

    @property
    def hidden(self) -> dict[str, str]:
        """The secrets and the nonce in hexadecimal, as they are kept."""
        return {"nonce": self.nonce.hex(), "table": self.table.hex(), "screen": self.screen.hex()}


@attrs.frozen
class StoreCopy(Record):
    """A file into which the store at ``store`` was copied, with its seeds; ``at`` is microseconds since 1970, UTC."""

    store: str
    path: str
    at: int


class SeedStore(Protocol):
    """Seeds of sessions, and marks of how far their dice were handed out, as playing needs them."""

    def of_stream(self, stream: StreamId) -> Self:
        """The seed store for one campaign, by its name in the store."""

    def new(self, campaign: CampaignId) -> Seeds:
        """Fresh seeds for a campaign (its identity), kept for good before anybody learns the commitments. Raises Refused."""

    def of(self, session: str, campaign: CampaignId) -> Seeds | None:
        """The seeds of a session of a campaign (their identities); None if none are here for it in this store.

        Raises RollbookError if they are here and cannot be read.
        """

    def has(self, session: str, campaign: CampaignId) -> bool:
        """True if ``of`` would find seeds."""

    def owner(self, session: str) -> StreamId:
        """The name of the campaign in this store that a session's dice belong to, "" for none or if not known."""

    def forget(self, seeds: Seeds) -> None:
        """Remove seeds that were never committed to."""

    def marks(self, session: str) -> DiceMarks:
        """The marks of how far a session's dice (its identity) were handed out. Raises ValueError for no identity."""

    def raise_marks(self, session: str, to: DiceMarks) -> None:
        """Note how far the dice of a session were handed out; a mark is never lowered. Raises OSError, ValueError."""

    def moved(self) -> tuple[Moved, ...]:
        """The campaigns that have gone from this store to another computer and have not come back; of the stream, if named."""


class StoreSecrets(SeedStore, Protocol):
    """Seed store with all that keeping a store needs: handing seeds over, and finding copies of them and of words.

    ``store`` is the identity of the store, ``stream`` a campaign's name in it, "" for all. ``folder`` is a folder of
    this computer that no other user may read, for temporary files.
    """

    @property
    def store(self) -> str: ...

    @property
    def stream(self) -> StreamId: ...

    @property
    def folder(self) -> Path: ...

    def of_store(self, store: str, *, lasting: bool = True) -> Self:
        """These secrets for the store of that identity; ``lasting`` says that it outlives the program."""

    def kept(self) -> list[tuple[str, str]]:
        """The seeds that are kept for this store: each session, and its record as JSON, with its marks."""

    def check_may_take(self, kept: Iterable[tuple[str, str]], source: Path) -> None:
        """Raise RollbookError if seeds out of a file would take the place of others that are kept here for the same session."""

    def take(self, session: str, text: str) -> None:
        """Take over seeds of another store, which no longer has them. Raises OSError, ValueError."""

    def let_go(self, campaign: CampaignId, *, is_deleted: bool = False) -> None:
        """Remove the seeds of a campaign (its identity) that was moved away, and the marks of its dice if it was deleted.

        Raises OSError.
        """

    def note_moved(self, moved: Moved) -> None:
        """Note that a campaign was moved; the note is on disk when this returns. Raises OSError."""

    def note_copy(self, store: str, path: Path) -> None:
        """Remember a file into which the store at a place is copied. Raises OSError."""

    def copies(self, store: str) -> tuple[StoreCopy, ...]:
        """The files into which the store at that place was copied and that are still there, the last copy in each."""

    def copied_to(self) -> tuple[Path, ...]:
        """The folders into which any store was copied: an unfinished copy may still be there."""

    def remove_unfinished(self, beside: Iterable[Path]) -> None:
        """Remove unfinished copies of seeds and of the store: in the folders ``beside``, and wherever copies are known to be."""

    def links(self) -> SeatLinks:
        """The links to the seats of this store. Close them. Raises RollbookError if they cannot be opened."""

    def notes(self, kind: str) -> TableNotes | None:
        """The texts of a kind that the table on the web keeps in this store; None where files of this computer have them."""

    def host_notes(self) -> TableNotes:
        """The text of what the host of this store allows, under the name ""."""

    def page_settings(self) -> PageSettings:
        """The GMs' settings for what players are shown in this store."""

    def forget_notes(self, campaign: CampaignId) -> None:
        """Remove the texts of a campaign (its name) that may hold words which are removed from its history."""

    def check_usable(self) -> None:
        """Check before play begins. Raises RollbookError, with what to do, if seeds cannot be read or made here."""

    def where(self) -> str:
        """The place of the seeds, in words. Raises what ``check_usable`` raises."""

    def forget_links(self, campaign: CampaignId) -> None:
        """Remove all that is known of the links to a campaign (its name) that is about to be deleted."""


def can_be_read(session: object, text: object) -> bool:
    """True if ``text`` is a record of a session (its identity): its two secrets, and perhaps marks of its dice."""
    if not isinstance(session, str) or not isinstance(text, str):
        return False
    try:
        said = json.loads(text)
        identity, *hidden = (bytes.fromhex(said[key]) for key in ("session", *SECRETS))
        marks = said.get("marks", [])
        is_named = identity.hex() == session and all(isinstance(said.get(key, ""), str) for key in ("stream", "store"))
        return is_named and [*map(len, hidden)] == [32, 32] and all(isinstance(mark, str) for mark in marks)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def new_seeds(campaign: CampaignId) -> Seeds:
    """Fresh random seeds for a session of a campaign (its identity). Raises Refused if nothing can be bound to it."""
    nonce = secrets.token_bytes(16)
    try:
        identity = session_identity(bytes.fromhex(campaign), nonce)
    except ValueError:
        raise Refused(
            f"The identity of this campaign, {campaign!r}, is not hexadecimal, so no dice can be bound to it. "
            f"Another program wrote its history."
        ) from None
    return Seeds(identity, secrets.token_bytes(32), secrets.token_bytes(32), nonce)


def check_same_secrets(here: Mapping[str, object], there: Mapping[str, object], source: Path, place: str) -> None:
    """Raise RollbookError if the record of a session at a ``place`` has other secrets than a file (``source``)."""
    if any(key in here and here[key] != there[key] for key in SECRETS):
        raise RollbookError(
            f"{source} has other secret seeds for a session of yours than {place}, and only one of the two "
            f"can be right. Yours stay; the file may have been made to be rid of them."
        )
