"""One command does everything once: it reads the head, looks the verb up, builds the action, folds it and writes its line."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from rollbook.adapters.line_commands.views import performed
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.lines import performing
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.state.fold import Draft
from rollbook.projections import log_rows

ROOT = Path(__file__).parents[3]
ATTACK = "attack robin guard longbow --distance 40 --seat Mira"
FOR_OTHERS = (
    *("rollbook.application.lines.short_forms", "rollbook.application.lines.seat_view"),
    *("rollbook.application.history.timeline_dice", "rollbook.application.playing.foresight"),
    *("rollbook.application.visibility.sight", "rollbook.domain.audit.chain_audit", "rollbook.domain.audit.receipts"),
)
"""Modules for Tab, timelines, forecasts, what a seat sees, and audits."""


@pytest.fixture
def counts(table, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often something was done since."""
    found: Counter[str] = Counter()

    def count(owner: Any, name: str, what: str) -> None:
        monkeypatch.setattr(owner, name, counted(getattr(owner, name), what))

    def counted(function: Callable[..., Any], what: str) -> Callable[..., Any]:
        def call(*args: Any, **rest: Any) -> Any:
            found[what] += 1
            return function(*args, **rest)

        return call

    rulesets: dict[str, Ruleset] = {}
    ruleset_of = Rulebook.ruleset_of

    def with_counted_sheets(book: Rulebook, state: Any) -> Ruleset | None:
        ruleset = ruleset_of(book, state)
        if ruleset is not None and ruleset.key not in rulesets:
            rulesets[ruleset.key] = attrs.evolve(ruleset, sheet=counted(ruleset.sheet, "sheets"))
        return ruleset and rulesets[ruleset.key]

    monkeypatch.setattr(Rulebook, "ruleset_of", with_counted_sheets)
    count(EntryLog, "state", "heads")
    count(SQLiteReadModel, "snapshot", "snapshots")
    count(Rulebook, "verbs", "verbs")
    count(Rulebook, "verb", "verbs")
    count(performing, "build", "actions")
    count(Draft, "apply", "folds")
    count(Draft, "take", "folds")
    count(log_rows, "row", "rows")
    count(performed, "row", "rows")
    return found


def test_an_action_is_taken_with_everything_done_once(table, counts: Counter[str]) -> None:
    answer = table(f"do {ATTACK} --dice 14,4 --json")
    assert answer.code == 0
    folded = len(answer.data["events"])
    assert folded > 2
    assert counts == {
        "heads": 1,
        "snapshots": 1,
        "verbs": 1,
        "actions": 1,
        "rows": 1,
        "folds": folded,
        "sheets": 1,  # the guard's, for the read model
    }


def test_what_changed_on_a_sheet_is_shown_from_the_sheet_before_and_the_one_that_was_projected(table, counts) -> None:
    assert "Guard: Hit points" in table(f"do {ATTACK} --dice 14,4").out
    assert (counts["sheets"], counts["rows"], counts["heads"]) == (2, 1, 1)


def test_a_question_reads_the_head_once_and_folds_nothing(table, counts: Counter[str]) -> None:
    assert table("status").code == 0
    assert (counts["heads"], counts["snapshots"], counts["folds"]) == (1, 1, 0)


def test_a_sheet_and_the_log_that_are_projected_are_shown_without_opening_the_campaign(table, counts) -> None:
    assert "Robin" in table("sheet").out
    assert "Robin" in table("sheet robin").out
    assert "begins the campaign" in table("log").out
    assert not counts


def test_each_line_of_a_script_looks_its_verb_up_once(table, counts: Counter[str], home) -> None:
    script = home / "two.session"
    script.write_text(f"{ATTACK} ! 14 4\n{ATTACK} ! 15 4\n", encoding="utf-8")
    assert table(f"play {script}").code == 0
    assert counts["verbs"] <= 2
    assert counts["actions"] == 2
    assert counts["heads"] == 3, "one for the campaign, and one for each line, because others may play meanwhile"


@pytest.mark.process
def test_who_plays_on_imports_nothing_that_is_for_others(table) -> None:
    table(f"do {ATTACK} --dice 14,4")
    words = f"do {ATTACK.removesuffix(' --seat Mira')} --dice 15,4".split()
    code = f"import sys; from rollbook import main; sys.argv[1:] = {words!r}; main(); "
    code += "print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "Guard: Hit points" in done.stdout
    assert not [name for name in done.stderr.split() if name in FOR_OTHERS]
