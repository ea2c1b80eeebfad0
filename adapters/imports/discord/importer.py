"""Importer of a Discord channel as the actions of a campaign: what people said, and what the Avrae bot rolled.

A roll belongs to the player of the character: the tracker's line for a turn names both, and so does the order that the
bot answered. What belongs to nobody else is the GM's, who began the combat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from rollbook.adapters.imports import Imported, Known, nothing_known
from rollbook.adapters.imports.bounded import Source, first_lines
from rollbook.adapters.imports.chats.importer import import_chat
from rollbook.adapters.imports.chats.messages import BOUNDS, GM, UNREAD, Chat, Clock, Message, lines_of
from rollbook.adapters.imports.chats.rolls import MOST_DICE
from rollbook.adapters.imports.discord.cards import LONGEST, SHOWS_ROLL, Card, bare
from rollbook.adapters.imports.discord.copied import HEADER, Copied, read_copied
from rollbook.adapters.imports.discord.exported import Exported, read_exported
from rollbook.adapters.imports.foundry.values import name, words

__all__ = ["read_discord", "recognises"]

TURN = re.compile(
    r"Initiative -?[0-9]+(?:\.[0-9]+)? \(round [0-9]+\): (?P<who>.{1,80}?) \((?P<player><?@!?[^()]{1,100}?>?)\)"
)
"""The tracker's line for a turn, with the character and who plays it."""
ROLLED = re.compile(r"^<?@!?(?P<player>[^<>]{1,100})>?\s*(?::game_die:|🎲)")
BEGINS = re.compile(r"^!(?:i|init|initiative)\s+begin\b", re.IGNORECASE)
LEADS = re.compile(r"^!(?:i|init|initiative)\s+(?:begin|madd)\b", re.IGNORECASE)
ORDER = re.compile(r"^[!/]\w")
LOOKED_AT = 400
"""Lines in which a copied channel shows a name with a time."""


def read_discord(path: Path, name: str = "", known: Callable[[str], Known] = nothing_known) -> Imported:
    """Import a channel as a campaign, or its new messages into a campaign that was made from it.

    Raises NotFound, or RollbookError for a file that is no channel of Discord's.
    """
    return import_chat(path, name, known, _read)


def recognises(path: Path) -> bool:
    """True if a file seems to be a channel, copied or exported."""
    first = [line.decode("utf-8-sig", "replace").strip() for line in first_lines(path, LOOKED_AT, BOUNDS)]
    if _is_json(first):
        return any('"guild"' in line for line in first[:3])
    return any(HEADER.match(line) for line in first)


def _is_json(lines: list[str]) -> bool:
    return bool(lines) and lines[0].lstrip().startswith("{")


def _read(source: Source, clock: Clock) -> Chat:
    lines = lines_of(source)
    if _is_json(lines):
        exported, is_private = read_exported(source, lines, clock.zone)
        return _Channel().exported(exported, is_private=is_private)
    copied, has_no_day = read_copied(source, lines, clock)
    return _Channel().copied(copied, f"{clock.saved:%Y-%m-%d}" if has_no_day else "")


