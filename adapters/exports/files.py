"""Writing an export: all of the file or none of it, with the verifier beside it that needs no rollbook."""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from rollbook.adapters.local_files.own_files import IsOurs, begin_of, begins_with, check_target, named, write_file
from rollbook.domain.base.errors import RollbookError

VERIFIER = "verify_rollbook.py"  # one file of Python that needs nothing but Python
SCRIPTS = ("digests.js", "verify_dice.js", "verify_rollbook.js")

OUTCOME = "nothing was exported"
IS_EXPORT = begins_with(b'{"format": "rollbook/export/', b'{"format": "rollbook/shown/')
IS_VERIFIER = begins_with(b'"""Check an exported rollbook campaign')


def check_free(path: Path, is_ours: IsOurs, *, overwrite: bool) -> None:
    """Raise RollbookError unless a file may be written there; with ``overwrite`` also over one that ``is_ours``."""
    check_target(path, OUTCOME, is_ours=is_ours if overwrite else None)


def write(path: Path, pieces: Iterable[bytes], is_ours: IsOurs, *, overwrite: bool) -> None:
    """Write a file, all of it or none; with ``overwrite`` in the place of one that ``is_ours``. Raises RollbookError."""
    check_free(path, is_ours, overwrite=overwrite)
    with in_words(path):
        write_file(path, pieces, is_ours=is_ours if overwrite else None)


def write_whole(path: Path, lines: Iterable[bytes], *, overwrite: bool) -> str:
    """Write an export and the verifier beside it. Raises RollbookError.

    Returns where a verifier is: beside the export, or, if another file has its name there, the one that is installed.
    """
    write(path, lines, IS_EXPORT, overwrite=overwrite)
    with in_words(path):
        return str(ship_verifier(path.parent))


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Raise RollbookError, with a sentence on why a file could not be written, for an OSError."""
    try:
        yield
    except FileExistsError:
        raise RollbookError(
            f"{named(path)} was made by another program meanwhile; {OUTCOME}. Choose another name."
        ) from None
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise RollbookError(
                f"There is no room left on the disk for {named(path)}, so it was not written. Make room and try again."
            ) from None
        raise RollbookError(f"{named(path)} cannot be written: {error.strerror}.") from None


def verifier_scripts() -> tuple[str, ...]:
    """The verifier as a page carries it: scripts in their order, the last of which gives ``verifyRollbook``."""
    return tuple(files("rollbook.adapters.exports").joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)


def ship_verifier(folder: Path) -> Path:
    """Put the verifier beside an export, in the place of an older one if need be. Returns where there is one."""
    installed = files("rollbook.adapters.exports").joinpath(VERIFIER)
    path, wanted = folder / VERIFIER, installed.read_bytes()
    if begin_of(path, len(wanted) + 1) == wanted:
        return path
    try:
        check_target(path, OUTCOME, is_ours=IS_VERIFIER)
        write_file(path, [wanted], is_ours=IS_VERIFIER)
    except (RollbookError, FileExistsError):
        return Path(str(installed))
    return path


def checked_line(header: bytes) -> bytes:
    """The header line of an export, with its checksum."""
    return b'%s, "check": "%s"}\n' % (header[:-1], sha256(header).hexdigest()[:16].encode())
