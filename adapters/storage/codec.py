"""Entries to bytes and back: lines of canonical JSON under stored names such as ``DamageTaken@1``, never an import path.

cattrs takes events apart, msgspec writes the JSON with sorted keys and reads it straight back into the attrs classes,
refusing wrong types. Every field of an event is written, also at its default: a field that is left out costs more to read
than it saves to store. Of the two envelopes, which have many fields and use few, only what differs from its default is written.
An unknown name is an error that says so; nothing a file says is ever imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

import attrs
import msgspec
from cattrs.preconf.msgspec import make_converter

from adapters.storage.upcasters import UPCASTERS, VERSIONS, Upcaster, unchanged
from domain.chain import FIRST_FACT, NUMBERS, PRIVATE, PUBLIC, lines_of, removed
from domain.entries import NO_INTENT, REASON, Entry, EntryKind, Intent, RecordedEntry, SecondThought
from domain.errors import HistoryDamaged, Refused
from domain.event_store import StoredEntry
from domain.events import Event, NoteWritten, Scalar, vocabulary
from domain.identifiers import ActionNumber, EntryNumber

Decoder = Callable[[bytes], Event]
_SEAL = b'["Seal@1",'
_SEAL_FIELDS = len(_SEAL) + 1
_FAULTS = (msgspec.MsgspecError, ValueError, TypeError, KeyError, IndexError, StopIteration, RecursionError)


class _Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """Both envelopes and the seal as they are read: the fields of ``RecordedEntry`` from ``action`` on, in its order."""

    action: ActionNumber
    seat: str = ""
    at: int
    reason: str = ""
    visibility: str = ""
    revision: int = 1
    intent: Intent = NO_INTENT
    ruleset: str = ""
    version: str = ""
    provenance: str = "played"
    restores: int = 0
    public_number: int = 0
    previous_public_hash: str = ""
    public_salt: str = ""
    causation: EntryNumber = 0
    correction: str = ""
    reads: tuple[str, ...] = ()
    salt: str = ""
    hidden_facts: tuple[int, ...] = ()
    fingerprint: str = ""
    command: str = ""
    command_digest: str = ""
    previous_hash: str
    hash: str
    params: dict[str, Scalar] = {}


class _Intent(msgspec.Struct, omit_defaults=True, kw_only=True):
    """An intent as it is written, without the parameters that are numbers of this history."""

    second_thoughts: tuple[SecondThought, ...] = ()
    params: Mapping[str, Scalar] = {}
    verb: str


class _Public(msgspec.Struct, omit_defaults=True, kw_only=True):
    """The public envelope as it is written."""

    at: int
    intent: _Intent | None = None
    previous_public_hash: str = ""
    provenance: str = "played"
    public_number: int = 0
    public_salt: str = ""
    reason: str = ""
    restores: int = 0
    revision: int = 1
    ruleset: str = ""
    seat: str = ""
    version: str = ""
    visibility: str = ""


class _Private(msgspec.Struct, omit_defaults=True, kw_only=True):
    """The private envelope as it is written."""

    action: ActionNumber
    causation: EntryNumber = 0
    command: str = ""
    command_digest: str = ""
    correction: str = ""
    fingerprint: str = ""
    hidden_facts: tuple[int, ...] = ()
    params: dict[str, Scalar] = {}
    reads: tuple[str, ...] = ()
    reason: str = ""
    salt: str = ""


class Envelopes(NamedTuple):
    """The two lines that an entry begins with."""

    public: bytes
    private: bytes


class _Removed(Exception):
    """A line stands for words that were removed."""


class _Line(NamedTuple):
    """How a kind of line is read: ``start`` is what it begins with, ``upcast`` makes an older one today's."""

    start: bytes
    upcast: Callable[[bytes], bytes] | None = None


