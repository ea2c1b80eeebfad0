"""Concentration, saves on damage, and moments that end spells (R5.119–R5.121, R5.159, R5.245, R5.249).

On record: the condition ``concentrating`` on the caster, its data ``of`` (an origin) and ``slot``. What it holds, on
whomever, has the data ``concentration``: the caster.
"""

from collections.abc import Callable, Iterator, Mapping

from rollbook.kit import conditions as kit
from rollbook.kit import equipment, fields, require, sides, verbs
from rollbook.plugin import CampaignState, Character, Condition, Table, character, events, number, slug, words
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import origins
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.effects import carrying_out, lasting, shapes
from rollbook.rulesets.srd5.effects.lasting import AT, OF, SLOT, effect_at
from rollbook.rulesets.srd5.fight import (
    attack,
    conditions,
    damage,
    donning,
    durations,
    dying,
    encounter,
    hit_points,
    turns,
)
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests, saves

CONCENTRATING, SUMMONED = "concentrating", "summoned"
LEAST_DC, MOST_DC = 10, 30


SPELL_DICE = (dying.dice_of("part of the spell"), *dying.AFTER_HARM)


def held_spell(who: Character) -> str:
    """The origin of the spell that somebody concentrates on, "" for none."""
    return kit.text(who.conditions.get(CONCENTRATING), OF)


def begin(table: Table, cause: carrying_out.Cause) -> None:
    """Concentrate on a spell; what was held before ends (R5.119)."""
    until, data = durations.lasting(table, cause.duration, source=cause.source, target=cause.source)
    hold(table, cause.source, cause.name, {**data, OF: cause.origin, SLOT: cause.level}, until=until)


def hold(table: Table, name: str, what: str, data: events.Data, *, until: int = 0, still: bool = False) -> None:
    """Hold something by concentration: something new, or ``still`` the same."""
    because = conditions.forbids(table.character(name), "concentration")
    if because:
        table.refuse(f"{table.character(name).name} cannot concentrate, because of {because}.")
    if not still:
        end(table, name)
    kit.begin(table, name, CONCENTRATING, detail=what, until=until, data=data, again=True)


def end(table: Table, name: str) -> bool:
    """End somebody's concentration and all that it holds (R5.121). Returns whether there was any."""
    if not kit.end(table, name, CONCENTRATING):
        return False
    for who in table.with_conditions():
        for held in durations.held_by(who, name):
            finish(table, who.id, held)
    return True


def finish(table: Table, name: str, held: Condition) -> None:
    """End what a spell left on somebody, and do what follows."""
    kit.end(table, name, held.name)
    follow_end(table, name, held)


def follow_end(table: Table, name: str, held: Condition) -> None:
    """Do what follows the end of a spell: a summoned creature goes with it."""
    if held.name == SUMMONED and table.character(name).present:
        table.record(events.CharacterLeft(character=name, reason=held.detail or SUMMONED))
    conditions.end_dependent(table, name)
    for follow in AFTER_END:
        follow(table, name, held)


AFTER_END: list[Callable[[Table, str, Condition], object]] = []
"""Functions of table, id and condition for what follows when a spell on somebody ends."""


def finish_last(table: Table, name: str, held: Condition) -> None:
    """End what a spell left on somebody, and with the last of it the concentration."""
    finish(table, name, held)
    end_if_nothing_is_held(table, held.source, fields.text(held.data, OF))


def end_if_nothing_is_held(table: Table, source: str, origin: str) -> None:
    """End a concentration that holds nothing any more."""
    if not source or not table.knows(source) or held_spell(table.character(source)) != origin:
        return
    if not any(durations.held_by(who, source) for who in table.with_conditions()):
        kit.end(table, source, CONCENTRATING)


