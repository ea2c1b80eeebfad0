"""Behind nginx and Caddy as docs/web.md sets them up: https outside, cookies for https alone, the proxy says who asks."""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from benchmarks.ports import free_port
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.web.serving.listening import Place, Server, bound
from tests.support.needs import needed
from tests.support.web import SHERWOOD, StoreFiles, until

PAGE = Path(__file__).parents[3] / "docs" / "web.md"
NAME = "table.example"
OWN_CERTIFICATES = """{{
    admin off
    https_port {port}
    auto_https disable_redirects
    local_certs
    skip_install_trust
"""
"""What Caddy is told besides, so that it asks nobody for a certificate."""
WHOLE = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{ }}
http {{
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {server}
}}
"""


class Outside:
    """A browser that reaches the table by its name, through the proxy."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._trusting = ssl.create_default_context()
        self._trusting.check_hostname = False
        self._trusting.verify_mode = ssl.CERT_NONE
        self.cookie = ""

    def connected(self, patience: float) -> HTTPSConnection:
        """A connection that says in its greeting which site it wants, as browsers do."""
        connection = HTTPSConnection(NAME, self._port, context=self._trusting, timeout=patience)
        line = socket.create_connection(("127.0.0.1", self._port), timeout=patience)
        connection.sock = self._trusting.wrap_socket(line, server_hostname=NAME)
        return connection

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, dict[str, str], str]:
        connection = self.connected(10)
        sent = {"Host": NAME, "Origin": f"https://{NAME}", "Cookie": self.cookie, **headers}
        sent |= {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        connection.request(method, path, body or None, {name: value for name, value in sent.items() if value})
        answer = connection.getresponse()
        said = answer.status, {name.casefold(): value for name, value in answer.getheaders()}, answer.read().decode()
        connection.close()
        return said

    def first_of_stream(self, path: str) -> bytes:
        connection = self.connected(5)
        connection.request("GET", path, headers={"Host": NAME, "Cookie": self.cookie})
        found = connection.getresponse().read1(200)
        connection.close()
        return found


@pytest.fixture
def table(sherwood: StoreFiles) -> Iterator[Server]:
    place = Place.named("127.0.0.1", public=f"https://{NAME}")
    app = create_app(sherwood.store, sherwood.seeds, place.door)
    listening = bound("127.0.0.1", 0)
    server = Server(app, "127.0.0.1", listening.getsockname()[1])
    app.sessions.links.note_addresses(place.addresses(server.config.port))
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    until(lambda: server.started)
    yield server
    server.stop()
    thread.join(timeout=10)


@pytest.fixture(params=["nginx", "caddy"])
def outside(request: pytest.FixtureRequest, table: Server, tmp_path: Path) -> Iterator[Outside]:
    folder, port = tmp_path / "proxy", free_port()
    folder.mkdir()
    command = (nginx if request.param == "nginx" else caddy)(folder, port, table.config.port)
    with (folder / "error.log").open("wb") as log:
        running = subprocess.Popen(
            command, env={"HOME": str(folder), "PATH": os.environ["PATH"]}, stdout=log, stderr=log
        )
    try:
        for _ in range(200):
            if answers(port):
                break
            assert running.poll() is None, (folder / "error.log").read_text()
            time.sleep(0.05)
        yield Outside(port)
    finally:
        running.terminate()
        running.wait(timeout=10)


def snippet(kind: str) -> str:
    """What the page says to put into the settings of a proxy; heads have one second instead of ten."""
    (found,) = re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found.count("10s") == 1
    return str(found).replace("10s", "1s")


def nginx(folder: Path, port: int, table: int) -> list[str]:
    program, openssl = needed("nginx"), needed("openssl")
    key, certificate = folder / "key", folder / "pem"
    made = [*(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}")]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    server = snippet("nginx").replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("7655", str(table))
    server = server.replace("/etc/ssl/table.example.pem", str(certificate)).replace(
        "/etc/ssl/table.example.key", str(key)
    )
    settings = folder / "nginx.conf"
    settings.write_text(WHOLE.format(folder=folder, server=server), encoding="utf-8")
    return [program, "-p", str(folder), "-e", "stderr", "-c", str(settings)]


def caddy(folder: Path, port: int, table: int) -> list[str]:
    program = needed("caddy")
    settings = folder / "Caddyfile"
    said = snippet("caddy").replace("7655", str(table))
    assert said.startswith("{\n")
    settings.write_text(said.replace("{\n", OWN_CERTIFICATES.format(port=port), 1))
    return [program, "run", "--adapter", "caddyfile", "--config", str(settings)]


def answers(port: int) -> bool:
    """Whether the proxy has its certificate and speaks with the table."""
    try:
        return Outside(port).ask("GET", "/health")[0] == 200
    except OSError:
        return False


def test_behind_a_proxy_as_the_page_sets_it_up(outside: Outside, table: Server, sherwood: StoreFiles) -> None:
    app = table.table
    with sherwood.book() as book:
        _, token = app.sessions.links.make(SHERWOOD, book.campaign(SHERWOOD).state.identity, "Mira")
    status, headers, page = outside.ask("GET", f"/join/{token}")
    assert status == 200 and "take your seat" in page and headers["strict-transport-security"]
    status, headers, _ = outside.ask("POST", f"/join/{token}")
    assert status == 303 and headers["location"] == f"/c/{SHERWOOD}"
    outside.cookie, _, rest = headers["set-cookie"].partition(";")
    assert outside.cookie.startswith("__Host-rollbook-") and "Secure" in rest
    assert outside.ask("GET", f"/c/{SHERWOOD}")[0] == 200
    status, _, said = outside.ask("POST", f"/c/{SHERWOOD}/say", "line=note+From+outside.")
    assert status in (200, 303), said
    assert outside.ask("POST", f"/c/{SHERWOOD}/say", "line=note+x", Origin="http://table.example")[0] == 403
    assert outside.ask("POST", f"/c/{SHERWOOD}/say", "line=note+x", Origin="https://evil.example")[0] == 403
    assert outside.first_of_stream(f"/c/{SHERWOOD}/stream").startswith(b"retry:"), "streams are passed on at once"
    assert "server" not in {name for name, value in headers.items() if "uvicorn" in value}


def test_the_hosts_link_does_not_work_through_the_proxy_whatever_is_said(outside: Outside, table: Server) -> None:
    sessions = table.table.sessions
    link = sessions.host_link()
    odd = ({}, {"X-Forwarded-For": "127.0.0.1"}, {"X-Real-IP": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"})
    for more in odd:
        status, headers, page = outside.ask("POST", link, **more)
        assert status == 422 and "on the computer that rollbook runs on" in page, more
        assert "set-cookie" not in headers, more
    # The cookie of a browser on that computer, which took the link there, is no more use outside.
    outside.cookie = f"{sessions.cookies[0]}={sessions.links.take(link.removeprefix('/join/'), '')}"
    for more in odd:
        status, _, page = outside.ask("GET", "/", **more)
        assert status == 401 and "on the computer that rollbook runs on" in page, more


def test_the_link_to_the_hosts_page_works_through_the_proxy(outside: Outside, table: Server) -> None:
    sessions = table.table.sessions
    _, token = sessions.links.make_for_hosts_page("Gina")
    status, headers, _ = outside.ask("POST", f"/join/{token}")
    assert status == 303
    outside.cookie = headers["set-cookie"].partition(";")[0]
    assert outside.ask("GET", "/host")[0] == 200
    assert outside.ask("GET", f"/c/{SHERWOOD}/gm")[0] == 401, "and to no table"


def test_another_name_is_not_answered(outside: Outside) -> None:
    status, _, said = outside.ask("GET", "/", Host="evil.example")
    assert status in (404, 421) or said == "", "Caddy answers for it with nothing"


def test_the_proxy_ends_connections_on_which_nobody_asks(outside: Outside) -> None:
    connection = outside.connected(10)
    connection.sock.sendall(f"GET / HTTP/1.1\r\nHost: {NAME}\r\nX-Half: ".encode())
    with suppress(ConnectionError):
        assert b" 200 " not in connection.sock.recv(1_000)
    assert outside.ask("GET", "/health")[0] == 200
