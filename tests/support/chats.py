"""Sessions in other programs' chats, each as the file that the program saves."""

from __future__ import annotations

import gzip
import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rollbook.adapters.imports import find_importer
from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.application.book import Book
from rollbook.domain.events import DiceRolled

COPIED = """Nell
 — 11/03/2023 20:02
!i begin
Avrae
APP
 — 11/03/2023 20:02
Everyone roll for initiative!
Initiative 17 (round 1): Brannoc (@Tom 🎲)
Brannoc <31/31 HP> (AC 16)
Tom 🎲 — 11/03/2023 20:04
!a axe -t ghoul
I shout at it
Avrae
APP
 — 11/03/2023 20:04
Brannoc attacks with a Handaxe!
Ghoul
To Hit: 2d20kh1 (16, 4) + 5 = 21
Damage: 1d6 (3) + 3 [slashing] = 6
Ghoul: <Injured>
Ghoul attacks with Claws!
Brannoc
To Hit: 1d20 (2) + 4 = 6
Miss!
@Tom 🎲 :game_die:
Result: 1d20 (11) + 2
Total: 13
Nell — 14/03/2023 19:30
[19:31] the barrow is open (edited)
"""
"""A channel as copied out of the client: the hours count to 24, so the day comes first."""


def inline(title: str, total: str) -> str:
    """A roll within words, with its title."""
    return f'<span class="inlinerollresult" title="Rolling {title}">{total}</span>'


def message(id_: str, by: str, *parts: str, at: str = "", kind: str = "general", player: str = "") -> str:
    """A message of Roll20's."""
    stamp = f'<span class="tstamp">{at}</span>' if at else ""
    name = f'<span class="by">{by}:</span>' if by else ""
    given = f'data-messageid="{id_}"' + (f' data-playerid="{player}"' if player else "")
    return f'<div class="message {kind}" {given}><div class="spacer"></div>{stamp}{name}{"".join(parts)}</div>\n'


def thrown(formula: str, total: int, *dice: tuple[str, int]) -> str:
    """The roll of an order, with the classes of its dice."""
    shown = "+".join(f'<div class="diceroll {kind}"><div class="didroll">{face}</div></div>' for kind, face in dice)
    grouped = f'<div class="formula formattedformula"><div class="dicegrouping">({shown})</div></div>'
    return f'<div class="formula">rolling {formula}</div>{grouped}<strong>=</strong><div class="rolled">{total}</div>'


SPAN = "&lt;span class=&quot;basicdiceroll&quot;&gt;4&lt;/span&gt;"
ROLL20 = (
    '<html><head><script>if (a<b) { x = "<div class=\'message\'>" }</script></head><body><div class="content">\n'
    + message("-N1", "Ines (GM)", "The <b>ferry</b> lands.", at="May 6, 2022 7:40PM", kind="general you")
    + message(
        "-N2", "Corvo ✨", thrown("2d20kh1+3", 18, ("d20 dropped", 6), ("d20", 15)), at="May 6, 2022 7:41PM",
        kind="rollresult", player="P2",
    )
    + message(
        "-N3", "", '<div class="sheet-rolltemplate-dmg"><span class="sheet-charname">Corvo ✨</span> ',
        inline(f"1d6 + 3[DEX] = ({SPAN})+3", "7"), " piercing, ", inline("2+2 = 2+2", "4"), "</div>",
    )
    + message("-N4", "(From Corvo ✨)", "I palm the ring", kind="private whisper")
    + message("-N5", "(To Mika)", "you see him do it", kind="private whisper you")
    + message("-N6", "Ines (GM)", thrown("1d20", 9, ("d20", 9)), kind="rollresult private you", player="P1")
    + message("-N7", "", "Corvo ✨ whistles", kind="emote")
    + message("-N8", "\u200fמיכל", inline("4dF = (+,0,-,+)", "1"), at="7:55PM")
    + message("-N9", "Mika", "sorry, late", at="May 8, 2022 7:00PM")
    + "</div></body></html>\n"
)  # fmt: skip
"""A saved page, as the GM saw it."""

FANTASY_GROUNDS = """<br />
<a name="2024-02-02" /><b>Session started at 2024-02-02 / 19:05</b>
<br />
<font color="#660066">Wen: [SAVE] Wisdom [PROF] (vs. DC 14) [FAILURE]</font> [1d20+3 = 9]<br />
<font color="#660066">Marsh Rat 2: [ATTACK (M)] Bite</font> [1d20+4 = 17]<br />
<font color="#660066">Marsh Rat 2: [DAMAGE (M)] Bite [TYPE: piercing (1d4+2=5)]</font> [1d4+2 = 5]<br />
<font color="#660066">[GM] Marsh Rat 3: [SKILL] Stealth</font> [1d20+2 = 19]<br />
<font color="#261A12">Wen: Into the reeds &amp; down!</font><br />
<font color="#261A12">[w] Wen: can I still see it?</font><br />
<font color="#660066">Ottoline: </font> [2d6+g4 = 11]<br />
<font color="#660066">Ottoline: [DAMAGE] lost [1d6+2 = ?]</font><br />
<a name="2024-02-09" /><b>Session started at 2024-02-09 / 19:00</b><br />
<font color="#660066">Wen: [INIT] </font> [1d20+2 = 14]<br />
"""
FILES = {
    "discord": ("channel.txt", COPIED), "roll20": ("archive.html", ROLL20), "fantasygrounds": ("chatlog.html", FANTASY_GROUNDS),
}  # fmt: skip


