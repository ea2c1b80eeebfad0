"""The bot, on a Discord of this computer, at a table that ``rollbook serve`` shows."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from discord_here import Discord, until
from rollbook_discord.bot import OUTCOMES, Bot
from rollbook_discord.table import Refusal, Settings

import rollbook

ROLLBOOK = (sys.executable, "-m", "rollbook")
ANA, MIRA, STRANGER = 1, 2, 3
"""Users of Discord: the GM, a player, and one without a seat."""
SETTINGS = """\
server = "{server}"
campaign = "sherwood"
guild = 200
channel = 300

[tokens]
bot = "$BOT_TOKEN"
thread = "{thread}"
1 = "{ana}"
2 = "{mira}"
"""

Play: TypeAlias = Callable[[Discord, "Table"], Awaitable[None]]


def run(folder: Path, *words: str) -> str:
    """What the command line answers at the store of a folder."""
    done = subprocess.run((*ROLLBOOK, *words), env=environment(folder), check=True, capture_output=True, text=True)
    return done.stdout


def environment(folder: Path) -> dict[str, str]:
    """The variables by which programs find the store of a folder."""
    own = {"ROLLBOOK_STORE": "table.db", "ROLLBOOK_SEEDS": "seeds", "XDG_STATE_HOME": "state"}
    return {**os.environ, **{name: str(folder / place) for name, place in own.items()}}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder with a table: the GM Ana, the player Mira and a seat for everybody; and a token of each."""
    folder = tmp_path_factory.mktemp("played")
    with rollbook.open(folder / "table.db", seeds=folder / "seeds") as book:
        campaign = book.new("Sherwood", "storytoken")
        for seat, role in (("Ana", "gm"), ("Mira", "player"), ("Everybody", "spectator")):
            campaign.do("take-seat", {"seat": seat, "role": role})
        campaign.do("bring-in", {"who": "robin-hood", "seat": "Mira"})
        campaign.do("join", name="Guard", kind="npc", hp=40, armour="light", stats={"to_hit": 3})
        campaign.do("open-session", title="The road")
    acting = ("--scope", "read", "--scope", "act", "--scope", "correct")
    made = ("token", "new", "sherwood")
    return folder, {
        "thread": run(folder, *made, "Everybody", "--name", "discord", "--scope", "read").split()[0],
        "ana": run(folder, *made, "Ana", "--name", "discord", *acting).split()[0],
        "mira": run(folder, *made, "Mira", "--name", "discord", *acting).split()[0],
    }


class Table:
    """A table that is served, its campaign as another program has it open, and the settings of a bot for it."""

    def __init__(self, folder: Path, campaign: rollbook.Campaign, tokens: dict[str, str]) -> None:
        self.folder, self.campaign, self.tokens = folder, campaign, tokens
        self.path = folder / "table.toml"

    def settings(self, server: str) -> Path:
        """The file for the bot, which nobody else can read."""
        self.path.touch(0o600)
        self.path.write_text(SETTINGS.format(server=server, **self.tokens))
        return self.path


