"""Acting by page: buttons, forms, odds, the line, open choices; a refusal is a sentence, and what is sent twice happens once."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from rollbook.application.forms.verb_form import COMMAND, DICE
from rollbook.application.verbs import verbs_of
from rollbook.domain.entries import Intent
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import user_parameters
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.campaign_state import CampaignState
from tests.support.forms import form_in
from tests.support.web import JO, MIRA, Clients, StoreFiles
from tests.support.web_tables import ROBIN_ON_TURN, in_the_fight

HTMX = {"HX-Request": "true"}


@pytest.fixture
def sherwood(tmp_path) -> StoreFiles:
    """In the middle of a fight, in a turn of Robin's."""
    return in_the_fight(tmp_path, ROBIN_ON_TURN)


def actions(files: StoreFiles) -> int:
    book = files.book()
    try:
        return book.campaign("sherwood").head.actions
    finally:
        book.close()


def last_entry(files: StoreFiles):
    book = files.book()
    try:
        return book.campaign("sherwood").history.entries[-1]
    finally:
        book.close()


def test_a_players_verbs_are_buttons_that_fit_the_moment_first(mira: TestClient) -> None:
    html = mira.get("/c/sherwood").text
    now, more = html.partition('<div class="mores">')[::2]
    assert "Your turn" in now
    assert "/c/sherwood/do/move?roll.as=robin-hood" in now
    tiles = re.findall(r'<a class="verb([^"]*)" href="/c/sherwood/do/([a-z-]+)', now)
    assert len(tiles) == 6, "a few in sight, and the rest one tap away"
    assert [verb for looks, verb in tiles if not looks][0:1] != ["attack"], "he has no action left"
    assert any("verb-not" in looks for looks, _ in tiles)
    assert "has no action left this turn" in now, "why not, in its place"
    assert "/c/sherwood/do/end-turn?roll.as=robin-hood" in more
    assert "/c/sherwood/do/attack?roll.as=robin-hood" in html
    assert "/do/scene" not in html, "that is the GM's"