class Codec:
    """The closed registry of stored names, both ways."""

    def __init__(
        self,
        classes: tuple[type[Event], ...] = vocabulary(),
        versions: Mapping[str, int] = VERSIONS,
        upcasters: Mapping[tuple[str, int], tuple[str, Upcaster]] = UPCASTERS,
    ) -> None:
        self._encode = msgspec.json.Encoder(order="sorted").encode
        self._names = {cls: _stored(cls.__name__, versions) for cls in classes}
        self._forms = {cls: (name, _apart(cls)) for cls, name in self._names.items()}
        self.decoders: dict[str, Decoder] = {
            name: msgspec.json.Decoder(cls).decode for cls, name in self._names.items()
        }
        self._kinds = {kind: _stored(kind, versions) for kind in EntryKind}
        self._private = _stored("Private", versions)
        self._entries = {name: (kind, _Line(_start(name))) for kind, name in self._kinds.items()}
        self._privates = [_Line(_start(self._private))]
        self._add_older(upcasters)
        self._by_start = {_start(name)[:-1]: decoder for name, decoder in self.decoders.items()}

    def _add_older(self, upcasters: Mapping[tuple[str, int], tuple[str, Upcaster]]) -> None:
        current = {name: cls for cls, name in self._names.items()}
        for name, version in upcasters:
            steps, last = _steps((name, version), upcasters)
            stored = f"{name}@{version}"
            if last == self._private:
                self._privates.append(_Line(_start(stored), _upcast(steps)))
            elif last in self._entries:
                self._entries[stored] = (self._entries[last][0], _Line(_start(stored), _upcast(steps)))
            else:
                decode = msgspec.json.Decoder(current[last]).decode
                self.decoders[stored] = _through(steps, current[last]) if steps else decode

    def name(self, cls: type[Event]) -> str:
        """The stored name of a class of event."""
        return self._names[cls]

    def kind(self, kind: EntryKind) -> str:
        """The stored name of a kind of entry."""
        return self._kinds[kind]

    # To bytes.

    def encode(self, event: Event) -> bytes:
        """An event as a line of an entry. Raises Refused for text that no file can hold."""
        name, apart = self._forms[event.__class__]
        return self._line(name, event if apart is None else apart(event))

    def envelopes(self, entry: Entry) -> Envelopes:
        """The lines that an entry begins with. Raises Refused for text that no file can hold."""
        is_reason_hidden = REASON in entry.hidden_facts
        intent, numbers = _written(entry.intent)
        public = _Public(
            at=entry.at,
            intent=intent,
            previous_public_hash=entry.previous_public_hash,
            provenance=entry.provenance,
            public_number=entry.public_number,
            public_salt=entry.public_salt,
            reason="" if is_reason_hidden else entry.reason,
            restores=entry.restores,
            revision=entry.revision,
            ruleset=entry.ruleset,
            seat=entry.seat,
            version=entry.version,
            visibility=entry.visibility,
        )
        private = _Private(
            action=entry.action,
            causation=entry.causation,
            command=entry.command,
            command_digest=entry.command_digest,
            correction=entry.correction,
            fingerprint=entry.fingerprint,
            hidden_facts=entry.hidden_facts,
            params=numbers,
            reads=entry.reads,
            reason=entry.reason if is_reason_hidden else "",
            salt=entry.salt,
        )
        return Envelopes(self._line(self._kinds[entry.kind], public), self._line(self._private, private))

    def _line(self, name: str, value: object) -> bytes:
        try:
            return self._encode((name, value))
        except UnicodeEncodeError:
            raise Refused("Some of that text is not valid Unicode, so it cannot be kept. Type it again.") from None

    # And back.

    def read(self, stored: StoredEntry) -> RecordedEntry:
        """A stored entry; nothing is checked against the chain. Raises HistoryDamaged for bytes that make no sense."""
        lines = lines_of(stored.data)
        try:
            kind, envelope = self._envelope(stored.kind, lines)
            facts = tuple(map(self._fact, lines[FIRST_FACT:-1]))
        except _Removed:
            facts = tuple([self._fact_or_removed(line, envelope.intent) for line in lines[FIRST_FACT:-1]])
        except _FAULTS:
            raise self._explained(stored, lines) from None
        if envelope.params:
            intent = attrs.evolve(envelope.intent, params={**envelope.intent.params, **envelope.params})
            envelope = msgspec.structs.replace(envelope, intent=intent)
        fields = _ASTUPLE(envelope)
        return _RECORDED(RecordedEntry, (kind, fields[0], facts, stored.version, *fields[1:-1]))

    def _fact(self, line: bytes) -> Event:
        start, _, fields = line.partition(b",")
        decode = self._by_start.get(start)
        if decode is None:
            raise _Removed if removed(line) == NoteWritten.__name__ else KeyError
        return decode(fields[:-1])

    def _fact_or_removed(self, line: bytes, intent: Intent) -> Event:
        """An event, or a note without the words that were removed."""
        if removed(line):
            return NoteWritten(text="", about=str(intent.params.get("about", "")))
        return self.decode(line)

    def decode(self, line: bytes) -> Event:
        """An event out of a line. Raises HistoryDamaged for a name or bytes that make no sense."""
        start, _, fields = line.partition(b",")
        decode = self._by_start.get(start)
        if decode is None:
            raise HistoryDamaged(f"there is no event called {_called(line)!r}; it may come from a newer rollbook")
        try:
            if not line.endswith(b"]"):
                raise ValueError("it was cut off")
            return decode(fields[:-1])
        except _FAULTS as error:
            raise HistoryDamaged(f"the {_called(line)} cannot be read: {error}") from None

    def _envelope(self, name: str, lines: list[bytes]) -> tuple[EntryKind, _Envelope]:
        """Both envelopes and the seal, read as one JSON object."""
        kind, public = self._entries[name]
        first, second, seal = lines[PUBLIC], lines[PRIVATE], lines[-1]
        private = self._privates[0]
        if not second.startswith(private.start):
            private = next(older for older in self._privates if second.startswith(older.start))
        if not (first.startswith(public.start) and seal.startswith(_SEAL)):
            raise ValueError("it does not begin and end like an entry")
        told, kept = first[len(public.start) : -1], second[len(private.start) : -1]
        if public.upcast or private.upcast:
            told = public.upcast(told) if public.upcast else told
            kept = private.upcast(kept) if private.upcast else kept
        return kind, _ENVELOPE(b",".join((told[:-1], kept[1:-1], seal[_SEAL_FIELDS:-1])))

    def _explained(self, stored: StoredEntry, lines: list[bytes]) -> HistoryDamaged:
        """What is wrong with an entry that cannot be read, in a sentence."""
        if stored.kind not in self._entries:
            return HistoryDamaged(f"there is no entry called {stored.kind!r}; it may come from a newer rollbook")
        try:
            self._envelope(stored.kind, lines)
        except _FAULTS as error:
            return HistoryDamaged(f"its envelope cannot be read: {error or 'it is not like that of an entry'}")
        for line in lines[FIRST_FACT:-1]:
            try:
                self.decode(line)
            except HistoryDamaged as damage:
                return damage
        return HistoryDamaged("it cannot be read")


