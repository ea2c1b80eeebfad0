"""Writing an export: all of the file or none of it, with the verifier beside it that needs no rollbook."""

import errno
import os
from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from domain.errors import RollbookError

VERIFIER = "verify_rollbook.py"


def check_free(path: Path, *, overwrite: bool) -> None:
    """Raise RollbookError if there is a file of that name that is not to be replaced."""
    if path.exists() and not overwrite:
        raise RollbookError(f"{path} already exists. Choose another name, or add --overwrite.")


def write_whole(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file and the verifier beside it; a failure leaves no half of it behind. Raises RollbookError."""
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("wb") as file:
            for line in lines:
                file.write(line)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        _ship(path.parent)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise RollbookError(
                f"There is no room left on the disk for {path}, so it was not written. Make room and try again."
            ) from None
        raise RollbookError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        beside.unlink(missing_ok=True)


def verifier() -> bytes:
    """The verifier: one file of Python that needs nothing but Python."""
    return files("adapters.exports").joinpath(VERIFIER).read_bytes()


def _ship(folder: Path) -> None:
    """Put the verifier beside an export, unless this very one lies there."""
    path, wanted = folder / VERIFIER, verifier()
    if not path.exists() or path.read_bytes() != wanted:
        path.write_bytes(wanted)


def checked_line(header: bytes) -> bytes:
    """The header's line of an export: what it says, and a checksum of that."""
    return b'%s, "check": "%s"}\n' % (header[:-1], sha256(header).hexdigest()[:16].encode())
