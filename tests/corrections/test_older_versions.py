"""A campaign of an older version of its rules is corrected as one of today's is; only what really drifted is left as recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from rollbook.domain.audit.rules_audit import RulesAudit
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Amend, Change, Effect, Proposal, Redo, Undo
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.rules.action import actor_of, build
from rollbook.domain.rules.sheet_rulings import Adjustment
from tests.support.comparison import comparable
from tests.support.games import GameTable
from tests.support.golden_campaigns import BY_TODAYS_RULES, GOLDEN_CAMPAIGNS, OLDER_RULES, golden_table

OLDER = tuple(path for path in GOLDEN_CAMPAIGNS if path.stem in OLDER_RULES)


def by_an_older_version(table: GameTable) -> GameTable:
    """The same session as a program with an older version of the rules recorded it."""
    return GameTable.of(table.rulebook, [entry._replace(version="before") for entry in table.history.entries])


def answer(table: GameTable, changes: Mapping[int, Change]) -> Proposal | str:
    """A preview, or the sentence why there is none."""
    try:
        return table.preview(changes)
    except (Refused, NotFound, DiceNeeded) as refusal:
        return str(refusal)


def told(made: Proposal | str) -> object:
    """All that a preview says."""
    if isinstance(made, str):
        return made
    consequences = [(one.action, one.effect, one.reason) for one in made.consequences]
    entries = [entry._replace(version="") for entry in made.entries]
    return consequences, entries, made.same, made.resolved, made.skipped, comparable(made.after)


def corrections(table: GameTable) -> Iterator[dict[int, Change]]:
    """Each action undone, and every third adjusted."""
    for action in range(1, table.history.actions + 1):
        yield {action: Undo()}
        for who in list(table.history.as_corrected_to(action).characters)[:1]:
            if action % 3 == 0:
                yield {action: Amend(adjustments=(Adjustment(who=who, what="hp", by=-2),))}


@pytest.mark.parametrize("path", BY_TODAYS_RULES, ids=lambda path: path.stem)
def test_a_session_is_corrected_alike_whichever_version_recorded_it(path: Path, tmp_path: Path) -> None:
    todays = golden_table(path, tmp_path)
    older = by_an_older_version(todays)
    effects: Counter[Effect] = Counter()
    for changes in corrections(todays):
        one, other = answer(todays, changes), answer(older, changes)
        assert told(one) == told(other), changes
        if not isinstance(one, str):
            effects.update(each.effect for each in one.consequences)
    assert effects[Effect.ORPHANED]
    assert effects[Effect.CHANGED]
    assert not effects[Effect.DRIFTED]


@pytest.mark.parametrize("path", BY_TODAYS_RULES, ids=lambda path: path.stem)
def test_a_redo_is_the_same_whichever_version_recorded_it(path: Path, tmp_path: Path) -> None:
    todays = golden_table(path, tmp_path)
    redone = 0
    for action in todays.correctable()[::4]:
        one = todays.twin()
        made = answer(one, {action: Undo()})
        if isinstance(made, str):
            continue
        one.apply(made)
        orphans: dict[int, Change] = {each.action: Redo(if_possible=True) for each in made.of(Effect.ORPHANED)}
        for changes in ({action: Redo()}, {action: Redo()} | orphans):
            assert told(answer(one, changes)) == told(answer(by_an_older_version(one), changes)), changes
            redone += 1
    assert redone


def drifting(entries: Iterable[RecordedEntry], table: GameTable) -> set[int]:
    """The actions that the audit names because today's rules would decide them otherwise."""
    audit = RulesAudit(table.rulebook)
    named: set[int] = set()
    for entry in entries:
        before = len(audit.drifted)
        audit.follow(entry)
        if len(audit.drifted) > before:
            named.add(entry.action)
    return named


@pytest.mark.parametrize("path", OLDER, ids=lambda path: path.stem)
def test_a_preview_leaves_nothing_that_the_audit_does_not_name_too(path: Path, tmp_path: Path) -> None:
    table = golden_table(path, tmp_path)
    named = drifting(table.history.entries, table)
    assert named
    for changes in corrections(table):
        made = answer(table, changes)
        if not isinstance(made, str):
            assert {one.action for one in made.of(Effect.DRIFTED)} <= named | _left(table.history)


def _left(history: History) -> set[int]:
    """The actions that an earlier correction left standing, so that they do not follow from what is before them."""
    return {action for action, entry in history.outcomes() if entry is not None and not history.follows(entry)}


@pytest.mark.parametrize("path", OLDER, ids=lambda path: path.stem)
def test_nobody_goes_on_acting_whose_coming_in_was_undone(path: Path, tmp_path: Path) -> None:
    table = golden_table(path, tmp_path)
    named = drifting(table.history.entries, table) | _left(table.history)
    joined = [a for a in table.correctable() if table.history.intent_of(a).verb in ("join", "bring-in", "hire")]
    assert joined
    for action in joined:
        before, after = (set(table.history.as_corrected_to(at).characters) for at in (action - 1, action))
        made = table.twin().correct({action: Undo()})
        gone = {one.action for one in made.of(Effect.UNDONE, Effect.ORPHANED)}
        for later in range(action + 1, table.history.actions + 1):
            entry = table.history.effective(later)
            if entry is None or entry.provenance != "played" or later in gone | named:
                continue
            verb = table.rulebook.verb(table.history.state_before(later), entry.intent.verb)
            assert actor_of(build(verb, entry.intent.params)) not in after - before, (action, later)
