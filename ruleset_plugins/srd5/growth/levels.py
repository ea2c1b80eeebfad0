"""Levels and choices: the verbs level-up, choose and exchange (R5.137, R5.208–R5.214, R5.220–R5.231, R5.296, R5.322–R5.330)."""

from rollbook.kit import catalogues, fields, open_choices, stat_entry, verbs
from rollbook.plugin import Action, Character, DiceStep, Table, events, not_found, param
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import CharacterClass, kinds
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.character.features import INVOCATION, OPTION, OPTIONS, Owned, part_key, spelled
from rollbook.rulesets.srd5.fight import hit_points, turns
from rollbook.rulesets.srd5.growth import gains
from rollbook.rulesets.srd5.growth.gains import ABILITY, BY, FEAT_CHOICE, GIVES, GROUP, MOST, TRAIT, offer
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.magic.spells import OF_CLASS
from rollbook.rulesets.srd5.settings import EXPERIENCE, ROLLED, Settings

HIGHEST = 20
DICE = DiceStep(effects={"the hit die": "hit die *"})


def check_may_take(table: Table, who: Character, row: CharacterClass) -> None:
    """Refuse a further class without 13 in the primary abilities of both (R5.225)."""
    held = [each for each, _ in classes.classes_of(who)]
    if row in held or not held:
        return
    least = catalogue.creation().multiclass_minimum
    for each in (row, *held):
        enough = [abilities.score(who, ability) >= least for ability in each.primary]
        if not (any(enough) if each.primary_either else all(enough)):
            wanted = (" or " if each.primary_either else " and ").join(ability.upper() for ability in each.primary)
            table.refuse(f"{who.name} needs {least} in {wanted} to be a {each.name} and something else.", "class_name")


def rise(table: Table, name: str, row: CharacterClass, *, typed: int = 0, rolled: bool | None = None) -> None:
    """Take one level of a class: its hit die, its features, its choices (R5.217, R5.221, R5.228, R5.322)."""
    who = table.character(name)
    first, is_new = not any(classes.classes_of(who)), who.traits.get(row.key) != classes.CLASS
    classes.take_level(table, name, row.key)
    level, total = classes.level_in(table.character(name), row.key), table.character(name).level
    gained = row.hit_die if first else typed or _hit_die(table, name, row.hit_die, total, rolled=rolled)
    stat_entry.add(table, name, {hit_points.DICE_TOTAL: gained}, reason=row.key)
    if is_new and not first and row.multiclass is not None:
        teach(table, name, row.key, row.multiclass)
    if level == classes.SUBCLASS_LEVEL:
        abilities.learn(table, name, classes.SUBCLASS, row.subclass.name)
    for trait in gains.new_at(row, level):
        gains.gain(table, name, Owned(f"class:{row.key}:{trait.name}", trait, level, row.key))
    if level == classes.SUBCLASS_LEVEL:
        offer(table, name, features.LAND, row.subclass.spells_by, gives=features.LAND)
    gains.top_up(table, name, row, level)


def _hit_die(table: Table, name: str, sides: int, level: int, *, rolled: bool | None) -> int:
    """The fixed number of a die, or a roll, as the table or the player has it (R5.221)."""
    if rolled or (rolled is None and Settings.of(table).hit_points == ROLLED):
        return table.roll(f"1d{sides}", roller=name, purpose=f"hit die {level}").total
    return sides // 2 + 1


def teach(table: Table, name: str, called: str, taught: CharacterClass | kinds.Multiclass, *, known: int = 0) -> None:
    """Offer the skills and tools of a class, but for so many that are known; a further class has its own (R5.228, R5.321)."""
    if taught.skills is not None:
        among, many = taught.skills.among or abilities.SKILLS, max(taught.skills.choose - known, 0)
        offer(table, name, f"{called} skill", among, many=many, gives=abilities.SKILL)
    if taught.tools is not None:
        teach_tools(table, name, called, taught.tools.among, taught.tools.choose)


def teach_tools(table: Table, name: str, called: str, among: tuple[str, ...], choose: int) -> None:
    """Give the tools of a class or a background, or offer them."""
    keys = gains.tools(among)
    if choose:
        offer(table, name, f"{called} tool", keys, many=choose, gives=abilities.TOOL)
    else:
        abilities.learn(table, name, abilities.TOOL, *keys)


