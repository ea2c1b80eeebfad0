"""The chronicle as a PDF, set by typst: its text is data there, never markup, and the fonts are those that typst brings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs

from rollbook.adapters.exports.chronicle.figures import alone
from rollbook.adapters.exports.chronicle.markup import quoted
from rollbook.adapters.exports.chronicle.portraits import Portraits
from rollbook.adapters.exports.texts import clean, running_head
from rollbook.adapters.local_files.own_files import begin_of
from rollbook.adapters.presentation.installing import install
from rollbook.domain.base.errors import RollbookError
from rollbook.projections.chronicle import Chronicle
from rollbook.projections.chronicle.model import (
    A_PICTURE,
    Appendix,
    Chapter,
    Figure,
    Kind,
    Paragraph,
    Part,
    Table,
    in_place_of,
)

BEGIN, MARK = b"%PDF-", b"/Keywords(rollbook chronicle)"
"""The first bytes of every PDF, and the keywords that only ours have."""
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def check_installed() -> None:
    """Raise RollbookError unless typst is there."""
    if find_spec("typst") is None:
        raise RollbookError(
            f"A PDF is set by typst, which is not installed; nothing was exported. Install it: {install('pdf')}."
        )


def pdf(chronicle: Chronicle, portraits: Portraits, says: Callable[[bytes], None]) -> bytes:
    """The whole PDF; ``says`` gets all texts in it. Raises RollbookError if typst is missing, or cannot set it."""
    check_installed()
    setting = _Setting(portraits)
    book = json.dumps(setting.book(chronicle), ensure_ascii=False)
    template = files("rollbook.adapters.exports").joinpath("chronicle/chronicle.typ").read_bytes()
    with TemporaryDirectory() as folder:
        (Path(folder) / "images").mkdir()
        for name, data in {"main.typ": template, "chronicle.json": book.encode(), **setting.images}.items():
            (Path(folder) / name).write_bytes(data)
            says(data)
        return _set(Path(folder))


def _set(folder: Path) -> bytes:
    """Have typst set a folder, which is all that it can read. Raises RollbookError if it cannot."""
    typst = import_module("typst")
    try:
        made: bytes = typst.compile(
            str(folder / "main.typ"), root=str(folder), ignore_system_fonts=True, timestamp=_LONG_AGO
        )
    except (typst.TypstError, RuntimeError) as error:
        said = str(error).splitlines()[0]
        raise RollbookError(f"typst cannot set this chronicle ({said}); nothing was exported.") from None
    return made


class _Setting:
    """The data that the template asks for, and the pictures that it names."""

    def __init__(self, portraits: Portraits) -> None:
        self._portraits = portraits
        self.images: dict[str, bytes] = {}
        self._names: dict[str, str] = {}

    def book(self, chronicle: Chronicle) -> dict[str, Any]:
        found = {
            "title": chronicle.title,
            "head": running_head(chronicle.title),
            "subtitle": chronicle.subtitle,
            "known": chronicle.known,
            "authors": [each.name for each in chronicle.players],
            "players": [attrs.asdict(each) for each in chronicle.players],
            "cover": self._image(chronicle.key, chronicle.title, "cover"),
            "parts": [self._part(each) for each in chronicle.parts()],
            "appendices": [self._appendix(each) for each in chronicle.appendices],
        }
        cleaned: dict[str, Any] = _cleaned(found)
        return cleaned

    def _image(self, *names: str) -> str:
        found = self._portraits.of(*names)
        if found is None:
            return ""
        key, image = found
        if key not in self._names:
            self._names[key] = f"{len(self._names)}.{image.kind}"
            self.images[f"images/{self._names[key]}"] = image.data
        return self._names[key]

    def _part(self, part: Part) -> dict[str, Any]:
        return {
            "label": part.label,
            "heading": part.title or part.date or part.label,
            "date": part.date if part.title else "",
            "running": running_head(part.whole),
            "chapters": [self._chapter(each) for each in part.chapters],
        }

    def _chapter(self, chapter: Chapter) -> dict[str, Any]:
        image = self._image(chapter.title) if chapter.title else ""
        return {"title": chapter.title, "image": image, "paragraphs": list(map(self._paragraph, chapter.paragraphs))}

    def _paragraph(self, found: Paragraph) -> dict[str, Any]:
        if found.kind is Kind.QUOTE:
            quotes = (attrs.evolve(each, text=quoted(each.text)) for each in found.sentences)
            found = attrs.evolve(found, sentences=tuple(quotes))
        if found.kind is not Kind.PICTURE:
            return attrs.asdict(found)
        image = self._image(found.picture) if found.picture else ""
        return {
            **attrs.asdict(found),
            "image": image,
            "heading": found.heading or A_PICTURE,
            "instead": in_place_of(found),
        }

    def _appendix(self, appendix: Appendix) -> dict[str, Any]:
        return {
            "title": appendix.title,
            "paragraphs": appendix.paragraphs,
            "sheets": [
                {**attrs.asdict(each), "image": self._image(each.character, each.name)} for each in appendix.sheets
            ],
            "figures": [self._figure(each) for each in appendix.figures],
            "tables": [_table(each) for each in appendix.tables],
        }

    def _figure(self, figure: Figure) -> dict[str, Any]:
        name = f"figure{len(self.images)}.svg"
        self.images[f"images/{name}"] = alone(figure.svg).encode()
        return {"title": figure.title, "said": figure.said, "image": name, "numbers": _table(figure.numbers)}


def _table(table: Table) -> dict[str, Any]:
    return {**attrs.asdict(table), "widths": list(_widths(table))}


def _widths(table: Table) -> Iterable[int]:
    """The share of each column: 0 is as wide as its numbers are."""
    for at, numeric in enumerate(table.numeric):
        longest = max((len(row[at]) for row in table.rows), default=0)
        yield 0 if numeric or longest < len(table.columns[at]) + 2 else max(1, min(longest // 10, 4))


def _cleaned(value: object) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _cleaned(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(held) for held in value]
    return value


def is_chronicle(path: Path) -> bool:
    """True if a file is a PDF of ours: its keywords stand in it uncompressed."""
    return begin_of(path, len(BEGIN)) == BEGIN and MARK in path.read_bytes()
