"""A sheet without rules: what any campaign can show of a character, whatever its ruleset, or with none at all."""

from collections.abc import Iterator

from rollbook.domain.rules.sheet import Sheet, Term, Value
from rollbook.domain.state.campaign_state import CampaignState, Character

MAX_HP = "max_hp"


def plain_sheet(who: Character, campaign: CampaignState) -> Sheet:
    """Everything that is on record of a character, in the state's own words."""
    return Sheet(
        character=who.id, name=who.name, title=who.kind, values=tuple(_values(who)), words=tuple(_words(who, campaign))
    )


def _values(who: Character) -> Iterator[Value]:
    if who.level:
        yield Value("level", "Level", who.level, terms=(Term(who.level, "levels gained", path="level"),))
    if MAX_HP in who.stats:
        most = who.stats[MAX_HP]
        terms = (Term(most, "maximum", path=f"stat.{MAX_HP}"), Term(-who.lost, "lost", path="lost"))
        yield Value("hp", "Hit points", most - who.lost, f"{most - who.lost} of {most}", terms)
    elif who.lost:
        yield Value("lost", "Hit points lost", who.lost, terms=(Term(who.lost, "lost", path="lost"),))
    if who.experience:
        yield Value("xp", "Experience", who.experience, terms=(Term(who.experience, "awards", path="experience"),))
    for stat, amount in who.stats.items():
        if stat != MAX_HP:
            yield Value(stat, stat, amount, terms=(Term(amount, stat, path=f"stat.{stat}"),))
    for pool, amount in who.pools.items():
        yield Value(f"pool:{pool}", pool, amount, terms=(Term(amount, pool, path=f"pool.{pool}"),))


def _words(who: Character, campaign: CampaignState) -> Iterator[tuple[str, str]]:
    if who.conditions:
        yield "Conditions", ", ".join(who.conditions)
    if who.traits:
        yield "Traits", ", ".join(who.traits)
    held = [f"{item} x {gear.count}" if gear.count > 1 else item for item, gear in who.gear.items() if gear.count > 0]
    if held:
        yield "Gear", ", ".join(held)
    if who.seat:
        yield "Played by", who.seat
    if not who.present:
        yield "Status", "out of play"
    if campaign.encounter is not None and campaign.encounter.current == who.id:
        yield "Turn", "now"
