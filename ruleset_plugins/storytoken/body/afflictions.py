"""How conditions begin and end at the table: afflict and relieve, break free, put out flames (R0.63–R0.87, Q0.29)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import attrs

from ruleset_plugins import (
    ABILITIES,
    Action,
    Character,
    Table,
    character,
    choice,
    choices,
    events,
    flag,
    names,
    number,
    words,
)
from ruleset_plugins.kit import conditions, d20, require, turn_order
from ruleset_plugins.storytoken.body.conditions import (
    AFFLICTIONS,
    CONDITIONS,
    EMBODIED,
    HACKED,
    IMMOBILISED,
    IMPAIRED_ABILITY,
    PROMISED,
    RAGING,
    SEVERITY,
    SITUATIONAL,
    SPARED,
    STATE,
    THING,
    UNITS,
    State,
    impaired,
    is_magic_proof,
)
from ruleset_plugins.storytoken.body.durations import fading_seconds, rounds_from_now, stage_seconds, unit_seconds
from ruleset_plugins.storytoken.body.hit_points import call_back, current_hp, end_rage, max_hp
from ruleset_plugins.storytoken.body.spirit_body import check_touches, decay
from ruleset_plugins.storytoken.body.time_passing import STAGE_WORDS
from ruleset_plugins.storytoken.character.heritage_powers import forsworn
from ruleset_plugins.storytoken.fight.turns import HAND_ON, able, take_action
from ruleset_plugins.storytoken.settings import Settings
from ruleset_plugins.storytoken.tasks.checks import LADDER
from ruleset_plugins.storytoken.tasks.saves import save_resolved
from ruleset_plugins.storytoken.tasks.task_rolls import TaskRolls

ESCAPE = "escape"
LISTED = "; ".join(f"{key}: {CONDITIONS[key].words} ({CONDITIONS[key].rule})" for key in AFFLICTIONS)


@attrs.frozen(kw_only=True)
class Afflict(Action):
    """Somebody comes into a condition, for so long or until it is relieved (R0.63–R0.87)."""

    verb: ClassVar[str] = "afflict"
    gm_only: ClassVar[bool] = True

    who: str = character("whom it befalls")
    condition: str = choice(f"which. {LISTED}", AFFLICTIONS)
    lasts: int = number("how long, in units; 0 until it is relieved", default=0, minimum=0, maximum=100_000)
    unit: str = choice("the unit of that time", tuple(UNITS), default="rounds")
    ability: str = choice("the ability that is impaired", ABILITIES, default="")
    source: str = words("what it comes from: what is feared, who demands", default="")
    caster: str = character("whose magic it is", default="")
    severity: int = number("what a save must reach to break free", default=0, minimum=0, maximum=1_000)
    detail: str = words("the falsehood, the demand, the thing that is hacked (all actions if not said)", default="")

    def resolve(self, table: Table) -> None:
        """It begins, or begins anew."""
        who = require.living(table, self.who)
        state = CONDITIONS[self.condition]
        if self.caster and is_magic_proof(who):
            table.refuse(f"{who.name} is warded: {table.character(self.caster).name}'s magic does nothing.")
        if state.of_ability != bool(self.ability):
            table.refuse(f"--ability goes with {IMPAIRED_ABILITY}, and {IMPAIRED_ABILITY} needs one.")
        severity = self._severity(table) if state.escape else 0
        table.record(
            events.ConditionBegan(
                character=who.id,
                condition=impaired(self.ability) if state.of_ability else state.key,
                source=self.caster or self.source,
                detail=self._detail(state, severity),
                until=self._until(table, who, state),
                data=self._data(state, severity),
            )
        )

    def _severity(self, table: Table) -> int:
        """What a save must reach to break free: hard, or the level + 10 of whoever's magic it is (R0.22, Q0.31)."""
        return self.severity or (table.character(self.caster).level + 10 if self.caster else LADDER["hard"])

    def _detail(self, state: State, severity: int) -> str:
        if state.stages:
            return STAGE_WORDS[0]
        if state.key == HACKED:
            return self.detail or "actions"
        return f"{severity} to break free" if state.escape else self.detail

    def _data(self, state: State, severity: int) -> Mapping[str, str | int]:
        if state.key == HACKED:
            return {THING: self.detail}
        return {SEVERITY: severity} if state.escape else {}

    def _until(self, table: Table, who: Character, state: State) -> int:
        """The clock second at which it ends, or its next stage comes; 0 if it does not by itself."""
        settings = Settings.of(table)
        if state.stages:
            if self.lasts:
                table.refuse(f"{state.name} takes as long as it takes. Leave out --lasts; it can be relieved before.")
            return table.clock + stage_seconds(who, state.stages[0], settings)
        if self.lasts and self.unit == "rounds":
            return rounds_from_now(table, who, self.lasts)
        if self.lasts:
            return table.clock + self.lasts * unit_seconds(self.unit, settings)
        if state.fades:
            unit = self.unit if self.unit != "rounds" else "minutes"
            return table.clock + fading_seconds(who, state.fades, unit, settings)
        return 0


