"""Files of dice seeds until they are revealed: outside the store, readable by their owner alone.

Seeds belong to one session of one campaign in one store, under one name. Otherwise a copy that is played elsewhere
would roll the dice that the original has still to roll, or reveal its seed. The dice marks are in files beside them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rollbook.adapters.local_files.own_files import (
    add_text,
    keep_note,
    lines_of,
    make_folder,
    new_file,
    read_records,
    remove_left_over,
)
from rollbook.application.ports import seed_store
from rollbook.application.ports.clock import microseconds
from rollbook.domain.base.identifiers import CampaignId, StreamId
from rollbook.domain.base.records import Record

if TYPE_CHECKING:
    from rollbook.application.ports.seat_links import SeatLinks
    from rollbook.application.ports.seed_store import TableNotes
    from rollbook.application.ports.surroundings import PageSettings


MARKS = ".marks"
MOVED = "moved.jsonl"
"""The file of campaigns that were moved to another computer, so that no restore forgets it."""
COPIES = "copies.jsonl"
"""The file of backups that were made, and so of places where copies of seeds and of words may be."""


@attrs.frozen
class SeedKeeper(Record):
    """A folder with one small file for each session; ``store`` is the identity of the store that the seeds are for.

    ``stream`` is the campaign's name in that store, "" for all campaigns. ``lasting``: the store outlives the program,
    and so do its dice marks.
    """

    folder: Path
    store: str = ""
    stream: StreamId = ""
    lasting: bool = True

    def of_store(self, store: str, *, lasting: bool = True) -> SeedKeeper:
        return attrs.evolve(self, store=store, stream="", lasting=lasting)

    def of_stream(self, stream: StreamId) -> SeedKeeper:
        return attrs.evolve(self, stream=stream)

    def kept(self) -> list[tuple[str, str]]:
        found = []
        for path in sorted(self.folder.glob("*.json")):
            try:
                said = json.loads(path.read_text())
                if said["store"] == self.store and self.stream in ("", said.get("stream")):
                    marks = read_marks(path.with_suffix(MARKS)).lines()
                    found.append((str(said["session"]), json.dumps({**said, "marks": marks})))
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                continue
        return found

    def check_may_take(self, kept: Iterable[tuple[str, str]], source: Path) -> None:
        for session, text in kept:
            seed_store.check_same_secrets(self._said(session), json.loads(text), source, str(self._path(session)))

    def take(self, session: str, text: str) -> None:
        path = self._path(bytes.fromhex(session).hex())
        said = json.loads(text)
        raise_marks(path.with_suffix(MARKS), seed_store.marks_in(said.pop("marks", ())), lasting=True)
        keep_note(path, json.dumps({**said, "store": self.store, **({"stream": self.stream} if self.stream else {})}))

    def marks(self, session: str) -> seed_store.DiceMarks:
        return read_marks(self._marks_path(session))

    def raise_marks(self, session: str, to: seed_store.DiceMarks) -> None:
        raise_marks(self._marks_path(session), to, lasting=self.lasting)

    def owner(self, session: str) -> StreamId:
        said = self._said(session)
        return str(said.get("stream", "")) if said.get("store") == self.store else ""

    def note_copy(self, store: str, path: Path) -> None:
        note = seed_store.StoreCopy(store, str(path.absolute()), microseconds())
        add_text(self.folder / COPIES, json.dumps(attrs.asdict(note), ensure_ascii=False) + "\n")

    def copies(self, store: str) -> tuple[seed_store.StoreCopy, ...]:
        found = {note.path: note for note in self._copied()}
        return tuple(note for note in found.values() if note.store == store and Path(note.path).exists())

    def copied_to(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(Path(note.path).parent for note in self._copied()))

    def moved(self) -> tuple[seed_store.Moved, ...]:
        return seed_store.gone_of(seed_store.read_moved(lines_of(self.folder / MOVED)), self.store, self.stream)

    def note_moved(self, moved: seed_store.Moved) -> None:
        add_text(self.folder / MOVED, json.dumps(attrs.asdict(moved), ensure_ascii=False) + "\n", lasting=True)

    def carry_over(self, before: str) -> frozenset[str]:
        """Note the campaigns moved from the store ``before`` as moved from this one, which replaces it. Raises OSError.

        Returns the sessions whose seeds went with them: older copies of those are not kept again. Without a store
        ``before``, these are the sessions whose seeds are not in this folder.
        """
        gone = SeedKeeper(self.folder, before).moved()
        for moved in gone if before else ():
            self.note_moved(attrs.evolve(moved, store=self.store))
        sessions = {session for moved in gone for session in moved.sessions}
        return frozenset(session for session in sessions if before or not self._path(session).exists())

    def links(self) -> SeatLinks:
        from rollbook.adapters.local_files.seat_links_file import SeatLinksFile, links_path

        return SeatLinksFile(links_path(self.folder, self.store))

    def host_notes(self) -> TableNotes:
        from rollbook.adapters.local_files.host_notes_file import HostNotesFile, host_notes_path

        return HostNotesFile(host_notes_path(self.folder, self.store))

    def page_settings(self) -> PageSettings:
        from rollbook.adapters.local_files.page_settings_file import PageSettingsFile, page_settings_path

        return PageSettingsFile(page_settings_path(self.folder, self.store))

    def remove_unfinished(self, beside: Iterable[Path]) -> None:
        remove_left_over(dict.fromkeys([*beside, self.folder, *self.copied_to()]))

    def notes(self, kind: str) -> None:
        """Return None: notes are in files."""

    def forget_notes(self, campaign: CampaignId) -> None:
        """Do nothing: notes are in files, which are removed with the lines of the prompt."""

    def check_usable(self) -> None:
        """Do nothing: a folder can always be used."""

    def where(self) -> str:
        return str(self.folder)

    def forget_links(self, campaign: CampaignId) -> None:
        from rollbook.adapters.local_files.seat_links_file import links_path

        if links_path(self.folder, self.store).exists():
            with closing(self.links()) as links:
                links.forget(campaign)

    def _copied(self) -> list[seed_store.StoreCopy]:
        return read_records(lines_of(self.folder / COPIES), lambda said: seed_store.StoreCopy(**said))

    def new(self, campaign: CampaignId) -> seed_store.Seeds:
        seeds = seed_store.new_seeds(campaign)
        make_folder(self.folder)
        session = seeds.identity.hex()
        with new_file(self._path(session)) as file:
            file.write(json.dumps({**self._belongs_to(session, campaign), **seeds.hidden}).encode())
            file.flush()
            os.fsync(file.fileno())
        return seeds

    def of(self, session: str, campaign: CampaignId) -> seed_store.Seeds | None:
        kept = self._said(session)
        try:
            if self.stream and "stream" not in kept and kept:
                kept = self._bound(kept)
            if any(kept[key] != value for key, value in self._belongs_to(session, campaign).items()):
                return None
            return seed_store.Seeds.read(kept)
        except (KeyError, ValueError, TypeError):
            return None

    def has(self, session: str, campaign: CampaignId) -> bool:
        return self.of(session, campaign) is not None

    def _bound(self, kept: dict[str, Any]) -> dict[str, Any]:
        """Bind seeds to this campaign's name: older files have none, and belong to the campaign that first asks."""
        bound = {**kept, "stream": self.stream}
        if bound["store"] == self.store:
            with suppress(OSError):
                keep_note(self._path(bytes.fromhex(bound["session"]).hex()), json.dumps(bound))
        return bound

    def _said(self, session: str) -> dict[str, Any]:
        try:
            found = json.loads(self._path(bytes.fromhex(session).hex()).read_text())
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _belongs_to(self, session: str, campaign: CampaignId) -> dict[str, str]:
        named = {"stream": self.stream} if self.stream else {}
        return {"session": session, "campaign": campaign, "store": self.store, **named}

    def let_go(self, campaign: CampaignId, *, is_deleted: bool = False) -> None:
        for session, text in self.kept():
            if json.loads(text).get("campaign") == campaign:
                self._path(session).unlink(missing_ok=True)
                if is_deleted:
                    self.drop_marks(session)

    def drop_marks(self, session: str) -> None:
        """Remove the marks of a session whose campaign is gone. Raises OSError, ValueError."""
        path = self._marks_path(session)
        path.unlink(missing_ok=True)
        _READ.pop(path, None)

    def forget(self, seeds: seed_store.Seeds) -> None:
        self._path(seeds.identity.hex()).unlink(missing_ok=True)

    def _marks_path(self, session: str) -> Path:
        """The file of a session's marks. Raises ValueError for a text that is no identity."""
        return self._path(bytes.fromhex(session).hex()).with_suffix(MARKS)

    def _path(self, identity: str) -> Path:
        return self.folder / f"{identity}.json"


