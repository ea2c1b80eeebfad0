"""What is imported has an end: devices that never stop giving are refused before they are read."""

import stat
from pathlib import Path

from domain.errors import RollbookError


def check_bounded(path: Path) -> None:
    """Raise RollbookError for a device, such as /dev/zero. A pipe may be read: somebody writes it and comes to an end."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise RollbookError(f"{path} is a device and not a file. Nothing was imported.")
