"""Putting a store back from a backup, or from any copy of a store.

A restored store gets an identity of its own. Read models and seeds belong to one identity: rows that were made from the
store before are never shown for the restored one, and only one of the two continues to draw a session's dice.
"""

from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from rollbook.adapters.backups.backing_up import CopyReport, called, check_apart, copied, copy_with_seeds, seeds_in
from rollbook.adapters.local_files.own_files import BESIDE, give_name, make_folder, named, settle_folder, unfinished
from rollbook.adapters.local_files.seat_links_file import carry_links, links_path
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.local_files.sqlite_faults import in_words
from rollbook.adapters.storage.sqlite import copy_and_replace
from rollbook.adapters.storage.sqlite.datastore import CommitFailed
from rollbook.adapters.storage.sqlite.opening import refuse_strangers
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.base.errors import HistoryDamaged, NotFound, OutcomeUnknown, RollbookError

OUTCOME = "nothing was restored"


def restore(path: Path, seeds: SeedKeeper, source: Path) -> CopyReport:
    """Replace the store at ``path`` by the one in ``source``; the old one is kept beside it under another name.

    The file is copied, and every history in it verified, first. Programs that are playing are told at their next
    command. Raises RollbookError or HistoryDamaged; then everything is as it was.
    """
    _check_source(path, source)
    with in_words(path, OUTCOME):
        make_folder(path.parent)
        with unfinished(path) as copy:
            campaigns, entries = copied(source, copy, OUTCOME)
            kept, identity = _made_another(source, copy, seeds)
            replaced, keeper = _identity_at(path), seeds.of_store(identity)
            gone = keeper.carry_over(replaced)
            carry_links(seeds.folder, replaced, identity)  # a running server uses the new store at once
            try:
                before = _put(copy, path, seeds)
            except BaseException:
                links_path(seeds.folder, identity).unlink(missing_ok=True)
                raise
            for session, text in kept.items():
                if session not in gone:
                    keeper.take(session, text)
    return CopyReport(
        path=str(path), campaigns=campaigns, entries=entries, sessions=len(kept), before=str(before or "")
    )


def _identity_at(path: Path) -> str:
    """The identity of the store at a path, "" if there is none or it cannot be read."""
    with suppress(RollbookError), closing(SQLiteEventStore(path, create=False)) as store:
        return store.identity()
    return ""


def _check_source(path: Path, source: Path) -> None:
    if not source.exists():
        raise NotFound(f"There is no file {source}.")
    check_apart(path, source, "Name the backup that is to be put in its place.")
    try:
        refuse_strangers(source)
    except HistoryDamaged:
        raise
    except RollbookError as stranger:
        hint = "A campaign that rollbook exported is taken in with: rollbook import FILE."
        raise RollbookError(f"{stranger} {hint} Nothing was restored.") from None
    if source.stat().st_size == 0:
        raise RollbookError(f"{source} is empty. Nothing was restored.")


def _made_another(source: Path, copy: Path, seeds: SeedKeeper) -> tuple[dict[str, str], str]:
    """Give the copy of a backup an identity of its own. Returns its seeds by session, and that identity."""
    with called(copy, source, OUTCOME):
        with in_words(source, OUTCOME):
            kept = dict(seeds.of_store(copy_and_replace.identity_of(copy)).kept()) | dict(seeds_in(copy))
            identity = copy_and_replace.give_identity(copy)
        seeds.check_may_take(kept.items(), copy)
    return kept, identity


def _put(copy: Path, path: Path, seeds: SeedKeeper) -> Path | None:
    """Put the copy in the place of the store. Returns the file that keeps the old store, None if there was none."""
    if not path.exists() or path.stat().st_size == 0:
        _move_in(copy, path)
        return None
    refuse_strangers(path)
    before = _free_name(path)
    try:
        with closing(SQLiteEventStore(path, create=False)) as store:
            _exchange(store, copy, path, before, seeds)
    except HistoryDamaged:
        _set_aside(path, before)
        _move_in(copy, path)
    return before


def _exchange(store: SQLiteEventStore, copy: Path, path: Path, before: Path, seeds: SeedKeeper) -> None:
    """Save the content of the store in a file, and replace it by that of the copy, while no program can write."""

    def keep() -> None:
        with unfinished(before) as beside:
            copy_with_seeds(store, seeds, beside)
            copy_and_replace.finish(beside)
            seeds.note_copy(str(path.absolute()), before)
            give_name(beside, before, is_ours=None)

    try:
        with in_words(path, OUTCOME):
            copy_and_replace.replace_content(path, copy, keep)
    except CommitFailed as failure:
        raise OutcomeUnknown(
            f"The disk that holds {named(path)} failed, so it is not known whether the store was put back. What was there "
            f"before is kept: {named(before)}. Look at the log, and then restore what you want to have."
        ) from failure
    except BaseException:
        before.unlink(missing_ok=True)
        raise


def _move_in(copy: Path, path: Path) -> None:
    copy_and_replace.finish(copy)
    copy.replace(path)
    settle_folder(path.parent)


def _set_aside(path: Path, before: Path) -> None:
    """Rename a damaged store, which cannot be read as a whole, with the files that SQLite put beside it."""
    for suffix in ("", *BESIDE):
        found = Path(f"{path}{suffix}")
        if found.exists():
            found.rename(f"{before}{suffix}")


def _free_name(path: Path) -> Path:
    """``rollbook.before-20261122-083512.db`` beside the store, or with a number after it if that is taken."""
    stem = f"{path.stem}.before-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    names = (path.with_name(f"{stem}{more}{path.suffix}") for more in ("", *(f"-{at}" for at in range(2, 1_000))))
    return next(name for name in names if not name.exists())
