"""The book: a store, its read model, the rulesets at hand and the dice seeds. It opens and starts campaigns."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

import attrs

from rollbook.application.after_commit import after_commit, begun, committed
from rollbook.application.history.read_model import ReadModel
from rollbook.application.history.timeline_marker import campaign_of, is_timeline, meant, numbers, stream_of
from rollbook.application.ports.deadline import command_deadline
from rollbook.application.ports.surroundings import Surroundings
from rollbook.application.registry import RulesetRegistry
from rollbook.domain.base.errors import NotFound, RollbookError, not_found
from rollbook.domain.base.identifiers import CampaignId

if TYPE_CHECKING:
    from rollbook.application.campaign import Campaign
    from rollbook.application.history.entry_log import EntryLog
    from rollbook.application.history.timeline_dice import Timeline
    from rollbook.application.history.timeline_view import TimelineView
    from rollbook.application.host_settings import EntryQuota
    from rollbook.application.ports.rules_in_force import RulesCheck
    from rollbook.application.ports.seed_store import StoreSecrets
    from rollbook.application.ports.surroundings import PageSettings
    from rollbook.application.view import Said
    from rollbook.domain.events import Scalar
    from rollbook.domain.history.event_store import EventStore, Tombstone
    from rollbook.domain.rulebook import Rulebook
    from rollbook.domain.rules.ruleset import Ruleset
    from rollbook.projections.sheet_questions import Party


class Book:
    """Everything that playing needs, wired together."""

    def __init__(
        self,
        store: EventStore,
        read_model: ReadModel,
        seeds: StoreSecrets,
        registry: RulesetRegistry,
        surroundings: Surroundings,
        say_line: Callable[..., Said] | None = None,
    ) -> None:
        """``say_line(book, campaign, line, *, seat, command)`` carries out a line that is said to one of its campaigns.

        It is passed in because it depends on campaigns, and its answers on adapters.
        """
        self.store = store
        self.read_model = read_model
        read_model.belongs_to(store)
        self.seeds = seeds
        self.registry = registry
        said = partial(say_line, self) if say_line else None
        self.surroundings = attrs.evolve(surroundings, say_line=said)
        self._open: dict[str, Campaign] = {}
        if store.removals() and not (store.is_wiped() and read_model.has_followed_removals(store)):
            with suppress(RollbookError, sqlite3.Error, OSError):  # the next program that opens the store tries again
                self.finish_removals()

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rules that are played by. Queries of the read model need none."""
        return self.registry.rulebook()

    @cached_property
    def rules_check(self) -> RulesCheck | None:
        """The check that this computer may play by its rules; None if no other computer shares the store."""
        from rollbook.application.ports.rules_in_force import RulesCheck

        in_force = self.surroundings.rules
        return RulesCheck(in_force, self.rulebook) if in_force else None

    @cached_property
    def quota(self) -> EntryQuota:
        """The entries that the host allows a campaign."""
        from rollbook.application.host_settings import EntryQuota

        return EntryQuota(self.seeds)

    @property
    def page_settings(self) -> PageSettings:
        """The wishes of GMs for what players are shown."""
        return self.surroundings.page_settings

    def finish_removals(self) -> None:
        """Wipe all that is left of what was removed from the store, in its files and in copies that were not finished.

        A program that was stopped may have left some of it: the next one that opens the store finishes it.
        """
        beside = [Path(self.location).parent] if self.location else []
        self.seeds.remove_unfinished(beside)
        self.read_model.catch_up(self.store, self.rulebook, only=())
        for stone in self.store.tombstones():
            if not self.store.head(stone.campaign):
                self._open.pop(stone.campaign, None)
                self.seeds.of_stream(stone.campaign).let_go(stone.identity, is_deleted=True)
                self.read_model.forget(stone.campaign)
        if not self.store.is_wiped():
            self.store.wipe()

    def backups_since(self, moment: int) -> tuple[str, ...]:
        """The files into which this store was copied since a moment (microseconds, UTC) and that are still there."""
        return tuple(copy.path for copy in self.seeds.copies(self.location) if copy.at >= moment)

    @property
    def location(self) -> str:
        """The place of the store, "" if it is in no file."""
        return self.store.file

    def campaigns(self) -> tuple[str, ...]:
        """The ids of all campaigns in the store, oldest first."""
        return tuple(stream for stream in self.store.campaigns() if not is_timeline(stream))

    def timelines(self, campaign: CampaignId) -> tuple[str, ...]:
        """The ids of all timelines of a campaign, oldest first."""
        return tuple(stream_of(campaign, number) for number in numbers(self.store, campaign))

    def campaign(self, name: str) -> Campaign:
        """A campaign by its id or name, or one of its timelines (``sherwood~1``). Raises NotFound with the nearest ones."""
        from rollbook.application.history.timeline_view import stored_view

        key = meant(name)
        if key not in self._open and is_timeline(key):
            if self.store.marker(key) is None and not self.store.head(key):
                raise not_found("timeline", key, self.timelines(campaign_of(key)))
            self._open[key] = self.timeline(stored_view(self.store, key))
        if key not in self._open:
            if self.store.head(key) == 0:
                raise self._not_here(name, key)
            self._open[key] = self._session(self._log(self.store, key), self.read_model)
        self._open[key].refresh()
        return self._open[key]

    def timeline(self, view: TimelineView) -> Campaign:
        """The open campaign of a timeline, stored or new."""
        from rollbook.application.history.timeline_dice import Timeline

        timeline = Timeline(view)
        log = self._log(view, view.stream, timeline.removed)
        return self._session(log, self.read_model.apart(view.stream), timeline)

    def _session(self, log: EntryLog, read_model: ReadModel, timeline: Timeline | None = None) -> Campaign:
        from rollbook.application.campaign import Campaign
        from rollbook.application.history.open_history import OpenHistory
        from rollbook.application.session import CampaignSession

        session = CampaignSession(
            OpenHistory(log, read_model),
            self.rulebook.apart(),
            self.seeds,
            timeline=timeline,
            surroundings=self.surroundings,
            store_model=lambda: self.read_model,
        )
        return Campaign(session)

    def is_whole(self, name: str) -> bool:
        """True if the read model has all of a campaign, so that its log and sheets can be asked without opening it."""
        return not is_timeline(name) and self.read_model.is_whole(self.store, lambda: self.rulebook, name)

    def party(self, name: CampaignId) -> Party | None:
        """The sheets of all characters in a campaign, from the read model; None if the rules have to derive them."""
        return self.read_model.party(name, self.registry.stamp_of_files) if self.is_whole(name) else None

    def take_faults(self) -> tuple[str, ...]:
        """Sentences for the ways in which rulesets failed to answer since the last call."""
        return self.rulebook.take_faults() if "rulebook" in vars(self) else ()

    def _not_here(self, name: str, key: CampaignId) -> NotFound:
        stone = next((stone for stone in reversed(self.store.tombstones()) if stone.campaign == key), None)
        return NotFound(deleted(stone)) if stone else not_found("campaign", name, self.campaigns())

    def reopen(self, key: CampaignId) -> None:
        """Forget the open campaign and its timelines, because the store has changed."""
        for stream in [stream for stream in self._open if campaign_of(stream) == key]:
            del self._open[stream]

    def ruleset(self, key: str) -> Ruleset:
        """A ruleset by its key. Raises NotFound, or RulesetBroken with the reason why its plug-in was refused."""
        return self.registry.ruleset(key)

    @command_deadline()
    def new(
        self,
        name: str,
        ruleset: str,
        settings: Mapping[str, Scalar] | None = None,
        *,
        zone: str = "",
        removable_names: bool = False,
    ) -> Campaign:
        """Start a campaign, with days and hours in a time zone ("": this computer's).

        ``removable_names``: the names of all who will sit down can be removed for good, as if the table had agreed so.

        Raises RollbookError if one of that name exists, NotFound or Refused for the rest.
        """
        from rollbook.application.history.head import Head
        from rollbook.application.time_zones import zone_at_first
        from rollbook.domain.actions.campaign import REMOVABLE, StartCampaign
        from rollbook.domain.dice.supply import NoDice
        from rollbook.domain.entries import Entry, EntryKind
        from rollbook.domain.rules.action import intent_of
        from rollbook.domain.rules.ruleset import chosen_settings
        from rollbook.domain.state.fold import fold

        game = self.ruleset(ruleset)
        key = self.free(name)
        action = StartCampaign(
            name=name,
            identity=secrets.token_hex(16),
            ruleset=game.key,
            version=game.version,
            package=self.rulebook.packages.get(game.key, ""),
            settings=chosen_settings(game, settings or {}),
            zone=zone_at_first(zone),
            names=REMOVABLE if removable_names else "",
        )
        intent = intent_of(action)
        played = self.rulebook.play(Head().state, intent, NoDice(), action=action, ruleset=game)
        start = Entry(
            EntryKind.TAKEN, 1, played.events, intent=intent, ruleset=game.key, version=game.version, reads=played.reads
        )
        log = self._log(self.store, key)
        log.check_rules(fold(Head().state, played.events), "")
        begun()
        log.write(Head(), [start])
        committed()
        with after_commit():
            self.campaign(key)
        return self._open[key]

    def _log(self, store: EventStore, key: str, removed: Callable[[], Iterable[int]] = tuple) -> EntryLog:
        from rollbook.application.history.entry_log import EntryLog

        clock, fingerprint = self.surroundings.clock, self.rulebook.fingerprint
        return EntryLog(
            store, key, clock, removed=removed, fingerprint=fingerprint, rules=self.rules_check, quota=self.quota.check
        )

    def free(self, name: str) -> str:
        """The id for a new campaign of that name. Raises RollbookError if it exists or the name is not allowed."""
        from rollbook.domain.rules.value_checks import check_name
        from rollbook.domain.state.lookup import slug

        check_name(name, what="A campaign's name")
        key = slug(name)
        if not key:
            raise RollbookError("A campaign needs a name with letters or digits in it.")
        if self.store.head(key):
            raise RollbookError(f"There is already a campaign {key!r} in this store. Choose another name.")
        return key

    def close(self) -> None:
        self.read_model.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def deleted(stone: Tombstone) -> str:
    """A sentence about a campaign that was deleted."""
    from datetime import UTC, datetime

    from rollbook.domain.base.number_words import counted

    day = datetime.fromtimestamp(stone.at / 1_000_000, UTC)
    return (
        f"{stone.campaign} was deleted for good on {day:%Y-%m-%d} (UTC). It had {counted(stone.entries, 'entry', 'entries')}, "
        f"and its last hash was {stone.hash}."
    )
