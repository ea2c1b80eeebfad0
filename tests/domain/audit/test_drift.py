"""Under another version of the rules, what would come out differently is listed and never applied; it proves nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rollbook.application.book import Book
from rollbook.domain.audit.answers import Answer, Verdict
from rollbook.domain.entries import EntryKind
from rollbook.domain.events import HitPointsRestored
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.table import Table
from rollbook.rulesets import storytoken
from rollbook.rulesets.storytoken.fight import attack
from tests.support import toy
from tests.support.audits import audit_rules
from tests.support.golden_campaigns import BY_TODAYS_RULES, GOLDEN_CAMPAIGNS, OLDER_RULES, imported_book
from tests.support.random_steps import RandomSteps
from tests.support.toy import TOY
from tests.support.toy_table import ToyTable, play_random_steps


class GentleAttack(toy.Attack, verb="attack"):
    """The toy's attack; the target gets a point back."""

    def resolve(self, table: Table) -> None:
        before = table.character(self.target).lost
        super().resolve(table)
        if table.character(self.target).lost > before:
            table.record(HitPointsRestored(character=self.target, amount=1))


class NoTokens(toy.SpendToken, verb="spend-token"):
    """Nobody spends a token any more."""

    def resolve(self, table: Table) -> None:
        table.refuse("Tokens are abolished.")


class GreedyBet(toy.Bet, verb="bet"):
    """A bet takes one die more than before."""

    def resolve(self, table: Table) -> None:
        table.roll(f"{self.dice + 1}d6", roller=self.who, purpose="bet")


class ShortShot(attack.Attack, verb="attack"):
    """No arrow flies farther than twenty feet."""

    def resolve(self, table: Table) -> None:
        if self.distance > 20:
            table.refuse("Nobody shoots that far.")
        super().resolve(table)
        table.record(HitPointsRestored(character=self.target, amount=1))


def changed(ruleset: Ruleset, *verbs: type[Action]) -> Ruleset:
    """The next version of a ruleset, with some of its verbs replaced."""
    new = {verb.verb: verb for verb in verbs}
    actions = tuple(new.get(action.verb, action) for action in ruleset.actions)
    return attrs.evolve(ruleset, version=f"{ruleset.version}.1", actions=actions)


def audited(table: ToyTable, ruleset: Ruleset) -> Answer:
    return audit_rules(table.history.entries, Rulebook({ruleset.key: ruleset}))


@pytest.fixture
def table() -> ToyTable:
    """A blow that lands, a bet, a token, and another blow."""
    table = ToyTable()
    table.do("attack", attacker="robin", target="guard", typed=(15, 4))
    table.do("bet", who="marian", dice=2, typed=(3, 5))
    table.do("spend-token", who="robin")
    table.do("attack", attacker="robin", target="guard", typed=(16, 5))
    return table


def test_a_version_that_decides_the_same_proves_nothing_and_drifts_nowhere(table: ToyTable) -> None:
    answer = audited(table, attrs.evolve(TOY, version="2"))
    many = sum(entry.is_outcome for entry in table.history.entries)
    assert answer.verdict is Verdict.UNPROVEN
    assert [finding.text for finding in answer.findings] == [
        f"played by toy 1 ({many} outcomes); version 2 is installed"
    ]
    assert f"{many} outcomes of toy 1 come out the same under 2" in answer.remarks


def test_each_action_that_would_come_out_differently_is_named_with_what_would_be_different(table: ToyTable) -> None:
    answer = audited(table, changed(TOY, GentleAttack))
    blows = [entry for entry in table.history.entries if _verb(entry) == "attack"]
    told = [
        f"#{entry.action} attack would come out differently: hit points restored (guard): none → amount 1"
        for entry in blows
    ]
    assert answer.verdict is Verdict.UNPROVEN
    assert [(finding.entry, finding.text) for finding in answer.findings[1:]] == list(
        zip([entry.number for entry in blows], told, strict=True)
    )
    assert any(remark.endswith("2 would not (nothing is changed by it)") for remark in answer.remarks)


def test_an_action_that_the_new_rules_refuse_is_named_with_their_reason(table: ToyTable) -> None:
    (drift,) = audited(table, changed(TOY, NoTokens)).findings[1:]
    assert drift.text.endswith("spend-token would be refused now: Tokens are abolished.")