def _stored(name: str, versions: Mapping[str, int]) -> str:
    return f"{name}@{versions.get(name, 1)}"


def _start(name: str) -> bytes:
    return b'["%s",' % name.encode()


def _called(line: bytes) -> str:
    """The stored name of a line, as far as it has one."""
    return line[2 : line.find(b'"', 2)].decode(errors="replace")


def _written(intent: Intent) -> tuple[_Intent | None, dict[str, Scalar]]:
    """An intent as it is written, and the parameters that are kept from the table."""
    if intent is NO_INTENT:
        return None, {}
    params = intent.params
    numbers = {name: params[name] for name in NUMBERS if name in params}
    public = {name: value for name, value in params.items() if name not in numbers} if numbers else params
    return _Intent(second_thoughts=intent.second_thoughts, params=public, verb=intent.verb), numbers


def _steps(
    at: tuple[str, int], upcasters: Mapping[tuple[str, int], tuple[str, Upcaster]]
) -> tuple[list[Upcaster], str]:
    """The steps from an older shape to today's, without those that change nothing, and today's stored name."""
    steps: list[Upcaster] = []
    while at in upcasters:
        later, step = upcasters[at]
        steps.append(step)
        at = (later, at[1] + 1)
    return [step for step in steps if step is not unchanged], f"{at[0]}@{at[1]}"


def _through(steps: list[Upcaster], cls: type[Event]) -> Decoder:
    return lambda data: msgspec.convert(_raised(steps, data), cls)


def _upcast(steps: list[Upcaster]) -> Callable[[bytes], bytes] | None:
    return (lambda data: msgspec.json.encode(_raised(steps, data))) if steps else None


def _raised(steps: list[Upcaster], data: bytes) -> dict[str, Any]:
    fields = msgspec.json.decode(data, type=dict[str, Any])
    for step in steps:
        fields = step(fields)
    return fields


# Past the checks of ``__new__``: they would be a fifth of the time of a long read.
_RECORDED = cast("Callable[[type[RecordedEntry], tuple[Any, ...]], RecordedEntry]", tuple.__new__)
_ENVELOPE = msgspec.json.Decoder(_Envelope).decode
_ASTUPLE = msgspec.structs.astuple

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
