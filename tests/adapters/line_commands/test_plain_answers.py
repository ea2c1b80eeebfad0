"""A line is answered with plain text from the campaign's own book: nothing of the user's is touched, and nothing is printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rollbook.adapters.line_commands.plain_answer import PlainAnswer
from rollbook.adapters.local_files import paths
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from tests.support.campaigns import begin_campaign, campaign_over, file_book


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own store, which is another one than the campaign's."""
    store = tmp_path / "users" / "mine.db"
    monkeypatch.setenv("ROLLBOOK_STORE", str(store))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with open_book(store, tmp_path / "users" / "seeds") as mine:
        mine.new("Mine", "grid")
    return store


def test_a_backup_is_of_the_store_that_the_campaign_is_in(elsewhere: Path, tmp_path: Path) -> None:
    begin_campaign(file_book(tmp_path)).say(f"backup {tmp_path / 'copy.db'}")
    with open_book(tmp_path / "copy.db", tmp_path / "seeds") as copy:
        assert copy.campaigns() == ("sherwood",)


def test_a_campaign_in_no_file_has_no_backup(elsewhere: Path, tmp_path: Path, campaign: Campaign) -> None:
    with pytest.raises(RollbookError, match=r"^This command is for a store in a file\."):
        campaign.say(f"backup {tmp_path / 'copy.db'}")
    assert not (tmp_path / "copy.db").exists()


def test_no_line_changes_which_campaign_the_user_goes_on_with(elsewhere: Path, tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    for line in ("fork", "x-card", "x-card --resume", "gain-token robin"):
        assert campaign.say(line).text
    assert (paths.last_used(elsewhere), paths.last_used(tmp_path / "rollbook.db")) == ("", "")


def test_nobody_can_be_asked_and_no_file_goes_to_stdout(book: Book, campaign: Campaign) -> None:
    answer = PlainAnswer(book, campaign, None)
    for ask in (answer.ask, answer.agree, answer.agree_after_looking):
        with pytest.raises(RollbookError, match=r"^Nobody is there to be asked\.$"):
            ask("Well?")
    with pytest.raises(RollbookError, match=r"^- is where the command line answers\. Name a file\.$"):
        campaign.say("export -")


def test_a_remark_is_a_part_of_the_answer_as_text_and_as_json(
    book: Book, campaign: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = PlainAnswer(book, campaign, None)
    answer.warn("Not everything\x1b[2J can be shown.")
    answer.json = True
    answer.warn("It is \u202ereversed.")
    text, line = answer.text.splitlines()
    assert text == "Not everything [2J can be shown."
    assert line.isprintable()
    assert json.loads(line) == {"remark": "It is \u202ereversed."}
    assert capsys.readouterr() == ("", "")


def test_a_campaign_that_nobody_can_say_a_line_to_says_so(campaign: Campaign) -> None:
    session = campaign.session
    alone = campaign_over(session.log, session.rulebook, session.dice.seeds, session.read_model)
    with pytest.raises(RollbookError, match=r"^This campaign was opened without what carries out lines\."):
        alone.say("gain-token robin")
    assert campaign.state.characters["robin"].name == "Robin"
