"""A campaign's head as bytes and back: what the read model keeps so that a command need not read the history."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from zlib import compress, decompress

import attrs
import msgspec

from adapters.head import Head
from domain import state as state_module
from domain.dice.ledger import DiceLedger, UndoneRoll
from domain.dice.place import StreamCounter, StreamPlace
from domain.state import CampaignState


@attrs.frozen
class _Kept:
    """A head whose ledger is written as lists, because a place in the stream cannot be a key in JSON."""

    head: Head
    session: int
    used: tuple[tuple[StreamCounter, int], ...]
    undone: tuple[UndoneRoll, ...]
    met: tuple[tuple[StreamPlace, tuple[int, ...]], ...]


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} cannot be kept in a snapshot")


_DECODER = msgspec.json.Decoder(_Kept)
_ENCODER = msgspec.json.Encoder(enc_hook=_plain)
_EMPTY = DiceLedger()


def pack(head: Head) -> bytes:
    """A head as it is kept."""
    ledger, rest = head.ledger, attrs.evolve(head, ledger=_EMPTY)
    used, undone, met = ledger.used.items(), ledger.undone_rolls.values(), ledger.met.items()
    return _ENCODER.encode(_Kept(rest, ledger.session, tuple(used), tuple(undone), tuple(met)))


def unpack(kept: bytes) -> Head:
    """A head that was kept. Raises ``msgspec.MsgspecError`` if the bytes are not one."""
    found = _DECODER.decode(kept)
    undone = {roll.place: roll for roll in found.undone}
    return attrs.evolve(found.head, ledger=DiceLedger(found.session, dict(found.used), undone, dict(found.met)))


def pack_state(state: CampaignState) -> bytes:
    """A state as it is kept, without the rest of a head."""
    return compress(_ENCODER.encode(state))


def unpack_state(kept: bytes) -> CampaignState:
    """A state that was kept. Raises ``msgspec.MsgspecError`` or ``zlib.error`` if the bytes are not one."""
    return _state_decoder().decode(decompress(kept))


@cache
def _state_decoder() -> msgspec.json.Decoder[CampaignState]:
    return msgspec.json.Decoder(CampaignState)


@cache
def form_of_states() -> str:
    """A digest of what a state is made of: one that was kept by a program whose states have other fields is not used."""
    parts = (part for part in vars(state_module).values() if isinstance(part, type) and attrs.has(part))
    fields = sorted(f"{part.__name__}.{field.name}: {field.type}" for part in parts for field in attrs.fields(part))
    return sha256("\n".join(fields).encode()).hexdigest()
