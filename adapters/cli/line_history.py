"""The lines that ↑ brings back at the prompt, of earlier sessions too.

Kept are questions, and lines whose entries the whole table saw. An X-card, what is secret, the answers to questions and removed
words are never kept, neither in the file (``prompt_lines``) nor in memory; a line that failed stays in memory, so that it can be
put right. Without readline nothing is kept.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

from rollbook.adapters.local_files.prompt_lines import KeptLine, add_line, read_lines
from rollbook.domain.base.identifiers import ActionNumber


class LineHistory:
    """The lines of one campaign, as the open prompt has them."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._readline = _readline()
        self._seen: object = None

    @contextmanager
    def open(self) -> Iterator[None]:
        """Stop readline from remembering lines by itself; afterwards no line of the campaign is left in memory."""
        if self._readline is not None:
            self._readline.set_auto_history(False)
        self.follow()
        try:
            yield
        finally:
            if self._readline is not None:
                self._readline.clear_history()
                self._readline.set_auto_history(True)

    def follow(self) -> None:
        """Read the file again if another program has changed it since: prompts add lines, and words are removed."""
        if _state_of(self._file) != self._seen:
            self.read_again()

    def read_again(self) -> None:
        """Load the lines of the file, and forget all others."""
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
