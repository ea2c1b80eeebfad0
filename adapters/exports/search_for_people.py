"""The search of an export with pseudonyms for the names of people, before it is handed over.

The export is first written to a private folder, in whatever format, and all that can be read there is searched: a name
is refused, and the target stays as it is. A name may be another word, too: a character's, a thing's, one of the game or
of the format. Such a word is also there when the same history is written without people's own words and names; then it
is left, with a remark.

What is packed is opened (zip, gzip, also within a page), databases are read, and the escapes of JSON, HTML, Markdown, CSV and
addresses are taken for what they stand for. Pictures are not searched. Of a PDF, whose pages have letters as numbered
shapes, the title, the authors, the outline and the texts of its pictures are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import attrs

from rollbook.application.visibility.editions.edition import Edition
from rollbook.application.visibility.pseudonyms import Pseudonyms
from rollbook.application.visibility.sight import Source
from rollbook.domain.base.errors import RollbookError, note_failure
from rollbook.domain.entries import RecordedEntry

if TYPE_CHECKING:
    from rollbook.adapters.exports.exporter import Exporter, ExportRequest

import gzip
import html
import re
import sqlite3
import zlib
from base64 import b64decode
from collections.abc import Callable
from contextlib import closing, suppress
from io import BytesIO
from urllib.parse import unquote
from zipfile import BadZipFile, ZipFile

Found = Mapping[str, str]
"""The names that were found, each with the file where it was found first."""


def check_nameless(write: Exporter, request: ExportRequest) -> tuple[str, ...]:
    """Write an export to a private folder and search it. Returns remarks; raises RollbookError if it names a person."""
    found = _found(write, request, request.target.name)
    if not found:
        return ()
    others = _others(write, request)
    for seat, place in found.items():
        if seat not in others:
            raise RollbookError(f"{seat!r} would still stand in {place}, in spite of pseudonyms; nothing was exported.")
    return (f"Left as they are, because something else is called so too: {', '.join(sorted(found))}.",)


def _others(write: Exporter, request: ExportRequest) -> Found:
    """The names that are other words too: found although people are neither named nor have said anything."""
    names = request.names
    nobody = _Wordless({other: other for other in names.names.values()}, names.characters, names.rulebook)
    entries = request.campaign.history.entries
    silent = attrs.evolve(request, campaign=Edition(request.campaign, None, nobody, _Given(entries)), names=nobody)
    try:
        return _found(write, silent, f"export{request.target.suffix}", names)
    except Exception as fault:  # noqa: BLE001 - another package's exporter: no failure there excuses a name
        note_failure("plugins", "an exporter fails on a campaign without anybody's words", fault)
        return {}


def _found(write: Exporter, request: ExportRequest, name: str, names: Pseudonyms | None = None) -> Found:
    secret = (names or request.names).secret
    found: dict[str, str] = {}
    said: list[bytes] = []
    with TemporaryDirectory() as folder:
        target = Path(folder) / (name if name not in ("", "..") else "export")
        write(attrs.evolve(request, target=target, says=said.append))
        for place, text in _texts(Path(folder), target.name, said):
            found |= {seat: place for seat in secret.found(text) if seat not in found}
    return found


def _texts(folder: Path, name: str, said: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """All texts in the files of a folder, and those ``said`` of a file that cannot be searched; each with its file."""
    said = list(said)
    for path in sorted(folder.rglob("*")):
        place = str(path.relative_to(folder))
        yield f"the name of {place}", place
        if path.is_file():
            data = path.read_bytes()
            try:
                yield from (
                    (place, text) for text in (texts_of_pdf(data) if said and data.startswith(PDF) else texts_in(data))
                )
            except Unreadable:
                raise RollbookError(
                    f"{place} cannot be searched for the names of people, so it is not exported with pseudonyms."
                ) from None
    for each in said:
        yield from ((name, text) for text in texts_in(each))


class _Wordless(Pseudonyms):
    """Pseudonyms that keep names as they are, and none of people's own words."""

    def text(self, sentence: str) -> str:
        return "…" if sentence else ""


class _Given(Source):
    """Source of an edition from entries in memory."""

    def __init__(self, entries: Iterable[RecordedEntry]) -> None:
        self._given = tuple(entries)
        self.damage = ""

    def after(self, number: int, most: int | None = None) -> Iterator[RecordedEntry]:
        yield from self._given[number:][:most]


DEEPEST = 4
"""Most layers in which something may be packed, and a text escaped."""

