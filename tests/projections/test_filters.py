"""One small language says which actions are meant; what it cannot read is shown with a caret."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.application.campaign import Campaign
from rollbook.projections.filters import FIELDS, BadFilter, read
from tests.support.campaigns import begin_campaign, memory_book


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """A session of the toy in two scenes; its clock ticks a second at every look."""
    campaign = begin_campaign(memory_book(tmp_path_factory.mktemp("desk")))
    campaign.do("scene", {"title": "The mill"})
    campaign.do("gain-token", {"who": "robin"}, seat="mira")
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, dice=(15, 4))
    campaign.do("scene", {"title": "The bridge"})
    campaign.do("attack", {"attacker": "guard", "target": "robin"}, dice=(2,))
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, dice=(14, 3))
    campaign.do("note", {"text": "The Duke did it", "to": "gm"})
    campaign.corrections.undo(campaign.head.actions - 1, reason="too far away").apply()
    campaign.session.project()
    return campaign


def verbs(campaign: Campaign, text: str) -> list[str]:
    lines = campaign.read_model.log(campaign.id, where=read(text, zone=lambda: UTC))
    return [f"{line.verb} {line.who}" for line in lines]


def numbers(campaign: Campaign, text: str) -> list[int]:
    return [line.action for line in campaign.read_model.log(campaign.id, where=read(text, zone=lambda: UTC))]


def test_who_acted_and_whom_it_was_about_by_id_or_name(played: Campaign) -> None:
    assert verbs(played, "verb=attack who=guard") == ["attack Guard"]
    assert verbs(played, "verb=attack WHO=Robin") == ["attack Robin", "attack Robin"]
    assert verbs(played, "verb=attack target=robin") == ["attack Guard"]
    assert verbs(played, "verb=attack who=robin,guard") == ["attack Robin", "attack Guard", "attack Robin"]
    assert verbs(played, "verb=attack who~rob") == ["attack Robin", "attack Robin"]


def test_all_words_must_hold_and_a_sign_turns_one_round(played: Campaign) -> None:
    everything = numbers(played, "")
    attacks = numbers(played, "verb=attack")
    assert numbers(played, "verb!=attack") == [number for number in everything if number not in attacks]
    assert numbers(played, "verb=attack who!=guard") == [attacks[0], attacks[2]]


def test_numbers_ranges_and_what_came_before_and_after(played: Campaign) -> None:
    first, second, third = numbers(played, "verb=attack")
    assert numbers(played, f"number={first}") == [first]
    assert numbers(played, f"number={first},#{third}") == [first, third]
    assert numbers(played, f"number={first}..{second} verb=attack") == [first, second]
    assert numbers(played, f"number={second}.. verb=attack") == [second, third]
    assert numbers(played, f"number=..{second} verb=attack") == [first, second]
    assert numbers(played, f"verb=attack after=#{first}") == [second, third]
    assert numbers(played, f"verb=attack before={second}") == [first]


def test_scenes_by_number_or_title_and_sessions(played: Campaign) -> None:
    assert verbs(played, "scene=2 verb=attack") == ["attack Guard", "attack Robin"]
    assert verbs(played, "scene=bridge verb=attack") == ["attack Guard", "attack Robin"]
    assert verbs(played, 'scene="the mill" verb=attack') == ["attack Robin"]
    assert numbers(played, "session=1 verb=attack") == numbers(played, "verb=attack")
    assert numbers(played, "session=7") == []


def test_kinds_of_events_seats_and_status(played: Campaign) -> None:
    hits = numbers(played, "kind=DamageTaken verb=attack")
    assert hits == numbers(played, "kind=damage-taken verb=attack") == numbers(played, "verb=attack who=robin")
    assert verbs(played, "seat=mira verb=gain-token") == ["gain-token mira"]
    assert numbers(played, "status=undone") == [numbers(played, "verb=attack")[2]]


def test_words_without_a_field_occur_in_what_the_log_says(played: Campaign) -> None:
    assert verbs(played, "duke") == verbs(played, '"the duke DID"') == verbs(played, "text~duke")
    assert len(verbs(played, "duke")) == 1
    assert verbs(played, "duke nowhere") == []


def test_times_are_days_or_minutes_in_the_zone_of_the_reader(played: Campaign) -> None:
    lines = played.read_model.log(played.id)
    day = datetime.fromtimestamp(lines[0].at / 1_000_000, UTC)
    assert len(numbers(played, f"time={day:%Y-%m-%d}")) == len(lines)
    assert numbers(played, f"time={day + timedelta(days=1):%Y-%m-%d}..") == []
    minute = [line.action for line in lines if line.at // 60_000_000 == lines[0].at // 60_000_000]
    assert numbers(played, f"time={day:%Y-%m-%dT%H:%M}") == minute
    assert set(numbers(played, f"after={day:%Y-%m-%dT%H:%M}")) == set(numbers(played, "")) - set(minute)
    east = timezone(timedelta(hours=1))
    assert (
        read("after=2026-11-20T13:00", zone=lambda: east).values
        == read("after=2026-11-20T12:00", zone=lambda: UTC).values
    )


@pytest.mark.parametrize(
    ("text", "caret", "said"),
    [
        ("who=ogre sceen=3", 9, "Did you mean scene?"),
        ("number=twelve", 7, "'twelve' is not a number"),
        ("verb=", 5, "verb needs a value"),
        ("number=..", 7, "at least one end"),
        ("number~1", 7, "no parts"),
        ('who="the ogre', 4, "never closed"),
        ("time=yesterday", 5, "not a time"),
        ("time=2026-13-01", 5, "not a time"),
        ("a after=x", 8, "not a time"),
    ],
)
def test_what_cannot_be_read_is_shown_with_a_caret(text: str, caret: int, said: str) -> None:
    with pytest.raises(BadFilter) as fault:
        read(text, zone=lambda: UTC)
    sentence, shown, mark = str(fault.value).split("\n")
    assert said in sentence
    assert shown == f"  {text}"
    assert mark == f"  {' ' * caret}^"


@given(st.text(max_size=30), st.sampled_from(sorted(FIELDS)), st.sampled_from(["=", "!=", "~", "!~"]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_text_is_a_filter_that_sqlite_takes_or_is_refused(text: str, field: str, sign: str) -> None:
    model = memory_book(Path("nowhere")).read_model
    for said in (text, f"{field}{sign}{text}"):
        try:
            condition = read(said, zone=lambda: UTC)
        except BadFilter as fault:
            assert 0 <= fault.at <= len(said)
        else:
            assert model.log("nowhere", where=condition) == []


def test_the_page_about_filters_names_every_field_and_shows_a_real_error() -> None:
    page = (Path(__file__).parents[2] / "docs" / "filters.md").read_text(encoding="utf-8")
    assert all(f"`{field}`" in page for field in FIELDS)
    with pytest.raises(BadFilter) as fault:
        read("who=ogre sceen=3", zone=lambda: UTC)
    assert str(fault.value) in page
    for line in page.split("```sh\n")[1].split("```")[0].splitlines():
        said = line.removeprefix("rollbook log ").removeprefix("rollbook undo --where ").removesuffix(" --preview")
        read(said.strip('"').replace("'", ""), zone=lambda: UTC)
