"""Reader of the Avrae bot's recordings, with a check of every line.

A recording is one JSON object a line, plain or gzip-compressed. All of it is read before anything is imported, so a
file that is broken anywhere imports nothing. Errors name their line.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import attrs

from rollbook.adapters.imports.bounded import MIB, OUTCOME, Bounds, opened
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record

BOUNDS = Bounds(size=24 * MIB, line=2 * MIB, lines=200_000)
"""Ten times the largest known recording; in memory it takes several times as much."""
COMPRESSED = b"\x1f\x8b"
LARGEST_NUMBER = 10**12
LATEST = 32_503_680_000
"""The year 3000 in seconds since 1970: no recording is younger."""

Fields = Mapping[str, Any]
_Value = TypeVar("_Value")


class Malformed(Exception):
    """A fault in a line; the message says what is wrong. The reader adds the place."""


def broken(path: Path, number: int, what: str) -> RollbookError:
    """The error for a line that cannot be imported."""
    return RollbookError(f"{path}, line {number}: {what}. {OUTCOME}")


RECORDING = "recording "
"""Beginning of the key of a recording."""


@attrs.frozen
class Reply(Record):
    """One embed of a message, the bot's form of answer. ``fields`` are pairs of heading and text, above ``footer``."""

    title: str
    description: str
    fields: tuple[tuple[str, str], ...]
    footer: str = ""


@attrs.frozen
class RecordedLine(Record):
    """One line of a recording. ``thread`` is the Discord message or click that it belongs to, 0 if none.

    ``data`` is its short fields. Automations and states of a combat are long, and parsed again when they are needed.
    """

    number: int
    kind: str
    at: int
    thread: int
    data: Fields
    replies: tuple[Reply, ...] = ()
    raw: bytes = b""

    @property
    def whole(self) -> Fields:
        """All fields of the line. Raises Malformed."""
        return _object(self.raw)

    @property
    def author(self) -> str:
        """The name of the person who wrote, typed or clicked."""
        return text(self.data, "author_name", "").strip() or "somebody"

    @property
    def is_bot(self) -> bool:
        """True if a program wrote this: Avrae itself, or one that speaks for a player's character."""
        return bool(self.data.get("author_bot"))

    @property
    def content(self) -> str:
        """The words of a message or a command."""
        return text(self.data, "content", "")

    @property
    def command(self) -> str:
        """The full name of the command that was typed, "" for other lines."""
        return text(self.data, "command_name", "")

    @property
    def caster(self) -> str:
        """The name of the character that a command was typed for, "" if it names none."""
        caster = self.data.get("caster")
        name = caster.get("name") if isinstance(caster, dict) else None
        return storable(name) if isinstance(name, str) else ""


@attrs.frozen
class Recording(Record):
    """A whole file. ``digest`` is the SHA-256 of its uncompressed contents."""

    lines: tuple[RecordedLine, ...]
    digest: str

    @property
    def key(self) -> str:
        """The key that identifies the recording in a campaign: digests of its first combat's id and of its contents."""
        combat = str(self.lines[0].data.get("combat_id") or self.digest)
        return f"{RECORDING}{hashlib.sha256(combat.encode('utf-8', 'replace')).hexdigest()[:24]} {self.digest[:24]}"


def read_recording(path: Path) -> Recording:
    """Read and check a recording. Raises NotFound or RollbookError, and no other exception."""
    is_packed = path.suffix == ".gz"
    if path.is_file():
        _check_beginning(path, is_packed=is_packed)
    digest = hashlib.sha256()
    lines: list[RecordedLine] = []
    with opened(path, OUTCOME, BOUNDS, unpack=is_packed) as source:
        for number, raw in source.lines():
            digest.update(raw)
            if raw.strip():
                lines.append(_line(path, number, raw))
    if not lines:
        raise RollbookError(f"{path} is empty. {OUTCOME}")
    if not any(line.kind in ("combat_start", "combat_state_update") for line in lines):
        raise RollbookError(
            f"{path} holds no combat: no line of it is a combat_start or a combat_state_update. {OUTCOME}"
        )
    return Recording(tuple(lines), digest.hexdigest())


def recognises(path: Path) -> bool:
    """True if the first line of a file is one that the bot records."""
    try:
        with opened(path, OUTCOME, BOUNDS, unpack=path.suffix == ".gz") as source:
            first = _object(source.header(BOUNDS.line))
    except (Malformed, RollbookError):
        return False
    return first.get("event_type") in _REQUIRED


def _check_beginning(path: Path, *, is_packed: bool) -> None:
    """Raise RollbookError for a compressed file whose name does not end in .gz, or the other way round."""
    with opened(path, OUTCOME) as source:
        begins = source.header(len(COMPRESSED))[: len(COMPRESSED)]
    if is_packed and not begins:
        raise RollbookError(f"{path} is empty. {OUTCOME}")
    if is_packed and begins != COMPRESSED:
        raise RollbookError(f"{path} is not compressed with gzip, though its name ends in .gz. {OUTCOME}")
    if not is_packed and begins == COMPRESSED:
        raise RollbookError(f"{path} is compressed with gzip; call it {path.name}.gz. {OUTCOME}")


def _line(path: Path, number: int, raw: bytes) -> RecordedLine:
    try:
        return _checked(number, raw)
    except Malformed as failure:
        raise broken(path, number, str(failure)) from failure


