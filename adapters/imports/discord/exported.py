"""Reader of a channel that DiscordChatExporter saved as JSON, with the embeds in which the bot answers."""

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo

import attrs

from rollbook.adapters.imports.bounded import OUTCOME, Source, json_of
from rollbook.adapters.imports.foundry.values import Fields, each, fields, inside, words
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record

DEEPEST = 200
"""Most nested lists and objects."""
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?')
"""A string in a line, whole or to its end."""
_PAIRS = bytes.maketrans(b"[]", b"{}")
_OTHERS = bytes(set(range(256)) - set(b"[]{}"))


@attrs.frozen
class Exported(Record):
    """A message of the export: what it says, and its embeds, each as its parts of (whom it is about, lines)."""

    line: int
    id: str
    at: int
    author: str
    called: str
    text: str
    embeds: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]
    is_bot: bool
    asked_by: str
    mentions: dict[str, str]


def read_exported(source: Source, lines: list[str], zone: tzinfo) -> tuple[list[Exported], bool]:
    """The messages, and True if they are of a private channel. Raises RollbookError for anything else."""
    if _may_be_deep(lines):
        _check_depth(source, lines)
    whole = fields(json_of("\n".join(lines), source.path, OUTCOME))
    if not isinstance(whole.get("messages"), list):
        raise RollbookError(
            f"{source.path}, line 1: this is no export of DiscordChatExporter: it has no messages. {OUTCOME}"
        )
    places = _places(lines)
    found = [_message(one, places, zone) for one in map(fields, whole["messages"]) if one]
    return found, str(inside(whole, "channel", "type") or "").startswith("Direct")


def _may_be_deep(lines: list[str]) -> bool:
    """True if objects may be nested too deeply: with each round the innermost pairs of brackets go."""
    signs = b"".join(_STRING.sub(b"", line.encode("utf-8", "replace")).translate(_PAIRS, _OTHERS) for line in lines)
    rounds = 0
    while b"{}" in signs and rounds <= DEEPEST:
        signs, rounds = signs.replace(b"{}", b""), rounds + 1
    return rounds + signs.count(b"{") > DEEPEST


def _check_depth(source: Source, lines: list[str]) -> None:
    """Raise RollbookError that names the line from which on objects are nested too deeply."""
    depth, is_text = 0, False
    for number, line in enumerate(lines, 1):
        for sign in re.findall(r'\\.|["\[\]{}]', line):
            is_text ^= sign == '"'
            depth += 0 if is_text else (sign in "[{") - (sign in "]}")
            if depth > DEEPEST:
                raise RollbookError(f"{source.path}, line {number}: it is nested too deeply. {OUTCOME}")


def _places(lines: list[str]) -> dict[str, int]:
    """The lines on which ids stand."""
    ids = ((number, re.match(r'\s*"id":\s*"([^"]+)"', line)) for number, line in enumerate(lines, 1))
    found: dict[str, int] = {}
    for number, one in ids:
        if one is not None:
            found.setdefault(one[1], number)
    return found


def _message(message: Fields, places: dict[str, int], zone: tzinfo) -> Exported:
    author, id_ = fields(message.get("author")), str(message.get("id", ""))
    asked = inside(message, "interaction", "user", "id")
    people = map(fields, each(message.get("mentions")))
    return Exported(
        line=places.get(id_, 1),
        id=id_,
        at=_moment(message.get("timestamp"), zone),
        author=str(author.get("id") or author.get("name") or ""),
        called=words(author.get("nickname")) or words(author.get("name")),
        text=words(message.get("content")),
        embeds=tuple(tuple(_parts(fields(embed))) for embed in each(message.get("embeds"))),
        is_bot=author.get("isBot") is True,
        asked_by=str(asked or ""),
        mentions={words(one.get(part)): str(one.get("id")) for one in people for part in ("name", "nickname")},
    )


def _moment(value: object, zone: tzinfo) -> int:
    """Microseconds since 1970; 0 for what is no time. One without a zone is of the campaign's."""
    try:
        when = datetime.fromisoformat(str(value))
        return max(int((when if when.tzinfo else when.replace(tzinfo=zone)).timestamp() * 1_000_000), 0)
    except (ValueError, OverflowError):
        return 0


def _parts(embed: Fields) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The parts of an embed in their order."""
    yield "", tuple(filter(None, (words(embed.get("title")), *words(embed.get("description")).splitlines())))
    for field in map(fields, each(embed.get("fields"))):
        yield words(field.get("name")), tuple(words(field.get("value")).splitlines())
    footer = embed.get("footer")
    yield "Meta", tuple(words(footer.get("text") if isinstance(footer, dict) else footer).splitlines())
