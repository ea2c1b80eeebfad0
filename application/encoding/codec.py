"""Entries to bytes and back: lines of canonical JSON under stored names such as ``DamageTaken@1``, never an import path.

msgspec writes the JSON with sorted keys, and reads all lines of an entry in one go, straight into the attrs classes; it refuses
wrong types. Every field of an event is written, also at its default: a field that is left out costs more to read than it
saves to store. Of the two envelopes, which have many fields and use few, only what differs from its default is written.
An unknown name is an error that says so; nothing a file says is ever imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Union, cast

import attrs
import msgspec

from rollbook.application.encoding.envelopes import Private, PrivateOutline, Public, PublicOutline, Seal, written
from rollbook.application.encoding.upcasters import UPCASTERS, VERSIONS, Upcaster, raised, steps_from
from rollbook.domain.base.board_place import BoardPlace, place_on_board
from rollbook.domain.base.describing import DESCRIBING
from rollbook.domain.base.errors import HistoryDamaged, Refused
from rollbook.domain.entries import Entry, EntryKind, Intent, Outline, RecordedEntry, outline_of, read_only_params
from rollbook.domain.events import Event, NoteWritten, PictureShown, SeatNamed, vocabulary
from rollbook.domain.history.chain import FIRST_EVENT, PRIVATE, PUBLIC, SEAL_LENGTH, lines_of, removed
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.state.fold.draft import BRIEF, FoldedEvent

_FAULTS = (msgspec.MsgspecError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
_SEAL, _OTHER = "Seal@1", "it is not like that of an entry of this kind"
_FEW = 16
"""So many entries are read line by line, before a decoder for all kinds of lines is made: that takes as long as a hundred."""
_INTENT = Public.__struct_fields__.index("intent")
_LAST_KEPT = Private.__struct_fields__.index("params")


class Codec:
    """The closed registry of stored names, both ways."""

    def __init__(
        self,
        classes: tuple[type[Event], ...] = vocabulary(),
        versions: Mapping[str, int] = VERSIONS,
        upcasters: Mapping[tuple[str, int], tuple[str, Upcaster]] = UPCASTERS,
    ) -> None:
        self._encode_lines = msgspec.json.Encoder(order="sorted").encode_lines
        self._names = {cls: _stored(cls.__name__, versions) for cls in classes}
        self._kinds = {kind: _stored(kind, versions) for kind in EntryKind}
        self._today = {name: kind for kind, name in self._kinds.items()}
        self._private = _stored("Private", versions)
        self._older = {f"{name}@{version}": steps_from((name, version), upcasters) for name, version in upcasters}
        self._entries = self._today | {
            name: self._today[last] for name, (_, last) in self._older.items() if last in self._today
        }
        older = {name for name, (_, last) in self._older.items() if last in self._names.values()}
        self.events = frozenset((*self._names.values(), *older))
        """The stored names of events, today's and older ones."""
        self._read_so_far = 0
        self._forms: dict[str, type[Any]] = {}
        self._decoders: dict[str, Callable[[bytes], Any]] = {}

    def name(self, cls: type[Event]) -> str:
        """The stored name of a class of event."""
        return self._names[cls]

    def kind(self, kind: EntryKind) -> str:
        """The stored name of a kind of entry."""
        return self._kinds[kind]

    # To bytes.

    def encode(self, event: Event) -> bytes:
        """An event as a line of an entry. Raises Refused for text that no file can hold."""
        return self._lines([(self._names[event.__class__], event)])[:-1]

    def body(self, entry: Entry) -> bytes:
        """All lines of an entry up to its seal, each with its line break. Raises Refused for text that no file can hold."""
        public, private = written(entry)
        names, kind = self._names, self._kinds[entry.kind]
        events = [(names[event.__class__], event) for event in entry.events]
        return self._lines([(kind, public), (self._private, private), *events])

    def _lines(self, values: list[tuple[str, object]]) -> bytes:
        try:
            return self._encode_lines(values)
        except UnicodeEncodeError:
            raise Refused("Some of that text is not valid Unicode, so it cannot be kept. Type it again.") from None

    # And back.

    def read(self, stored: StoredEntry) -> RecordedEntry:
        """A stored entry; nothing is checked against the chain. Raises HistoryDamaged for bytes that make no sense."""
        try:
            return self._read(stored.version, self._entries[stored.kind], stored.data)
        except _FAULTS:
            return self._read_older(stored)

    def outline(self, stored: StoredEntry) -> Outline:
        """The outline of a stored entry, as a history notes it. Raises HistoryDamaged for envelopes that make no sense."""
        version, topic, data = stored
        try:
            middle = data.index(b"\n") + 1
            name, public = _PUBLIC_OUTLINE(data[: middle - 1])
            called, private = _PRIVATE_OUTLINE(data[middle : data.index(b"\n", middle)])
            kind = self._today[name]
        except _FAULTS:
            return outline_of(self.read(stored))
        if name != topic or called != self._private:
            return outline_of(self.read(stored))
        return _OUTLINE(Outline, (version, kind, *_ASTUPLE(private), *_ASTUPLE(public)))

    def changes(self, stored: StoredEntry) -> list[FoldedEvent]:
        """The events of a stored entry as the fold needs them, some in brief. Raises HistoryDamaged like ``read``."""
        data = stored.data
        try:
            first = data.index(b"\n", data.index(b"\n") + 1) + 1
            return [line.event for line in self._brief_decoder.decode_lines(data[first:-SEAL_LENGTH])]
        except _FAULTS:
            return list(self.read(stored).events)

    def _read(self, version: int, kind: EntryKind, data: bytes) -> RecordedEntry:
        public, private, *recorded, seal = self._lines_in(data)
        if public.__class__ is not self._form(self._kinds[kind]):
            raise ValueError(_OTHER)
        told, kept = _ASTUPLE(public.public), _ASTUPLE(private.private)
        params = told[_INTENT].params
        if params.__class__ is dict:
            _SET_PARAMS(told[_INTENT], read_only_params(params))
        events = tuple([line.event for line in recorded])
        fields = (kind, kept[0], events, version, *told, *kept[1:_LAST_KEPT], *_ASTUPLE(seal.seal))
        entry = _RECORDED(RecordedEntry, fields)
        return _completed(entry, private.private) if kept[-1] or kept[-2] else entry

    def _read_older(self, stored: StoredEntry) -> RecordedEntry:
        """An entry that has lines of an older shape, or one in the place of words that were removed."""
        lines = lines_of(stored.data)
        try:
            data = b"\n".join([self._todays(line, lines) for line in lines])
            return self._read(stored.version, self._entries[stored.kind], data)
        except _FAULTS:
            raise self._explained(stored, lines) from None

    def decode(self, line: bytes) -> Event:
        """An event out of a line. Raises HistoryDamaged for a name or bytes that make no sense."""
        name = _called(line)
        if name not in self.events:
            raise HistoryDamaged(f"there is no event called {name!r}; it may come from a newer rollbook")
        try:
            event: Event = self._line_in(self._todays(line)).event
        except _FAULTS as error:
            raise HistoryDamaged(f"the {name} cannot be read: {fault_in_words(error)}") from None
        return event

    def _lines_in(self, data: bytes) -> list[Any]:
        """The lines of today's shapes in the bytes of an entry."""
        if self._read_so_far < _FEW:
            self._read_so_far += 1
            with suppress(KeyError):  # a line that is spelled otherwise, or is none of today's
                return [self._line_in(line) for line in lines_of(data)]
        return cast("list[Any]", self._decoder.decode_lines(data))

    def _line_in(self, line: bytes) -> Any:
        name = _called(line)
        decode = self._decoders.get(name) or self._made(name)
        return decode(line)

    def _made(self, name: str) -> Callable[[bytes], Any]:
        with DESCRIBING:
            if name not in self._decoders:
                self._decoders[name] = msgspec.json.Decoder(self._form(name)).decode
            return self._decoders[name]

    @cached_property
    def _decoder(self) -> Any:
        """Reads lines of today's shapes. It is made when much is read: it looks at every class of event."""
        with DESCRIBING:
            return msgspec.json.Decoder(Union[tuple(map(self._form, self._held))])  # noqa: UP007 - as many as there are

    @cached_property
    def _brief_decoder(self) -> Any:
        forms = (_line(name, "event", BRIEF.get(cls, cls)) for cls, name in self._names.items())
        with DESCRIBING:
            return msgspec.json.Decoder(Union[tuple(forms)])  # noqa: UP007 - as many as there are

    def _form(self, name: str) -> type[Any]:
        """The form of today's lines of a stored name: each kind of line has a field of another name. Raises KeyError."""
        if name not in self._forms:
            self._forms[name] = _line(name, *self._held[name])
        return self._forms[name]

    @cached_property
    def _held(self) -> dict[str, tuple[str, type]]:
        """The field of a line and its class, by stored name."""
        held: dict[str, tuple[str, type]] = {name: ("event", cls) for cls, name in self._names.items()}
        held |= dict.fromkeys(self._kinds.values(), ("public", Public))
        return held | {self._private: ("private", Private), _SEAL: ("seal", Seal)}

    def _todays(self, line: bytes, entry: list[bytes] | None = None) -> bytes:
        """A line in today's shape; words that were removed are an empty note about what the ``entry`` says."""
        name = _called(line)
        if name in self._older:
            steps, last = self._older[name]
            fields = line[line.index(b",") + 1 : -1]
            return b'["%s",%s]' % (last.encode(), msgspec.json.encode(raised(steps, fields)) if steps else fields)
        if entry and (kind := removed(line)) in _WITHOUT_WORDS:
            params = self._line_in(self._todays(entry[PUBLIC])).public.intent.params
            return self.encode(_WITHOUT_WORDS[kind](params))
        return line

    def _explained(self, stored: StoredEntry, lines: list[bytes]) -> HistoryDamaged:
        if stored.kind not in self._entries:
            return HistoryDamaged(f"there is no entry called {stored.kind!r}; it may come from a newer rollbook")
        try:
            bare = [self._todays(line) for line in (lines[PUBLIC], lines[PRIVATE], lines[-1])]
            self._read(stored.version, self._entries[stored.kind], b"\n".join(bare))
        except AttributeError:
            return HistoryDamaged(f"its envelope cannot be read: {_OTHER}")
        except _FAULTS as error:
            return HistoryDamaged(f"its envelope cannot be read: {fault_in_words(error, _OTHER)}")
        for line in lines[FIRST_EVENT:-1]:
            try:
                self.decode(line)
            except HistoryDamaged as damage:
                return damage
        return HistoryDamaged("it cannot be read")


