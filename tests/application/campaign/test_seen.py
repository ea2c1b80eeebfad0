"""A question is answered by what the seat that asks may see: what is hidden makes no difference to any answer."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from rollbook.application.campaign import Campaign
from rollbook.application.lines.line_commands import QUERY_COMMANDS
from rollbook.application.timelines import forking
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.history.history import History
from tests.support.campaigns import begin_campaign, book_with, memory_book
from tests.support.secret_tables import GAME, SECRETS, Step, do, played, two_tables

QUESTIONS = {
    "status": ("status", "status --json"),
    "recap": ("recap", "recap --json"),
    "map": ("map", "map --json"),
    "sheet": ("sheet", "sheet robin", "sheet guard --json", "sheet robin --at s1", "sheet --at 5 --as-corrected"),
    "why": ("why robin hp", "why guard hp --json"),
    "diff": ("diff s1", "diff 5 robin --as-corrected", "diff ~1"),
    "log": ("log", "log --all", "log --undone", "log --corrections", "log --json", "log who=robin", "log --search ash")
    + ("log --at s1 --all", "log --at s1 --as-corrected --json", "log --at ~1 --all"),
    "xp": ("xp", "xp --json", "xp --at s1"),
    "odds": ("odds attack robin guard", "odds attack robin ash", "odds --at s1 attack robin guard"),
    "stats": (
        "stats",
        "stats --by character --details",
        "stats --json",
        "stats verb=attack",
        "stats --seat ana",
        "stats --at s1 verb=attack",
    ),
    "verbs": ("verbs", "verbs attack"),
    "timelines": ("timelines",),
    "compare": ("compare", "compare 1 --json"),
    "audit": ("audit", "audit --dice", "audit --json"),
    "receipt": ("receipt",),
    "campaigns": ("campaigns",),
    "rulesets": ("rulesets",),
}
LINES = [line for lines in QUESTIONS.values() for line in lines]
FORKED = "the road not taken"


def with_a_timeline(campaign: Campaign) -> Campaign:
    """A timeline on which something is hidden too."""
    made = forking.fork(book_with(campaign), campaign, why=FORKED)
    made.do("note", text="the duke did it there", to="gm")
    made.do("note", text="said on the timeline")
    return campaign


def answer(campaign: Campaign, line: str, seat: str) -> str:
    """An answer without numbers of actions and entries, which go on counting what is hidden, and without codes."""
    try:
        text = campaign.say(line, seat=seat).text
    except RollbookError as fault:
        text = f"{type(fault).__name__}: {fault}"
    text = re.sub(
        r'"(action|entry|entries|actions|at|checked|moved_on|corrected_by|because|before)": ?\d+', r'"\1"', text
    )
    text = re.sub(r"[0-9A-Z]{5}(-[0-9A-Z]{5,6})+", "CODE", text)
    text = re.sub(r"[#@]\d+", "NUMBER", text)
    return re.sub(r"\d+", "", text) if line.startswith(("audit", "campaigns", "timelines", "receipt")) else text


def test_every_question_is_tried_here() -> None:
    assert set(QUESTIONS) == set(QUERY_COMMANDS)


@given(two_tables())
@settings(max_examples=12)
def test_what_is_hidden_makes_no_difference_to_any_answer(tables: tuple[list[Step], list[Step]]) -> None:
    with TemporaryDirectory() as folder:
        one, other = (with_a_timeline(played(steps, f"{folder}/{at}")) for at, steps in enumerate(tables))
        for line in LINES:
            for seat in ("mira", "watcher"):
                said = answer(one, line, seat)
                assert said == answer(other, line, seat), line
                words = said.casefold().replace("ashtray", "")
                assert not [word for word in SECRETS if word in words and word not in line], line


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """Much is hidden: a character, words, dice, and points of somebody whom everybody knows."""
    campaign = begin_campaign(memory_book(tmp_path, ruleset=GAME))
    for step in (
        do("join", name="Black Douglas", id="black-douglas", kind="npc", stats={"max_hp": 9, "skill": 2}, secret=True),
        do("note", text="the duke did it", to="gm"),
        do("note", text="only for mira", to="mira"),
        do("adjust", who="robin", what="hp", by=-5, reason="poison", secret=True),
        do("adjust", who="robin", what="hp", by=-1, reason="a scratch"),
    ):
        step.take(campaign)
    return campaign


def test_the_gm_is_answered_with_everything(campaign: Campaign) -> None:
    for seat in (None, "Ana", "ana"):
        assert "the duke did it" in campaign.say("log", seat=seat).text
        assert "Hit points  6" in campaign.say("why robin hp", seat=seat).text
        assert "Black Douglas" in campaign.say("sheet", seat=seat).text


def test_a_player_is_answered_with_what_the_player_may_see(campaign: Campaign) -> None:
    log = campaign.say("log", seat="Mira").text
    assert "only for mira" in log
    assert "duke" not in log
    assert "Hit points  11" in campaign.say("why robin hp", seat="mira").text
    assert "poison" not in campaign.say("why robin hp", seat="mira").text
    assert "only for mira" not in campaign.say("log", seat="watcher").text
    with pytest.raises(NotFound) as missing:
        campaign.say("sheet douglas", seat="mira")
    assert "black-douglas" not in missing.value.near
    with pytest.raises(NotFound, match="no seat called 'nobody'"):
        campaign.say("log", seat="nobody")


def test_numbers_stay_what_they_are(campaign: Campaign) -> None:
    last = campaign.head.actions
    assert f"#{last} " in campaign.say("log", seat="mira").text
    at = f"why robin hp --at {last - 1}"
    assert "Hit points  12" in campaign.say(at, seat="mira").text
    assert "Hit points  7" in campaign.say(at).text


def test_what_was_revealed_is_seen(campaign: Campaign) -> None:
    words = next(action for action, entry in campaign.history.outcomes() if entry and "duke" in str(entry.events))
    campaign.say(f"reveal {words}")
    assert "the duke did it" in campaign.say("log", seat="mira").text
    rolled = campaign.do("roll", expression="3d7", secret=True)
    assert "3d7" not in campaign.say("log", seat="mira").text
    campaign.say(f"reveal {rolled.action}")
    assert "3d7" in campaign.say("log", seat="mira").text


def test_a_hidden_correction_changes_nothing_that_a_seat_knew(campaign: Campaign) -> None:
    before = campaign.say("why robin hp", seat="mira").text
    scratch = campaign.head.actions
    undone = campaign.corrections.undo(scratch, reason="healed").entries[0]
    campaign.session.log.write(campaign.head, [undone._replace(visibility="gm")])
    campaign.session.read_again()
    assert campaign.history.effective(scratch) is None
    assert campaign.say("why robin hp", seat="mira").text == before
    campaign.corrections.redo(scratch, reason="not yet").apply()
    assert campaign.say("why robin hp", seat="mira").text == before


def test_a_question_leaves_nothing_behind(campaign: Campaign) -> None:
    head = campaign.refresh()
    for line in LINES:
        answer(campaign, line, "mira")
    assert campaign.refresh() == head
    assert isinstance(campaign.history, History)
    assert "the duke did it" in campaign.say("log").text


def test_another_campaign_of_the_store_is_not_seen(campaign: Campaign) -> None:
    other = begin_campaign(book_with(campaign), "Nottingham")
    forking.begin(forking.fork(book_with(campaign), other))
    assert "nottingham" not in campaign.say("campaigns", seat="mira").text
    assert "nottingham" in campaign.say("campaigns").text
    with pytest.raises(NotFound):
        campaign.say("compare nottingham~1", seat="mira")


@pytest.mark.parametrize("line", ["fork", "rerun --ruleset toy", "take-over 1", "export all.jsonl"])
def test_what_is_about_everything_is_for_the_gm(campaign: Campaign, line: str) -> None:
    with pytest.raises(Refused, match="for the GM"):
        campaign.say(line, seat="mira")


# What comes of what a player does.


def test_what_an_action_hides_is_not_in_its_answer(campaign: Campaign) -> None:
    heard = campaign.say("listen robin", seat="mira")
    assert heard.entry is not None
    assert heard.entry.hidden_events
    assert "1d20" in campaign.say("listen robin").text
    assert "1d20" not in heard.text


def test_whom_a_player_cannot_see_nobody_of_that_name_is_there(campaign: Campaign) -> None:
    before = campaign.head.entry
    for line in ("attack robin {}", "heal {}", "spend-token {}", "give-way {}"):
        said = []
        for name in ("black-douglas", "Black Douglas", "someone-else"):
            with pytest.raises(RollbookError) as unknown:
                campaign.say(line.format(f'"{name}"'), seat="mira")
            said.append((str(unknown.value).replace(name, "NAME"), getattr(unknown.value, "near", ())))
        assert len(set(said)) == 1, said
    assert campaign.head.entry == before


def test_a_preview_names_nobody_who_is_hidden(campaign: Campaign) -> None:
    hurt = campaign.say("adjust black-douglas hp -1 fell", seat="Ana")
    mine = campaign.say("note everybody hears it", seat="mira").entry
    assert hurt.entry is not None
    assert mine is not None
    for more in ("", " --json"):
        text = campaign.say(f"undo {mine.action} --preview{more}", seat="mira").text
        assert "everybody hears it" in text
        assert "douglas" not in text.casefold()
        everything = campaign.say(f"undo {hurt.entry.action} {mine.action} --preview{more}").text
        assert "douglas" in everything.casefold()


def test_a_refusal_names_nobody_who_is_hidden(campaign: Campaign) -> None:
    for line in ("attack robin black-duglas", "heal dougla"):
        with pytest.raises(NotFound) as unknown:
            campaign.say(line, seat="mira")
        assert "douglas" not in str((unknown.value, unknown.value.near)).casefold()
    with pytest.raises(NotFound, match="black-douglas"):
        campaign.say("attack robin black-duglas")
    with pytest.raises(Refused, match="Black Douglas"):
        campaign.say("spend-token black-douglas")
