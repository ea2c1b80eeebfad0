"""A drawing is whole, safe on a strict page, legible without its colours, and no wider than its terminal."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from rollbook.domain import events
from rollbook.projections.pictures import Kind, Picture, pictures_of, svg, text
from rollbook.projections.pictures.cells import cells
from rollbook.projections.pictures.elements import wide
from tests.support.golden_campaigns import RECORDED
from tests.support.hostile import STORED
from tests.support.pictures import RULEBOOK, SVG, drawn, golden_pictures, history_of, people, words_in

LONG = "Sir Percival Montgomery Fitzwilliam-Featherstonehaugh of Ely"


def of_everybody(*names: str) -> tuple[Picture, ...]:
    """The pictures of a campaign in which these people fight, fall and earn, each over three sessions."""
    who = [f"c{at}" for at in range(len(names))]
    fight = [events.EncounterBegan(title=names[0]), events.TurnOrderSet(order=tuple(who)), events.RoundBegan()]
    hurt = [events.DamageTaken(character=one, amount=13 + at, dealt=9, source=who[0]) for at, one in enumerate(who)]
    spent = [events.PoolGained(holder=one, pool=names[0], amount=3) for one in who]
    spent += [events.PoolSpent(holder=one, pool=names[0], amount=1) for one in who]
    actions = [people(*names), fight, *([each] for each in hurt), spent, [events.EncounterEnded()]]
    for session in (1, 2, 3):
        earned = [events.ExperienceAwarded(character=one, amount=100 * at) for at, one in enumerate(who, 1)]
        actions += [[events.SessionOpened(session=session)], earned]
    return pictures_of(history_of(*actions), RULEBOOK)


EVERY = [*(picture for name in RECORDED for picture in golden_pictures(name))]
EVERY += [*of_everybody("Robin"), *of_everybody(*(f"{LONG} {at}" for at in range(12))), *of_everybody(STORED, "Ann")]
IDS = [f"{at}-{picture.key}" for at, picture in enumerate(EVERY)]


@pytest.mark.parametrize("picture", EVERY, ids=IDS)
def test_a_drawing_is_well_formed_and_says_what_it_is(picture: Picture) -> None:
    root = drawn(picture)
    assert root.get("role") == "img"
    named = [root.find(f".//*[@id='{name}']") for name in (root.get("aria-labelledby") or "").split()]
    assert [each.tag for each in named if each is not None and each.text] == [f"{SVG}title", f"{SVG}desc"]


@pytest.mark.parametrize("picture", EVERY, ids=IDS)
def test_a_strict_page_takes_every_drawing(picture: Picture) -> None:
    for each in drawn(picture).iter():
        assert each.tag.removeprefix(SVG) in {"svg", "title", "desc", "path", "rect", "text"}
        assert not [name for name in each.attrib if name == "style" or name.startswith("on") or "href" in name]


@pytest.mark.parametrize("picture", EVERY, ids=IDS)
@pytest.mark.parametrize("width", [320, 460, 700])
def test_no_text_leaves_the_drawing_or_stands_on_another(picture: Picture, width: int) -> None:
    boxes = []
    for word in words_in(drawn(picture, width)):
        x, y, size = (float(word.get(name, "")) for name in ("x", "y", "font-size"))
        long = wide("".join(word.itertext()).removeprefix(word.findtext(f"{SVG}title") or ""), int(size))
        left = x - {"end": long, "middle": long / 2}.get(word.get("text-anchor", ""), 0)
        assert left >= -1 and left + long <= width + 1, ET.tostring(word)
        boxes.append((left, y - size, left + long, y - 2, word.text))
    for at, one in enumerate(boxes):
        for other in boxes[:at]:
            apart = one[2] <= other[0] + 1 or other[2] <= one[0] + 1 or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one, other)


@pytest.mark.parametrize("picture", EVERY, ids=IDS)
@pytest.mark.parametrize("width", [24, 40, 80, 200])
def test_letters_keep_to_the_width_of_the_terminal(picture: Picture, width: int) -> None:
    for line in text(picture, width).split("\n"):
        assert cells(line) <= width
        assert line.isprintable()


@pytest.mark.parametrize("picture", EVERY, ids=IDS)
def test_a_table_has_as_many_cells_as_columns(picture: Picture) -> None:
    assert picture.rows
    assert {len(row) for row in picture.rows} == {len(picture.columns)}


def test_each_line_has_a_dash_and_a_marker_of_its_own_besides_its_colour() -> None:
    experience = next(each for each in of_everybody("Ann", "Ben", "Cid", "Dot") if each.kind is Kind.EXPERIENCE)
    paths = [each.attrib for each in drawn(experience).iter(f"{SVG}path")]
    dashes = {each.get("stroke-dasharray", "") for each in paths if each["class"].startswith("pic-line")}
    shapes = {re.sub(r"^M[-\d. ]+", "", each["d"]) for each in paths if each["class"].startswith("pic-dot")}
    assert (len(dashes), len(shapes)) == (4, 4)


def test_a_drawing_that_stands_alone_brings_its_heading_and_both_schemes_of_colour() -> None:
    alone = svg(golden_pictures("sherwood")[0], alone=True)
    ET.fromstring(alone)
    assert "prefers-color-scheme:dark" in alone and "var(--ink)" in alone
    assert "<style>" not in svg(golden_pictures("sherwood")[0])


def test_hit_points_below_nothing_are_drawn_below_the_line() -> None:
    fight = next(each for each in of_everybody(*(f"{LONG} {at}" for at in range(12))) if each.kind is Kind.HIT_POINTS)
    assert fight.series[-1].said == "18 → −6"
    assert sum(each.get("class") == "pic-cross" for each in drawn(fight).iter()) == 7
    assert text(fight, 80).count("✗") == 7


def test_fifty_sessions_fit_in_one_drawing() -> None:
    actions = [people("Ann", "Ben")]
    for session in range(1, 51):
        actions += [[events.SessionOpened(session=session)], [events.ExperienceAwarded(character="c0", amount=session)]]
    (experience,) = pictures_of(history_of(*actions), RULEBOOK)
    assert len(experience.rows) == 51
    shown = [word.text for word in words_in(drawn(experience))]
    assert "session 50" in shown and "start" in shown
