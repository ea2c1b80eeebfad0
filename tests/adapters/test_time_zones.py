"""A campaign has its days and hours in one time zone, on every surface; what is recorded, and what tables export, is UTC."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.exports.vault.notes import Vault
from rollbook.adapters.web.corrections.numbered import actions_said
from rollbook.adapters.web.table.log_pages import fitting
from rollbook.application import time_zones
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.time_zones import known_zone, zone_here, zone_of
from rollbook.domain.actions.campaign import SetTimeZone
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import NotFound
from rollbook.domain.rules.action import parameters
from rollbook.projections.filters import read
from tests.support.campaigns import begin_campaign, book_with, memory_book
from tests.support.chronicles import written
from tests.support.command_line import home, rollbook, say
from tests.support.formats import request_for

__all__ = ["home", "rollbook", "say"]

ROOT = Path(__file__).parents[2]
ANGELES, BERLIN = "America/Los_Angeles", "Europe/Berlin"
SUMMER, WINTER = datetime(2026, 7, 4, 5, tzinfo=UTC), datetime(2026, 11, 21, 3, tzinfo=UTC)
"""On a Friday in California: at ten o'clock in summer, at seven in winter."""


@attrs.define
class Clock:
    """A clock that is set by hand and ticks at every look."""

    at: datetime = SUMMER

    def __call__(self) -> int:
        self.at += timedelta(seconds=1)
        return int(self.at.timestamp()) * 1_000_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(tmp_path: Path, clock: Clock) -> Iterator[Book]:
    with memory_book(tmp_path, clock=clock) as made:
        yield made


@pytest.fixture
def campaign(book: Book, clock: Clock) -> Campaign:
    """A session in summer and one in winter, at a table in California."""
    made = begin_campaign(book)
    made.do("time-zone", {"zone": ANGELES})
    made.do("scene", {"title": "The mill"})
    made.do("close-session")
    clock.at = WINTER
    made.do("open-session", {"title": "second"})
    made.do("scene", {"title": "The ford"})
    made.session.project()
    return made


