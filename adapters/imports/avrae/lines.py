"""Opens a recording of the Avrae bot and makes sure that every line of it is what it should be.

A recording is one JSON object a line, plain or gzip-compressed. All of it is read before anything of it is imported, so
a file that is broken anywhere imports nothing. Whatever is wrong is said with the number of its line.
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
"""Ten times the largest recording that is known; in memory it becomes several times as much."""
COMPRESSED = b"\x1f\x8b"
LARGEST_NUMBER = 10**12
LATEST = 32_503_680_000
"""The year 3000 in seconds since 1970: no recording is younger."""

Fields = Mapping[str, Any]
_Value = TypeVar("_Value")


class Malformed(Exception):
    """Something in a line is not as it should be; the message says what. The reader adds where."""


def broken(path: Path, number: int, what: str) -> RollbookError:
    """The error for a line that cannot be imported."""
    return RollbookError(f"{path}, line {number}: {what}. {OUTCOME}")


RECORDING = "recording "
"""How the key of a recording begins."""


@attrs.frozen
class Reply(Record):
    """One embed of a message: how the bot answers. ``fields`` are pairs of a heading and its text; ``footer`` is below them."""

    title: str
    description: str
    fields: tuple[tuple[str, str], ...]
    footer: str = ""


@attrs.frozen
class RecordedLine(Record):
    """One line of a recording. ``thread`` is the Discord message or click that it belongs to, 0 if none.

    ``data`` is its short fields. What the rules did and how a combat stands is long, and read again when it is asked for.
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
        """All of its fields. Raises Malformed."""
        return _object(self.raw)

    @property
    def author(self) -> str:
        """Who wrote, typed or clicked; a recording keeps everybody under a number of their own."""
        return text(self.data, "author_name", "").strip() or "somebody"

    @property
    def is_bot(self) -> bool:
        """Whether a program wrote this: Avrae itself, or one that speaks for a player's character."""
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
    """A whole file. ``digest`` is the SHA-256 of what it holds, however it is compressed."""

    lines: tuple[RecordedLine, ...]
    digest: str

    @property
    def key(self) -> str:
        """By what it is found again in a campaign: the combat that it begins with, and what it holds."""
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
    """Whether the first line of a file is one that the bot records, whatever comes after it."""
    try:
        with opened(path, OUTCOME, BOUNDS, unpack=path.suffix == ".gz") as source:
            first = _object(source.header(BOUNDS.line))
    except (Malformed, RollbookError):
        return False
    return first.get("event_type") in _REQUIRED


def _check_beginning(path: Path, *, is_packed: bool) -> None:
    """Raise RollbookError for a file that is compressed and does not say so, or the other way round."""
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
    if not 0 <= seconds <= LATEST:  # which no number that is none is either
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
    """The value, if it is a JSON object; ``what`` names it otherwise."""
    if not isinstance(value, dict):
        raise Malformed(f"{what} should be an object, not {_a(value)}")
    return value


def text(data: Fields, key: str, default: str | None = None) -> str:
    """The text in a field, fit to be stored."""
    if default is not None and data.get(key) is None:
        return default
    return storable(_typed(data, key, str))


def storable(words: str) -> str:
    """The words, with a question mark for every half of a broken character: those cannot be stored."""
    fixed = words if words.isascii() else words.encode("utf-8", "replace").decode("utf-8")
    return words if fixed == words else fixed  # the same words once, and not a copy of them for each use


def whole(data: Fields, key: str, default: int | None = None) -> int:
    """A whole number of a size that happens in games."""
    if default is not None and data.get(key) is None:
        return default
    found = _typed(data, key, int)
    if abs(found) >= LARGEST_NUMBER:
        raise Malformed(f"{key!r} is larger than any number of a recording")
    return found


def identifier(data: Fields, key: str) -> int:
    """A number that only tells one thing from another, as long as it likes; 0 if there is none."""
    return 0 if data.get(key) is None else _typed(data, key, int)


def truth(data: Fields, key: str) -> bool:
    """Yes or no."""
    return _typed(data, key, bool)


def objects(data: Fields, key: str, *, optional: bool = False) -> list[Fields]:
    """A list of objects; empty if it may be missing and is."""
    if optional and data.get(key) is None:
        return []
    return [an_object(each, f"an entry of {key!r}") for each in _typed(data, key, list)]


def several(data: Fields, key: str) -> list[Any]:
    """A list of anything; empty if there is none."""
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
