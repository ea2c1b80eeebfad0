"""Campaigns written in the formats of other programs, as the command line does it."""

from __future__ import annotations

import re
from pathlib import Path

from rollbook.adapters.exports import find_exporter
from rollbook.adapters.exports.exporter import Exported, ExportRequest
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.edition import Edition
from rollbook.application.visibility.pseudonyms import Pseudonyms

CHANCE = re.compile(
    rb"\b(?:(?:[0-9A-Z]{5}-){4}[0-9A-Z]{6}|[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})\b"
    rb"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?"
)
"""Parts of an export that are random or depend on the clock: receipts, ids, hashes, salts, and moments."""


def request_for(
    campaign: Campaign, target: Path, seat: str | None = "", *, pseudonyms: bool = False, overwrite: bool = False
) -> ExportRequest:
    """Request to an exporter: for a seat, "" for the table, None for everything."""
    campaign.session.project()
    names = Pseudonyms.of(campaign.history.entries, campaign.session.rulebook) if pseudonyms else Pseudonyms()
    seen = campaign if seat is None and not pseudonyms else Edition(campaign, seat, names)
    reader = "gm" if seat is None else f"player:{names.person(seat)}" if seat else "table"
    return ExportRequest(campaign=seen, target=target, reader=reader, names=names, overwrite=overwrite)


def exported(
    campaign: Campaign,
    format_: str,
    target: Path,
    seat: str | None = "",
    *,
    pseudonyms: bool = False,
    overwrite: bool = True,
) -> Exported:
    """A campaign in a format."""
    return find_exporter(format_)(request_for(campaign, target, seat, pseudonyms=pseudonyms, overwrite=overwrite))


def written(target: Path) -> bytes:
    """All bytes of an export, a file or a folder of them, with the names of the files."""
    if target.is_file():
        return target.read_bytes()
    files = sorted(path for path in target.rglob("*") if path.is_file())
    return b"".join(b"== %s ==\n%s" % (str(path.relative_to(target)).encode(), path.read_bytes()) for path in files)


def without_chance(content: bytes) -> bytes:
    """An export with ids, hashes and moments as numbers in the order of their first appearance."""
    names: dict[bytes, bytes] = {}
    return CHANCE.sub(lambda found: names.setdefault(found[0], b"<%d>" % len(names)), content)
