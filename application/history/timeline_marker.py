"""The marker of a timeline, where it leaves its campaign: stored before its entries; and the names of streams.

The marker is not an entry: it says of which history the entries that follow are the end. A stream called ``sherwood~1`` is
timeline 1 of ``sherwood``; no campaign has a ``~`` in its id.
"""

import msgspec

from rollbook.domain.base.describing import DESCRIBING
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.base.identifiers import CampaignId, EntryNumber, StreamId
from rollbook.domain.history.event_store import EventStore
from rollbook.domain.state.lookup import slug

SIGN = "~"


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """A timeline's beginning: its ``number``, and the entry of ``parent`` after which it goes its own way.

    ``hash`` is the parent's at that entry, ``at`` is microseconds since 1970, UTC. A campaign that is played
    again from its first action under other rules begins at entry 0, and ``ruleset`` and ``ruleset_version`` say which rules.
    """

    number: int
    parent: StreamId
    entry: EntryNumber
    hash: str
    at: int
    why: str = ""
    ruleset: str = ""
    ruleset_version: str = ""


_ENCODE = msgspec.json.Encoder(order="sorted").encode
with DESCRIBING:
    _DECODE = msgspec.json.Decoder(Marker).decode


def packed(marker: Marker) -> bytes:
    """A marker as it is stored."""
    return _ENCODE(marker)


def read_marker(store: EventStore, stream: StreamId) -> Marker | None:
    """The marker of a timeline; None if there is no such timeline. Raises HistoryDamaged if it cannot be read."""
    found = store.marker(stream)
    if found is None:
        if store.head(stream):
            raise HistoryDamaged(f"Timeline {stream} is damaged: nothing says where it was forked.")
        return None
    try:
        return _DECODE(found)
    except msgspec.MsgspecError as fault:
        raise HistoryDamaged(f"Timeline {stream} is damaged: where it was forked cannot be read ({fault}).") from None


def is_timeline(stream: StreamId) -> bool:
    """True if a stream is a timeline, not a campaign."""
    return SIGN in stream


def stream_of(campaign: CampaignId, number: int) -> str:
    """The name of the stream of a timeline."""
    return f"{campaign}{SIGN}{number}"


def campaign_of(stream: StreamId) -> str:
    """The campaign that a timeline belongs to; a campaign belongs to itself."""
    return stream.partition(SIGN)[0]


def meant(name: str) -> str:
    """The stream meant by a campaign's name, a ``~`` and a number; canon is timeline 0."""
    campaign, _, number = name.partition(SIGN)
    known = number.strip().lstrip("0") if number.strip().isdecimal() else number.strip()
    return f"{slug(campaign)}{SIGN}{known}" if known else slug(campaign)


def numbers(store: EventStore, campaign: CampaignId) -> tuple[int, ...]:
    """The numbers of all timelines of a campaign, oldest first."""
    found = (stream.partition(SIGN) for stream in store.campaigns())
    return tuple(
        sorted(int(number) for root, sign, number in found if sign and root == campaign and number.isdecimal())
    )
