"""Comparison of a timeline with canon: different outcomes, deaths, sheets, and actions without a meaning there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from rollbook.application.history.timeline_marker import Marker
from rollbook.application.timelines.forking import marker_of
from rollbook.application.timelines.play_order import END_TURN
from rollbook.application.timelines.rerun import CROSSED, MOVED, NOT_PLAYED, PLAYED_WITHOUT
from rollbook.domain import events
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.sheet_changes import SheetChange, sheet_changes
from rollbook.domain.corrections.timeline_choices import (
    Choice,
    Pair,
    actions_until,
    aligned,
    choice_of,
    choices,
    numbered,
)
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.domain.state.lookup import shown_names
from rollbook.projections.acts import Names
from rollbook.projections.log_lines import Teller

if TYPE_CHECKING:
    from rollbook.application.book import Book
    from rollbook.application.view import CampaignView

LOST = "hit points lost"
DEAD, DOWN, WELL, GONE = "dead", "down", "alive", "not there"


@attrs.frozen
class Remark(Record):
    """An action that could not be played as it was meant, and why."""

    choice: Choice
    why: str


@attrs.frozen
class CharacterStatus(Record):
    """The status of a character: on canon and here."""

    character: str
    name: str
    canon: str
    here: str


@attrs.frozen
class Tally(Record):
    """One of the first numbers to compare: experience, levels, hit points lost, tokens and other pools."""

    character: str
    name: str
    what: str
    canon: int
    here: int


@attrs.frozen(kw_only=True)
class TimelineComparison(Record):
    """The whole report. ``since`` is the last action before the fork.

    ``differences`` are choices that were made on canon and on the timeline; ``same`` counts those that came out the
    same. Of a rerun ``asked`` counts canon's choices and ``played`` those that could be played. ``undecided`` are
    characters whose fate or wounds depend on an action that could not be played: the report leaves theirs out.
    """

    timeline: str
    canon: str
    marker: Marker
    since: int
    is_one_game: bool
    differences: tuple[tuple[Choice, Choice], ...]
    only_canon: tuple[Choice, ...]
    only_here: tuple[Choice, ...]
    statuses: tuple[CharacterStatus, ...]
    tallies: tuple[Tally, ...]
    changes: tuple[SheetChange, ...]
    meaningless: tuple[Remark, ...]
    remarks: tuple[Remark, ...]
    same: int
    asked: int = 0
    played: int = 0
    undecided: tuple[str, ...] = ()


def compare(book: Book, timeline: CampaignView) -> TimelineComparison:
    """A timeline beside what it was forked from, as both are now. Raises Refused for canon itself."""
    marker = marker_of(timeline)
    canon = book.campaign(marker.parent)
    rulebook = book.rulebook
    timeline.refresh()
    there, here = canon.history, timeline.history
    since = actions_until(there, marker.entry)
    names = {**shown_names(there.state.characters.values()), **shown_names(here.state.characters.values())}
    found = list(_pairs(there, here, marker, rulebook))
    on_both = [(pair.canon, pair.timeline) for pair in found if pair.canon and pair.timeline]
    is_one_game = there.state.ruleset == here.state.ruleset
    if not is_one_game:  # each game has an order of turns of its own
        on_both = [both for both in on_both if both[0].intent.verb != END_TURN]
    different = [both for both in on_both if not _come_out_the_same(*both, names)]
    remarks = list(_remarks(choices(here, rulebook, here.played_at(marker.entry))))
    has_remark = {remark.choice.action for remark in remarks}
    meaningless = tuple(each for each in remarks if each.why.startswith(NOT_PLAYED))
    unplayed = {canon_number(each.choice) for each in meaningless}
    undecided = set(_hurt_by(there, unplayed))
    asked = sum(pair.canon is not None for pair in found) if marker.ruleset else 0
    return TimelineComparison(
        timeline=timeline.id,
        canon=canon.id,
        marker=marker,
        since=since,
        is_one_game=is_one_game,
        differences=tuple(both for both in different if both[1].action not in has_remark),
        only_canon=tuple(pair.canon for pair in found if pair.canon and not pair.timeline),
        only_here=tuple(
            pair.timeline for pair in found if pair.timeline and not pair.canon and not _is_left(pair.timeline)
        ),
        statuses=tuple(one for one in _statuses(there.state, here.state, rulebook) if one.character not in undecided),
        tallies=tuple(
            one for one in _tallies(there.state, here.state) if one.what != LOST or one.character not in undecided
        ),
        changes=tuple(sheet_changes(there.state, here.state, rulebook)),
        meaningless=meaningless,
        remarks=tuple(each for each in remarks if not each.why.startswith(NOT_PLAYED)),
        same=len(on_both) - len(different),
        asked=asked,
        played=asked - len(unplayed) if asked else 0,
        undecided=tuple(names[who] for who in names if who in undecided),
    )


def _pairs(there: History, here: History, marker: Marker, rulebook: Rulebook) -> Iterator[Pair]:
    """Pairs of all choices that may differ: by number up to the fork, by their meaning after it."""
    if marker.ruleset:
        known = choices(there, rulebook), choices(here, rulebook)
        many = there.actions
        again = [choice for choice in known[1] if choice.action <= many]
        yield from numbered(known[0], again, canon_number)
        yield from (Pair(None, choice) for choice in known[1] if choice.action > many)
        return
    for action in range(1, actions_until(there, marker.entry) + 1):
        if _witness(there, action) != _witness(here, action):
            mine, yours = (choice_of(history, action, rulebook) for history in (there, here))
            if mine or yours:
                yield Pair(mine, yours)
    yield from (Pair(choice_of(there, action, rulebook), None) for action in there.inserted_since(marker.entry))
    yield from (Pair(None, choice_of(here, action, rulebook)) for action in here.inserted_since(marker.entry))
    after = (choices(history, rulebook, history.played_at(marker.entry)) for history in (there, here))
    yield from aligned(*after)


def _witness(history: History, action: ActionNumber) -> str:
    entry = history.effective(action)
    return entry.hash if entry else ""


def canon_number(choice: Choice) -> ActionNumber:
    """The number on canon of an action of a rerun: its own, unless it was played in the place of another."""
    moved = re.search(rf"{re.escape(MOVED)}(\d+)", choice.entry.reason)
    return int(moved[1]) if moved else choice.action


def _hurt_by(canon: History, unplayed: Collection[ActionNumber]) -> Iterator[str]:
    """The characters whom actions of canon hurt, healed, put down or brought back that could not be played."""
    for action in unplayed:
        entry = canon.effective(action)
        yield from (event.character for event in (entry.events if entry else ()) if isinstance(event, _FATE))


_FATE = (
    events.DamageTaken,
    events.HitPointsRestored,
    events.HitPointsCorrected,
    events.ConditionBegan,
    events.ConditionEnded,
)
"""The events that decide a character's fate."""


