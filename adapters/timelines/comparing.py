"""A timeline beside canon: what came out differently, who lives and who dies, what the sheets say, what has no meaning there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from adapters.timelines.marker import Marker
from adapters.timelines.opening import marker_of
from adapters.timelines.rerun import CROSSED, NOT_PLAYED, PLAYED_WITHOUT
from domain import events
from domain.corrections import sheet_changes
from domain.corrections.changes import SheetChange
from domain.entries import RecordedEntry
from domain.events import Event
from domain.history import History
from domain.identifiers import ActionNumber
from domain.rulebook import Rulebook
from domain.state import CampaignState
from domain.timelines import Choice, Pair, actions_until, aligned, choice_of, choices, numbered
from projections.log_lines import Names, describe

if TYPE_CHECKING:
    from adapters.book import Book
    from adapters.campaign import Campaign

DEAD, DOWN, WELL, GONE = "dead", "down", "alive", "not there"


@attrs.frozen
class Difference:
    """One choice that was made on both, and what came of it there and here; None where it was not made."""

    canon: Choice | None
    here: Choice | None


@attrs.frozen
class Remark:
    """An action that could not be played as it was meant, and why."""

    choice: Choice
    why: str


@attrs.frozen
class CharacterStatus:
    """What has become of somebody: on canon and here."""

    character: str
    name: str
    canon: str
    here: str


@attrs.frozen
class Tally:
    """A number that everybody looks at first: experience, levels, hit points lost, tokens and other pools."""

    character: str
    name: str
    what: str
    canon: int
    here: int


@attrs.frozen(kw_only=True)
class TimelineComparison:
    """The whole report. ``since`` is the last action before the fork; ``same`` counts the choices that came out the same."""

    timeline: str
    canon: str
    marker: Marker
    since: int
    is_one_game: bool
    differences: tuple[Difference, ...]
    only_canon: tuple[Choice, ...]
    only_here: tuple[Choice, ...]
    statuses: tuple[CharacterStatus, ...]
    tallies: tuple[Tally, ...]
    changes: tuple[SheetChange, ...]
    meaningless: tuple[Remark, ...]
    remarks: tuple[Remark, ...]
    same: int


def compare(book: Book, timeline: Campaign) -> TimelineComparison:
    """A timeline beside what it was forked from, as both stand now. Raises Refused for canon itself."""
    marker = marker_of(timeline)
    canon = book.campaign(marker.parent)
    rulebook = book.rulebook
    timeline.refresh()
    there, here = canon.load_history(), timeline.load_history()
    since = actions_until(there, marker.entry)
    names = {who.id: who.name for history in (there, here) for who in history.state.characters.values()}
    found = list(_pairs(there, here, since, rulebook, is_rerun=bool(marker.ruleset)))
    different = [pair for pair in found if pair.canon and pair.fork and not _comes_out_the_same(pair, names)]
    remarks = list(_remarks(choices(here, rulebook, since + 1)))
    has_remark = {remark.choice.action for remark in remarks}
    return TimelineComparison(
        timeline=timeline.id,
        canon=canon.id,
        marker=marker,
        since=since,
        is_one_game=there.state.ruleset == here.state.ruleset,
        differences=tuple(
            Difference(pair.canon, pair.fork) for pair in different if pair.fork and pair.fork.action not in has_remark
        ),
        only_canon=tuple(pair.canon for pair in found if pair.canon and not pair.fork),
        only_here=tuple(pair.fork for pair in found if pair.fork and not pair.canon and not _is_left(pair.fork)),
        statuses=tuple(_statuses(there.state, here.state, rulebook)),
        tallies=tuple(_tallies(there.state, here.state)),
        changes=tuple(sheet_changes(there.state, here.state, rulebook)),
        meaningless=tuple(each for each in remarks if each.why.startswith(NOT_PLAYED)),
        remarks=tuple(each for each in remarks if not each.why.startswith(NOT_PLAYED)),
        same=sum(1 for pair in found if pair.canon and pair.fork) - len(different),
    )


def _pairs(there: History, here: History, since: int, rulebook: Rulebook, *, is_rerun: bool) -> Iterator[Pair]:
    """Everything that may differ: by number up to the fork, by what was meant after it."""
    if is_rerun:
        known = choices(there, rulebook), choices(here, rulebook)
        many = there.actions
        yield from numbered(known[0], [choice for choice in known[1] if choice.action <= many])
        yield from (Pair(None, choice) for choice in known[1] if choice.action > many)
        return
    for action in range(1, since + 1):
        if _witness(there, action) != _witness(here, action):
            mine, yours = (choice_of(history, action, rulebook) for history in (there, here))
            if mine or yours:
                yield Pair(mine, yours)
    yield from aligned(choices(there, rulebook, since + 1), choices(here, rulebook, since + 1))


def _witness(history: History, action: ActionNumber) -> str:
    """Which stored entry counts for an action, "" if none does."""
    entry = history.effective(action)
    return entry.hash if entry else ""


# What came of a choice.


def _comes_out_the_same(pair: Pair, names: Names) -> bool:
    """Whether the events are the same, or at least all that the log says of them."""
    assert pair.canon is not None
    assert pair.fork is not None
    there, here = pair.canon.entry, pair.fork.entry
    return _outcome(there) == _outcome(here) or _said(there, names) == _said(here, names)


def _said(entry: RecordedEntry, names: Names) -> tuple[str, str, str, int]:
    told = describe(entry, names)
    return told.who, told.dice, told.result, told.success


def _outcome(entry: RecordedEntry) -> tuple[Event, ...]:
    """The events of an entry without what says only where dice came from, or by which rules a campaign begins."""
    return tuple(_bare(event) for event in entry.events if not isinstance(event, _NO_OUTCOME))


_NO_OUTCOME = (events.CampaignStarted, events.RulesetAdopted, events.DiceRevealed)


def _bare(event: Event) -> Event:
    if isinstance(event, events.DiceRolled):
        return attrs.evolve(event, sources=(), occasion="", repeat=0)
    if isinstance(event, events.SessionOpened):
        return attrs.evolve(event, identity="", nonce="", commit_table="", commit_screen="")
    if isinstance(event, events.SessionClosed):
        return attrs.evolve(event, counts=())
    if isinstance(event, events.NoteWritten):
        return attrs.evolve(event, salt="")
    return event


def _remarks(found: tuple[Choice, ...]) -> Iterator[Remark]:
    for choice in found:
        header = choice.entry
        parts = header.reason.split("; ")
        why = next((part for part in parts if part.startswith(_NOTES)), "")
        if why.startswith(NOT_PLAYED):
            why = header.reason[header.reason.index(NOT_PLAYED) :]
        if why:
            yield Remark(choice, why)


_NOTES = (NOT_PLAYED, PLAYED_WITHOUT, CROSSED)


def _is_left(choice: Choice) -> bool:
    """Whether an action stands here only so that numbers stay what they are: canon undid it."""
    header = choice.entry
    return (
        header.is_outcome
        and header.provenance == "ruling"
        and all(isinstance(event, events.RulingMade) for event in choice.entry.events)
    )


# What has become of everybody.


def _statuses(canon: CampaignState, here: CampaignState, rulebook: Rulebook) -> Iterator[CharacterStatus]:
    for name in dict.fromkeys((*canon.characters, *here.characters)):
        statuses = [_status(moment, name, rulebook) for moment in (canon, here)]
        if statuses[0] != statuses[1]:
            known = canon.characters.get(name) or here.characters[name]
            yield CharacterStatus(name, known.name, *statuses)


def _status(moment: CampaignState, name: str, rulebook: Rulebook) -> str:
    """By the conditions that the rules of the moment call so, see ``Crossing.conditions``."""
    who = moment.characters.get(name)
    if who is None:
        return GONE
    ruleset = rulebook.ruleset_of(moment)
    called = ruleset.crossing.conditions if ruleset and ruleset.crossing else {}
    if who.has(called.get("dead", "dead")):
        return DEAD
    return DOWN if who.has(called.get("unconscious", "unconscious")) else WELL


def _tallies(canon: CampaignState, here: CampaignState) -> Iterator[Tally]:
    for name, who in canon.characters.items():
        other = here.characters.get(name)
        if other is None:
            continue
        yield from _counted(name, who.name, "xp", who.experience, other.experience)
        yield from _counted(name, who.name, "level", who.level, other.level)
        yield from _counted(name, who.name, "hit points lost", who.lost, other.lost)
        for pool in dict.fromkeys((*who.pools, *other.pools)):
            yield from _counted(name, who.name, pool, who.pools.get(pool, 0), other.pools.get(pool, 0))
    for pool in dict.fromkeys((*canon.pools, *here.pools)):
        yield from _counted("", "GM", pool, canon.pools.get(pool, 0), here.pools.get(pool, 0))


def _counted(character: str, name: str, what: str, canon: int, here: int) -> Iterator[Tally]:
    if canon != here:
        yield Tally(character, name, what, canon, here)
