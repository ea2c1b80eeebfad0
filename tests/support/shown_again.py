"""A reader's file as a forger writes it: other words in its entries, and every hash that the file has made again."""

from __future__ import annotations

import json
import runpy
from collections.abc import Sequence
from typing import Any

from rollbook.adapters.exports.files import checked_line
from rollbook.domain.history.chain import ROOT, canonical
from tests.support.exports import VERIFIER_SCRIPT

ENTRY = runpy.run_path(str(VERIFIER_SCRIPT))["Entry"]


def shown_again(first: bytes, entries: Sequence[dict[str, Any]], **head: object) -> bytes:
    """A reader's file with these entries, and a first line that fits and says something else of ``head``."""
    running = public = ROOT
    lines = []
    for said in entries:
        shown = said["lines"][0][1]
        if shown.get("previous_public_hash"):
            shown["previous_public_hash"] = public
        entry = ENTRY(len(lines) + 1, _line(said))
        running = entry.hash(said.get("previous_hash", "" if "kept" in said else running))
        if "hash" in said:
            said["hash"] = running
        public = running if entry.is_public else public
        lines.append(_line(said).encode())
    old = {key: value for key, value in json.loads(first).items() if key != "check"}
    fits = {"head": public, "entries": len(lines)}
    return checked_line(json.dumps({**old, **fits, **head}).encode()) + b"".join(lines)


def _line(said: dict[str, Any]) -> str:
    rest = json.dumps({key: value for key, value in said.items() if key != "lines"}, separators=(",", ":"))[:-1]
    stored = b",".join(canonical(each) for each in said["lines"]).decode()
    return f'{rest}{"," if len(rest) > 1 else ""}"lines":[{stored}]}}\n'
