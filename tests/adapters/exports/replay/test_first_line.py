"""The first line of an answer says what is proven and what is not: of honest pages, part by part."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.timelines.rerun import rerun
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.example_sessions import EXAMPLE_SESSIONS, played_example
from tests.support.pages import DESK, PHONE, Opened, needs_chromium
from tests.support.replay_answers import ONLY_OF_THE_RULES, PROVEN, Answer, answer_to, answered
from tests.support.replay_pages import frames_of, replay_file

pytestmark = needs_chromium


def sorts_in(answer: Answer) -> dict[str, int]:
    """How many values of each sort only the rules give, of a page on which nothing else is open."""
    verdict, line = answer
    found = re.fullmatch(ONLY_OF_THE_RULES, line)
    assert verdict == "UNPROVEN" and found, answer
    sorts = {what: int(many) for what, many in (each.rsplit(" ", 1) for each in found[2].split(", "))}
    assert sum(sorts.values()) == int(found[1])
    return sorts


@pytest.mark.parametrize("seat", [None, ""])
@pytest.mark.parametrize("name", EXAMPLE_SESSIONS)
def test_of_an_honest_page_only_what_the_rules_alone_give_is_open(
    opened: Opened, tmp_path: Path, name: str, seat: str | None
) -> None:
    path = replay_file(played_example(name, tmp_path), tmp_path / "page.html", seat)
    assert all(sorts_in(answer_to(opened, path)).values())


def test_each_sort_is_counted_with_what_is_drawn_of_it(opened: Opened, page_file: Path) -> None:
    assert sorts_in(answer_to(opened, page_file)) == {
        "maximum hit points": 7,
        "words of verbs": 12,
        "what can be spent": 11,
        "who may be next": 24,
        "what is left of a turn": 22,
        "what the game counts": 2,
    }


def test_a_turn_of_which_nothing_is_left_is_counted_too(opened: Opened, page_file: Path) -> None:
    def nothing_left(frames: dict[str, list[dict[str, dict[str, object]]]]) -> None:
        for moment in frames["changes"]:
            if moment and moment.get("fight"):
                moment["fight"]["left"] = []

    assert sorts_in(answer_to(opened, page_file, nothing_left))["what is left of a turn"] > 0


def test_a_page_that_draws_nothing_of_the_rules_is_verified(opened: Opened, tmp_path: Path) -> None:
    campaign = memory_book(tmp_path).new("Quiet", "toy")
    campaign.do("open-session", {"title": "first"})
    campaign.do("roll", {"expression": "1d20"})
    campaign.do("close-session")
    campaign.session.project()
    verdict, line = answer_to(opened, replay_file(campaign, tmp_path / "page.html"))
    assert verdict == "VERIFIED"
    assert line == f"Verified: {', '.join(MEANS)}."


MEANS = (
    "no entry was changed or left out",
    "the dice are those of the revealed seeds",
    "and what is drawn follows from the entries",
)


def test_dice_that_are_not_revealed_are_said_first(opened: Opened, tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("roll", {"expression": "1d20"})
    campaign.session.project()
    verdict, line = answer_to(opened, replay_file(campaign, tmp_path / "page.html"))
    assert verdict == "UNPROVEN"
    assert line.startswith(
        "Chain proven: no entry was changed or left out. Not proven: the dice of session 1 are not revealed; "
    )


WORDS = "async () => (await verifyRollbook(await rollbookSource.chain(), [], 'this page')).text"
"""The verifier's answer in its own words: a line of the chain and why it is not proven, and then the dice."""


def whispered(folder: Path) -> Path:
    """The page of a reader whom nothing vouches for an entry of, as only that reader sees it."""
    campaign = begin_campaign(memory_book(folder))
    campaign.do("note", {"text": "for the GM", "to": "gm"})
    campaign.do("note", {"text": "only for mira", "to": "mira"})
    campaign.do("close-session")
    campaign.session.project()
    return replay_file(campaign, folder / "page.html", "mira")


def played_again(folder: Path) -> Path:
    """The page of a timeline on which something was not played by its rules."""
    book = memory_book(folder)
    canon = begin_campaign(book)
    attack = canon.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira", dice=(19, 3))
    canon.do("close-session")
    canon.corrections.undo(attack.number, reason="so").apply()
    again: Campaign = rerun(book, canon, "toy")
    again.session.project()
    return replay_file(again, folder / "page.html")


@pytest.mark.parametrize("page_in", [whispered, played_again])
def test_what_the_verifier_says_is_missing_of_the_chain_is_in_the_first_line(
    opened: Opened, tmp_path: Path, page_in: Callable[[Path], Path]
) -> None:
    path = page_in(tmp_path)
    line = answer_to(opened, path)[1]
    words = opened(path).evaluate(WORDS)
    of_chain, *why = words.split("\ndice ")[0].splitlines()
    assert ("chain" in line.split(":")[0].lower()) is of_chain.startswith("chain  VERIFIED")
    assert [each for each in why if each.strip() not in line] == []


def test_an_entry_that_nothing_vouches_for_is_said_first(opened: Opened, tmp_path: Path) -> None:
    line = answer_to(opened, whispered(tmp_path))[1]
    found = re.search(r"Not proven: the chain covers (\d+) of (\d+) entries; ", line)
    assert found and int(found[2]) - int(found[1]) == 1, line


@pytest.mark.parametrize("why", [["no entry is here"], ["other rules played it again", "a filter left out 3"], []])
def test_each_reason_of_the_verifier_comes_before_what_is_open_in_the_drawing(
    opened: Opened, page_file: Path, why: list[str]
) -> None:
    own = [json.dumps(frames_of(page_file))]
    ((verdict, line),) = answered(opened, page_file, own, why)
    assert verdict == "UNPROVEN"
    said = "; ".join(why or ["the chain"])
    assert line.startswith(
        f"Dice proven: the dice are those of the revealed seeds. Not proven: {said}; 78 drawn values that only the rules give"
    )


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_first_line_is_plain_where_only_the_drawing_is_open(
    opened: Opened, page_file: Path, size: tuple[int, int]
) -> None:
    page = opened(page_file, "#verify", size=size)
    page.wait_for_selector("#answer[data-verdict=UNPROVEN]")
    assert page.inner_text("#answer .stamp").replace("\n", " ").startswith(PROVEN)
    assert page.inner_text("#seal").strip() == "Chain and dice proven"
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
