"""Copying a whole store into another one of any kind: every entry byte for byte, and the seeds, which go along.

The copy has an identity of its own: read models and seeds belong to one store, and only one of the two goes on drawing a
session's dice. What is there already is compared and never written again, so a copy that was stopped goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.timeline_marker import campaign_of, is_timeline
from rollbook.application.pictures import bring, picture_of
from rollbook.application.ports.seed_store import StoreSecrets, can_be_read
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.base.progress import say, told
from rollbook.domain.base.records import Record
from rollbook.domain.events import CampaignStarted
from rollbook.domain.history.chain import hash_in
from rollbook.domain.history.event_store import NewEntry, Tombstone, WholeStore, hash_at

AT_ONCE = 1_000
"""Entries that are stored in one transaction."""
ROUNDS = 3
"""Times that entries added meanwhile are fetched before the copy is compared."""
REMOVED = b'\n["~'
"""Beginning of the line of an event whose words were removed."""


@attrs.frozen(kw_only=True)
class Copied(Record):
    """Contents of a copy, of which ``new`` entries were not there before; ``digest`` is over all of it.

    ``damaged`` has the reason for each stream that was left out, ``behind`` counts entries
    that were added to the source meanwhile.
    """

    campaigns: int
    timelines: int
    entries: int
    new: int
    tombstones: int
    digest: str
    pictures: int = 0
    behind: int = 0
    damaged: tuple[str, ...] = ()


@attrs.frozen
class Side:
    """One of the two stores: its name in sentences, the secrets that are kept for it, and its file, if it is one."""

    store: WholeStore
    secrets: StoreSecrets
    name: str
    file: Path | None = None

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Its seeds, those that can be read."""
        return [found for found in self.secrets.kept() if can_be_read(*found)]


