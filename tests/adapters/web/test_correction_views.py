"""What the pages of corrections are made of, in every game: previews, forms sent back as they are, and what players see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.datastructures import FormData

from rollbook.adapters.web.corrections.forms import correction_form
from rollbook.adapters.web.corrections.previews import PreviewPage, looked_at
from rollbook.adapters.web.corrections.requests import AMEND, OWN, REDO, UNDO, RequestedCorrection
from rollbook.adapters.web.corrections.second_thoughts import thinkable, thinking_form
from rollbook.adapters.web.seats.requester import Identity
from rollbook.application.campaign import Campaign
from rollbook.application.corrections import Corrections
from rollbook.application.forms.fields import Control, Field
from rollbook.application.visibility.editions.edition import Edition
from rollbook.application.visibility.seat_previews import is_as_seen
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import UNDECIDED, CorrectionOptions
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.events import Role
from tests.support.games import INSTALLED_RULESETS
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, NEWEST, imported_book

GM = Identity(role=Role.GM)
NEWEST_OF_EACH = [path for path in GOLDEN_CAMPAIGNS if path.stem.endswith(f".{NEWEST}")]
NOTHING_TO_AMEND = "would stay just what it is"


@pytest.fixture(scope="module", params=NEWEST_OF_EACH, ids=lambda path: path.stem)
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    path: Path = request.param
    book = imported_book(path, Path(tmp_path_factory.mktemp(path.stem)))
    yield book.campaign(book.campaigns()[0])
    book.close()


def counting(campaign: Campaign) -> list[ActionNumber]:
    return [action for action, entry in campaign.history.outcomes() if entry is not None]


def test_all_games_are_tried() -> None:
    assert len(NEWEST_OF_EACH) == len(INSTALLED_RULESETS)


def test_every_undo_has_a_page_that_says_all_of_it(campaign: Campaign) -> None:
    pages = 0
    for action in counting(campaign):
        looked = looked_at(campaign, None, RequestedCorrection(kind=UNDO, action=action))
        assert [bool(looked.page), bool(looked.needed), bool(looked.fault)].count(True) == 1
        if looked.page is None or looked.made is None:
            continue
        pages += 1
        page, made = looked.page, looked.made
        assert sum(each.count for each in page.tally if not each.quiet) == len(made.consequences)
        rows = [row for part in page.parts for row in part.rows]
        assert [row.action for row in rows] == [
            one.action for part in page.parts for one in made.consequences if one.effect is part.rows[0].effect
        ]
        assert all(row.what or row.who for row in rows)
        assert all(bool(row.becomes) == (row.effect in UNDECIDED) for row in rows)
        assert sum(len(changes) for _, changes in page.sheets) == len(made.changes)
        assert PreviewPage.of(made, campaign.state, campaign.session.rulebook) == page
        assert looked.what
    assert pages > 20


def test_a_redo_of_what_was_undone_has_a_page(campaign: Campaign) -> None:
    undone = [action for action, entry in campaign.history.outcomes() if entry is None]
    for action in undone:
        looked = looked_at(campaign, None, RequestedCorrection(kind=REDO, action=action))
        assert looked.page or looked.fault or looked.needed
    assert looked_at(campaign, None, RequestedCorrection(kind=REDO, action=1)).fault


def test_a_reason_that_is_said_after_the_preview_is_the_same_as_before_it(campaign: Campaign) -> None:
    for action in counting(campaign)[::3]:
        try:
            without = campaign.corrections.undo(action).because("so")
        except (Refused, DiceNeeded):
            continue
        within = campaign.corrections.undo(action, reason="so")
        assert without.entries == within.entries
        assert without.asked == within.asked


def sent(field: Field) -> Iterator[tuple[str, str]]:
    """What a browser sends of a field that nobody has touched."""
    kind, offered = field.control, [offer.value for offer in field.offers]
    if field.is_fixed:
        yield field.name, field.value
    elif kind in (Control.CHECKS, Control.FLAG):
        yield field.name, ""
        yield from ((field.name, value) for value in field.values if value != "no")
    elif kind is Control.PICK or field.usual:
        yield from ((field.name, each) for each in field.values if each in offered)
        unusual = next((each.value for each in field.unusual if each.value in field.values), "")
        yield field.own_name, field.own_words or (unusual if field.usual else "")
    elif kind is Control.SELECT:
        yield field.name, next((each for each in offered if each in field.values), offered[0])
        yield field.own_name, field.own_words
    else:
        yield field.name, ",".join(field.values)


def test_a_form_that_is_sent_back_as_it_is_amends_nothing(campaign: Campaign) -> None:
    tried = 0
    for action in counting(campaign):
        try:
            form = correction_form(campaign, GM, RequestedCorrection(kind=AMEND, action=action))
        except Refused:
            continue
        pairs = [pair for field in (*form["usual"], *form["seldom"]) for pair in sent(field)]
        asked = RequestedCorrection.of(AMEND, action, FormData([(f"{OWN}listed", form["listed"]), *pairs]))
        looked = looked_at(campaign, None, asked)
        assert looked.needed or NOTHING_TO_AMEND in looked.fault or "imported" in looked.fault, (action, looked, pairs)
        tried += NOTHING_TO_AMEND in looked.fault
    assert tried > 20


def test_an_adjustment_can_be_made_in_every_action_that_counts(campaign: Campaign) -> None:
    for action in counting(campaign):
        form = correction_form(campaign, GM, RequestedCorrection(kind="adjust", action=action))
        assert form["what"]
        assert {"hp", "xp", "level"} <= set(form["numbers"])
    who = correction_form(campaign, GM, RequestedCorrection(kind="adjust", action=counting(campaign)[-1]))["people"][
        0
    ].value
    for action in reversed(counting(campaign)):
        if campaign.session.rulebook.is_final(campaign.state, campaign.history.intent_of(action)):
            continue
        asked = RequestedCorrection(kind="adjust", action=action, who=who, what="hp", by="\u22121", reason="a splinter")
        looked = looked_at(campaign, None, asked)
        assert looked.page, looked.fault
        assert f"{who} hp −1" in looked.page.parts[0].rows[0].adjusted
        break


def test_second_thoughts_are_offered_where_the_rules_have_them(campaign: Campaign) -> None:
    ruleset = campaign.session.rulebook.ruleset_of(campaign.state)
    assert ruleset is not None
    found = thinkable(campaign, GM)
    assert not found or ruleset.second_thoughts
    last = counting(campaign)[-1]
    if ruleset.second_thoughts:
        assert [each.value for each in thinking_form(campaign, GM, last)["kinds"]] == list(ruleset.second_thoughts)
    with pytest.raises((Refused, NotFound)):
        thinking_form(campaign, GM, last - 1)


def test_a_player_is_shown_what_it_really_comes_to(campaign: Campaign) -> None:
    """Where nothing is hidden, the player's preview is the whole one, and only what is the player's is made at once."""
    history = campaign.history
    if history.shown.secrets:
        pytest.skip("something is hidden in it; what that changes is tried elsewhere")
    tried = 0
    for seat in (seat.name for seat in campaign.state.seats.values() if seat.role is Role.PLAYER):
        edition = Edition(campaign, seat, to_correct=True)
        for action in counting(campaign):
            options = CorrectionOptions(seat=seat, reason="so")
            try:
                made = campaign.corrections.undo(action, options=options)
            except (Refused, DiceNeeded):
                continue
            shown = Corrections(edition.session).undo(edition.shown_action(action), options=options)
            assert [(one.action, one.effect) for one in shown.consequences] == [
                (edition.shown_action(one.action), one.effect) for one in made.consequences
            ]
            is_own = all(history.taken(one.action).seat == seat for one in made.consequences)
            assert is_as_seen(campaign, made, edition, shown, seat) == is_own
            tried += 1
    assert tried > 3
