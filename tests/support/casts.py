"""Two characters of each ruleset, and an attack that misses by one."""

from __future__ import annotations

from pathlib import Path

import attrs

from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.event_store import EventStore
from tests.support.campaigns import memory_book
from tests.support.memory_store import MemoryEventStore


@attrs.frozen
class Cast:
    """The lines with which two characters join, an attack that misses by one, and the number that was one too low."""

    hero: str
    foe: str
    attack: str
    number: str

    @property
    def attacker(self) -> str:
        """The id of the attacker."""
        return self.attack.split()[1]


CASTS = {
    "storytoken": Cast(
        "join Marian --heritage human --roles thieving,wilderness,noble --scores 11,15,12,14,13,16 --hit-dice 4",
        "join Guard --kind npc --hp 40 --armour light --stats to_hit=3",
        "attack guard marian light ! 7",
        "to_hit",
    ),
    "luckpoint": Cast(
        "join Rolf --abilities 2,2,2,0,0,0 --skills maneuvers",
        "join Hound --kind monster --hp 6 --stats to_hit=3,damage=1",
        "attack hound rolf unarmed ! 8",
        "to_hit",
    ),
    "powers": Cast(
        "join Ada 20 --defense 14 --stats strength=3,initiative=2,wis=1 --powers sweep",
        "join Wolf 8 --kind monster --defense 12",
        "attack ada wolf sweep ! 8",
        "str",
    ),
    "russell": Cast(
        "join Aldo --scores 13,12,9,11,10,14 --templates sellsword --hit-dice 5 --armour chain --shield --weapon melee",
        "join Ogre --kind monster --profile 'Mv 9 WS 5 HD 4 AC 5 Att 2' --hp 15",
        "attack ogre aldo melee ! 10",
        "weapon_skill",
    ),
    "grid": Cast(
        "join Tamsin --class-name rogue --weapon sword --off-hand dagger --armour leather --at 0,0",
        "join Wolf --kind monster --hp 11 --ac 13 --attack 3 --speed 40 --at 1,0",
        "attack wolf tamsin ! 10",
        "attack",
    ),
    "srd5": Cast(
        "join Kara --class-name fighter --scores 16,14,14,10,12,8 --weapons longsword --armour chain-mail --skills athletics",
        "join Wolf --kind monster --hp 11 --ac 13 --scores 10,10,10,10,10,10",
        "attack wolf kara ! 13",
        "to_hit",
    ),
}


def book_of_games(folder: Path, store: EventStore | None = None) -> Book:
    """A book with all games; its store is in memory if there is no other."""
    return book_of(store or MemoryEventStore(), SQLiteReadModel(), SeedKeeper(folder / "seeds"), discover())


class CastCampaign:
    """A campaign of one game with its cast, and a session open."""

    def __init__(self, key: str, book: Book) -> None:
        self.cast = CASTS[key]
        self.campaign = book.new("Two at odds", key)
        self.hero, self.foe = self.take(self.cast.hero), self.take(self.cast.foe)
        self.take("open-session")

    def take(self, line: str) -> int:
        """A typed line; the number of the action."""
        entry = self.campaign.say(line).entry
        assert entry is not None
        return entry.action

    def who(self, action: int) -> str:
        """The character who came with a join."""
        return list(self.campaign.history.as_corrected_to(action).characters)[-1]

    def lines(self, who: str) -> dict[str, str]:
        """A sheet, line by line."""
        sheet = self.campaign.sheet(who)
        return {value.key: str(value) for value in sheet.values} | dict(sheet.words)

    def latest(self, action: int) -> RecordedEntry:
        """The entry that counts for an action."""
        found = self.campaign.history.effective(action)
        assert found is not None
        return found


def campaign_of(game: str, folder: Path) -> Campaign:
    """A campaign of a game in memory, with a GM."""
    campaign = memory_book(folder, ruleset=discover().ruleset(game)).new("Woods", game)
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    return campaign
