"""Damage and healing: blows, hazards, medicine and repair (R0.21, R0.52–R0.56, R0.62).

The harm of a blow depends on heritage and condition: rage halves it, a ghost feels none, and silver hurts a werebeast
three times over, which is counted last (Q0.53, Q0.59).
"""

from bisect import bisect_left
from functools import partial

from rollbook.kit import d20, equipment, require, verbs, vocabulary
from rollbook.plugin import ABILITIES, Character, CharacterKind, DiceStep, Table, Term, events, param
from rollbook.rulesets.storytoken.body import conditions, hit_points
from rollbook.rulesets.storytoken.character.heritage_powers import check_drinks, check_not_thirst_alone, feed
from rollbook.rulesets.storytoken.character.heritages import heritage_of
from rollbook.rulesets.storytoken.character.roles import TOPICS, check_power, role_terms
from rollbook.rulesets.storytoken.fight import turns
from rollbook.rulesets.storytoken.magic.spells import SHOCKED, shock
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks import saves, task_rolls

SILVER_LASTS = 24 * 3_600


def let_through(who: Character, dealt: int, tags: tuple[str, ...], settings: Settings, *, blow: bool) -> int:
    """The part of ``dealt`` that gets through. A ``blow`` is struck with a weapon; so is damage without tags.

    A weapon with magic in it still strikes a blow, which rage halves and a ward does not stop; only a ghost feels it.
    """
    heritage, is_magic, is_blow = heritage_of(who), hit_points.MAGIC in tags, blow or not tags
    if who.has(conditions.DORMANT) or (is_magic and not blow and conditions.is_magic_proof(who)):
        return 0
    through = dealt
    if is_blow and not is_magic and heritage.ghost and not who.has(conditions.EMBODIED):
        through = 0
    elif is_blow and any(state.halves_blows for state, _ in conditions.states_of(who)):
        through = settings.half(dealt)
    return through * heritage.silver if hit_points.SILVER in tags else through


def felling(who: Character, dealt: int, tags: tuple[str, ...], settings: Settings) -> int:
    """The part of a blow that it takes to fell the target; 0 if it does not, or if the target is down already (Q0.54)."""
    in_body = who.has(conditions.EMBODIED)
    left = who.pools.get(hit_points.BODY, 0) if in_body else hit_points.current_hp(who, settings)
    through = partial(let_through, who, tags=tags, settings=settings, blow=True)
    if left <= 0 or through(dealt) < left:
        return 0
    return 1 + bisect_left(range(1, dealt + 1), left, key=through)


def hurt(
    table: Table,
    name: str,
    dealt: int,
    *,
    tags: tuple[str, ...] = (),
    source: str = "",
    stop_at_zero: bool = False,
    blow: bool = False,
    rolls: task_rolls.TaskRolls | None = None,
) -> int:
    """Deal damage; with ``stop_at_zero`` only the hit points above 0 are lost. Returns how many are lost.

    A mutant's save against the shock is one of the action's ``rolls``.
    """
    who, settings = table.character(name), Settings.of(table)
    through = let_through(who, dealt, tags, settings, blow=blow)
    dealt = max(dealt, through)
    if who.has(conditions.EMBODIED):
        amount = hit_points.hurt_body(table, who, dealt, through, tags=tags, source=source)
        _shorten_rally(table, who, amount)
        return amount
    most = hit_points.max_hp(who, settings)
    at_most, spared = most - who.lost if stop_at_zero else None, dealt - through
    amount = hit_points.lose(table, name, dealt, tags=tags, source=source, at_most=at_most, spared=spared)
    if amount:
        _leave_marks(table, who, amount, tags, most=most)
    hit_points.update_conditions(table, name, most=most)
    if hit_points.SUNLIGHT in tags and heritage_of(who).turns_to_stone and table.character(name).has(conditions.DEAD):
        conditions.begin(table, name, conditions.STONE, source=hit_points.SUNLIGHT)
    if dealt and not who.has_lost(1):
        shock(table, name, source, rolls or task_rolls.TaskRolls(table))
    return amount


def _leave_marks(table: Table, who: Character, amount: int, tags: tuple[str, ...], *, most: int) -> None:
    """Record the other effects of a wound: on regeneration, and on the length of a rally."""
    heritage = heritage_of(who)
    if heritage.slain_by and who.has_lost(most - amount):
        deadly = next((tag for tag in tags if tag in heritage.slain_by), "")
        if deadly:
            conditions.begin(table, who.id, hit_points.SLAIN, detail=deadly)
        elif not who.has(conditions.DEAD):
            conditions.end(table, who.id, hit_points.SLAIN)
    if set(tags).intersection(heritage.lasting):
        table.record(events.PoolGained(holder=who.id, pool=hit_points.BURNS, amount=amount, reason=tags[0]))
    if hit_points.SILVER in tags and heritage.silver > 1:
        until = table.clock + SILVER_LASTS
        conditions.begin(table, who.id, conditions.SILVERED, source=hit_points.SILVER, until=until, again=True)
    _shorten_rally(table, who, amount)


def _shorten_rally(table: Table, who: Character, lost: int) -> None:
    """Shorten a rally, after a wound, to a number of rounds (R0.167, Q0.72)."""
    rally = who.conditions.get(conditions.RALLIED)
    rounds = conditions.number(rally, conditions.ROUNDS)
    if rally is None or not lost or not rounds:
        return
    until = conditions.rounds_from_now(table, who, rounds)
    if until < rally.until:
        conditions.change(table, who.id, rally, until=until)


MENDING = ("parts", "tools", "facility")
"""The uses of things that mend damaged objects (R0.56)."""

