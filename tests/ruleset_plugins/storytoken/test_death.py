"""Death is final; only a ruling on what brought it, or a spell that calls the dead, reaches beyond it."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.characters import Adjust, ChangeTrait
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict, Relieve
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.magic.casting import Cast
from rollbook.rulesets.storytoken.magic.spells import LearnSpell
from rollbook.testing.scenarios import like, rule, with_dice

ENDED, BEGAN = events.ConditionEnded, events.ConditionBegan
CALLED = ENDED(character="marian", condition="dead")


def drowned(game):
    """Marian has suffocated: she is dead with 0 hit points, far above her death line."""
    return game.given(Afflict(who="marian", condition="suffocating"), PassTime(amount=1, unit="hours"))


@rule("QG.9", "R0.72", "R0.77")
@pytest.mark.parametrize(
    "ruling",
    [
        ChangeTrait(who="marian", trait="brave"),
        Adjust(who="marian", what="str", by=1, reason="a gift"),
        Adjust(who="marian", what="hp", by=-1, reason="a rock"),
    ],
)
def test_no_ruling_on_anything_else_brings_the_dead_back(sherwood, ruling) -> None:
    game = drowned(sherwood())
    assert game.character("marian").has("dead")
    game.when(ruling).never(CALLED)


@rule("QG.8", "R0.72")
def test_a_ruling_to_above_0_hit_points_revives_whatever_brought_death(sherwood) -> None:
    back = drowned(sherwood()).when(Adjust(who="marian", what="hp", by=3, reason="a surgeon")).then(CALLED)
    assert not back.character("marian").has("unconscious")


@rule("Q0.83", "QG.8")
def test_the_dead_keep_their_hit_points_at_a_rising_maximum_and_can_be_revived_later(nobody) -> None:
    scores = ("10", "10", "12", "10", "10", "10")
    ox = Join(name="Ox", id="ox", kind="npc", level=4, scores=scores, hit_dice=("4",) * 4)
    grown = Adjust(who="ox", what="con", by=6, reason="a gift")
    game = nobody().given(ox, Harm(who="ox", amount="40"), grown)
    assert game.character("ox").has("dead")
    assert game.sheet("ox").amount("hp") == -24
    game.when(Adjust(who="ox", what="hp", by=25, reason="a wonder")).then(ENDED(character="ox", condition="dead"))


@rule("QG.9")
def test_a_larger_maximum_gives_no_life_back(nobody) -> None:
    scores = ("10", "10", "12", "10", "10", "10")
    ox = Join(name="Ox", id="ox", kind="npc", level=4, scores=scores, hit_dice=("4",) * 4)
    game = nobody().given(ox, Harm(who="ox", amount="32"))
    game.when(Adjust(who="ox", what="con", by=6, reason="a gift")).never(ENDED(character="ox", condition="dead"))


@rule("QG.9", "R0.54")
def test_hit_points_given_back_beyond_the_death_line_undo_the_death_that_they_brought(sherwood) -> None:
    game = sherwood().given(Harm(who="marian", amount="20"))
    game.when(Adjust(who="marian", what="hp", by=4, reason="not enough")).never(CALLED)
    back = game.when(Adjust(who="marian", what="hp", by=5, reason="she breathes"))
    back.then(CALLED, BEGAN(character="marian", condition="unconscious"))
    game.when(Relieve(who="marian", condition="dead")).refused("dead for want of hit points", "adjust marian hp")


@rule("QG.9", "R0.85")
def test_a_death_that_hit_points_did_not_bring_is_relieved(sherwood) -> None:
    back = drowned(sherwood()).when(Relieve(who="marian", condition="dead", reason="a miracle"))
    back.then(like(events.NoteWritten, about="marian"), CALLED, BEGAN(character="marian", condition="unconscious"))


@rule("R0.176", "QG.9")
def test_a_vampire_that_was_destroyed_whole_is_relieved_whole(sherwood) -> None:
    slain = BEGAN(character="dracula", condition="slain", detail="turn undead")
    game = sherwood().given(slain, BEGAN(character="dracula", condition="dead"))
    back = game.when(Relieve(who="dracula", condition="dead"))
    assert not back.character("dracula").conditions


@rule("R0.155", "QG.9")
def test_a_troll_that_lives_again_is_no_longer_stone(nobody) -> None:
    troll = Join(name="Troll", id="troll", kind="npc", heritage="troll", hp=4)
    game = nobody().given(troll, Harm(who="troll", amount="8", tags=("sunlight",)))
    assert game.character("troll").has("stone")
    alive = game.when(Adjust(who="troll", what="hp", by=6, reason="flesh again"))
    assert not alive.character("troll").conditions


@rule("Q0.66", "QG.9", "R0.184")
def test_a_spell_with_nothing_but_an_effect_reaches_the_dead(sherwood) -> None:
    scores = ("10", "10", "10", "16", "14", "18")
    mage = Join(name="Mage", id="mage", kind="npc", level=9, roles=("divine",), scores=scores, hp=30)
    game = sherwood().given(mage, LearnSpell(who="mage", spell="raise-dead"), Harm(who="guard", amount="30"))
    raising = Cast(caster="mage", spell="raise-dead", targets=("guard",), effect="the guard is called back")
    game.when(raising).rolling(15).then(like(events.CheckResolved, outcome="the guard is called back"))
    for more in ({}, {"heal": "3"}, {"effect": "pain", "damage": "3"}):
        spell = Cast(caster="mage", spell="raise-dead", targets=("guard",), **more)
        game.when(spell).rolling(15).refused("Guard is dead")
    living = with_dice(raising, 15)
    game.given(living).when(Relieve(who="guard", condition="dead")).refused("adjust guard hp")
