"""The verbs that begin and end conditions: afflict, relieve, escape, put-out (R0.63–R0.87, Q0.29)."""

from functools import partial

from rollbook.kit import d20, dying, require, verbs, vocabulary
from rollbook.plugin import ABILITIES, Action, Character, DiceStep, Handle, HandleKind, Table, events, param
from rollbook.rulesets.storytoken.body import conditions, hit_points, time_passing
from rollbook.rulesets.storytoken.character import heritage_powers, heritages
from rollbook.rulesets.storytoken.fight import turns
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks import checks, saves, task_rolls

ESCAPE = "escape"
DARKNESS = ("dark", "darkness")
"""The sources of a blindness that spares characters who see in the dark."""

LISTED = "; ".join(f"{each.key}: {each.words} ({each.rule})" for each in conditions.AFFLICTIONS.values())


class Afflict(Action, verb="afflict", gm_only=True):
    """Begin a condition, for some time or until it is relieved (R0.63–R0.87)."""

    sentence = "afflicts {who}: {condition:key}"
    handles = (Handle(kind=HandleKind.AFFLICT, who="who", what="condition", lasts="lasts", unit="unit"),)

    who: str = param.character("whose condition it is")
    condition: str = param.choice(f"which. {LISTED}", tuple(conditions.AFFLICTIONS))
    lasts: int = param.number("how long, in units; 0 until it is relieved", default=0, minimum=0, maximum=100_000)
    unit: str = param.choice("the unit of that time", tuple(conditions.UNITS), default="rounds")
    ability: str = param.choice("the ability that is impaired", ABILITIES, default="")
    source: str = param.words("what it comes from: what is feared, who demands", default="")
    caster: str = param.character("whose magic it is", default="")
    severity: int = param.number("what a save must reach to break free", default=0, minimum=0, maximum=1_000)
    detail: str = param.words(
        "the falsehood, the demand, the thing that is hacked (all actions without one)", default=""
    )

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        state = conditions.CONDITIONS[self.condition]
        if self.caster and conditions.is_magic_proof(who):
            table.refuse(f"{who.name} is warded: {table.character(self.caster).name}'s magic does nothing.", "who")
        self._check_sees(table, who)
        if state.of_ability != bool(self.ability):
            impaired = conditions.IMPAIRED_ABILITY
            table.refuse(f"--ability goes with {impaired}, and {impaired} needs one.", "ability")
        detail, data = self._about(table, state)
        conditions.begin(
            table,
            who.id,
            conditions.impaired(self.ability) if state.of_ability else state.key,
            source=self.caster or self.source,
            detail=detail,
            until=self._until(table, who, state),
            data=data,
            again=True,
        )

    def _check_sees(self, table: Table, who: Character) -> None:
        """Refuse to blind by darkness a character who sees in it (R0.141, R0.143, R0.145, R0.146, R0.152, R0.157)."""
        heritage, is_dark = heritages.heritage_of(who), self.source.casefold().removeprefix("the ") in DARKNESS
        if self.condition == conditions.BLINDED and is_dark and heritage.darkvision:
            table.refuse(
                f"{who.name} sees {heritage.darkvision} feet in the dark ({heritage.rule}), so {self.source} does not blind "
                f"{who.name}.",
                "who",
            )

    def _about(self, table: Table, state: conditions.State) -> tuple[str, events.Data]:
        """The detail that is shown, and the data. To break free is hard, or takes the caster's level + 10 (R0.22, Q0.31)."""
        if state.stages:
            return time_passing.STAGE_WORDS[0], {}
        if state.key == conditions.HACKED:
            return self.detail or "actions", {conditions.THING: self.detail}
        if not state.escape:
            return self.detail, {}
        severity = self.severity or (
            table.character(self.caster).level + saves.AGAINST_MAGIC if self.caster else checks.LADDER["hard"]
        )
        return f"{severity} to break free", {conditions.SEVERITY: severity}

    def _until(self, table: Table, who: Character, state: conditions.State) -> int:
        """The clock second at which it ends or enters its next stage; 0 if it does not end by itself."""
        settings = Settings.of(table)
        if state.stages:
            if self.lasts:
                table.refuse(
                    f"{state.name} takes as long as it takes. Leave out --lasts; it can be relieved before.", "lasts"
                )
            return table.clock + conditions.stage_seconds(who, state.stages[0], settings)
        if self.lasts and self.unit == "rounds":
            return conditions.rounds_from_now(table, who, self.lasts)
        if self.lasts:
            return table.clock + self.lasts * conditions.unit_seconds(self.unit, settings)
        if state.fades:
            unit = self.unit if self.unit != "rounds" else "minutes"
            return table.clock + conditions.fading_seconds(who, state.fades, unit, settings)
        return 0


