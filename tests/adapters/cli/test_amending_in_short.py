"""Corrections take the short names of the prompt, and the last action of a verb that is named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.local_files import paths
from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import LineError, split_words
from rollbook.domain.base.errors import NotFound, Refused
from tests.support.terminal import Terminal

TABLE = """\
take-seat Ana --role gm
open-session First
join Korra --kind npc --hp 12 --ac 12
join "Salt Bandit" --kind monster --hp 9 --ac 11 --count 3
give korra longbow --use weapon:medium-ranged
give korra dagger --use weapon:light
begin-encounter korra,salt-bandit-1,salt-bandit-2,salt-bandit-3 ! 15 9 8 7
attack korra salt-bandit-2 longbow ! 12 3
end-turn --next salt-bandit-1"""
ATTACK = 9


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds", create=True) as book:
        campaign = book.new("The Salt Road", "storytoken", {})
        for line in TABLE.splitlines():
            campaign.say(line)
        yield campaign


def amended(campaign: Campaign, line: str) -> dict[str, object]:
    campaign.say(written(ShortForms().expand(campaign, split_words(line))))
    return dict(campaign.history.intent_of(ATTACK).params)


def test_the_last_attack_is_the_last_attack_and_names_may_be_short(campaign: Campaign) -> None:
    params = amended(campaign, "amend last attack target=s3 weapon=dag --why 'the other one'")
    assert (params["target"], params["weapon"]) == ("salt-bandit-3", "dagger")
    assert amended(campaign, "amend last at target=s1 --why so")["target"] == "salt-bandit-1"
    with pytest.raises(Refused, match="Leave out --carry-to"):  # the names were read
        campaign.say(f"amend {ATTACK} target=s2 carry_to=s1,s3 --preview")


def test_the_last_action_is_the_last_that_has_what_is_amended(campaign: Campaign) -> None:
    assert amended(campaign, "amend last target=s3 --why so")["target"] == "salt-bandit-3"
    params = amended(campaign, "amend last ta=1 wea=dag --why so")
    assert (params["target"], params["weapon"]) == ("salt-bandit-1", "dagger")
    with pytest.raises(NotFound, match=r"^#10 is end-turn. There is no parameter of end-turn called 'colour'"):
        campaign.say("amend last colour=red --why so")
    with pytest.raises(NotFound) as missing:
        campaign.say("amend 10 target=s3 --why so")
    assert str(missing.value) == (
        "#10 is end-turn. There is no parameter of end-turn called 'target'. There are: next, stays, to_gm. "
        "The last action that has one is #9, attack: amend 9 target=…"
    )


def test_a_number_is_another_one_of_that_kind(campaign: Campaign) -> None:
    assert amended(campaign, "amend last target=3 --why so")["target"] == "salt-bandit-3"
    with pytest.raises(NotFound, match="There is no character called '7'"):
        campaign.say("amend last target=7 --why so")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("line", "most"), [("amend last target=3", 22), ("am last target=3", 20), ("am last ta=3", 20)]
)
def test_a_wrong_target_costs_twenty_keys(line: str, most: int, home: Path) -> None:
    keys = len(f"{line}\n") + len("y\n")
    assert len(f"{line}\n") <= 20
    assert keys <= most
    store = home / "books" / "rollbook.db"
    with open_book(store, paths.seeds_folder(), create=True) as book:
        campaign = book.new("The Salt Road", "storytoken", {})
        for said in TABLE.splitlines():
            campaign.say(said)
    terminal = Terminal.running("--store", str(store), "play", columns=90)
    terminal.answer("> ", line)
    terminal.answer("Apply? [y/N]", "y")
    terminal.shows("Changed. The log keeps what was there before.")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0
    with open_book(store, paths.seeds_folder(), create=False) as book:
        history = book.campaign("the-salt-road").history
        assert history.intent_of(ATTACK).params["target"] == "salt-bandit-3"


def test_what_is_not_clear_is_refused_with_what_it_may_be(campaign: Campaign) -> None:
    with pytest.raises(LineError, match="'s' may be any of salt-bandit-1, salt-bandit-2, salt-bandit-3"):
        campaign.say("amend last attack target=s --why so")
    with pytest.raises(NotFound, match="There is no character called 'wolf'"):
        campaign.say("amend last attack target=wolf --why so")
    with pytest.raises(NotFound, match="No action of the verb heal counts"):
        campaign.say("amend last heal who=s1 --why so")
    with pytest.raises(NotFound, match="There is no verb called 'heel'"):
        campaign.say("undo last heel --why so")


def test_the_last_of_a_verb_is_undone_and_adjusted_too(campaign: Campaign) -> None:
    campaign.say("amend last attack --adjust 's2 hp=+1' --why 'a shield'")
    campaign.say("undo last attack --why 'out of range'")
    assert campaign.history.effective(ATTACK) is None
    with pytest.raises(LineError, match="has no place here"):
        campaign.say("override 8 attack --dice 3 --why so")
