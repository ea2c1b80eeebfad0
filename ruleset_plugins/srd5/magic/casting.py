"""The verb cast: any spell, from a slot, as a ritual, from a scroll or inborn (R5.170, R5.171, R5.184, R5.218–R5.249)."""

from collections.abc import Callable

import attrs

from rollbook.kit import conditions, counters, require, turn_limits, turn_order
from rollbook.plugin import Character, Table, events, param, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Spell
from rollbook.rulesets.srd5.character import classes, features
from rollbook.rulesets.srd5.effects.carrying_out import Cause, carry_out
from rollbook.rulesets.srd5.effects.lasting import OF, SLOT, effects_on
from rollbook.rulesets.srd5.fight import attack_edges, durations, states, turns
from rollbook.rulesets.srd5.growth import uses
from rollbook.rulesets.srd5.magic import aims, concentration, spells
from rollbook.rulesets.srd5.magic.spells import Casting, Changes, Source
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import checks
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

ALLOWED = UNPREPARED, NO_SLOT_NEEDED, COMPONENTS, ANY_TIME = "unprepared", "no slot", "components", "time"
SLOT_SPENT, CASTING, LEFT, READIED = "slot", "casting", "left", "readied"
RITUAL_SECONDS = 600
BRIEF = {"attack", "save", "damage"}
DEVICES = "Use Magic Device"


