"""The bot: commands of those with a seat, and a thread with the log.

A command is answered to who gave it alone, because the answer may be for that seat only. The thread is for everybody: it is
written from a spectator's seat.
"""

from __future__ import annotations

import asyncio
import json
import logging
import shlex
import sys
import time
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import discord
from aiohttp import ClientSession, ClientTimeout, DummyCookieJar
from discord import Interaction, app_commands
from discord.utils import escape_markdown

from rollbook_discord.table import Refusal, Settings, Table

LOG = logging.getLogger(__name__)
LONGEST = 2_000
"""Characters of a message."""
OUTCOMES = {
    "applied": "It is undone.",
    "sent": "It is sent off: what is yours alone is undone, and for the rest the GM is asked.",
}


class Bot(discord.Client):
    """A client that knows whose seat is whose, and by a file how far the log is in which thread."""

    def __init__(self, settings: Settings, notes: Path) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none())
        self.settings, self.notes = settings, notes
        self.last: dict[int, int] = {}
        """The last action of each user here."""
        self.tree = app_commands.CommandTree(self)
        self.following: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Offer the commands, and begin to follow the table. Raises Refusal if the thread would not be for everybody."""
        self.to_table = ClientSession(cookie_jar=DummyCookieJar(), timeout=ClientTimeout(total=20))
        about = await self.table("thread").ask("")
        if about["role"] != "spectator":
            raise Refusal(
                f"Everybody reads the thread, and its token is {about['seat']}'s: take one of a spectator's seat."
            )
        guild = discord.Object(self.settings.guild)
        self.tree.add_command(roll, guild=guild)
        self.tree.add_command(attack, guild=guild)
        self.tree.add_command(undo, guild=guild)
        await self.tree.sync(guild=guild)
        self.following = asyncio.create_task(self.follow(about["name"], about["cursor"]))

    async def close(self) -> None:
        """Leave Discord and the table."""
        if self.following:
            self.following.cancel()
        await super().close()
        await self.to_table.close()

    def table(self, whose: object) -> Table:
        """The table as a user sees it, or everybody in the thread. Raises Refusal for a user without a seat."""
        if (token := self.settings.tokens.get(str(whose))) is None:
            raise Refusal("You have no seat at this table. The GM can give you one, and who runs the bot can tell it.")
        return Table(self.to_table, self.settings.table, token)

    async def follow(self, name: str, cursor: str) -> None:
        """Post every line of the log that is new, now and whenever a bell rings. What fails is tried again."""
        while True:
            try:
                if not self.notes.exists():
                    channel: Any = await self.fetch_channel(self.settings.channel)
                    thread = await channel.create_thread(name=name[:100], type=discord.ChannelType.public_thread)
                    known = {"thread": thread.id, "cursor": cursor, "entry": 0, "since": 0}
                    self.notes.write_text(json.dumps({**known, "at": time.time_ns() // 1_000}))
                async for _ in self.table("thread").bells(await self.post_news()):
                    await self.post_news()
            except (Refusal, discord.HTTPException) as fault:
                LOG.warning("The thread has to wait: %s", fault)
            await asyncio.sleep(5)

    async def post_news(self) -> str:
        """Post what is new after the cursor, and note the next one, which is returned."""
        table, known, more = self.table("thread"), json.loads(self.notes.read_text()), True
        thread = self.get_partial_messageable(known["thread"])
        while more:
            news = await table.ask(f"/log?after={known['cursor']}")
            if news["reset"]:  # words were removed, or something was revealed: the log is told from its beginning
                known |= {"entry": 0, "since": known["at"]}
            for line in news["lines"]:
                if line["entry"] > known["entry"] and line["at"] > known["since"]:
                    await thread.send(line_text(line)[:LONGEST], suppress_embeds=True)
                    known |= {"entry": line["entry"], "at": line["at"]}
                    self.notes.write_text(json.dumps(known))
            known["cursor"], more = news["cursor"], news["more"]
            self.notes.write_text(json.dumps(known))
        return str(known["cursor"])


def plain(text: str) -> str:
    """A text on one line, without formatting."""
    return escape_markdown(" ".join(text.split()))


def line_text(line: Any) -> str:
    """A line of the log, with its dice below it in small; of a correction, what it does to which action."""
    if line["status"] == "correction":
        return f"↩ {plain(line['who'])}: {line['verb']} `#{line['action']}` {plain(line['reason'])}"
    mark, dice = {1: " ✓", -1: " ✗"}.get(line["success"], ""), f"\n-# {plain(line['dice'])}" if line["dice"] else ""
    return f"`#{line['action']}` {plain(line['sentence'])}{mark}{dice}"


def preview_text(preview: Any) -> str:
    """A preview: how many actions come to what, and what changes on sheets."""
    tally = " · ".join(f"{each['count']} {each['words']}" for each in preview["page"]["tally"])
    changes = ((name, change) for name, found in preview["page"]["sheets"] for change in found)
    sheets = (
        f"{plain(name)}, {plain(one['label'])}: {plain(one['before'])} → {plain(one['after'])}" for name, one in changes
    )
    return "\n".join([f"Undo `#{preview['action']}` {plain(preview['what'])}?", tally, *sheets])[:LONGEST]


async def answer(interaction: Interaction[Bot], made: Coroutine[Any, Any, dict[str, Any]]) -> None:
    """Show the person alone what came of it, or why nothing did."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    try:
        message = await made
    except Refusal as no:
        message = {"content": plain(str(no))}
    await interaction.edit_original_response(**message)


