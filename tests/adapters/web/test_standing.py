"""How things stand on a page, in every game and at every moment of its example session."""

from __future__ import annotations

import attrs
import pytest

from rollbook.adapters.web.table.standing import initials, standing
from rollbook.application.campaign import Campaign
from rollbook.domain.events import CharacterKind
from rollbook.projections.in_words import health, sheet_in_words
from rollbook.projections.replay import Step, steps_of
from rollbook.projections.session_log import Wanted, lines


@pytest.fixture(scope="module")
def steps(played: Campaign) -> list[Step]:
    rows = lines(played.read_model.db, Wanted(campaign=played.id, everything=True))
    return list(steps_of(played.history, played.session.rulebook, rows))


def test_the_fight_stands_in_its_order_and_one_has_the_turn(steps: list[Step]) -> None:
    fights = [step.then for step in steps if step.then.fight]
    assert fights
    for status in fights:
        fight, view = status.fight, standing(status)
        assert fight is not None
        assert [who.status.character for who in view.fighters] == [who.character for who in fight.fighters]
        assert [who.status.character for who in view.fighters if who.turn == "now"] == [fight.current] * bool(
            fight.current
        )
        assert view.round == fight.round
        assert {who.status.character for who in view.others} == {who.character for who in status.characters}
        assert bool(view.whose) == bool(fight.current)


def test_outside_a_fight_those_in_play_stand_there(steps: list[Step]) -> None:
    for step in steps:
        if step.then.fight is None:
            view = standing(step.then)
            assert [who.status.character for who in view.fighters] == [who.character for who in step.then.characters]
            assert not view.round
            assert not view.whose


def test_a_bar_is_as_long_as_what_is_left_and_words_stand_beside_it(steps: list[Step]) -> None:
    drawn = 0
    for step in steps:
        people = [*(step.then.fight.fighters if step.then.fight else ()), *step.then.characters]
        views = {who.status.character: who for who in (*standing(step.then).fighters, *standing(step.then).others)}
        for who in people:
            view = views[who.character]
            if who.left is None or not who.most:
                assert view.share is None
                continue
            drawn += 1
            assert view.share is not None
            assert abs(view.share - max(0, min(100, 100 * who.left / who.most))) < 0.1
            assert view.words == health(who.left, who.most)
            assert view.level == ("low" if view.share <= 25 else "half" if view.share <= 50 else "")
    assert drawn


def test_where_the_gm_wishes_it_foes_have_words_alone(played: Campaign) -> None:
    rows = lines(played.read_model.db, Wanted(campaign=played.id, everything=True))
    told = steps_of(played.history, played.session.rulebook.telling(sheet_in_words), rows)
    foes, worded = 0, 0
    for step in told:
        view = standing(step.then)
        for who in (*view.fighters, *view.others):
            if who.is_foe:
                foes += 1
                worded += bool(who.words)
                assert who.share is None
                assert who.points == ""
    assert foes
    assert worded or all(
        who.most is None
        for step in steps_of(played.history, played.session.rulebook, rows)
        for who in step.then.characters
    )


@pytest.mark.parametrize(
    ("left", "words"),
    [(40, "unhurt"), (39, "hurt"), (21, "hurt"), (20, "badly hurt"), (11, "badly hurt"), (10, "close to falling")],
)
def test_words_say_how_much_is_left_of_forty(left: int, words: str) -> None:
    assert health(left, 40) == words


def test_words_for_those_who_fell_and_for_those_without_hit_points() -> None:
    assert health(0, 40) == health(-7, 40) == "down"
    assert health(None, 40) == health(3, None) == ""


def test_letters_tell_apart_whose_names_begin_alike() -> None:
    found = initials(["Sherlock Holmes", "The Sheriff", "Robin Hood", "Count Dracula"])
    assert found == {"Sherlock Holmes": "SH", "The Sheriff": "Sh", "Robin Hood": "R", "Count Dracula": "C"}


def test_a_thing_and_a_hireling_are_no_foes(steps: list[Step]) -> None:
    status = next(step.then for step in steps if step.then.characters and not step.then.fight)
    who = standing(status).fighters[0]
    assert [kind for kind in CharacterKind if attrs.evolve(who, status=attrs.evolve(who.status, kind=kind)).is_foe] == [
        CharacterKind.NPC,
        CharacterKind.MONSTER,
    ]
