"""A file that is written where answers go: ``-`` stands for stdout, as in ``rollbook export - | gzip > sherwood.jsonl.gz``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from rollbook.adapters.cli.answer_streams import AnswerStream
from rollbook.domain.base.errors import RollbookError

STDOUT = "-"


@contextmanager
def written(file: str) -> Iterator[Path]:
    """Where a file is to be written. That of ``-`` is copied to stdout once it is whole. Raises RollbookError for a folder."""
    if file != STDOUT:
        yield Path(file)
        return
    with TemporaryDirectory(prefix="rollbook-") as folder:
        path = Path(folder) / "export"
        yield path
        if path.is_dir():
            raise RollbookError("That is a folder of several files, which stdout cannot hold. Name a folder.")
        with path.open("rb") as whole:
            answers = cast("AnswerStream", sys.stdout)
            answers.goes_on = False  # the file is all of the answer
            answers.write_bytes(whole)
