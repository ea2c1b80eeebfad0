"""Files in which some words stand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def files_with(words: bytes, folder: Path) -> list[Path]:
    """The files under a folder in which these bytes stand. One that a program removes meanwhile has none."""

    def found() -> Iterator[Path]:
        for path in sorted(folder.rglob("*")):
            with suppress(FileNotFoundError):
                if path.is_file() and words in path.read_bytes():
                    yield path

    return [*found()]