# What came of a choice.


def _come_out_the_same(canon: Choice, here: Choice, names: Names) -> bool:
    """True if the events are the same, or at least all that the log says of them."""
    one, other = canon.entry, here.entry
    return _outcome(one) == _outcome(other) or _said(one, names) == _said(other, names)


def _said(entry: RecordedEntry, names: Names) -> tuple[str, str, int]:
    line = Teller(names).text(entry)
    return line.sentence, line.dice, line.success


def _outcome(entry: RecordedEntry) -> tuple[Event, ...]:
    """The events of an entry without what says only where dice came from, or by which rules a campaign begins."""
    compared = (event for event in entry.events if not isinstance(event, _NO_OUTCOME))
    return tuple(attrs.evolve(event, **_NO_DIFFERENCE.get(type(event), {})) for event in compared)


_NO_OUTCOME = (events.CampaignStarted, events.RulesetAdopted, events.DiceRevealed)
_NO_DIFFERENCE: Mapping[type[Event], Mapping[str, Any]] = {
    events.DiceRolled: {"sources": (), "occasion": "", "repeat": 0},
    events.SessionOpened: {"identity": "", "nonce": "", "commit_table": "", "commit_screen": ""},
    events.SessionClosed: {"counts": ()},
    **{kind: {"salt": ""} for kind in events.REMOVABLE},
}
"""The fields of an event that make no difference."""


def _remarks(found: tuple[Choice, ...]) -> Iterator[Remark]:
    for choice in found:
        reason = choice.entry.reason
        why = next((part for part in reason.split("; ") if part.startswith(_NOTES)), "")
        if why.startswith(NOT_PLAYED):
            why = reason[reason.index(NOT_PLAYED) :]
        if why:
            yield Remark(choice, why)


_NOTES = (NOT_PLAYED, PLAYED_WITHOUT, CROSSED)


def _is_left(choice: Choice) -> bool:
    """True if an action is here only to keep the numbers, because canon undid it."""
    entry = choice.entry
    is_ruling = entry.is_outcome and entry.provenance == "ruling"
    return is_ruling and all(isinstance(event, events.RulingMade) for event in entry.events)


# What has become of everybody.


def _statuses(canon: CampaignState, here: CampaignState, rulebook: Rulebook) -> Iterator[CharacterStatus]:
    for name in dict.fromkeys((*canon.characters, *here.characters)):
        statuses = [_status(moment, name, rulebook) for moment in (canon, here)]
        if statuses[0] != statuses[1]:
            known = canon.characters.get(name) or here.characters[name]
            yield CharacterStatus(name, known.name, *statuses)


def _status(moment: CampaignState, name: str, rulebook: Rulebook) -> str:
    """The status of a character, by what the rules of the moment call its conditions (``Crossing.conditions``)."""
    who = moment.characters.get(name)
    if who is None:
        return GONE
    ruleset = rulebook.ruleset_of(moment)
    called = ruleset.crossing.conditions if ruleset and ruleset.crossing else {}
    if who.has(called.get("dead", "dead")):
        return DEAD
    return DOWN if who.has(called.get("unconscious", "unconscious")) else WELL


def _tallies(canon: CampaignState, here: CampaignState) -> Iterator[Tally]:
    called = shown_names(canon.characters.values())
    for name, who in canon.characters.items():
        other = here.characters.get(name)
        if other is not None:
            yield from _differing(name, called[name], _numbers(who), _numbers(other))
            yield from _differing(name, called[name], who.pools, other.pools)
    yield from _differing("", "GM", canon.pools, here.pools)


def _numbers(who: Character) -> Mapping[str, int]:
    return {"xp": who.experience, "level": who.level, LOST: who.lost}


def _differing(character: str, name: str, canon: Mapping[str, int], here: Mapping[str, int]) -> Iterator[Tally]:
    for what in dict.fromkeys((*canon, *here)):
        if canon.get(what, 0) != here.get(what, 0):
            yield Tally(character, name, what, canon.get(what, 0), here.get(what, 0))
