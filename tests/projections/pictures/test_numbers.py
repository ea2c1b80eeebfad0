"""The numbers of pictures are those of the sheets and the log, as corrected, of what is wanted alone."""

from __future__ import annotations

import pytest

from rollbook.domain import events
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.history import History
from rollbook.projections.pictures import Form, Kind, Picture, pictures_of, text
from tests.support.golden_campaigns import RECORDED
from tests.support.pictures import RULEBOOK, golden, golden_pictures, history_of, people


def only(found: tuple[Picture, ...], kind: Kind) -> Picture:
    (picture,) = (each for each in found if each.kind is kind)
    return picture


@pytest.mark.parametrize("name", RECORDED)
def test_hit_points_go_from_what_the_sheets_said_to_what_they_say(name: str) -> None:
    fight = only(golden_pictures(name), Kind.HIT_POINTS)
    history = golden(name)
    after = history.as_corrected_to(fight.last)
    for series in fight.series:
        who = next(each for each in after.characters.values() if each.name == series.name)
        assert series.points[-1][1] == RULEBOOK.sheet(who, after).amount("hp")
        assert series.most == RULEBOOK.sheet(who, after).amount("max_hp")


def test_a_fall_is_marked_and_hit_points_below_nothing_are_said() -> None:
    fight = only(golden_pictures("sallow-lock"), Kind.HIT_POINTS)
    nell = next(series for series in fight.series if series.name == "Nell Farrow")
    assert nell.said == "15 → −5 of 15"
    assert "✗" in next(line for line in text(fight, 80).split("\n") if line.startswith("Nell"))


def test_experience_is_what_everybody_has_after_each_session() -> None:
    actions = [people("Ann", "Ben")]
    for session, amount in enumerate((100, 0, 50), 1):
        actions.append([events.SessionOpened(session=session)])
        if amount:
            actions.append([events.ExperienceAwarded(character="c0", amount=amount)])
    picture = only(pictures_of(history_of(*actions), RULEBOOK), Kind.EXPERIENCE)
    assert picture.columns == ("after", "Ann")
    assert picture.rows == (("start", 0), ("1", 100), ("2", 100), ("3", 150))


def test_of_one_session_experience_is_drawn_award_by_award() -> None:
    actions = [people("Ann"), [events.SessionOpened(session=1)]]
    actions += [[events.ExperienceAwarded(character="c0", amount=amount)] for amount in (10, 30)]
    picture = only(pictures_of(history_of(*actions), RULEBOOK), Kind.EXPERIENCE)
    assert picture.title == "Experience in session 1"
    assert picture.rows == (("start", 0), ("#3", 10), ("#4", 40))


def test_those_who_earn_the_same_are_one_line() -> None:
    together = [events.ExperienceAwarded(character=f"c{at}", amount=100) for at in range(5)]
    actions = [people("Ann", "Ben", "Cid", "Dot", "Eve"), [events.SessionOpened(session=1)], together]
    picture = only(pictures_of(history_of(*actions), RULEBOOK), Kind.EXPERIENCE)
    assert [series.name for series in picture.series] == ["Ann, Ben, Cid and 2 more"]
    assert len(picture.columns) == 6


def test_only_what_is_wanted_is_drawn() -> None:
    def is_in_the_first_half(entry: RecordedEntry) -> bool:
        return entry.action <= 15

    found = pictures_of(golden("sherwood"), RULEBOOK, is_in_the_first_half)
    assert Kind.HIT_POINTS not in {picture.kind for picture in found}
    (last, *_) = [row for row in only(found, Kind.EXPERIENCE).rows if row[0] == "#10"]
    assert last[1:] == (600_000, 120_000, 120_000)


def test_nothing_is_drawn_of_a_campaign_in_which_nothing_has_happened() -> None:
    assert pictures_of(History(), RULEBOOK) == ()


def test_there_is_a_form_for_every_kind() -> None:
    found = [picture for name in ("sherwood", "drowned-chapel") for picture in golden_pictures(name)]
    assert {picture.form for picture in found} == set(Form)
    assert {picture.kind for picture in found} == set(Kind)
