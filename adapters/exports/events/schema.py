"""The JSON Schema (2020-12) of every event, of an entry's envelopes, and of a line of an export.

It is made from the same classes that read and write the store. Every event has a ``$id`` of its own, to which CloudEvents point;
the whole of it describes a line of the export in JSON lines.
"""

import json
import re
from inspect import cleandoc
from typing import Any

import msgspec

from rollbook.adapters.exports.events.field_words import meaning
from rollbook.adapters.exports.exporter import Exported, ExportRequest
from rollbook.application.encoding.codec import CODEC
from rollbook.application.encoding.envelopes import Private, Public, Seal
from rollbook.domain.entries import EntryKind
from rollbook.domain.events import REMOVABLE, vocabulary

Json = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ID = "urn:rollbook:schema:1"
MARK = b'{\n  "$schema": "https://json-schema.org/draft/2020-12/schema",\n  "$id": "urn:rollbook:schema:'
EVENTS = {cls.__name__: CODEC.name(cls) for cls in vocabulary()}
"""The stored names of events, by class."""

_CODE = re.compile(r"``([^`]*)``")
_DIGEST: Json = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_POSITIVE: Json = {"type": "integer", "minimum": 1}
_TEXTS = ("actor", "provenance", "reason", "ruleset", "seat", "version", "visibility")
ENVELOPE: dict[str, Json] = {
    **{name: {"type": "string"} for name in _TEXTS},
    **dict.fromkeys(("action", "revision"), _POSITIVE),
    "before": {"type": "integer"},
    "restores": {"type": "integer"},
}
"""Fields of an entry in CloudEvents, beside its intent."""


def id_of(stored: str) -> str:
    """The ``$id`` of the schema under a stored name: ``DamageTaken@1``."""
    return f"urn:rollbook:{stored.replace('@', ':')}"


def write_schema(request: ExportRequest) -> Exported:
    """Write the schema; it is the same for every campaign."""
    request.write([json.dumps(schema(), indent=2, ensure_ascii=False).encode(), b"\n"], marks=(MARK,))
    remark = f"It is the schema of all {len(EVENTS)} kinds of events, and the same for every campaign."
    return Exported(path=request.target, entries=0, remarks=(remark,))


def schema() -> Json:
    """The whole schema: of a line of an export, with every event under ``$defs``."""
    _, parts = msgspec.json.schema_components(
        (*vocabulary(), Public, Private, Seal), ref_template="urn:rollbook:{name}"
    )
    known = {name: _described(name, part) for name, part in parts.items()}
    known |= {"CloudEntry": _cloud_entry(), "Header": _header(), "Entry": _entry()}
    defs = {name: {"$id": _id(name), **part} for name, part in sorted(known.items())}
    return {
        "$schema": DIALECT,
        "$id": ID,
        "title": "A line of a rollbook export",
        "description": "The first line is the header; every other line is an entry of the history.",
        "oneOf": [{"$ref": _id("Header")}, {"$ref": _id("Entry")}],
        "$defs": json.loads(re.sub(r'"urn:rollbook:(\w+)"', lambda found: f'"{_id(found[1])}"', json.dumps(defs))),
    }


def _id(name: str) -> str:
    return id_of(EVENTS.get(name, f"{name}@1"))


def _described(name: str, part: Json) -> Json:
    """A part of the schema in our own words: its description, those of its fields, and that there are no others."""
    said = {key: value for key, value in part.items() if key != "description"}
    if words := part.get("description"):
        said["description"] = _CODE.sub(r"\1", " ".join(cleandoc(words).split()))
    if "properties" in part:
        fields = part["properties"].items()
        said["properties"] = {field: {"description": meaning(name, field), **kind} for field, kind in fields}
        said["additionalProperties"] = False
    return said


def _stored(name: str, held: str) -> Json:
    return _pair(name, {"$ref": _id(held)})


def _pair(name: str, fields: Json) -> Json:
    """A stored line: its name, and what follows it."""
    return {"type": "array", "prefixItems": [{"const": name}, fields], "minItems": 2, "maxItems": 2}


def _entry() -> Json:
    lines = [_stored(CODEC.kind(kind), "Public") for kind in EntryKind]
    lines += [_stored("Private@1", "Private"), _stored("Seal@1", "Seal")]
    lines += [_stored(stored, name) for name, stored in EVENTS.items()]
    for removable in REMOVABLE:
        lines.append(_pair(f"~{removable.__name__}@1", _DIGEST))  # in the place of one whose words were removed
    return {
        "title": "Entry",
        "description": "An entry as it is stored: its public and its private envelope, its events, and its hashes.",
        "type": "object",
        "properties": {
            "entry": {"description": "The number of the entry, counted from 1.", **_POSITIVE},
            "lines": {"type": "array", "minItems": 3, "items": {"anyOf": lines}},
        },
        "required": ["entry", "lines"],
        "additionalProperties": False,
    }


def _header() -> Json:
    return {
        "title": "Header",
        "description": "The first line of an export.",
        "type": "object",
        "properties": {
            "format": {"const": "rollbook/export/1"},
            "campaign": {"description": "The name of the campaign.", "type": "string"},
            "entries": {"description": "How many entries follow.", **_POSITIVE},
            "events": {"description": "How many events they have.", "type": "integer", "minimum": 0},
            "head": {"description": "The hash of the last entry.", **_DIGEST},
            "check": {"description": "A checksum of this line.", "type": "string", "pattern": "^[0-9a-f]{16}$"},
        },
        "required": ["format", "campaign", "entries", "events", "head", "check"],
        "additionalProperties": False,
    }


def _cloud_entry() -> Json:
    kinds = sorted({**ENVELOPE, "intent": {"$ref": _id("Intent")}}.items())
    return {
        "title": "CloudEntry",
        "description": "An action taken, inserted, revised, undone or redone. Its events follow, each on a line of its own.",
        "type": "object",
        "properties": {name: {"description": meaning("CloudEntry", name), **kind} for name, kind in kinds},
        "required": [name for name, _ in kinds],
        "additionalProperties": False,
    }
