"""Lines as people say them: words between two values say what the next is for, in short lines and in full ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import split_words
from rollbook.domain.base.errors import RollbookError

LINES = (
    "take-seat Ana --role gm",
    "open-session One",
    "join Mira --class-name sorcerer --level 9 --scores 8,14,14,10,12,18",
    "join Kara --class-name fighter --scores 16,14,14,10,12,8 --weapons longsword",
    'join "Goblin Warrior" --count 3',
    "join Ogre",
    "begin-encounter mira,kara,ogre,goblin-warrior-1,goblin-warrior-2,goblin-warrior-3 ! 20 10 9 8",
)


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds", create=True) as book:
        campaign = book.new("The Ford", "srd5", {})
        for line in LINES:
            campaign.say(line)
        yield campaign


def in_full(campaign: Campaign, line: str) -> str:
    return written(ShortForms().expand(campaign, split_words(line)))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("cast fire bolt at ogre", 'cast mira "fire bolt" --target ogre'),
        ("cast fire bolt ogre", 'cast mira "fire bolt" --target ogre'),
        ("ca fireb at og", "cast mira fireball --target ogre"),
        ("cast fireball on goblin 1, goblin 2", "cast mira fireball --targets goblin-warrior-1,goblin-warrior-2"),
        (
            "cast fireball at 4th level on g1 and gw2",
            "cast mira fireball --slot 4 --targets goblin-warrior-1,goblin-warrior-2",
        ),
        ("cast cure wounds kara at 2nd level", 'cast mira "cure wounds" --slot 2 --target kara'),
        ("cast cure wounds on kara with a 2nd level slot", 'cast mira "cure wounds" --target kara --slot 2'),
        ("cast cure wounds at level 2 on kara", 'cast mira "cure wounds" --slot 2 --target kara'),
        ("cast flesh to stone on ogre", 'cast mira "flesh to stone" --target ogre'),
        ("move 30", "move mira --feet 30"),
        ("cast kara light", "cast kara light"),
        ("attack ogre with dagger", "attack mira ogre --weapon dagger"),
        ("at ogre with unarmed", "attack mira ogre --weapon unarmed"),
        ("at gw3 unarmed", "attack mira goblin-warrior-3 --weapon unarmed"),
    ],
)
def test_a_line_means_what_its_words_say(campaign: Campaign, line: str, meant: str) -> None:
    assert set(in_full(campaign, line).split()) == set(meant.split())


@pytest.mark.parametrize(
    ("line", "params"),
    [
        ("cast mira fire bolt at ogre ! 2", {"spell": "fire bolt", "target": "ogre"}),
        ("cast mira fire bolt ogre ! 2", {"spell": "fire bolt", "target": "ogre"}),
        (
            "cast mira magic missile on ogre at 2nd level ! 1 1 1 1",
            {"spell": "magic missile", "target": "ogre", "slot": 2},
        ),
        (
            "cast mira magic missile on goblin-warrior-1, goblin-warrior-2 and ogre ! 1 1 1",
            {"targets": ("goblin-warrior-1", "goblin-warrior-2", "ogre")},
        ),
    ],
)
def test_full_lines_have_such_words_too(campaign: Campaign, line: str, params: dict[str, object]) -> None:
    campaign.say(line)
    stored = campaign.history.intent_of(campaign.history.actions).params
    assert {name: stored[name] for name in params} == params


@pytest.mark.parametrize("line", ["ca magic misile ogre", "cast magic misile", "cast mira magic misile on ogre"])
def test_a_spell_that_is_misspelt_names_the_nearest(campaign: Campaign, line: str) -> None:
    with pytest.raises(RollbookError, match="Did you mean [Mm]agic [Mm]issile"):
        campaign.say(in_full(campaign, line))


def test_a_spell_that_somebody_does_not_have_is_understood_all_the_same(campaign: Campaign) -> None:
    with pytest.raises(RollbookError, match="Kara does not have Sacred Flame prepared.*--allowed unprepared"):
        campaign.say(in_full(campaign, "cast kara sacred flame g1 --out-of-turn"))