def test_an_action_that_would_need_another_die_says_which(table: ToyTable) -> None:
    (drift,) = audited(table, changed(TOY, GreedyBet)).findings[1:]
    assert drift.text.endswith("bet would now need a d6 that was never rolled (bet)")


def test_what_follows_a_drifted_action_is_judged_on_what_was_recorded(table: ToyTable) -> None:
    """The token that could not be spent today was spent: robin's second blow has its skill, as it had."""
    drifted = audited(table, changed(TOY, NoTokens)).findings[1:]
    assert len(drifted) == 1
    table.do("heal", who="guard", typed=(4,))
    again = audited(table, changed(TOY, GentleAttack, NoTokens)).findings[1:]
    assert [finding.text.split()[1] for finding in again] == ["attack", "spend-token", "attack"]


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_changed_by_looking_and_only_the_replaced_verb_drifts(seed: int) -> None:
    table = ToyTable()
    play_random_steps(table, RandomSteps(seed), 60)
    before, state = list(table.history.entries), table.state
    answer = audited(table, changed(TOY, GentleAttack))
    assert answer.verdict is Verdict.UNPROVEN
    assert {finding.text.split()[1] for finding in answer.findings[1:]} <= {"attack"}
    assert (list(table.history.entries), table.state) == (before, state)
    assert audited(table, TOY).verdict is Verdict.VERIFIED


def test_a_history_under_two_versions_is_proven_where_it_can_be_and_counted_where_not(table: ToyTable) -> None:
    newer = attrs.evolve(TOY, version="2")
    table.ruleset, table.rulebook = newer, Rulebook({"toy": newer})
    table.do("gain-token", who="robin")
    answer = audited(table, newer)
    many = sum(entry.is_outcome for entry in table.history.entries)
    assert answer.verdict is Verdict.UNPROVEN
    assert answer.remarks[:2] == (
        f"{many} outcomes resolved again",
        f"{many - 1} outcomes of toy 1 come out the same under 2",
    )


def test_a_contradiction_under_the_installed_version_is_told_too(table: ToyTable) -> None:
    """The same version that decides something else is no drift: the record or the rules are not what they were."""
    other = attrs.evolve(changed(TOY, GentleAttack), version="1")
    answer = audited(table, other)
    assert answer.verdict is Verdict.FAILED
    assert answer.findings[0].text.endswith("hit points restored (guard): none → amount 1")


# The golden campaigns under a changed version of the games that they were played by.


@pytest.fixture
def golden(tmp_path: Path) -> Callable[[str], Book]:
    def open_(name: str) -> Book:
        (path,) = (path for path in BY_TODAYS_RULES if path.stem.startswith(name))
        return imported_book(path, tmp_path)

    return open_


@pytest.mark.parametrize("path", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
def test_every_golden_campaign_comes_out_the_same_under_a_version_that_only_has_another_number(
    path: Path, tmp_path: Path
) -> None:
    book = imported_book(path, tmp_path)
    history = book.campaign(book.campaigns()[0]).history
    newer = {
        key: attrs.evolve(ruleset, version=f"{ruleset.version}.1") for key, ruleset in book.rulebook.rulesets.items()
    }
    answer = audit_rules(history.entries, Rulebook(newer))
    assert answer.verdict is Verdict.UNPROVEN
    drifted = [finding.text for finding in answer.findings if "is installed" not in finding.text]
    known = OLDER_RULES.get(path.stem, ())
    assert [said[: len(begins)] for said, begins in zip(drifted, known, strict=True)] == list(known)


def test_a_real_game_with_one_verb_replaced_drifts_in_that_verb_alone(golden: Callable[[str], Book]) -> None:
    book = golden("sherwood")
    campaign = book.campaign(book.campaigns()[0])
    shots = [entry for entry in campaign.history.entries if entry.is_outcome and entry.intent.verb == "attack"]
    rulebook = Rulebook({**book.rulebook.rulesets, "storytoken": changed(storytoken.RULESET, ShortShot)})
    answer = audit_rules(campaign.history.entries, rulebook)
    assert [finding.entry for finding in answer.findings[1:]] == [shot.number for shot in shots]
    texts = [finding.text for finding in answer.findings[1:]]
    assert any("would be refused now: Nobody shoots that far." in text for text in texts)
    assert any("hit points restored" in text for text in texts)
    assert campaign.audit()[2].verdict is Verdict.VERIFIED


def _verb(header: object) -> str:
    return header.intent.verb if header.kind is EntryKind.TAKEN else ""
