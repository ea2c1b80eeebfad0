"""Turning undead away, or destroying them (R0.176, Q0.68, Q0.78)."""

from functools import partial

from rollbook.kit import clock, d20, equipment, require
from rollbook.plugin import Character, DiceStep, Table, events, param
from rollbook.rulesets.storytoken.body import conditions, hit_points
from rollbook.rulesets.storytoken.character import heritages, roles
from rollbook.rulesets.storytoken.fight import arms, movement, turns
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks.task_rolls import TaskAction, TaskRolls

UNDEAD, HIT_DICE_COUNT, HOLY_SYMBOL = "undead", "hd", "holy symbol"
"""The trait of undead monsters, the stat of hit dice that were entered (Q0.78), the use of a thing that they fear (R0.176)."""

REACH, DESTROYED_BY, TURNING = 60, 10, "turn undead"


def is_undead(who: Character) -> bool:
    """Tell if a character is undead, by birth or by trait."""
    return heritages.heritage_of(who).undead or UNDEAD in who.traits


def _check_undead(table: Table, who: Character) -> None:
    if not is_undead(who):
        table.refuse(f"{who.name} is not undead. If the GM says so: trait {who.id} {UNDEAD}", "targets")


def hit_dice(who: Character) -> int:
    """A creature's hit dice, at least 1."""
    return max(who.stats.get(HIT_DICE_COUNT, 0) or who.level, 1)


class TurnUndead(TaskAction, verb="turn-undead"):
    """Hold up a holy symbol: 1d20 + level against 10 + the hit dice of each undead within 60 feet (R0.176)."""

    sentence = "turns {targets}"
    typed_dice = (
        DiceStep(tests={"the d20 of the turning": TURNING}, effects={"the 2d6 of hit dice": "hit dice turned"}),
    )

    who: str = param.character("who turns them", actor=True)
    targets: tuple[str, ...] = param.characters(
        "which undead; each has as many hit dice as levels, or as its stat hd says"
    )
    distance: int = param.number(
        "how far the farthest of them is", default=0, minimum=0, maximum=REACH, unit="feet", gm_only=False
    )
    without_symbol: bool = param.flag("the GM rules that no holy symbol is needed", gm_only=True)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        actor = turns.take_action(table, who)
        roles.check_power(table, actor, "turning")
        cls._check_symbol(table, actor)
        require.any_of(table.characters(), partial(_check_undead, table))

    def resolve(self, table: Table) -> None:
        """One d20 for the whole group; then 2d6 + level hit dice of them, the lowest first (Q0.68)."""
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        roles.check_power(table, who, "turning")
        if not self.without_symbol:
            self._check_symbol(table, who)
        undead = sorted(self._undead(table), key=hit_dice)
        terms = [*roles.role_terms(who, "turning", Settings.of(table)), *d20.bonuses(table, self.bonus)]
        terms += conditions.bonus_terms(who, ("check",))
        ease = self.ease + conditions.ease_of(who, "", ("check",), self.spared)
        with TaskRolls(table) as rolls:
            roll = rolls.with_advantage(who.id, terms, purpose=TURNING, ease=ease)
        turned = [each for each in undead if self._meets(table, roll, each)]
        if turned:
            self._turn(table, who, roll, turned)

    @staticmethod
    def _check_symbol(table: Table, who: Character) -> None:
        """Refuse a character without a holy symbol to hold up (R0.176)."""
        if next(equipment.used_as(who, HOLY_SYMBOL), None) is None:
            table.refuse(f"{who.name} has no holy symbol. The GM gives one: give {who.id} ITEM --use {HOLY_SYMBOL!r}")

    def _undead(self, table: Table) -> list[Character]:
        """The undead that it can reach: not the warded, nor any that have withstood it. Refused if none are left."""
        found = [require.living(table, name) for name in dict.fromkeys(self.targets)]
        if not found:
            table.refuse("Name at least one of the undead.", "targets")
        for each in found:
            _check_undead(table, each)
        for each in found:
            away = movement.place_of(table, table.character(self.who), each, arms.Place(self.distance), "distance")
            if away.band or away.feet > REACH:
                table.refuse(
                    f"{each.name} is farther away than {REACH} feet, and turning reaches no farther (R0.176).",
                    "targets",
                )
        proof = {each.id: why for each in found if (why := self._why_proof(each))}
        if len(proof) == len(found):
            table.refuse(" ".join(proof.values()), "targets")
        for name, why in proof.items():
            table.record(events.NoteWritten(text=why, about=name))
        return [each for each in found if each.id not in proof]

    @staticmethod
    def _why_proof(each: Character) -> str:
        if each.has(conditions.UNTURNABLE):
            return f"{each.name} has withstood it, and ignores it until a day has passed."
        return f"{each.name} is warded, and no magic reaches {each.name}." if conditions.is_magic_proof(each) else ""

    def _meets(self, table: Table, roll: d20.RollResult, each: Character) -> bool:
        """True if the roll turns one of them, on record; one that it does not turn is immune for 24 hours."""
        goal = 10 + hit_dice(each)
        success = roll.total >= goal
        d20.record_roll(table, TURNING, roll, goal, success=success, against=each.id)
        if not success:
            conditions.begin(table, each.id, conditions.UNTURNABLE, until=table.clock + clock.DAY)
        return success

    def _turn(self, table: Table, who: Character, roll: d20.RollResult, turned: list[Character]) -> None:
        left = table.roll(f"2d6 + {max(who.level, 0)}", roller=who.id, purpose="hit dice turned").total
        for each in turned:
            if hit_dice(each) > left:
                continue
            left -= hit_dice(each)
            if roll.total >= 10 + hit_dice(each) + DESTROYED_BY:
                if heritages.heritage_of(each).slain_by:
                    conditions.begin(table, each.id, hit_points.SLAIN, detail=TURNING)
                hit_points.die(table, each.id, who.id)
            else:
                conditions.begin(table, each.id, conditions.TURNED, source=who.id, until=table.clock + clock.DAY)
