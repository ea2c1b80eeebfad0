"""On the GM's cards stands what players call an entry, once something hidden makes their numbers others."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from tests.support.web import JO, MIRA, SHERWOOD, Clients, StoreFiles

SEEN = re.compile(r'<span class="seen-as"><bdi[^>]*>(.*?)</bdi></span>')
TABLE = f"/c/{SHERWOOD}"


def card(page: str, number: int, sign: str = "a") -> str:
    found = re.search(rf'<li class="[^"]*" id="{sign}{number}".*?(?=<li class="(?:card|head)|</ol>)', page, re.DOTALL)
    assert found, number
    return found[0]


def test_the_gm_reads_what_each_player_calls_an_entry(clients: Clients, gm: TestClient, sherwood: StoreFiles) -> None:
    clients.as_(JO)
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        campaign.say("note 'for all' ")
        hidden = campaign.say("note 'behind the screen' --secret") and campaign.head.actions
        campaign.say("note 'for all again'")
        last = campaign.head.actions
    page = gm.get(TABLE).text
    mira, jo = (clients.as_(each).get(TABLE).text for each in (MIRA, JO))
    said = SEEN.search(card(page, last))
    assert said
    for name, theirs in (("Mira", mira), ("Jo", jo)):
        number = re.findall(r'id="a(\d+)"', theirs)[-1]
        assert "for all again" in card(theirs, int(number))
        assert said[1] == f"players see #{number}" or f"{name} sees #{number}" in said[1]
    assert not SEEN.search(card(page, hidden)), "nobody else has it"
    assert not SEEN.search(mira) and "sees #" not in mira, "it is the GM’s to know"
