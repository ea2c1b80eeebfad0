"""The search of an export with pseudonyms for the names of people, before it is handed over.

It is written into a folder that nobody sees first, in whatever format, and all that can be read there is searched: a name is a
refusal, and what lies where the export was to go stays as it is. A name may be another word, too: a character's, a thing's, one
of the game or of the format. Such a word is also there when the same history is written without anything that people said in
their own words, and without their own names; then it is left, and said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import attrs

from rollbook.adapters.exports.pdf_texts import texts_of_pdf
from rollbook.adapters.exports.readings import PDF, Unreadable, texts_in
from rollbook.application.visibility.editions.edition import Edition, Source
from rollbook.application.visibility.pseudonyms import Pseudonyms
from rollbook.domain.base.errors import RollbookError, note_failure
from rollbook.domain.entries import RecordedEntry

if TYPE_CHECKING:
    from rollbook.adapters.exports.exporter import Exporter, ExportRequest

Found = Mapping[str, str]
"""The names that were found, each with the file where it was found first."""


def check_nameless(write: Exporter, request: ExportRequest) -> tuple[str, ...]:
    """Write an export where nobody sees it. Returns what else is to be said of it; raises RollbookError if it names somebody."""
    found = _found(write, request, request.target.name)
    if not found:
        return ()
    others = _others(write, request)
    for seat, place in found.items():
        if seat not in others:
            raise RollbookError(f"{seat!r} would still stand in {place}, in spite of pseudonyms; nothing was exported.")
    return (f"Left as they are, because something else is called so too: {', '.join(sorted(found))}.",)


def _others(write: Exporter, request: ExportRequest) -> Found:
    """The names that are other words too: found where people are neither named nor have said anything."""
    names = request.names
    nobody = _Wordless({other: other for other in names.names.values()}, names.characters, names.rulebook)
    entries = request.campaign.history.entries
    silent = attrs.evolve(request, campaign=Edition(request.campaign, None, nobody, _Given(entries)), names=nobody)
    try:
        return _found(write, silent, f"export{request.target.suffix}", names)
    except Exception as fault:  # noqa: BLE001 - somebody else's exporter: whatever fails there, no name is excused by it
        note_failure("plugins", "an exporter fails on a campaign without anybody's words", fault)
        return {}


def _found(write: Exporter, request: ExportRequest, name: str, names: Pseudonyms | None = None) -> Found:
    """The names in all that an exporter writes under a name."""
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
    """All texts in the files of a folder, and in what was ``said`` of one that cannot be searched; each with its file."""
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
    """People as they are called already, and nothing of what they said."""

    def text(self, sentence: str) -> str:
        return "…" if sentence else ""


class _Given(Source):
    """Entries that are at hand, as what an edition is made of."""

    def __init__(self, entries: Iterable[RecordedEntry]) -> None:
        self._given = tuple(entries)
        self.damage = ""

    def after(self, number: int, most: int | None = None) -> Iterator[RecordedEntry]:
        yield from self._given[number:][:most]
