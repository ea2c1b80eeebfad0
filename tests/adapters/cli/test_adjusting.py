"""A sheet is adjusted in the action where it went wrong."""

from __future__ import annotations

import pytest


def test_a_sheet_is_adjusted_in_the_action_where_it_went_wrong(table) -> None:
    done = table("amend 9 --adjust 'robin hp=-2' --adjust 'robin pool:token=+1' --why 'a splinter' --yes --json").data
    moved = {(change["character"], change["label"]) for change in done["changes"]}
    assert ("robin", "Hit points") in moved
    assert [each["what"] for each in done["consequences"][0]["adjusted"]] == ["hp", "pool:token"]
    assert "robin hp −2   robin pool:token +1" in table("amend 9 text=ouch --why again --preview").out
    assert "a splinter" in table("log --all").out
    out = table("amend 9 --no-adjust --why 'no splinter' --yes").out
    assert "Hit points" in out
    assert table("audit --json").code == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("amend 9 --adjust 'robin hp' --why x --yes", 2, "WHO WHAT=+N"),
        ("amend 9 --adjust 'nobody hp=1' --why x --yes", 3, "nobody"),
        ("amend 4 --adjust 'robin hp=1' --why x --yes", 3, "There is no character"),
        ("amend 4 title=Second --why x --yes", 4, "cannot be undone or changed"),
        ("amend 9 --why x --yes", 2, "--adjust"),
        ("amend 8 --adjust 'robin hp=1' --why x --yes --seat Mira", 4, "Only the GM can adjust a sheet"),
    ],
)
def test_an_adjustment_that_cannot_be_made_says_why(table, words: str, code: int, said: str) -> None:
    answer = table(words)
    assert (answer.code, said in answer.err) == (code, True), answer.err
