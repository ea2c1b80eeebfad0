"""Pages of replays: made of a campaign, and changed as a forger would change them."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rollbook.adapters.exports.exporter import ExportRequest, everything
from rollbook.adapters.exports.replay import export_replay
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.edition import Edition
from rollbook.application.visibility.pseudonyms import Pseudonyms
from rollbook.domain.entries import RecordedEntry


def replay_file(
    campaign: Campaign,
    path: Path,
    seat: str | None = None,
    *,
    pseudonyms: bool = False,
    wanted: Callable[[RecordedEntry], bool] = everything,
) -> Path:
    """The page for a seat ("": the table), or for the GM with everything. It draws the ``wanted`` entries."""
    seen = campaign if seat is None else Edition(campaign, seat)
    names = Pseudonyms.of(seen.history.entries, campaign.session.rulebook) if pseudonyms else Pseudonyms()
    reader = "gm" if seat is None else f"player:{seat}" if seat else "table"
    shown = Edition(campaign, seat, names) if pseudonyms else seen
    request = ExportRequest(campaign=shown, target=path, reader=reader, names=names, wanted=wanted, overwrite=True)
    export_replay(request)
    return path


def _packed(part: str) -> re.Pattern[str]:
    return re.compile(rf'(?<=id="{part}">)[^<]*')


def part_of(path: Path, part: str) -> bytes:
    """One of the packed parts of a page, unpacked: "frames" or "chain"."""
    found = _packed(part).search(path.read_text(encoding="utf-8"))
    assert found is not None
    return gzip.decompress(b64decode(found[0]))


def with_part(path: Path, part: str, change: Callable[[bytes], bytes]) -> Path:
    """The same page with one of its parts changed, beside it."""
    before = part_of(path, part)
    after = change(before)
    assert after != before
    text = _packed(part).sub(b64encode(gzip.compress(after)).decode(), path.read_text(encoding="utf-8"))
    other = path.with_name(f"forged-{path.name}")
    other.write_text(text, encoding="utf-8")
    return other


def frames_of(path: Path) -> dict[str, Any]:
    """The frames that a page draws."""
    said: dict[str, Any] = json.loads(part_of(path, "frames"))
    return said


def with_frames(path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """The same page with something else drawn."""

    def changed(packed: bytes) -> bytes:
        said = json.loads(packed)
        change(said)
        return json.dumps(said).encode()

    return with_part(path, "frames", changed)


def with_another_die(chain: bytes) -> bytes:
    """The lines of the session "sherwood" with one digit of a die changed, that of the first roll in entry 19."""
    before, rest = chain.split(b'{"entry":19,', 1)
    return before + b'{"entry":19,' + rest.replace(b'"dice":[[20,16,', b'"dice":[[20,17,', 1)
