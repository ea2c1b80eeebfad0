"""Casting: one action and one task roll, saves of the unwilling, harm and healing (Q0.66, Q0.67).

The rules leave the effects of spells to the GM, who sets them beforehand (``spell_effects``) or with the command. Twice
the level is added once per casting: to the first target that it harms (arcane) or heals (divine).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import repeat

from rollbook.kit import clock, d20, require, vocabulary
from rollbook.plugin import ABILITIES, Character, DiceStep, Table, Term, events, param
from rollbook.rulesets.storytoken.body import conditions, harm, hit_points
from rollbook.rulesets.storytoken.character.roles import TOPICS, role_terms, topic_terms
from rollbook.rulesets.storytoken.fight import arms, turns
from rollbook.rulesets.storytoken.magic import spells
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks.saves import AGAINST_MAGIC, SAVING_THROW, promise_ease, save_resolved
from rollbook.rulesets.storytoken.tasks.task_rolls import INSIGHT, INSIGHT_HELP, TaskAction, TaskRolls, unaware_terms

OWN_ABILITY = {"arcane": "int", "divine": "wis", "": "cha"}
"""The ability of a tradition; inborn spells, and those of songs and pacts, are cast by Charisma (R0.10–R0.12)."""

PACTS = ("pact", "song")
"""The traits of characters who cast learned spells by Charisma (R0.12)."""

CAST = "cast"
ALL, HALF = "all", "half"


class Cast(TaskAction, verb="cast"):
    """Cast a spell: 1d20 + INT or WIS + level + 2 against 15; the unwilling save against the level + 10 (Q0.66)."""

    sentence = "casts {spell:key}[ on {targets}]"
    typed_dice = (
        DiceStep(
            tests={"the d20 of the spell": CAST, "the d20s of all who save": SAVING_THROW},
            effects={
                "the minutes until an inborn power is back": "minutes until it can be used again",
                "the damage or healing for all": "damage|healing",
                **hit_points.AWAKENING,
            },
            whose=hit_points.OF_SPIRITS,
        ),
        spells.SHOCKED,
    )

    caster: str = param.character("who casts it", actor=True)
    spell: str = param.choice("which spell, by either side of it", spells.NAMES)
    targets: tuple[str, ...] = param.characters("on whom", default=(), gm_only=False)
    tradition: str = param.choice("of which list, if both have it", spells.TRADITIONS, default="", gm_only=False)
    ability: str = param.choice(
        "cha for a pact, a song or an inborn gift", ("int", "wis", "cha"), default="", gm_only=False
    )
    save: str = param.choice("the ability that unwilling targets save with", ABILITIES, default="", gm_only=True)
    half: bool = param.flag("a save that is made halves the harm instead of ending it", gm_only=True)
    damage: str = param.dice("what it does to each target, as dice or a number", default="", gm_only=True)
    heal: str = param.dice("what it gives back to each target, as dice or a number", default="", gm_only=True)
    effect: str = param.words("what else it does", default="", gm_only=True)
    tags: tuple[str, ...] = param.names(
        "what sort of damage it is: fire, cold, holy …", default=(), gm_only=True, of=vocabulary.DAMAGE
    )
    wordless: bool = param.flag("it needs no words", gm_only=True)
    unaware: tuple[str, ...] = param.choices(INSIGHT_HELP, (INSIGHT,), default=(), gm_only=True)
    save_advantage: tuple[str, ...] = param.names("what makes the targets' saves easier", default=(), gm_only=True)
    save_disadvantage: tuple[str, ...] = param.names("what makes the targets' saves harder", default=(), gm_only=True)
    save_topic: str = param.choice(
        "what the saves are about, for the bonus of a role", TOPICS, default="", gm_only=True
    )
    save_spared: tuple[str, ...] = param.choices(
        f"conditions of the targets to ignore: {conditions.SPARED}", conditions.SITUATIONAL, default=(), gm_only=True
    )
    promised: tuple[str, ...] = param.characters(
        "which of them are to be made to break a promise (Faerie)", default=(), gm_only=True
    )
    ghostly: bool = param.flag("the GM rules that a ghost's spell reaches the living", gm_only=True)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        caster = turns.take_action(table, who)
        if not spells.innate_spell(caster) and not any(spells.known_spells(caster, each) for each in spells.TRADITIONS):
            table.refuse(f"{caster.name} knows no spell. Learn one with: learn-spell")
        if conditions.is_silent(caster):
            table.refuse(f"{caster.name} cannot speak, and spells need words.")

    def resolve(self, table: Table) -> None:
        """Cast with the effects given in the command, or else with those that the GM set before."""
        spells.with_effects(self, table.character(self.caster), self.spell).cast(table)

    def cast(self, table: Table) -> None:
        """Cast the spell with the effects of this casting."""
        who = turns.take_action(table, self.caster, out_of_turn=self.out_of_turn)
        tradition = self._source(table, who)
        if conditions.is_silent(who) and not self.wordless:
            table.refuse(
                f"{who.name} cannot speak, and {self.spell} needs words. If it does not, say --wordless.", "spell"
            )
        if (self.damage or self.heal) and not self.ghostly:  # R0.153
            hit_points.check_touches(table, who, ", and a ghost's spell harms or heals nobody (unless --ghostly)")
        if tradition:
            self._use_up(table, who)
        if self.damage:
            conditions.end(table, who.id, arms.HIDDEN)
        with TaskRolls(table) as rolls:
            works = self._roll(table, rolls, who, tradition)
            felt = [(name, self._feels(table, rolls, who, name)) for name in self.targets if works]
            if not tradition:
                spells.go_off(table, who, self.targets[0] if self.targets else "")
            affected = [(name, share) for name, share in felt if share]
            self._harm(table, rolls, who, tradition, affected)
            self._heal(table, who, tradition, affected)

    def _source(self, table: Table, who: Character) -> str:
        """The tradition of the spell, "" for the caster's inborn one. Refused if the caster does not know it."""
        if spells.is_same(self.spell, spells.innate_spell(who)) and not self.tradition:
            if who.has(conditions.RECHARGING):
                table.refuse(f"{who.name}'s inborn power rests. It comes back within minutes: pass-time.")
            return ""
        traditions = [self.tradition] if self.tradition else spells.traditions_of(who)
        known = [each for tradition in traditions for each in spells.known_spells(who, tradition)]
        spell = next((each for each in known if spells.is_called(each, self.spell)), None)
        if spell is None:
            listed = ", ".join(each.title for each in known) or "none"
            table.refuse(
                f"{who.name} does not know {self.spell}. Known are: {listed}. Learn one with: learn-spell", "spell"
            )
        if who.level < spell.minimum:
            table.refuse(f"{spell.title} takes level {spell.minimum}, and {who.name} has level {who.level}.", "spell")
        return spell.tradition

    def _use_up(self, table: Table, who: Character) -> None:
        """Use up one casting, as many a day as levels, where the table counts them (Q0.66)."""
        settings = Settings.of(table)
        if settings.casts_per_day == "unlimited":
            return
        ready_in = partial(clock.power_ready_in, table, who, calendar=settings.by_calendar)
        slots = (f"{CAST} {number}" for number in range(1, who.level + 1))
        free = next((slot for slot in slots if not ready_in(slot)), None)
        if free is None:
            many = f"{who.level} spell{'' if who.level == 1 else 's'}"
            table.refuse(f"{who.name} has cast {many} today, and at this table that is all for a day.")
        clock.use_power(table, who, free, calendar=settings.by_calendar)

    def _roll(self, table: Table, rolls: TaskRolls, who: Character, tradition: str) -> bool:
        settings = Settings.of(table)
        if settings.cast_target == "auto":
            effect = f": {self.effect}" if self.effect else ""
            table.record(events.NoteWritten(text=f"{who.name} casts {self.spell}{effect}", about=who.id))
            return True
        ability = self.ability or OWN_ABILITY[tradition]
        if ability not in (OWN_ABILITY[tradition], "cha"):
            own = f"{tradition.title()} magic is cast with {OWN_ABILITY[tradition].upper()}, or with CHA."
            table.refuse(own if tradition else "Inborn magic is cast with CHA.", "ability")
        if tradition and ability == "cha" and not any(pact in who.traits for pact in PACTS):
            require.ruling(table, "ability", f"{who.name} has the trait {' or '.join(PACTS)}")
        goal = int(settings.cast_target)
        terms = [*topic_terms(who, f"{tradition} effect", settings), *d20.bonuses(table, self.bonus)]
        terms += unaware_terms(table, who, self.unaware, damage=False)
        roll = self.roll_task(rolls, who, ability, "check", purpose=CAST, terms=terms)
        works = roll.total >= goal
        outcome = self.effect if works else "the spell fails"
        d20.record_roll(table, self.spell, roll, goal, success=works, outcome=outcome)
        return works

    def _feels(self, table: Table, rolls: TaskRolls, who: Character, name: str) -> str:
        """The share of the spell that reaches a target: all of it, half of it or "" (R0.22, R0.87)."""
        target = self._target(table, name)
        if conditions.is_magic_proof(target):
            table.record(events.NoteWritten(text=f"{target.name} is warded against {self.spell}", about=name))
            return ""
        if not self.save:
            return ALL
        ease = d20.Advantage(self.save_advantage, self.save_disadvantage)
        roll = rolls.task(
            target,
            self.save,
            kinds=("save",),
            purpose=SAVING_THROW,
            terms=topic_terms(target, self.save_topic, Settings.of(table)),
            ease=ease + promise_ease(table, target) if name in self.promised else ease,
            spared=self.save_spared,
        )
        saved = save_resolved(table, self.save, roll, who.level + AGAINST_MAGIC, against=who.id)
        return (HALF if self.half else "") if saved else ALL

    def _target(self, table: Table, name: str) -> Character:
        """A target: the living, or the dead for a spell with only an effect, such as raising them (QG.9)."""
        who = table.character(name)
        calls = bool(self.effect) and not (self.damage or self.heal)
        return who if calls and who.present else require.living(table, name)

    def _harm(
        self, table: Table, rolls: TaskRolls, who: Character, tradition: str, affected: Sequence[tuple[str, str]]
    ) -> None:
        if not self.damage or not affected:
            return
        settings = Settings.of(table)
        extra = role_terms(who, "spell_damage", settings) if tradition == "arcane" else []
        extra += unaware_terms(table, who, self.unaware, damage=True)
        tags = tuple(dict.fromkeys((*self.tags, hit_points.MAGIC)))
        for (name, share), total in zip(affected, self._totals(table, who, self.damage, extra, "damage"), strict=False):
            dealt = settings.half(total) if share == HALF else total
            if dealt > 0:
                harm.hurt(table, name, dealt, tags=tags, source=who.id, rolls=rolls)

    def _heal(self, table: Table, who: Character, tradition: str, affected: Sequence[tuple[str, str]]) -> None:
        healed = [name for name, _ in affected if conditions.heals(table.character(name))]
        if not self.heal or not healed:
            return
        extra = role_terms(who, "spell_healing", Settings.of(table)) if tradition == "divine" else []
        for name, total in zip(healed, self._totals(table, who, self.heal, extra, "healing"), strict=False):
            hit_points.restore(table, name, max(total, 0), tags=(hit_points.MAGIC,), source=who.id)

    def _totals(self, table: Table, who: Character, amount: str, extra: Sequence[Term], purpose: str) -> Iterator[int]:
        """One roll for all targets; the terms are added once per casting, for the first of them (Q0.67)."""
        total = table.roll(d20.notation(amount, extra), roller=who.id, purpose=purpose).total
        yield total
        yield from repeat(total - sum([term.amount for term in extra]))
