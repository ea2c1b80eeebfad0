"""Clients of the nodes over HTTP: players who act with an id for each command, and readers who follow the table."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Sequence
from http.client import HTTPConnection, HTTPException
from urllib.parse import quote, urlencode

import attrs

from tests.support.hosting.ledger import Asked, Ledger
from tests.support.hosting.nodes import Node

ANSWER_WITHIN = 10.0
"""Seconds for which a client waits for an answer before it asks another node."""
PAUSE = 0.15
"""Seconds at most between two tries of one command."""
CARD = re.compile(
    r'<li class="(?:card|head)[^"]*" id="([^"]+)".*?</li>(?=\s*(?:<li class="(?:card|head)|</ol>|<|$))', re.DOTALL
)


class Unanswered(Exception):
    """A node did not answer, or not in time."""


@attrs.define
class Browser:
    """One browser with its cookie. It goes to any node, as a proxy in front of them would."""

    nodes: Sequence[Node]
    cookie: str = ""
    at: int = 0
    answered: dict[str, str] = attrs.field(factory=dict)
    """The headers of the last answer, by their names in small letters."""
    _connections: dict[int, HTTPConnection] = attrs.field(factory=dict)

    @property
    def node(self) -> Node:
        """The node that it asks now."""
        return self.nodes[self.at % len(self.nodes)]

    def move_on(self) -> None:
        """Ask another node from now on."""
        self.at += 1

    def ask(self, method: str, path: str, form: dict[str, str] | None = None, **more: str) -> tuple[int, str, str]:
        """The status, the text and the cookie of an answer. Raises Unanswered."""
        port = self.node.port
        connection = self._connections.get(port)
        if connection is None:
            connection = self._connections[port] = HTTPConnection("127.0.0.1", port, timeout=ANSWER_WITHIN)
        headers = {"Origin": f"http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin", **more}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, urlencode(form) if form is not None else None, headers)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
            self.answered = {name.casefold(): value for name, value in answer.getheaders()}
        except (OSError, HTTPException) as fault:
            self.close()
            raise Unanswered(type(fault).__name__) from fault
        return answer.status, text, (answer.getheader("Set-Cookie") or "").partition(";")[0]

    def sit_down(self, token: str) -> None:
        """Take the seat of a link."""
        status, text, cookie = self.ask("POST", f"/join/{token}", {})
        assert status == 303, text
        self.cookie = cookie

    def close(self) -> None:
        """Let go of its connections."""
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()


class Player(threading.Thread):
    """Acts in some campaigns, one command after the other, until it is told to stop; then finishes the one it is at."""

    def __init__(
        self,
        seat: str,
        browser: Browser,
        campaigns: Sequence[str],
        ledger: Ledger,
        *,
        chance: random.Random,
        patience: float = 60.0,
        pause: float = 0.0,
    ) -> None:
        super().__init__(name=f"player {seat}", daemon=True)
        self.seat, self.browser, self.campaigns, self.ledger = seat, browser, campaigns, ledger
        self._chance = chance
        self._patience = patience
        self._pause = pause
        self._told = threading.Event()

    def run(self) -> None:
        """Play."""
        number = 0
        while not self._told.is_set():
            number += 1
            mark = f"{self.seat}-{number:06d}"
            campaign = self._chance.choice(self.campaigns)
            line = f"note {mark}" if self._chance.random() < 0.5 else f"roll 1d20 --purpose {mark}"
            self._carry_out(self.ledger.ask(Asked(mark, campaign, self.seat, line, mark, time.monotonic())))
            if self._pause:
                self._told.wait(self._pause)
        self.browser.close()

    def _carry_out(self, one: Asked) -> None:
        """Send a command until it is acknowledged, to one node after the other."""
        end = time.monotonic() + self._patience
        form = {"line": one.line, "command": one.id}
        while time.monotonic() < end:
            one.tries += 1
            began = time.monotonic()
            try:
                status, text, _ = self.browser.ask("POST", f"/c/{one.campaign}/say", form, **{"HX-Request": "true"})
            except Unanswered as fault:
                self.ledger.answered(str(fault), time.monotonic() - began)
            else:
                if status == 200:
                    self.ledger.acknowledge(one, time.monotonic() - began)
                    if self._chance.random() < 0.2:
                        self.browser.move_on()
                    return
                self.ledger.answered(f"{status} {said(text)}", time.monotonic() - began)
            self.browser.move_on()
            time.sleep(PAUSE * self._chance.random())

    def tell_to_stop(self) -> None:
        """Begin nothing more."""
        self._told.set()


class Reader(threading.Thread):
    """A page that follows a campaign: it reads on from its cursor, and keeps what a browser would show."""

    def __init__(self, browser: Browser, campaign: str, *, every: float = 0.5) -> None:
        super().__init__(name=f"reader of {campaign}", daemon=True)
        self.browser, self.campaign = browser, campaign
        self.cards: dict[str, str] = {}
        self.cursor = ""
        self.faults = 0
        self._every = every
        self._told = threading.Event()

    def run(self) -> None:
        """Read on until told to stop."""
        while not self._told.wait(self._every):
            self.look()

    def look(self) -> bool:
        """Read on once, from any node that answers. Whether it was read."""
        for _ in self.browser.nodes:
            try:
                status, text, _ = self.browser.ask("GET", f"/c/{self.campaign}/live?after={quote(self.cursor)}")
            except Unanswered:
                status, text = 0, ""
            if status == 200:
                self._take(text)
                return True
            self.faults += 1
            self.browser.move_on()
        return False

    def _take(self, text: str) -> None:
        cursor = re.search(r'id="cursor" name="after" value="([^"]*)"', text)
        assert cursor is not None
        if 'id="entries" hx-swap-oob="true"' in text:
            self.cards.clear()
        for card in CARD.finditer(text):
            self.cards[card[1]] = card[0].replace(' hx-swap-oob="true"', "").strip()
        self.cursor = cursor[1]

    def tell_to_stop(self) -> None:
        """Read no further."""
        self._told.set()


def said(text: str) -> str:
    """The sentence of a page that refuses something: what stands in its paragraphs, shortened."""
    paragraphs = re.findall(r"<p[^>]*>(.*?)</p>", text, re.DOTALL)
    plain = " ".join(re.sub(r"<[^>]*>", "", one).strip() for one in paragraphs if one.strip())
    return re.sub(r"\s+", " ", plain)[:120]


def until(holds: Callable[[], object], seconds: float, what: str) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"it never came about that {what}"
        time.sleep(0.05)
