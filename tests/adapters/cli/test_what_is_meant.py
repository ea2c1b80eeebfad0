"""The weapon may follow whom it strikes, also in full lines; at the prompt the only foe left is meant where nobody is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import LineError, split_words

PEOPLE = {
    "grid": (
        "join Kestrel --class-name fighter --weapon sword --at 0,0",
        "join Guard --kind monster --hp 40 --ac 14 --at 1,0",
    ),
    "srd5": (
        "join Kestrel --class-name fighter --scores 16,14,14,10,12,8 --weapons longsword,longbow",
        "join Guard --kind monster --hp 40 --ac 14",
        "join Bo --class-name fighter --scores 16,14,14,10,12,8 --weapons club",
    ),
}


def table(game: str, folder: Path) -> Iterator[Campaign]:
    with open_book(folder / "rollbook.db", folder / "seeds", create=True) as book:
        campaign = book.new("The Ford", game, {})
        for line in ("take-seat Ana --role gm", "open-session First", *PEOPLE[game]):
            campaign.say(line)
        yield campaign


@pytest.fixture(params=sorted(PEOPLE))
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Campaign]:
    yield from table(request.param, tmp_path)


@pytest.fixture
def fifth(tmp_path: Path) -> Iterator[Campaign]:
    yield from table("srd5", tmp_path)


def in_full(campaign: Campaign, line: str) -> str:
    return written(ShortForms().expand(campaign, split_words(line)))


def last(campaign: Campaign) -> str:
    """The weapon of the last action."""
    return str(campaign.history.intent_of(campaign.history.actions).params["weapon"])


def test_what_somebody_strikes_with_may_follow_the_target_in_a_full_line(game: Campaign) -> None:
    weapon = next(iter(game.state.characters["kestrel"].gear))
    game.say(f"attack kestrel guard {weapon} ! 2")
    assert last(game) == weapon


def test_a_weapon_of_two_words_needs_no_quotation_marks(fifth: Campaign) -> None:
    fifth.say('give kestrel "Light Hammer"')
    fifth.say("attack kestrel guard light hammer ! 2")
    assert last(fifth) == "Light Hammer"
    assert in_full(fifth, "attack kestrel guard light ham") == 'attack kestrel guard --weapon "Light Hammer"'


def test_the_only_foe_that_stands_is_meant_where_nobody_is_named(fifth: Campaign) -> None:
    fifth.say("begin-encounter kestrel,bo,guard ! 19 15 3")
    assert in_full(fifth, "at") == "attack kestrel guard"
    assert in_full(fifth, "at longb") == "attack kestrel guard --weapon Longbow"
    assert in_full(fifth, "at guard") == "attack kestrel guard"
    fifth.say("attack kestrel guard ! 2")
    assert last(fifth) == "Longsword"


def test_of_several_foes_one_is_named(fifth: Campaign) -> None:
    fifth.say("join Other --kind monster --hp 4 --ac 10")
    fifth.say("begin-encounter kestrel,bo,guard,other ! 19 15 3 2")
    with pytest.raises(LineError, match="one of these named: guard, other"):
        in_full(fifth, "at")
    fifth.say("harm other 10")
    assert in_full(fifth, "at") == "attack kestrel guard"


def test_a_player_is_told_of_no_hidden_foe(fifth: Campaign) -> None:
    fifth.say("join Lurker --kind monster --hp 4 --ac 10")
    fifth.say("conceal lurker")
    fifth.say("take-seat Tom")
    fifth.say("begin-encounter kestrel,bo,guard,lurker ! 19 15 3 2")
    assert written(ShortForms("Tom").expand(fifth, ["at"])) == "attack kestrel guard"
    with pytest.raises(LineError, match="guard, lurker"):
        in_full(fifth, "at")
