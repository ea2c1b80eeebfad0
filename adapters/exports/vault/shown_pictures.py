"""The pictures that a campaign has shown, as files of a vault: handouts and maps in the log, portraits of characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rollbook.adapters.exports.chronicle.portraits import kind_of
from rollbook.adapters.exports.exporter import ExportRequest
from rollbook.adapters.exports.vault.markdown_syntax import Names, plain
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.events import PictureShown
from rollbook.projections.database import COUNTS
from rollbook.projections.session_log import LogLine

SHOWING = ("handout", "lay-map")
"""The verbs whose pictures are in the log."""


class ShownPictures:
    """The files of the pictures in some lines, each once however often it was shown."""

    def __init__(self, request: ExportRequest, names: Names, lines: Iterable[LogLine]) -> None:
        self._request = request
        self._by_line: dict[EntryNumber, list[PictureShown]] = {}
        self._files: dict[str, str] = {}
        for line in lines:
            if line.verb in SHOWING and line.status == COUNTS:
                self._by_line[line.entry] = [*self._in(line)]
                for each in self._by_line[line.entry]:
                    self._name(each, names)

    def _in(self, line: LogLine) -> Iterator[PictureShown]:
        events = self._request.campaign.history.entry(line.entry).events
        return (event for event in events if isinstance(event, PictureShown) and event.media)

    def _name(self, shown: PictureShown, names: Names) -> None:
        data = self._request.picture(shown.digest) if shown.digest not in self._files else None
        if data is not None:
            self._files[shown.digest] = f"{names.give(shown.alt[:40] or 'A picture', 'picture')}.{kind_of(data)}"

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The name of each file and its bytes."""
        for digest, name in self._files.items():
            data = self._request.picture(digest)
            if data is not None:
                yield name, data

    def embedded(self, line: LogLine) -> list[str]:
        """The pictures of a line, as further lines of its item; what was removed or is not there leaves a mark."""
        return [f"  {self._said(each)}" for each in self._by_line.get(line.entry, ())]

    def _said(self, shown: PictureShown) -> str:
        if not shown.digest:
            return "(the picture was removed)"
        name = self._files.get(shown.digest)
        return f"![[{name}]]" if name else f"(a picture{f': {plain(shown.alt)}' if shown.alt else ''})"

    def face(self, digest: str, name: str) -> tuple[str, bytes] | None:
        """The file of a portrait and its bytes; None if there is none."""
        data = self._request.picture(digest) if digest else None
        return None if data is None else (f"{name}.{kind_of(data)}", data)
