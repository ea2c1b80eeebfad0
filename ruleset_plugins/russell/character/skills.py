"""Skills: slots for half of Intelligence, ranks up to 6, a d6 that must reach 6, and marks for every try (R3.25–R3.33).

Skills are open-ended: the list in ``skills.json`` only says which any character can try and which are physical. A skill
in a slot is a trait, its rank a number, its marks a pool.
"""

from rollbook.kit import counters, d20, data, fields, require, verbs, vocabulary
from rollbook.plugin import Action, Character, DiceStep, Table, Term, events, param
from rollbook.rulesets.russell.character.attributes import score
from rollbook.rulesets.russell.character.templates import effect_terms
from rollbook.rulesets.russell.delve import encumbrance, light
from rollbook.rulesets.russell.fight import rolls, turns
from rollbook.rulesets.russell.settings import house
from rollbook.rulesets.russell.wealth import downtime

SKILL = "skill"
"""The kind of the trait of a skill that fills a slot."""

RANK, MARKS = "rank", "marks"
"""The counters of a skill: the stat of its rank and the pool of its marks."""


class Skill(data.Row):
    """A skill in the list: ``kind`` is the sort of its test; any character can try an ``untrained`` one (R3.32)."""

    words: str
    kind: str = SKILL
    physical: bool = False
    untrained: bool = False


HIGHEST_RANK = 6


def highest_rank(level: int) -> int:
    """The highest rank of a skill at a level (R3.26)."""
    return max(0, min(level, HIGHEST_RANK))


KNOWN = data.by_key(__package__, "skills.json", Skill)


def skill(name: str) -> Skill:
    """A skill by its name; one that is not in the list needs training and is not physical."""
    return KNOWN.get(name) or Skill(key=name, words="")


