"""Metrics of a server for Prometheus, at an address of their own.

Numbers, durations and outcomes are counted by kind of page and nothing else: no campaign, seat or name is in any count,
and requests about the X-card are in none.
"""

import threading
from collections.abc import Callable
from importlib.metadata import version
from ipaddress import ip_address
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, make_wsgi_app

from rollbook.adapters.web.guards.checks import host_of
from rollbook.adapters.web.guards.limits import X_CARD
from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.serving.readiness import Counts

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


def is_counted(path: str) -> bool:
    """True if requests for a path, or for a route's path, are counted: all but those about the X-card."""
    return X_CARD.match(path) is None


def kind_of(page: Page) -> str:
    """The kind of a page: the first word of its route after the campaign, so there are at most as many as routes."""
    words = [word for word in page.path.split("/") if word and not word.startswith("{")]
    if page.path.startswith("/c/"):
        return words[1] if len(words) > 1 else "table"
    return words[0] if words else "lobby"


def outcome_of(status: int) -> str:
    """The outcome of a command, by the status of its answer."""
    if status < 400:
        return "done"
    return "conflict" if status == 409 else "refused" if status < 500 else "failed"


class Metrics(Counts):
    """Counts in a registry of their own. Gauges, which are read on request, are added by ``shows``."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        known: dict[str, Any] = {"registry": self.registry}
        ProcessCollector(registry=self.registry)
        Info("rollbook_build", "The version that serves.", **known).info({"version": version("rollbook")})
        self._commands = Counter("rollbook_commands", "Forms that were sent, by how that ended.", ["outcome"], **known)
        self._conflicts = Counter(
            "rollbook_conflicts", "Times that somebody else was faster, and a command was decided again.", **known
        )
        self._turned_away = Counter(
            "rollbook_turned_away", "Requests that no guard let pass, by status.", ["status"], **known
        )
        self._kept = Counter("rollbook_kept_answers", "Answers that had been made for the same audience.", **known)
        self._seconds = Histogram(
            "rollbook_answer_seconds", "How long answers took.", ["page", "method"], buckets=SECONDS, **known
        )

    def shows(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Add a gauge that is read at each request for metrics; ``value`` is called from another thread."""
        Gauge(f"rollbook_{name}", meaning, registry=self.registry).set_function(value)

    def answered(self, page: Page, status: int, seconds: float) -> None:
        if not is_counted(page.path):
            return
        self._seconds.labels(kind_of(page), page.method).observe(seconds)
        if page.acts:
            self._commands.labels(outcome_of(status)).inc()

    def kept(self) -> None:
        self._kept.inc()

    def turned_away(self, path: str, status: int) -> None:
        if is_counted(path):
            self._turned_away.labels(str(status)).inc()

    def conflicts(self, page: Page, times: int) -> None:
        if is_counted(page.path):
            self._conflicts.inc(times)


class _Threads(ThreadingMixIn, WSGIServer):
    """A thread for each request, so that a client who does not read its answer holds up no other."""

    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    """A handler that logs no requests."""

    timeout = 10

    def log_message(self, format: str, *args: Any) -> None:
        pass


class MetricsServer:
    """Server of ``/metrics`` at an address and in threads of its own, even when the table is busy. Raises OSError."""

    def __init__(self, metrics: Metrics, host: str, port: int) -> None:
        answer = make_wsgi_app(metrics.registry)
        is_here = ip_address(host).is_loopback

        def guarded(environ: dict[str, Any], start: Callable[..., Any]) -> Any:
            name = host_of(f"//{environ.get('HTTP_HOST', '')}")[0]
            if is_here and name not in (host, "localhost"):  # a page of another site may have been given this address
                start("421 Misdirected Request", [("Content-Type", "text/plain")])
                return [b"Metrics do not go by that name.\n"]
            if environ["PATH_INFO"] != "/metrics":
                start("404 Not Found", [("Content-Type", "text/plain")])
                return [b"Only /metrics is here.\n"]
            return answer(environ, start)

        self._server = make_server(host, port, guarded, _Threads, _Quiet)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=2)
