"""Characters on whom anything at all is recorded, and what holds of every sheet and passport made of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import attrs
from hypothesis import strategies as st

from rollbook.domain.events import CharacterKind, Data
from rollbook.domain.rules.crossing import ABILITIES, Passport
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.state.campaign_state import CampaignState, Character, Condition, Gear, OpenChoice, Usage
from rollbook.domain.state.encounters import Encounter

ANY_TEXT = st.text(max_size=8)
ANY_NUMBER = st.integers(-(10**6), 10**6)


@attrs.frozen(kw_only=True)
class Recorded:
    """Strategies for what may be recorded on a character: words that a game knows and some that it does not."""

    stats: st.SearchStrategy[str]
    traits: st.SearchStrategy[str]
    trait_kinds: st.SearchStrategy[str]
    conditions: st.SearchStrategy[str]
    uses: st.SearchStrategy[str]
    pools: st.SearchStrategy[str]
    choices: Mapping[str, OpenChoice]
    chosen: st.SearchStrategy[Mapping[str, str]]
    items: st.SearchStrategy[str] = ANY_TEXT
    condition_data: st.SearchStrategy[Data] = attrs.field(factory=lambda: st.just(MappingProxyType({})))


def any_conditions(known: Recorded) -> st.SearchStrategy[dict[str, Condition]]:
    """Up to four conditions with any beginning, end, source, detail and data."""

    def condition(name: str) -> st.SearchStrategy[Condition]:
        return st.builds(
            Condition,
            name=st.just(name),
            since=ANY_NUMBER,
            until=ANY_NUMBER,
            source=ANY_TEXT,
            detail=ANY_TEXT,
            data=known.condition_data,
        )

    names = st.lists(known.conditions, max_size=4, unique=True)
    return names.flatmap(lambda each: st.fixed_dictionaries({name: condition(name) for name in each}))


def any_characters(known: Recorded) -> st.SearchStrategy[Character]:
    """A character called zed with anything recorded on it."""
    gear = st.builds(Gear, count=st.integers(-2, 5), use=known.uses.map(lambda text: tuple(text.split(":"))))
    return st.builds(
        Character,
        id=st.just("zed"),
        name=ANY_TEXT,
        kind=st.sampled_from(CharacterKind),
        lost=ANY_NUMBER,
        experience=ANY_NUMBER,
        level=st.integers(-40, 400),
        stats=st.dictionaries(known.stats, ANY_NUMBER, max_size=8),
        traits=st.dictionaries(known.traits, known.trait_kinds, max_size=6),
        gear=st.dictionaries(known.items, gear, max_size=4),
        pools=st.dictionaries(known.pools, ANY_NUMBER),
        conditions=any_conditions(known),
        choices=st.sampled_from((known.choices, MappingProxyType({}))),
        chosen=known.chosen,
        usages=st.builds(lambda last: {"rally": Usage(count=1, last=last)}, ANY_NUMBER),
    )


def sheet_and_passport_hold(ruleset: Ruleset, who: Character, house: Mapping[str, int], *, fighting: bool) -> Passport:
    """Assert what holds of every sheet: terms add up, lines have names of their own. Returns the passport."""
    encounter = Encounter(order=(who.id,), current=who.id) if fighting else None
    campaign = attrs.evolve(
        CampaignState(), characters={who.id: who}, encounter=encounter, settings=house, sealed=False
    )
    sheet = ruleset.sheet(who, campaign)
    for value in sheet.values:
        assert not value.terms or sum(term.amount for term in value.terms) == value.amount, value.label
    assert all(label and isinstance(text, str) for label, text in sheet.words)
    for named in ([value.label for value in sheet.values], [value.key for value in sheet.values]):
        assert len(set(named)) == len(named)
    assert ruleset.crossing is not None
    passport = ruleset.crossing.describe(who, campaign)
    assert passport.max_hp >= 1
    assert set(passport.modifiers) == set(ABILITIES)
    return passport
