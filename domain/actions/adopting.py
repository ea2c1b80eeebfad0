"""The campaign goes over to another ruleset, and everybody with it.

What only the old game understands is set aside on each character; what every game understands crosses. Coming back to a
game, everybody takes up the sheet they left there, and it catches up with what has changed since.
"""

from collections.abc import Iterator, Mapping

from domain import events
from domain.action import Action
from domain.crossing import ABILITIES, Crossing, Passport, hit_points_left
from domain.events import Scalar
from domain.parameters import ParameterType, engine_parameter, label, settings
from domain.ruleset import Ruleset, read_settings
from domain.state import Character
from domain.table import Table

COMES_ALONG = "comes along from the game before"
CONDITION = "condition:"


class Adopt(Action, verb="adopt", gm_only=True):
    """Go over to another ruleset: everybody's sheet is converted, and what has no counterpart is kept for the way back."""

    sentence = "changes the rules to {ruleset}"

    ruleset: str = label("the ruleset's key")
    settings: Mapping[str, Scalar] = settings(
        "house rules, as key=value; those of last time, or the usual ones, if not", default={}
    )
    version: str = engine_parameter(ParameterType.TEXT, "the ruleset's version", default="")
    package: str = engine_parameter(ParameterType.TEXT, "the distribution that brings the ruleset", default="")

    def resolve(self, table: Table) -> None:
        """Everybody's passport is written by the old rules and read by the new ones."""
        old, new = table.ruleset, table.another_ruleset(self.ruleset)
        self._check(table, old, new)
        passports = {who.id: _passport(table, old, who.id) for who in table.everybody()}
        self._change_rules(table, new)
        for name, passport in passports.items():
            _Transfer(table, name, passport, new).cross("" if old is None else old.key)

    def _check(self, table: Table, old: Ruleset | None, new: Ruleset) -> None:
        if old is not None and old.key == new.key:
            table.refuse(f"This campaign already plays by {new.key}.")
        if table.encounter is not None:
            table.refuse(
                "A fight is going on, and its rounds are counted by the old rules. End it first: end-encounter"
            )
        for game in (old, new):
            if game is not None and game.crossing is None:
                table.refuse(f"The ruleset {game.key} does not say how characters cross into or out of it.")

    def _change_rules(self, table: Table, new: Ruleset) -> None:
        version = self.version or new.version
        settings = read_settings(new, self.settings)
        table.record(events.RulesetAdopted(ruleset=new.key, version=version, settings=settings, package=self.package))
        table.play_by(new)


def _passport(table: Table, game: Ruleset | None, name: str) -> Passport | None:
    if game is None or game.crossing is None:
        return None
    return game.crossing.describe(table.character(name), table.campaign)


def _measures(passport: Passport, who: Character) -> dict[str, int]:
    """A character's numbers, as they that can be compared later."""
    return {
        "left": passport.max_hp - who.lost,
        "max_hp": passport.max_hp,
        "luck": passport.luck,
        "experience": who.experience,
        **{ability: passport.modifiers[ability] for ability in ABILITIES if ability in passport.modifiers},
        **{f"{CONDITION}{condition}": 1 for condition in passport.conditions},
    }


def _since(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """What has changed since a character came into a game; nothing is known of those who began there."""
    if not before:
        return {}
    changed = {key: now.get(key, 0) - before.get(key, 0) for key in (*before, *now)}
    return {key: amount for key, amount in changed.items() if amount}


class _Transfer:
    """One character on the way into a game."""

    def __init__(self, table: Table, name: str, passport: Passport | None, game: Ruleset) -> None:
        assert game.crossing is not None
        self._table, self._name, self._game = table, name, game
        self._door: Crossing = game.crossing
        self._passport = passport
        self._lost = table.character(name).lost

    @property
    def _who(self) -> Character:
        return self._table.character(self._name)

    def cross(self, left: str) -> None:
        """Set the old sheet aside, take up or make the new one, and note what it comes to."""
        who = self._who
        if self._passport is not None:
            since = _since(who.arrival_baseline, _measures(self._passport, who))
            self._table.record(events.SheetSetAside(character=who.id, ruleset=left, since=since))
        if self._game.key in who.aside:
            self._return()
        elif self._passport is not None:
            self._arrive(self._passport)
        measures = _measures(self._now(), self._who)
        self._table.record(events.CharacterCrossed(character=self._name, measures=measures))

    def _now(self) -> Passport:
        return self._door.describe(self._who, self._table.campaign)

    # Characters who are new to this game.

    def _arrive(self, passport: Passport) -> None:
        for ability in ABILITIES:
            if ability in passport.modifiers:
                self._door.set_modifier(self._table, self._name, ability, passport.modifiers[ability])
        self._door.arrive(self._table, self._name, passport)
        self._wound(hit_points_left(passport, self._lost, self._now()))
        self._have_luck(min(passport.luck, self._luck_cap()))
        for meaning in passport.conditions:
            self._begin(meaning)
        self._settle()

    # Characters who have been here before.

    def _return(self) -> None:
        since = self._who.aside[self._game.key].since
        passport = self._passport
        self._table.record(events.SheetTakenUp(character=self._name, ruleset=self._game.key))
        if passport is None:
            return
        was = self._now()
        for ability in ABILITIES:
            if since.get(ability) and ability in was.modifiers:
                self._door.set_modifier(self._table, self._name, ability, was.modifiers[ability] + since[ability])
        if since.get("experience"):
            self._game.experience_awarded(self._table, self._name)
        if since.get("left") or since.get("max_hp"):
            self._wound(hit_points_left(passport, self._lost, self._now()))
        if since.get("luck"):
            self._have_luck(min(was.luck + since["luck"], max(self._luck_cap(), was.luck)))
        for meaning, change in _conditions(since):
            if change > 0:
                self._begin(meaning)
            else:
                self._end(meaning)
        if any(key != "experience" for key in since):
            self._settle()

    # Either.

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
        event = events.PoolGained if change > 0 else events.PoolSpent
        if change:
            self._table.record(
                event(holder=self._name, pool=self._door.luck, amount=abs(change), reason=f"luck {COMES_ALONG}")
            )

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


def _conditions(since: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    for key, change in since.items():
        if key.startswith(CONDITION):
            yield key.removeprefix(CONDITION), change
