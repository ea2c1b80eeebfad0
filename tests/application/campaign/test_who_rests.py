"""A night's rest is the party's: a foe gets from it what time alone gives, unless the GM says that the foe rests too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.domain.base.errors import Refused
from rollbook.domain.entries import Intent
from rollbook.domain.rules.action import build
from tests.support.games import INSTALLED_RULESETS

PEOPLE = (("Korra", "hireling", ""), ("Mirel", "npc", " --seat Jo"), ("Bandit", "npc", ""), ("Wolf", "monster", ""))
NIGHT = "pass-time 8 hours --rest"

Night = Callable[[str], dict[str, int]]


@pytest.fixture
def nights(tmp_path: Path) -> Callable[[str], Night]:
    """What everybody has lost after a line, in a game where everybody had lost 12 of 20."""

    def of(ruleset: str) -> Night:
        def after(line: str) -> dict[str, int]:
            with open_book(tmp_path / f"{ruleset}{hash(line)}.db", tmp_path / "seeds", create=True) as book:
                campaign = hurt_people(book.new("The Camp", ruleset, {}))
                campaign.say(line)
                return {name: who.lost for name, who in campaign.state.characters.items()}

        return after

    return of


def hurt_people(campaign: Campaign) -> Campaign:
    for line in ("take-seat Ana --role gm", "take-seat Jo", "open-session"):
        campaign.say(line)
    for name, kind, seat in PEOPLE:
        hp = "20" if campaign.state.ruleset == "powers" else "--hp 20"
        campaign.say(f"join {name} {hp} --kind {kind}{seat}")
    campaign.say("harm korra,mirel,bandit,wolf 12")
    return campaign


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds", create=True) as book:
        yield hurt_people(book.new("The Camp", "storytoken", {}))


@pytest.mark.parametrize("key", INSTALLED_RULESETS)
def test_a_foe_gets_from_a_night_what_time_alone_gives(key: str, nights) -> None:
    slept, passed = nights(key)(NIGHT), nights(key)("pass-time 8 hours")
    assert (slept["bandit"], slept["wolf"]) == (passed["bandit"], passed["wolf"])
    everybody = nights(key)(f"{NIGHT} --who party,bandit,wolf")
    assert (slept["korra"], slept["mirel"]) == (everybody["korra"], everybody["mirel"])
    assert key not in ("storytoken", "russell") or slept["korra"] < passed["korra"]


def test_those_who_are_named_rest_and_nobody_else(campaign: Campaign) -> None:
    campaign.say(f"{NIGHT} --who bandit")
    lost = {name: who.lost for name, who in campaign.state.characters.items()}
    assert lost["bandit"] < 12 and {lost[name] for name in ("korra", "mirel", "wolf")} == {12}
    with pytest.raises(Refused, match="Say with --rest that they rest"):
        campaign.say("pass-time 8 hours --who bandit")


def test_nobody_goes_on_with_the_rest_of_others(campaign: Campaign) -> None:
    campaign.say("pass-time 4 hours --rest --who korra")
    campaign.say("pass-time 4 hours --rest --who mirel")
    assert campaign.state.stretch is not None
    assert campaign.state.stretch.seconds == 4 * 3_600
    campaign.say("pass-time 4 hours --rest --who mirel")
    assert campaign.state.stretch.seconds == 8 * 3_600


def test_who_rests_is_on_record_and_a_rest_of_before_is_everybodys(campaign: Campaign) -> None:
    taken = campaign.say(NIGHT).entry
    assert taken is not None and taken.intent is not None
    assert taken.intent.params["who"] == ("party",)
    old = Intent(verb="pass-time", params={"amount": 8, "unit": "hours", "rest": True})
    head = campaign.head
    dice = campaign.session.dice.supply(head, "Ana", None)
    played = campaign.session.rulebook.play(head.state, old, dice, action=build(PassTime, old.params))
    assert {who.lost < 12 for who in played.campaign.characters.values()} == {True}
