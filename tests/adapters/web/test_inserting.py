"""An act that was forgotten is inserted from the card before which it was: a line, its preview, and the log after it."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.table.card_making import cards_of
from rollbook.adapters.web.table.cards import Card, CardKind
from rollbook.adapters.web.table.log_pages import before, card_of, corrections_of, fitting, newest, news_since
from rollbook.application.visibility.editions.edition import Edition
from tests.support.web import StoreFiles
from tests.support.web_corrections import apply, counts, fields, last_entry, preview, send, words

HOLMES_STRIKES, HOLMES_ENDS = 31, 32
NEW = 45
"""The number of the first act that is inserted."""
FORM = f"insert/{HOLMES_STRIKES}"
SAID = {"fix.line": "attack sherlock guard unarmed ! 15 4"}


def address(page: str) -> str:
    return f"/c/sherwood/{page}"


def inserted(gm: TestClient, line: str, before: int = HOLMES_STRIKES) -> None:
    assert apply(gm, preview(gm, f"insert/{before}", **{"fix.line": line})).status_code == 303


def test_the_page_has_a_line_and_the_verbs_that_fill_it_in(gm: TestClient) -> None:
    form = gm.get(address(FORM))
    assert "Insert before #31" in form.text
    assert "Sherlock Holmes strikes at Guard" in words(form)
    assert fields(form)["fix.line"] == ""
    offered = re.findall(r'href="([^"]*fix\.line=([^"%]*))"', form.text)
    verbs = [verb for _, verb in offered]
    assert {"attack", "check", "scene", "note"} <= set(verbs)
    assert not {"open-session", "take-seat", "start-campaign", "draw-for", "redact", "x-card"} & set(verbs)
    filled = gm.get(offered[verbs.index("attack")][0])
    assert fields(filled)["fix.line"] == "attack"
    assert re.search(r'name="fix\.line".*?<p class="quiet">attack ATTACKER TARGET', filled.text, re.DOTALL)


def test_every_verb_that_is_listed_may_be_said_there(gm: TestClient) -> None:
    form = gm.get(address(FORM))
    for verb in re.findall(r'fix\.line=([^"%]*)"', form.text):
        refused = preview(gm, FORM, **{"fix.line": verb})
        assert "cannot be put into the past" not in refused.text, verb


def test_it_is_previewed_applied_and_undone(gm: TestClient, sherwood: StoreFiles) -> None:
    before = last_entry(sherwood)
    page = preview(gm, FORM, **SAID)
    said = words(page)
    assert "1 inserted" in said
    assert "#45" in said
    assert "before #31" in said
    assert last_entry(sherwood) == before
    assert apply(gm, page).status_code == 303
    with sherwood.book() as book:
        entry = book.campaign("sherwood").history.taken(NEW)
        assert (entry.before, entry.reason, entry.seat) == (HOLMES_STRIKES, "it was forgotten", "Ana")
    undone = apply(gm, preview(gm, f"undo-correction/{before + 1}"), reason="he had not")
    assert undone.status_code == 303
    assert not counts(sherwood, NEW)


def test_a_short_line_and_its_own_reason_mean_what_they_mean_at_the_prompt(
    gm: TestClient, sherwood: StoreFiles
) -> None:
    inserted(gm, 'at holm gua unarmed --why "he was faster" ! 15 4')
    with sherwood.book() as book:
        entry = book.campaign("sherwood").history.taken(NEW)
    assert (entry.intent.verb, entry.actor, entry.reason) == ("attack", "sherlock-holmes", "he was faster")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("attack sherlock nobody unarmed ! 15 4", "nobody"),
        ("atack sherlock guard ! 15 4", "attack"),
        ("open-session Again", "cannot be put into the past"),
        ("attack sherlock guard unarmed ! 99", "99"),
        ('note "what', "note"),
        (" ", "Say what was done before it"),
    ],
)
def test_a_line_that_is_refused_comes_back_with_the_sentence(
    gm: TestClient, sherwood: StoreFiles, line: str, sentence: str
) -> None:
    before = last_entry(sherwood)
    answer = preview(gm, FORM, **{"fix.line": line, "fix.reason": "so"})
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert 'aria-describedby="fix-e"' in answer.text
    kept = fields(answer)
    assert (kept["fix.line"], kept["fix.reason"]) == (line.strip(), "so")
    assert last_entry(sherwood) == before


def test_nothing_is_before_the_beginning_and_no_action_is_of_that_number(gm: TestClient) -> None:
    assert "The campaign begins with #1" in gm.get(address("insert/1")).text
    assert gm.get(address("insert/999")).status_code == 404
    assert "insert/1" not in gm.get(address("card/1")).text


def test_dice_that_are_not_in_the_line_are_asked_for(gm: TestClient, sherwood: StoreFiles) -> None:
    page = preview(gm, FORM, **{"fix.line": "attack sherlock guard unarmed"})
    assert "A die that was never rolled" in page.text
    shown = send(gm, page, "look", **{"fix.faces": "15 4"})
    assert "1 inserted" in words(shown)
    assert apply(gm, shown).status_code == 303
    assert counts(sherwood, NEW)


def test_only_the_gm_has_the_link_and_the_page(gm: TestClient, mira: TestClient, sherwood: StoreFiles) -> None:
    link, card = f'href="{address("insert/39")}"', address("card/39")
    assert link in gm.get(card).text
    assert link not in mira.get(card).text
    before = last_entry(sherwood)
    for answer in (mira.get(address("insert/39")), mira.post(address("insert/39"), data={**SAID, "fix.do": "apply"})):
        assert answer.status_code == 403
    assert last_entry(sherwood) == before


def several_inserted(gm: TestClient) -> None:
    """Two before #31, a third before the first of them, and one for the GM alone before #32."""
    for text in ("first", "second"):
        inserted(gm, f"note {text}")
    inserted(gm, "note third", before=NEW)
    inserted(gm, "note hidden --to gm", before=HOLMES_ENDS)


