"""A seat is answered by what it knew before and knows now: no number in any answer has a part that is hidden from it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.lines.line_commands import CORRECTION_COMMANDS
from rollbook.application.verbs import verbs_of
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.rules.action import is_the_gms
from tests.support.secret_tables import table

DONE = {
    "attack": ("attack robin ogre ! 14,4", "attack robin ogre --weapon sword ! 2", "attack robin marian ! 15,1"),
    "heal": ("heal ogre ! 2", "heal robin ! 1", "heal marian ! 2"),
    "gain-token": ("gain-token robin",),
    "spend-token": ("spend-token robin", "spend-token marian"),
    "second-wind": ("second-wind robin", "second-wind robin"),
    "look-up": ("look-up",),
    "worry": ("worry robin",),
    "recite": ("recite robin",),
    "hide": ("hide robin", "listen robin"),
    "listen": ("listen robin",),
    "bet": ("bet robin 2 ! 6,5",),
    "sprint": ("sprint robin",),
    "entropy": ("entropy pebbles",),
    "note": ("note said aloud", "note only to the GM --to gm"),
    "say": ("say well met",),
    "whisper": ("whisper gm psst", "whisper mira psst"),
    "portrait": ("portrait robin",),
    "x-card": ("x-card",),
    "drop": ("drop robin rope",),
    "roll": ("roll 1d20 ! 7",),
}
"""Lines of a player, for every verb that a player may say; some are refused."""
CORRECTED = {
    "undo": ("undo last --why so", "undo --where who=robin --why so", "undo --correction --why so"),
    "redo": ("redo last --why so",),
    "amend": (
        "amend {hit} target=marian --why so",
        "amend {hit} --retype 18,6 --why so",
        "amend {bet} dice=1 --why so",
    ),
    "insert": ("insert {hit} heal ogre ! 2 --why so", "insert {bet} attack robin ogre ! 14,4"),
    "override": ("override {drawn} --dice 18 --why so",),
    "reroll": ("reroll --by robin --dice 15",),
}
"""Lines that correct what a player did, for every command that does; ``{hit}`` and the others are numbers of actions."""
WAYS = (" --preview", " --preview --json", " --json", "")


def pair(folder: Path) -> Iterator[Campaign]:
    """Two tables that differ in hidden numbers, and in nothing else."""
    for worse in (0, 1):
        drawn = itertools.count(1)
        with patch(
            "secrets.token_hex", lambda size, drawn=drawn: f"{next(drawn) * 7919:0{2 * size}x}".replace("0", "e")
        ):
            campaign = table(folder / str(worse))
            campaign.do("join", {"name": "Ogre", "kind": "npc", "stats": {"max_hp": 90, "skill": 2}})
            campaign.do("join", {"name": "Assassin", "kind": "npc", "stats": {"max_hp": 30, "skill": 9}}, secret=True)
            campaign.do("give", {"who": "robin", "item": "rope"})
            campaign.do("adjust", {"who": "ogre", "what": "hp", "by": -20, "reason": "an old wound"})
            campaign.do("adjust", {"who": "marian", "what": "hp", "by": -5, "reason": "a fall"})
            hidden_deeds(campaign, worse)
        yield campaign


def hidden_deeds(campaign: Campaign, worse: int) -> None:
    """What nobody sees: a blow, poison, luck, gold and experience, a little more of each or less."""
    campaign.do("attack", {"attacker": "hidden-assassin", "target": "ogre"}, dice=(19, 3 + worse))
    for what, by in (("hp", -2 - worse), ("pool:tokens", 2 + worse), ("pool:coins", 5 + worse)):
        campaign.do("adjust", {"who": "robin", "what": what, "by": by, "reason": "fate"}, secret=True)
    campaign.do("adjust", {"who": "marian", "what": "hp", "by": -1 - worse, "reason": "fate"}, secret=True)
    campaign.do("award", {"who": ("robin",), "amount": 10 + worse}, secret=True)


def answers(campaign: Campaign, lines: tuple[str, ...]) -> list[str]:
    """What Mira is answered, word for word."""
    said = []
    for line in lines:
        try:
            answer = campaign.say(line, seat="mira")
            said.append("\n".join((line, answer.text, *answer.warnings)))
        except RollbookError as fault:
            said.append(f"{line}\n{type(fault).__name__}: {fault} {getattr(fault, 'near', ())}")
    return said


def corrections(campaign: Campaign) -> tuple[str, ...]:
    """Corrections of what Mira has just done, each previewed and made, for people and for programs."""
    campaign.say("heal ogre ! 2", seat="mira")
    numbers = {
        "hit": campaign.say("attack robin ogre ! 14,4", seat="mira").entries[0].action,
        "drawn": campaign.say("roll 1d20", seat="mira").entries[0].action,
        "bet": campaign.say("bet robin 2 ! 6,5", seat="mira").entries[0].action,
    }
    lines = [line.format(**numbers) for lines in CORRECTED.values() for line in lines]
    ways = {"reroll": ("", " --json")}
    made = []
    for line in lines:
        for way in ways.get(line.split()[0], WAYS):
            made += ["attack robin ogre ! 13,2"] if line.startswith("reroll") else []
            made.append(f"{line}{way}")
            made += ["undo --correction --why back"] if line.startswith("amend") and "--preview" not in way else []
    return tuple(made)


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Campaign, Campaign]:
    one, other = pair(tmp_path)
    return one, other


def test_every_verb_of_a_player_and_every_correction_is_tried_here(tables: tuple[Campaign, Campaign]) -> None:
    assert set(DONE) == {name for name, verb in verbs_of(tables[0]).items() if not is_the_gms(verb)}
    assert set(CORRECTED) == set(CORRECTION_COMMANDS)


@pytest.mark.parametrize("verb", DONE)
def test_no_answer_to_an_action_has_a_hidden_part_in_a_number(tables: tuple[Campaign, Campaign], verb: str) -> None:
    lines = tuple(f"{line}{way}" for line in DONE[verb] for way in ("", " --json"))
    one, other = (answers(campaign, lines) for campaign in tables)
    assert one == other


def test_no_answer_to_a_correction_has_a_hidden_part_in_a_number(tables: tuple[Campaign, Campaign]) -> None:
    one, other = (answers(campaign, corrections(campaign)) for campaign in tables)
    for mine, others in zip(one, other, strict=True):
        assert mine == others
    assert sum("Refused" in said or "NotFound" in said for said in one) < len(one) / 3


def test_an_answer_says_what_the_sheet_of_the_seat_says(tables: tuple[Campaign, Campaign]) -> None:
    campaign = tables[0]
    struck = campaign.say("attack robin ogre ! 14,4", seat="mira")
    assert "Hit points 70 → 66" in struck.text
    assert struck.entry is not None
    assert "70" in campaign.say("undo last --preview", seat="mira").text
    assert "66 → 70" in campaign.say("undo last --why so", seat="mira").text
    assert "Hit points 70" in campaign.say("sheet ogre", seat="mira").text
    assert "Hit points 67" in campaign.say("sheet ogre").text


def test_a_program_reads_the_numbers_of_the_seat_too(tables: tuple[Campaign, Campaign]) -> None:
    campaign = tables[0]
    campaign.say("attack robin ogre ! 14,4", seat="mira")
    for way in (" --preview", ""):
        (change,) = json.loads(campaign.say(f"undo last --why so --json{way}", seat="mira").text)["changes"]
        assert (change["before"], change["after"]) == ("66", "70")


def test_a_refusal_says_no_hidden_number(tables: tuple[Campaign, Campaign]) -> None:
    campaign = tables[0]
    for _ in range(campaign.state.characters["robin"].pools["tokens"]):
        campaign.say("adjust robin pool:tokens -1 spent --secret")
    with pytest.raises(Refused, match="for a reason that is hidden from this seat"):
        campaign.say("spend-token robin", seat="mira")
    with pytest.raises(Refused, match="there is none"):
        campaign.say("spend-token robin")


def test_a_refusal_that_the_seat_can_know_is_told_as_it_is(tables: tuple[Campaign, Campaign]) -> None:
    campaign = tables[0]
    campaign.do("roll", {"expression": "1d20"}, secret=True)
    with pytest.raises(Refused, match="It is not robin's turn"):
        campaign.say("sprint robin", seat="mira")
    with pytest.raises(NotFound, match="nobody"):
        campaign.say("heal nobody", seat="mira")


def test_the_gm_is_answered_by_everything(tables: tuple[Campaign, Campaign]) -> None:
    for seat in (None, "Ana"):
        campaign = tables[0]
        assert "67" in campaign.say("attack robin ogre ! 14,4", seat=seat).text
        assert "67" in campaign.say("undo last --why so", seat=seat).text
