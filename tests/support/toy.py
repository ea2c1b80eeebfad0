"""A small ruleset that reads everything a rule can read."""

from __future__ import annotations

import attrs

from rollbook.plugin import CampaignState, Character, Ruleset, Sheet, Table, Term, Value, events, setting, summed
from tests.support.toy_verbs import (
    SECOND_WIND_PAUSE,
    TOKENS,
    Attack,
    Bet,
    Fight,
    GainToken,
    Heal,
    Hide,
    LookUp,
    NextTurn,
    Peace,
    Recite,
    SecondWind,
    SpendDoom,
    SpendToken,
    Sprint,
    Worry,
    update_down,
)


@attrs.frozen(kw_only=True)
class HouseRules:
    """The switches of the toy."""

    crits: bool = setting(default=True, text="a natural 20 rolls damage twice")
    start: int = setting(default=2, text="tokens at the start of a session", minimum=0)


def session_opened(table: Table) -> None:
    """Tokens become what the house rules say."""
    for who in table.player_characters():
        table.record(events.PoolBecame(holder=who.id, pool=TOKENS, amount=table.settings.start))


def time_passed(table: Table, before: int, *, rest: bool) -> None:
    """A rest heals a point; what has run out ends."""
    for who in table.characters():
        for condition in who.conditions.values():
            if condition.until and condition.until <= table.clock:
                table.record(events.ConditionEnded(character=who.id, condition=condition.name))
        if rest and who.lost > 0:
            table.record(events.HitPointsRestored(character=who.id, amount=1))
            update_down(table, who.id)


def experience_awarded(table: Table, name: str) -> None:
    """A level for every hundred points."""
    who = table.character(name)
    if who.experience // 100 > who.level:
        table.record(
            events.LevelGained(character=name, levels=who.experience // 100 - who.level),
            events.ChoiceOffered(
                character=name, choice="talent", options=(events.Option(key="a"), events.Option(key="b"))
            ),
        )


def character_changed(table: Table, before: Character) -> None:
    """Let a character fall, or rise."""
    update_down(table, before.id)


def sheet(who: Character, campaign: CampaignState) -> Sheet:
    """Hit points, skill, tokens, and whether the second wind is back: character, settings and clock."""
    most = who.stats.get("max_hp", 0)
    used = who.usages.get("second wind")
    wait = max(0, SECOND_WIND_PAUSE - campaign.clock + used.last) if used else 0
    values = [
        summed("hp", "Hit points", (Term(most, "maximum", path="stat.max_hp"), Term(-who.lost, "lost", path="lost"))),
        summed("skill", "Skill", (Term(who.stats.get("skill", 0), "skill", path="stat.skill"),), signed=True),
        Value("tokens", "Tokens", who.pools.get(TOKENS, 0)),
        Value("coins", "Coins", who.pools.get("coins", 0)),
        Value("level", "Level", who.level),
        Value("xp", "Experience", who.experience),
        Value("wait", "Second wind", wait, "ready" if not wait else f"in {wait} s"),
    ]
    words = [("Traits", ", ".join(who.traits)), ("Conditions", ", ".join(who.conditions)), ("At", str(who.position))]
    words += [("Gear", ", ".join(f"{held.count} {item}" for item, held in who.gear.items()))]
    return Sheet(character=who.id, name=who.name, title=who.kind, values=tuple(values), words=tuple(words))


TOY = Ruleset(
    key="toy",
    title="Toy",
    version="1",
    summary="A game for tests.",
    actions=(
        Attack,
        Heal,
        GainToken,
        SpendToken,
        SpendDoom,
        SecondWind,
        LookUp,
        Worry,
        Recite,
        Hide,
        Bet,
        Fight,
        NextTurn,
        Sprint,
        Peace,
    ),
    sheet=sheet,
    settings=HouseRules,
    second_thoughts={"reroll": "a token for another to-hit roll"},
    session_opened=session_opened,
    time_passed=time_passed,
    experience_awarded=experience_awarded,
    character_changed=character_changed,
)
