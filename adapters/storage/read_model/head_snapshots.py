"""Snapshots of campaigns' heads in the read model, so that a command need not read the history.

Characters are in rows of their own, so that an action writes only those that it changed: in ten years there are
thousands.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from itertools import compress as chosen
from itertools import count
from operator import eq, is_not
from types import MappingProxyType
from zlib import compress, decompress

import attrs
import msgspec

from rollbook.application.history.head import Head
from rollbook.domain.base.describing import DESCRIBING
from rollbook.domain.base.identifiers import CampaignId, CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.dice.ledger import DiceLedger, UndoneRoll
from rollbook.domain.dice.record import StreamCounter, StreamPlace
from rollbook.domain.state import campaign_state as state_module
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.projections.database import Database


@attrs.frozen
class _Kept(Record):
    """A head whose dice ledger is written as lists, because a place in the stream of dice cannot be a key in JSON."""

    head: Head
    session: int
    used: tuple[tuple[StreamCounter, int], ...]
    undone: tuple[UndoneRoll, ...]
    met: tuple[tuple[StreamPlace, tuple[int, ...]], ...]


def _plain(value: object) -> object:
    if value.__class__ is MappingProxyType or isinstance(value, Mapping):  # the first is quick, and a sheet has a dozen
        return dict(value)
    raise TypeError(f"a {type(value).__name__} cannot be kept in a snapshot")


with DESCRIBING:
    _DECODER = msgspec.json.Decoder(_Kept)
    _CHARACTERS = msgspec.json.Decoder(list[Character])
_ENCODER = msgspec.json.Encoder(enc_hook=_plain)
_EMPTY = DiceLedger()


def create(db: Database) -> None:
    """Make the tables: a row for each campaign, and a row for each of its characters, in their order."""
    db.table("snapshots").create(
        {"campaign": str, "entry": int, "hash": str, "head": bytes, "characters": int}, pk="campaign"
    )
    db.table("snapshot_characters").create({"campaign": str, "at": int, "character": bytes}, pk=("campaign", "at"))


def keep(db: Database, campaign: CampaignId, head: Head, before: CampaignState | None) -> None:
    """Replace the snapshot of a campaign by this head. ``before`` is the state of the old one, if known."""
    characters, kept = head.state.characters, before.characters if before is not None else {}
    if not _begins_with(characters, kept):
        db.execute("DELETE FROM snapshot_characters WHERE campaign = ?", [campaign])
        kept = {}
    people = tuple(characters.values())
    changed = list(chosen(count(), map(is_not, kept.values(), people)))
    rows = ((campaign, at, _ENCODER.encode(people[at])) for at in (*changed, *range(len(kept), len(people))))
    db.conn.executemany("INSERT OR REPLACE INTO snapshot_characters VALUES (?, ?, ?)", rows)
    db.execute(
        "INSERT OR REPLACE INTO snapshots (campaign, entry, hash, head, characters) VALUES (?, ?, ?, ?, ?)",
        [campaign, head.entry, head.hash, _pack(head), len(characters)],
    )


def _begins_with(characters: Mapping[CharacterId, Character], kept: Mapping[CharacterId, Character]) -> bool:
    """True if characters begin with those that were kept, in that order; new ones follow them."""
    return 0 < len(kept) <= len(characters) and all(map(eq, kept, characters))


def _pack(head: Head) -> bytes:
    ledger, rest = head.ledger, attrs.evolve(head, ledger=_EMPTY, state=attrs.evolve(head.state, characters={}))
    used, undone, met = ledger.used.items(), ledger.undone_rolls.values(), ledger.met.items()
    return _ENCODER.encode(_Kept(rest, ledger.session, tuple(used), tuple(undone), tuple(met)))


def kept(db: Database, campaign: CampaignId) -> Head | None:
    """The stored head of a campaign, if there is one. Raises one of ``SPOILT`` if it is damaged."""
    found = db.execute("SELECT head, characters FROM snapshots WHERE campaign = ?", [campaign]).fetchone()
    if found is None:
        return None
    rows = db.execute("SELECT character FROM snapshot_characters WHERE campaign = ? ORDER BY at", [campaign])
    people = _CHARACTERS.decode(b"[%b]" % b",".join(row for (row,) in rows))
    if len(people) != found[1]:
        raise ValueError(f"{found[1]} characters were kept, and {len(people)} are there")
    return _unpack(found[0], {who.id: who for who in people})


def _unpack(written: bytes, characters: Mapping[CharacterId, Character]) -> Head:
    found = _DECODER.decode(written)
    undone = {roll.place: roll for roll in found.undone}
    ledger = DiceLedger(found.session, dict(found.used), undone, dict(found.met))
    return attrs.evolve(found.head, ledger=ledger, state=attrs.evolve(found.head.state, characters=characters))


def encode_state(state: CampaignState) -> bytes:
    """A state as JSON, without the rest of a head."""
    return _ENCODER.encode(state)


def decode_state(written: bytes) -> CampaignState:
    """A state from JSON. Raises ``msgspec.MsgspecError`` if the bytes are not one."""
    return _state_decoder().decode(written)


def pack_state(state: CampaignState) -> bytes:
    """A state in the compressed form of a checkpoint."""
    return compress(encode_state(state))


def unpack_state(kept: bytes) -> CampaignState:
    """The state of a checkpoint. Raises ``msgspec.MsgspecError`` or ``zlib.error`` if the bytes are not one."""
    return decode_state(decompress(kept))


@cache
def _state_decoder() -> msgspec.json.Decoder[CampaignState]:
    with DESCRIBING:
        return msgspec.json.Decoder(CampaignState)


@cache
def form_of_states() -> str:
    """A digest of the fields of a state: a checkpoint by a program whose states have other fields is not used."""
    parts = (part for part in vars(state_module).values() if isinstance(part, type) and attrs.has(part))
    fields = sorted(f"{part.__name__}.{field.name}: {field.type}" for part in parts for field in attrs.fields(part))
    return sha256("\n".join(fields).encode()).hexdigest()
