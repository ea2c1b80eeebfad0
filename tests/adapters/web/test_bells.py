"""A bell rings for an audience when something has changed for it, from wherever, and no bell that is missed is lost."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.web.live import bells
from rollbook.adapters.web.live.live_updates import EditionBuilder
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.watching.watcher import FileWatcher, News
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.domain.events import Role
from tests.support.stores import ROOT
from tests.support.streams import Reader
from tests.support.web import GM, JO, MIRA, SPECTATOR, Running, StoreFiles, reader, start, until

STREAM = "/c/sherwood/stream"
SOON = 3
"""Seconds, on a computer that is busy with other tests; ``python -m benchmarks web`` measures what it takes."""


def cursor(of: Reader) -> str:
    status, html = of.get("/c/sherwood")
    assert status == 200
    found = re.search(r'name="after" value="([^"]+)"', html)
    assert found
    return found[1]


def say(who: Reader, line: str) -> None:
    assert who.post("/c/sherwood/say", line=line)[0] == 303


def test_what_one_says_rings_for_all(served: Running) -> None:
    gm, *others = (reader(served, identity) for identity in (GM, MIRA, JO, SPECTATOR))
    with ExitStack() as stack:
        streams = [stack.enter_context(each.listening(f"{STREAM}?after={cursor(each)}")) for each in (gm, *others)]
        say(gm, "scene The cave")
        bells = [stream.bell() for stream in streams]
        assert bells == [cursor(each) for each in (gm, *others)]


def test_a_secret_rings_for_the_gm_alone(served: Running) -> None:
    gm, mira = reader(served, GM), reader(served, MIRA)
    with gm.listening(f"{STREAM}?after={cursor(gm)}") as ours, mira.listening(f"{STREAM}?after={cursor(mira)}") as hers:
        say(gm, "note The spy waits --secret")
        assert ours.bell()
        assert hers.bell(0.5) == ""
        say(gm, "note The door opens")
        assert ours.bell()
        assert hers.bell()


def test_a_stream_ends_when_its_readers_link_is_revoked(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bells, "WELCOME_FOR", 0.0)
    gm, mira, jo = (reader(served, identity) for identity in (GM, MIRA, JO))
    links = served.app.sessions.links
    (hers,) = [link for link in links.taken(mira.cookie.partition("=")[2]) if link.seat == "Mira"]
    with (
        mira.listening(f"{STREAM}?after={cursor(mira)}") as ended,
        jo.listening(f"{STREAM}?after={cursor(jo)}") as going_on,
    ):
        say(gm, "note Before")
        assert ended.bell() and going_on.bell()
        links.revoke(hers.number)
        say(gm, "note After")
        assert going_on.bell()
        assert ended.bell(0.5) == ""
    assert mira.get(STREAM)[0] == 401


def test_a_link_that_is_revoked_ends_idle_streams_at_every_server_of_the_store(
    served: Running, sherwood: StoreFiles
) -> None:
    other = start(sherwood)
    try:
        mira, jo = reader(served, MIRA), reader(served, JO)
        (hers,) = served.app.sessions.links.taken(mira.cookie.partition("=")[2])
        at = f"{STREAM}?after={cursor(mira)}"
        mira_there, jo_there = Reader(other.address, mira.cookie), Reader(other.address, jo.cookie)
        with (
            mira.listening(at) as here,
            mira_there.listening(at) as there,
            jo_there.listening(f"{STREAM}?after={cursor(jo)}") as going_on,
        ):
            assert not any(stream.ends(0.3) for stream in (here, there, going_on))
            with sherwood.book() as book, closing(book.seeds.links()) as links:
                began = time.monotonic()
                links.revoke(hers.number)
            assert here.ends(SOON) and there.ends(SOON)
            assert time.monotonic() - began < 1
            assert not going_on.ends(0.5)
            say(reader(served, GM), "note It goes on")
            assert going_on.bell()
        assert mira.get(STREAM)[0] == mira_there.get(STREAM)[0] == 401
    finally:
        other.stop()


def test_who_leaves_the_table_hears_nothing_of_it_any_more(served: Running) -> None:
    gm, jo = reader(served, GM), reader(served, JO)
    with jo.listening(f"{STREAM}?after={cursor(jo)}") as his:
        assert not his.ends(0.2)
        say(gm, "leave-seat Jo")
        assert his.ends(SOON)
    assert jo.get(STREAM)[0] == 401


def test_a_stream_that_has_nothing_to_say_says_so_every_so_often(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bells, "SILENCE", 0.02)
    gm, mira = reader(served, GM), reader(served, MIRA)
    with mira.listening(f"{STREAM}?after={cursor(mira)}") as hers:
        assert hers.silences(0.5) > 2
        say(gm, "note It goes on")
        assert hers.bell()


def test_a_page_that_was_loaded_before_something_happened_hears_of_it_at_once(served: Running) -> None:
    gm, mira = reader(served, GM), reader(served, MIRA)
    before = cursor(mira)
    say(gm, "note While she was away")
    with mira.listening(f"{STREAM}?after={before}") as hers:
        assert hers.bell() == cursor(mira) != before


def test_nobody_is_rung_for_who_has_read_everything(served: Running) -> None:
    mira = reader(served, MIRA)
    with mira.listening(f"{STREAM}?after={cursor(mira)}") as hers:
        assert hers.bells(0.4) == 0


def test_the_last_bell_that_was_heard_counts_more_than_the_address(served: Running) -> None:
    gm, mira = reader(served, GM), reader(served, MIRA)
    before = cursor(mira)
    say(gm, "note Something")
    with mira.listening(f"{STREAM}?after={before}", last=cursor(mira)) as hers:
        assert hers.bells(0.4) == 0


def test_another_program_is_heard_within_300_milliseconds(served: Running, sherwood: StoreFiles) -> None:
    mira = reader(served, MIRA)
    with sherwood.book() as book, mira.listening(f"{STREAM}?after={cursor(mira)}") as hers:
        campaign = book.campaign("sherwood")
        waits = []
        for number in range(8):
            campaign.say(f"note The {number}th line from elsewhere")
            began = time.monotonic()
            assert hers.bell()
            waits.append(time.monotonic() - began)
        assert sorted(waits)[len(waits) // 2] < 0.3


def test_two_servers_on_one_store_show_what_either_records(served: Running, sherwood: StoreFiles) -> None:
    other = start(sherwood)
    try:
        here, there = reader(served, GM), reader(other, MIRA)
        with there.listening(f"{STREAM}?after={cursor(there)}") as hers:
            say(here, "note Said at the other server")
            assert hers.bell()
            assert "Said at the other server" in there.get("/c/sherwood")[1]
        gm_there = reader(other, GM)
        with here.listening(f"{STREAM}?after={cursor(here)}") as ours:
            say(gm_there, "note And back again")
            assert ours.bell()
            assert "And back again" in here.get("/c/sherwood")[1]
    finally:
        other.stop()


def test_ten_tabs_of_one_reader_hear_every_change(served: Running) -> None:
    gm, mira = reader(served, GM), reader(served, MIRA)
    at = cursor(mira)
    with ExitStack() as stack:
        tabs = [stack.enter_context(mira.listening(f"{STREAM}?after={at}")) for _ in range(10)]
        for number in range(3):
            say(gm, f"note Number {number}")
            assert len({tab.bell() for tab in tabs}) == 1


def test_a_reader_who_is_slow_holds_up_nobody(served: Running) -> None:
    gm, mira = reader(served, GM), reader(served, MIRA)
    with socket.create_connection(("127.0.0.1", int(served.address.rpartition(":")[2]))) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        asked = f"GET /c/sherwood HTTP/1.1\r\nHost: {served.address[7:]}\r\nCookie: {gm.cookie}\r\n\r\n"
        slow.sendall(asked.encode() * 50)  # and nothing of what comes back is read
        with mira.listening(f"{STREAM}?after={cursor(mira)}") as hers:
            began = time.monotonic()
            say(gm, "note Meanwhile")
            assert hers.bell()
            assert time.monotonic() - began < SOON


def test_the_server_stops_soon_while_streams_are_open(served: Running) -> None:
    mira = reader(served, MIRA)
    with ExitStack() as stack:
        at = cursor(mira)
        streams = [stack.enter_context(mira.listening(f"{STREAM}?after={at}")) for _ in range(20)]
        assert not any(stream.bell(0.02) for stream in streams)
        assert served.stop() < SOON
        assert streams[0].bell(1) == ""


def test_a_server_that_comes_back_rings_for_what_was_missed(sherwood: StoreFiles) -> None:
    first = start(sherwood)
    gm, mira = reader(first, GM), reader(first, MIRA)
    at = cursor(mira)
    first.stop()
    with sherwood.book() as book:
        book.campaign("sherwood").say("note Said while nobody served")
    again = start(sherwood, port=int(first.address.rpartition(":")[2]))
    try:
        with mira.listening(f"{STREAM}?after=0.none", last=at) as hers:
            assert hers.bell() == cursor(mira) != at
        say(gm, "note And it goes on")
    finally:
        again.stop()


def test_a_campaign_of_another_file_is_shown_when_that_takes_the_place_of_the_store(
    served: Running, sherwood: StoreFiles, tmp_path: Path
) -> None:
    gm = reader(served, GM)
    assert gm.get("/c/sherwood")[0] == 200
    with sherwood.book() as book:
        book.store.copy_to(tmp_path / "copy.db")
        book.campaign("sherwood").say("note Only in the file that was there")
    until(lambda: "Only in the file that was there" in gm.get("/c/sherwood")[1])
    for beside in ("-wal", "-shm"):
        sherwood.store.with_name(sherwood.store.name + beside).unlink(missing_ok=True)
    (tmp_path / "copy.db").replace(sherwood.store)
    until(lambda: "Only in the file that was there" not in gm.get("/c/sherwood")[1])


def test_the_watcher_tells_what_was_added_and_what_was_deleted(sherwood: StoreFiles) -> None:
    told: list[tuple[str, str]] = []
    news = News(lambda stream, last: told.append((stream, last)))
    watcher = FileWatcher(sherwood.store, sherwood.seeds, news, every=0.02)
    watcher.start()
    try:
        with sherwood.book() as book:
            until(lambda: watcher._known)
            other = book.new("Other", "storytoken")
            until(lambda: told)
            assert told == [("other", other.head.hash)]
            book.campaign("sherwood").say("note One more")
            until(lambda: len(told) == 2)
            assert told[1] == ("sherwood", book.campaign("sherwood").head.hash)
            delete_campaign(book, stone_of(book, "other"))
            until(lambda: len(told) == 3)
            assert told[2] == ("other", "")
    finally:
        watcher.stop()


@pytest.mark.parametrize("page", ["/c/sherwood", "/c/sherwood/screen", "/c/sherwood/log"])
def test_what_one_spectator_was_shown_is_ready_for_all(served: Running, page: str) -> None:
    one, other = reader(served, SPECTATOR), reader(served, SPECTATOR)
    worker, go_on = served.app.workers.of("sherwood"), threading.Event()
    with one.listening(STREAM) as bells:
        assert bells.bell()
        shown = one.get(page)
        assert shown[0] == 200
        busy = worker._thread.submit(go_on.wait, 20)
        try:
            assert other.get(page) == shown
            assert not busy.done()
        finally:
            go_on.set()
        say(reader(served, GM), "note Something else")
        assert bells.bell()
        assert "Something else" in other.get("/c/sherwood")[1]


def test_what_a_quicker_bell_has_shown_is_not_made_again(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    live, ready, forgotten = served.app.live_updates, EditionBuilder.ready, list[str]()

    async def later(*asked: Any) -> Any:  # the store's own bell comes before the request ends
        answer = await ready(*asked)
        await live.follow("sherwood")
        return answer

    monkeypatch.setattr(EditionBuilder, "ready", later)
    monkeypatch.setattr(live.cache, "forget", forgotten.append)
    gm, reads = reader(served, GM), reader(served, SPECTATOR)
    with reads.listening(f"{STREAM}?after={cursor(reads)}") as bells:
        say(gm, "note The door opens")
        assert bells.bell() == cursor(reads)
        assert "The door opens" in reads.get("/c/sherwood")[1]
    assert not forgotten


def test_each_spectator_has_a_page_with_their_own_name(served: Running) -> None:
    names = ("Uma", "Viv")
    who = [Identity(campaign="sherwood", seat=name, role=Role.SPECTATOR) for name in names]
    watching = [reader(served, identity) for identity in who]
    with ExitStack() as stack:
        streams = [stack.enter_context(each.listening(STREAM)) for each in watching]
        assert all(stream.bell() for stream in streams)
        for _ in range(2):
            pages = [each.get("/c/sherwood")[1] for each in watching]
            shown = [page.partition('<span class="seat">')[2].partition("spectator")[0] for page in pages]
            assert [[name in text for name in names] for text in shown] == [[True, False], [False, True]]


KILLED = """
import sys
from pathlib import Path
from typing import Any
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.web.serving.listening import Server, bound
app = create_app(Path(sys.argv[1]), Path(sys.argv[2]))
links = app.sessions.links
print(f"{app.sessions.cookies[-1]}={links.take(links.make_hosts()[1], '')}")
listening = bound("127.0.0.1", 0)
port = listening.getsockname()[1]
print(port, flush=True)
Server(app, "127.0.0.1", port).run(sockets=[listening])
"""


@pytest.mark.parametrize("lines", [12])
def test_a_server_that_is_killed_has_lost_nothing_that_it_answered(
    sherwood: StoreFiles, tmp_path: Path, lines: int
) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    process = subprocess.Popen(
        [sys.executable, str(script), str(sherwood.store), str(sherwood.seeds)],
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    cookie_ = process.stdout.readline().strip()
    gm = Reader(f"http://127.0.0.1:{process.stdout.readline().strip()}", cookie_)
    answered: list[int] = []

    def talk() -> None:
        for number in range(1_000):
            try:
                status, _ = gm.post("/c/sherwood/say", line=f"note Line {number} of the killed", command=f"k{number}")
            except OSError:
                return
            assert status == 303
            answered.append(number)

    talking = threading.Thread(target=talk)
    talking.start()
    while len(answered) < lines:
        time.sleep(0.01)
    process.kill()
    talking.join(20)
    process.wait()
    again = start(sherwood)
    try:
        _, html = reader(again, GM).get("/c/sherwood")
        assert f"Line {answered[-1]} of the killed" in html
    finally:
        again.stop()
    with sherwood.book() as book:
        texts = [str(line.result) for line in book.campaign("sherwood").read_model.log("sherwood", everything=True)]
        said = [text for text in texts if "of the killed" in text]
        assert len(said) in (len(answered), len(answered) + 1)
        assert len(set(said)) == len(said)
