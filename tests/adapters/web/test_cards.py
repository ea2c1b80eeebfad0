"""The cards of a log: every action once, as it counts today; corrections; and nothing that a reader may not see."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.web.table.cards import Card, CardKind
from rollbook.adapters.web.table.log_pages import before, card_of, corrections_of, fitting, newest, news_since
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.edition import Edition
from rollbook.domain.entries import EntryKind
from rollbook.domain.events import CheckResolved, DiceRolled
from rollbook.projections.filters import BadFilter
from tests.support.web_tables import in_the_fight

AUDIENCES = pytest.mark.parametrize("audience", [None, ""], ids=["gm", "table"])


def seen_by(campaign: Campaign, audience: str | None) -> Campaign:
    return campaign if audience is None else Edition(campaign, audience)


def whole_log(campaign: Campaign) -> list[Card]:
    page = newest(campaign)
    cards = list(page.cards)
    while page.older:
        page = before(campaign, page.older)
        cards = [*page.cards, *cards]
    return cards


@pytest.fixture(scope="module")
def fight(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    files = in_the_fight(Path(tmp_path_factory.mktemp("fight")))
    campaign = files.book().campaign("sherwood")
    campaign.session.project()
    return campaign


@AUDIENCES
def test_a_log_that_is_read_back_page_by_page_has_every_action_once_and_every_correction(
    played: Campaign, audience: str | None
) -> None:
    campaign = seen_by(played, audience)
    history, cards = campaign.history, whole_log(campaign)
    taken = [card for card in cards if card.kind is not CardKind.CORRECTION]
    assert [card.first.action for card in taken] == list(range(1, history.actions + 1))
    assert [card.first.entry for card in cards] == sorted(card.first.entry for card in cards)
    corrected = {entry.action for entry in history.entries if entry.is_correction}
    named = {card.first.action for card in cards if card.kind is CardKind.CORRECTION}
    followed = {each.action for card in cards for each in card.consequences}
    assert named | followed == corrected


@AUDIENCES
def test_a_card_says_the_check_and_the_dice_of_the_outcome_that_counts(played: Campaign, audience: str | None) -> None:
    campaign = seen_by(played, audience)
    history, looked_at = campaign.history, 0
    for card in whole_log(campaign):
        if card.kind is CardKind.CORRECTION:
            continue
        entry = history.latest_outcome(card.first.action)
        checks = [each for each in entry.events if isinstance(each, CheckResolved)]
        checks = [each for each in checks if each.character in ("", entry.actor)]
        rolls = [event for event in entry.events if isinstance(event, DiceRolled)]
        assert card.is_undone == (history.effective(card.first.action) is None)
        assert card.shown.entry == entry.number
        assert [roll.total for roll in card.now.rolls] == [roll.total for roll in rolls]
        assert [[die.face for die in roll.dice] for roll in card.now.rolls] == [
            [die.face for die in roll.dice] for roll in rolls
        ]
        if len(checks) == 1:
            looked_at += 1
            assert (card.now.total, card.now.target) == (checks[0].total, checks[0].target)
            assert card.now.success == (1 if checks[0].success else -1)
            assert f"{checks[0].total} against" not in card.now.headline
    assert looked_at


def test_an_action_that_came_out_otherwise_keeps_what_it_came_to_first(fight: Campaign) -> None:
    card = card_of(fight, 20)
    assert card is not None
    assert (card.now.headline, card.now.success, card.now.total, card.now.target) == ("Miss", -1, 16, 17)
    (first,) = card.before
    assert first.headline.startswith("Hit; The Sheriff −15 HP")
    assert (card.now.seat, card.now.reason) == ("Ana", "he wore plate from the start")
    assert [each.kind for each in corrections_of(fight, card)] == []


def test_what_was_undone_stays_with_who_did_it_and_why(fight: Campaign) -> None:
    card = card_of(fight, 22)
    assert card is not None
    assert card.is_undone
    assert card.now.headline == "Hit; Robin Hood −6 HP"
    assert (card.undone_by, card.shown.why) == ("Ana", "out of reach: he was 120 feet away")
    (correction,) = corrections_of(fight, card)
    assert (correction.title, correction.first.reason) == ("is undone", "out of reach: he was 120 feet away")


@AUDIENCES
def test_a_correction_names_what_is_otherwise_for_it_to_every_reader(fight: Campaign, audience: str | None) -> None:
    campaign = seen_by(fight, audience)
    (correction,) = [card for card in whole_log(campaign) if card.id.startswith("e") and card.first.action == 12]
    assert correction.title == "is changed"
    assert [(each.action, each.done) for each in correction.consequences] == [(20, "is changed")]


def test_secrets_are_marked_for_the_gm_and_in_no_card_of_anybody_else(fight: Campaign) -> None:
    assert [card.shown.who for card in whole_log(fight) if card.shown.visibility == "gm"] == ["Spy", "Ana"]
    cards = whole_log(Edition(fight, ""))
    assert not any("spy" in str(card).casefold() for card in cards)
    actions = [card.first.action for card in cards if card.id.startswith("a")]
    assert actions == list(range(1, len(actions) + 1))


def test_news_are_what_came_after_and_the_cards_that_are_otherwise_for_it(fight: Campaign) -> None:
    history = fight.history
    amended = next(entry for entry in history.entries if entry.action == 12 and entry.kind is EntryKind.REVISED)
    news = news_since(fight, amended.number - 1)
    assert [card.id for card in news.cards] == [f"e{amended.number}", "a40"]
    assert sorted(card.id for card in news.replaced) == ["a12", "a20"]
    assert news_since(fight, history.head).cards == ()
    assert news_since(fight, history.head).replaced == ()


def test_who_has_read_nothing_gets_the_end_of_the_log(fight: Campaign) -> None:
    news = news_since(fight, None)
    assert news.is_whole
    assert news.cards == newest(fight).cards
    assert [card.id for card in news_since(fight, 0).cards] == [card.id for card in whole_log(fight)]


def test_a_filter_finds_actions_and_says_what_is_wrong_with_it(fight: Campaign) -> None:
    assert [card.first.action for card in fitting(fight, "who=robin verb=attack").cards] == [20, 36]
    assert [card.first.action for card in fitting(fight, "who=robin verb=attack", 36).cards] == [20]
    with pytest.raises(BadFilter, match="Did you mean who"):
        fitting(fight, "whom=robin")


def test_scenes_sessions_and_rounds_are_headings(fight: Campaign) -> None:
    heads = {card.kind: card for card in reversed(whole_log(fight)) if card.title and card.id.startswith("a")}
    assert heads[CardKind.SESSION].title == "The Silver Arrow"
    assert (heads[CardKind.SCENE].title, heads[CardKind.SCENE].subtitle) == (
        "The archery contest at Nottingham",
        "scene 1",
    )
    assert heads[CardKind.ROUND].title == "The ambush"
    assert heads[CardKind.ROUND].subtitle.startswith("19 Robin Hood, 14 Count Dracula")


def test_what_came_of_a_loose_roll_is_its_number(fight: Campaign) -> None:
    fight.say("roll 1d20+4 ! 13")
    fight.session.project()
    card = newest(fight).cards[-1]
    assert (card.now.headline, card.now.total, card.now.target) == ("17 (1d20+4)", 17, None)
    assert "17" in card.spoken


def test_an_outcome_that_was_replaced_by_the_same_is_not_shown_beside_it(fight: Campaign) -> None:
    fight.say("amend 20 distance=118 --why 'two feet less'")
    fight.session.project()
    card = card_of(fight, 20)
    assert card.now.revision == 3
    assert [was.headline for was in card.before] == ["Hit; The Sheriff −15 HP"]
    assert card.now.headline == "Miss"
