"""Only rolls that count are luck; what was seen and set aside is listed apart, with who chose it, and once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.imports.avrae.importer import read_avrae
from rollbook.adapters.imports.recording import record_import
from rollbook.application.campaign import Campaign
from rollbook.domain.corrections.changes import Amend, CorrectionOptions
from rollbook.domain.corrections.undoing_together import REASON
from rollbook.domain.dice.record import StreamPlace
from rollbook.domain.entries import SecondThought
from rollbook.projections.luck import BY, Origin, gather, report
from rollbook.projections.luck.against_odds import rolled_under
from rollbook.projections.luck.throws import DiscardReason, Throw
from tests.support.avrae import real_recordings
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, imported_book
from tests.support.random_steps import RandomSteps


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """A session that is open, with robin at his skill."""
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("adjust", {"who": "robin", "what": "skill", "by": 20, "reason": "a good day"})
    return campaign


def roll(campaign: Campaign, seat: str = "mira", *faces: int, expression: str = "1d20", secret: bool = False) -> int:
    """A loose roll; its number."""
    campaign.do("roll", {"expression": expression}, seat=seat, dice=faces or None, secret=secret)
    return campaign.head.actions


def counting(campaign: Campaign) -> tuple[Throw, ...]:
    return gather(campaign.history).counting


def aside(campaign: Campaign) -> list[tuple[DiscardReason, str, bool]]:
    return [(each.fate, each.by, each.chosen) for each in gather(campaign.history).aside]


def test_every_roll_counts_once_with_its_seat_session_and_origin(campaign: Campaign) -> None:
    first, second = roll(campaign), roll(campaign, "Ana", 7)
    campaign.do("close-session")
    campaign.do("open-session")
    third = roll(campaign, "Ana", secret=True)
    found = [(throw.action, throw.session, throw.seat, throw.origin, throw.is_secret) for throw in counting(campaign)]
    assert found == [
        (first, 1, "mira", Origin.STREAM, False),
        (second, 1, "Ana", Origin.TYPED, False),
        (third, 2, "Ana", Origin.STREAM, True),
    ]


def test_what_is_undone_is_set_aside_by_the_seat_that_undid_it(campaign: Campaign) -> None:
    number = roll(campaign)
    campaign.corrections.undo(number, reason="oops").apply()
    assert counting(campaign) == ()
    assert aside(campaign) == [(DiscardReason.UNDONE, "Ana", True)]


def test_the_same_request_again_takes_its_dice_up_and_nothing_is_set_aside(campaign: Campaign) -> None:
    number = roll(campaign)
    campaign.corrections.undo(number, reason="oops").apply()
    again = roll(campaign)
    assert [throw.action for throw in counting(campaign)] == [again]
    assert aside(campaign) == []


def test_what_was_redone_counts_and_is_not_set_aside(campaign: Campaign) -> None:
    number = roll(campaign, "mira", 3)
    campaign.corrections.undo(number, reason="oops").apply()
    campaign.corrections.redo(number, reason="no").apply()
    assert [throw.action for throw in counting(campaign)] == [number]
    assert aside(campaign) == []


def test_dice_that_are_typed_again_are_set_aside_and_fewer_of_them_are_not_chosen(campaign: Campaign) -> None:
    number = roll(campaign, "mira", 3)
    campaign.corrections.amend(number, {}, retype=(17,), reason="a 17", options=CorrectionOptions(seat="mira")).apply()
    assert aside(campaign) == [(DiscardReason.RETYPED, "mira", True)]
    bet = roll(campaign, "mira", 3, 5, expression="2d6")
    campaign.corrections.amend(bet, {"expression": "1d6"}, reason="one die").apply()
    assert aside(campaign)[1:] == [(DiscardReason.REPLACED, "Ana", False)]


def test_what_a_correction_carries_along_is_not_chosen(campaign: Campaign) -> None:
    campaign.do("gain-token", {"who": "robin"})
    gained = campaign.head.actions
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, dice=(15, 5))
    campaign.do("bet", {"who": "marian", "dice": 1}, dice=(6,))
    campaign.do("heal", {"who": "guard", "dice": 1}, dice=(2,))
    campaign.corrections.undo(gained + 1, reason="no attack", options=CorrectionOptions(orphans="undo")).apply()
    fates = {each.throw.roll.purpose: (each.fate, each.chosen) for each in gather(campaign.history).aside}
    assert fates["to hit"] == fates["damage"] == (DiscardReason.UNDONE, True)
    assert fates["heal"] == (DiscardReason.UNDONE, False)


def test_a_scene_that_is_rewound_after_the_x_card_is_nobodys_choice_of_dice(campaign: Campaign) -> None:
    number = roll(campaign)
    campaign.corrections.undo(number, reason=REASON).apply()
    assert aside(campaign) == [(DiscardReason.UNDONE, "Ana", False)]


def test_a_grant_and_an_override_are_choices_of_those_who_made_them(campaign: Campaign) -> None:
    number = roll(campaign)
    campaign.corrections.undo(number, reason="oops").apply()
    campaign.do("grant-dice", {"action": number, "why": "the cat jumped on the table"})
    other = roll(campaign, expression="1d6")
    shown = counting(campaign)[0].roll.dice[0].face
    campaign.corrections.override(other, (shown % 6 + 1,), reason="we said six").apply()
    assert aside(campaign) == [(DiscardReason.GRANTED, "Ana", True), (DiscardReason.OVERRIDDEN, "Ana", True)]
    (overridden,) = counting(campaign)
    assert overridden.origin is Origin.OVERRIDDEN
    found = report(gather(campaign.history))
    assert (found.groups, found.faces, found.selective["Ana"].rolls) == ((), (), 2)


def test_a_second_thought_sets_nothing_aside_and_its_check_is_nobodys_luck(campaign: Campaign) -> None:
    campaign.do("gain-token", {"who": "robin"})
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    assert next(throw.check for throw in counting(campaign)) is not None
    campaign.corrections.record_second_thought(SecondThought(kind="reroll", character="robin"))
    purposes = [throw.roll.purpose for throw in counting(campaign)]
    assert purposes.count("to hit") == purposes.count("to hit again") == 1
    assert all(throw.check is None for throw in counting(campaign))
    assert aside(campaign) == []


def test_a_die_that_was_drawn_for_a_correction_counts_once(campaign: Campaign) -> None:
    number = roll(campaign, expression="1d20")
    campaign.corrections.preview(
        {number: Amend({"expression": "2d20"})}, reason="two", options=CorrectionOptions(draw=True)
    ).apply()
    assert len(counting(campaign)) == 1
    assert len(counting(campaign)[0].roll.dice) == 2
    assert aside(campaign) == []


def test_of_a_roll_with_more_dice_only_those_that_do_not_count_are_set_aside(campaign: Campaign) -> None:
    number = roll(campaign, expression="1d20")
    (first,) = counting(campaign)
    campaign.corrections.preview(
        {number: Amend({"expression": "3d20"})}, reason="three", options=CorrectionOptions(draw=True)
    ).apply()
    more = counting(campaign)[0].roll
    campaign.corrections.amend(number, {"expression": "1d20"}, reason="one after all").apply()
    assert [throw.roll.dice for throw in counting(campaign)] == [first.roll.dice]
    (gone,) = gather(campaign.history).aside
    assert (gone.throw.roll.dice, gone.throw.roll.expression) == (more.dice[1:], "2d20")
    assert gone.throw.roll.total == sum(die.face for die in more.dice[1:])
    assert not places(gone.throw) & places(first)


def test_dice_of_a_roll_that_was_undone_and_that_were_taken_up_since_are_not_set_aside(campaign: Campaign) -> None:
    number = roll(campaign, expression="1d20")
    campaign.corrections.preview(
        {number: Amend({"expression": "2d20"})}, reason="two", options=CorrectionOptions(draw=True)
    ).apply()
    seen = counting(campaign)[0].roll.dice
    campaign.corrections.undo(number, reason="oops").apply()
    roll(campaign, expression="1d20")
    (taken_up,) = counting(campaign)[0].roll.dice
    assert [each.throw.roll.dice for each in gather(campaign.history).aside] == [
        tuple(die for die in seen if die != taken_up)
    ]


# 42, 67, 147 and 154: more dice were drawn for a roll, and then only some of them counted.
@pytest.mark.parametrize("seed", [*range(12), 42, 67, 147, 154])
def test_no_die_of_the_stream_counts_twice_or_both_counts_and_is_set_aside(seed: int, tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    play_campaign_steps(campaign, RandomSteps(seed), 70, corrections=0.35)
    found = gather(campaign.history)
    counted = [place for throw in found.counting for place in places(throw)]
    assert len(counted) == len(set(counted))
    gone = [place for each in found.aside if each.fate is not DiscardReason.OVERRIDDEN for place in places(each.throw)]
    assert not set(gone) & set(counted)
    effective = [
        event
        for _, entry in campaign.history.outcomes()
        if entry is not None and not is_draw(entry)
        for event in entry.events
        if getattr(event, "dice", ())
    ]
    assert [throw.roll for throw in found.counting] == effective


def places(throw: Throw) -> set[tuple[int, StreamPlace]]:
    return {(source.session, source.place) for source in throw.roll.sources if source.place}


def is_draw(entry: object) -> bool:
    return entry.intent.verb == "draw-for"  # type: ignore[attr-defined]


def test_only_typed_dice_are_ever_asked_whether_they_look_uneven(campaign: Campaign) -> None:
    for _ in range(40):
        roll(campaign, expression="9d20")
    roll(campaign, "Ana", *([20] * 12), expression="12d20")
    found = report(gather(campaign.history))
    assert [(each.seat, each.faces.sides, len(each.faces.faces)) for each in found.typed] == [("Ana", 20, 12)]
    assert found.typed[0].directional > 3
    assert {faces.origin for faces in found.faces} == {Origin.STREAM, Origin.TYPED}


def test_physical_and_proven_rolls_are_groups_of_their_own(campaign: Campaign) -> None:
    roll(campaign, "mira", 4)
    roll(campaign, "mira")
    found = report(gather(campaign.history))
    assert [(group.key, group.origin, group.luck.rolls) for group in found.groups] == [
        ("mira", Origin.TYPED, 1),
        ("mira", Origin.STREAM, 1),
    ]
    assert found.party == 0


@pytest.mark.parametrize("path", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
@pytest.mark.parametrize("by", BY)
def test_every_golden_campaign_has_its_statistics(path: Path, by: str, tmp_path: Path) -> None:
    book = imported_book(path, tmp_path)
    throws = gather(book.campaign(book.campaigns()[0]).history)
    found = report(throws, by)
    assert found.rolls == len(throws.counting) > 0
    assert sum(group.luck.rolls + group.luck.left_out for group in found.groups) <= found.rolls
    assert all(group.luck.left_out == 0 for group in found.groups)
    assert sum(len(faces.faces) for faces in found.faces) == sum(len(throw.roll.dice) for throw in throws.counting)


def test_a_game_that_rolls_under_is_known_by_its_outcomes(tmp_path: Path) -> None:
    """russell's checks and saves succeed at or below their number; the others' at or above."""
    found = {}
    for path in GOLDEN_CAMPAIGNS:
        throws = gather((book := imported_book(path, tmp_path / path.stem)).campaign(book.campaigns()[0]).history)
        found[path.stem] = rolled_under([(throw.roll, throw.check) for throw in throws.counting if throw.check])
    assert found.pop("drowned-chapel.1")
    assert found.pop("drowned-chapel.2")
    assert set(found.values()) == {frozenset()}


def test_dice_of_real_sessions_are_imported_and_nobody_is_accused(tmp_path: Path) -> None:
    paths = real_recordings()
    if not paths:
        pytest.skip("the recordings of real sessions are not here; ROLLBOOK_SHARED says where they are")
    rolls = left_out = 0
    for number, path in enumerate(paths):
        book = memory_book(tmp_path / str(number))
        throws = gather(record_import(book, read_avrae(path)).history)
        found = report(throws)
        rolls += found.rolls
        left_out += sum(group.luck.left_out for group in found.groups)
        assert (found.typed, found.selective) == ((), {})
        assert {faces.origin for faces in found.faces} <= {Origin.IMPORTED}
    assert rolls > 100
    assert left_out < rolls / 10
