"""Characters who cross into a game with a passport, and the passport that they would leave with."""

from __future__ import annotations

from hypothesis import strategies as st

from rollbook.domain.rules.crossing import ABILITIES, ARMOURS, MEANINGS, WEAPONS, Crossing, Passport
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.plugin import Action, CharacterKind, Table, events, slug
from rollbook.testing.scenarios import Scenario, scenario


class Arrive(Action, verb="arrive"):
    """A newcomer with this passport arrives."""

    who: str
    passport: Passport
    crossing: Crossing

    def resolve(self, table: Table) -> None:
        for ability, amount in self.passport.modifiers.items():
            self.crossing.set_modifier(table, self.who, ability, amount)
        self.crossing.arrive(table, self.who, self.passport)


def crossing_of(ruleset: Ruleset) -> Crossing:
    """The crossing of a ruleset that has one."""
    assert ruleset.crossing is not None
    return ruleset.crossing


def arrived(
    ruleset: Ruleset,
    passport: Passport,
    kind: CharacterKind = CharacterKind.PLAYER_CHARACTER,
    *,
    name: str = "Eve",
    experience: int = 0,
    clock: int = 0,
    **house: bool | int | str,
) -> Scenario:
    """A campaign into which a newcomer has come with this passport."""
    who = slug(name)
    things = [item for item in (passport.worn, passport.shield, *passport.weapons) if item]
    earned = [events.ExperienceAwarded(character=who, amount=experience)] if experience else []
    return scenario(ruleset, **house).given(
        events.TimePassed(seconds=clock),
        events.CharacterJoined(character=who, name=name, kind=kind),
        *(events.GearGained(character=who, item=item) for item in things),
        *earned,
        Arrive(who=who, passport=passport, crossing=crossing_of(ruleset)),
    )


def described(ruleset: Ruleset, game: Scenario, name: str = "Eve") -> Passport:
    """The passport that the newcomer would leave with."""
    return crossing_of(ruleset).describe(game.character(slug(name)), game.after)


def passports(highest_level: int = 20) -> st.SearchStrategy[Passport]:
    """Any passport with conditions that every game may know."""
    worn = st.sampled_from(ARMOURS).map(lambda armour: (armour, "" if armour == "none" else f"a {armour} coat"))
    return st.builds(
        lambda coat, **rest: Passport(armour=coat[0], worn=coat[1], **rest),
        coat=worn,
        max_hp=st.integers(1, 200),
        level=st.integers(0, highest_level),
        modifiers=st.dictionaries(st.sampled_from(ABILITIES), st.integers(-6, 12)),
        armour_class=st.integers(-5, 35),
        is_entered=st.booleans(),
        shield=st.sampled_from(("", "a round shield")),
        weapons=st.dictionaries(st.sampled_from(("blade", "bow", "maul")), st.sampled_from(WEAPONS), max_size=3),
        attack=st.integers(-3, 20),
        speed=st.integers(0, 90),
        conditions=st.lists(st.sampled_from(MEANINGS), max_size=3).map(tuple),
    )
