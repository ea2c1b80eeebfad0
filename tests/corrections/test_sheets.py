"""What a GM gets wrong besides actions is put right in every game: a number at creation, a forgotten bonus, a level.

Each goes into the action where it belongs; whatever came after it is played again, and nothing else is lost.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.registry import discover
from adapters.seeds import SeedKeeper
from adapters.storage.event_store import MemoryEventStore
from adapters.storage.read_model import ReadModel
from adapters.verb_line import parse, read_parameters, split_words
from domain.corrections import Adjustment, CorrectionOptions, Effect
from domain.entries import Entry, EntryKind, Intent, RecordedEntry
from domain.errors import Refused
from domain.events import CheckResolved, DamageTaken
from tests.support.casts import CASTS
from tests.support.games import INSTALLED_RULESETS

LEVEL_UPS = {
    "storytoken": ("award marian 2000 ! 5", "award marian 8000 ! 2 6 1"),
    "luckpoint": ("award rolf 200", "award rolf 900"),
    "russell": ("award aldo 2500", "downtime aldo --weeks 2", "level-up aldo ! 5"),
}
"""How somebody rises in the games that have levels; in powers and grid experience raises nobody."""

GAMES = pytest.mark.parametrize("key", INSTALLED_RULESETS)


class CastCampaign:
    """A campaign of one game with its cast, and a session open."""

    def __init__(self, key: str, folder: Path) -> None:
        self.cast = CASTS[key]
        book = Book(MemoryEventStore(), ReadModel(), SeedKeeper(folder), discover())
        self.campaign: Campaign = book.new("Session", key)
        self.hero, self.foe = self.take(self.cast.hero), self.take(self.cast.foe)
        self.take("open-session")

    def take(self, line: str) -> int:
        """A typed line; the number of the action."""
        verb, *said = split_words(line)
        campaign = self.campaign
        action = campaign.rulebook.verb(campaign.state, verb)
        spoken = parse(action, said)
        done = campaign.do(verb, read_parameters(action, spoken.given, campaign.state), dice=spoken.dice)
        return done.action

    def who(self, action: int) -> str:
        """Who came with a join."""
        return str(list(self.campaign.load_history().as_corrected_to(action).characters)[-1])

    def lines(self, who: str) -> dict[str, str]:
        """A sheet, line by line."""
        sheet = self.campaign.sheet(who)
        return {value.key: str(value) for value in sheet.values} | dict(sheet.words)

    def latest(self, action: int) -> RecordedEntry:
        """What counts for an action."""
        found = self.campaign.load_history().effective(action)
        assert found is not None
        return found


@pytest.fixture
def table(key: str, tmp_path: Path) -> CastCampaign:
    return CastCampaign(key, tmp_path)


@GAMES
def test_a_wrong_number_at_creation_is_put_right_where_it_was_made(table: CastCampaign) -> None:
    campaign, who = table.campaign, table.who(table.foe)
    table.take(f"adjust {who} hp -2 'fell'")
    hurt = table.lines(who)["hp"]
    hp = campaign.load_history().intent_of(table.foe).params["hp"]
    assert isinstance(hp, int)
    campaign.corrections.amend(table.foe, {"hp": hp + 5}, reason="misread").apply()
    assert table.lines(who)["hp"] == f"{hp + 3} of {hp + 5}"
    campaign.corrections.amend(table.foe, {"hp": hp}, reason="it was right").apply()
    assert table.lines(who)["hp"] == hurt == f"{hp - 2} of {hp}"


@GAMES
def test_hit_points_that_were_forgotten_join_the_action_where_they_belong(table: CastCampaign) -> None:
    campaign, who = table.campaign, table.who(table.hero)
    before = table.lines(who)
    scene = table.take("scene 'the road'")
    table.take(f"adjust {who} hp -1 'a scratch'")
    made = campaign.corrections.amend(scene, {}, reason="a trap", adjustments=[Adjustment(who=who, what="hp", by=-2)])
    made.apply()
    assert campaign.state.characters[who].lost == 3
    assert campaign.load_history().as_corrected_to(scene).characters[who].lost == 2
    thought = table.latest(scene).intent.second_thoughts[0]  # type: ignore[attr-defined]
    assert (thought.kind, thought.params) == ("adjust", {"what": "hp", "by": -2, "why": "a trap"})
    campaign.corrections.redo(scene, revision=1).apply()
    campaign.corrections.undo(scene + 1, reason="no scratch either").apply()
    assert table.lines(who) == before


@GAMES
def test_a_forgotten_bonus_turns_a_later_miss_into_a_hit(table: CastCampaign) -> None:
    campaign, cast = table.campaign, table.cast
    at = table.take("scene 'the bridge'")
    attack = table.take(cast.attack)
    assert _succeeded(table, attack) is False
    forgotten = Adjustment(who=cast.attacker, what=cast.number, by=1)
    made = campaign.corrections.amend(
        at, {}, reason="the blessing was forgotten", adjustments=[forgotten], options=CorrectionOptions(draw=True)
    )
    assert [one.action for one in made.of(Effect.CHANGED)] == [attack]
    made.apply()
    assert _succeeded(table, attack) is True
    assert [answer.verdict.name for answer in campaign.audit()][2] == "VERIFIED"
    campaign.corrections.amend(at, {}, reason="no blessing after all", unadjusted=True).apply()
    assert _succeeded(table, attack) is False


def _succeeded(table: CastCampaign, action: int) -> bool:
    checks = [event.success for event in table.latest(action).events if isinstance(event, CheckResolved)]
    return checks[0]


@pytest.mark.parametrize("key", LEVEL_UPS)
@pytest.mark.parametrize("way", range(2))
def test_a_level_is_undone_with_exactly_what_it_granted(
    table: CastCampaign, key: str, way: int, tmp_path: Path
) -> None:
    """Something else is gained in between, and kept: the sheet is that of a campaign in which the level never came."""
    never = CastCampaign(key, tmp_path / "never")
    who = table.who(table.hero)
    told = LEVEL_UPS[key] if key == "russell" else LEVEL_UPS[key][way : way + 1]
    risen = [table.take(line) for line in told][-1]
    assert campaign_level(table, who) > campaign_level(never, who)
    chosen = _choose_something(table, who, risen)
    for each in (table, never):
        if each is never and key == "russell":
            for line in told[:-1]:
                each.take(line)
        each.take(f"give {who} rope")
        each.take(f"adjust {who} hp -1 'a scratch'")
    made = table.campaign.corrections.undo(risen, reason="too early")
    assert {one.action for one in made.of(Effect.ORPHANED)} == set(chosen)
    made.apply()
    assert table.lines(who) == never.lines(who)
    assert table.campaign.state.characters[who] == never.campaign.state.characters[who]


def campaign_level(table: CastCampaign, who: str) -> int:
    return table.campaign.state.characters[who].level


def _choose_something(table: CastCampaign, who: str, risen: int) -> list[int]:
    """The first choice that the level has opened is made, if it has opened one."""
    before = table.campaign.load_history().state_before(risen).characters[who].choices
    opened = [choice for choice in table.campaign.state.characters[who].choices if choice not in before]
    if not opened:
        return []
    picked = table.campaign.state.characters[who].choices[opened[0]].keys[0]
    return [table.take(f"choose {who} {opened[0]} '{picked}'")]


@pytest.mark.parametrize(("key", "amount", "kept"), [("storytoken", 1_999, 1), ("luckpoint", 99, 1)])
def test_where_experience_alone_raises_an_amended_award_takes_the_level_and_leaves_the_rest(
    table: CastCampaign, amount: int, kept: int
) -> None:
    campaign, who = table.campaign, table.who(table.hero)
    award = table.take(LEVEL_UPS[campaign.state.ruleset][0])
    assert campaign_level(table, who) == kept + 1
    campaign.corrections.amend(award, {"amount": amount}, reason="the hoard was smaller").apply()
    assert (campaign_level(table, who), campaign.state.characters[who].experience) == (kept, amount)


@pytest.mark.parametrize("key", ["powers", "grid"])
def test_where_experience_raises_nobody_undoing_an_award_takes_the_experience_alone(table: CastCampaign) -> None:
    who = table.who(table.hero)
    before = table.campaign.state.characters[who]
    award = table.take(f"award {who} 3000")
    table.campaign.corrections.undo(award, reason="nothing was won").apply()
    assert table.campaign.state.characters[who] == before


@pytest.mark.parametrize("key", ["grid"])
def test_what_was_imported_is_adjusted_too_and_stands_as_it_was_told(table: CastCampaign) -> None:

    campaign, who = table.campaign, table.who(table.foe)
    number = campaign.head.actions + 1
    hurt = DamageTaken(character=who, amount=3, dealt=3)
    told = Entry(EntryKind.TAKEN, number, (hurt,), intent=Intent(verb="avrae"), provenance="imported", ruleset="grid")
    campaign.log.write(campaign.head, [told])
    wrong = Adjustment(who=who, what="hp", by=1)
    campaign.corrections.amend(number, {}, reason="it was 2", adjustments=[wrong]).apply()
    assert campaign.state.characters[who].lost == 2
    assert table.latest(number).provenance == "imported"
    with pytest.raises(Refused, match="--adjust"):
        campaign.corrections.amend(number, {"x": 1}, reason="no rules")
    campaign.corrections.undo(number, reason="never happened").apply()
    assert campaign.load_history().entries[-1].kind is EntryKind.UNDONE
    assert campaign.state.characters[who].lost == 0


@pytest.mark.parametrize("key", ["grid"])
def test_a_player_adjusts_nobody(table: CastCampaign) -> None:
    campaign, who = table.campaign, table.who(table.hero)
    table.take("take-seat Mira")
    note = campaign.do("note", {"text": "mine"}, seat="Mira").action
    with pytest.raises(Refused, match="Only the GM can adjust"):
        campaign.corrections.amend(
            note,
            {},
            reason="x",
            options=CorrectionOptions(seat="Mira"),
            adjustments=[Adjustment(who=who, what="hp", by=9)],
        )
