"""Chronicles of campaigns, and what is in their files."""

from __future__ import annotations

import re
import struct
import subprocess
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from rollbook.adapters.exports.chronicle import export_epub, export_html, export_pdf
from rollbook.adapters.exports.exporter import Exported, ExportRequest
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.edition import Edition
from rollbook.application.visibility.pseudonyms import Pseudonyms
from tests.support.needs import needed, needs

WRITERS: dict[str, Callable[[ExportRequest], Exported]] = {"html": export_html, "pdf": export_pdf, "epub": export_epub}
UNIQUE = re.compile(r"[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5,6}){4}|[0-9a-f]{64}")
"""Codes and seeds, which are others in every campaign."""


ABOUT = re.compile(rb"<</Title.*?>>|<x:xmpmeta.*?</x:xmpmeta>|/Alt\(.*?\)", re.DOTALL)
"""Metadata of a PDF, and the texts of its pictures; the rest of its bytes is compressed."""


def requested(
    campaign: Campaign, form: str, folder: Path, *, seat: str | None = "", pseudonyms: bool = False, **more: object
) -> ExportRequest:
    """A request for what a seat may see (None: everything), with or without other names for people."""
    names = Pseudonyms.of(campaign.history.entries, campaign.session.rulebook) if pseudonyms else Pseudonyms()
    return ExportRequest(
        campaign=Edition(campaign, seat, names if pseudonyms else None),
        target=folder / f"chronicle.{form}",
        reader="gm" if seat is None else f"player:{seat}" if seat else "table",
        names=names,
        **more,  # type: ignore[arg-type]
    )


def written(campaign: Campaign, form: str, folder: Path, **request: Any) -> Path:
    """The chronicle that is ``requested``. Skips the test where what sets a PDF is not installed."""
    if form == "pdf":
        needed("typst")
    return WRITERS[form](requested(campaign, form, folder, **request)).path


def files_of(path: Path) -> dict[str, bytes]:
    """The files in a book by name; of anything else the file itself."""
    data = path.read_bytes()
    if not zipfile.is_zipfile(path):
        return {path.name: data}
    with zipfile.ZipFile(BytesIO(data)) as book:
        return {name: book.read(name) for name in book.namelist()}


def printed(path: Path) -> list[str]:
    """The text of a PDF, a page each. Skips the test where pdftotext is not installed."""
    words = [needed("pdftotext"), "-layout", path, "-"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.rstrip("\f").split("\f")


def text_of(path: Path) -> str:
    """All that can be searched for in a page or a book; of a PDF its text, and what is said about it as it is."""
    if path.suffix == ".pdf":
        about = ABOUT.findall(path.read_bytes())
        assert len(about) > 1
        return "\n".join((*printed(path), *(each.decode("latin-1") for each in about)))
    return "\n".join(data.decode() for name, data in files_of(path).items() if not name.startswith("EPUB/images/"))


def png(width: int = 8, height: int = 8) -> bytes:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\x00" + b"\x9b\x4f\x3a" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PNG = png()


needs_epubcheck = needs("java", "epubcheck")
QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""A program that runs for seconds gains nothing from what Java would compile best: half of the work is left."""


def check_book(*books: Path) -> str:
    """The words of EPUBCheck about books; it fails unless it finds nothing at all."""
    said = ""
    for book in books:
        words = ["java", *QUICK_START, "-jar", needed("epubcheck"), book]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        said += done.stdout + done.stderr
        assert done.returncode == 0, said
        assert "0 fatals / 0 errors / 0 warnings" in said
    return said
