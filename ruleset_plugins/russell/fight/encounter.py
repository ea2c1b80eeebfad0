"""Encounters: initiative every Round, bleeding and fire at its end, and the whole fight is one Turn (R3.74, R3.75)."""

from collections.abc import Iterator, Sequence
from functools import partial

from rollbook.kit import clock, conditions, counters, open_choices, turn_order, verbs, vocabulary
from rollbook.plugin import Action, Character, Table, Term, param
from rollbook.rulesets.russell import party_members
from rollbook.rulesets.russell.character import attributes, stat_line, templates
from rollbook.rulesets.russell.delve import exploration, light
from rollbook.rulesets.russell.fight import bleeding, criticals, movement, rolls, turns
from rollbook.rulesets.russell.settings import house

GROUP = "group"
"""The kind of the trait of monsters that act together and roll initiative once (R3.96)."""


EACH, TIED = "a d6 of initiative for each, or for each group", {"a d6 for each who is level": "initiative, tied"}


class BeginEncounter(Action, verb="begin-encounter", gm_only=True):
    """Count time in Rounds: everybody rolls 1d6 + WIS, the highest acts first; rolled again every Round (R3.75)."""

    sentence = "begins an encounter with {participants}"
    handles = verbs.BEGINS_A_FIGHT
    typed_dice = (turn_order.initiative_dice(EACH, TIED, first=True),)

    participants: tuple[str, ...] = param.characters("who takes part")
    surprised: tuple[str, ...] = param.characters("which of them are surprised and lose the first Round", default=())
    range: str = param.words(
        "how far apart the sides begin: engaged, close, medium, far", default="", of=vocabulary.RANGE
    )
    title: str = param.label("what the encounter is called", default="")

    def resolve(self, table: Table) -> None:
        turn_order.check_participants(table, self.surprised, self.participants)
        turn_order.begin_encounter(table, self.participants, title=self.title)
        if self.range:
            counters.change(table, "", movement.APART, movement.band_number(table, self.range), self.range)
        for name in self.surprised:
            conditions.begin(table, name, conditions.SURPRISED)
        light.settle_darkness(table)
        if not begin_round(table, self.participants):
            table.refuse("Nobody in this encounter can act: everybody is surprised or down.", "participants")


JoinEncounter = verbs.join_encounter_verb(
    lambda table, _: light.settle_darkness(table), help="Somebody arrives in a fight, and acts from the next Round on."
)


class EndTurn(Action, verb="end-turn", by_any_seat=True):
    """End the turn; the next in the order acts, and when all have, a new Round begins with new initiative."""

    sentence = "ends the turn"
    handles = verbs.EndTurnAction.handles
    typed_dice = (*bleeding.ENDING, turn_order.initiative_dice(EACH, TIED))

    @classmethod
    def check_available(cls, table: Table, _: str, /) -> None:
        _check_current(table)
        turn_order.end_turn(table)

    def resolve(self, table: Table) -> None:
        _check_current(table)
        turn_order.end_turn(table)
        waiting = turn_order.still_to_act(table, turns.KEPT_OUT)
        if waiting:
            turns.begin_turn(table, waiting[0].id)
        else:
            end_round(table)
            begin_round(table, turn_order.require_encounter(table).order)


def _check_current(table: Table) -> None:
    """Refuse to go on before the character whose turn it is has chosen the effect of a natural 20 (Q3.27)."""
    current = turn_order.require_encounter(table).current
    if not current:
        return
    who = table.character(current)
    choice = open_choices.first_of(who, criticals.CRITICAL)
    if choice:
        first = who.choices[choice].keys[0]
        table.refuse(f"{who.name} has hit with a natural 20 and chooses first: choose {who.id} {choice} {first}")


def _end(table: Table, order: Sequence[str]) -> None:
    bleeding.check_no_peril(table, (*(table.character(name) for name in order), *party_members.travellers(table)))
    for name in order:
        turns.end_moments(table, name)
        conditions.end_with_data(table, name, movement.BLOCKS)
    conditions.end_for_all(table, order, conditions.ARRIVING)
    movement.end_ranges(table, order)


def _pass_turn(table: Table, *, dangerous: bool) -> None:
    """The fight was one Turn; in a dangerous place the die is rolled (R3.74, Q3.54)."""
    clock.advance(table, house(table).turn_seconds)
    if (dangerous or exploration.is_dangerous(table)) and house(table).exploration_roll_after_combat:
        exploration.roll_exploration(table)


EndEncounter = verbs.end_encounter_verb(
    _end,
    afterwards=_pass_turn,
    help="The encounter is over. All its Rounds together were one Turn (R3.74).",
    fields={"dangerous": param.flag("the place is dangerous, so the Exploration Die is rolled (Q3.54)")},
    typed_dice=(exploration.ROLLING,),
)


def end_round(table: Table) -> None:
    """End a Round: surprise is over, latecomers join in, stuns wear off, and the bleeding save (R3.92, Q3.14)."""
    turn_order.end_round(table, conditions.SURPRISED, conditions.ARRIVING)
    bleeding.pass_round(table, *turn_order.require_encounter(table).order)


def begin_round(table: Table, participants: Sequence[str]) -> bool:
    """Begin a Round with initiative; those who cannot act come last. Returns whether anyone can act."""
    first = turn_order.begin_round(table, participants, turns.KEPT_OUT, partial(_in_order, table))
    if first:
        turns.begin_turn(table, first)
    return bool(first)


def _in_order(table: Table, able: Sequence[Character]) -> list[turn_order.Ranked]:
    """Highest initiative first; a tie goes to the higher modifier, then to a plain d6; groups roll once (Q3.23, R3.96)."""
    units = {_unit(who): who for who in reversed(able)}
    roll = turn_order.tie_break(
        partial(_roll_initiative, table),
        lambda who: (table.roll("1d6", roller=who.id, purpose="initiative, tied").total,),
    )
    leading = turn_order.rank([who for who in able if units[_unit(who)] is who], roll)
    return [(who, score) for leader, score in leading for who in able if _unit(who) == _unit(leader)]


def _unit(who: Character) -> tuple[str, str]:
    """The unit that rolls together: a group of monsters, or a character alone."""
    return next(((GROUP, group) for group in who.traits_of(GROUP)), ("", who.id))


def initiative_terms(who: Character) -> Iterator[Term]:
    """The summands of the d6 of initiative: Wisdom, or a profile's number, and templates (R3.75, R3.96)."""
    if not (stat_line.has_profile(who) and stat_line.INITIATIVE in who.stats):
        yield attributes.attribute_term(who, "wis", "R3.7")
    yield from stat_line.entered_terms(who, stat_line.INITIATIVE)
    yield from templates.effect_terms(who, "initiative")


def _roll_initiative(table: Table, who: Character) -> tuple[int, ...]:
    terms = tuple(initiative_terms(who))
    roll = rolls.roll_test(table, who, terms, kind="initiative", purpose="initiative", die="d6")
    return roll.total, sum(term.amount for term in terms)
