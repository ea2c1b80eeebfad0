"""Storing of another program's record as a campaign that is played by the rules of a game."""

from collections.abc import Iterator

from rollbook.adapters.imports import Imported, ImportedAction
from rollbook.adapters.imports.recording import check_counts, head_of, proposal_of
from rollbook.application.after_commit import committed
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.playing.recorded_play import RecordedPlayer, Tally
from rollbook.application.time_zones import zone_at_first
from rollbook.domain.actions.campaign import ZONE
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.progress import told
from rollbook.domain.entries import Entry
from rollbook.domain.events import Event, RulesetAdopted, TableAgreed
from rollbook.domain.rules.ruleset import chosen_settings
from rollbook.domain.state.lookup import slug


def record_play(book: Book, imported: Imported, name: str = "") -> tuple[Campaign, Tally]:
    """Play imported actions as a new campaign, or in one that was played from earlier ones: all of them or none.

    Raises RollbookError as ``record_import`` does, and if the campaign does not play by the rules of the import.
    """
    called = name or imported.name
    campaign = book.campaign(slug(called)) if imported.after else None
    head = head_of(campaign) if campaign is not None else Head()
    if campaign is not None:
        head.check_is_at(imported.after)
        if head.state.ruleset != imported.ruleset:
            raise RollbookError(f"The campaign {campaign.id} does not play by {imported.ruleset}: leave out --play.")
    elif not imported.actions:
        raise RollbookError("There is nothing in it to import.")
    key = campaign.id if campaign is not None else book.free(called)
    player = RecordedPlayer(book.rulebook, book.seeds.of_stream(key), head)
    entries = list(entries_of(book, imported, player))
    check_counts(entries, head)
    if entries:
        clock, fingerprint = book.surroundings.clock, book.rulebook.fingerprint
        log = EntryLog(book.store, key, clock, fingerprint=fingerprint, rules=book.rules_check, quota=book.quota.check)
        log.check_rules(player.head.state, head.fingerprint)
        log.check_room(head, entries)
        log.write(head, entries)
        committed()
    return book.campaign(key), player.tally


def entries_of(book: Book, imported: Imported, player: RecordedPlayer) -> Iterator[Entry]:
    """The entries of imported actions, each on those before it; the first of a campaign adopts the game."""
    for action in told(imported.actions, lambda: len(imported.actions)):
        entry = _entry(action, player)
        if not player.head.actions:
            entry = entry._replace(events=(*entry.events, *_beginning(book, imported)))
        yield player.go_on(entry)


def _entry(action: ImportedAction, player: RecordedPlayer) -> Entry:
    """The entry of one action: played if it comes to what is on record, else with its own events."""
    played, why = player.played(action.play, action.seat) if action.play is not None else (None, "")
    if played is not None:
        return played._replace(at=action.at)
    reason = f"as recorded: {why}" if why else ""
    return proposal_of(action, player.head.actions + 1)._replace(reason=reason)


def _beginning(book: Book, imported: Imported) -> Iterator[Event]:
    game = book.ruleset(imported.ruleset)
    settings, package = chosen_settings(game, imported.settings), book.rulebook.packages.get(game.key, "")
    yield RulesetAdopted(ruleset=game.key, version=game.version, settings=settings, package=package)
    if zone := zone_at_first():
        yield TableAgreed(matter=ZONE, value=zone)
