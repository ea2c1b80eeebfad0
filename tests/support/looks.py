"""Looks of an action at its table, and what is noted of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rollbook.domain import events
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Intent
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import fold
from rollbook.domain.state.reads import FEW
from tests.support.toy import TOY
from tests.support.toy_verbs import Worry

CAMPAIGN = fold(
    EMPTY,
    [
        events.RulesetAdopted(ruleset="toy", version="1", settings={"strict": True}),
        events.SeatTaken(seat="Ana", role=events.Role.GM, number=0),
        *(events.CharacterJoined(character=who, name=who.title()) for who in ("robin", "marian")),
        events.PoolGained(holder="robin", pool="tokens", amount=2),
        events.StatChanged(character="robin", stat="dex", amount=3),
        events.ConditionBegan(character="robin", condition="prone"),
        events.EncounterBegan(title="a brawl"),
        events.TurnBegan(character="robin"),
        events.TimePassed(seconds=60, activity="rest"),
    ],
)
"""Two in a brawl, with a little of everything that can be looked at."""

LOOKS: Mapping[str, tuple[Callable[[Table], object], set[str]]] = {
    "nothing of a character": (lambda t: t.character("robin"), {"@robin.who"}),
    "a number": (lambda t: t.character("robin").lost, {"@robin.lost,who"}),
    "whether a number is reached": (lambda t: t.character("robin").has_lost(14), {"@robin.lost.14,who"}),
    "whether a number below 0 is reached": (lambda t: t.character("robin").has_lost(-3), {"@robin.lost.-3,who"}),
    "whether two are reached, and the number": (
        lambda t: [t.character("robin").has_lost(2), t.character("robin").has_lost(5), t.character("robin").lost],
        {"@robin.lost,who"},
    ),
    "whether many numbers are reached": (
        lambda t: [t.character("robin").has_lost(each) for each in range(FEW + 1)],
        {"@robin.lost,who"},
    ),
    "who it is": (lambda t: (t.character("robin").name, t.character("robin").hidden), {"@robin.who"}),
    "an entry": (lambda t: t.character("robin").pools["tokens"], {"@robin.pools.tokens,who"}),
    "an entry by get": (lambda t: t.character("robin").pools.get("luck", 0), {"@robin.pools.luck,who"}),
    "whether there is an entry": (lambda t: "luck" in t.character("robin").pools, {"@robin.pools.luck,who"}),
    "a condition": (lambda t: t.character("robin").has("prone"), {"@robin.conditions.prone,who"}),
    "all entries": (lambda t: list(t.character("robin").pools), {"@robin.pools,who"}),
    "how many entries": (lambda t: len(t.character("robin").pools), {"@robin.pools,who"}),
    "whether there are any": (lambda t: bool(t.character("robin").stats), {"@robin.stats,who"}),
    "all values": (lambda t: sum(t.character("robin").stats.values()), {"@robin.stats,who"}),
    "a copy": (lambda t: {**t.character("robin").stats}, {"@robin.stats,who"}),
    "whether mappings are equal": (lambda t: t.character("robin").pools == {"tokens": 2}, {"@robin.pools,who"}),
    "the traits of a kind": (lambda t: t.character("robin").traits_of("role"), {"@robin.traits,who"}),
    "many entries": (
        lambda t: [t.character("robin").pools.get(str(each)) for each in range(FEW + 1)],
        {"@robin.pools,who"},
    ),
    "an entry with a sign": (lambda t: t.character("robin").gear.get("a.b"), {"@robin.gear,who"}),
    "an entry with a comma": (lambda t: t.character("robin").gear.get("a, b"), {"@robin.gear,who"}),
    "the same of two": (lambda t: [t.character(who).lost for who in ("robin", "marian")], {"@marian,robin.lost,who"}),
    "whether somebody is there": (lambda t: t.knows("robin"), {"@robin.who"}),
    "whether nobody is there": (lambda t: t.knows("will"), {"@will"}),
    "everybody": (lambda t: t.everybody(), {"@*", "@marian,robin.who"}),
    "who is in play": (lambda t: t.characters(), {"present", "@marian,robin.who"}),
    "who is in a condition": (lambda t: t.with_conditions(), {"with_conditions", "@robin.who"}),
    "a field of the encounter": (lambda t: t.encounter and t.encounter.round, {"encounter.round,title"}),
    "what a turn has spent": (lambda t: t.encounter and t.encounter.spent.get("feet"), {"encounter.spent.feet,title"}),
    "a seat": (lambda t: t.seats["Ana"], {"seats.Ana"}),
    "all seats": (lambda t: [*t.seats], {"seats"}),
    "a pool of the GM's": (lambda t: t.gm_pools.get("doom", 0), {"pools.doom"}),
    "the clock": (lambda t: t.clock, {"clock"}),
    "the scene": (lambda t: t.scene, {"scene"}),
    "somebody of the whole": (lambda t: t.campaign.characters["robin"].lost, {"@robin.lost,who"}),
    "nobody of the whole": (lambda t: t.campaign.characters.get("will"), {"@will"}),
    "everybody of the whole": (lambda t: len(t.campaign.characters), {"@*"}),
    "the clock of the whole": (lambda t: t.campaign.clock, {"clock"}),
    "a setting of the whole": (lambda t: t.campaign.settings["strict"], {"settings.strict"}),
    "the encounter of the whole": (
        lambda t: t.campaign.encounter and t.campaign.encounter.turn,
        {"encounter.title,turn"},
    ),
    "nothing of the whole": (lambda t: t.campaign, set()),
}
"""Looks at a table, each with the reads that are noted for it."""


def table(campaign: CampaignState = CAMPAIGN) -> Table:
    """A table at which Robin worries."""
    return Table(campaign, action=Worry(who="robin"), intent=Intent(verb="worry"), dice=NoDice(), ruleset=TOY)
