"""Checks of the store, and of all that belongs to it: read model, seeds, rulesets."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shlex import quote

from rollbook.adapters.doctor.findings import Finding, ill, well
from rollbook.adapters.storage.read_model.file import is_read_model
from rollbook.adapters.storage.read_model.tables import SHAPE
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.keeping.verifying import damage_of
from rollbook.application.pictures import faults_of
from rollbook.application.ports.rules_in_force import compare
from rollbook.application.ports.store_address import ServerAddress
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted
from rollbook.domain.history.event_store import Cursor, EventStore


def spoilt(path: Path) -> Iterator[Finding]:
    """Check the file with SQLite's quick_check; if it is damaged, its contents are not worth checking."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as fault:
            found = fault
    if found != "ok":
        yield ill(f"{path} is damaged ({' '.join(str(found).split())}): restore it from a backup.")


def whole(path: Path, book: Book) -> Iterator[Finding]:
    """Check that no history in the store is known to be damaged."""
    campaigns = book.campaigns()
    damaged = [f"{name}: {damage}" for name in campaigns if (damage := damage_of(book, name))]
    for each in damaged:
        yield ill(f"{each.rstrip('.')}: restore a backup, or import a file that was exported before.")
    if not damaged:
        yield well(f"{path}, {counted(len(campaigns), 'campaign')}, whole")


def may_be_written(path: Path) -> Iterator[Finding]:
    """Check that the store can be written to."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=1)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except sqlite3.OperationalError as fault:
            yield ill(f"nothing can be recorded in {path} ({fault}): see who may write to it, and who has it open.")


def read_model(book: Book) -> Iterator[Finding]:
    """Check that the read model is rollbook's, of this version, of this store, and up to date."""
    path, store = book.read_model.path, book.store
    if path is None or not path.exists():
        yield well(f"none{'' if store.file else f' in {path and path.parent}'} yet; the next command makes it")
    elif not is_read_model(path):
        yield ill(f"{path} is another program's file, so none can be kept there: give it another name.")
    else:
        yield _looked_into(path, store)


def _looked_into(path: Path, store: EventStore) -> Finding:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        (damage,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        (shape,) = connection.execute("PRAGMA user_version").fetchone()
        if damage != "ok":
            return ill("it is damaged; nothing that counts is in it: rollbook rebuild")
        if shape != SHAPE:
            return well(f"of another version ({shape}, not {SHAPE}); the next command makes it again")
        position, of = connection.execute("SELECT position, store FROM position").fetchone()
    if of != store.identity():
        return well("of another store; the next command makes it again")
    return _in_file(store, int(position or 0)) if store.file else _on_server(path, store, Cursor(position))


def _in_file(store: EventStore, position: int) -> Finding:
    last = int(store.last_position() or 0)
    if position > last:
        return ill("it has seen more than the store holds, which is an older copy: see rollbook audit.")
    if position < last:
        return well(f"version {SHAPE}, {counted(last - position, 'row')} behind; the next command catches up")
    return well(f"version {SHAPE}, up to date")


def seeds(book: Book) -> Iterator[Finding]:
    """Check that the seeds of every open session are on this computer."""
    opened = 0
    for campaign in _campaigns(book):
        session = campaign.state.session
        if session is None or not session.is_open or not session.identity:
            continue
        opened += 1
        if book.seeds.of(session.identity, campaign.state.identity) is None:
            yield ill(
                f"those of session {session.number} of {campaign.id} are not in {book.seeds.where()}: put them back from a "
                f"backup, or close the session with rollbook do -c {quote(campaign.id)} close-session"
            )
            opened -= 1
    if opened:
        yield well(f"those of {counted(opened, 'open session')} are in {book.seeds.where()}")


def rulesets(book: Book) -> Iterator[Finding]:
    """Check that the campaigns' rulesets are installed, in the versions that were last played."""
    fitting: set[str] = set()
    for campaign in _campaigns(book):
        state = campaign.state
        installed = book.rulebook.version(state)
        try:
            book.rulebook.require(state)
        except RollbookError as fault:
            yield ill(f"{campaign.id}: {str(fault).rstrip('.')}.")
            continue
        if installed != state.version:
            yield ill(
                f"{campaign.id} was last played by {state.ruleset} {state.version}, and {installed} is installed: adopt it with "
                f"rollbook adopt {state.ruleset} -c {quote(campaign.id)}"
            )
        elif state.ruleset:
            fitting.add(f"{state.ruleset} {state.version}")
    if fitting:
        yield well(f"{', '.join(sorted(fitting))}, as the campaigns need")


def _campaigns(book: Book) -> Iterator[Campaign]:
    for name in book.campaigns():
        try:
            yield book.campaign(name)
        except RollbookError:
            continue  # reported by the check of the store


def answers(where: ServerAddress, book: Book) -> Iterator[Finding]:
    """Check that the server lists its campaigns."""
    yield well(f"{where}, {counted(len(book.campaigns()), 'campaign')}; audit them with: rollbook store verify")


def rules_of_server(book: Book) -> Iterator[Finding]:
    """Check that this computer may play what is played in a store that several share."""
    shared = book.surroundings.rules
    assert shared is not None
    found = [*compare(shared.all(), book.registry.keys, book.rulebook.fingerprint_of)]
    for each in found:
        if each.why_not:
            yield ill(each.why_not)
    if all(each.are_in_force for each in found):
        yield well(
            f"those of this computer are in force, of {counted(len(found), 'ruleset')}"
            if found
            else "none in force yet"
        )


def _on_server(path: Path, store: EventStore, position: Cursor) -> Finding:
    if store.is_set_back_since(position):
        return well("of before the store was set back; the next command makes it again")
    behind = store.count(position)
    return well(f"{path}, {f'{behind:,} entries to look at' if behind else 'up to date'}")


def seeds_of_server(book: Book) -> Iterator[Finding]:
    """Name the place of the open sessions' seeds, and check that this computer's key decrypts them."""
    try:
        yield well(f"those of open sessions are in {book.seeds.where()}")
    except RollbookError as fault:
        yield ill(str(fault))


def pictures(book: Book) -> Iterator[Finding]:
    """Check that every picture that an entry has shown is there, and is the one that was shown."""
    faults = {name: faults_of(book.store, name) for name in book.campaigns()}
    for name, found in faults.items():
        for said in found.sentences:
            yield ill(f"{name}: {said}; the history is whole. Take a missing one from a backup.")
    kept = sum(len(book.store.pictures(name)) for name in faults)
    if kept and not any(found.sentences for found in faults.values()):
        yield well(f"{counted(kept, 'picture')}, all of them as they were shown")
