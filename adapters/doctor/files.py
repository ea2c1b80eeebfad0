"""Checks of the files that rollbook keeps: their permissions, owners, and the free space for them."""

import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote

from rollbook.adapters.doctor.findings import Finding, ill, well
from rollbook.adapters.local_files.own_files import BESIDE, FILE_MODE, FOLDER_MODE, left_over
from rollbook.domain.base.number_words import counted

FOR_OTHERS = 0o077
OTHERS_WRITE = 0o022
LITTLE_ROOM = 50_000_000
"""Bytes: with less free space, a session and a backup may not fit any more."""


def permissions(private: Iterable[Path], shared_folders: Iterable[Path]) -> Iterator[Finding]:
    """Check that only the owner may read the private files and folders, and write to the shared folders."""
    if sys.platform == "win32":
        yield well("Windows keeps them for their owner by its own means")
        return
    wrong = [*(_readable(path) for path in private), *(_writable(folder) for folder in shared_folders)]
    found = [each for each in wrong if each]
    yield from (ill(each) for each in found)
    if not found:
        yield well(f"only you may read the {counted(len(wrong), 'file')} and folders")


def kept(store: Path, read_model: Path) -> Iterator[Path]:
    """The existing files of a store that are to be private."""
    for file in (store, read_model):
        yield from (path for end in ("", *BESIDE) if (path := Path(f"{file}{end}")).is_file())
    yield from store.parent.glob(f"{store.stem}.before-*{store.suffix}")
    yield from store.parent.glob(f"{read_model.stem}.seen.jsonl")


def kept_in(folders: Iterable[Path]) -> Iterator[Path]:
    """The existing folders that are to be private, with everything in them."""
    for folder in dict.fromkeys(folders):
        if folder.is_dir():
            yield folder
            yield from sorted(folder.rglob("*"))


def _readable(path: Path) -> str:
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return ""
    if found.st_uid != os.getuid():
        return f"{path} is another user's: run rollbook as that user, or take it over with chown."
    if not stat.S_IMODE(found.st_mode) & FOR_OTHERS:
        return ""
    mode = FOLDER_MODE if path.is_dir() else FILE_MODE
    return f"others may read {path}: chmod {mode:o} {quote(str(path))}"


def _writable(folder: Path) -> str:
    mode = folder.stat().st_mode if folder.is_dir() else 0
    if mode & OTHERS_WRITE and not mode & stat.S_ISVTX:
        return f"others may replace files in {folder}: chmod go-w {quote(str(folder))}"
    return ""


def unfinished(folders: Iterable[Path]) -> Iterator[Finding]:
    """Files that were being written when a program was killed, with what SQLite put beside them."""
    left = (path for folder in dict.fromkeys(folders) for path in left_over(folder))
    found = [each for path in left for end in ("", *BESIDE) if (each := Path(f"{path}{end}")).exists()]
    if found:
        names = " ".join(quote(str(path)) for path in found)
        yield ill(f"a program that was killed left unfinished files, which may hold any words: rm {names}")


def room(folder: Path, needed: int) -> Iterator[Finding]:
    """Check that there is free space for the store to grow, and for a backup of ``needed`` bytes."""
    there = next(place for place in (folder, *folder.parents) if place.is_dir())
    free = shutil.disk_usage(there).free
    if free < max(LITTLE_ROOM, 2 * needed):
        yield ill(f"only {free / 1e6:,.0f} MB are left on the disk of {there}: make room, or move the store.")
    else:
        yield well(f"{free / 1e9:,.1f} GB on the disk of {there}")
