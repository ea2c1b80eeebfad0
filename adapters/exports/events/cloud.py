"""CloudEvents: JSON lines with one event a line, in the JSON format of CloudEvents 1.0.

Every entry is a line that says who did what and why, and each of its events is a line that follows. An id belongs to one event
for ever: a longer export of the same campaign, for the same reader, has the same ids and more of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from rollbook.adapters.exports.events.schema import ENVELOPE, id_of
from rollbook.adapters.exports.exporter import Exported, ExportRequest
from rollbook.application.encoding.codec import CODEC
from rollbook.projections.acts import subject_of
from rollbook.projections.utc import moment

if TYPE_CHECKING:
    from rollbook.domain.entries import RecordedEntry

Json = dict[str, Any]

MARK = b'{"specversion":"1.0","type":"rollbook.'
ENTRY = "CloudEntry@1"


def write_cloudevents(request: ExportRequest) -> Exported:
    """Write a line for each entry and each event that is wanted."""
    counted = Counter[str]()

    def lines() -> Iterator[bytes]:
        source = f"urn:rollbook:campaign:{request.campaign.state.identity or request.campaign.id}"
        for entry, context in request.in_context():
            counted["entries"] += 1
            for said in _of_entry(entry, source, context.session):
                yield json.dumps(said, separators=(",", ":")).encode() + b"\n"

    request.write(lines(), marks=(MARK,))
    return Exported(path=request.target, entries=counted["entries"])


def _of_entry(entry: RecordedEntry, source: str, session: int) -> Iterator[Json]:
    common: Json = {"source": source, "datacontenttype": "application/json"}
    common |= {"entry": entry.number, "action": entry.action, "revision": entry.revision, "session": session}
    if at := moment(entry.at):
        common["time"] = at
    if entry.seat:
        common["seat"] = _attribute(entry.seat)
    known = entry.hash or f"{source}:{entry.number}"
    seen = Counter[bytes]()
    yield _line(CODEC.kind(entry.kind), known, b"", common, f"entry/{entry.number}", _envelope(entry), ENTRY)
    for event in entry.events:
        stored = CODEC.encode(event)
        seen[stored] += 1
        name, data = json.loads(stored)
        who = subject_of(event) or getattr(event, "roller", "")
        about = _attribute(f"character/{who}") if who else f"entry/{entry.number}"
        yield _line(name, known, b"%s %d" % (stored, seen[stored]), common, about, data, name)


def _line(name: str, known: str, what: bytes, common: Json, subject: str, data: Json, shape: str) -> Json:
    event, _, version = name.partition("@")
    return {
        "specversion": "1.0",
        "type": f"rollbook.{event}.v{version}",
        "id": sha256(b"%s %s" % (known.encode(), what)).hexdigest()[:32],
        **common,
        "subject": subject,
        "dataschema": id_of(shape),
        "data": data,
    }


def _attribute(text: str) -> str:
    """A text as an attribute may be: without control characters, which the specification rules out."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def _envelope(entry: RecordedEntry) -> Json:
    intent = entry.intent
    thoughts = [
        {"kind": one.kind, "character": one.character, "params": _plain(one.params)} for one in intent.second_thoughts
    ]
    said: Json = {name: getattr(entry, name) for name in sorted(ENVELOPE)}
    return {**said, "intent": {"verb": intent.verb, "params": _plain(intent.params), "second_thoughts": thoughts}}


def _plain(params: Any) -> Json:
    """Parameters as JSON has them, in one order, whether they were just said or read from the store."""
    return {name: _plain(held) if hasattr(held, "items") else held for name, held in sorted(params.items())}