class Relieve(Action, verb="relieve", gm_only=True):
    """End a condition: it is cured, lifted, cooled, fed, avoided (R0.63–R0.87)."""

    sentence = "relieves {who}: no longer {condition:key}"
    typed_dice = (DiceStep(effects=hit_points.AWAKENING, whose=hit_points.OF_SPIRITS),)
    handles = (Handle(kind=HandleKind.RELIEVE, who="who", what="condition"),)

    who: str = param.character("who is relieved")
    condition: str = param.words(
        "of which condition; an impaired ability is impaired-str, impaired-dex …",
        fits=lambda who: who.conditions,
        of=vocabulary.CONDITION,
    )
    reason: str = param.words("how", default="")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if not who.has(self.condition):
            table.refuse(
                f"{who.name} is not {self.condition}, but {', '.join(who.conditions) or 'in no condition'}.",
                "condition",
            )
        self._check_hit_points(table, who)
        if self.reason:
            table.record(events.NoteWritten(text=f"{who.name} is relieved: {self.reason}", about=who.id))
        if self.condition == conditions.RAGING:
            hit_points.end_rage(table, who.id)
        elif self.condition == conditions.EMBODIED:
            hit_points.decay(table, who.id)
        elif self.condition == conditions.DEAD:
            dying.revive(table, who.id, ends=(hit_points.SLAIN, conditions.STONE))
            hit_points.update_conditions(table, who.id)
        else:
            conditions.end(table, who.id, self.condition)
            if conditions.text(who.conditions[self.condition], conditions.STATE) == conditions.PROMISED:
                conditions.end(table, who.id, heritage_powers.forsworn(who.conditions[self.condition]))

    def _check_hit_points(self, table: Table, who: Character) -> None:
        """Refuse to relieve conditions that hit points decide: unconsciousness, and death by lost hit points (QG.9)."""
        settings = Settings.of(table)
        for_want = self.condition == conditions.UNCONSCIOUS or (
            self.condition == conditions.DEAD and who.has_lost(2 * hit_points.max_hp(who, settings))
        )
        if for_want:
            table.refuse(
                f"{who.name} is {self.condition} for want of hit points: heal, or adjust {who.id} hp", "condition"
            )


def _caught(table: Table, name: str) -> Character:
    """A character who cannot leave the spot, and tries for the first time this turn. Refused for any other."""
    who = turns.able(table, name)
    if not who.has(conditions.IMMOBILISED):
        table.refuse(f"{who.name} is not immobilised and can walk: move {who.id} FEET")
    if table.encounter is not None:
        turns.once_a_turn(table, who, ESCAPE, "tried to break free")
    return who


class Escape(task_rolls.TaskAction, verb="escape"):
    """Break free of what immobilises: a STR save, once a turn, that costs no action (R0.74, Q0.31)."""

    sentence = "tries to break free"
    typed_dice = (DiceStep(tests={"the d20 of the attempt": "escape"}),)

    who: str = param.character("who breaks free", actor=True)

    check_available = verbs.available_if(_caught)

    def resolve(self, table: Table) -> None:
        who = _caught(table, self.who)
        held = who.conditions[conditions.IMMOBILISED]
        ability = conditions.CONDITIONS[conditions.IMMOBILISED].escape
        with task_rolls.TaskRolls(table) as rolls:
            terms = d20.bonuses(table, self.bonus)
            roll = self.roll_task(rolls, who, ability, "save", purpose=ESCAPE, terms=terms)
        goal = conditions.number(held, conditions.SEVERITY) or checks.LADDER["hard"]
        if saves.save_resolved(table, ability, roll, goal, against=held.source):
            conditions.end(table, who.id, conditions.IMMOBILISED)


class PutOut(Action, verb="put-out"):
    """Put out flames, your own or another's: an action (R0.63, Q0.34)."""

    sentence = "puts out the flames[ of {target}]"

    who: str = param.character("who does it", actor=True)
    target: str = param.character("who is aflame, if not themselves", default="", gm_only=False)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        require.any_of(table.everybody(), partial(_flames, table))
        hit_points.check_touches(table, turns.take_action(table, who), ", not even flames")

    def resolve(self, table: Table) -> None:
        target = table.character(self.target or self.who)
        burning = _flames(table, target)
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        hit_points.check_touches(table, who, ", not even flames")
        for key in burning:
            conditions.end(table, target.id, key)


def _flames(table: Table, target: Character) -> list[str]:
    """The conditions of a character that can be put out. Refused if there are none."""
    burning = [state.key for state, _ in conditions.states_of(target) if state.put_out]
    if not burning:
        table.refuse(f"{target.name} is not aflame. Name the character who burns with --target.", "target")
    return burning