@pytest.fixture
def table(played: tuple[Path, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A copy of the table, which nobody serves yet."""
    folder = shutil.copytree(played[0], tmp_path / "table")
    monkeypatch.setenv("BOT_TOKEN", "a.token.of.discord")
    with rollbook.open(folder / "table.db", seeds=folder / "seeds") as book:
        made = Table(folder, book.campaign("sherwood"), played[1])
        made.settings("http://127.0.0.1:7655")
        yield made


@pytest.fixture
def served(table: Table) -> Iterator[Table]:
    """The table, served."""
    command = (*ROLLBOOK, "serve", "--port", "0", "--no-browser")
    with subprocess.Popen(command, env=environment(table.folder), stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            (address,) = re.findall(r"http://[\d.]+:\d+", server.stdout.readline())
            table.settings(address)
            yield table
        finally:
            server.terminate()


@asynccontextmanager
async def running(table: Table) -> AsyncIterator[Bot]:
    """A bot that runs by the settings."""
    settings = Settings.read(table.path)
    bot = Bot(settings, table.folder / "notes.json")
    started = asyncio.create_task(bot.start(settings.tokens["bot"]))
    try:
        await until(lambda: started.done() or (bot.notes.exists()))
        if started.done():
            started.result()
        yield bot
    finally:
        await bot.close()
        await asyncio.wait([started])


def play(table: Table, monkeypatch: pytest.MonkeyPatch, what: Play) -> Discord:
    """Something is done on Discord while the bot runs. Returns what Discord was told."""

    async def all_of_it() -> Discord:
        here = Discord()
        async with here.served(monkeypatch), running(table):
            await what(here, table)
        return here

    return asyncio.run(all_of_it())


def read(table: Table) -> rollbook.Campaign:
    """The campaign with what others have recorded."""
    table.campaign.refresh()
    return table.campaign


def test_the_commands_are_those_of_the_readme(served: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(here: Discord, _: Table) -> None:
        await until(lambda: here.socket)

    here = play(served, monkeypatch, nothing)
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    offered = [f"/{each['name']} {' '.join(option['name'] for option in each['options'])}" for each in here.commands]
    assert offered == re.findall(r"^\| `(/.*?)` \|", readme, re.MULTILINE)


def test_a_roll_is_answered_to_the_player_alone_and_read_by_everybody_in_the_thread(
    served: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def roll(here: Discord, table: Table) -> None:
        said = await here.command(MIRA, "roll", dice="2d6+3", faces="4, 2")
        assert "Mira rolls 2d6+3: 9" in said
        await until(lambda: here.thread)
        assert here.thread == [said]
        assert "stands alone" not in await here.command(MIRA, "roll", dice="1d20")
        await until(lambda: len(here.thread) == 2)

    play(served, monkeypatch, roll)
    assert [line.seat for line in served.campaign.log()[-2:]] == ["Mira", "Mira"]


def test_an_attack_takes_what_the_game_asks_for(served: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def attack(here: Discord, _: Table) -> None:
        assert await here.suggestions(MIRA, "attack", "target", "gu") == [{"name": "Guard", "value": "guard"}]
        said = await here.command(MIRA, "attack", who="robin", target="guard", how="longbow distance=40", faces="18 4")
        assert "29 against 12: hit; Guard −15 HP ✓" in said
        assert "There is no parameter called 'distnce'" in await here.command(
            MIRA, "attack", who="robin", target="guard", how="longbow distnce=40"
        )
        assert "There is no" in await here.command(MIRA, "attack", who="robin", target="nobody", how="longbow")
        assert await here.command(MIRA, "attack", who="robin", target="guard", how='"longbow') == (
            "A quotation mark is not closed."
        )
        assert "real dice" in await here.command(MIRA, "roll", dice="1d6", faces="high")

    play(served, monkeypatch, attack)
    assert read(served).sheet("guard").value("hp").amount == 25


def test_an_undo_is_looked_at_and_then_applied_or_left(served: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def undo(here: Discord, table: Table) -> None:
        assert "Which action?" in await here.command(MIRA, "undo", why="so")
        await here.command(MIRA, "attack", who="robin", target="guard", how="longbow distance=40", faces="18 4")
        looked = await here.command(MIRA, "undo", why="the wrong guard")
        assert "Undo `#8`" in looked and "1 undone" in looked
        assert "Guard, Hit points: 25 of 40 → 40 of 40" in looked
        assert await here.press(MIRA, "Leave it") == "Nothing was changed."
        assert here.buttons() == {} and table.campaign.log()[-1].status == "counts"

        await here.command(MIRA, "undo", why="the wrong guard")
        assert await here.press(MIRA, "Apply") == OUTCOMES["sent"]
        await until(lambda: any("undo" in each for each in here.thread))
        assert here.thread[-1] == "↩ Mira: undo `#8` the wrong guard"
        assert here.buttons() == {}

    play(served, monkeypatch, undo)
    assert served.campaign.log()[-1].reason == "the wrong guard"
    assert read(served).sheet("guard").value("hp").amount == 40


def test_what_is_applied_is_what_was_shown(served: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def undo(here: Discord, table: Table) -> None:
        await here.command(ANA, "attack", who="robin", target="guard", how="longbow distance=40", faces="18 4")
        await here.command(ANA, "undo", why="slip", action=8)
        table.campaign.say("harm guard 3")
        assert "Somebody was faster" in await here.press(ANA, "Apply")
        assert table.campaign.log()[-1].verb == "harm"
        await here.command(ANA, "undo", why="slip", action=8)
        assert await here.press(ANA, "Apply") == OUTCOMES["applied"]

    play(served, monkeypatch, undo)
    assert served.campaign.log()[-1].status == "correction"


def test_nothing_secret_and_no_token_is_ever_told_to_discord(
    served: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def secrets(here: Discord, table: Table) -> None:
        table.campaign.do("note", text="zyxel", to="gm")
        table.campaign.do("roll", expression="1d20", secret=True)
        table.campaign.do("join", {"name": "Plugh", "kind": "npc", "hp": 9, "armour": "light"}, secret=True)
        table.campaign.do("whisper", {"to": "Mira", "text": "xyzzy"})
        table.campaign.do("note", text="It rains @everyone, *hard*.")
        await until(lambda: here.thread)
        assert len(here.thread) == 1 and r"It rains @everyone, \*hard\*." in here.thread[0]
        names = [each["name"] for each in await here.suggestions(MIRA, "attack", "target", "")]
        assert "Guard" in names and "Plugh" not in names
        assert "Plugh" in [each["name"] for each in await here.suggestions(ANA, "attack", "target", "")]
        assert "There is no" in await here.command(MIRA, "attack", who="robin", target="plugh", how="longbow")
        assert "no seat" in await here.command(STRANGER, "roll", dice="1d6")
        assert await here.suggestions(STRANGER, "attack", "who", "") == []

    here = play(served, monkeypatch, secrets)
    told = [(path, body) for _, path, body in here.said if "Plugh" not in str(body) or "/callback" not in path]
    assert not [each for each in told for word in ("zyxel", "Plugh", "xyzzy") if word in str(each)]
    everything = f"{here.said} {caplog.text} {Settings.read(served.path)}"
    assert not [whose for whose, token in served.tokens.items() if token in everything]
    sent = [body for method, path, body in here.said if path.endswith("/messages") or method == "PATCH"]
    assert sent and all(body["allowed_mentions"] == {"parse": []} for body in sent)


def test_the_same_interaction_twice_is_one_action(served: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def twice(here: Discord, _: Table) -> None:
        first = await here.command(MIRA, "roll", "777", dice="1d20")
        assert await here.command(MIRA, "roll", "777", dice="1d20") == first

    play(served, monkeypatch, twice)
    assert [line.verb for line in served.campaign.log()].count("roll") == 1


def test_what_happened_while_the_bot_was_away_is_posted_once(served: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def note(here: Discord, table: Table) -> None:
        table.campaign.do("note", text="One.")
        await until(lambda: here.thread)

    async def come_back(here: Discord, table: Table) -> None:
        await until(lambda: here.thread)
        table.campaign.do("note", text="Three.")
        await until(lambda: len(here.thread) == 2)

    first = play(served, monkeypatch, note)
    served.campaign.do("note", text="Two.")
    second = play(served, monkeypatch, come_back)
    assert [text.split()[-1] for text in first.thread + second.thread] == ["One.", "Two.", "Three."]
    assert not [path for _, path, _ in second.said if path.endswith("/threads")]


def test_what_discord_refuses_is_posted_later_and_nothing_twice(served: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(here: Discord, table: Table) -> None:
        here.refused = 2
        for text in ("One.", "Two.", "Three.", "Four."):
            table.campaign.do("note", text=text)
        await until(lambda: len(here.thread) >= 4)

    here = play(served, monkeypatch, fail)
    assert [text.split()[-1] for text in here.thread] == ["One.", "Two.", "Three.", "Four."]


def test_after_a_removal_of_words_nothing_is_posted_again(served: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def remove(here: Discord, table: Table) -> None:
        note = table.campaign.do("note", text="A private matter.")
        for number in range(120):
            table.campaign.do("note", text=f"Line {number}.")
        await until(lambda: len(here.thread) == 121)
        table.campaign.redact(note.action, why="private")
        table.campaign.do("note", text="Last.")
        await until(lambda: "Last." in here.thread[-1])

    here = play(served, monkeypatch, remove)
    assert len(here.thread) == 123 and sum("Line 7." in text for text in here.thread) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("mode", 0o644), "chmod 600"),
        (("http://127.0.0.1", "http://table.example"), "would travel openly"),
        (("$BOT_TOKEN", "$NO_SUCH_TOKEN"), r"missing: \$NO_SUCH_TOKEN"),
    ],
)
def test_settings_that_would_give_tokens_away_are_refused(table: Table, change: tuple[str, Any], said: str) -> None:
    old, new = change
    if old == "mode":
        table.path.chmod(new)
    else:
        table.path.write_text(table.path.read_text().replace(old, new))
    with pytest.raises(Refusal, match=said):
        Settings.read(table.path)


def test_a_thread_from_a_players_seat_is_refused(served: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    served.path.write_text(served.path.read_text().replace(served.tokens["thread"], served.tokens["mira"]))

    async def nothing(*_: object) -> None:
        raise AssertionError

    with pytest.raises(Refusal, match="Everybody reads the thread, and its token is Mira's"):
        play(served, monkeypatch, nothing)
