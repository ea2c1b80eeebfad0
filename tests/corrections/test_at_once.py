"""Two GMs correct at once: the second meets a stale preview, nothing is half applied, and after a new look both hold."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import StaleHistory
from rollbook.domain.corrections.changes import Proposal
from rollbook.domain.rules.sheet_rulings import Adjustment
from tests.support.campaigns import begin_campaign, file_book
from tests.support.casts import CASTS, CastCampaign, book_of_games
from tests.support.comparison import comparable
from tests.support.games import INSTALLED_RULESETS

ROOT = Path(__file__).parents[2]
MANY = 8


def book(folder: Path) -> Book:
    return book_of_games(folder, SQLiteEventStore(folder / "rollbook.db"))


def short_campaign(key: str, folder: Path) -> Campaign:
    """A short session in a file: somebody, somebody else, a scene, a miss, another scene."""
    folder.mkdir()
    table = CastCampaign(key, book(folder))
    for line in ("scene 'the bridge'", table.cast.attack, "scene 'the wood'"):
        table.take(line)
    return table.campaign


def corrections(key: str) -> dict[str, Callable[[Campaign], Proposal]]:
    """What two GMs want: of different actions, of actions that hang together, and of one and the same action."""
    blessed = Adjustment(who=CASTS[key].attacker, what=CASTS[key].number, by=-5)
    hurt = Adjustment(who=CASTS[key].attacker, what="hp", by=-1)
    return {
        "a number at creation": lambda gm: gm.corrections.amend(3, {"hp": 30}, reason="misread"),
        "a curse before the attack": lambda gm: gm.corrections.amend(5, {}, reason="cursed", adjustments=[blessed]),
        "a wound before the attack": lambda gm: gm.corrections.amend(5, {}, reason="a trap", adjustments=[hurt]),
        "the attack": lambda gm: gm.corrections.undo(6, reason="never"),
    }


@pytest.mark.parametrize("key", INSTALLED_RULESETS)
def test_the_second_gm_looks_again_and_both_corrections_hold(key: str, tmp_path: Path) -> None:
    wanted = corrections(key)
    for number, (one, two) in enumerate(zip(wanted, [*list(wanted)[1:], next(iter(wanted))], strict=True)):
        first = short_campaign(key, tmp_path / f"both-{number}")
        second = book(tmp_path / f"both-{number}").campaign(first.id)
        mine, theirs = wanted[one](first), wanted[two](second)
        mine.apply()
        after = comparable(first.state), first.head.entry
        with pytest.raises(StaleHistory, match="look at a new preview"):
            theirs.apply()
        second.refresh()
        assert (comparable(second.state), second.head.entry) == after
        wanted[two](second).apply()
        alone = short_campaign(key, tmp_path / f"alone-{number}")
        for each in (one, two):
            wanted[each](alone).apply()
        first.refresh()
        assert sessionless(first) == sessionless(second) == sessionless(alone)
        assert first.audit()[0].verdict is Verdict.VERIFIED
        assert first.audit()[2].verdict is Verdict.VERIFIED


def sessionless(campaign: Campaign) -> object:
    """The state but for what no two campaigns have in common: their names in the store and their commitments."""
    return [(name, value) for name, value in comparable(campaign.state) if name not in ("identity", "session")]


def test_two_processes_that_correct_one_action_at_once_lose_nothing(tmp_path: Path) -> None:
    with file_book(tmp_path) as kept:
        campaign = begin_campaign(kept)
        before = campaign.state.characters["robin"].pools.get("tokens", 0)
        scene = campaign.do("scene", {"title": "the bridge"}).action
        for _ in range(5):
            campaign.do("gain-token", {"who": "marian"})
        command = [sys.executable, "-m", "tests.support.concurrent_corrections", str(tmp_path), str(scene), str(MANY)]
        gms = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        told = [gm.communicate(timeout=60)[0] for gm in gms]
        assert [gm.returncode for gm in gms] == [0, 0]
        assert all(line.strip().isdigit() for line in told)
        assert campaign.refresh().state.characters["robin"].pools["tokens"] == before + 2 * MANY
        assert len(campaign.history.revisions(scene)) == 1 + 2 * MANY
        assert [answer.verdict for answer in campaign.audit()][::2] == [Verdict.VERIFIED, Verdict.VERIFIED]