def played(cards: Iterable[Card]) -> list[int]:
    """The actions of cards, in the order of these; those of corrections are left out."""
    return [card.first.action for card in cards if card.kind is not CardKind.CORRECTION]


def test_cards_name_what_was_inserted_and_where(gm: TestClient, mira: TestClient, sherwood: StoreFiles) -> None:
    several_inserted(gm)
    with sherwood.book() as book:
        campaign = book.campaign("sherwood")
        campaign.session.project()
        shown = [card for card in newest(campaign).cards if card.kind is not CardKind.CORRECTION]
        cards = {card.first.action: card for card in shown}
        alone = card_of(campaign, HOLMES_STRIKES)
        assert alone is not None
        assert alone.inserted == cards[HOLMES_STRIKES].inserted == (NEW, NEW + 1)
        assert cards[NEW].inserted == (NEW + 2,)
        assert cards[HOLMES_ENDS].inserted == (NEW + 3,)
        others = {action for action, card in cards.items() if card.inserted}
        assert others == {HOLMES_STRIKES, HOLMES_ENDS, NEW}
        replaced = news_since(campaign, cards[NEW + 1].first.entry - 1).replaced
        assert HOLMES_STRIKES in [card.first.action for card in replaced]
    its, theirs = (words(client.get(address("card/32"))) for client in (gm, mira))
    assert f"#{NEW + 3} was inserted before it" in its
    assert "was inserted before it" not in theirs
    mine = mira.get(address(f"card/{NEW}")).text
    assert f'before <a href="#a{HOLMES_STRIKES}">#{HOLMES_STRIKES}</a>' in mine
    assert f"#{NEW + 1} was inserted before it" in words(mira.get(address(f"card/{HOLMES_STRIKES}")))


