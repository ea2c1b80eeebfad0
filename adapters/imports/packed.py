"""An exported campaign that lies in an archive beside its verifier, as the web sends it: taken out before it is read."""

from __future__ import annotations

import zipfile
from pathlib import Path

from rollbook.adapters.imports.jsonl import BOUNDS, OUTCOME, is_export
from rollbook.domain.base.errors import RollbookError

MOST_FILES = 1_000
PIECE = 1024 * 1024


def is_packed(path: Path) -> bool:
    """Whether a file is a zip archive."""
    return zipfile.is_zipfile(path)


def unpacked(path: Path) -> Path:
    """The exported campaign of an archive, in a file of its own beside it.

    No name in the archive is used, and no more is unpacked than an export may have. Raises RollbookError for an archive
    without an export.
    """
    target = path.with_name(f"{path.name}.jsonl")
    try:
        with zipfile.ZipFile(path) as archive:
            members = [each for each in archive.infolist()[:MOST_FILES] if each.filename.endswith(".jsonl")]
            for member in members:
                _copy(archive, member, target)
                if is_export(target):
                    return target
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as fault:
        raise RollbookError(f"{path} cannot be unpacked ({fault}). {OUTCOME}") from None
    raise RollbookError(f"{path} is an archive in which there is no exported campaign. {OUTCOME}")


def _copy(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    size = 0
    with archive.open(member) as source, target.open("wb") as file:
        while piece := source.read(PIECE):
            size += len(piece)
            if size > BOUNDS.size:
                raise RollbookError(f"{target} unpacks to more than {BOUNDS.size // PIECE} MiB. {OUTCOME}")
            file.write(piece)