def _note_without_words(params: Mapping[str, Any]) -> Event:
    return NoteWritten(text="", about=str(params.get("about", "")))


def _picture_without_bytes(params: Mapping[str, Any]) -> Event:
    place = BoardPlace()
    if params.get("media"):
        place = place_on_board(str(params.get("across", "")), str(params.get("at", ""))) or place
    return PictureShown(
        portrait_of=str(params.get("who", "")),
        media=str(params.get("media", "")),
        width=int(params.get("width", 0)),
        height=int(params.get("height", 0)),
        on_board="across" in params,
        across=place.across,
        west=place.west,
        south=place.south,
    )


def _seat_without_name(params: Mapping[str, Any]) -> Event:
    return SeatNamed(seat=str(params.get("seat", "")), name="")


_WITHOUT_WORDS: Mapping[str, Callable[[Mapping[str, Any]], Event]] = {
    NoteWritten.__name__: _note_without_words,
    PictureShown.__name__: _picture_without_bytes,
    SeatNamed.__name__: _seat_without_name,
}
"""The rest of an event whose words were removed, by its name: as the parameters of its action say it."""


def _line(name: str, field: str, cls: type) -> type[Any]:
    return msgspec.defstruct(
        f"Line{field}", [(field, cls)], tag=name, array_like=True, frozen=True, forbid_unknown_fields=True, gc=False
    )