PDF = b"%PDF-"
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF", b"GIF8")
_ZIP, _GZIP, _DATABASE = b"PK\x03\x04", b"\x1f\x8b", b"SQLite format 3\0"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")

_PACKED = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_BLANKS = dict.fromkeys("nrtbf", " ")
_TAG = re.compile(r"<[^<>]*>")


class Unreadable(Exception):
    """The texts of a file cannot be found."""


def texts_in(data: bytes, depth: int = DEEPEST) -> Iterator[str]:
    """All texts in a file, each as it is written and as it is meant. Raises Unreadable."""
    if data.startswith(_PICTURES):
        return
    if data.startswith(PDF) or depth == 0:
        raise Unreadable
    packed = next((read for begin, read in _OPENED.items() if data.startswith(begin)), None)
    try:
        yield from packed(data, depth - 1) if packed else _meant(_decoded(data), depth - 1)
    except (BadZipFile, OSError, EOFError, zlib.error, sqlite3.Error, UnicodeError):
        raise Unreadable from None


def _decoded(data: bytes) -> str:
    text = data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig")
    if "\0" in text:
        raise Unreadable
    return text


def _in_zip(data: bytes, depth: int) -> Iterator[str]:
    with ZipFile(BytesIO(data)) as archive:
        for name in archive.namelist():
            yield name
            yield from texts_in(archive.read(name), depth)


def _in_database(data: bytes, depth: int) -> Iterator[str]:
    """Every cell of every table; the index of words has no others."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(data)
        yield from (made for (made,) in database.execute("SELECT sql FROM sqlite_schema") if made)
        tables = database.execute("SELECT name FROM pragma_table_list WHERE type != 'shadow'").fetchall()
        for (name,) in tables:
            quoted = name.replace('"', '""')
            for row in database.execute(f'SELECT * FROM "{quoted}"'):  # noqa: S608 - a name out of the database itself
                for cell in row:
                    yield from _in_cell(cell, depth)


def _in_cell(cell: object, depth: int) -> Iterator[str]:
    if isinstance(cell, str):
        yield from _meant(cell, depth)
    elif isinstance(cell, bytes):
        with suppress(Unreadable):
            yield from texts_in(cell, depth)


_OPENED: dict[bytes, Callable[[bytes, int], Iterator[str]]] = {
    _ZIP: _in_zip,
    _GZIP: lambda data, depth: texts_in(gzip.decompress(data), depth),
    _DATABASE: _in_database,
}


# Texts without packing and escapes.


def _meant(text: str, depth: int) -> Iterator[str]:
    """A text as it is written and without its escapes, each with and without tags; and what is packed in it."""
    for found in _PACKED.finditer(text):
        with suppress(Unreadable, ValueError):
            altchars = b"-_" if "-" in found[0] or "_" in found[0] else None
            yield from texts_in(b64decode(found[0].rstrip("=") + "==", altchars=altchars), depth)
    for _ in range(DEEPEST):
        yield text
        if "<" in text:
            yield _TAG.sub("", text)
        before, text = text, _without_escapes(text)
        if text == before:
            return


def _without_escapes(text: str) -> str:
    """A text without one layer of escapes: of HTML, of JSON and Markdown, of CSV and of addresses."""
    plain = html.unescape(text)
    if "\\" in plain:
        plain = _ESCAPE.sub(_unescaped, plain).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unquote(plain.replace('""', '"'))


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _BLANKS.get(found[2], found[2])


_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_STRING = re.compile(rb"\((?:\\.|[^\\()])*\)|<(?:[0-9A-Fa-f]{2})+>", re.DOTALL)
_PDF_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_XMP, _PDF_UTF_16 = b"<x:xmpmeta", b"\xfe\xff"


def texts_of_pdf(data: bytes) -> Iterator[str]:
    """The texts of a PDF that are not on its pages."""
    for found in _STREAM.finditer(data):
        content = found[1]
        with suppress(zlib.error):
            content = zlib.decompress(content)
        if _XMP in content:
            yield content.decode(errors="replace")
    for found in _STRING.finditer(_STREAM.sub(b"", data)):
        yield _text(found[0])


def _text(string: bytes) -> str:
    plain = bytes.fromhex(string[1:-1].decode()) if string.startswith(b"<") else _PDF_ESCAPE.sub(_letter, string[1:-1])
    return plain[2:].decode("utf-16-be", "replace") if plain.startswith(_PDF_UTF_16) else plain.decode("latin-1")


def _letter(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 8) & 0xFF]) if found[1] else _LETTERS.get(found[2], found[2])
