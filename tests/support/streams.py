"""Streams of bells, read by a socket of one's own."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import attrs


@attrs.define
class Reader:
    """A client with a cookie ("name=value"), who asks and listens as a browser does; by the ``name`` of a site, if it has one.

    With a ``token`` it is a program, and comes from no site.
    """

    address: str
    cookie: str
    name: str = ""
    token: str = ""

    @property
    def _headers(self) -> dict[str, str]:
        host = self.name or urlsplit(self.address).netloc
        if self.token:
            return {"Host": host, "Authorization": f"Bearer {self.token}"}
        return {"Host": host, "Cookie": self.cookie, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}

    def _ask(
        self, method: str, path: str, body: str | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, str]:
        where = urlsplit(self.address)
        connection = HTTPConnection(str(where.hostname), where.port, timeout=30)
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        connection.request(method, path, body, {**self._headers, **kind, **(headers or {})})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of an answer."""
        return self._ask("GET", path)

    def post(self, path: str, *, headers: Mapping[str, str] | None = None, **form: str) -> tuple[int, str]:
        """Post a form; return the status and the text of the answer."""
        return self._ask("POST", path, urlencode(form), headers)

    @contextmanager
    def sending(self, path: str, body: str) -> Iterator[None]:
        """A form that is posted, without waiting for its answer: the connection ends with this."""
        where = urlsplit(self.address)
        with socket.create_connection((str(where.hostname), where.port), timeout=10) as connection:
            headers = {
                **self._headers,
                "Content-Type": "application/x-www-form-urlencoded",
                "Content-Length": len(body),
            }
            lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", body]
            connection.sendall("\r\n".join(lines).encode())
            yield

    @contextmanager
    def listening(self, path: str, *, last: str = "") -> Iterator[Stream]:
        """The stream at a path; ``last`` is the last bell that was heard before, as browsers say it when they come back."""
        where = urlsplit(self.address)
        with socket.create_connection((str(where.hostname), where.port), timeout=10) as connection:
            headers = {**self._headers, **({"Last-Event-ID": last} if last else {})}
            lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
            connection.sendall("\r\n".join(lines).encode())
            yield Stream(connection)


@attrs.define
class Stream:
    """An open stream."""

    connection: socket.socket
    _text: str = ""

    def bell(self, seconds: float = 10) -> str:
        """The cursor of the next bell, "" if none rings in so many seconds or the stream ends."""
        end = time.monotonic() + seconds
        while "event: bell\nid: " not in self._text or "\n\n" not in self._text.partition("event: bell\nid: ")[2]:
            self.connection.settimeout(max(end - time.monotonic(), 0.001))
            try:
                more = self.connection.recv(65_536)
            except TimeoutError:
                return ""
            if not more:
                return ""
            self._text += more.decode().replace("\r\n", "\n")
        cursor, _, self._text = self._text.partition("event: bell\nid: ")[2].partition("\n")
        return cursor

    def ends(self, seconds: float) -> bool:
        """True if the server ends the stream within so many seconds; bells that ring meanwhile are lost."""
        end = time.monotonic() + seconds
        while not self._text.endswith("\n0\n\n"):
            self.connection.settimeout(max(end - time.monotonic(), 0.001))
            try:
                more = self.connection.recv(65_536)
            except TimeoutError:
                return False
            if not more:
                return True
            self._text += more.decode().replace("\r\n", "\n")
        return True

    def bells(self, seconds: float) -> int:
        """Number of bells that ring in so many seconds."""
        end, count = time.monotonic() + seconds, 0
        while (left := end - time.monotonic()) > 0 and self.bell(left):
            count += 1
        return count

    def silences(self, seconds: float) -> int:
        """Number of keep-alive comments in so many seconds; bells that ring meanwhile are lost."""
        while self.bell(seconds):
            self._text = ""
        count = self._text.count("\n:\n")
        self._text = ""
        return count