async def take(interaction: Interaction[Bot], verb: str, params: dict[str, str], faces: str) -> dict[str, Any]:
    """Take an action from the user's seat, once for each interaction. Raises Refusal."""
    table, dice = interaction.client.table(interaction.user.id), faces.replace(",", " ").split()
    if not all(map(str.isdecimal, dice)):
        raise Refusal("Faces are what real dice show, as 14 3.")
    body = {"verb": verb, "params": params, "dice": list(map(int, dice))}
    made = await table.ask("/act", body, f"discord-{interaction.id}")
    said = [line_text(made["line"])] if made["line"] else []
    if made["line"]:
        interaction.client.last[interaction.user.id] = made["line"]["action"]
    return {"content": "\n".join([*said, *map(plain, made["remarks"] + made["warnings"])])[:LONGEST] or "Done."}


async def take_attack(interaction: Interaction[Bot], who: str, target: str, how: str, faces: str) -> dict[str, Any]:
    """Attack with words in the order of the game's own parameters, or with their names: ``distance=40``."""
    try:
        words = shlex.split(how)
    except ValueError:
        raise Refusal("A quotation mark is not closed.") from None
    found = await interaction.client.table(interaction.user.id).ask("/verbs")
    order = [each["name"] for verb in found["verbs"] if verb["verb"] == "attack" for each in verb["parameters"]]
    in_order = [who, target, *(word for word in words if "=" not in word)]
    named = dict(word.split("=", 1) for word in words if "=" in word)
    return await take(interaction, "attack", dict(zip(order, in_order, strict=False)) | named, faces)


@app_commands.command(description="Roll dice")
@app_commands.describe(dice="what is rolled, as 2d6+3", faces="what real dice show, if you rolled some: 4 2")
async def roll(interaction: Interaction[Bot], dice: str, faces: str = "") -> None:
    """Roll dice of the session, or real ones."""
    await answer(interaction, take(interaction, "roll", {"expression": dice}, faces))


@app_commands.command(description="Strike at somebody")
@app_commands.describe(who="who strikes", target="at whom", how="what else the game asks, as: longbow distance=40")
async def attack(interaction: Interaction[Bot], who: str, target: str, how: str = "", faces: str = "") -> None:
    """Attack by the game that is played."""
    await answer(interaction, take_attack(interaction, who, target, how, faces))


@attack.autocomplete("who")
@attack.autocomplete("target")
async def names(interaction: Interaction[Bot], typed: str) -> list[app_commands.Choice[str]]:
    """The characters here whom the seat knows of, as far as they are called like that."""
    with suppress(Refusal):
        found = await interaction.client.table(interaction.user.id).ask("/sheets")
        here = [each for each in found["characters"] if each["is_present"] and typed.lower() in each["name"].lower()]
        return [app_commands.Choice(name=each["name"][:100], value=each["character"]) for each in here[:25]]
    return []


@app_commands.command(description="Undo an action, after a look at what would change")
@app_commands.describe(why="the reason, which is kept", action="its number, #12; without it your last one here")
async def undo(interaction: Interaction[Bot], why: str, action: int = 0) -> None:
    """Preview an undo, with a button that does exactly that."""
    await answer(interaction, look(interaction, action or interaction.client.last.get(interaction.user.id, 0), why))


async def look(interaction: Interaction[Bot], action: int, why: str) -> dict[str, Any]:
    """The preview with its buttons. Raises Refusal."""
    table = interaction.client.table(interaction.user.id)
    if not action:
        raise Refusal("Which action? Its number stands before it in the log.")
    preview = await table.undoing(action)
    return {"content": preview_text(preview), "view": Decision(interaction, table, preview["preview"], why)}


class Decision(discord.ui.View):
    """The buttons under a preview, which only who asked for it can see; they are there for ten minutes."""

    def __init__(self, asked: Interaction[Bot], table: Table, preview: str, why: str) -> None:
        super().__init__(timeout=600)
        self.asked, self.table, self.preview, self.why = asked, table, preview, why

    async def end(self, text: str) -> None:
        """Say what came of it in the place of the preview, without buttons."""
        self.stop()
        await self.asked.edit_original_response(content=text[:LONGEST], view=None)

    @discord.ui.button(label="Apply", style=discord.ButtonStyle.danger)
    async def apply(self, interaction: Interaction, _: discord.ui.Button[Decision]) -> None:
        """Do what was shown, if nothing came first."""
        await interaction.response.defer()
        try:
            made = await self.table.ask(
                f"/previews/{self.preview}/apply", {"reason": self.why}, f"discord-{self.asked.id}"
            )
        except Refusal as no:
            await self.end(plain(str(no)))
        else:
            await self.end("\n".join([OUTCOMES[made["outcome"]], *map(plain, made["warnings"])]))

    @discord.ui.button(label="Leave it")
    async def leave(self, interaction: Interaction, _: discord.ui.Button[Decision]) -> None:
        """Change nothing."""
        await interaction.response.defer()
        await self.on_timeout()

    async def on_timeout(self) -> None:
        """Take the buttons away."""
        await self.end("Nothing was changed.")


def main() -> None:
    """Run the bot by the settings in a file."""
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "table.toml")
    try:
        settings = Settings.read(path)
        Bot(settings, path.with_suffix(".notes.json")).run(settings.tokens["bot"])
    except Refusal as no:
        sys.exit(str(no))
