"""Secrets that nodes share are encrypted with a key that the database never has, each bound to what it is for."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from rollbook.adapters.storage.postgres.keys import KEY, KEY_FILE, Keys, find_keys, write_key
from rollbook.domain.base.errors import RollbookError

STORE, SECRET = "5a" * 16, b"the seed of the open dice"


def keys_in(path: Path, store: str = STORE) -> Keys:
    return find_keys(store, {KEY_FILE: str(path)})


def test_a_key_file_is_its_owners_alone_and_opens_what_it_sealed(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "seed-key"
    key = write_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    sealed = keys_in(path).seal(SECRET, "a session", "sherwood")
    assert SECRET not in sealed
    assert key.secret not in sealed
    assert keys_in(path).open(sealed, "a session", "sherwood") == SECRET
    assert find_keys(STORE, {KEY: key.text}).open(sealed, "a session", "sherwood") == SECRET
    assert key.text not in repr(keys_in(path))


def test_the_same_text_never_looks_the_same_twice(tmp_path: Path) -> None:
    write_key(tmp_path / "key")
    assert len({keys_in(tmp_path / "key").seal(SECRET, "a") for _ in range(100)}) == 100


def test_what_is_sealed_for_one_thing_is_not_opened_for_another(tmp_path: Path) -> None:
    write_key(tmp_path / "key")
    keys = keys_in(tmp_path / "key")
    sealed = keys.seal(SECRET, "ab", "c")
    other_store = keys_in(tmp_path / "key", "another store")
    for opened, bound in ((keys, ("a", "bc")), (keys, ("ab",)), (keys, ("ab", "c", "")), (other_store, ("ab", "c"))):
        with pytest.raises(RollbookError, match="is not what was put there"):
            opened.open(sealed, *bound)


@pytest.mark.parametrize("at", [0, 5, 17, 20, -1])
def test_a_changed_byte_is_noticed(tmp_path: Path, at: int) -> None:
    write_key(tmp_path / "key")
    sealed = bytearray(keys_in(tmp_path / "key").seal(SECRET))
    sealed[at] ^= 1
    with pytest.raises(RollbookError, match="is not what was put there"):
        keys_in(tmp_path / "key").open(bytes(sealed))


def test_a_new_key_is_put_first_and_the_old_one_still_opens(tmp_path: Path) -> None:
    path = tmp_path / "key"
    old = write_key(path)
    sealed = keys_in(path).seal(SECRET)
    new = write_key(path, add=True)
    assert keys_in(path).keys == (new, old)
    assert keys_in(path).open(sealed) == SECRET
    with pytest.raises(
        RollbookError, match="another key than ROLLBOOK_SEED_KEY has. Every node needs the same key file"
    ):
        find_keys(STORE, {KEY: old.text}).open(keys_in(path).seal(SECRET))
    assert find_keys(STORE, {KEY: f"{new.text},{old.text}"}).keys == (new, old)


def test_a_key_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "key"
    write_key(path)
    before = path.read_bytes()
    with pytest.raises(RollbookError, match="is there already.*would be lost with it.*--add"):
        write_key(path)
    assert path.read_bytes() == before
    with pytest.raises(RollbookError, match="cannot be read: No such file"):
        write_key(tmp_path / "none", add=True)
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_what_is_missing_or_wrong_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with pytest.raises(RollbookError, match="no key was given. Name the file of the key with ROLLBOOK_SEED_KEY_FILE"):
        find_keys(STORE, {})
    write_key(tmp_path / "config" / "rollbook" / "seed-key")
    assert len(find_keys(STORE, {}).keys) == 1
    with pytest.raises(RollbookError, match="there is no key file .*absent"):
        keys_in(tmp_path / "absent")
    with pytest.raises(RollbookError, match="cannot be read: Is a directory"):
        find_keys(STORE, {KEY_FILE: str(_folder(tmp_path))})
    with pytest.raises(RollbookError, match="A line in ROLLBOOK_SEED_KEY is no key"):
        find_keys(STORE, {KEY: "correct horse battery staple"})
    empty = tmp_path / "empty"
    empty.write_text("# nothing yet\n")
    empty.chmod(0o600)
    with pytest.raises(RollbookError, match="There is no key in .*empty"):
        keys_in(empty)


def test_a_key_that_anybody_may_read_is_not_used(tmp_path: Path) -> None:
    write_key(tmp_path / "key")
    (tmp_path / "key").chmod(0o644)
    with pytest.raises(RollbookError, match="Anybody may read the key file .* chmod 600"):
        keys_in(tmp_path / "key")


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o700)
    return folder
