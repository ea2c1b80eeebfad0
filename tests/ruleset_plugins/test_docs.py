"""The pages of the rulesets in ``docs/rulesets`` say what the rulesets, their data and their tests say today."""

from __future__ import annotations

import pytest

from tests.support.proofs import RULESETS
from tests.support.ruleset_pages import COMMAND, DOCS, LIST, TESTS, list_of, markdown_table, page_of

pytestmark = pytest.mark.process  # which tests prove what is collected in a process, once for all


@pytest.mark.parametrize("key", RULESETS)
def test_the_page_of_a_ruleset_is_up_to_date(key: str) -> None:
    file = DOCS / f"{key}.md"
    written = file.read_text(encoding="utf-8") if file.exists() else ""
    assert written.splitlines() == page_of(key).splitlines(), f"Write the page again: {COMMAND} {key}"


@pytest.mark.parametrize("key", RULESETS)
def test_the_list_of_rules_beside_the_tests_is_up_to_date(key: str) -> None:
    file = TESTS / key / LIST
    written = file.read_text(encoding="utf-8") if file.exists() else ""
    assert written.splitlines() == list_of(key).splitlines(), f"Write the list again: {COMMAND} {key}"


def test_a_cell_of_a_table_may_hold_what_separates_cells() -> None:
    assert markdown_table(("a", "b"), [("x|y", "z")]) == ["| a | b |", "| --- | --- |", "| x\\|y | z |"]
