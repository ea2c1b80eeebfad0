"""``delete-campaign`` deletes what is named, when it is said twice, and every list says so afterwards."""

from __future__ import annotations

from pathlib import Path

from tests.support.redacting import WORDS, words_on_disk
from tests.support.terminal import RunRollbook, Terminal


def test_the_command_deletes_what_is_named_and_every_list_says_so(rollbook: RunRollbook, home: Path) -> None:
    rollbook("new Sherwood --ruleset storytoken")
    rollbook(f"-c sherwood do note '{WORDS}'")
    asked = rollbook("delete-campaign sherwood")
    assert asked.code != 0
    assert "Add --yes" in asked.err
    assert words_on_disk(home)
    done = rollbook("delete-campaign sherwood --yes")
    assert done.code == 0
    assert "sherwood is deleted, with 2 entries" in done.out
    assert "was deleted for good" in rollbook("campaigns").out
    assert '"deleted": "sherwood"' in rollbook("--json campaigns").out
    assert "was deleted for good" in rollbook("-c sherwood audit").err
    assert words_on_disk(home) == []
    assert rollbook("new Sherwood --ruleset storytoken").code == 0
    assert "was deleted" not in rollbook("campaigns").out


def test_at_a_terminal_it_asks_twice_and_a_wrong_name_deletes_nothing(rollbook: RunRollbook) -> None:
    rollbook("new Sherwood --ruleset storytoken")
    for typed, is_there in (("sherwod", True), ("sherwood", False)):
        terminal = Terminal.running("delete-campaign", "sherwood")
        terminal.answer("for good?", "y")
        terminal.answer("Type its name", typed)
        terminal.ended()
        assert (rollbook("-c sherwood log").code == 0) is is_there
