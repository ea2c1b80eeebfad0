"""Concentration, moments that end spells, and spells that end others (R5.119–R5.121, R5.159, R5.240, R5.245, R5.249, Q5.35).

On record: the condition ``concentrating`` on the caster, its data ``of`` (an origin) and ``slot``; what it
holds is as ``kit.concentration`` has it. The condition ``countered`` is on who is stopped, until the turn ends;
``slot`` is the counterspell's level. In the edition of 2024 the caster saved by Constitution and keeps the slot. In that of
2014 nothing saves: a spell up to the slot's level fails, a higher one on a check of the one who counters, and the slot is gone.
"""

from collections.abc import Callable, Iterator, Mapping

from rollbook.kit import catalogues, conditions, equipment, fields, require, sides, verbs
from rollbook.kit import concentration as kit_concentration
from rollbook.plugin import CampaignState, Character, Condition, Table, character, choice, events, number, slug, words
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, Spell, kinds
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.effects import carrying_out, creatures, lasting, laying
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, carry_out, leave_to_gm
from rollbook.rulesets.srd5.effects.carrying_out import special as named
from rollbook.rulesets.srd5.effects.lasting import AT, OF, SLOT, effect_at
from rollbook.rulesets.srd5.fight import attack, damage, durations, dying, encounter, hit_points, states, turns
from rollbook.rulesets.srd5.growth import purse
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests, saves
from rollbook.rulesets.srd5.tasks.checks import roll_check
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

CONCENTRATING, SUMMONED = kit_concentration.CONCENTRATING, "summoned"
LEAST_DC, MOST_DC = 10, 30


SPELL_DICE = (dying.dice_of("part of the spell"), *dying.AFTER_HARM)


def begin(table: Table, cause: carrying_out.Cause) -> None:
    """Concentrate on a spell; what was held before ends (R5.119)."""
    until, data = durations.lasting(table, cause.duration, source=cause.source, target=cause.source)
    hold(table, cause.source, cause.name, {**data, OF: cause.origin, SLOT: cause.level}, until=until)


def hold(table: Table, name: str, what: str, data: events.Data, *, until: int = 0, still: bool = False) -> None:
    """Hold something by concentration: something new, or ``still`` the same."""
    states.check_free(table, table.character(name), "cannot concentrate", "concentration")
    HELD.hold(table, name, what, data, until=until, still=still)


def follow_end(table: Table, name: str, held: Condition) -> None:
    """Do what follows the end of a spell: a summoned creature goes with it."""
    if held.name == SUMMONED and table.character(name).present:
        table.record(events.CharacterLeft(character=name, reason=held.detail or SUMMONED))
    states.end_dependent(table, name)
    for follow in AFTER_END:
        follow(table, name, held)


AFTER_END: list[Callable[[Table, str, Condition], object]] = []
"""Functions of table, id and condition for what follows when a spell on somebody ends."""


HELD = kit_concentration.Concentration(follow_end)
held_spell, end, finish, finish_last, end_if_nothing_is_held = (
    HELD.of,
    HELD.end,
    HELD.finish,
    HELD.finish_last,
    HELD.end_empty,
)


