"""What an action looks at is noted as exactly as it was looked at, and nothing that it looks at is missed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain import events
from rollbook.domain.events import Event, vocabulary
from rollbook.domain.state.campaign_state import CampaignState, Character, equal_in_order
from rollbook.domain.state.encounters import Encounter
from rollbook.domain.state.fold import Draft, fold
from rollbook.domain.state.fold.related_parts import CARRIED
from rollbook.domain.state.reads import Reads, covers, differs
from tests.support.looks import CAMPAIGN, LOOKS, table
from tests.support.strategies import HISTORIES, any_of


@pytest.mark.parametrize("what", LOOKS)
def test_what_is_looked_at_is_what_is_noted(what: str) -> None:
    look, noted = LOOKS[what]
    at = table()
    look(at)
    assert set(at.finish().reads) == noted


def test_of_who_has_left_nothing_is_looked_at_but_that() -> None:
    alone = fold(CAMPAIGN, [events.CharacterLeft(character="marian")])
    at = table(alone)
    assert [who.id for who in at.characters()] == ["robin"]
    reads = at.finish().reads
    assert reads == ("@robin.who", "present")
    renamed = [events.CharacterRenamed(character="marian", name="Maid"), events.CharacterHidden(character="marian")]
    assert not differs(reads, {"@marian"}, alone, fold(alone, renamed))
    for otherwise in (
        [events.CharacterLeft(character="robin")],
        [events.CharacterJoined(character="marian", name="Marian")],
        [events.CharacterJoined(character="will", name="Will")],
    ):
        draft = Draft(alone)
        draft.apply(otherwise)
        assert differs(reads, draft.touched, alone, draft.publish())


@pytest.mark.parametrize("field", [field.name for field in attrs.fields(Character)])
def test_every_field_of_a_character_is_the_same_at_the_table(field: str) -> None:
    stored = CAMPAIGN.characters["robin"]
    stored.seal()
    assert getattr(table().character("robin"), field) == getattr(stored, field)


@pytest.mark.parametrize("field", [field.name for field in attrs.fields(Encounter)])
def test_every_field_of_an_encounter_is_the_same_at_the_table(field: str) -> None:
    assert CAMPAIGN.encounter is not None
    assert getattr(table().encounter, field) == getattr(CAMPAIGN.encounter, field)


@pytest.mark.parametrize("field", [field.name for field in attrs.fields(CampaignState) if field.name != "sealed"])
def test_every_field_of_the_campaign_is_the_same_at_the_table(field: str) -> None:
    seen = getattr(table().campaign, field)
    known = getattr(CAMPAIGN, field)
    assert list(seen) == list(known) if isinstance(known, Mapping) else seen is known or field == "encounter"


def test_a_character_at_the_table_cannot_be_changed() -> None:
    at = table()
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        at.character("robin").lost = 3


def test_a_character_is_one_and_the_same_as_long_as_nothing_changes_it() -> None:
    at = table()
    first = at.character("robin")
    assert at.character("robin") is first
    assert first == at.campaign.characters["robin"]
    at.record(events.DamageTaken(character="robin", amount=2, dealt=2))
    now = at.character("robin")
    assert (first.lost, now.lost, now == first) == (0, 2, False)
    assert at.campaign.characters["robin"] is now


def test_a_changed_copy_of_a_character_is_watched_like_the_character() -> None:
    at = table()
    other = attrs.evolve(at.character("robin"), conditions={})
    assert (other.has("prone"), other.pools["tokens"], other.name) == (False, 2, "Robin")
    assert at.finish().reads == ("@robin.experience,level,lost,pools.tokens,position,who",)


def test_a_copy_of_a_character_may_be_changed_and_is_watched_like_the_character() -> None:
    at = table()
    other = at.character("robin").copy()
    other.lost = 3
    assert (other.lost, other.has("prone"), at.character("robin").lost) == (3, True, 0)
    assert at.finish().reads == ("@robin.conditions.prone,experience,level,lost,position,who",)


READS = st.lists(
    st.builds(
        lambda part, field, key: (part, field, key if field else ""),
        st.sampled_from(("@robin", "@marian", "@much", "encounter")),
        st.sampled_from(("", "pools", "conditions", "lost")),
        st.sampled_from(("", "a", "b", "c", "d", "e", "x y", "x,y", "x.y")),
    ),
    max_size=12,
)


def noted(looks: list[tuple[str, str, str]]) -> tuple[str, ...]:
    reads = Reads()
    for look in looks:
        reads.note(*look)
    return reads.written()


@given(READS, READS)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_who_has_looked_at_more_has_looked_at_what_is_in_it(
    some: list[tuple[str, str, str]], more: list[tuple[str, str, str]]
) -> None:
    one, both = noted(some), noted(some + more)
    assert covers(both, one)
    assert covers(one, both) == all(covers(one, noted([look])) for look in [*some, *more])


def test_all_of_a_part_covers_what_is_in_it_and_not_the_other_way_round() -> None:
    assert covers(("@robin",), ("@robin.lost,pools.tokens.luck,who",))
    assert covers(("@robin.pools,lost",), ("@robin.pools.tokens",))
    assert covers(("@robin.lost",), ("@robin.lost.14", "@robin.lost.-3"))
    assert covers(("@marian,robin.lost,pools",), ("@robin.pools.tokens", "@marian.lost"))
    assert not covers(("@robin.pools.tokens",), ("@robin.pools",))
    assert not covers(("@robin.lost.14",), ("@robin.lost",))
    assert not covers(("@robin.lost.14",), ("@robin.lost.15",))
    assert not covers(("@robin.pools.tokens",), ("@robin.pools.luck",))
    assert not covers(("@robin.lost,pools",), ("@robin",))
    assert not covers(("@robin.lost",), ("@robin.lost", "clock"))


def wounded(lost: int) -> CampaignState:
    return fold(CAMPAIGN, [events.HitPointsCorrected(character="robin", amount=-lost, reason="so")])


DEEDS = st.lists(st.tuples(st.sampled_from(("hurt", "restore", "ask")), st.integers(-9, 9)), max_size=6)


def answers(deeds: list[tuple[str, int]], lost: int) -> tuple[list[bool], tuple[str, ...]]:
    """What an action is told that changes how much Robin has lost and asks in between, and its reads."""
    at, told = table(wounded(lost)), []
    for deed, amount in deeds:
        if deed == "ask":
            told.append(at.character("robin").has_lost(amount))
        elif deed == "hurt":
            at.record(events.DamageTaken(character="robin", amount=amount, dealt=amount))
        else:
            at.record(events.HitPointsRestored(character="robin", amount=amount))
    return told, at.finish().reads


@given(DEEDS, st.integers(-9, 9), st.integers(-9, 9))
@settings(max_examples=500, deadline=None, derandomize=True)
def test_who_asks_whether_a_number_is_reached_is_told_otherwise_only_where_the_reads_differ(
    deeds: list[tuple[str, int]], one: int, other: int
) -> None:
    (told, reads), (told_there, _) = answers(deeds, one), answers(deeds, other)
    is_otherwise = differs(reads, {"@robin"}, wounded(one), wounded(other))
    assert is_otherwise or told == told_there
    is_few = any(read.startswith("@robin.lost.") for read in reads)
    if is_few and told == told_there:
        assert not is_otherwise


@pytest.mark.parametrize("key", ["many", "1e9", "9" * 9_999])
def test_a_number_that_was_made_up_is_the_whole_number(key: str) -> None:
    assert differs((f"@robin.lost.{key}",), {"@robin"}, wounded(1), wounded(2))
    assert not differs((f"@robin.lost.{key}",), {"@robin"}, wounded(1), wounded(1))


BUSY = fold(
    CAMPAIGN,
    [
        events.TraitGained(character="robin", trait="brave", kind="talent", data={"by": 1}),
        events.GearGained(character="robin", item="bow", use=("weapon",)),
        events.PowerUsed(character="robin", power="aim"),
        events.ChoiceOffered(character="robin", choice="role"),
        events.SheetSetAside(character="robin", ruleset="other"),
        events.PoolGained(holder="robin", pool="tokens", amount=2),
        events.ConditionBegan(character="robin", condition="prone"),
        events.TurnOrderSet(order=("robin", "marian"), scores=(2, 1)),
        events.TurnBegan(character="robin"),
        events.TurnSpent(character="robin", what="feet", amount=5),
        events.TimePassed(seconds=60, activity="rest"),
    ],
)

OTHERWISE: Mapping[str, list[Event]] = {
    "clock": [events.TimePassed(seconds=9, activity="rest"), events.TimePassed(seconds=0, activity="rest")],
    "stretch": [events.SceneFramed(title="else")],
    "seats": [events.SeatTaken(seat="Bo", role=events.Role.PLAYER, number=1)],
    "settings": [events.RulesetAdopted(ruleset="toy", version="1", settings={"strict": False})],
    "ruleset": [events.RulesetAdopted(ruleset="grid", version="1", settings={"strict": True})],
    "pools": [events.PoolGained(holder="", pool="doom", amount=1)],
    "paused": [events.XCardRaised()],
    "session": [events.SessionOpened(session=3)],
    "who": [events.CharacterHidden(character="robin"), events.CharacterHidden(character="marian")],
    "gone": [events.CharacterLeft(character="robin")],
    "called": [events.CharacterRenamed(character="robin", name="Rob")],
    "position": [events.Moved(character="robin", east=5)],
    "lost": [events.HitPointsCorrected(character="robin", amount=-3, reason="so")],
    "level": [events.LevelGained(character="robin", levels=1)],
    "experience": [events.ExperienceAwarded(character="robin", amount=9)],
    "stats": [events.StatChanged(character="robin", stat="dex", amount=2)],
    "more stats": [events.StatChanged(character="robin", stat="str", amount=2)],
    "tokens": [events.PoolGained(holder="robin", pool="tokens", amount=2)],
    "conditions": [events.ConditionBegan(character="robin", condition="stunned")],
    "no condition": [events.ConditionEnded(character="robin", condition="prone")],
    "traits": [events.TraitGained(character="robin", trait="sly", kind="talent", data={"by": 2})],
    "gear": [events.GearGained(character="robin", item="staff", use=("weapon",))],
    "usages": [events.PowerUsed(character="robin", power="hide")],
    "choices": [events.ChoiceOffered(character="robin", choice="role", data={"by": 1})],
    "chosen": [events.ChoiceMade(character="robin", choice="land", picked="sea")],
    "taken up": [events.SheetTakenUp(character="robin", ruleset="other")],
    "aside": [events.SheetSetAside(character="robin", ruleset="other")],
    "arrived": [events.CharacterCrossed(character="robin", measures={"dex": 1})],
    "turn": [events.TurnBegan(character="marian")],
    "round": [events.RoundBegan()],
    "order": [events.TurnOrderSet(order=("marian", "robin"), scores=(2, 1))],
    "spent": [events.TurnSpent(character="robin", what="action", about="a blow")],
    "no encounter": [events.EncounterEnded()],
    "newcomer": [events.CharacterJoined(character="will", name="Will")],
}
"""What may have come before otherwise: one thing each."""


@pytest.mark.parametrize("kind", vocabulary(), ids=lambda kind: kind.__name__)
@settings(max_examples=3, deadline=None, derandomize=True)
@given(data=st.data())
def test_an_event_carries_no_difference_into_another_part_unless_that_is_said(
    kind: type[Event], data: st.DataObject
) -> None:
    event = _about_robin(data.draw(any_of(kind)))
    after, changed = _after(BUSY, event)
    for what, otherwise in OTHERWISE.items():
        other = fold(BUSY, otherwise)
        if any(_differs(key, BUSY, other) for key in _looked_at_with(event)):
            continue
        after_other, changed_there = _after(other, event)
        for key, along in fine_keys(after, after_other).items():
            is_changed = key.partition(".")[0] in changed | changed_there
            if is_changed and not _differs(key, BUSY, other) and not _differs(along, BUSY, other):
                assert not _differs(key, after, after_other), (what, key)


def _after(campaign: CampaignState, event: Event) -> tuple[CampaignState, set[str]]:
    """The campaign after an event, and the parts that it has reached for."""
    draft = Draft(campaign)
    draft.apply((event,))
    return draft.campaign, draft.touched


def _about_robin(event: Event) -> Event:
    about: dict[str, Any] = {
        "character": "robin",
        "holder": "robin",
        "condition": "prone",
        "power": "aim",
        "ruleset": "other",
    }
    return attrs.evolve(event, **{name: value for name, value in about.items() if hasattr(event, name)})


def _looked_at_with(event: Event) -> list[str]:
    carried = CARRIED[type(event)](event, BUSY) if type(event) in CARRIED else ()
    return [f"{part}.{field}" if field else part for part, field in carried]


def _differs(key: str, one: CampaignState, other: CampaignState) -> bool:
    return not equal_in_order(one.part(key), other.part(key))


def fine_keys(*campaigns: CampaignState) -> dict[str, str]:
    """Every part of the campaigns that can be looked at by itself, in each width, with what is looked at along with it."""
    found: dict[str, str] = {}
    for campaign in campaigns:
        found["present"] = "present"  # the other groups follow from the characters, and differ if one of them does
        for field in attrs.fields(CampaignState):
            if field.name not in ("sealed", "characters", "encounter", "dice_requests"):
                found |= {key: key for key in _each(field.name, getattr(campaign, field.name))}
        for who in campaign.characters.values():
            found |= dict.fromkeys(_inner_keys(f"@{who.id}", who), f"@{who.id}.who")
            found[f"@{who.id}.who"] = f"@{who.id}.who"
        if campaign.encounter is not None:
            found |= dict.fromkeys(_inner_keys("encounter", campaign.encounter), "encounter.title")
    return found


def _inner_keys(part: str, value: Character | Encounter) -> Iterator[str]:
    for field in attrs.fields(type(value)):
        if field.name != "sealed":
            yield from _each(f"{part}.{field.name}", getattr(value, field.name))


def _each(part: str, value: object) -> Iterator[str]:
    yield part
    if isinstance(value, Mapping):
        yield from (f"{part}.{key}" for key in value if key and "." not in key)


@given(HISTORIES, HISTORIES)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_all_of_a_part_differs_wherever_something_in_it_does(history: list[Event], other: list[Event]) -> None:
    one, two = fold(CAMPAIGN, history), fold(fold(CAMPAIGN, history), other)
    for key in fine_keys(one, two):
        whole = key.partition(".")[0]
        if "," not in key and differs((key,), {whole}, one, two):
            assert differs((whole,), {whole}, one, two)
        assert not differs((key,), set(), one, two)
