"""A store on a drive of another computer is refused in a sentence, before anything is made or changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rollbook.adapters.storage.sqlite import opening
from rollbook.adapters.storage.sqlite.opening import kind_of_drive
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.base.errors import RollbookError
from tests.support.stores import files_of, filled

LINE = (
    "24 1 0:9999 / / rw - ext4 /dev/sda rw\n36 25 {major}:{minor} / /mnt/away rw shared:9 - {kind} server:/export rw\n"
)


@pytest.fixture
def mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Have the system say of which kind the drive is that the tests' files are on."""

    def say(kind: str) -> None:
        device = tmp_path.stat().st_dev
        mounts = tmp_path / "mountinfo"
        mounts.write_text(LINE.format(major=os.major(device), minor=os.minor(device), kind=kind))
        monkeypatch.setattr(opening, "MOUNTS", mounts)

    return say


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "smb3", "fuse.sshfs"])
def test_a_store_on_a_network_drive_is_refused_and_left_as_it_is(tmp_path: Path, mounted, kind: str) -> None:
    place = tmp_path / "drive" / "campaigns.db"
    place.parent.mkdir()
    filled(place)
    before = files_of(place.parent)
    mounted(kind)
    for path in (place, place.parent / "new" / "another.db"):
        with pytest.raises(RollbookError, match=rf"is on a network drive \({kind}\).*it was left as it is"):
            SQLiteEventStore(path)
    assert files_of(place.parent) == before
    assert not (place.parent / "new").exists()


@pytest.mark.parametrize("kind", ["ext4", "btrfs", "tmpfs", "overlay", "fuse.encfs"])
def test_a_disk_of_this_computer_is_taken(tmp_path: Path, mounted, kind: str) -> None:
    mounted(kind)
    filled(tmp_path / "campaigns.db")
    assert kind_of_drive(tmp_path / "campaigns.db") == kind


def test_what_the_system_does_not_say_hinders_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MOUNTS", tmp_path / "nothing")
    assert kind_of_drive(tmp_path) == ""
    filled(tmp_path / "campaigns.db")
    monkeypatch.undo()
    assert kind_of_drive(tmp_path) or not opening.MOUNTS.exists()