def _completed(entry: RecordedEntry, private: Private) -> RecordedEntry:
    """An entry with what is in the private envelope instead of the public one."""
    params = {**entry.intent.params, **private.params}
    return entry._replace(intent=attrs.evolve(entry.intent, params=params), reason=private.reason or entry.reason)


def _stored(name: str, versions: Mapping[str, int]) -> str:
    return f"{name}@{versions.get(name, 1)}"


def _called(line: bytes) -> str:
    return line[2 : line.find(b'"', 2)].decode(errors="replace")


with DESCRIBING:
    _PUBLIC_OUTLINE = msgspec.json.Decoder(tuple[str, PublicOutline]).decode
    _PRIVATE_OUTLINE = msgspec.json.Decoder(tuple[str, PrivateOutline]).decode

# Past the checks of ``__new__``: they would be a fifth of the time of a long read.
_RECORDED = cast("Callable[[type[RecordedEntry], tuple[object, ...]], RecordedEntry]", tuple.__new__)
_OUTLINE = cast("Callable[[type[Outline], tuple[object, ...]], Outline]", tuple.__new__)
_ASTUPLE = msgspec.structs.astuple
_SET_PARAMS = vars(Intent)["params"].__set__

CODEC = Codec()
"""The codec of today's vocabulary."""


FIELD = r"at `\$[^`]*?\.([A-Za-z_]+)[^`.]*`"
MISSING = r"missing required field `([A-Za-z_]+)`"


def fault_in_words(
    error: BaseException, otherwise: str = "something in it is missing or is not what it should be"
) -> str:
    """A few words, without a full stop: which field is wrong or missing, or that it is not JSON or not text at all."""
    said = str(error)
    if isinstance(error, UnicodeError) or "UTF-8" in said:
        return "it is not text in UTF-8"
    if isinstance(error, msgspec.ValidationError):
        missing, field = re.search(MISSING, said), re.search(FIELD, said)
        if missing:
            return f"its field {missing[1]!r} is missing"
        return f"its field {field[1]!r} is not what it should be" if field else otherwise
    if isinstance(error, msgspec.DecodeError):
        return "it is not JSON"
    return otherwise