class Cast(aims.SpellAction, verb="cast"):
    """Cast a spell: the slot and the action are paid, then it does what it says (R5.170, R5.235)."""

    sentence = "casts {spell}[ on {target}][ on {targets}]"

    spell: str = param.words("which spell", fits=spells.castable, known=spells.names_of_all, gm_only=False)
    slot: int = param.number("the slot's level", default=0, minimum=0, maximum=9, after=("at", "with"), gm_only=False)
    at: tuple[str, ...] = param.names("the square in the middle, or where a cone points", default=(), gm_only=False)
    ready: bool = param.flag("held for a trigger, by concentration; casting it then is the reaction", gm_only=False)
    ritual: bool = param.flag("as a ritual: ten minutes more and no slot", gm_only=False)
    scroll: bool = param.flag("from a scroll that is used up", gm_only=False)
    critical: bool = param.flag("the attack that a smite follows was a critical hit", gm_only=False)
    features: tuple[str, ...] = param.names("features: subtle-spell …", default=(), gm_only=False, of="feature")
    safe: tuple[str, ...] = param.characters("whom a feature keeps safe from it", default=(), gm_only=False)
    allowed: tuple[str, ...] = param.choices("which rules the GM sets aside", ALLOWED, default=(), gm_only=True)

    @property
    def named(self) -> tuple[str, ...]:
        """The features that were named, as they are compared."""
        return tuple(slug(each) for each in self.features)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        """Refuse who has no spell, cannot act, or has nothing left to cast with."""
        caster = turns.check_able(table, who)
        if not any(spells.castable(caster)):
            table.refuse(f"{caster.name} has no spell to cast.")
        require.any_of(turns.COSTS[:3], lambda cost: turns.take(table, who, cost))

    def resolve(self, table: Table) -> None:
        meant = {} if self.target or spells.key_of(self.spell) else spells.split_off(table.campaign, self.spell)
        if meant:
            attrs.evolve(self, spell=meant["spell"], target=meant["target"]).resolve(table)
            return
        casting = self._casting(table)
        who, spell = casting.who, casting.spell
        targets = self.aimed_at or aims.usual(table, casting, self.at)
        aims.check(table, casting, targets, self.cover)
        self._pay(table, casting)
        if not self._is_done(table, casting):
            return
        only = targets[0] if len(targets) == 1 else ""
        table.record(events.PowerUsed(character=who.id, power=spell.key, target=only))
        concentration.end_by(table, who.id, "casts")
        with TestRolls(table, self.spared) as rolls:
            is_countered = concentration.is_countered(table, rolls, who, casting.level)
            if not is_countered or Settings.of(table).is_old:  # the edition of 2024 leaves the slot
                self._spend(table, casting)
            if is_countered:
                return
            if self.ready:
                _hold(table, casting)
            elif (not casting.scroll or _reads(table, rolls, casting)) and not _falters(table, casting):
                cause = cause_of(table, rolls, who, spell, casting.source, casting.above)
                self._let_go(self.aimed(cause).with_(critical=self.critical, at=self.at), casting, targets)

    def _let_go(self, cause: Cause, casting: Casting, targets: tuple[str, ...]) -> None:
        """Let the spell do what it does, with what features change and add."""
        for change in CHANGES:
            cause = change(casting, self, cause)
        concentration.end_of(cause.table, casting.who.id, "recast", origin=cause.origin)
        reached = aims.touched(cause.table, casting, targets)
        for turned in REACHED:
            reached = turned(casting, cause, reached)
        release(cause, casting.spell, reached, nobody=bool(targets) and not reached)
        for follow in AFTERWARDS:
            follow(casting, cause, reached)
        if aims.is_spoken(casting.spell, (*casting.source.without, *casting.changes.without)):
            conditions.end(cause.table, casting.who.id, attack_edges.HIDDEN)

    def _casting(self, table: Table) -> Casting:
        who, spell = require.living(table, self.caster), spells.find(self.spell)
        states.check_free(table, who, "cannot cast", "cast", "magic action")
        held = who.conditions.get(concentration.CONCENTRATING)
        if held is not None and concentration.held_spell(who) == f"{READIED}:{spell.key}" and not self.ready:
            level, source = spell.level + conditions.number(held, SLOT), spells.source_or_usual(who, spell)
            return Casting(who=who, spell=spell, source=source, level=level, is_readied=True)
        scroll = _scroll(table, who, spell) if self.scroll else ""
        source = _scroll_source(who, spell) if scroll else self._source(table, who, spell)
        changes = BEFORE[0](table, who, spell, self)
        if COMPONENTS not in self.allowed:
            aims.check_components(table, who, spell, (*source.without, *changes.without), material=not scroll)
        ritual = self.ritual or (source.ritual_only and not self.slot)
        if ritual and not spell.ritual:
            table.refuse(f"{spell.name} is no ritual.", "ritual")
        free = not spell.level or ritual or scroll or NO_SLOT_NEEDED in self.allowed
        free = free or bool(source.item) or (source.is_innate and not (self.slot and spells.free(who)))
        slot = spells.NO_SLOT if free else spells.choose(table, who, spell.name, spell.level, self.slot)
        freely = NO_SLOT_NEEDED in self.allowed or source.most > 0
        level = max(spell.level, source.level, slot.level, self.slot if freely else 0)
        made = Casting(who=who, spell=spell, source=source, slot=slot, level=level, ritual=ritual, scroll=scroll)
        return attrs.evolve(made, changes=changes, level=level + changes.level)

    def _source(self, table: Table, who: Character, spell: Spell) -> Source:
        found = spells.source_of(who, spell, by_slot=self.slot > 0)
        is_used_up = found is not None and found.uses > 0 and not spells.uses_left(who, spell, found)
        if is_used_up and NO_SLOT_NEEDED not in self.allowed:
            table.refuse(f"{who.name} has cast {spell.name} as often as a day allows.", "spell")
        if found is None and UNPREPARED not in self.allowed:
            lacks = f"{who.name} does not have {spell.name} prepared or on the list of a class"
            table.refuse(f"{lacks}. The GM allows it with: --allowed {UNPREPARED}", "spell")
        return found or Source(ability=spells.usual_ability(who))

    def _pay(self, table: Table, casting: Casting) -> None:
        """Pay the casting time, and mind that a turn has one slot, or one spell beside a bonus action's (R5.239)."""
        usual = casting.spell.casting if casting.spell.casting in turns.COSTS else turns.ACTION
        usual = turns.REACTION if casting.is_readied else usual
        is_smite = casting.spell.key == "divine-smite" and Settings.of(table).is_old
        cost = self.cost or casting.changes.cost or (turns.FREE if is_smite else usual)
        turns.take(table, casting.who.id, cost, out_of_turn=self.out_of_turn)
        fight = table.encounter
        if fight is None or not fight.current or self.out_of_turn or is_smite:
            return
        _check_turn(table, casting, turn_order.spent_on(fight, SLOT_SPENT), cost)
        if (casting.slot.level and not seconds_of(casting)) or Settings.of(table).is_old:
            sort = "bonus" if cost == turns.BONUS else "spell" if casting.spell.level else "cantrip"
            turn_order.spend(table, casting.who, SLOT_SPENT, about=f"{casting.who.id}:{sort}")

    def _is_done(self, table: Table, casting: Casting) -> bool:
        """True once a long casting is over; in a fight it takes the action of each turn and concentration (R5.171, R5.241)."""
        who, seconds, origin = casting.who, seconds_of(casting), f"{CASTING}:{casting.spell.key}"
        if casting.is_readied:
            concentration.end(table, who.id)
        if not seconds or ANY_TIME in self.allowed or casting.is_readied:
            return True
        if table.encounter is None:
            note = f"Casting {casting.spell.name} takes {seconds // 60} minutes."
            table.record(events.NoteWritten(text=note, about=who.id))
            return True
        held, mine = who.conditions.get(concentration.CONCENTRATING), concentration.held_spell(who) == origin
        left = (conditions.number(held, LEFT) if mine else seconds // durations.ROUND) - 1
        if left <= 0:
            concentration.end(table, who.id)
            return True
        detail = f"casting {casting.spell.name}, {left} turns more"
        concentration.hold(table, who.id, detail, {OF: origin, LEFT: left}, still=mine)
        return False

    def _spend(self, table: Table, casting: Casting) -> None:
        who, spell = casting.who, casting.spell
        spells.spend(table, who, casting.slot, spell.name)
        if casting.is_readied:
            return
        if casting.source.uses > 0 and not casting.slot.level:
            counters.change(table, who.id, counters.counter(spells.USED, spell.key), 1, spell.name)
        if casting.source.charges:
            above = casting.level - max(casting.source.level, spell.level)
            uses.spend_charges(table, who, casting.source.item, casting.source.charges + above)
        if casting.scroll:
            table.record(events.GearLost(character=who.id, item=casting.scroll))
        elif COMPONENTS not in self.allowed and "material" not in (*casting.source.without, *casting.changes.without):
            aims.use_up(table, who, spell)


def cause_of(table: Table, rolls: TestRolls, who: Character, spell: Spell, source: Source, above: int) -> Cause:
    """The cause of what a spell does: with the numbers of its caster, so many levels above its own."""
    cause = Cause(table=table, rolls=rolls, source=who.id, origin=f"spell:{spell.key}", name=spell.name, level=above)
    dc, attack, modifier = spells.save_dc(who, source), spells.attack_bonus(who, source), spells.modifier(who, source)
    numbers = {"dc": dc, "attack": attack, "modifier": modifier, "caster_level": spells.caster_level(who)}
    at = spell.level + above
    lasts = {"duration": duration_of(spell, at), "concentration": concentrates(spell, at)}
    return cause.with_(**numbers, **lasts, is_magic=True)


BEFORE: list[Callable[[Table, Character, Spell, Cast], Changes]] = []
CHANGES: list[Callable[[Casting, Cast, Cause], Cause]] = []
REACHED: list[Callable[[Casting, Cause, tuple[str, ...]], tuple[str, ...]]] = []
AFTERWARDS: list[Callable[[Casting, Cause, tuple[str, ...]], object]] = []
"""Changes that features make to a spell before it is let go, and what follows it: functions of casting and cause."""


def _falters(table: Table, casting: Casting) -> bool:
    """True if a chance that lies on the caster has a spell with gestures fail (Slow)."""
    found = effects_on(casting.who, "chance") if "S" in casting.spell.components else ()
    who = casting.who.id
    return any(table.roll("1d100", roller=who, purpose="chance").total <= each.effect.percent for each in found)


def _hold(table: Table, casting: Casting) -> None:
    """Hold a spell back that was cast, by concentration, until one's next turn begins (R5.182)."""
    who, spell = casting.who, casting.spell
    until = turn_limits.until_turn(table, who.id, turn_limits.START)
    data: events.Data = {**until, OF: f"{READIED}:{spell.key}", SLOT: casting.above}
    concentration.hold(table, who.id, f"{spell.name}, readied", data)


def _check_turn(table: Table, casting: Casting, spent: tuple[str, ...], cost: str) -> None:
    mine = [each.partition(":")[2] for each in spent if each.partition(":")[0] == casting.who.id]
    if not Settings.of(table).is_old:
        if casting.slot.level and mine:
            table.refuse(f"{casting.who.name} has spent a slot this turn, and a turn has one.", "spell")
        return
    is_plain = not casting.spell.level and casting.spell.casting == turns.ACTION
    if cost != turns.REACTION and (("bonus" in mine and not is_plain) or (cost == turns.BONUS and "spell" in mine)):
        table.refuse(f"Beside a spell as a bonus action {casting.who.name} casts only a cantrip this turn.", "spell")


def seconds_of(casting: Casting) -> int:
    """The seconds of a casting that takes a minute or more, 0 for one by an action."""
    span = durations.seconds(casting.spell.casting)
    return span + (RITUAL_SECONDS if casting.ritual else 0)


def duration_of(spell: Spell, level: int) -> str:
    """The duration at a slot's level; what lasts no time lasts until ended, where something is left of it."""
    held = [text for at, text in spell.slots.items() if int(at) <= level]
    duration = held[-1] if held else spell.duration
    above = max(level - spell.level, 0)
    if spell.duration_slot and above:
        hours = durations.seconds(duration) + above * durations.seconds(spell.duration_slot)
        return f"{hours // 3600} hours"
    return "" if duration == "instant" else duration


def concentrates(spell: Spell, level: int) -> bool:
    """True if a spell needs concentration at this level."""
    return spell.concentration and not (spell.no_concentration_from and level >= spell.no_concentration_from)


def release(cause: Cause, spell: Spell, targets: tuple[str, ...], *, nobody: bool = False) -> None:
    """Let a spell do what it does; what is words is written down for the GM."""
    table = cause.table
    if spell.words:
        because = f" No rule resolves it: {spell.reason}." if spell.reason else ""
        table.record(events.NoteWritten(text=f"{spell.name}: {spell.words}{because}", about=cause.source))
    if nobody:
        return
    if cause.concentration:
        concentration.begin(table, cause)
    effects, path = concentration.in_edition(table, spell)
    is_repeated = spell.targets is not None and spell.targets.repeat and targets
    many = aims.most_targets(spell, cause.level, cause.caster_level) if is_repeated else 0
    one_by_one = [(targets[min(number, len(targets) - 1)],) for number in range(many)]
    for meant in one_by_one if is_repeated else (targets,):
        carry_out(cause, effects, meant, path)
    for name in targets:
        concentration.end_by(table, name, spell.name)  # what this spell alone ends
    if cause.concentration and {each.kind for each in effects} <= BRIEF:
        concentration.end_if_nothing_is_held(table, cause.source, cause.origin)


def _scroll(table: Table, who: Character, spell: Spell) -> str:
    """The scroll of a spell that somebody carries. Refused without one, and for who cannot read it."""
    held = [item for item, gear in who.gear.items() if gear.count > 0 and "scroll" in slug(item)]
    found = next((item for item in held if spell.key in slug(item)), "")
    if not found:
        table.refuse(f'{who.name} has no scroll of it: give {who.id} "Spell Scroll ({spell.name})"', "scroll")
    lists = [row.key for row, _ in classes.classes_of(who)]
    if not set(lists) & set(spell.classes) and not features.has(who, DEVICES):
        table.refuse(f"{spell.name} is on no list of {who.name}'s, so the scroll cannot be read.", "scroll")
    return found


def _scroll_source(who: Character, spell: Spell) -> Source:
    row = catalogue.scrolls()[str(spell.level)]
    ability = "int" if features.has(who, DEVICES) else spells.usual_ability(who)
    return Source(ability=ability, dc=row.dc, attack=row.attack)


def _reads(table: Table, rolls: TestRolls, casting: Casting) -> bool:
    """Check whether somebody masters a scroll above their own level, by the spellcasting ability against 10 and the level."""
    who, spell = casting.who, casting.spell
    if features.has(who, DEVICES):
        return spell.level <= 1 or checks.roll_check(table, rolls, who, "int", 10 + spell.level, skill="arcana")
    pact = spells.pact_of(who)
    most = max([*(level for level in spells.LEVELS if spells.number_of(who, level)), pact.level if pact else 0, 0])
    return spell.level <= most or checks.roll_check(table, rolls, who, casting.source.ability, 10 + spell.level)
