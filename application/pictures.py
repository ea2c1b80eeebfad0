"""Pictures of a campaign: their bytes beside its history, and which of them its entries have shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.base.records import Record
from rollbook.domain.events import ParameterValue, PictureShown
from rollbook.domain.history.event_store import EventStore, StoredEntry

if TYPE_CHECKING:
    from rollbook.application.playing.request import ActionRequest

MEDIA = ("image/png", "image/jpeg", "image/webp")
"""The media types of pictures, and no others."""


@attrs.frozen
class Picture(Record):
    """A picture that was decoded and encoded again: its bytes, its media type, and its size in pixels."""

    data: bytes = attrs.field(repr=False)
    media: str
    width: int
    height: int

    @property
    def digest(self) -> str:
        """The SHA-256 of its bytes (hexadecimal), by which it is known."""
        return sha256(self.data).hexdigest()

    @property
    def parameters(self) -> Mapping[str, ParameterValue]:
        """The parameters of an action that shows it."""
        return {"digest": self.digest, "media": self.media, "width": self.width, "height": self.height}


@contextmanager
def keeping(store: EventStore, stream: StreamId, *pictures: Picture) -> Iterator[None]:
    """Keep pictures for actions that show them; if these are refused, no new picture stays."""
    campaign = campaign_of(stream)
    new = tuple(picture.digest for picture in pictures if store.picture(campaign, picture.digest) is None)
    for picture in pictures:
        store.keep_picture(campaign, picture.digest, picture.data)
    try:
        yield
    except RollbookError:
        if unused := [digest for digest in new if digest not in shown_in_campaign(store, campaign)]:
            store.drop_pictures(campaign, unused)
        raise


def showing(turn: ActionRequest, picture: Picture) -> ActionRequest:
    """An action request with the picture that its action shows."""
    shown: dict[str, Any] = {"picture": "", **picture.parameters}
    return attrs.evolve(turn, action=attrs.evolve(turn.action, **shown))


def picture_of(store: EventStore, stream: StreamId, digest: str) -> bytes | None:
    """The bytes of a picture; None if there are none, or other bytes than those that were shown."""
    data = store.picture(campaign_of(stream), digest)
    return data if data is not None and sha256(data).hexdigest() == digest else None


def shown_in(store: EventStore, stream: StreamId) -> Iterator[tuple[StoredEntry, str]]:
    """The pictures that a stream's own entries have shown, by digest; those that were removed are not among them."""
    for stored in store.read_kinds(stream, (PictureShown.__name__,)):
        for event in CODEC.read(stored).events:
            if isinstance(event, PictureShown) and event.digest:
                yield stored, event.digest


def shown_in_campaign(store: EventStore, campaign: StreamId) -> frozenset[str]:
    """The digests of all pictures that a campaign and its timelines have shown."""
    streams = (stream for stream in store.campaigns() if campaign_of(stream) == campaign)
    return frozenset(digest for stream in streams for _, digest in shown_in(store, stream))


def bring(source: EventStore, theirs: StreamId, target: EventStore, mine: StreamId) -> None:
    """Copy the pictures of a campaign that another store lacks into it; a picture that is not itself any more stays behind."""
    there = target.pictures(mine)
    for digest in source.pictures(theirs):
        if digest not in there and (data := picture_of(source, theirs, digest)) is not None:
            target.keep_picture(mine, digest, data)


@attrs.frozen
class PictureFaults(Record):
    """Faults in the pictures of a campaign: entries whose picture is missing or another, and bytes that none shows.

    Each is a digest, and for a missing or changed one the entry that shows it.
    """

    missing: tuple[tuple[int, str], ...] = ()
    changed: tuple[tuple[int, str], ...] = ()
    unused: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The faults in words."""
        missing = (f"the picture {digest[:12]}{_of(number)} is missing" for number, digest in self.missing)
        changed = (
            f"the picture {digest[:12]}{_of(number)} is not the one that was shown" for number, digest in self.changed
        )
        unused = (f"the picture {digest[:12]} is shown by no entry" for digest in self.unused)
        return (*missing, *changed, *unused)


def faults_of(store: EventStore, campaign: StreamId) -> PictureFaults:
    """Look at every picture of a campaign; its history is whole whatever is found."""
    entries = {digest: stored.version for stored, digest in shown_in(store, campaign)}
    entries |= dict.fromkeys(shown_in_campaign(store, campaign) - entries.keys(), 0)
    kept = store.pictures(campaign)
    missing = tuple((number, digest) for digest, number in entries.items() if digest not in kept)
    there = ((number, digest) for digest, number in entries.items() if digest in kept)
    changed = tuple((number, digest) for number, digest in there if picture_of(store, campaign, digest) is None)
    return PictureFaults(missing, changed, tuple(digest for digest in kept if digest not in entries))


def _of(number: int) -> str:
    return f" of @{number}" if number else ""
