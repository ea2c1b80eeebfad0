"""Writing a vault, and writing it again: unchanged notes are not touched, and those edited by a person never are.

A list of the notes with their digests lies in the folder. A note that is not as it was written belongs to the person who edited
it. The list has old and new digests until all notes are written, so that a killed program leaves nothing that looks
edited.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

import attrs

from rollbook.adapters.exports.exporter import Exported, ExportRequest
from rollbook.adapters.exports.files import OUTCOME, in_words, write
from rollbook.adapters.exports.vault.notes import Note, Vault
from rollbook.adapters.local_files.own_files import (
    begin_of,
    begins_with,
    check_target,
    make_folder,
    named,
    remove,
    write_file,
)
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted

LIST = ".rollbook-vault.json"
MARK = b'{\n "format": "rollbook/vault/1"'

Digests = Mapping[str, tuple[str, ...]]
"""Digests that a note has if it was not edited, by its path."""


@attrs.frozen
class Listed:
    """The list in a folder of ours: whose campaign, for which reader, and its notes."""

    campaign: str = ""
    reader: str = ""
    notes: Digests = attrs.field(factory=dict)


def write_vault(request: ExportRequest) -> Exported:
    """Write the notes, each only if it differs from the one in the folder."""
    folder = request.target
    if folder.suffix.casefold() == ".md":
        raise RollbookError("A vault is many notes: name a folder for them.")
    listed = _read_list(folder)
    _check_folder(folder, listed, request)
    vault = Vault(request, _names_of_others(folder, listed))
    notes = {str(note.path): note for note in vault.notes()}
    with in_words(folder):
        make_folder(folder)
        remarks = _write_all(folder, request, listed, notes)
    return Exported(path=folder, entries=len(request.numbers()), remarks=remarks)


def _write_all(folder: Path, request: ExportRequest, listed: Listed, notes: Mapping[str, Note]) -> tuple[str, ...]:
    """Bring the folder up to date; an edited note stays, and stays listed as it was last written. Returns remarks."""
    now: Digests = {path: (_digest(note.content),) for path, note in notes.items()}
    known = {
        path: tuple(dict.fromkeys((*listed.notes.get(path, ()), *now.get(path, ()))))
        for path in {*notes, *listed.notes}
    }
    edited = {path for path, digests in known.items() if _is_edited(folder / path, digests)}
    _write_list(folder, request, known)
    written = [path for path in notes if path not in edited and _write(folder, notes[path])]
    removed = [path for path in listed.notes if path not in {*notes, *edited} and _remove(folder / path)]
    left = {path: listed.notes[path] for path in edited if path in listed.notes and path in notes}
    _write_list(folder, request, {path: now[path] for path in notes if path not in edited} | left)
    unchanged = len(notes) - len(written) - len(edited & notes.keys())
    counts = f"{len(written)} written, {unchanged} unchanged, {len(removed)} removed."
    return (f"{counted(len(notes), 'note')} and pictures: {counts}", *_left(edited, notes))


def _left(edited: set[str], notes: Mapping[str, Note]) -> Iterable[str]:
    for path in sorted(edited):
        why = "it was left as it is" if path in notes else "it was left, although nothing leads to it any more"
        yield f"{path} was edited by hand: {why}."


# The folder.


def _check_folder(folder: Path, listed: Listed, request: ExportRequest) -> None:
    """Raise RollbookError if the folder is a file, or holds the vault of something else."""
    if not folder.is_dir():
        check_target(folder, OUTCOME, is_ours=None)
        return
    mine = _known(request)
    if listed.campaign and (listed.campaign, listed.reader) != (mine, _for_whom(request)) and not request.overwrite:
        whose = "of another campaign" if listed.campaign != mine else f"for {listed.reader}"
        raise RollbookError(
            f"{named(folder)} holds a vault {whose}; {OUTCOME}. Choose another folder, or add --overwrite."
        )


def _known(request: ExportRequest) -> str:
    return request.campaign.state.identity or request.campaign.id


def _for_whom(request: ExportRequest) -> str:
    """The reader of a vault; one with pseudonyms does not continue one with people's own names."""
    return f"{request.reader}, with pseudonyms" if request.names.names else request.reader


def _names_of_others(folder: Path, listed: Listed) -> set[str]:
    """Names of notes that a person has put into the folder, which no note of ours may have."""
    found = (path for path in folder.rglob("*.md") if str(PurePosixPath(path.relative_to(folder))) not in listed.notes)
    return {path.stem for path in found}


def _read_list(folder: Path) -> Listed:
    """The list of an earlier export; an empty one if there is none, or it is not as we write it."""
    path = folder / LIST
    if begin_of(path, len(MARK)) != MARK:
        return Listed()
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        said = json.loads(path.read_bytes())
        notes = {name: tuple(map(str, digests)) for name, digests in said["notes"].items() if _is_inside(name)}
        return Listed(str(said["campaign"]), str(said["reader"]), notes)
    return Listed()


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and len(path.parts) <= 2


def _write_list(folder: Path, request: ExportRequest, notes: Digests) -> None:
    said = {"format": "rollbook/vault/1", "campaign": _known(request), "reader": _for_whom(request)}
    content = json.dumps({**said, "notes": {name: list(notes[name]) for name in sorted(notes)}}, indent=1).encode()
    if _held(folder / LIST) != content:
        write(folder / LIST, [content], begins_with(MARK), overwrite=True)


# Notes.


def _digest(content: bytes) -> str:
    """Digest without regard to line ends, which programs that share folders change."""
    return sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def _held(path: Path) -> bytes | None:
    """The bytes of an ordinary file, None if there is none."""
    with suppress(OSError):
        return path.read_bytes() if path.is_file() and not path.is_symlink() else None
    return None


def _is_edited(path: Path, digests: tuple[str, ...]) -> bool:
    """True if a file is neither what was written last nor what would be written now."""
    held = _held(path)
    if held is None:
        return path.is_symlink() or path.exists()
    return _digest(held) not in digests


def _write(folder: Path, note: Note) -> bool:
    """Write a note if it differs from the file. Returns whether it was written."""
    path = folder / note.path
    held = _held(path)
    if held is not None and _digest(held) == _digest(note.content):
        return False
    make_folder(path.parent)
    write_file(path, [note.content], is_ours=lambda _: True)
    return True


def _remove(path: Path) -> bool:
    """Remove a note that was not edited, and its folder if that is empty then. Returns whether there was one."""
    if _held(path) is None:
        return False
    remove(path)
    with suppress(OSError):
        path.parent.rmdir()
    return True
