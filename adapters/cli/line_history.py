"""The lines that ↑ brings back at the prompt, of earlier sessions too.

Kept are questions, and lines whose entries the whole table saw. An X-card, what is secret, the answers to questions and removed
words are never kept, neither in the file nor in memory; a line that failed stays in memory, so that it can be put right.
Without readline nothing is kept. The file is the user's alone, one for each campaign of a store.
"""

import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import attrs

from adapters import paths
from adapters.own_files import NO_LINKS, added_to
from domain.identifiers import ActionNumber, CampaignId

LONGEST = 1_000
"""How many lines are kept."""


@attrs.frozen
class KeptLine:
    """A line as it was typed, and the actions that it wrote about."""

    line: str
    actions: tuple[ActionNumber, ...] = ()

    def holds(self, words: Collection[str]) -> bool:
        """Whether any of these texts stands in the line, or three words of it in a row."""
        mine = _plain(self.line)
        return any(part in mine for text in words for part in _parts(_plain(text).split(" ")) if part)


def _plain(text: str) -> str:
    return " ".join(text.replace("\\", "").casefold().split())


def _parts(words: list[str]) -> Iterator[str]:
    """All that stands side by side in a text, three words at a time; a shorter one whole."""
    return (" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2)))


class LineHistory:
    """The lines of one campaign, as the open prompt has them."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._readline = _readline()
        self._seen: object = None

    def open(self) -> None:
        """Lines are remembered by us from here on, not by readline."""
        if self._readline is not None:
            self._readline.set_auto_history(False)
        self.follow()

    def close(self) -> None:
        """Nothing of the campaign is left in memory."""
        if self._readline is not None:
            self._readline.clear_history()
            self._readline.set_auto_history(True)

    def follow(self) -> None:
        """Read the file again if anybody else has changed it since: other prompts add lines, and words are removed."""
        if _state_of(self._file) != self._seen:
            self.read_again()

    def read_again(self) -> None:
        """Forget all that is not in the file."""
        if self._readline is None:
            return
        self._readline.clear_history()
        for kept in read_lines(self._file):
            self._readline.add_history(kept.line)
        self._seen = _state_of(self._file)

    def remember(self, line: str) -> None:
        """Bring the line back in this session."""
        readline = self._readline
        if readline is None:
            return
        last = readline.get_current_history_length()
        if not last or readline.get_history_item(last) != line:
            readline.add_history(line)

    def keep(self, line: str, actions: Iterable[ActionNumber]) -> None:
        """Bring the line back in later sessions too."""
        if self._readline is None:
            return
        is_alone = _state_of(self._file) == self._seen
        add_line(self._file, KeptLine(line, tuple(actions)))
        if is_alone:
            self.remember(line)
            self._seen = _state_of(self._file)
        else:
            self.follow()


def _readline() -> ModuleType | None:
    with suppress(ImportError):
        return import_module("readline")
    return None


def _state_of(file: Path) -> object:
    with suppress(OSError):
        found = file.stat()
        return found.st_mtime_ns, found.st_size
    return None


def read_lines(file: Path) -> list[KeptLine]:
    """The lines of a file; what is damaged or cannot be read is left out."""
    try:
        stored = file.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []
    return [kept for line in stored[-LONGEST:] if (kept := _kept(line)) is not None]


def _kept(stored: str) -> KeptLine | None:
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        found = json.loads(stored)
        return KeptLine(str(found["line"]), tuple(int(action) for action in found["actions"]))
    return None


def add_line(file: Path, kept: KeptLine) -> None:
    """Add a line; the oldest go once there are twice as many as are kept. If it cannot be written, nothing is lost."""
    with suppress(OSError):
        with added_to(file) as opened:
            opened.write(_stored(kept).encode())
        if len(file.read_bytes().splitlines()) > 2 * LONGEST:
            _write_over(file, read_lines(file))


def _stored(kept: KeptLine) -> str:
    return json.dumps(attrs.asdict(kept), ensure_ascii=False) + "\n"


def _write_over(file: Path, lines: Sequence[KeptLine]) -> None:
    """Write other lines in the place of those that are there, so that no copy of the old ones is left on the disk."""
    with os.fdopen(os.open(file, os.O_RDWR | NO_LINKS), "r+b") as opened:
        size = opened.seek(0, os.SEEK_END)
        opened.seek(0)
        opened.write(bytes(size))
        opened.flush()
        os.fsync(opened.fileno())
        opened.seek(0)
        opened.truncate()
        opened.write("".join(map(_stored, lines)).encode())


def forget(store: Path, campaigns: Iterable[CampaignId], action: ActionNumber, words: Collection[str]) -> None:
    """Remove what was typed about a note whose words are removed; the action is the first campaign's, the others have copies.

    A line that cannot be read is removed too: nobody can say what is in it.
    """
    for place, campaign in enumerate(campaigns):
        file = paths.prompt_lines(store, campaign)
        with suppress(OSError):
            stored = file.read_bytes().splitlines()
            lines = [_kept(line.decode(errors="replace")) for line in stored]
            left = [kept for kept in lines if kept and not kept.holds(words) and (place or action not in kept.actions)]
            if len(left) < len(stored):
                _write_over(file, left)
