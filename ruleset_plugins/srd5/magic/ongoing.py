"""Spells that go on: what they do at the start and the end of turns, before and after hits, and by later actions (R5.245).

On record: a ``when`` lies on those whom it is about, a ``later`` on who may use it, as all that lasts does (``lasting``).
Numbers are worked out from the caster as they then are. Of a save that is made again (R5.190) the data say with ``repeat``
where it stands; ``saved`` and ``missed`` count.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from rollbook.kit import conditions, fields, require
from rollbook.plugin import Character, Condition, Table, param
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.effects import lasting, laying
from rollbook.rulesets.srd5.effects.carrying_out import Cause, carry_out
from rollbook.rulesets.srd5.effects.lasting import AT, CHOSEN, OF, SLOT, effect_at, effects_on
from rollbook.rulesets.srd5.effects.rolls import deal_all
from rollbook.rulesets.srd5.fight import attack, damage, donning, durations, dying, encounter, places, states, turns
from rollbook.rulesets.srd5.magic import aims, casting, concentration, spells
from rollbook.rulesets.srd5.tasks import d20_tests, saves

TURN = "did in turn"
ENTERS, LEAVES, IMAGES = "enters", "leaves", "images"
SAVED, MISSED = "saved", "missed"


class Going(NamedTuple):
    """An effect that goes on: on whom, by which condition, under which path; ``placed`` for one that lies on a place."""

    holder: str
    condition: Condition
    effect: Any
    path: str
    placed: bool = False


def going(who: Character, kind: str) -> Iterator[Going]:
    """The effects of a kind that a condition keeps on somebody, or on a place of theirs, with their paths."""
    for held in tuple(who.conditions.values()):
        yield from _kept_by(held, who.id, kind)


def _kept_by(held: Condition, name: str, kind: str) -> Iterator[Going]:
    origin = fields.text(held.data, OF)
    for key in (AT, laying.PLACED) if origin else ():
        for path in fields.names(held.data, key):
            effect = effect_at(origin, path)
            if effect is not None and effect.kind == kind:
                yield Going(name, held, effect, path, key == laying.PLACED)


def cause_again(table: Table, rolls: d20_tests.TestRolls, held: Condition) -> Cause:
    """The cause of what lasts, once more: with the numbers that its caster has now."""
    origin, above = fields.text(held.data, OF), fields.number(held.data, SLOT)
    spell = catalogue.spells().get(origin.removeprefix("spell:"))
    if spell is None or not table.knows(held.source):
        dc = fields.number(held.data, durations.DC)
        name = spell.name if spell is not None else origin.rpartition(":")[2]
        return Cause(table=table, rolls=rolls, source=held.source, origin=origin, name=name, level=above, dc=dc)
    who = table.character(held.source)
    chosen = held.data.get(CHOSEN)
    cause = casting.cause_of(table, rolls, who, spell, spells.source_or_usual(who, spell), above)
    is_held = durations.CONCENTRATION in held.data
    return cause.with_(chosen=(chosen,) if isinstance(chosen, str) else (), concentration=is_held)


def run(table: Table, each: Going, targets: tuple[str, ...], **changes: Any) -> None:
    """Do what goes on to some targets, with changes of its cause."""
    with d20_tests.TestRolls.at(table) as rolls:
        cause = cause_again(table, rolls, each.condition).with_(**changes)
        carry_out(cause, each.effect.do, targets, f"{each.path}/do")


def happen(table: Table, name: str, *moments: str, on: str = "", source: str = "") -> None:
    """Do what lies on somebody for one of these moments; ``on`` is whom it strikes instead.

    With a ``source`` only what is theirs, and what lies on places too.
    """
    who = table.character(name)
    for each in tuple(going(who, "when")) if who.conditions else ():
        is_still = table.character(name).has(each.condition.name)
        is_meant = each.condition.source == source if source else not each.placed
        is_now = is_still and is_meant and any(word in moments for word in each.effect.when)
        if is_now and lasting.is_strongest(who, each.condition):
            _do(table, each, on or name)


def _do(table: Table, each: Going, on: str) -> None:
    """Do it once a turn, if it says so, and only in the case that it names."""
    effect, who = each.effect, table.character(each.holder)
    turn = table.encounter.turn if table.encounter is not None else 0
    held = who.conditions[each.condition.name]
    if effect.once == "turn" and turn and fields.number(held.data, TURN) == turn:
        return
    if effect.given == "zero hit points" and not dying.is_down(who):
        return
    if effect.once and turn:
        conditions.change(table, each.holder, held, data={TURN: turn})
    run(table, each, () if each.placed else (on,))


def begin_turn(table: Table, rolls: d20_tests.TestRolls, name: str) -> None:  # noqa: ARG001 - as AT_START
    """Do what spells do when a turn begins, to who has it and by who has it."""
    happen(table, name, "target's turn start", "source's turn")
    _of_source(table, name, "source's turn start")


def end_turn(table: Table, rolls: d20_tests.TestRolls, name: str) -> None:
    """Do what spells do when a turn ends."""
    happen(table, name, "target's turn end")
    for each in tuple(going(table.character(name), "damage")):
        deal_all(cause_again(table, rolls, each.condition), (each.effect,), (name,))
        conditions.end(table, name, each.condition.name)
    _of_source(table, name, "source's turn end")


def _of_source(table: Table, name: str, moment: str) -> None:
    for who in table.with_conditions():
        happen(table, who.id, moment, source=name)


def hit(blow: attack.Blow, through: int) -> None:  # noqa: ARG001 - as AFTER_HIT
    """Do what a target has for who hits it in melee."""
    if blow.aim.melee and blow.target.conditions:
        happen(blow.table, blow.target.id, "hit in melee", on=blow.attacker.id)


def _pass_on(table: Table, name: str, through: int) -> None:
    """Do what happens when somebody is damaged; a bond passes the damage on."""
    for each in tuple(going(table.character(name), "when")):
        if "damaged" in each.effect.when and each.condition.source != name:
            damage.deal(table, each.condition.source, ((through, ""),))


def fallen(table: Table, name: str) -> None:
    """Keep somebody at 1 hit point whom a ward keeps from falling."""
    who = table.character(name)
    ward = next((each for each in going(who, "when") if "would drop to zero" in each.effect.when), None)
    if ward is not None and dying.is_down(who):
        run(table, ward, (name,))


def over(table: Table, name: str, held: Condition) -> None:
    """Do what follows when a spell on somebody ends."""
    for each in _kept_by(held, name, "when"):
        if "spell ends" in each.effect.when and not each.placed:
            run(table, each, (name,), concentration=False)


def is_warded(table: Table, rolls: d20_tests.TestRolls, who: Character, target: str) -> bool:
    """True if somebody fails the save that a warded target asks for; who fails may choose another target."""
    for each in going(table.character(target), "when") if target != who.id else ():
        if "targeted" in each.effect.when:
            dc, versus = cause_again(table, rolls, each.condition).dc, (each.condition.name, "magic")
            if not saves.roll_save(table, rolls, who, "wis", dc, against=target, versus=versus):
                return True
    return False


def is_proof(blow: attack.Blow) -> bool:
    """True if spell attacks miss the target by themselves."""
    blocks = effects_on(blow.target, "block") if blow.strike.is_spell else ()
    return any("spell attacks" in held.effect.what for held in blocks)


@casting.REACHED.append
def unwarded(cast: spells.Casting, cause: Cause, reached: tuple[str, ...]) -> tuple[str, ...]:
    """The targets of a damaging spell without those whose ward turns it away; areas and attack rolls are not asked (R5.240)."""
    harms = cast.spell.area is None and any(deals_damage(each) for each in cast.spell.effects)
    return tuple(name for name in reached if not (harms and is_warded(cause.table, cause.rolls, cast.who, name)))


def deals_damage(effect: catalogue.Effect) -> bool:
    """True for damage, and for a save that some of it follows from."""
    return effect.kind == "damage" or any(deals_damage(each) for each in getattr(effect, "fail", ()))


def hits_an_image(blow: attack.Blow) -> bool:
    """True if a hit destroys a duplicate instead, unless the attacker needs no sight."""
    for held in effects_on(blow.target, "special") if blow.target.conditions else ():
        if held.effect.name == IMAGES and held.condition is not None:
            numbers, who = held.effect.numbers, blow.attacker
            if states.has(who, "blinded") or any(places.sense(who, each) for each in numbers["unless"]):
                continue
            left = fields.number(held.condition.data, IMAGES) or int(numbers["count"])
            faces = [blow.table.roll(numbers["die"], roller=blow.target.id, purpose="check").total for _ in range(left)]
            if max(faces) >= int(numbers["from"]):
                if left > 1:
                    conditions.change(blow.table, blow.target.id, held.condition, data={IMAGES: left - 1})
                else:
                    concentration.finish(blow.table, blow.target.id, held.condition)
                return True
    return False


def repeat_of(held: Condition) -> tuple[catalogue.kinds.Repeat, str] | None:
    """The repeated save of a condition and its path, None where a success simply ends it."""
    path, _, _ = fields.text(held.data, laying.REPEAT).rpartition("/")
    effect = effect_at(fields.text(held.data, OF), path) if path else None
    found = getattr(effect, "repeat", None)
    return (found, f"{path}/repeat") if isinstance(found, catalogue.kinds.Repeat) else None


def follow_save(table: Table, rolls: d20_tests.TestRolls, name: str, held: Condition, success: bool) -> None:
    """Count a success, and end what enough of them end, with the concentration of which it was the last; or a failure."""
    found = repeat_of(held)
    many = fields.number(held.data, SAVED) + 1
    if success and found is not None and many < found[0].successes:
        conditions.change(table, name, held, data={SAVED: many})
    elif success:
        concentration.finish_last(table, name, held)
    elif found is not None:
        _miss(table, rolls, name, held, *found)


def _miss(
    table: Table, rolls: d20_tests.TestRolls, name: str, held: Condition, repeat: catalogue.kinds.Repeat, path: str
) -> None:
    """Do what a failure does, once there are enough of them; then nothing is repeated any more."""
    many = fields.number(held.data, MISSED) + 1
    if many < repeat.failures:
        conditions.change(table, name, held, data={MISSED: many})
        return
    cause, span = cause_again(table, rolls, held), durations.seconds(repeat.lasts)
    if repeat.failures:
        until = table.clock + span if span else held.until
        conditions.change(table, name, held, until=until, data={durations.WHEN: (), MISSED: many})
    elif repeat.once:
        conditions.end(table, name, held.name)
    if repeat.then is not None:
        ability, dc = fields.text(held.data, durations.SAVE), fields.number(held.data, durations.DC)
        again = laying.repeated(repeat.then, ability, dc, f"{path}/then")
        cause = cause.with_(repeat=again, duration=laying.most_of(repeat.then, cause.duration))
    carry_out(cause, repeat.fail, (name,), f"{path}/fail")


def follow_damage(table: Table, name: str, through: int, source: str) -> None:
    """Do all that damage brings: concentration, what it ends, what it sets off, saves that are made again."""
    if not through:
        return
    if table.character(name).conditions:
        concentration.save(table, name, through, source)
        concentration.end_by(table, name, "damage", "shaken", source=source)
        _pass_on(table, name, through)
        with d20_tests.TestRolls.at(table) as rolls:
            encounter.save_again(table, rolls, name, "damaged")
    if source and table.knows(source) and table.character(source).conditions:
        concentration.end_by(table, source, "deals damage")


attack.BEFORE.append(is_proof)
attack.BEFORE.append(lambda blow: is_warded(blow.table, blow.rolls, blow.attacker, blow.target.id))
attack.DIVERTED.append(hits_an_image)
encounter.AT_START.append(begin_turn)
encounter.AT_END.append(end_turn)
attack.AFTER_HIT.append(hit)
dying.ON_FALLING.insert(0, fallen)
concentration.AFTER_END.append(over)
donning.ON_WEARING.append(concentration.end_by)
encounter.AFTER_SAVE.append(follow_save)
damage.AFTERWARDS.append(follow_damage)


class UseSpell(aims.SpellAction, verb="use-spell"):
    """Use a spell that goes on: strike with it again, move it, or let it do what it does to who comes in (R5.245)."""

    sentence = "uses {spell}[ on {target}][ on {targets}]"

    caster: str = param.character("whose spell it is, or who is to get free of it", actor=True)
    spell: str = param.words("which spell", fits=concentration.running, gm_only=False)
    moment: str = param.words("or at what moment: enters, leaves …", default="", gm_only=False, of="moment")

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        """Refuse who has no spell that goes on, and is under none."""
        holder = require.living(table, who)
        if not any(cls._going(table, holder)):
            table.refuse(f"No spell of {holder.name}'s goes on.")

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.caster)
        spell = spells.find(self.spell)
        found = [each for each in self._going(table, who) if each.condition.data.get(OF) == f"spell:{spell.key}"]
        if not found:
            table.refuse(f"No spell {spell.name} of {who.name}'s goes on.", "spell")
        if self.moment == LEAVES:
            for each in found:
                if each.holder in self.aimed_at:
                    conditions.end(table, each.holder, each.condition.name)
            return
        self._use(table, who, found, spell.name)

    @staticmethod
    def _going(table: Table, who: Character) -> Iterator[Going]:
        for other in table.characters():
            for kind in ("later", "when"):
                for each in going(other, kind):
                    if who.id in (other.id, each.condition.source):
                        yield each

    def _use(self, table: Table, who: Character, found: list[Going], name: str) -> None:
        kind = "when" if self.moment else "later"
        right = (each for each in found if each.effect.kind == kind)
        meant = {each.path: each for each in right if not self.moment or self._is_moment(each.effect)}
        if not meant:
            table.refuse(f"{name} does nothing now: say --moment enters, or another moment that it knows.", "moment")
        if not self.moment:
            action = next(iter(meant.values())).effect.action
            usual = action if action in (turns.BONUS, turns.REACTION) else turns.ACTION
            turns.take(table, who.id, self.cost or usual, out_of_turn=self.out_of_turn)
        with d20_tests.TestRolls(table, self.spared) as rolls:
            for path, each in meant.items():
                targets = self.aimed_at or (() if each.holder == each.condition.source else (each.holder,))
                cause = self.aimed(cause_again(table, rolls, each.condition))
                carry_out(cause, each.effect.do, targets, f"{path}/do")
                if self.moment == ENTERS:
                    _let_in(table, each.condition, targets)

    def _is_moment(self, effect: catalogue.Effect) -> bool:
        known = getattr(effect, "when", ())
        return any(self.moment in word for word in known) or (self.moment == ENTERS and "area reaches" in known)


def _let_in(table: Table, held: Condition, names: tuple[str, ...]) -> None:
    """Lay what a place does on those who come in."""
    paths = (*fields.names(held.data, AT), *fields.names(held.data, laying.PLACED))
    data = {key: value for key, value in held.data.items() if key != laying.PLACED} | {AT: paths}
    for name in names:
        who = table.character(name)
        other = f"{held.name} by {held.source}"
        label = conditions.name_for(who, held.name, lambda each: each.source == held.source, other)
        conditions.begin(table, name, label, source=held.source, detail=held.detail, until=held.until, data=data)