class _Channel:
    """A channel while its messages are read."""

    def __init__(self) -> None:
        self.chat = Chat(messages=(), people={})
        self.people: dict[str, str] = {}
        self.plays: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.order = ""

    def copied(self, said: list[Copied], day: str) -> Chat:
        """A copied channel. People are known by their names."""
        self.people = {f"name {one.who}": one.who for one in said if not one.is_bot}
        self.names = {one.who: f"name {one.who}" for one in said if not one.is_bot}
        self._turns("\n".join(one.said) for one in said if one.is_bot)
        gm = self._gm((f"name {one.who}", one.said[0]) for one in said if not one.is_bot)
        messages = tuple(self._copied(one, gm) for one in said)
        noted = (f"Times without a day are taken as of the day on which the file was saved, {day}.",) if day else ()
        return self._chat(messages, gm, noted)

    def _copied(self, one: Copied, gm: str) -> Message:
        text = "\n".join(one.said)
        id_ = f"{one.stamp} {one.who} {text}"
        if one.is_bot:
            return self._answer(one.line, id_, one.at, (((("", one.said),)),), gm)
        person = f"name {one.who}"
        return self._spoken(one.line, id_, one.at, person, text)

    def exported(self, said: list[Exported], *, is_private: bool) -> Chat:
        """An exported channel. People are known by their ids."""
        self.people = {one.author: one.called for one in said if not one.is_bot and one.author}
        self.names = {called: id_ for one in said for called, id_ in one.mentions.items() if called}
        self.people |= {id_: called for called, id_ in self.names.items() if id_ not in self.people}
        self.names |= {called: key for key, called in self.people.items()} | {key: key for key in self.people}
        self._turns(one.text for one in said if one.is_bot)
        gm = self._gm((one.author, one.text) for one in said if not one.is_bot)
        messages = (self._exported(one, gm) for one in said)
        if is_private:
            others = {one.author for one in said if not one.is_bot} - {gm}
            to = others.pop() if len(others) == 1 else GM
            messages = (attrs.evolve(message, to=to) for message in messages)
        return self._chat(tuple(messages), gm, ())

    def _exported(self, one: Exported, gm: str) -> Message:
        if not one.is_bot:
            return self._spoken(one.line, one.id, one.at, one.author, one.text)
        self.order = one.asked_by or self.order
        parts = ((("", tuple(one.text.splitlines())),), *one.embeds)
        return self._answer(one.line, one.id, one.at, parts, gm)

    def _chat(self, messages: tuple[Message, ...], gm: str, said: tuple[str, ...]) -> Chat:
        return Chat(messages=messages, people=self.people, gm=gm, plays=self.plays, unread=self.chat.unread, said=said)

    def _turns(self, texts: Iterator[str]) -> None:
        """Note who plays whom, as the tracker says."""
        for text in texts:
            for found in TURN.finditer(bare(text)):
                self.plays.setdefault(name(found["who"]), self._person(found["player"]))

    def _person(self, mentioned: str) -> str:
        """The key of a mentioned person, who may have written nothing."""
        called = mentioned.strip("<@!> ")
        if called not in self.names:
            self.names[called] = f"name {called}"
            self.people[f"name {called}"] = called
        return self.names[called]

    def _gm(self, spoken: Iterator[tuple[str, str]]) -> str:
        """The key of the person who began a combat or brought its monsters, "" if nobody did."""
        orders = [*spoken]
        began = [person for person, text in orders if BEGINS.match(text)]
        return next(iter(began or [person for person, text in orders if LEADS.match(text)]), "")

    def _spoken(self, line: int, id_: str, at: int, person: str, text: str) -> Message:
        self.order = person if ORDER.match(text) else self.order
        card = Card()
        if SHOWS_ROLL.search(text[:LONGEST]) and not ORDER.match(text):
            card.read(text.splitlines())
            self._note(line, card)
        said = "\n".join(card.words) if card.rolls else text
        return Message(line=line, id=id_, at=at, person=person, rolls=tuple(card.rolls), words=words(said))

    def _answer(
        self, line: int, id_: str, at: int, embeds: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...], gm: str
    ) -> Message:
        """An answer of the bot's. It belongs to who plays the character, else to who gave the order, else to the GM."""
        card, person = Card(), ""
        for parts in embeds:
            for about, said in parts:
                if said and (found := ROLLED.match(bare(said[0]))):
                    person = self._person(found["player"])
                card.words += [name(about)] if about and about != "Meta" else []
                card.read(said, about)
        self._note(line, card)
        actor = card.actor if card.rolls else ""
        ordered, self.order = (self.order, "") if card.rolls else ("", self.order)
        person = person or self.plays.get(actor, "") or ordered
        if actor and person and person != gm:
            self.plays.setdefault(actor, person)
        said_ = words("\n".join(filter(None, card.words)))
        return Message(
            line=line, id=id_, at=at, person=person, actor=actor, rolls=tuple(card.rolls[:MOST_DICE]), words=said_
        )

    def _note(self, line: int, card: Card) -> None:
        for said in card.unread:
            self.chat.unread.add(UNREAD, f"line {line}, {said}")
