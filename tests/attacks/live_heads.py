"""A forgery for each field of the first line of an exported file, written by the program, so that its checksum fits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from rollbook.adapters.exports.files import checked_line
from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.application.campaign import Campaign

WHOLE, PLAYERS, TABLES, FILTERED = "whole", "a player's", "the table's", "of a filter"
READERS = {
    PLAYERS: Reader("mira"),
    TABLES: Reader(""),
    FILTERED: Reader(wanted=lambda entry: entry.intent.verb == "roll"),
}
FILES = (WHOLE, *READERS)
OTHER = "ab" * 32

NOT_CHECKED = (2, "", "")
"""The exit code, and what is said of chain and dice."""
FAILS = (1, "FAILED", "")


@attrs.frozen
class Head:
    """Another value of a field in the first line of a file, and whether somebody finds it."""

    file: str
    value: Any
    seen: tuple[int, str, str] = FAILS


HEADS: dict[str, tuple[Head, ...]] = {
    "format": (
        Head(WHOLE, "rollbook/export/2", NOT_CHECKED),
        Head(WHOLE, "rollbook/shown/1"),
        Head(PLAYERS, "rollbook/export/1"),
        Head(FILTERED, "rollbook/export/1"),
        Head(WHOLE, None, NOT_CHECKED),
    ),
    "campaign": (
        Head(WHOLE, "sherwood~1", (0, "VERIFIED", "UNPROVEN")),
        Head(WHOLE, "sherwood~x"),
        Head(WHOLE, "sherwood~"),
        Head(WHOLE, "sherwood~0"),
        Head(PLAYERS, f"sherwood~{'9' * 5_000}"),
        Head(WHOLE, 7),
    ),
    "entries": (*(Head(file, value) for file in FILES for value in (0, 10**9, None, "38", True)),),
    "events": (*(Head(WHOLE, value) for value in (0, 10**9, None, "57", True)),),
    "for": (
        Head(PLAYERS, "gm", (3, "UNPROVEN", "UNPROVEN")),
        Head(FILTERED, "player:mira"),
        Head(FILTERED, "table"),
        Head(FILTERED, None),
    ),
    "head": (*(Head(file, value) for file in FILES for value in (OTHER, "0" * 64, "", None)),),
    "check": (*(Head(file, value) for file in FILES for value in ("0" * 16, "", None)),),
}
"""None stands for a field that is left out."""

FREE: Mapping[str, tuple[tuple[Head, ...], str]] = {
    "campaign": (
        (Head(WHOLE, "nottingham"), Head(PLAYERS, "nottingham")),
        "It is a name for people and files; what binds dice to a campaign is its identity, in the first entry.",
    ),
    "for": (
        (Head(PLAYERS, "player:tuck"), Head(TABLES, "player:mira")),
        "A file shows what it shows, and a whisper that is left out of one nothing can vouch for.",
    ),
}


def written(campaign: Campaign, file: str, path: Path) -> bytes:
    """An honest file of a campaign."""
    if file == WHOLE:
        export_campaign(campaign.session.log, path, overwrite=True)
    else:
        export_shown(campaign.session.log, path, READERS[file], overwrite=True)
    return path.read_bytes()


def fields_of(file: bytes) -> dict[str, Any]:
    """What the first line of a file says."""
    said: dict[str, Any] = json.loads(file.split(b"\n", 1)[0])
    return said


def with_head(file: bytes, name: str, value: Any) -> bytes:
    """A file whose first line says something else; its checksum is that of what it says, unless that is what is changed."""
    _, rest = file.split(b"\n", 1)
    said = fields_of(file) | {name: value}
    check = said.pop("check")
    line = checked_line(json.dumps({key: each for key, each in said.items() if each is not None}).encode())
    if name == "check":
        line = json.dumps({**said, **({} if check is None else {"check": check})}).encode() + b"\n"
    return line + rest