def save(table: Table, name: str, through: int, source: str) -> None:
    """Save to keep concentration: Constitution against half the damage, at least 10 and at most 30 (R5.120).

    The edition of 2014 knows no most.
    """
    who = table.character(name)
    keeps = held_spell(who) == d20_tests.MARK and features.has(who, "Relentless Hunter")
    if not held_spell(who) or who.has(states.DEAD) or keeps:
        return
    dc = max(LEAST_DC, through // 2 if Settings.of(table).is_old else min(through // 2, MOST_DC))
    with d20_tests.TestRolls.at(table) as rolls:
        if not saves.roll_save(table, rolls, who, "con", dc, against=source, versus=(d20_tests.CONCENTRATION,)):
            end(table, name)


def lose(table: Table, name: str) -> None:
    """End the concentration of who falls, dies or becomes incapacitated, and what else hangs on them (R5.121, R5.159)."""
    who = table.character(name)
    if not states.is_unable(who):
        return
    end(table, name)
    falls = ("source at zero hit points",) if dying.is_down(who) or who.has(states.DEAD) else ()
    end_of(table, name, "source incapacitated", *(("source dies",) if who.has(states.DEAD) else ()), *falls)


dying.ON_FALLING.append(lose)
states.ON_BEGIN.append(lose)
encounter.AFTER_EXPIRY.append(follow_end)


ENDING = {"bonus action": turns.BONUS, "magic action": turns.ACTION, "let go": turns.FREE, "done": turns.FREE}
"""The part of a turn by which somebody ends what a feature or a thing of theirs does, by the words of the catalogue."""


def running(who: Character) -> tuple[str, ...]:
    """The spells and the like on a character that go on, by name: what they concentrate on first."""
    held = who.conditions.get(CONCENTRATING)
    own = filter(None, map(_name_of, who.conditions.values()))
    return tuple(dict.fromkeys((*((held.detail.casefold(),) if held is not None else ()), *own)))


def _name_of(held: Condition) -> str:
    """The name of the spell that a condition is of, or of what else may be ended, as it is typed; "" for none."""
    sort, key, feature = catalogue.split(fields.text(held.data, OF))
    if sort == "spell" and key in catalogue.spells():
        return catalogue.spells()[key].name.casefold()
    return feature.casefold() if any(each in ENDING for each in _ends(held)) else ""


def things(who: Character) -> tuple[str, ...]:
    """The things that somebody has."""
    return tuple(item for item, held in who.gear.items() if held.count > 0)


class Drop(verbs.DropAction, verb="drop"):
    """Let a spell go that lasts, the one concentrated on or another by its name, or drop a thing or coins (R5.121, R5.245).

    What a feature or a thing does is ended likewise, by the part of a turn that the text says (R5.538).
    """

    sentence = "lets {spell} go|drops {item:many}|lets a spell go"
    typed_dice = SPELL_DICE

    who: str = character("whose spell or thing it is", actor=True)
    item: str = words(
        "which thing or spell; the spell concentrated on if none is named",
        default="",
        fits=lambda who: (*running(who), *things(who)),
        gm_only=False,
    )
    count: int = number("how many things", default=1, minimum=1, maximum=1_000_000, gm_only=False)
    spell: str = words("the spell, where a thing is called the same", default="", fits=running, gm_only=False)
    coins: str = choice("the sort of coins, where the thing is one", ("", *purse.WORTHS), default="", gm_only=False)

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, events.ParameterValue]:  # noqa: ARG002
        """The spell, if one is named where a thing may be."""
        who = campaign.characters.get(self.who)
        if who is None or not self.item or equipment.called(who, self.item) in things(who):
            return {}
        if coin := purse.COINS.meant(campaign, self.who, self.item):
            return {"item": coin, "coins": coin}
        is_spell = self.item.casefold() in running(who) or catalogues.key_of(catalogue.spells, self.item)
        return {"item": "", "spell": self.item} if is_spell else {}

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        """Refuse who has no thing, and no spell that goes on."""
        if things(table.character(who)):
            return
        one = require.living(table, who)
        if not any(held.source == who and OF in held.data for _, held in conditions.everywhere(table)):
            _check_concentrates(table, one)

    def resolve(self, table: Table) -> None:
        if self.coins:
            purse.COINS.hand_out(table, self.who, self.coins, self.count)
            return
        if self.item:
            super().resolve(table)
            return
        who, wanted = require.living(table, self.who), self.spell.casefold()
        if not wanted:
            _check_concentrates(table, who)
        if held_spell(who) and wanted in ("", who.conditions[CONCENTRATING].detail.casefold()):
            end(table, who.id)
            return
        own = [(name, held) for name, held in conditions.everywhere(table) if held.source == who.id]
        meant = [(name, held) for name, held in own if slug(wanted) == slug(_name_of(held))]
        for cost in [ENDING[each] for each in _ends(meant[0][1]) if each in ENDING][:1] if meant else ():
            turns.take(table, who.id, cost)
        for name, held in meant:
            finish(table, name, held)
        if not meant:
            table.refuse(f"No spell of {who.name}'s called {self.spell} goes on.", "spell")


def _check_concentrates(table: Table, who: Character) -> None:
    if not held_spell(who):
        table.refuse(f"{who.name} concentrates on nothing. Another spell is named: drop SPELL", "spell")


def _ends(held: Condition) -> Iterator[str]:
    """The moments that end a condition, by the spell or the feature and by the effect that brought it."""
    origin = fields.text(held.data, OF)
    sort, key, feature = catalogue.split(origin)
    whole = catalogue.trait_of(origin) if feature else catalogue.row_of(sort, key)
    for each in (whole, *(effect_at(origin, path) for path in fields.names(held.data, AT))):
        yield from (*getattr(each, "ends", ()), *getattr(each, "ended_by", ()))


def end_by(table: Table, name: str, *moments: str, source: str = "") -> None:
    """End what lies on somebody and ends at one of these moments; damage has a ``source``."""
    for _, held in conditions.lying_on(table, (name,)):
        if OF in held.data and any(_is_met(table, held, each, moments, source) for each in _ends(held)):
            finish_last(table, name, held)


def end_of(table: Table, source: str, *moments: str, origin: str = "") -> None:
    """End everywhere what is somebody's, of an origin or of all, and ends at one of these moments of theirs."""
    for name, held in conditions.everywhere(table):
        is_meant = held.source == source and origin in ("", held.data.get(OF))
        if is_meant and not {*moments}.isdisjoint(_ends(held)):
            finish_last(table, name, held)


def _is_met(table: Table, held: Condition, moment: str, moments: tuple[str, ...], source: str) -> bool:
    if moment == "damage from the source's side" and source and table.knows(held.source):
        return source == held.source or sides.are_allies(table.character(held.source), table.character(source))
    return moment in moments


def _attacked(blow: attack.Blow, *_: int) -> None:
    if blow.attacker.conditions:
        end_by(blow.table, blow.attacker.id, "attack")