def test_a_form_as_it_stands_is_taken(mira: TestClient, sherwood: StoreFiles) -> None:
    sent = form_in(mira.get("/c/sherwood/do/move?roll.as=robin-hood").text)
    assert sent["who"] == ["robin-hood"]
    answer = mira.post("/c/sherwood/do/move", data=sent | {"feet": "20"}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/sherwood#log")
    entry = last_entry(sherwood)
    assert (entry.seat, entry.intent.verb, entry.intent.params["feet"]) == ("Mira", "move", 20)


def test_what_is_refused_stands_beside_its_field_with_what_was_typed(mira: TestClient, sherwood: StoreFiles) -> None:
    before = actions(sherwood)
    sent = form_in(mira.get("/c/sherwood/do/move?roll.as=robin-hood").text) | {"feet": ["300"]}
    answer = mira.post("/c/sherwood/do/move", data=sent, headers=HTMX)
    assert answer.status_code == 422
    field = re.search(r'<input [^>]*name="feet"[^>]*>', answer.text)
    assert field
    assert 'value="300"' in field[0]
    assert 'aria-invalid="true"' in field[0]
    assert 'aria-describedby="f-feet-h f-feet-e"' in field[0]
    said = re.search(r'<p class="error" id="f-feet-e">.*?<span>(.*?)</span>', answer.text)
    assert said
    assert said[1].startswith("Robin Hood cannot move that far: 300 feet")
    assert form_in(answer.text)[COMMAND] == sent[COMMAND]
    assert actions(sherwood) == before


def test_what_is_sent_twice_happens_once(mira: TestClient, sherwood: StoreFiles) -> None:
    sent = form_in(mira.get("/c/sherwood/do/move?roll.as=robin-hood").text) | {"feet": ["10"]}
    before = actions(sherwood)
    for _ in range(2):
        assert mira.post("/c/sherwood/do/move", data=sent, follow_redirects=False).status_code == 303
    assert actions(sherwood) == before + 1


def test_odds_are_exact_before_the_roll(gm: TestClient) -> None:
    html = gm.get(
        "/c/sherwood/do/attack?attacker=robin-hood&target=guard&weapon=longbow&out_of_turn=yes", headers=HTMX
    ).text
    head = re.search(r'<p class="odds-head"><b>(.*?)</b> <span>(.*?)</span>', html)
    assert head
    assert head[1] == "95.0 %"
    assert head[2] == "succeeds, 19/20"
    widths = [float(width) for width in re.findall(r'<rect class="odds-\w+" x="[\d.]+" width="([\d.]+)"', html)]
    assert sum(widths) == pytest.approx(100)
    assert 'd="M95 0V10"' in html
    assert "✓ hit" in html
    assert "✗ natural 1" in html
    assert "It takes 2 dice: 1d20 for Robin Hood’s to hit, 1d6 for Robin Hood’s damage." in html
    odds = gm.get(
        "/c/sherwood/odds/attack?attacker=robin-hood&target=guard&weapon=longbow&out_of_turn=yes", headers=HTMX
    )
    assert odds.text.strip().startswith('<section class="odds" id="odds"')
    assert "95.0 %" in odds.text


def test_what_the_rules_say_no_to_whatever_falls_is_said_instead_of_odds(mira: TestClient) -> None:
    odds = mira.get("/c/sherwood/odds/attack?attacker=robin-hood&target=guard&weapon=longbow", headers=HTMX).text
    assert "has no action left this turn" in odds


def test_odds_that_take_long_are_counted_in_a_thread_of_their_own(gm: TestClient, monkeypatch) -> None:
    monkeypatch.setattr("rollbook.adapters.web.acting.odds.AT_ONCE", 1_000)
    query = "attacker=robin-hood&target=guard&weapon=longbow&out_of_turn=yes"
    first = gm.get(f"/c/sherwood/odds/attack?{query}", headers=HTMX).text
    assert 'hx-get="/c/sherwood/odds/attack/counted"' in first
    assert "95.0 %" not in first
    assert "95.0 %" in gm.get(f"/c/sherwood/odds/attack/counted?{query}", headers=HTMX).text


def test_real_dice_are_typed_and_what_is_wanted_is_said(gm: TestClient, sherwood: StoreFiles) -> None:
    page = gm.get("/c/sherwood/do/attack?attacker=robin-hood&target=guard&weapon=longbow&out_of_turn=yes").text
    sent = form_in(page)
    short = gm.post("/c/sherwood/do/attack", data=sent | {DICE: ["15"]}, headers=HTMX)
    assert short.status_code == 422
    assert re.search(r'id="f-dice"[^>]*value="15"|value="15"[^>]*', short.text)
    assert 'id="f-dice-e"' in short.text
    assert "1d6 for Robin Hood’s damage" in short.text
    assert gm.post("/c/sherwood/do/attack", data=sent | {DICE: ["15, 4"]}, headers=HTMX).status_code == 200
    entry = last_entry(sherwood)
    faces = [die.face for event in entry.events if hasattr(event, "dice") for die in event.dice]
    assert faces[:2] == [15, 4]


def test_a_player_acts_only_from_their_own_seat(clients: Clients, sherwood: StoreFiles) -> None:
    before = actions(sherwood)
    jo = clients.as_(JO)
    assert jo.get("/c/sherwood/do/scene").status_code == 404
    assert jo.post("/c/sherwood/do/scene", data={"title": "A trick"}, headers=HTMX).status_code == 404
    stolen = jo.post("/c/sherwood/do/move", data={"who": "robin-hood", "feet": "10"}, headers=HTMX)
    assert stolen.status_code == 422
    assert "is played by Mira" in stolen.text
    for line in (
        "attack robin-hood guard --seat Ana",
        "attack robin-hood guard --acting-seat=Ana",
        "scene A trick --s Mira",
    ):
        said = jo.post("/c/sherwood/say", data={"line": line}, headers=HTMX)
        assert said.status_code == 422, line
    ruled = {"who": "sherlock-holmes", "feet": "10", "out_of_turn": "yes"}
    assert "is a ruling" in jo.post("/c/sherwood/do/move", data=ruled, headers=HTMX).text
    assert actions(sherwood) == before


def test_a_player_learns_of_nobody_hidden_by_a_refusal(mira: TestClient) -> None:
    def said_of(target: str) -> str:
        sent = {"who": "robin-hood", "feet": "10", "to": target}
        answer = mira.post(
            "/c/sherwood/do/spend-token", data=sent | {"benefit": "question", "whom": target}, headers=HTMX
        )
        assert answer.status_code in (404, 422)
        return answer.text.replace(target, "WHO")

    hidden, nobody = said_of("spy"), said_of("spi")
    assert re.findall(r'class="error"[^>]*>.*?<span>(.*?)</span>', hidden) == re.findall(
        r'class="error"[^>]*>.*?<span>(.*?)</span>', nobody
    )
    for path in ("/c/sherwood", "/c/sherwood/do/attack", "/c/sherwood/complete?line=attack%20"):
        assert "spy" not in mira.get(path).text.casefold()


def test_a_line_takes_short_forms_and_says_what_is_wrong_with_it(mira: TestClient, sherwood: StoreFiles) -> None:
    assert mira.post("/c/sherwood/say", data={"line": "mov 10"}, headers=HTMX).status_code == 200
    entry = last_entry(sherwood)
    assert (entry.seat, entry.intent.verb, entry.intent.params["who"]) == ("Mira", "move", "robin-hood")
    wrong = mira.post("/c/sherwood/say", data={"line": "move robin-hood far"}, headers=HTMX)
    assert wrong.status_code == 422
    assert 'value="move robin-hood far"' in wrong.text
    assert 'aria-describedby="line-e"' in wrong.text
    assert "feet is a whole number" in wrong.text
    undo = mira.post("/c/sherwood/say", data={"line": "undo last"}, headers=HTMX)
    assert "on the cards" in undo.text


def test_the_gms_line_takes_lists_and_shows_another_game_before_it_is_adopted(
    gm: TestClient, sherwood: StoreFiles
) -> None:
    assert gm.post("/c/sherwood/say", data={"line": "h gu rob 1"}, headers=HTMX).status_code == 200
    entry = last_entry(sherwood)
    assert (entry.intent.verb, entry.intent.params["who"]) == ("harm", "robin-hood")
    for line, why in (("adopt powers", "See it first with --preview"), ("leave guard went home", "&#39;went&#39;")):
        refused = gm.post("/c/sherwood/say", data={"line": line}, headers=HTMX)
        assert refused.status_code >= 400
        assert why in refused.text
    shown = gm.post("/c/sherwood/say", data={"line": "adopt powers --preview"}, headers=HTMX)
    assert "End it first: end-encounter" in shown.text  # the preview itself: a fight is on
    assert last_entry(sherwood) == entry


def test_a_players_question_is_answered_by_what_the_player_sees(mira: TestClient, gm: TestClient) -> None:
    asked = mira.post("/c/sherwood/say", data={"line": "log"}, headers=HTMX)
    assert asked.status_code == 200, asked.text
    assert "Robin Hood" in asked.text
    assert "Spy" not in asked.text
    assert "Spy" in gm.post("/c/sherwood/say", data={"line": "log"}, headers=HTMX).text
    for line in ("status", "sheet robin", "sheet guard", "why robin ac", "xp", "verbs", "stats", "odds save robin wis"):
        answer = mira.post("/c/sherwood/say", data={"line": line}, headers=HTMX)
        assert answer.status_code == 200, (line, answer.text)
        assert "line-said" in answer.text, line


def test_an_unfinished_line_is_completed_by_what_the_seat_may_say(mira: TestClient, gm: TestClient) -> None:
    def offered(client: TestClient, line: str) -> list[str]:
        return re.findall(r'<option value="(.*?)">', client.get("/c/sherwood/complete", params={"line": line}).text)

    assert "attack " in offered(mira, "att")
    assert "attack robin-hood guard " in offered(mira, "attack robin-hood g")
    assert offered(mira, "sce") == []
    assert "scene " in offered(gm, "sce")
    assert not any("spy" in line for line in offered(mira, "attack robin-hood "))
    assert any("spy" in line for line in offered(gm, "attack robin-hood "))


def test_an_open_choice_is_a_row_of_buttons(clients: Clients, sherwood: StoreFiles) -> None:
    lee = clients.as_(type(MIRA)(campaign="sherwood", seat="Lee", role=MIRA.role))
    page = lee.get("/c/sherwood/act").text
    assert "may choose: heritage-ability" in page
    assert '<button class="btn" name="picked" value="str">' in page
    picked = {"who": "count-dracula", "choice": "heritage-ability", "picked": "str"}
    assert lee.post("/c/sherwood/choices", data=picked, headers=HTMX).status_code == 200
    assert last_entry(sherwood).intent.verb == "choose"
    assert "heritage-ability" not in lee.get("/c/sherwood/act").text
    again = lee.post("/c/sherwood/choices", data=picked, headers=HTMX)
    assert again.status_code == 422
    assert "has no open choice" in again.text


def test_every_form_that_a_seat_may_open_is_shown_and_can_be_sent_as_it_stands(
    gm: TestClient, mira: TestClient
) -> None:
    for client in (gm, mira):
        verbs = set(re.findall(r'href="/c/sherwood/do/([a-z-]+)', client.get("/c/sherwood/act").text))
        assert len(verbs) > 20
        for verb in sorted(verbs):
            page = client.get(f"/c/sherwood/do/{verb}")
            assert page.status_code == 200, verb
            assert f'action="/c/sherwood/do/{verb}"' in page.text
            sent = form_in(page.text)
            assert sent[COMMAND]
            again = client.get(f"/c/sherwood/do/{verb}", params=sent, headers=HTMX)
            assert again.status_code == 200, verb


def test_a_spectator_takes_no_action(spectator: TestClient) -> None:
    assert "You watch" in spectator.get("/c/sherwood").text
    assert spectator.get("/c/sherwood/act").status_code == 403
    assert spectator.post("/c/sherwood/do/note", data={"text": "boo"}).status_code == 403


def test_the_gm_acts_for_a_player_as_with_seat_at_the_prompt(gm: TestClient, sherwood: StoreFiles) -> None:
    html = gm.get("/c/sherwood/do/move?roll.as=robin-hood").text
    assert '<option value="Mira">Mira</option>' in html
    sent = form_in(html)
    gm.post("/c/sherwood/do/move", data=sent | {"feet": "10"})
    assert last_entry(sherwood).seat == "Ana"
    sent = form_in(gm.get("/c/sherwood/do/move?roll.as=robin-hood").text)
    answer = gm.post("/c/sherwood/do/move", data=sent | {"feet": "10", "roll.seat": "Mira"}, follow_redirects=False)
    assert answer.status_code == 303
    assert last_entry(sherwood).seat == "Mira"


def test_for_a_player_the_gm_does_what_that_player_may_and_the_form_stays(gm: TestClient, sherwood: StoreFiles) -> None:
    before = actions(sherwood)
    sent = form_in(gm.get("/c/sherwood/do/end-turn?roll.as=guard").text)
    answer = gm.post("/c/sherwood/do/end-turn", data=sent | {"who": "guard", "roll.seat": "Mira"})
    assert answer.status_code == 422
    assert '<option value="Mira" selected>Mira</option>' in answer.text
    assert actions(sherwood) == before
    nobody = gm.post("/c/sherwood/do/end-turn", data=sent | {"who": "guard", "roll.seat": "Nobody"})
    assert nobody.status_code in (404, 422)
    assert actions(sherwood) == before


def test_a_player_who_names_another_seat_acts_from_their_own(mira: TestClient, sherwood: StoreFiles) -> None:
    html = mira.get("/c/sherwood/do/move?roll.as=robin-hood").text
    assert "roll.seat" not in html
    mira.post("/c/sherwood/do/move", data=form_in(html) | {"feet": "10", "roll.seat": "Jo"})
    assert last_entry(sherwood).seat == "Mira"


def chosen(html: str) -> str:
    """For whom the panel acts."""
    found = re.search(r'id="act-who".*?<option value="([\w-]+)" selected', html, re.DOTALL)
    assert found is not None
    return found[1]


def follows(html: str) -> str:
    """The address that the panel follows."""
    found = re.search(r'id="act"[^>]* data-follow="([^"]*)"', html)
    assert found is not None
    return unescape(found[1])


def test_who_the_gm_acts_as_stays_until_the_turn_passes_on(gm: TestClient) -> None:
    assert chosen(gm.get("/c/sherwood").text) == "robin-hood", "whose turn it is"
    picked = gm.get("/c/sherwood/act?who=guard", headers=HTMX).text
    assert chosen(picked) == "guard"
    gm.post("/c/sherwood/say", data={"line": "note the oak is hollow"})
    assert chosen(gm.get(follows(picked), headers=HTMX).text) == "guard", "the turn is the same"
    sent = form_in(gm.get("/c/sherwood/do/attack?roll.as=guard").text)
    acted = gm.post(
        "/c/sherwood/do/attack",
        data=sent | {"target": "robin-hood", "weapon": "medium-melee", "out_of_turn": "yes", "roll.dice": "2"},
        headers=HTMX,
    )
    assert acted.status_code == 200, acted.text
    assert chosen(acted.text) == "guard", "who acted acts on"
    gm.post("/c/sherwood/say", data={"line": "end-turn --next sheriff"})
    assert chosen(gm.get(follows(acted.text), headers=HTMX).text) == "sheriff"
    assert chosen(gm.get("/c/sherwood/act?who=guard", headers=HTMX).text) == "guard", "who is asked for now is shown"


def test_who_ends_a_turn_by_form_is_led_to_the_next(gm: TestClient) -> None:
    sent = form_in(gm.get("/c/sherwood/do/end-turn?roll.as=robin-hood").text)
    ended = gm.post("/c/sherwood/do/end-turn", data=sent | {"next": "guard"}, headers=HTMX)
    assert ended.status_code == 200
    assert chosen(ended.text) == "guard"


def test_outside_a_fight_who_acted_acts_on(gm: TestClient) -> None:
    gm.post("/c/sherwood/say", data={"line": "end-encounter"})
    sent = form_in(gm.get("/c/sherwood/do/check?roll.as=sheriff").text)
    acted = gm.post("/c/sherwood/do/check", data=sent | {"ability": "dex", "roll.dice": "9"}, headers=HTMX)
    assert acted.status_code == 200, acted.text
    assert chosen(gm.get(follows(acted.text), headers=HTMX).text) == "sheriff"


@pytest.mark.parametrize("verb", ["save", "move"])
def test_after_an_act_no_other_verb_is_played_to_see_whether_it_could_be(gm: TestClient, monkeypatch, verb) -> None:
    seen: list[str] = []
    play = Rulebook.play

    def counted(self: Rulebook, campaign: CampaignState, intent: Intent, *rest: Any, **more: Any) -> Played:
        seen.append(intent.verb)
        return play(self, campaign, intent, *rest, **more)

    sent = form_in(gm.get(f"/c/sherwood/do/{verb}?roll.as=robin-hood").text)
    monkeypatch.setattr(Rulebook, "play", counted)
    more = {"ability": "dex", "feet": "5", "roll.dice": "9" if verb == "save" else ""}
    answer = gm.post(f"/c/sherwood/do/{verb}", data=sent | more, headers=HTMX)
    assert answer.status_code == 200, answer.text
    assert "Not now" in answer.text
    assert set(seen) == {verb}
    assert len(seen) <= 3


def test_who_acts_is_filled_in_as_who_acts_and_nowhere_else(gm: TestClient, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        known = verbs_of(book.campaign("sherwood"))
    verbs = re.findall(
        r'href="/c/sherwood/do/([a-z-]+)\?roll\.as=robin-hood"', gm.get("/c/sherwood/act?who=robin-hood").text
    )
    assert {"bring-in", "harm", "attack", "roll"} <= set(verbs)
    for verb in verbs:
        parameters = {each.name: each for each in user_parameters(known[verb])}
        html = gm.get(f"/c/sherwood/do/{verb}?roll.as=robin-hood").text.partition('id="act-form"')[2]
        filled = re.findall(r'name="(\w+)" value="robin-hood" checked', html)
        filled += re.findall(
            r'name="(\w+)"[^>]*>(?:\s*<option[^>]*>[^<]*</option>)*?\s*<option value="robin-hood" selected', html
        )
        assert all(parameters[name].actor for name in filled), (verb, filled)


def test_the_gm_acts_for_nobody_who_lies_there(gm: TestClient, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        campaign = book.campaign("sherwood")
        campaign.say('join "Wolf" --kind npc --hp 5 --armour light')
        campaign.say("harm wolf 5")
        assert campaign.state.characters["wolf"].has("unconscious")
    form = form_in(gm.get("/c/sherwood/do/roll?roll.as=robin-hood").text)
    said = gm.post("/c/sherwood/do/roll", data=form | {"expression": ["1d20"], "who": ["wolf"]}, headers=HTMX)
    assert said.status_code == 200
    assert 'data-follow="/c/sherwood/act?who=robin-hood' in said.text