class StoreCopy:
    """A copy that is being made. ``with_seeds`` says that the seeds go along; else they stay where they are."""

    def __init__(self, source: Side, target: Side, *, with_seeds: bool = True) -> None:
        self.source, self.target = source, target
        self.with_seeds = with_seeds
        self.new = 0
        """Entries that were not in the target before."""
        self._total = 0
        self._damaged: dict[StreamId, str] = {}

    def check(self) -> None:
        """Raise RollbookError, before anything is changed, unless the target is empty or holds the beginning of the source."""
        source, target = self.source, self.target
        if source.store.identity() == target.store.identity():
            raise RollbookError(f"{source.name} and {target.name} are the same store. Nothing was copied.")
        deleted = {stone.campaign for stone in self._deleted_since()}
        for stream in target.store.campaigns():
            if campaign_of(stream) not in deleted:
                self._check_begins(stream)
        if more := _buried(target.store) - _buried(source.store):
            raise self._differs(f"{min(more)[0]} was deleted from {target.name} and not from {source.name}")
        target.secrets.check_may_take(source.kept if self.with_seeds else (), Path(source.name))

    def _check_begins(self, stream: StreamId) -> None:
        """Raise RollbookError unless the target's part of a stream is how it begins in the source."""
        source, target = self.source.store, self.target.store
        there, marker = target.head(stream), target.marker(stream)
        if source.head(stream) == 0 and source.marker(stream) is None:
            raise self._differs(f"{stream} is in {self.target.name} and not in {self.source.name}")
        if marker != source.marker(stream) or _end(source, stream, there) != _end(target, stream, there):
            raise self._differs(f"{stream} is in {self.target.name} with another history")

    def _differs(self, how: str) -> RollbookError:
        return RollbookError(
            f"{how}; nothing was copied. A store is copied to an empty one, or once more to one that holds only what was "
            f"copied from it before."
        )

    def _unknown(self) -> list[Tombstone]:
        known = _buried(self.target.store)
        return [stone for stone in self.source.store.tombstones() if _grave(stone) not in known]

    def _deleted_since(self) -> list[Tombstone]:
        """Deletions that the target lacks, the last of each campaign that it still has; each with the end that the target has."""
        target = self.target.store
        standing = ((stone, target.head(stone.campaign)) for stone in self._unknown())
        ends = ((stone, head, hash_at(target, stone.campaign, head)) for stone, head in standing if head)
        found = {
            stone.campaign: stone._replace(entries=head, hash=hash_)
            for stone, head, hash_ in ends
            if (head, hash_) == (stone.entries, stone.hash) or _identity(target, stone.campaign) == stone.identity
        }
        return list(found.values())

    def _bury(self) -> None:
        """Add the missing tombstones to the target in their order; with the last one of a campaign, delete its entries there."""
        target = self.target.store
        ends = {_grave(stone): stone for stone in self._deleted_since()}
        for stone in self._unknown():
            if (end := ends.get(_grave(stone))) is None:
                target.keep_tombstones([stone])
            else:
                target.delete([stream for stream in target.campaigns() if campaign_of(stream) == end.campaign], end)

    def make(self) -> None:
        """Copy what the target lacks. Raises RollbookError; entries copied by then stay, and the next copy goes on."""
        self.check()
        source, target = self.source.store, self.target.store
        if self.target.file and self.source.file:
            self.source.secrets.note_copy(str(self.source.file.absolute()), self.target.file)
        self._bury()
        before, self._total = (sum(end.version for end in store.ends()) for store in (target, source))

        def note(count: int) -> None:
            self.new += count
            say(before + self.new, max(before + self.new, self._total))

        for _ in range(ROUNDS):
            brought = self.new
            for stream in source.campaigns():
                self._bring(stream, note)
            if self.new == brought:
                break
        self._bury()
        self._bring_pictures()

    def _bring(self, stream: StreamId, note: Callable[[int], None]) -> None:
        source, target = self.source.store, self.target.store
        at, marker = target.head(stream), source.marker(stream)
        is_begun = marker is None or target.marker(stream) is not None
        try:
            for page in _pages(source, stream, at):
                if is_begun:
                    target.append(stream, at, page)
                else:
                    target.begin(stream, marker or b"", page)
                is_begun, at = True, at + len(page)
                note(len(page))
        except HistoryDamaged as damage:
            self._damaged[stream] = str(damage)
            return
        if not is_begun:
            target.begin(stream, marker or b"", [])

    def _bring_pictures(self) -> None:
        """Copy the pictures that the target lacks, and remove from it those that were removed from the source."""
        source, target = self.source.store, self.target.store
        for campaign in dict.fromkeys(map(campaign_of, source.campaigns())):
            bring(source, campaign, target, campaign)
            wanted = source.pictures(campaign)
            if gone := [digest for digest in target.pictures(campaign) if digest not in wanted]:
                target.drop_pictures(campaign, gone)

    def compare(self) -> Copied:
        """Compare both stores byte for byte, and return what both hold.

        Words that were removed from the source since they were copied are removed from the target. Raises HistoryDamaged if
        anything else differs.
        """
        source, target = self.source.store, self.target.store
        digest, entries, behind, total = sha256(), 0, 0, self._total
        streams = sorted(set(target.campaigns()) - set(self._damaged))
        for stream in streams:
            digest.update(repr((stream, target.marker(stream))).encode())
            for text in told(self._compared(stream), lambda: total, before=entries):
                digest.update(text)
                entries += 1
            behind += max(source.head(stream) - target.head(stream), 0)
        pictures = 0
        for campaign in dict.fromkeys(map(campaign_of, streams)):
            kept = target.pictures(campaign)
            for one in kept:
                if picture_of(target, campaign, one) is None:
                    raise HistoryDamaged(f"A picture of {campaign} is another in {self.target.name}: {one[:12]}.")
            digest.update(repr(kept).encode() if kept else b"")
            pictures += len(kept)
        stones = target.tombstones()
        digest.update(repr(stones).encode())
        timelines = sum(map(is_timeline, streams))
        return Copied(
            campaigns=len(streams) - timelines,
            timelines=timelines,
            entries=entries,
            new=self.new,
            tombstones=len(stones),
            pictures=pictures,
            digest=digest.hexdigest(),
            behind=behind,
            damaged=tuple(f"{stream}: {damage}" for stream, damage in self._damaged.items()),
        )

    def _compared(self, stream: StreamId) -> Iterator[bytes]:
        """The entries of a stream in the target, as bytes that say all of each."""
        source, target = self.source.store, self.target.store
        instead: dict[int, bytes] = {}
        copied = target.read_to_copy(stream)
        for (version, here), (at, there) in zip(source.read_to_copy(stream), copied, strict=False):
            if here != there:
                if version != at or here._replace(data=b"") != there._replace(data=b"") or REMOVED not in here.data:
                    raise HistoryDamaged(
                        f"Entry @{at} of {stream} is another in {self.target.name} than in {self.source.name}."
                    )
                instead[at] = here.data
            yield repr((at, *here)).encode()
        if instead:
            target.redact(stream, target.head(stream), [], instead)

    def hand_over(self) -> int:
        """Give the target the seeds of sessions that are not revealed, and what is known of campaigns that moved away.

        From then on their dice fall there. Returns the number of sessions. It is the last step: until then nothing has
        changed at the source.
        """
        source, target = self.source.secrets, self.target.secrets
        for moved in source.moved():
            target.note_moved(attrs.evolve(moved, store=target.store))
        kept = [found for found in self.source.kept if json.loads(found[1]).get("stream") not in self._damaged]
        kept = kept if self.with_seeds else []
        for session, text in kept:
            target.take(session, text)
        still = {session: json.loads(text) for session, text in source.kept()}
        for campaign in sorted({still[session]["campaign"] for session, _ in kept if session in still}):
            source.let_go(campaign)
        return len(kept)


def _pages(store: WholeStore, stream: StreamId, after: int) -> Iterator[list[NewEntry]]:
    """The following entries of a stream, in pages. Raises HistoryDamaged before the first entry that is missing."""
    entries = store.read_to_copy(stream, after)
    while page := list(islice(entries, AT_ONCE)):
        for expected, (version, _) in enumerate(page, after + 1):
            if version != expected:
                raise HistoryDamaged(f"Entry @{expected} is missing.", entry=expected)
        yield [entry for _, entry in page]
        after += len(page)


def _end(store: WholeStore, stream: StreamId, number: int) -> object:
    """A mark that identifies an entry: its hash, or if it has none the whole entry; None if there is no such entry."""
    stored = next(iter(store.read(stream, number - 1, number)), None) if number else None
    return stored and (hash_in(stored.data) or stored)


_Grave = tuple[StreamId, str, int]
"""Key of a tombstone: another campaign may have the name since, or the same one was brought back."""


def _grave(stone: Tombstone) -> _Grave:
    return stone.campaign, stone.identity, stone.at


def _buried(store: WholeStore) -> set[_Grave]:
    return set(map(_grave, store.tombstones()))


def _identity(store: WholeStore, campaign: StreamId) -> str | None:
    try:
        events = [event for stored in store.read(campaign, 0, 1) for event in CODEC.read(stored).events]
    except HistoryDamaged:
        return None
    return next((event.identity for event in events if isinstance(event, CampaignStarted)), None)