def _object(raw: bytes) -> Fields:
    try:
        found = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError as failure:
        raise Malformed(f"this is not UTF-8 text (byte {failure.start + 1} of the line)") from failure
    except json.JSONDecodeError as failure:
        raise Malformed(f"this is not a JSON object: it goes wrong at column {failure.colno}") from failure
    except RecursionError as failure:
        raise Malformed("this is nested deeper than any recording is") from failure
    except ValueError as failure:
        raise Malformed("this holds a number that is not one, or is far too long") from failure
    if not isinstance(found, dict):
        raise Malformed(f"this is {_a(found)}, not an object")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


_REQUIRED: Mapping[str, Mapping[str, type]] = {
    "message": {
        "message_id": int, "author_name": str, "author_bot": bool, "content": str, "embeds": list,
    },
    "command": {"message_id": int, "author_name": str, "content": str, "command_name": str},
    "alias_resolution": {"message_id": int},
    "snippet_resolution": {"message_id": int},
    "button_press": {"interaction_id": int, "author_name": str},
    "automation_run": {"interaction_id": int, "automation_result": dict, "caster": dict},
    "combat_start": {},
    "combat_end": {},
    "combat_state_update": {"data": dict, "human_readable": str},
}  # fmt: skip
_SHORT = ("combat_id", "author_name", "author_id", "author_bot", "content", "command_name", "button_label")
_LONG = ("automation_run", "combat_state_update")
_WORDS = ("author_name", "content", "command_name")
_THREADS = ("message_id", "interaction_id", "probable_interaction_id")


def _checked(number: int, raw: bytes) -> RecordedLine:
    data = _object(raw)
    kind = text(data, "event_type")
    if kind not in _REQUIRED:
        raise Malformed(f"there is no event_type {kind[:40]!r}; a recording of Avrae has {', '.join(_REQUIRED)}")
    for key, wanted in _REQUIRED[kind].items():
        _typed(data, key, wanted)
    for key in _WORDS:
        text(data, key, "")
    replies = tuple(_reply(embed) for embed in data["embeds"]) if kind == "message" else ()
    thread = next((identifier(data, key) for key in _THREADS if key in data), 0)
    short = _scalars(data, _SHORT)
    if isinstance(caster := data.get("caster"), dict):
        short["caster"] = _scalars(caster, ("name",))
    return RecordedLine(number, kind, _moment(data), thread, short, replies, raw if kind in _LONG else b"")


def _scalars(data: Fields, keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: data[key] for key in keys if isinstance(data.get(key), str | int)}


def _moment(data: Fields) -> int:
    seconds = data.get("timestamp")
    if seconds is None:
        raise Malformed("the field 'timestamp' is missing")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise Malformed(f"'timestamp' should be a number, not {_a(seconds)}")
    if not 0 <= seconds <= LATEST:  # NaN is refused too
        raise Malformed("'timestamp' is not a time between 1970 and 3000")
    return round(seconds * 1_000_000)


def _reply(embed: object) -> Reply:
    found = an_object(embed, "an embed")
    fields = objects(found, "fields", optional=True)
    footer = found.get("footer")
    return Reply(
        text(found, "title", ""),
        text(found, "description", ""),
        tuple((text(field, "name", ""), text(field, "value", "")) for field in fields),
        text(footer, "text", "") if isinstance(footer, dict) else "",
    )


def an_object(value: object, what: str) -> Fields:
    """The value as a JSON object. Raises Malformed, which calls it ``what``, if it is none."""
    if not isinstance(value, dict):
        raise Malformed(f"{what} should be an object, not {_a(value)}")
    return value


def text(data: Fields, key: str, default: str | None = None) -> str:
    """The text in a field, fit to be stored. Raises Malformed."""
    if default is not None and data.get(key) is None:
        return default
    return storable(_typed(data, key, str))


def storable(words: str) -> str:
    """The words, with a question mark for every lone surrogate, which cannot be stored."""
    fixed = words if words.isascii() else words.encode("utf-8", "replace").decode("utf-8")
    return words if fixed == words else fixed  # the same object, not a copy for each use


def whole(data: Fields, key: str, default: int | None = None) -> int:
    """The whole number in a field, below LARGEST_NUMBER. Raises Malformed."""
    if default is not None and data.get(key) is None:
        return default
    found = _typed(data, key, int)
    if abs(found) >= LARGEST_NUMBER:
        raise Malformed(f"{key!r} is larger than any number of a recording")
    return found


def identifier(data: Fields, key: str) -> int:
    """The number of an id, of any size; 0 if there is none."""
    return 0 if data.get(key) is None else _typed(data, key, int)


def truth(data: Fields, key: str) -> bool:
    """The Boolean in a field. Raises Malformed."""
    return _typed(data, key, bool)


def objects(data: Fields, key: str, *, optional: bool = False) -> list[Fields]:
    """The list of objects in a field; empty if it is ``optional`` and missing."""
    if optional and data.get(key) is None:
        return []
    return [an_object(each, f"an entry of {key!r}") for each in _typed(data, key, list)]


def several(data: Fields, key: str) -> list[Any]:
    """The list in a field, of any values; empty if there is none."""
    return [] if data.get(key) is None else _typed(data, key, list)


def _typed(data: Fields, key: str, wanted: type[_Value]) -> _Value:
    if key not in data:
        raise Malformed(f"the field {key!r} is missing")
    found = data[key]
    if not isinstance(found, wanted) or (wanted is int and isinstance(found, bool)):
        raise Malformed(f"{key!r} should be {_NAMES[wanted]}, not {_a(found)}")
    return found


_NAMES = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number with a fraction",
    type(None): "null",
}


def _a(value: object) -> str:
    return _NAMES.get(type(value), type(value).__name__)
