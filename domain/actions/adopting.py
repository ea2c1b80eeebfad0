"""Going over of a campaign, with all its characters, to another ruleset.

The part that only the old game understands is set aside on each character; the part that every game understands
crosses. Back in a game, each character takes up the sheet they left there, and it catches up with the changes since.
"""

from collections.abc import Mapping
from typing import NamedTuple

import attrs

from rollbook.domain import events
from rollbook.domain.events import Scalar
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.crossing import ABILITIES, Crossing, Levels, Passport, hit_points_left
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import engine_parameter, label, settings
from rollbook.domain.rules.ruleset import Ruleset, another_ruleset, read_settings, ruleset_at
from rollbook.domain.rules.sheet_rulings import pool_changed
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState, Character, StoredSheet

COMES_ALONG = "comes along from the game before"
CONDITION = "condition:"
EXPERIENCE, PROGRESS, COUNTED = "experience", "progress", "counted"
"""Keys: points of experience; the progress they make by the game's table; and the points that this counts."""


class Leaving(NamedTuple):
    """A character who leaves a game: their passport, and their numbers in that game."""

    passport: Passport | None
    measures: Mapping[str, int]


class Adopt(Action, verb="adopt", gm_only=True):
    """Go over to another ruleset: everybody's sheet is converted, and what has no counterpart is kept for the way back."""

    sentence = "changes the rules to {ruleset}"

    ruleset: str = label("the ruleset's key")
    settings: Mapping[str, Scalar] = settings(
        "house rules, as key=value; those of last time, or the usual ones, if not", default={}
    )
    version: str = engine_parameter(ParameterType.TEXT, "the ruleset's version", default="")
    package: str = engine_parameter(ParameterType.TEXT, "the distribution that brings the ruleset", default="")
    by_level: bool = engine_parameter(
        ParameterType.FLAG, "whether levels cross, and not points of experience as they once did", default=False
    )

    def resolve(self, table: Table) -> None:
        """Write each character's passport by the old rules and read it by the new ones."""
        old, new = ruleset_at(table), another_ruleset(table, self.ruleset)
        self._check(table, old, new)
        leaving = {who.id: self._leaving(table, old, who.id) for who in table.everybody()}
        self._change_rules(table, new)
        for name, left in leaving.items():
            _Transfer(table, name, left, new, by_level=self.by_level).cross("" if old is None else old.key)

    def _leaving(self, table: Table, game: Ruleset | None, name: str) -> Leaving:
        if game is None or game.crossing is None:
            return Leaving(None, {})
        who, door = table.character(name), game.crossing
        passport = door.describe(who, table.campaign)
        return Leaving(passport, _measures(passport, who, table.campaign, door.levels if self.by_level else None))

    def _check(self, table: Table, old: Ruleset | None, new: Ruleset) -> None:
        if old is not None and old.key == new.key:
            table.refuse(f"This campaign already plays by {new.key}.", parameter="ruleset")
        if table.encounter is not None or any(scene.encounter is not None for scene in table.elsewhere):
            table.refuse(
                "A fight is going on, and its rounds are counted by the old rules. End it first: end-encounter"
            )
        for game in (old, new):
            if game is not None and game.crossing is None:
                table.refuse(
                    f"The ruleset {game.key} does not say how characters cross into or out of it.",
                    parameter=table.parameter_of(game.key),
                )

    def _change_rules(self, table: Table, new: Ruleset) -> None:
        version = self.version or new.version
        settings = read_settings(new, self.settings)
        table.record(events.RulesetAdopted(ruleset=new.key, version=version, settings=settings, package=self.package))
        table.play_by(new)


def _measures(passport: Passport, who: Character, campaign: CampaignState, levels: Levels | None) -> dict[str, int]:
    """A character's numbers, for a later comparison."""
    counted = {} if levels is None else {PROGRESS: levels.progress(who.experience, campaign), COUNTED: who.experience}
    return {
        **counted,
        "left": passport.max_hp - who.lost,
        "max_hp": passport.max_hp,
        "luck": passport.luck,
        EXPERIENCE: who.experience,
        **{ability: passport.modifiers[ability] for ability in ABILITIES if ability in passport.modifiers},
        **{f"{CONDITION}{condition}": 1 for condition in passport.conditions},
    }