@attrs.frozen(kw_only=True)
class Relieve(Action):
    """A condition is over: cured, lifted, cooled, fed, kept away from (R0.63–R0.87)."""

    verb: ClassVar[str] = "relieve"
    gm_only: ClassVar[bool] = True

    who: str = character("who is relieved")
    condition: str = words("of which condition; an impaired ability is impaired-str, impaired-dex …")
    reason: str = words("how", default="")

    def resolve(self, table: Table) -> None:
        """It ends, and so does what hangs on it."""
        who = table.character(self.who)
        if not who.has(self.condition):
            table.refuse(f"{who.name} is not {self.condition}, but {', '.join(who.conditions) or 'in no condition'}.")
        self._check_hit_points(table, who)
        if self.reason:
            table.record(events.NoteWritten(text=f"{who.name} is relieved: {self.reason}", about=who.id))
        if self.condition == RAGING:
            end_rage(table, who.id)
        elif self.condition == EMBODIED:
            decay(table, who.id)
        elif self.condition == conditions.DEAD:
            call_back(table, who.id)
        else:
            conditions.end(table, who.id, self.condition)
            if conditions.text(who.conditions[self.condition], STATE) == PROMISED:
                conditions.end(table, who.id, forsworn(who.conditions[self.condition]))

    def _check_hit_points(self, table: Table, who: Character) -> None:
        """Refuse to relieve what hit points decide: lying there, and a death that their loss brought (QG.9)."""
        settings = Settings.of(table)
        for_want = self.condition == conditions.UNCONSCIOUS or (
            self.condition == conditions.DEAD and current_hp(who, settings) <= -max_hp(who, settings)
        )
        if for_want:
            table.refuse(
                f"{who.name} is {self.condition} for want of hit points: heal, or adjust {who.id} hp by ruling."
            )


@attrs.frozen(kw_only=True)
class Escape(Action):
    """Break free of what immobilises: a STR save, once a turn, that costs no action (R0.74, Q0.31)."""

    verb: ClassVar[str] = "escape"

    who: str = character("who breaks free", actor=True)
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 knife'", default=())
    spared: tuple[str, ...] = choices(f"conditions that have no bearing now: {SPARED}", SITUATIONAL, default=())

    def resolve(self, table: Table) -> None:
        """Hard 15, or level + 10 against somebody's magic."""
        who = able(table, self.who)
        if not who.has(IMMOBILISED):
            table.refuse(
                f"{who.name} is not immobilised, so there is nothing to escape from. To walk: move {who.id} FEET"
            )
        if table.encounter is not None:
            self._once_a_turn(table, who)
        held = who.conditions[IMMOBILISED]
        ability = CONDITIONS[IMMOBILISED].escape
        with TaskRolls(table) as rolls:
            roll = rolls.task(
                who,
                ability,
                kinds=("save",),
                purpose=ESCAPE,
                terms=d20.bonuses(table, self.bonus),
                ease=d20.Advantage(self.advantage, self.disadvantage),
                spared=self.spared,
            )
        if save_resolved(
            table, ability, roll, conditions.number(held, SEVERITY) or LADDER["hard"], against=held.source
        ):
            conditions.end(table, who.id, IMMOBILISED)

    def _once_a_turn(self, table: Table, who: Character) -> None:
        encounter = turn_order.check_turn(table, who, hand_on=HAND_ON)
        if encounter.spent.get(ESCAPE):
            table.refuse(f"{who.name} has tried to break free this turn. The next turn brings another try.")
        turn_order.spend(table, who, ESCAPE)


@attrs.frozen(kw_only=True)
class PutOut(Action):
    """Put the flames out, one's own or those of somebody near: an action (R0.63, Q0.34)."""

    verb: ClassVar[str] = "put-out"

    who: str = character("who does it", actor=True)
    target: str = character("who is aflame, if not themselves", default="")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """The flames are out."""
        target = table.character(self.target or self.who)
        burning = [key for key in target.conditions if key in CONDITIONS and CONDITIONS[key].put_out]
        if not burning:
            table.refuse(
                f"{target.name} is not aflame, so there is nothing to put out. Name whoever burns with --target."
            )
        who = take_action(table, self.who, out_of_turn=self.out_of_turn)
        check_touches(table, who, ", not even flames")
        for key in burning:
            conditions.end(table, target.id, key)