CARE, BY_MAGIC = "care", "magic"
"""Healing by hand and tools, or by magic, which heals no blighted and no warded; blood does a vampire (R0.66, R0.87, R0.157)."""


def _harm(table: Table, name: str, dealt: int, *, tags: tuple[str, ...], source: str) -> None:
    with task_rolls.TaskRolls(table) as rolls:
        hurt(table, name, dealt, tags=tags, source=source, rolls=rolls)


HURTING = DiceStep(effects={**verbs.DAMAGE.effects, **hit_points.AWAKENING}, whose=hit_points.OF_SPIRITS)

Harm = verbs.harm_verb(
    _harm, help="Hurt a character without an attack: a fall, sunlight, a trap.", typed_dice=(HURTING, SHOCKED)
)


class Heal(verbs.HitPointsAction, verb="heal"):
    """Medicine, technology or magic gives hit points back; for things it is repair (R0.55, R0.56)."""

    sentence = "heals {who}[ with {means:key}][ ({source})]"
    handles = verbs.HEALS
    typed_dice = (verbs.HEALING,)

    by: str = param.choice("what sort of healing it is", (CARE, BY_MAGIC, hit_points.BLOOD), default=CARE)
    healer: str = param.character("who gives it, for what Medical and Technology add", default="")
    pressure: bool = param.flag("in a critical moment: mid-fight, or under other extreme pressure (Medical)")
    means: str = param.words("for a damaged thing: the parts, tools or facility that mend it", default="", gm_only=True)
    out_of_turn: bool = param.flag("the GM rules that the healer needs no turn for it", gm_only=True)

    def resolve(self, table: Table) -> None:
        """Up to the maximum; below 0 it is added like anywhere else (Q0.75)."""
        who = require.living(table, self.who)
        self._check(table, who)
        healed = hit_points.roll_amount(table, who, d20.notation(self.amount, self._skill(table, who)), "healing")
        if self.by == hit_points.BLOOD:
            feed(table, who, healed, source=self.source or self.healer)
            return
        hit_points.restore(table, who.id, healed, tags=(self.by,), source=self.source or self.healer)

    def _check(self, table: Table, who: Character) -> None:
        most = hit_points.max_hp(who, Settings.of(table))
        if not who.has(conditions.EMBODIED) or who.pools.get(hit_points.BODY, 0) >= most:
            hit_points.check_can_heal(table, who)
        self._check_means(table, who)
        if self.by == hit_points.BLOOD:
            check_drinks(table, who)
        else:
            check_not_thirst_alone(table, who)
        if self.by == BY_MAGIC and not conditions.heals(who):
            table.refuse(
                f"{who.name} is blighted: magic heals nothing until that is lifted. Care by hand still does.", "by"
            )
        if self.by == BY_MAGIC and conditions.is_magic_proof(who):
            table.refuse(f"{who.name} is warded: magic does nothing to {who.name}.", "who")

    def _check_means(self, table: Table, who: Character) -> None:
        """Refuse to mend a thing with bare hands: it takes parts, tools or a facility (R0.56)."""
        if who.kind is not CharacterKind.THING or self.by != CARE or self.means:
            return
        held = equipment.carried(table.character(self.healer)) if self.healer else ()
        if not any(use[:1] == (sort,) for _, use in held for sort in MENDING):
            table.refuse(
                f"{who.name} is mended with parts, tools or in a facility. Say with --means which there are.", "means"
            )

    def _skill(self, table: Table, who: Character) -> list[Term]:
        """The terms that Medical adds under pressure, and Technology to repairs, of androids too (R0.168, R0.173)."""
        if self.pressure and not self.healer:
            table.refuse("Say with --healer who heals under pressure.", "healer")
        if not self.healer:
            return []
        healer = turns.take_action(table, self.healer, out_of_turn=self.out_of_turn)
        hit_points.check_touches(table, healer, " and nobody")
        if self.pressure:
            check_power(table, healer, "pressure_healing")
        is_thing = who.kind is CharacterKind.THING
        skills = (
            "repair" if is_thing or heritage_of(who).machine else "",
            "pressure_healing" if self.pressure and not is_thing else "",
        )
        return [term for skill in skills for term in role_terms(healer, skill, Settings.of(table))]


class Hazard(task_rolls.TaskAction, verb="hazard", gm_only=True):
    """Save against a hazard of a level: half the level in damage if it is made, twice the level if not (R0.21, R0.47)."""

    sentence = "{who} meets {name}|{who} meets a hazard"
    typed_dice = (
        DiceStep(
            tests={"the d20 of the save": saves.SAVING_THROW}, effects=hit_points.AWAKENING, whose=hit_points.OF_SPIRITS
        ),
        SHOCKED,
    )

    who: str = param.character("whom it threatens", actor=True)
    level: int = param.number("the hazard's level", minimum=1, maximum=1_000)
    ability: str = param.choice("the ability that saves from it (Q0.6)", ABILITIES)
    name: str = param.label("what it is", default="hazard")
    topic: str = param.choice("what the save is about, for the bonus of a role", TOPICS, default="")
    tags: tuple[str, ...] = param.names(
        "what sort of damage it is: fire, acid, poison …", default=(), of=vocabulary.DAMAGE
    )

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        with task_rolls.TaskRolls(table) as rolls:
            terms = task_rolls.task_terms(table, who, self.topic, self.bonus)
            roll = self.roll_task(rolls, who, self.ability, "save", purpose=saves.SAVING_THROW, terms=terms)
            saved = saves.save_resolved(table, self.ability, roll, self.level, against=self.name)
            dealt = Settings.of(table).half(self.level) if saved else 2 * self.level
            if dealt:
                hurt(table, who.id, dealt, tags=self.tags, source=self.name, rolls=rolls)