def test_what_was_inserted_stands_in_its_place_and_its_correction_where_it_was_made(
    gm: TestClient, mira: TestClient, sherwood: StoreFiles
) -> None:
    several_inserted(gm)
    order = [HOLMES_STRIKES - 1, NEW + 2, NEW, NEW + 1, HOLMES_STRIKES, NEW + 3, HOLMES_ENDS, HOLMES_ENDS + 1]
    with sherwood.book() as book:
        campaign = book.campaign("sherwood")
        campaign.session.project()
        cards = newest(campaign).cards
        assert played(cards)[-len(order) - (NEW - HOLMES_ENDS - 2) :][: len(order)] == order
        assert played(fitting(campaign, "30-48").cards)[: len(order)] == order
        made = [card for card in cards if card.title.startswith("is inserted")]
        assert [(card.first.action, card.title) for card in made] == [
            (NEW, "is inserted before #31"),
            (NEW + 1, "is inserted before #31"),
            (NEW + 2, f"is inserted before #{NEW}"),
            (NEW + 3, "is inserted before #32"),
        ]
        assert list(cards[-len(made) :]) == made
    page = mira.get("/c/sherwood").text
    ids = re.findall(r'<li class="[^"]*" id="([ae]\d+)"', page)
    assert ids.index(f"a{NEW}") < ids.index(f"a{HOLMES_STRIKES}") < ids.index(f"a{HOLMES_ENDS}")
    made_by = re.search(rf'id="a{NEW}".*?by <a href="#(e\d+)">', page, re.DOTALL)
    assert made_by is not None
    assert f'href="#a{NEW}"' in page[page.index(f'id="{made_by[1]}"') :]


def test_each_stretch_of_the_log_has_what_was_inserted_there(gm: TestClient, sherwood: StoreFiles) -> None:
    several_inserted(gm)
    with sherwood.book() as book:
        campaign = book.campaign("sherwood")
        campaign.session.project()
        stretch, found = newest(campaign), list[int]()
        while True:
            found[:0] = played(stretch.cards)
            if not stretch.older:
                break
            stretch = before(campaign, stretch.older)
        assert found == [campaign.history.action_at(place) for place in range(1, NEW + 4)]


def test_news_put_what_was_inserted_before_what_the_page_has(gm: TestClient, sherwood: StoreFiles) -> None:
    known = last_entry(sherwood)
    several_inserted(gm)
    with sherwood.book() as book:
        campaign = book.campaign("sherwood")
        campaign.session.project()
        news = news_since(campaign, known)
        assert [(played(some), after) for some, after in news.inserted] == [
            ([NEW + 2, NEW, NEW + 1], HOLMES_STRIKES),
            ([NEW + 3], HOLMES_ENDS),
        ]
        assert all(card.kind is CardKind.CORRECTION for card in news.cards)
        assert news_since(campaign, news.cards[-1].first.entry).inserted == ()


def test_cards_of_the_end_of_the_log_are_the_same_without_asking_for_more_rows(
    gm: TestClient, sherwood: StoreFiles
) -> None:
    several_inserted(gm)
    with sherwood.book() as book:
        campaign = book.campaign("sherwood")
        campaign.session.project()
        for reader in (campaign, Edition(campaign, ""), Edition(campaign, "mira")):
            rows = reader.read_model.log("sherwood", everything=True)
            assert any(card.inserted for card in cards_of(reader, rows, are_last=True))
            for begin in range(len(rows)):
                assert cards_of(reader, rows[begin:], are_last=True) == cards_of(reader, rows[begin:])


def test_what_follows_from_an_insertion_is_on_its_card(gm: TestClient, sherwood: StoreFiles) -> None:
    inserted(gm, 'adjust guard hp -100 "a trap"')
    with sherwood.book() as book:
        campaign = book.campaign("sherwood")
        campaign.session.project()
        made = [card for card in newest(campaign).cards if card.first.action == NEW][-1]
        assert made.kind is CardKind.CORRECTION
        assert HOLMES_STRIKES in [each.action for each in made.consequences]
        card = card_of(campaign, NEW)
        assert card is not None
        assert corrections_of(campaign, card) == (made,)