def _hurt(table: Table, name: str, *_: object) -> None:
    if table.character(name).conditions and not hit_points.temporary(table.character(name)):
        end_by(table, name, "no temporary hit points")


@AFTER_END.append
def unshaped(table: Table, name: str, held: Condition) -> None:
    """Turn back who had another shape by a spell that is over (R5.187)."""
    if any(getattr(effect_at(fields.text(held.data, OF), path), "into", ()) for path in fields.names(held.data, AT)):
        creatures.turn_back(table, name)


damage.AFTERWARDS.append(_hurt)
attack.AFTER_HIT.append(_attacked)
attack.AFTER_MISS.append(_attacked)
dying.ON_FALLING.append(lambda table, name: end_by(table, name, "zero hit points"))


COUNTERED, COUNTERSPELL, OWN_LEVEL = "countered", "counterspell", 3
READ = ("maximise", "slow fall", "images", "roll", "breathe", "walk on", "jump", "stays", "follow", "hand")
"""Rules that lie on their targets as long as the spell lasts, for those who read them and for the GM."""


@carries("end")
def end_own(cause: Cause, effect: kinds.End, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """End what this spell brought to the targets, and with the last of it the concentration."""
    table = cause.table
    for name, held in conditions.lying_on(table, targets):
        if held.data.get(lasting.OF) == cause.origin and held.name != CONCENTRATING:
            finish(table, name, held)
    end_if_nothing_is_held(table, cause.source, cause.origin)


@carries("dispel")
def dispel(cause: Cause, effect: kinds.Dispel, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """End the spells on the targets: those up to the slot's level, and higher ones by a check against 10 and the level."""
    table, most = cause.table, effect.level + cause.level
    caster = table.character(cause.source)
    for name, held in conditions.lying_on(table, targets):
        spell = catalogue.spells().get(fields.text(held.data, lasting.OF).removeprefix("spell:"))
        if spell is None or spell.undispellable or not table.character(name).has(held.name):
            continue
        level, ability = spell.level + fields.number(held.data, lasting.SLOT), spells.usual_ability(caster)
        if level > most and not roll_check(table, cause.rolls, caster, ability, 10 + level):
            continue
        if held.name == CONCENTRATING:
            end(table, name)
        else:
            finish_last(table, name, held)


@carries("special")
def special(cause: Cause, effect: kinds.Special, targets: Targets, path: str) -> None:
    """Do a rule of one spell; those that no rule knows are the GM's."""
    if effect.name in READ:
        laying.lay(cause, effect, targets, path)
    elif effect.name == "new target" and targets:
        _move_mark(cause, effect, targets)
    else:
        leave_to_gm(cause, effect, targets, path)


@named("break concentration")
def break_concentration(cause: Cause, effect: kinds.Special, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """End the concentration of the targets."""
    for name in targets:
        end(cause.table, name)


def _move_mark(cause: Cause, effect: kinds.Special, targets: Targets) -> None:
    """Take a mark from an old target that is down to a new one; it lasts no longer for it."""
    table, duration = cause.table, cause.duration
    for name, held in conditions.everywhere(table):
        if held.data.get(lasting.OF) == cause.origin and held.source == cause.source != name:
            who = table.character(name)
            if effect.numbers.get("if") == "zero hit points" and not (dying.is_down(who) or who.has(states.DEAD)):
                still = f"{who.name} still stands, and {cause.name} moves on when its target is down."
                table.refuse(still, "targets")
            duration = f"{max((held.until - table.clock) // durations.ROUND, 1)} rounds" if held.until else duration
            finish(table, name, held)
    carry_out(cause.with_(duration=duration), lasting.effects_of(cause.origin), targets)


def in_edition(table: Table, spell: Spell) -> tuple[tuple[Effect, ...], str]:
    """The effects of a spell in the edition that is played, and their path."""
    first = spell.effects[0] if spell.effects else None
    if spell.key == COUNTERSPELL and Settings.of(table).is_old and isinstance(first, kinds.Save):
        return first.fail, "0/fail"
    return spell.effects, ""


@carries("counter")
def counter(cause: Cause, effect: kinds.Counter, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Make the spell fail that the target casts next in this turn."""
    for name in targets:
        until, data = durations.lasting(cause.table, "end of the turn")
        more = {**data, lasting.SLOT: OWN_LEVEL + cause.level}
        conditions.begin(cause.table, name, COUNTERED, source=cause.source, until=until, data=more, again=True)


def is_countered(table: Table, rolls: TestRolls, who: Character, level: int) -> bool:
    """True if a counterspell stops the spell that somebody casts at a level."""
    held = table.character(who.id).conditions.get(COUNTERED)
    if held is None:
        return False
    conditions.end(table, who.id, COUNTERED)
    if not Settings.of(table).is_old or level <= conditions.number(held, lasting.SLOT) or not table.knows(held.source):
        return True
    other = table.character(held.source)
    return roll_check(table, rolls, other, spells.usual_ability(other), 10 + level)
