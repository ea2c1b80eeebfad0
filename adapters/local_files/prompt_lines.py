"""The file of lines that were typed at the prompt of a campaign: the user's alone, one for each campaign of a store.

Lines about a note are removed when its words are removed, whichever command does it.
"""

import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs

from rollbook.adapters.local_files import paths
from rollbook.adapters.local_files.own_files import NO_LINKS, add_text, lines_of, read_records
from rollbook.application.ports.store_address import Place
from rollbook.domain.base.identifiers import ActionNumber, CampaignId
from rollbook.domain.base.records import Record

LONGEST = 1_000
"""Number of lines that are kept."""


@attrs.frozen
class KeptLine(Record):
    """A line as it was typed, and the actions that it recorded."""

    line: str
    actions: tuple[ActionNumber, ...] = ()

    def holds(self, words: Collection[str]) -> bool:
        """True if the line contains one of these texts, or three successive words of one."""
        mine = _plain(self.line)
        return any(part in mine for text in words for part in _parts(_plain(text).split(" ")) if part)


def _plain(text: str) -> str:
    return " ".join(text.replace("\\", "").casefold().split())


def _parts(words: list[str]) -> Iterator[str]:
    """Every three successive words of a text; a shorter one whole."""
    return (" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2)))


def read_lines(file: Path) -> list[KeptLine]:
    """The newest lines of a file; damaged and unreadable ones are left out."""
    return read_records(lines_of(file)[-LONGEST:], _kept)


def _kept(found: Any) -> KeptLine:
    return KeptLine(str(found["line"]), tuple(int(action) for action in found["actions"]))


def add_line(file: Path, kept: KeptLine) -> None:
    """Append a line; the oldest are dropped once there are twice as many as are kept. Disk errors are ignored."""
    with suppress(OSError):
        add_text(file, _stored(kept))
        if len(file.read_bytes().splitlines()) > 2 * LONGEST:
            _write_over(file, read_lines(file))


def _stored(kept: KeptLine) -> str:
    return json.dumps(attrs.asdict(kept), ensure_ascii=False) + "\n"


def _write_over(file: Path, lines: Sequence[KeptLine]) -> None:
    """Overwrite a file's lines with other ones, so that no copy of the old ones is left on the disk."""
    with os.fdopen(os.open(file, os.O_RDWR | NO_LINKS), "r+b") as opened:
        size = opened.seek(0, os.SEEK_END)
        opened.seek(0)
        opened.write(bytes(size))
        opened.flush()
        os.fsync(opened.fileno())
        opened.seek(0)
        opened.truncate()
        opened.write("".join(map(_stored, lines)).encode())


class PromptLines:
    """Typed lines of the campaigns in the store at a ``place``: at prompts, as answers, and in requests to the GM."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def forget(
        self, campaigns: Iterable[CampaignId], action: ActionNumber, words: Collection[str] = frozenset()
    ) -> None:
        """Remove lines about a note whose words are removed; ``action`` is the first campaign's, others have copies.

        A line that cannot be read is removed too, because it may hold the words.
        """
        for place, campaign in enumerate(campaigns):
            file = paths.prompt_lines(self._place, campaign)
            with suppress(OSError):
                paths.waiting_requests(self._place, campaign).unlink()  # a request that is still wanted is made again
            with suppress(OSError):
                macros = paths.own_macros(self._place, campaign)
                if any(word in macros.read_text(encoding="utf-8", errors="replace") for word in words):
                    macros.unlink()
            with suppress(OSError):
                stored = file.read_bytes().splitlines()
                lines = read_records((line.decode(errors="replace") for line in stored), _kept)
                left = [kept for kept in lines if not kept.holds(words) and (place or action not in kept.actions)]
                if len(left) < len(stored):
                    _write_over(file, left)

    def forget_all(self, campaigns: Iterable[CampaignId]) -> None:
        for campaign in campaigns:
            for place in (paths.prompt_lines, paths.join_answers, paths.waiting_requests, paths.own_macros):
                file = place(self._place, campaign)
                with suppress(OSError):
                    _write_over(file, ())
                    file.unlink()