def embed(title: str, description: str = "", footer: str = "", **fields: str) -> dict[str, Any]:
    """An answer of the bot's, in which each field is about somebody."""
    named = [{"name": about, "value": value, "isInline": False} for about, value in fields.items()]
    return {"title": title, "description": description, "fields": named, "footer": {"text": footer}}


def said(number: int, author: str, text: str = "", *embeds: dict[str, Any], **more: object) -> dict[str, Any]:
    """A message of an export, one a minute."""
    who = {"id": f"id-{author}", "name": author.casefold(), "nickname": author, "isBot": author == "Avrae"}
    at = f"2023-05-0{1 + number // 60}T18:{number % 60:02}:00.5+00:00"
    return {
        "id": str(number),
        "timestamp": at,
        "content": text,
        "author": who,
        "embeds": [*embeds],
        "mentions": [],
        **more,
    }


SESSION = (
    said(1, "Nell", "!init begin"),
    said(2, "Avrae", "**Initiative 12 (round 1)**: Brannoc (<@id-Tom>)\n```md\nBrannoc <31/31 HP>```"),
    said(3, "Tom", "!a axe -t gh"),
    said(4, "Avrae", "", embed(
        "Brannoc attacks with a Handaxe!", footer="Ghoul: <Dead>",
        Ghoul="**To Hit**: 2d20kh1 (~~4~~, **20**) + 5 = `25`\n**Damage**: 1d6 (3) + 3 [slashing] = `6`",
    )),
    said(5, "Nell", "!i cast fear"),
    said(6, "Avrae", "", embed(
        "Ghoul casts Fear!", Meta="**DC**: 13", Brannoc="**WIS Save**: 1d20 (9) + 1 = `10`; Failure!",
        Effect="*Hit:* 6 (1d6 + 3) damage.",
    )),
    said(7, "Tom", "brb 🍵"),
)  # fmt: skip


def exported(*messages: dict[str, Any], kind: str = "GuildTextChat") -> str:
    """An export of DiscordChatExporter's."""
    whole = {
        "guild": {"id": "1", "name": "Barrow"},
        "channel": {"id": "2", "type": kind, "name": "table"},
        "messages": messages,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False)


def exported_recording(path: Path) -> tuple[str, int]:
    """The messages of a recording as an export, and the number of results that the bot shows in them."""
    found: dict[str, dict[str, Any]] = {}
    shown: dict[str, int] = {}
    for line in gzip.decompress(path.read_bytes()).splitlines():
        one = json.loads(line)
        if one["event_type"] in ("message", "command"):
            at = datetime.fromtimestamp(one["created_at"], UTC).isoformat()
            who = {"id": one["author_id"], "name": one["author_name"], "isBot": one["author_bot"]}
            id_ = str(one["message_id"])
            found[id_] = {"id": id_, "timestamp": at, "content": one["content"], "author": who, "embeds": one["embeds"]}
            texts = [str(embed.get("description")) for embed in one["embeds"]] + [one["content"]]
            texts += [field["value"] for embed in one["embeds"] for field in embed.get("fields", ())]
            shown[id_] = one["author_bot"] and sum(len(re.findall(r"= `-?[0-9]+`", text)) for text in texts)
    return exported(*sorted(found.values(), key=lambda one: str(one["timestamp"]))), sum(shown.values())


def take_in(book: Book, importer: str, path: Path, text: str, name: str = "old") -> tuple[str, ...]:
    """Import a file with this text; the sentences about it."""
    path.write_text(text, encoding="utf-8")
    imported = find_importer(importer)(path, name, known=lambda campaign: known_of(book, campaign))
    record_import(book, imported, name)
    return (*imported.found, *imported.warnings)


def rolls_of(book: Book, name: str = "old") -> list[DiceRolled]:
    """The rolls of a campaign."""
    entries = book.campaign(name).session.log.entries()
    return [event for entry in entries for event in entry.events if isinstance(event, DiceRolled)]


def samples() -> Path | None:
    """The folder with samples in the shapes of real files; None where it is not here."""
    shared = os.environ.get("ROLLBOOK_SHARED") or Path(__file__).resolve().parents[3] / "shared"
    found = Path(shared) / "data" / "strangers" / "sources"
    return found if found.is_dir() else None