def _since(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """The changes since a character came into a game; none are known of those who began there."""
    if not before:
        return {}
    unknown = {PROGRESS, COUNTED} if PROGRESS not in before or PROGRESS not in now else set()
    changed = {key: now.get(key, 0) - before.get(key, 0) for key in (*before, *now) if key not in unknown}
    return {key: amount for key, amount in changed.items() if amount}


class _Transfer:
    """One character on the way into a game."""

    def __init__(self, table: Table, name: str, left: Leaving, game: Ruleset, *, by_level: bool) -> None:
        assert game.crossing is not None
        self._table, self._name, self._game = table, name, game
        self._door: Crossing = game.crossing
        self._by_level = by_level
        self._levels = game.crossing.levels if by_level else None
        self._passport, self._measures = left
        self._lost = table.character(name).lost

    @property
    def _who(self) -> Character:
        return self._table.character(self._name)

    def cross(self, left: str) -> None:
        """Set the old sheet aside, take up or make the new one, and note what it comes to."""
        who = self._who
        if self._passport is not None:
            since = _since(who.arrival_baseline, self._measures)
            self._table.record(events.SheetSetAside(character=who.id, ruleset=left, since=since))
        if self._game.key in who.aside:
            self._return()
        elif self._passport is not None:
            self._arrive(self._passport)
        measures = _measures(self._now(), self._who, self._table.campaign, self._levels)
        self._table.record(events.CharacterCrossed(character=self._name, measures=measures))

    def _now(self) -> Passport:
        return self._door.describe(self._who, self._table.campaign)

    def _arrive(self, passport: Passport) -> None:
        if self._levels is not None:
            passport = self._have_level(passport, self._levels)
        for ability in ABILITIES:
            if ability in passport.modifiers:
                self._door.set_modifier(self._table, self._name, ability, passport.modifiers[ability])
        self._door.arrive(self._table, self._name, passport)
        self._wound(hit_points_left(passport, self._lost, self._now()))
        self._have_luck(min(passport.luck, self._luck_cap()))
        for meaning in passport.conditions:
            self._begin(meaning)
        self._settle()

    def _have_level(self, passport: Passport, levels: Levels) -> Passport:
        """The experience of the level they have, or of the highest here. A game without levels leaves the last one standing."""
        campaign = self._table.campaign
        had = (sheet.level for sheet in reversed([*self._who.aside.values()]) if sheet.level > 0)
        level = min(passport.level or next(had, 0), levels.highest(campaign))
        if level <= 0:
            return passport
        self._have_experience(levels.experience_for(level, campaign), f"level {level} {COMES_ALONG}")
        return attrs.evolve(passport, level=level)

    def _return(self) -> None:
        sheet, passport = self._who.aside[self._game.key], self._passport
        since = sheet.since
        self._table.record(events.SheetTakenUp(character=self._name, ruleset=self._game.key))
        if passport is None:
            return
        was = self._now()
        self._catch_up(was, since)
        if self._by_level:
            self._have_experience(self._with_what_was_earned(sheet), f"experience {COMES_ALONG}")
        if since.get(EXPERIENCE):
            self._game.experience_awarded(self._table, self._name)
        if since.get("left") or since.get("max_hp"):
            self._wound(hit_points_left(passport, self._lost, self._now()))
        if since.get("luck"):
            self._have_luck(min(was.luck + since["luck"], max(self._luck_cap(), was.luck)))
        conditions = {key.removeprefix(CONDITION): change for key, change in since.items() if key.startswith(CONDITION)}
        for meaning, change in conditions.items():
            (self._begin if change > 0 else self._end)(meaning)
        if since.keys() - {EXPERIENCE, PROGRESS, COUNTED}:
            self._settle()

    def _catch_up(self, was: Passport, since: Mapping[str, int]) -> None:
        """Abilities change by as much as they have changed elsewhere."""
        for ability in ABILITIES:
            if since.get(ability) and ability in was.modifiers:
                self._door.set_modifier(self._table, self._name, ability, was.modifiers[ability] + since[ability])

    def _with_what_was_earned(self, sheet: StoredSheet) -> int:
        """The experience that was left here, and what has come to it: parts of levels as such, the rest point by point."""
        earned, progress = sheet.since.get(EXPERIENCE, 0), sheet.since.get(PROGRESS, 0)
        if self._levels is None:
            return sheet.experience + earned
        had, campaign = sheet.experience, self._table.campaign
        if progress:
            had = self._levels.experience_at(self._levels.progress(had, campaign) + progress, campaign)
        return had + earned - sheet.since.get(COUNTED, 0)

    def _have_experience(self, wanted: int, reason: str) -> None:
        change = wanted - self._who.experience
        if change:
            self._table.record(events.ExperienceAwarded(character=self._name, amount=change, reason=reason))

    def _wound(self, left: int) -> None:
        now = self._now()
        amount = left - (now.max_hp - self._who.lost)
        if amount:
            self._table.record(
                events.HitPointsCorrected(character=self._name, amount=amount, reason=f"health {COMES_ALONG}")
            )

    def _luck_cap(self) -> int:
        return self._door.luck_cap(self._who, self._table.campaign)

    def _have_luck(self, wanted: int) -> None:
        if not self._door.luck:
            return
        change = max(wanted, 0) - self._now().luck
        if change:
            self._table.record(pool_changed(self._who, self._door.luck, change, f"luck {COMES_ALONG}"))

    def _begin(self, meaning: str) -> None:
        own = self._door.conditions.get(meaning, "")
        if own and not self._who.has(own):
            self._table.record(events.ConditionBegan(character=self._name, condition=own))

    def _end(self, meaning: str) -> None:
        own = self._door.conditions.get(meaning, "")
        if own and self._who.has(own):
            self._table.record(events.ConditionEnded(character=self._name, condition=own))

    def _settle(self) -> None:
        """Let the game see to it that hit points and conditions agree; the dead are left in peace (QG.9)."""
        who = self._who
        if not who.has(self._door.conditions.get("dead", "")):
            self._game.character_changed(self._table, who)