def save(table: Table, name: str, through: int, source: str) -> None:
    """Save to keep concentration: Constitution against half the damage, at least 10 and at most 30 (R5.120).

    The edition of 2014 knows no most.
    """
    who = table.character(name)
    keeps = held_spell(who) == d20_tests.MARK and features.has(who, "Relentless Hunter")
    if not held_spell(who) or who.has(conditions.DEAD) or keeps:
        return
    dc = max(LEAST_DC, through // 2 if Settings.of(table).is_old else min(through // 2, MOST_DC))
    with d20_tests.rolls_at(table) as rolls:
        if not saves.roll_save(table, rolls, who, "con", dc, against=source, versus=(d20_tests.CONCENTRATION,)):
            end(table, name)


def lose(table: Table, name: str) -> None:
    """End the concentration of who falls, dies or becomes incapacitated, and what else hangs on them (R5.121, R5.159)."""
    who = table.character(name)
    if not conditions.is_unable(who):
        return
    end(table, name)
    falls = ("source at zero hit points",) if dying.is_down(who) or who.has(conditions.DEAD) else ()
    end_of(table, name, "source incapacitated", *(("source dies",) if who.has(conditions.DEAD) else ()), *falls)


dying.ON_FALLING.append(lose)
conditions.ON_BEGIN.append(lose)
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
    sort, key, feature = origins.split(fields.text(held.data, OF))
    if sort == "spell" and key in catalogue.spells():
        return catalogue.spells()[key].name.casefold()
    return feature.casefold() if any(each in ENDING for each in _ends(held)) else ""


def things(who: Character) -> tuple[str, ...]:
    """The things that somebody has."""
    return tuple(item for item, held in who.gear.items() if held.count > 0)


class Drop(verbs.DropAction, verb="drop"):
    """Let a spell go that lasts, the one concentrated on or another by its name, or drop a thing (R5.121, R5.245).

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

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, events.ParameterValue]:  # noqa: ARG002
        """The spell, if one is named where a thing may be."""
        who = campaign.characters.get(self.who)
        if who is None or not self.item or equipment.called(who, self.item) in things(who):
            return {}
        is_spell = self.item.casefold() in running(who) or catalogue.key_of(catalogue.spells, self.item)
        return {"item": "", "spell": self.item} if is_spell else {}

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        """Refuse who has no thing, and no spell that goes on."""
        if things(table.character(who)):
            return
        one = require.living(table, who)
        if not any(held.source == who and OF in held.data for _, held in lasting.everywhere(table)):
            _check_concentrates(table, one)

    def resolve(self, table: Table) -> None:
        if self.item:
            super().resolve(table)
            return
        who, wanted = require.living(table, self.who), self.spell.casefold()
        if not wanted:
            _check_concentrates(table, who)
        if held_spell(who) and wanted in ("", who.conditions[CONCENTRATING].detail.casefold()):
            end(table, who.id)
            return
        own = [(name, held) for name, held in lasting.everywhere(table) if held.source == who.id]
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
    sort, key, feature = origins.split(origin)
    whole = origins.trait_of(origin) if feature else origins.row_of(sort, key)
    for each in (whole, *(effect_at(origin, path) for path in fields.names(held.data, AT))):
        yield from (*getattr(each, "ends", ()), *getattr(each, "ended_by", ()))


def end_by(table: Table, name: str, *moments: str, source: str = "") -> None:
    """End what lies on somebody and ends at one of these moments; damage has a ``source``."""
    for _, held in lasting.lying_on(table, (name,)):
        if OF in held.data and any(_is_met(table, held, each, moments, source) for each in _ends(held)):
            finish_last(table, name, held)


def end_of(table: Table, source: str, *moments: str, origin: str = "") -> None:
    """End everywhere what is somebody's, of an origin or of all, and ends at one of these moments of theirs."""
    for name, held in lasting.everywhere(table):
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
        shapes.turn_back(table, name)


damage.AFTERWARDS.append(_hurt)
attack.AFTER_HIT.append(_attacked)
attack.AFTER_MISS.append(_attacked)
dying.ON_FALLING.append(lambda table, name: end_by(table, name, "zero hit points"))
donning.ON_WEARING.append(end_by)
