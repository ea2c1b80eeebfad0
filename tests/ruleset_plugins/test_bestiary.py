"""``join --like``: the numbers of somebody who was here, or of a row of a file; what is stored holds the numbers themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.bestiary.library import blocks
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.rulesets.powers.powers import powers_of
from tests.support.campaigns import memory_book
from tests.support.games import INSTALLED_RULESETS


@pytest.fixture(autouse=True)
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "mine.toml"
    monkeypatch.setenv("ROLLBOOK_BESTIARY", str(file))
    return file


@pytest.fixture(params=INSTALLED_RULESETS)
def campaign(request: pytest.FixtureRequest, tmp_path: Path) -> Campaign:
    made = memory_book(tmp_path, ruleset=discover().ruleset(request.param)).new("Woods", request.param)
    made.do("take-seat", {"seat": "Ana", "role": "gm"})
    return made


def numbers(campaign: Campaign, who: str) -> dict[str, str]:
    return {value.key: str(value) for value in campaign.sheet(who).values}


def test_another_has_the_numbers_and_things_of_somebody_who_has_gone(campaign: Campaign) -> None:
    campaign.say("join wolf --kind monster --hp 9")
    campaign.say("give wolf teeth --count 2 --use weapon:light")
    campaign.say("adjust wolf max_hp 2 'larger than we thought'")
    fresh = numbers(campaign, "wolf")
    campaign.say("harm wolf 3 --dice=")
    campaign.say("leave wolf")
    entry = campaign.say("join --like wolf --count 2").entry
    assert entry is not None
    assert [who.name for who in campaign.state.characters.values()] == ["wolf", "wolf 2", "wolf 3"]
    assert numbers(campaign, "wolf-2") == numbers(campaign, "wolf-3") == fresh
    assert campaign.state.characters["wolf-2"].gear == campaign.state.characters["wolf"].gear
    assert campaign.state.characters["wolf-2"].kind == "monster"
    assert entry.intent.params["like"] == ""
    assert entry.intent.params["sheet"]
    assert campaign.audit()[2].verdict is Verdict.VERIFIED


def test_hit_points_may_differ_from_those_of_the_pattern(campaign: Campaign) -> None:
    campaign.say("join wolf --kind monster --hp 9")
    campaign.say("join --like wolf --hp 4,6")
    assert [numbers(campaign, who)["hp"] for who in ("wolf", "wolf-2", "wolf-3")] == ["9 of 9", "4 of 4", "6 of 6"]


def test_what_became_of_the_pattern_changes_nothing(campaign: Campaign) -> None:
    first = campaign.say("join wolf --kind monster --hp 9").entry
    assert first is not None
    campaign.say("join --like wolf")
    before = numbers(campaign, "wolf-2")
    campaign.corrections.undo(first.action, reason="never was there").apply()
    assert numbers(campaign, "wolf-2") == before


def test_the_rows_that_come_with_a_game_are_joined_as_they_are(campaign: Campaign) -> None:
    campaign.say("open-session")
    rows = blocks(campaign.state.ruleset, campaign.session.rulebook.verb(campaign.state, "join"))
    assert len(rows) >= 2
    for row in rows:
        entry = campaign.say(f"join --like {row} --count 2").entry
        assert entry is not None
        assert entry.intent.params["like"] == ""
        assert f"{row}-1" in campaign.state.characters


def test_a_row_of_ones_own_comes_first_and_may_change_later(campaign: Campaign, own_file: Path) -> None:
    own_file.write_text(f'[{campaign.state.ruleset}."Grey wolf"]\nkind = "monster"\nhp = 5\n')
    campaign.say("join --like 'grey wolf'")
    own_file.write_text(f'[{campaign.state.ruleset}."Grey wolf"]\nkind = "monster"\nhp = 50\n')
    campaign.session.read_again()
    assert numbers(campaign, "grey-wolf")["hp"] == "5 of 5"
    assert campaign.audit()[2].verdict is Verdict.VERIFIED


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('hp = "many"', r"mine\.toml: ghost: hp is a whole number, not 'many'\."),
        ("teeth = 3", r"mine\.toml: ghost: There is no option of join called 'teeth'"),
        ("hp = -1", r"mine\.toml: ghost: hp is -1, but it must be"),
        ("hp =", r"mine\.toml is not written as TOML; it goes wrong at line"),
    ],
)
def test_a_faulty_row_is_a_sentence_with_file_and_name(campaign: Campaign, own_file: Path, row: str, said: str) -> None:
    own_file.write_text(f"[{campaign.state.ruleset}.ghost]\n{row}\n")
    with pytest.raises(RollbookError, match=said):
        campaign.say("join --like ghost")
    assert not campaign.state.characters


def test_a_name_that_nobody_and_no_row_has_is_answered_with_the_nearest(campaign: Campaign) -> None:
    with pytest.raises(NotFound, match=r"Nobody called 'wolv' was here, and no row of a bestiary is.*wolf"):
        campaign.say("join --like wolv")


def test_what_the_pattern_decides_is_not_said_beside_it(campaign: Campaign) -> None:
    if campaign.state.ruleset == "russell":
        pytest.skip("reads like beside other options, as it always has")
    campaign.say("join wolf --kind monster --hp 9")
    with pytest.raises(Refused, match="Beside --like there is no --stats"):
        campaign.say("join --like wolf --stats max_hp=3")


def test_a_kept_row_makes_another_of_the_same_numbers(campaign: Campaign, own_file: Path, tmp_path: Path) -> None:
    from rollbook.adapters.cli.commands.bestiary import keep_rows  # noqa: PLC0415

    campaign.say("join wolf --kind monster --hp 9")
    campaign.say("give wolf 'sharp, long teeth' --use weapon:light")
    keep_rows(campaign, ("wolf",), "dire wolf")
    assert own_file.exists()
    campaign.say("join --like 'dire wolf'")
    assert numbers(campaign, "dire-wolf") == numbers(campaign, "wolf")
    assert campaign.state.characters["dire-wolf"].gear == campaign.state.characters["wolf"].gear
    with pytest.raises(RollbookError, match="There is a row 'dire-wolf'"):
        keep_rows(campaign, ("wolf",), "dire wolf")


def test_a_power_that_was_made_for_somebody_is_there_in_full_in_those_who_are_like_them(
    tmp_path: Path, own_file: Path
) -> None:
    from rollbook.adapters.cli.commands.bestiary import keep_rows  # noqa: PLC0415

    made = memory_book(tmp_path, ruleset=discover().ruleset("powers")).new("Woods", "powers")
    made.say("join Grell 9 --kind monster")
    made.say(
        "define-power grell 'Boat hook' --attack --rolls strength --against strength --success 1d4 --condition wet"
    )
    keep_rows(made, ("grell",), "hooker")
    assert "Boat hook" in own_file.read_text() or "boat-hook" in own_file.read_text()
    for line, who in (("join --like grell", "grell-2"), ("join --like hooker", "hooker")):
        made.say(line)
        assert made.state.characters[who].trait_data == made.state.characters["grell"].trait_data != {}
        assert powers_of(made.state.characters[who]) == powers_of(made.state.characters["grell"])


@pytest.mark.parametrize("said", ["hook", "[1]", '{"a": {"b": 1}}', '{"a": null}', '{"": 1}', '{"a": [1]}'])
def test_what_can_be_written_on_no_trait_is_refused(tmp_path: Path, said: str) -> None:
    made = memory_book(tmp_path, ruleset=discover().ruleset("powers")).new("Woods", "powers")
    params = {"name": "Eel", "hp": 3, "sheet": {"max_hp": 3}, "traits": {"bite": "power"}, "details": {"bite": said}}
    with pytest.raises(Refused, match="What is written on bite is a JSON object"):
        made.do("join", params)