@attrs.frozen
class _MarksRead(Record):
    """The marks that were read of a file, up to the byte ``end``: a file of marks is only ever added to."""

    file: tuple[int, int] = (0, 0)
    end: int = 0
    marks: seed_store.DiceMarks = attrs.field(factory=seed_store.DiceMarks)

    def and_also(self, more: bytes) -> _MarksRead:
        """The same with what was added since; a last line without its end waits for it. Raises ValueError for other text."""
        lines, end, _ = more.rpartition(b"\n")
        if not end:
            return self
        marks = self.marks.and_also(seed_store.marks_in(lines.decode("ascii").split("\n")))
        return _MarksRead(self.file, self.end + len(lines) + 1, marks)


_READ: dict[Path, _MarksRead] = {}
MOST_READ = 256
"""Most files of marks of which is known what was read."""


def read_marks(path: Path) -> seed_store.DiceMarks:
    """The marks in a file; none if there is no file. A last line without its end is ignored."""
    known = _READ.pop(path, _MarksRead())
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            if known.file != (about.st_dev, about.st_ino) or about.st_size < known.end:
                known = _MarksRead((about.st_dev, about.st_ino))
            file.seek(known.end)
            known = known.and_also(file.read())
    except (OSError, ValueError):
        return seed_store.DiceMarks()
    if len(_READ) >= MOST_READ:
        _READ.clear()
    _READ[path] = known
    return known.marks


def raise_marks(path: Path, to: seed_store.DiceMarks, *, lasting: bool) -> None:
    """Raise the marks in a file, where they are lower; ``lasting``: they are on the disk when this returns. Raises OSError."""
    now = read_marks(path)
    higher = {run: count for run, count in to.used.items() if count > now.used.get(run, 0)}
    lines = seed_store.DiceMarks(higher, to.closed and not now.closed).lines()
    if not lines:
        return
    add_text(path, "".join(f"{line}\n" for line in lines), lasting=lasting)