def slot_terms(who: Character) -> tuple[Term, ...]:
    """Skill slots: half of Intelligence rounded down, and those of templates (R3.25)."""
    return (Term(max(score(who, "int"), 0) // 2, "half of INT", "R3.25", "stat.int"), *effect_terms(who, "skill_slots"))


def rank(who: Character, name: str) -> int:
    """The rank of a skill, 0 without training."""
    return who.stats.get(counters.counter(RANK, name), 0)


def marks(who: Character, name: str) -> int:
    """The marks beside a skill."""
    return who.pools.get(counters.counter(MARKS, name), 0)


def rank_term(who: Character, name: str) -> Term:
    """The summand of a skill test."""
    return Term(rank(who, name), name, "R3.27", f"stat.{counters.counter(RANK, name)}")


def skills_to_try(who: Character) -> tuple[str, ...]:
    """The skills of the list, and those that a character has learnt."""
    return tuple(dict.fromkeys((*KNOWN, *(name for name, _ in counters.counted(who.stats, RANK)))))


class Check(verbs.RollAction, verb="check"):
    """Test a skill: 1d6 + rank, 6 or more passes, a die of 1 never does; the try leaves a mark (R3.27–R3.29)."""

    sentence = "tries {check:a}|tries something"
    typed_dice = (DiceStep(tests={"the d6 of the skill": "*"}),)

    who: str = param.character("who tries", actor=True)
    skill: str = param.words(
        "which skill: stealth, searching, history …", fits=skills_to_try, gm_only=False, of=vocabulary.SKILL
    )
    untrained: bool = param.flag("the GM rules that anybody can try this without training (R3.32)", gm_only=True)
    bonus: tuple[str, ...] = param.names("further bonuses, as '+1 good rope'", default=(), gm_only=True)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        light.check_skill(table, table.character(who))
        turns.take_action(table, who)

    def resolve(self, table: Table) -> None:
        light.check_skill(table, table.character(self.who))
        self._check_trained(table)
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        known = skill(self.skill)
        ease = self.ease + (encumbrance.load_ease(who, "physical") if known.physical else d20.NO_ADVANTAGE)
        terms = (rank_term(who, self.skill), *d20.bonuses(table, self.bonus))
        rolls.roll_d6_test(table, who, terms, kind=known.kind, check=self.skill, ease=ease, one_fails=True)
        counters.change(table, who.id, counters.counter(MARKS, self.skill), 1, "a try")

    def _check_trained(self, table: Table) -> None:
        who = table.character(self.who)
        if not rank(who, self.skill) and not self.untrained and not skill(self.skill).untrained:
            table.refuse(
                f"{who.name} has no rank in {self.skill}, and it takes training. If the GM rules that anybody can try, or "
                f"that it is common knowledge: --untrained",
                "skill",
            )


class Learn(Action, verb="learn", gm_only=True):
    """Fill a skill slot; there are as many as half of Intelligence (R3.25)."""

    sentence = "teaches {who} {skill:key}"

    who: str = param.character("who learns it")
    skill: str = param.label("which skill", of=vocabulary.SKILL)
    rank: int = param.number("the rank to begin with", default=0, minimum=0, maximum=HIGHEST_RANK)

    def resolve(self, table: Table) -> None:
        """Never more skills than slots, never a rank above the level (R3.26)."""
        who = table.character(self.who)
        if self.skill in who.traits_of(SKILL):
            table.refuse(
                f"{who.name} has {self.skill} already; ranks come by practice: practise {who.id} {self.skill}", "skill"
            )
        slots = sum(term.amount for term in slot_terms(who))
        if len(who.traits_of(SKILL)) >= slots:
            held = ", ".join(who.traits_of(SKILL)) or "-"
            table.refuse(f"{who.name} has {slots} skill slots, and they are full: {held}.", "skill")
        most = highest_rank(who.level)
        if self.rank > most:
            table.refuse(f"At level {who.level} no skill of {who.name}'s can be above rank {most}.", "skill")
        table.record(events.TraitGained(character=who.id, trait=self.skill, kind=SKILL))
        missing = self.rank - rank(who, self.skill)
        if missing > 0:
            stat = counters.counter(RANK, self.skill)
            table.record(events.StatChanged(character=who.id, stat=stat, amount=missing, reason="learnt"))
        elif not rank(who, self.skill) and not skill(self.skill).untrained:
            text = f"{self.skill} takes training: without a rank the GM decides whether it can be tried (--untrained)"
            table.record(events.NoteWritten(text=text))


class Practise(verbs.RollAction, verb="practise"):
    """Practise a skill for a week: its marks are erased, and an INT save raises its rank by one (R3.30, R3.31)."""

    sentence = "practises {skill:key}"
    typed_dice = (DiceStep(tests={"the d20 of the save": "practice"}),)

    who: str = param.character("who practises", actor=True)
    skill: str = param.words("which skill", fits=lambda who: who.traits_of(SKILL), of=vocabulary.SKILL, gm_only=False)
    mentor: str = param.words("who or what helps, which gives Advantage", default="", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        learner = require.living(table, who)
        require.any_of(learner.traits_of(SKILL), lambda each: cls(who=who, skill=each).check(table, learner))

    def resolve(self, table: Table) -> None:
        """One test a skill and week (Q3.16)."""
        who = require.living(table, self.who)
        self.check(table, who)
        downtime.use_week(table, who.id, self.skill)
        counters.empty(table, who.id, counters.counter(MARKS, self.skill), "practice")
        ease = self.ease + d20.Advantage(advantage=(self.mentor,) if self.mentor else ())
        if rolls.save(table, who, "int", ease=ease, against=self.skill, purpose="practice"):
            stat = counters.counter(RANK, self.skill)
            table.record(events.StatChanged(character=who.id, stat=stat, amount=1, reason="practice"))

    def check(self, table: Table, who: Character) -> None:
        """Refuse a skill that cannot be practised now."""
        needed, made, held = house(table).skill_marks_needed, marks(who, self.skill), rank(who, self.skill)
        fault = ""
        if self.skill not in who.traits_of(SKILL):
            fault = f"{self.skill} fills none of {who.name}'s skill slots. First: learn {who.id} {self.skill}"
        elif not downtime.weeks_left(who, self.skill):
            none = f"{who.name} has no week of downtime left for {self.skill}: one test for each skill and week"
            fault = f"{none}. The GM lets weeks pass with: downtime {who.id} --weeks NUMBER"
        elif fields.flag(who.conditions[downtime.DOWNTIME].data, downtime.BUSY):
            table.refuse(f"{who.name} spends this downtime on something else, full-time, and cannot practise as well.")
        elif made < needed:
            many = f"{made} mark{'' if made == 1 else 's'}"
            fault = f"{self.skill} has {many}, and practice takes {needed}. Try it more often."
        elif held >= highest_rank(who.level):
            fault = f"{self.skill} has rank {held}, the highest at level {who.level}. Rise a level first."
        if fault:
            table.refuse(fault, "skill")
