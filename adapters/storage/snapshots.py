"""A campaign's head as bytes and back: what the read model keeps so that a command need not read the history."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from adapters.head import Head


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} cannot be kept in a snapshot")


_DECODER = msgspec.json.Decoder(Head)
_ENCODER = msgspec.json.Encoder(enc_hook=_plain)


def pack(head: Head) -> bytes:
    """A head as it is kept."""
    return _ENCODER.encode(head)


def unpack(kept: bytes) -> Head:
    """A head that was kept. Raises ``msgspec.MsgspecError`` if the bytes are none."""
    return _DECODER.decode(kept)
