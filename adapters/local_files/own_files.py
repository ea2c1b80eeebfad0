"""The files that rollbook writes: for their owner alone, complete or absent, and never replacing another program's.

A file is made beside its target, under an unpredictable name, and renamed when it is complete and on the disk. Links
are not followed: writing through one would write to a place that was not named. Only a file that begins as one of the
same kind is replaced, and only if that was asked for.
"""

import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, TypeVar

from rollbook.domain.base.errors import RollbookError

FILE_MODE, FOLDER_MODE = 0o600, 0o700
NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
BESIDE = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite puts beside its own, under the same permissions."""

UNFINISHED = r"(\..*\.[0-9a-f]{16}\.unfinished)(?:-wal|-shm|-journal)?"
"""The temporary name of an unfinished file, and of the files that SQLite puts beside it."""

_Made = TypeVar("_Made")
IsOurs = Callable[[Path], bool]
"""Predicate: an ordinary file is of the kind that is about to be written."""


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone. One that is there stays as it is."""
    if folder.is_dir():
        return
    if folder.parent != folder:
        make_folder(folder.parent)
    try:
        folder.mkdir(mode=FOLDER_MODE)
    except FileExistsError:
        if not folder.is_dir():
            raise
    else:
        _restrict(folder, FOLDER_MODE)


def new_file(path: Path) -> IO[bytes]:
    """A new, empty file to write to. Raises FileExistsError if there is anything of that name, a link too."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_LINKS, FILE_MODE)
    _restrict(path, FILE_MODE)
    return os.fdopen(descriptor, "wb")


def make_empty(path: Path) -> None:
    """Make an empty file, for a database that is about to be made in it; one that is there stays as it is."""
    with suppress(FileExistsError):
        new_file(path).close()


def added_to(path: Path) -> IO[bytes]:
    """A file to append to, made with its folder if there is none. Raises OSError, for a link too."""
    make_folder(path.parent)
    make_empty(path)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | NO_LINKS), "ab")


def add_text(path: Path, text: str, *, lasting: bool = False) -> None:
    """Append a text to a file, see ``added_to``; ``lasting``: it is on the disk when this returns."""
    with added_to(path) as file:
        file.write(text.encode())
        if lasting:
            file.flush()
            os.fsync(file.fileno())


def lines_of(path: Path) -> list[str]:
    """The lines of a small file; none if there is no such file, or if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []


def read_records(lines: Iterable[str], make: Callable[[Any], _Made]) -> list[_Made]:
    """The values that ``make`` builds from lines of JSON; a line that is damaged or of another form is left out."""
    found: list[_Made] = []
    for line in lines:
        with suppress(ValueError, TypeError, LookupError, RecursionError):
            found.append(make(json.loads(line)))
    return found


def read_texts(path: Path) -> dict[str, str]:
    """The texts by name in a small file of JSON; none if it cannot be read or holds something else."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(name): str(text) for name, text in kept.items()} if isinstance(kept, dict) else {}


def _restrict(path: Path, mode: int) -> None:
    """Set these permissions, whatever the umask, where the file system has any."""
    with suppress(OSError):
        path.chmod(mode)


# Checks before writing.


def named(path: Path) -> str:
    """A path in a sentence; one with line breaks or other control characters in quotes."""
    return str(path) if str(path).isprintable() else ascii(str(path))


def check_target(path: Path, outcome: str, *, is_ours: IsOurs | None) -> None:
    """Raise RollbookError unless a file may be written there; ``outcome`` names the failure: "no backup was made".

    ``is_ours`` is the predicate of files that may be replaced; None: none.
    """
    with said_of(path, outcome):
        owner = _belongs_to(path)
        found = _what_is_at(path)
    called = named(path)
    if owner is not None:
        raise RollbookError(
            f"{called} is a name for what SQLite puts beside {named(owner)}; {outcome}. Choose another name."
        )
    if found is None:
        return
    if stat.S_ISDIR(found):
        raise RollbookError(f"{called} is a folder; {outcome}. Name a file in it.")
    if stat.S_ISLNK(found):
        raise RollbookError(f"{called} is a link, which is not followed; {outcome}. Name the file itself, or another.")
    if not stat.S_ISREG(found):
        raise RollbookError(f"{called} is not an ordinary file; {outcome}. Choose another name.")
    if is_ours is None:
        raise RollbookError(f"{called} already exists; {outcome}. Choose another name, or add --overwrite.")
    if not is_ours(path):
        raise RollbookError(
            f"{called} is not a file of the kind that was to replace it, so it was left as it is; {outcome}. Choose another name."
        )


def _what_is_at(path: Path) -> int | None:
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return None


def _belongs_to(path: Path) -> Path | None:
    """The existing SQLite file to which a file of this name would belong, None if there is none."""
    owners = (
        path.with_name(path.name.removesuffix(end)) for end in BESIDE if path.name.endswith(end) and path.name != end
    )
    return next((owner for owner in owners if owner.exists()), None)


@contextmanager
def said_of(path: Path, outcome: str) -> Iterator[None]:
    """Turn errors for an impossible name or an inaccessible place into a RollbookError with a sentence."""
    try:
        yield
    except ValueError:  # with a NUL in it
        raise RollbookError(f"No file can be called {str(path)!a}; {outcome}. Choose another name.") from None
    except OSError as error:
        raise RollbookError(f"{named(path)} cannot be written: {error.strerror}; {outcome}.") from None


def begins_with(*marks: bytes) -> IsOurs:
    """A predicate that is true of files that begin with one of these marks."""

    def look(path: Path) -> bool:
        return begin_of(path, max(map(len, marks))).startswith(marks)

    return look


def begin_of(path: Path, length: int) -> bytes:
    """The first bytes of an ordinary file; none for a link, for anything else, or if it cannot be read."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | NO_LINKS | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            return file.read(length) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    return b""


