"""Somebody who can compute can chain a false history; the rules do not give what it records."""

from __future__ import annotations

import attrs
import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.dice_audit import audit_dice
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import CheckResolved, DamageTaken, DiceRevealed, Event, SessionOpened
from rollbook.domain.rules.ruleset import Ruleset
from tests.support.audits import FAILED, UNPROVEN, VERIFIED, rules
from tests.support.campaigns import rewritten_history
from tests.support.toy import TOY
from tests.support.toy_table import ToyTable, session_seeds


def test_recorded_events_that_were_altered_are_found_by_the_rules(played: Campaign) -> None:
    def worse(event: Event) -> Event:
        return attrs.evolve(event, amount=event.amount + 1) if isinstance(event, DamageTaken) else event

    answer = rules(rewritten_history(played, worse))
    assert answer.verdict is FAILED
    hits = {entry.number for entry in played.history.entries if any(isinstance(f, DamageTaken) for f in entry.events)}
    assert hits <= {finding.entry for finding in answer.findings}


def test_a_success_that_was_none_an_event_too_many_and_one_too_few_are_found(played: Campaign) -> None:
    def turned(event: Event) -> Event:
        return attrs.evolve(event, success=not event.success) if isinstance(event, CheckResolved) else event

    def missing(event: Event) -> Event | None:
        return None if isinstance(event, CheckResolved) else event

    assert rules(rewritten_history(played, turned)).verdict is FAILED
    assert rules(rewritten_history(played, missing)).verdict is FAILED


def test_another_intent_is_found(played: Campaign) -> None:
    def other(entry: RecordedEntry) -> RecordedEntry:
        if entry.intent.verb == "attack":
            return entry._replace(intent=attrs.evolve(entry.intent, params={**entry.intent.params, "target": "marian"}))
        return entry

    assert rules(rewritten_history(played, lambda event: event, other)).verdict is FAILED


@pytest.mark.parametrize(("verb", "param"), [("take-seat", "role"), ("attack", "weapon"), ("adjust", "by")])
def test_an_intent_that_breaks_the_rules_is_found_and_stops_nothing(played: Campaign, verb: str, param: str) -> None:
    """Nobody was ever asked for it: the rules believe what was checked at the door."""

    def odd(entry: RecordedEntry) -> RecordedEntry:
        if entry.intent.verb != verb:
            return entry
        return entry._replace(intent=attrs.evolve(entry.intent, params={**entry.intent.params, param: ("x",)}))

    entries = list(map(odd, played.session.log.entries()))
    assert entries != list(played.session.log.entries())
    answer = rules(entries)
    assert answer.verdict is FAILED
    assert answer.covered == answer.entries == len(entries)


def test_an_action_that_the_rules_refuse_is_found() -> None:
    table = ToyTable()
    table.do("spend-token", who="robin")
    entries = [entry for entry in table.history.entries if not isinstance(entry.events[0], SessionOpened)]
    renumbered = [entry._replace(number=at, action=at) for at, entry in enumerate(entries, 1)]
    answer = rules(renumbered)
    assert answer.verdict is FAILED
    assert "but the rules say: Robin cannot spend a token" in answer.findings[0].text


@pytest.mark.parametrize("ruleset", [attrs.evolve(TOY, version="2"), None])
def test_rules_that_are_not_installed_in_that_version_prove_nothing(played: Campaign, ruleset: Ruleset | None) -> None:
    answer = rules(played.history.entries, ruleset)
    assert (answer.verdict, answer.checked) == (UNPROVEN, sum(e.is_outcome for e in played.history.entries))
    said = "version 2 is installed" if ruleset else "it is not installed"
    assert all(said in finding.text for finding in answer.findings)


def test_what_a_seat_may_not_do_is_found_also_in_a_revision() -> None:
    table = ToyTable()
    table.do("roll", seat="mira", expression="1d20")
    action = table.history.actions
    table.amend(action, expression="1d20 + 1")
    assert rules(table.history.entries).verdict is VERIFIED
    first, last = table.history.entries[-2:]
    assert first.kind is EntryKind.TAKEN
    assert last.kind is EntryKind.REVISED
    forged = first._replace(seat="watcher")
    answer = rules([*table.history.entries[:-2], forged, last])
    assert "a spectator takes no actions" in answer.findings[0].text


def test_a_reveal_alone_does_not_close_a_session() -> None:
    table = ToyTable()
    table.do("bet", who="robin", dice=1)
    revealed = DiceRevealed(session=1, seed=session_seeds(1)[0].hex())
    last = table.history.entries[-1]
    entries = [*table.history.entries[:-1], last._replace(events=(*last.events, revealed))]
    assert audit_dice(entries).verdict is VERIFIED