class LevelUp(Action, verb="level-up"):
    """Rise by a level, in one's class or in a further one; what is to be chosen stays open for choose (R5.220–R5.231)."""

    sentence = "gains a level[ as a {class_name:key}]"
    typed_dice = (DICE,)

    who: str = param.character("who rises", actor=True)
    class_name: str = param.choice("the class, if not the first one", ("", *classes.CLASSES), default="", gm_only=False)
    roll: bool = param.flag("the hit die is rolled, whatever is usual at this table", gm_only=False)
    hit_die: int = param.number("a hit die's face, rolled before", default=0, minimum=0, maximum=12, gm_only=False)
    feat: str = param.words(
        "beyond level 20: a feat for 30,000 experience", default="", fits=lambda _: catalogue.feats(), gm_only=False
    )
    milestone: bool = param.flag("the GM gives the level without the experience", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        if table.character(who).level < HIGHEST:
            cls._check_experience(table, table.character(who))
        else:
            cls._check_further(table, table.character(who))

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if who.level >= HIGHEST:
            self._beyond(table, who)
            return
        row = self._row(table, who)
        if not self.milestone:
            self._check_experience(table, who)
        check_may_take(table, who, row)
        if self.hit_die > row.hit_die:
            table.refuse(f"A {row.name} has a d{row.hit_die}, which does not show {self.hit_die}.", "hit_die")
        before = hit_points.max_hp(who, Settings.of(table))
        rise(table, who.id, row, typed=self.hit_die, rolled=self.roll or None)
        more = hit_points.max_hp(table.character(who.id), Settings.of(table)) - before
        if more < 1:
            stat_entry.add(table, who.id, {hit_points.DICE_TOTAL: 1 - more}, reason="at least 1")

    def _row(self, table: Table, who: Character) -> CharacterClass:
        first = next(iter(classes.classes_of(who)), None)
        if not self.class_name and first is None:
            table.refuse(f"{who.name} has no class yet. Say which one: --class-name wizard", "class_name")
        return catalogue.classes()[self.class_name] if self.class_name else first[0]  # type: ignore[index]

    @staticmethod
    def _check_experience(table: Table, who: Character) -> None:
        """Refuse a level for which experience is missing, at tables that count it (R5.220)."""
        needed = catalogue.advancement()[str(who.level + 1)].xp
        if Settings.of(table).advancement == EXPERIENCE and who.experience < needed:
            table.refuse(
                f"{who.name} has {who.experience:,} experience, and level {who.level + 1} takes {needed:,}. The GM gives "
                f"it with: award {who.id} {needed - who.experience}, or gives the level alone with --milestone."
            )

    def _beyond(self, table: Table, who: Character) -> None:
        """Give a feat for every 30,000 after level 20 (R5.223)."""
        self._check_further(table, who)
        may_have = [key for key, feat in catalogue.feats().items() if not gains.lacks(who, feat)]
        feat = catalogues.meant(catalogue.feats, self.feat)
        if self.feat and feat not in may_have:
            raise not_found("feat that one may have", self.feat, may_have)
        table.record(events.PoolGained(holder=who.id, pool="feats beyond", amount=1, reason="level 20"))
        if self.feat:
            gains.take_feat(table, who.id, feat)
        else:
            gains.offer_feat(table, who.id, "any")

    @staticmethod
    def _check_further(table: Table, who: Character) -> None:
        """Refuse a further feat for which experience is missing."""
        top, each = catalogue.advancement()["20"].xp, catalogue.creation().feat_xp
        needed = top + each * (who.pools.get("feats beyond", 0) + 1)
        if who.experience < needed:
            table.refuse(f"{who.name} has level {HIGHEST}; a further feat takes {needed:,} experience.")


def _read(table: Table, who: Character, choice: str, typed: str) -> str:
    """An option as it may be typed: whole, in any spelling, or its own part of "feature: part"."""
    options = open_choices.options_of(table, who, choice)
    named = {spelled(name): each for each in reversed(options) for name in (each, each.rpartition(":")[2])}
    return catalogues.pick(f"option of {choice}", named, typed, shown=options, spelled=spelled)


def _take_trait(table: Table, who: Character, choice: str, picked: str) -> None:
    """Gain what was picked; nothing is learned twice, and expertise is for what one knows (R5.330)."""
    data = open_choices.data_of(who, choice)
    gives = fields.text(data, GIVES)
    trait = spells.in_book(picked) if gives == spells.KNOWN else picked
    held = who.traits.get(trait, "")
    if gives == spells.PREPARED and data.get(OF_CLASS) == "wizard":
        _take_from_book(table, who, picked)
    if gives == abilities.SKILL and picked not in abilities.SKILLS:
        gives = abilities.TOOL
    if gives == abilities.EXPERTISE and held != abilities.SKILL:
        table.refuse(f"{who.name} is not proficient in {picked}, or an expert already. Pick another skill.", "picked")
    if held and gives != abilities.EXPERTISE:
        table.refuse(f"{who.name} has {picked} already. Pick another one.", "picked")
    option = _option(who, picked, data)
    needs = option.trait.needs if option is not None and gives == INVOCATION else ""
    if needs.startswith(("Pact", "Thirsting")) and needs not in who.traits:
        table.refuse(f"{picked} needs {needs}. Pick another one.", "picked")
    kept = {each: data[each] for each in (OF_CLASS, spells.FREE) if each in data}
    table.record(events.TraitGained(character=who.id, trait=trait, kind=gives, data=kept))
    if option is not None:
        gains.gain(table, who.id, option)


def _take_from_book(table: Table, who: Character, picked: str) -> None:
    """Refuse to prepare a spell that is not in the book; it is written into one that is not full yet (R5.496)."""
    book = features.chosen_for(who, spells.KNOWN)
    still_open = [each for each in who.choices if open_choices.data_of(who, each).get(GIVES) == spells.KNOWN]
    room = next((each for each in still_open if picked in open_choices.options_of(table, who, each)), "")
    if picked not in book and not room:
        table.refuse(f"{picked} is not in {who.name}'s book, which has: {', '.join(sorted(book))}.", "picked")
    if picked not in book:
        choose(table, who.id, room, picked)


def _option(who: Character, picked: str, data: events.Data) -> Owned | None:
    """The feature that is picked: an option of a class, or a part of what was offered; None for a mere word."""
    gives = fields.text(data, GIVES)
    for key in (key for key, kind in OPTIONS.items() if kind == gives):
        option = next(each for each in catalogue.classes()[key].options if each.name == picked)
        return Owned(f"class:{key}:{picked}", option, classes.level_in(who, key), key)
    origin = fields.text(data, "source")
    trait = catalogue.trait_of(origin) if gives == OPTION else None
    for part in trait.parts if trait is not None else ():
        if trait is not None and part_key(trait, part) == picked:
            sort, key, _ = origin.split(":")
            return Owned(f"{sort}:{key}:{part.name}", part, fields.number(data, "level"), key)
    return None


def _take_ability(table: Table, who: Character, choice: str, picked: str) -> None:
    """Raise a score, up to its maximum, and no more than twice by one background (R5.214)."""
    data = open_choices.data_of(who, choice)
    most, group, ability = fields.number(data, MOST), fields.text(data, GROUP), picked.upper()
    if abilities.score(who, picked) >= most:
        table.refuse(f"{who.name} has {ability} {most}, which is as high as this goes. Pick another one.", "picked")
    if group and [each for name, each in who.chosen.items() if name.startswith(group)].count(picked) >= 2:
        table.refuse(f"{ability} has had 2 points of the background already. Pick another one.", "picked")
    gains.raise_ability(table, who.id, picked, fields.number(data, BY) or 1, most, choice)
    hit_points.settle(table, who.id)


def _take_feat(table: Table, who: Character, choice: str, picked: str) -> None:  # noqa: ARG001 - as all that are taken
    feat = catalogue.feats()[picked]
    why = gains.lacks(who, feat)
    if why:
        table.refuse(f"{feat.name} is not for {who.name}: {why}.", "picked")
    gains.take_feat(table, who.id, picked)


TAKES = {TRAIT: _take_trait, ABILITY: _take_ability, FEAT_CHOICE: _take_feat}

Choose = verbs.choose_verb(
    TAKES,
    help="Make an open choice of a new character or of a level: a skill, a feat, a spell, an option of a feature.",
    reads=dict.fromkeys(TAKES, _read),
)


def choose(table: Table, name: str, choice: str, picked: str) -> None:
    """Make a choice by its name or the beginning of its name, as a ready character does."""
    who, said = table.character(name), spelled(choice)
    found = next((each for each in who.choices if each == said or each.startswith(f"{said}-")), choice)
    Choose(who=name, choice=found, picked=picked).resolve(table)  # type: ignore[call-arg]


def _exchangeable(who: Character) -> list[str]:
    """The traits that a class counts, and lets one exchange."""
    kinds = (abilities.MASTERY, spells.CANTRIP, spells.PREPARED, features.METAMAGIC, features.INVOCATION)
    return [trait for trait, kind in who.traits.items() if kind in kinds]


class Exchange(Action, verb="exchange"):
    """Give up a mastery, a spell, a metamagic or an invocation, and choose another in its place (R5.328, R5.329).

    Each class says when: after a long rest, or with a level. The table keeps to it.
    """

    sentence = "gives up {what:key} for something else"

    who: str = param.character("who changes their mind", actor=True)
    what: str = param.words("what is given up", fits=_exchangeable, gm_only=False)

    check_available = verbs.available_if(turns.check_peace)

    def resolve(self, table: Table) -> None:
        turns.check_peace(table)
        who = table.character(self.who)
        held = _exchangeable(who)
        named, sort = {spelled(each): each for each in held}, "mastery, spell or option to exchange"
        found = catalogues.pick(sort, named, self.what, shown=held, spelled=spelled)
        table.record(events.TraitLost(character=who.id, trait=found, kind=who.traits[found]))
        for row, level in classes.classes_of(who):
            gains.top_up(table, who.id, row, level)


def next_level(who: Character) -> int | None:
    """The experience of the next level, None after the last (R5.220)."""
    return catalogue.advancement()[str(who.level + 1)].xp if 0 < who.level < HIGHEST else None
