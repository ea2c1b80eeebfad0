"""Events to bytes and back: canonical JSON under stored names such as ``DamageTaken@1``, never an import path.

cattrs takes events apart, msgspec writes the JSON with sorted keys and reads it straight back into the attrs classes,
refusing wrong types. Every field is written, also at its default: a field that is left out costs more to read than it
saves to store. An unknown name is an error that says so; nothing a file says is ever imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from cattrs.preconf.msgspec import make_converter

from adapters.storage.upcasters import UPCASTERS, VERSIONS, Upcaster, unchanged
from domain.errors import HistoryDamaged, Refused
from domain.events import Event, Header, Scalar, vocabulary

Decoder = Callable[[bytes], Event]


class Codec:
    """The closed registry of stored names, both ways."""

    def __init__(
        self,
        classes: tuple[type[Event], ...] = vocabulary(),
        versions: Mapping[str, int] = VERSIONS,
        upcasters: Mapping[tuple[str, int], tuple[str, Upcaster]] = UPCASTERS,
    ) -> None:
        self._encode = msgspec.json.Encoder(order="sorted").encode
        self._names = {cls: f"{cls.__name__}@{versions.get(cls.__name__, 1)}" for cls in classes}
        self._forms = {cls: (name, _apart(cls)) for cls, name in self._names.items()}
        self.decoders: dict[str, Decoder] = {
            name: msgspec.json.Decoder(cls).decode for cls, name in self._names.items()
        }
        self.headers = frozenset(name for cls, name in self._names.items() if issubclass(cls, Header))
        self._add_older(upcasters)

    def _add_older(self, upcasters: Mapping[tuple[str, int], tuple[str, Upcaster]]) -> None:
        current = {name: cls for cls, name in self._names.items()}
        for name, version in upcasters:
            steps: list[Upcaster] = []
            at = (name, version)
            while at in upcasters:
                later, step = upcasters[at]
                steps.append(step)
                at = (later, at[1] + 1)
            stored = f"{name}@{version}"
            cls = current[f"{at[0]}@{at[1]}"]
            steps = [step for step in steps if step is not unchanged]
            self.decoders[stored] = _through(steps, cls) if steps else msgspec.json.Decoder(cls).decode
            if issubclass(cls, Header):
                self.headers |= {stored}

    def name(self, cls: type[Event]) -> str:
        """The stored name of a class of event."""
        return self._names[cls]

    def encode(self, event: Event) -> tuple[str, bytes]:
        """An event as it is stored. Raises Refused for text that no file can hold."""
        name, apart = self._forms[event.__class__]
        try:
            return name, self._encode(event if apart is None else apart(event))
        except UnicodeEncodeError:
            raise Refused("Some of that text is not valid Unicode, so it cannot be kept. Type it again.") from None

    def decode(self, name: str, data: bytes) -> Event:
        """A stored event. Raises HistoryDamaged for a name or bytes that make no sense."""
        decoder = self.decoders.get(name)
        if decoder is None:
            raise HistoryDamaged(f"there is no event called {name!r}; it may come from a newer rollbook")
        try:
            return decoder(data)
        except (msgspec.MsgspecError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise HistoryDamaged(f"the {name} cannot be read: {error}") from None


def _through(steps: list[Upcaster], cls: type[Event]) -> Decoder:
    def decode(data: bytes) -> Event:
        fields = msgspec.json.decode(data, type=dict[str, Any])
        for step in steps:
            fields = step(fields)
        return msgspec.convert(fields, cls)

    return decode


_converter = make_converter()
_converter.register_unstructure_hook_func(
    lambda kind: kind == Mapping[str, Scalar],  # words and numbers by name: nothing to take apart
    msgspec.to_builtins,
)


def _apart(cls: type[Event]) -> Callable[[Any], Any] | None:
    """How cattrs takes a class apart; None where it has nothing to do and the encoder takes the event as it is."""
    hook = _converter.get_unstructure_hook(cls)
    return None if hook is msgspec.to_builtins else hook


CODEC = Codec()
"""The codec of today's vocabulary."""