# Writing.


@contextmanager
def unfinished(target: Path) -> Iterator[Path]:
    """An empty file beside ``target`` that only its owner may read; it is removed in the end unless it was renamed.

    Files that a killed program has left in that folder are removed first.
    """
    remove_left_over([target.parent])
    beside, held = _begin(target)
    _WRITING.add(beside)
    try:
        yield beside
    finally:
        remove(beside)
        _WRITING.discard(beside)
        held.close()


_WRITING: set[Path] = set()
"""Files that this program is writing: opening and closing one again would release SQLite's locks in it."""


def _begin(target: Path) -> tuple[Path, IO[bytes]]:
    """A new file with an unpredictable name, locked for as long as it is open."""
    while True:
        beside = target.with_name(f".{target.name[:40]}.{token_hex(8)}.unfinished")
        held = new_file(beside)
        _lock(held.fileno(), wait=True)
        if _is_named(beside, held.fileno()):  # a program that removes left-over files may have locked it first
            return beside, held
        held.close()


def _lock(descriptor: int, *, wait: bool = False) -> bool:
    """Lock an open file; False if another program has, or if locks do not work. The lock ends with the program."""
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other programs out of rollbook's own folder that come to it by this, where folders can be locked. Raises OSError."""
    make_folder(folder)
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, wait=True)
        yield
    finally:
        os.close(descriptor)


def _is_named(path: Path, descriptor: int) -> bool:
    with suppress(OSError):
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    return False


def left_over(folder: Path) -> Iterator[Path]:
    """The unfinished files in a folder that no program is writing, without the files that SQLite put beside them."""
    for path in _unfinished_in(folder):
        with _not_written(path) as is_left:
            if is_left:
                yield path


def remove_left_over(folders: Iterable[Path]) -> None:
    """Remove the unfinished files that killed programs have left in some folders, as far as possible."""
    for folder in folders:
        for path in _unfinished_in(folder):
            with suppress(OSError), _not_written(path) as is_left:
                if is_left:
                    remove(path)


def _unfinished_in(folder: Path) -> list[Path]:
    with suppress(OSError):
        names = (re.fullmatch(UNFINISHED, path.name, flags=re.DOTALL) for path in folder.glob(".*.unfinished*"))
        return sorted({folder / found[1] for found in names if found} - _WRITING)
    return []


@contextmanager
def _not_written(path: Path) -> Iterator[bool]:
    """True if no program is writing a file; inside the block none can begin to."""
    try:
        descriptor = os.open(path, os.O_RDONLY | NO_LINKS | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        yield not path.is_symlink() and not path.exists()  # only the files beside it exist
        return
    try:
        found = os.fstat(descriptor)
        yield stat.S_ISREG(found.st_mode) and _lock(descriptor) and _is_named(path, descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a file with the files that SQLite put beside it."""
    for suffix in ("", *BESIDE):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def give_name(beside: Path, target: Path, *, is_ours: IsOurs | None) -> None:
    """Give a finished file its name. Raises FileExistsError if a file that may not be replaced has it."""
    if is_ours is not None and _what_is_at(target) is not None:
        if begin_of(target, 1) == b"" or not is_ours(target):
            raise FileExistsError(17, "something else has this name meanwhile", str(target))
        beside.replace(target)
    else:
        _name_exclusively(beside, target)
    settle_folder(target.parent)


def _name_exclusively(beside: Path, target: Path) -> None:
    """Name a file only if that name is free, even if another program makes one at the same moment."""
    try:
        target.hardlink_to(beside)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if _what_is_at(target) is not None:
            raise FileExistsError(17, "something else has this name meanwhile", str(target)) from None
        beside.replace(target)
    else:
        beside.unlink()


def settle_folder(folder: Path) -> None:
    """Write the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_file(target: Path, pieces: Iterable[bytes], *, is_ours: IsOurs | None) -> None:
    """Write a whole file, or none. Raises OSError, also FileExistsError if the file there may not be replaced."""
    with unfinished(target) as beside:
        _fill(beside, pieces)
        give_name(beside, target, is_ours=is_ours)


def keep_note(path: Path, text: str) -> None:
    """Write or replace a small file in rollbook's own folder. Raises OSError."""
    make_folder(path.parent)
    with unfinished(path) as beside:
        _fill(beside, [text.encode()])
        beside.replace(path)


def _fill(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())
