"""Whether a file lies on a drive of another computer, where SQLite's locks and its shared log do not hold."""

import os
from pathlib import Path

from rollbook.domain.base.errors import RollbookError

MOUNTS = Path("/proc/self/mountinfo")
"""Where Linux says what is mounted. Other systems have none, and nothing is refused there."""
NETWORK = frozenset(
    ("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "ceph", "glusterfs", "lustre", "beegfs")
)
OVER_THE_NETWORK = ("fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs", "fuse.glusterfs", "fuse.curlftpfs", "davfs")


def refuse_network_drive(path: Path) -> None:
    """Raise RollbookError if the file at ``path``, or the folder that it is to be made in, is on a network drive."""
    kind = kind_of_drive(path)
    if kind in NETWORK or kind.startswith(OVER_THE_NETWORK):
        raise RollbookError(
            f"{path} is on a network drive ({kind}), where SQLite cannot keep writers apart; it was left as it is. "
            f"Keep the store on a disk of this computer, or on a server: --store postgresql://…"
        )


def kind_of_drive(path: Path) -> str:
    """The kind of file system that a path is on, or would be; "" if nobody can say."""
    there = path.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    try:
        device = there.stat().st_dev
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    begin = mounts.find(f" {os.major(device)}:{os.minor(device)} ")
    _, _, rest = mounts[begin:].partition("\n")[0].partition(" - ")
    return rest.partition(" ")[0] if begin >= 0 else ""
