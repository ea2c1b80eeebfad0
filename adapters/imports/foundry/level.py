"""LevelDB, in which Foundry keeps a collection since version 11: read from a copy, because opening it changes it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rollbook.adapters.imports.bounded import MIB
from rollbook.domain.base.errors import RollbookError

OUTCOME = "Nothing was imported."
LARGEST = 512 * MIB
"""Bytes of a folder."""


def is_level(folder: Path) -> bool:
    """Whether a folder is a LevelDB database."""
    return (folder / "CURRENT").is_file()


def level_documents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The keys and values of a copy of a LevelDB folder. Raises RollbookError without plyvel, or if it is damaged."""
    try:
        import plyvel  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: PLC0415 - an extra
    except ImportError:
        raise RollbookError(
            f"{folder} is a LevelDB folder, which Foundry keeps since version 11; reading it needs plyvel: "
            f'pip install "rollbook[foundry]". {OUTCOME}'
        ) from None
    with tempfile.TemporaryDirectory() as copy:
        _copied(folder, Path(copy))
        try:
            database = plyvel.DB(copy, create_if_missing=False)
        except (plyvel.Error, OSError) as fault:
            raise RollbookError(f"{folder} is damaged: {fault}. {OUTCOME}") from None
        try:
            for key, value in database:
                yield key.decode("utf-8", "replace"), value
        except plyvel.Error as fault:
            raise RollbookError(f"{folder} is damaged: {fault}. {OUTCOME}") from None
        finally:
            database.close()


def _copied(folder: Path, copy: Path) -> None:
    size = 0
    for file in _files(folder):
        size += file.stat().st_size
        if size > LARGEST:
            raise RollbookError(f"{folder} holds more than {LARGEST // MIB} MiB. {OUTCOME}")
        try:
            shutil.copyfile(file, copy / file.name)
        except OSError as fault:
            raise RollbookError(f"{file} cannot be read ({fault.strerror}). {OUTCOME}") from None


def _files(folder: Path) -> Iterator[Path]:
    yield from (file for file in sorted(folder.iterdir()) if file.is_file() and file.name != "LOCK")