# Which zone.


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (BERLIN, BERLIN),
        (f":{BERLIN}", BERLIN),
        (f"/usr/share/zoneinfo/{BERLIN}", BERLIN),
        ("UTC", "UTC"),
        ("Etc/UTC", "UTC"),
        ("", "UTC"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "UTC"),
        ("../../etc/passwd", "UTC"),
        ("Nowhere/At_all", "UTC"),
    ],
)
def test_a_computer_says_its_own_zone_if_it_can(said: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", said)
    assert zone_here() == name


def test_without_the_variable_it_is_that_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ")
    link, name = tmp_path / "localtime", tmp_path / "timezone"
    monkeypatch.setattr(time_zones, "LOCAL_TIME", link)
    monkeypatch.setattr(time_zones, "NAME_OF_ZONE", name)
    assert zone_here() == "UTC"
    link.write_bytes(b"TZif")
    assert zone_here() == "UTC", "a copy has no name"
    name.write_text(f"{ANGELES}\n", encoding="utf-8")
    assert zone_here() == ANGELES
    link.unlink()
    link.symlink_to(f"/usr/share/zoneinfo/{BERLIN}")
    assert zone_here() == BERLIN


def test_a_new_campaign_has_the_zone_of_its_computer_and_keeps_it(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", BERLIN)
    campaign = book.new("Sherwood", "toy")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert zone_of(campaign.state).name == BERLIN
    assert zone_of(book.new("Here", "toy", zone=ANGELES).state).name == ANGELES
    assert [answer.verdict for answer in campaign.audit()][::2] == [Verdict.VERIFIED] * 2


def test_a_campaign_of_before_is_in_utc_wherever_it_is_read(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = begin_campaign(book)
    assert "zone" not in campaign.state.agreed
    monkeypatch.setenv("TZ", BERLIN)
    assert zone_of(campaign.state).name == "UTC"


@pytest.mark.parametrize("typed", ["europe/berlin", " Europe/Berlin ", "EUROPE/BERLIN"])
def test_a_zone_is_known_whatever_its_case(typed: str) -> None:
    assert known_zone(typed) == BERLIN
    assert known_zone("utc") == "UTC"
    assert known_zone("america/los angeles") == ANGELES


def test_a_zone_that_is_none_is_one_sentence_with_the_nearest(campaign: Campaign) -> None:
    changed = campaign.do("time-zone", {"zone": BERLIN}).action
    for attempt in (
        lambda: known_zone("Europe/Berlni"),
        lambda: campaign.do("time-zone", {"zone": "Europe/Berlni"}),
        lambda: campaign.corrections.amend(changed, {"zone": "Europe/Berlni"}, reason="so"),
        lambda: book_with(campaign).new("Other", "toy", zone="Europe/Berlni"),
    ):
        with pytest.raises(
            NotFound, match=r"^There is no time zone called 'Europe/Berlni'\. Did you mean Europe/Berlin"
        ):
            attempt()


def test_a_zone_that_this_computer_does_not_know_is_read_as_utc_and_proves_the_same(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time_zones, "_called", lambda name: time_zones.IN_UTC if name == "UTC" else None)
    assert zone_of(campaign.state).name == "UTC"
    assert campaign.audit()[2].verdict is Verdict.VERIFIED


def test_a_zone_can_be_amended_and_undone_and_is_no_matter_of_dice(campaign: Campaign) -> None:
    changed = campaign.do("time-zone", {"zone": BERLIN}).action
    campaign.corrections.amend(changed, {"zone": "asia/tokyo"}, reason="so").apply()
    assert zone_of(campaign.state).name == "Asia/Tokyo"
    campaign.corrections.undo(changed, reason="so").apply()
    assert zone_of(campaign.state).name == ANGELES
    assert not any("agreed" in str(answer) for answer in campaign.audit())
    assert [parameter.name for parameter in parameters(SetTimeZone)] == ["zone"]


# Where it is read.


def asked(campaign: Campaign, text: str) -> set[int]:
    """The actions that a page of the log finds, which are those that a correction by the same words finds."""
    found = {card.first.action for card in fitting(campaign, text).cards}
    final = {"open-session", "close-session"}
    lines = campaign.read_model.log(campaign.id)
    can_go = {line.action for line in lines if line.action in found and line.verb not in final}
    if can_go:
        assert set(actions_said(campaign, text)) == can_go - {1}
    return found


def test_a_filter_reads_its_times_in_the_zone_of_the_campaign_in_every_season(campaign: Campaign) -> None:
    mill, ford = sorted(line.action for line in campaign.read_model.log(campaign.id) if line.verb == "scene")
    assert mill in asked(campaign, "time=2026-07-03T22:00..2026-07-03T22:59")
    assert ford in asked(campaign, "time=2026-11-20T19:00..2026-11-20T19:59")
    assert mill in asked(campaign, "time=2026-07-03") and ford not in asked(campaign, "time=2026-07-03")
    assert ford in asked(campaign, "time=2026-11-20") and mill not in asked(campaign, "after=2026-11-19")
    assert not asked(campaign, "time=2026-07-04") and not asked(campaign, "time=2026-11-21")


def test_a_chronicle_has_the_days_of_the_table_and_says_which_they_are(campaign: Campaign, tmp_path: Path) -> None:
    page = written(campaign, "html", tmp_path).read_text(encoding="utf-8")
    assert f"3 July 2026 to 20 November 2026 ({ANGELES})" in page
    assert "20 November 2026" in page and "21 November 2026" not in page


def test_a_chronicle_in_utc_says_so(book: Book, tmp_path: Path) -> None:
    page = written(begin_campaign(book), "html", tmp_path).read_text(encoding="utf-8")
    assert "4 July 2026 (UTC)" in page


def test_a_vault_has_the_days_of_the_table_and_says_which_they_are(campaign: Campaign, tmp_path: Path) -> None:
    notes = [
        note.content.decode()
        for note in Vault(request_for(campaign, tmp_path / "vault")).notes()
        if note.path.suffix == ".md"
    ]
    assert f"time_zone: {ANGELES}" in notes[0] or f'time_zone: "{ANGELES}"' in notes[0]
    dates = [line for text in notes for line in text.splitlines() if line.startswith("date:")]
    assert [date.split(": ")[1] for date in dates] == ["2026-07-03", "2026-11-20"]


def test_the_command_line_keeps_the_zone_and_shows_times_in_it(
    say: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Did you mean Europe/Berlin" in say(
        "new", "Sherwood", "--ruleset", "storytoken", "--zone", "Europe/Berlni", fails=3
    )
    say("new", "Sherwood", "--ruleset", "storytoken", "--zone", "asia/kathmandu")
    assert '"zone":"Asia/Kathmandu"' in say(
        "new", "Other", "--ruleset", "storytoken", "--zone", "asia/kathmandu", "--json"
    ).replace(" ", "")
    say("do", "take-seat", "Ana", "--role", "gm")
    say("undo", "2", "--yes", "--why", "so")
    now = datetime.now(UTC) + timedelta(hours=5, minutes=45)
    hour = f"time={now - timedelta(minutes=2):%Y-%m-%dT%H:%M}..{now + timedelta(minutes=2):%Y-%m-%dT%H:%M}"
    monkeypatch.setenv("TZ", "America/New_York")
    assert "sits down" in say("log", "--undone", hour)
    assert f"{now:%Y-%m-%d %H:}" in say("log", "--corrections")
    assert f"{now:%Y-%m-%d %H:}" in say("replay")
    say("fork", "--at", "1", "--why", "so")
    assert f"{now:%Y-%m-%d %H:}" in say("timelines")
    say("do", "time-zone", "utc")
    assert f"{datetime.now(UTC):%Y-%m-%d %H:}" in say("log", "--corrections")
    assert " UTC" in say("log", "--corrections")


# All of them.

NOT_OF_A_CAMPAIGN = {
    "application/book.py": "when a campaign was deleted, which says UTC",
    "application/ports/seed_store.py": "when a campaign was moved away, which says UTC",
    "adapters/imports/foundry/stores.py": "until when a file of another program goes, which says UTC",
    "adapters/web/logs.py": "the log of a server, RFC 3339",
    "projections/utc.py": "tables and events for programs, whose columns say UTC",
    "adapters/doctor/installation.py": "this computer's own clock",
    "adapters/backups/restoring.py": "a file's name, by this computer's own clock",
}
"""Modules that make a date or a time for people or files which is not that of a campaign's table."""

OF_A_CAMPAIGN = {
    "application/time_zones.py",
    "adapters/imports/course.py",
    "adapters/imports/avrae/recorded_session.py",
    "adapters/imports/chats/messages.py",
    "adapters/imports/discord/importer.py",
    "adapters/imports/fantasygrounds/importer.py",
    "adapters/imports/roll20/importer.py",
    "projections/filters.py",
    "projections/chronicle/model.py",
}
"""Modules that are given the campaign's zone, or give it."""


def makes_a_time(path: Path) -> bool:
    """Whether a module turns a moment into a date or a time of day."""
    names = {"fromtimestamp", "strftime", "isoformat", "astimezone", "utcfromtimestamp", "localtime", "gmtime", "ctime"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        is_written = isinstance(node, ast.FormattedValue) and node.format_spec is not None
        if is_written and "%" in ast.unparse(node.format_spec):  # type: ignore[union-attr, arg-type]
            return True
        if isinstance(node, ast.Attribute) and node.attr in names:
            return True
    return False


def test_no_other_module_makes_a_date_or_a_time_of_its_own() -> None:
    modules = (
        path
        for folder in ("adapters", "application", "projections", "domain")
        for path in (ROOT / folder).rglob("*.py")
    )
    found = {str(path.relative_to(ROOT)) for path in modules if makes_a_time(path)}
    assert found == {*NOT_OF_A_CAMPAIGN} | OF_A_CAMPAIGN


def test_nobody_reads_a_filter_without_a_zone() -> None:
    with pytest.raises(TypeError, match="zone"):
        read("time=2026-11-20")  # type: ignore[call-arg]
