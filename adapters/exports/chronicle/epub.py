"""The chronicle as an EPUB 3: an XHTML file for each chapter, in a zip file that comes out the same byte for byte each time.

The moments in it are those of the campaign, never of the clock, so an export that was made again can be compared with the first.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO
from uuid import UUID

import attrs

from rollbook.adapters.exports.chronicle import markup
from rollbook.adapters.exports.chronicle.figures import style_by_day
from rollbook.adapters.exports.chronicle.portraits import Image, Portraits
from rollbook.adapters.exports.texts import escaped
from rollbook.projections.chronicle import Chronicle
from rollbook.projections.chronicle.model import Part

MIMETYPE = b"application/epub+zip"
_PIECE = 1 << 20
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_CONTAINER = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
)


@attrs.frozen
class _Item:
    """A file of the book: ``title`` is its line in the table of contents ("": none), ``level`` how deep that is."""

    key: str
    href: str
    media_type: str
    title: str = ""
    level: int = 0
    properties: str = ""

    @property
    def line(self) -> str:
        """The line of the manifest."""
        said = f' properties="{self.properties}"' if self.properties else ""
        return f'<item id="{self.key}" href="{self.href}" media-type="{self.media_type}"{said}/>\n'

    @property
    def is_read(self) -> bool:
        return self.media_type == "application/xhtml+xml"


def epub(chronicle: Chronicle, portraits: Portraits) -> Iterator[bytes]:
    """The book, piece by piece."""
    with TemporaryFile() as made:
        with _begun(made) as book:
            _Binding(book, chronicle, portraits).bind()
        made.seek(0)
        while piece := made.read(_PIECE):
            yield piece


@contextmanager
def _begun(file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """Open a book, with the file that has to be its first."""
    with zipfile.ZipFile(file, "w", compression=zipfile.ZIP_DEFLATED) as book:
        _put(book, "mimetype", MIMETYPE, stored=True)
        yield book


@cache
def mark() -> bytes:
    """The first bytes of every book of ours: the first file of the zip, with a fixed date."""
    file = BytesIO()
    with _begun(file):
        pass
    return file.getvalue().partition(MIMETYPE)[0] + MIMETYPE


def _put(book: zipfile.ZipFile, name: str, data: bytes, *, stored: bool = False) -> None:
    entry = zipfile.ZipInfo(name, date_time=_LONG_AGO)
    entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    entry.create_system = 3
    book.writestr(entry, data)


class _Binding:
    """Writer of a book: one file after the other, and at the end those that list them."""

    def __init__(self, book: zipfile.ZipFile, chronicle: Chronicle, portraits: Portraits) -> None:
        self._book = book
        self._chronicle = chronicle
        self._portraits = portraits
        self._items: list[_Item] = []
        self._images: dict[str, str] = {}
        self._digest = sha256()

    def bind(self) -> None:
        """Write the whole book."""
        _put(self._book, "META-INF/container.xml", _CONTAINER.encode())
        self._file(_Item("style", "style.css", "text/css"), _style())
        self._cover()
        for part in self._chronicle.parts():
            for item, body in self._part(part):
                self._page(item, body)
        for each in self._chronicle.appendices:
            body = "".join(markup.appendix(each, self._portrait, "h1"))
            self._page(
                _Item(each.key, f"{each.key}.xhtml", _XHTML, each.title, 0, "svg" if "<svg" in body else ""), body
            )
        self._file(_Item("nav", "nav.xhtml", _XHTML, properties="nav"), self._nav())
        _put(self._book, "EPUB/package.opf", self._package().encode())

    def _file(self, item: _Item, text: str) -> None:
        self._items.append(item)
        data = text.encode()
        self._digest.update(data)
        _put(self._book, f"EPUB/{item.href}", data)

    def _page(self, item: _Item, body: str) -> None:
        self._file(item, _document(item.title or self._chronicle.title, body))

    def _portrait(self, *names: str, kind: str) -> str:
        """Render a picture as a file of its own, which is written when it is first met."""
        found = self._portraits.of(*names)
        if found is None:
            return ""
        key, image = found
        return f'<img class="{kind}" alt="{escaped(names[-1])}" src="{self._image(key, image)}"/>'

    def _image(self, key: str, image: Image) -> str:
        if key not in self._images:
            number = len(self._images) + 1
            href = f"images/{number}.{image.kind}"
            properties = "cover-image" if key in ("cover", self._chronicle.key) else ""
            self._items.append(_Item(f"image{number}", href, image.media_type, properties=properties))
            _put(self._book, f"EPUB/{href}", image.data, stored=True)
            self._images[key] = href
        return self._images[key]

    def _cover(self) -> None:
        body = markup.element(
            "section", markup.title_page(self._chronicle, self._portrait), "title-page", epub_type="titlepage"
        ).replace("epub_type", "epub:type", 1)
        self._page(_Item("title", "title.xhtml", _XHTML, self._chronicle.title), body)

    def _part(self, part: Part) -> Iterator[tuple[_Item, str]]:
        """The chapters of a session; its title stands above the first."""
        key = f"s{part.number}"
        head = f'<header class="part">{"".join(markup.part_head(part, "h1"))}</header>\n'
        first = part.chapters[0] if part.chapters and not part.chapters[0].title else None
        inside = "".join(markup.chapter(first, f"{key}-0", self._portrait, "h2")) if first else ""
        yield _Item(key, f"{key}.xhtml", _XHTML, part.whole), head + inside
        for at, each in enumerate(part.chapters[1:] if first else part.chapters, 1):
            body = "".join(markup.chapter(each, f"{key}-{at}", self._portrait, "h2"))
            yield _Item(f"{key}-{at}", f"{key}-{at}.xhtml", _XHTML, each.title or "–", 1), body

    def _nav(self) -> str:
        found: list[str] = []
        for item, after in zip(
            titled := [each for each in self._items if each.title], [*titled[1:], None], strict=True
        ):
            deeper = (after.level if after else 0) - item.level
            line = f'<li><a href="{item.href}">{escaped(item.title)}</a>'
            found.append(line + ("<ol>" if deeper > 0 else "</li>" + "</ol></li>" * -deeper))
        contents = f"<h1>Contents</h1><ol>{''.join(found)}</ol>"
        return _document("Contents", f'<nav epub:type="toc" role="doc-toc">{contents}</nav>')

    def _package(self) -> str:
        chronicle = self._chronicle
        manifest = "".join(each.line for each in self._items)
        read = [each for each in self._items if each.is_read and each.key != "nav"]
        spine = "".join(f'<itemref idref="{each.key}"/>' for each in (read[0], self._items[-1], *read[1:]))
        people = "".join(
            f"<dc:contributor>{name}</dc:contributor>\n"
            for each in chronicle.players
            if (name := escaped(each.name).strip())
        )
        title = escaped(": ".join(filter(None, (chronicle.title, chronicle.subtitle)))).strip() or "A campaign"
        identity = UUID(bytes=self._digest.digest()[:16], version=5)
        return _PACKAGE.format(identity=identity, title=title, people=people, manifest=manifest, spine=spine)


_XHTML = "application/xhtml+xml"

_PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:{identity}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:language>en</dc:language>
{people}<meta property="dcterms:modified">2000-01-01T00:00:00Z</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">structuralNavigation</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityFeature">readingOrder</meta>
<meta property="schema:accessibilityFeature">alternativeText</meta>
<meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">Text with headings; every picture has a text, and every drawing its numbers.</meta>
</metadata>
<manifest>
{manifest}</manifest>
<spine>{spine}</spine>
</package>
"""


def _document(title: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">\n'
        f'<head><title>{escaped(title).strip() or "–"}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>\n'
        f"<body>{body}</body></html>\n"
    )


@cache
def _style() -> str:
    own = files("rollbook.adapters.exports").joinpath("chronicle/epub.css").read_text(encoding="utf-8")
    return f"{own}{style_by_day()}"
