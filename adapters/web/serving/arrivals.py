"""Connections that have come and are not served yet: the head of the first request says which process gets one.

The head is looked at and not read, so that the process reads all of it. What is accepted here is closed here once it is passed
on, and nothing waits for long.
"""

from __future__ import annotations

import re
import selectors
import socket
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from struct import Struct
from time import monotonic
from urllib.parse import parse_qs, unquote
from zlib import crc32

from rollbook.adapters.web.guards.asked import API
from rollbook.adapters.web.serving.page_answers import TRIED, tried_so_often
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.domain.base.identifiers import CampaignId

SILENT_FOR = 1.0
"""Seconds after which a connection without a request is passed to any process, which has the limits for it."""
HEAD = 4096
"""Bytes of a request that are looked at."""
MOST_HOMES = 4096
"""Most campaigns whose homes are known, the last ones asked for."""

REQUEST_LINE = re.compile(rb"[A-Z]+ ([^ ?\r\n]*)\??([^ \r\n]*)")
CAMPAIGN = re.compile(rf"(?:/c|{API}/campaigns)/([^/]+)")


def campaign_in(path: str) -> CampaignId:
    """The campaign that a path is about, or that its timeline belongs to; "" if it is about none."""
    found = CAMPAIGN.match(path)
    return campaign_of(found[1]) if found else ""


def asked_first(head: bytes) -> tuple[CampaignId, int]:
    """The campaign of the request that begins with this head, "" for none, and how often the request was sent on."""
    found = REQUEST_LINE.match(head)
    if found is None:
        return "", 0
    path, query = (part.decode("latin-1") for part in found.groups())
    return campaign_in(unquote(path)), tried_so_often(parse_qs(query).get(TRIED, [""])[-1])


class Homes:
    """The homes of campaigns, as numbers of processes. One that is asked for newly goes where the fewest are."""

    def __init__(self, many: int) -> None:
        self._many = many
        self._known: OrderedDict[CampaignId, int] = OrderedDict()

    def of(self, campaign: CampaignId) -> int:
        """The number of a campaign's process."""
        if campaign not in self._known:
            crowds = Counter(self._known.values())
            self._known[campaign] = min(range(self._many), key=lambda number: crowds[number])
            if len(self._known) > MOST_HOMES:
                self._known.popitem(last=False)
        self._known.move_to_end(campaign)
        return self._known[campaign]


SAID = Struct("!I")
"""Format of the word with a connection: the sign of the campaign that is at home here, or ``ANY``."""
ANY = 0


def sign_of(campaign: CampaignId) -> int:
    """The sign of a campaign on a channel, never ``ANY``. If two share one, some requests are answered at two processes."""
    return crc32(campaign.encode()) or 1


class Arrivals:
    """The connections that come at ``listening``, until they are passed to one of ``many`` processes.

    ``channel_of`` is the open channel of the process with a number, None if it does not serve.
    """

    def __init__(
        self,
        listening: socket.socket,
        selector: selectors.BaseSelector,
        many: int,
        channel_of: Callable[[int], socket.socket | None],
    ) -> None:
        self._listening = listening
        self._selector = selector
        self._many = many
        self._channel_of = channel_of
        self._waiting: dict[socket.socket, float] = {}
        self._set_aside: set[socket.socket] = set()
        self._turns = count()
        self._homes = Homes(many)
        listening.settimeout(0)

    def close(self) -> None:
        """Close what is open here."""
        for each in (self._listening, *self._waiting):
            each.close()

    def look(self, *, is_open: bool) -> None:
        """Pass on what has waited long enough, look again at what was set aside, and take more while this ``is_open``."""
        set_aside, self._set_aside = self._set_aside, set()
        for connection in [each for each in self._waiting if each in set_aside or self._is_late(each)]:
            self._assign(connection)
        if self._listening.fileno() < 0:
            return
        if not is_open:
            self._let_be(self._listening)
            self._listening.close()
        elif self._listening not in self._selector.get_map():
            self._selector.register(self._listening, selectors.EVENT_READ, self._accept)

    def _accept(self) -> None:
        try:
            connection, _ = self._listening.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        except OSError:  # too many files are open: those that come wait until the next look
            self._selector.unregister(self._listening)
            return
        connection.settimeout(0)
        self._waiting[connection] = monotonic()
        self._selector.register(connection, selectors.EVENT_READ, partial(self._assign, connection))

    def _is_late(self, connection: socket.socket) -> bool:
        return monotonic() - self._waiting[connection] > SILENT_FOR

    def _assign(self, connection: socket.socket) -> None:
        """Pass a connection on whose first request has come, at least its first line, or which is late."""
        try:
            head = connection.recv(HEAD, socket.MSG_PEEK)
        except BlockingIOError:
            if self._is_late(connection):
                self._pass(connection, "", 0)
            return
        except OSError:
            head = b""
        is_whole = b"\n" in head or len(head) == HEAD
        if not head:
            self._let_go(connection)
        elif is_whole or self._is_late(connection):
            self._pass(connection, *(asked_first(head) if is_whole else ("", 0)))
        else:
            self._wait_with(connection)

    def _pass(self, connection: socket.socket, campaign: CampaignId, tried: int) -> None:
        """Pass a connection to a campaign's process, or as many further as it was sent on; to the next that serves.

        A process that does not take it is waited for; once the connection is late the others are asked as well. While none
        serves, it waits.
        """
        home = self._homes.of(campaign) if campaign else None
        first = (home or 0) + tried if campaign or tried else next(self._turns)
        for number in ((first + step) % self._many for step in range(self._many)):
            channel = self._channel_of(number)
            if channel is None:
                continue
            try:
                socket.send_fds(
                    channel, [SAID.pack(sign_of(campaign) if number == home else ANY)], [connection.fileno()]
                )
            except OSError:  # it takes nothing for now, or has ended, which is known at the next look
                if not self._is_late(connection):
                    break
            else:
                self._let_go(connection)
                return
        self._wait_with(connection)

    def _wait_with(self, connection: socket.socket) -> None:
        """Look at a connection again at the next look. What has come on it would wake this process all the time."""
        self._let_be(connection)
        self._set_aside.add(connection)

    def _let_be(self, connection: socket.socket) -> None:
        with suppress(KeyError):  # it is let be already
            self._selector.unregister(connection)

    def _let_go(self, connection: socket.socket) -> None:
        del self._waiting[connection]
        self._let_be(connection)
        connection.close()
