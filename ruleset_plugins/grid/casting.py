"""The verb cast: opportunity attacks, Concentration, and the effect (R4.35, R4.54–R4.57)."""

from collections.abc import Callable, Mapping

from rollbook.kit import clock, conditions, d20, require
from rollbook.plugin import Character, DiceStep, Table, character, characters, events, names, words
from rollbook.rulesets.grid.attack_rolls import Blow, attack_roll, attack_terms, damage_dice
from rollbook.rulesets.grid.encounter import around, require_square
from rollbook.rulesets.grid.hit_points import HIDDEN, hurt, restore
from rollbook.rulesets.grid.opportunity_attacks import BLUR, CASTING, OPENINGS, OpenAction
from rollbook.rulesets.grid.saves import DC, roll_save
from rollbook.rulesets.grid.settings import FOR_A_DAY, Settings
from rollbook.rulesets.grid.spells import (
    BLAST,
    BLESSING,
    CURE,
    INFLICT,
    MISSILES,
    RAY,
    Spell,
    castable,
    casts_pool,
    spell_of,
)
from rollbook.rulesets.grid.squares import FEET, Square, distance, parse_square, squares_in

NEVER = 21
"""A face that no d20 has: where spells are never critical."""


class Cast(OpenAction, verb="cast"):
    """Cast a spell. Enemies in reach attack first, and every hit needs a Concentration save (R4.35)."""

    sentence = "casts {spell:key}[ on {targets}]"

    typed_dice = (
        OPENINGS,
        DiceStep(
            tests={"a d20 of Concentration for each hit": "concentration save"},
            after="the damage is what it is rolled against (R4.35)",
        ),
        DiceStep(
            tests={"the d20 of a touch": "spell attack", **BLUR, "the d20s of all who save": "* save"},
            effects={"the damage or the healing": "spell damage|missile *|healing"},
            after="whose Concentration is broken casts nothing (R4.34)",
        ),
    )

    who: str = character("who casts", actor=True)
    spell: str = words("which spell, as fireball or magic missile", fits=castable, gm_only=False)
    targets: tuple[str, ...] = characters("on whom; two at most for Magic Missile", default=(), gm_only=False)
    at: tuple[str, ...] = names(
        "the square in the middle of a Fireball, east and north as in 3,4", default=(), gm_only=False
    )
    bonus: tuple[str, ...] = names("further bonuses to a touch attack, as '+2 high ground'", default=(), gm_only=True)

    def resolve(self, table: Table) -> None:
        who = self.begin(table, self.who)
        spell = spell_of(table, who, self.spell)
        d20.bonuses(table, self.bonus)
        targets = self._targets(table, who, spell)
        centre = self._centre(table, who, spell, targets)
        table.record(
            events.PowerUsed(character=who.id, power=spell.key, target=targets[0] if len(targets) == 1 else ""),
            events.PoolGained(holder=who.id, pool=casts_pool(spell), amount=1, reason=spell.name),
        )
        if self.goes_through(table, who.id, CASTING):
            if spell.sort == BLAST:
                self._blast(table, spell, centre)
            else:
                _DOES[spell.sort](self, table, spell, targets)

    def _targets(self, table: Table, who: Character, spell: Spell) -> tuple[str, ...]:
        most = {MISSILES: spell.missiles, BLAST: 0 if self.at else 1}.get(spell.sort, 1)
        if spell.sort == BLESSING and any(name != who.id for name in self.targets):
            table.refuse(f"{spell.name} works on {who.name} alone. Leave the targets out.", parameter="targets")
        if spell.brings and who.has(spell.brings):
            table.refuse(f"{who.name} is {spell.brings} already, and a second casting adds nothing.", parameter="spell")
        if self.at and spell.sort != BLAST:
            table.refuse(
                f"{spell.name} is cast on a character, not on a square. Name a target instead of --at.", parameter="at"
            )
        targets = self.targets or ((who.id,) if spell.sort in (BLESSING, CURE) else ())
        if len(targets) > most or (not targets and most):
            wanted = "only the square" if not most else "one target" if most == 1 else f"one to {most} targets"
            table.refuse(f"{spell.name} takes {wanted}, and {len(targets)} are named.", parameter="targets")
        for name in targets:
            self._check(table, who, spell, require.living(table, name))
        return targets

    def _check(self, table: Table, who: Character, spell: Spell, target: Character) -> None:
        if target.id == who.id and spell.sort in (RAY, MISSILES, INFLICT):
            table.refuse(
                f"{who.name} does not cast {spell.name} on {who.name}. Name somebody else.", parameter="targets"
            )
        if target.id != who.id:
            require_square(table, who, target)
        _check_range(table, who, spell, target.position, target.name)

    def _centre(self, table: Table, who: Character, spell: Spell, targets: tuple[str, ...]) -> Square:
        if not self.at:
            return table.character(targets[0]).position
        require_square(table, who)
        square = parse_square(table, self.at)
        _check_range(table, who, spell, square, "that square")
        return square

    def _bless(self, table: Table, spell: Spell, _: tuple[str, ...]) -> None:
        until = table.clock + clock.DAY if Settings.of(table).buff_duration == FOR_A_DAY else 0
        conditions.begin(table, self.who, spell.brings, source=spell.name, until=until)

    def _ray(self, table: Table, spell: Spell, targets: tuple[str, ...]) -> None:
        """A ranged touch attack (R4.24)."""
        damage = self._touch(table, spell, targets[0], melee=False)
        if damage:
            hurt(table, targets[0], self._dealt(table, damage), tags=spell.tags, source=self.who)

    def _inflict(self, table: Table, spell: Spell, targets: tuple[str, ...]) -> None:
        """A melee touch attack, then a Will save for half (R4.57, Q4.33)."""
        damage = self._touch(table, spell, targets[0], melee=True)
        if not damage:
            return
        saved = roll_save(table, table.character(targets[0]), spell.save, DC, against=spell.name)
        dealt = self._dealt(table, damage)
        hurt(table, targets[0], Settings.of(table).half(dealt) if saved else dealt, tags=spell.tags, source=self.who)

    def _dealt(self, table: Table, damage: str) -> int:
        """What a spell that hits deals (QG.2)."""
        rolled = table.roll(damage, roller=self.who, purpose="spell damage").total
        return max(rolled, Settings.of(table).min_damage_on_hit)

    def _touch(self, table: Table, spell: Spell, name: str, *, melee: bool) -> str:
        """The dice of what a touch attack with a spell deals, "" for a miss; on a 20 twice as many (Q4.35)."""
        who, settings = table.character(self.who), Settings.of(table)
        blow = Blow(dice=spell.dice, threat=20 if settings.spell_crit else NEVER, melee=melee, touch=True)
        terms = (*attack_terms(who, settings, melee=melee), *d20.bonuses(table, self.bonus))
        landed = attack_roll(table, who, table.character(name), blow, terms, purpose="spell attack")
        conditions.end(table, who.id, HIDDEN)
        return damage_dice(table, who, blow, landed) if landed.hits else ""

    def _missiles(self, table: Table, spell: Spell, targets: tuple[str, ...]) -> None:
        """Each missile finds its target: no attack roll, no save (Q4.31)."""
        for number in range(spell.missiles):
            target = targets[min(number, len(targets) - 1)]
            if not table.character(target).has(conditions.DEAD):
                dealt = table.roll(spell.dice, roller=self.who, purpose=f"missile {number + 1}").total
                hurt(table, target, dealt, tags=spell.tags, source=self.who)

    def _blast(self, table: Table, spell: Spell, centre: Square) -> None:
        """Everybody within the radius, friend or foe, saves and takes nothing, or takes it all (R4.27, Q4.32, QG.5)."""
        near = squares_in(spell.radius)
        caught = [who for who in around(table) if distance(who.position, centre) <= near]
        if not caught:
            return
        burnt = [who for who in caught if not roll_save(table, who, spell.save, DC, against=spell.name)]
        if not burnt:
            return
        dealt = table.roll(spell.dice, roller=self.who, purpose="spell damage").total
        for who in burnt:
            hurt(table, who.id, dealt, tags=spell.tags, source=self.who)

    def _cure(self, table: Table, spell: Spell, targets: tuple[str, ...]) -> None:
        healed = table.roll(spell.dice, roller=self.who, purpose="healing").total
        restore(table, targets[0], healed, source=spell.name)


_DOES: Mapping[str, Callable[[Cast, Table, Spell, tuple[str, ...]], None]] = {
    BLESSING: Cast._bless,  # noqa: SLF001 - a table of what each sort does
    RAY: Cast._ray,  # noqa: SLF001 - the same
    MISSILES: Cast._missiles,  # noqa: SLF001 - the same
    CURE: Cast._cure,  # noqa: SLF001 - the same
    INFLICT: Cast._inflict,  # noqa: SLF001 - the same
}


def _check_range(table: Table, who: Character, spell: Spell, square: Square, said: str) -> None:
    apart = distance(who.position, square)
    if apart > spell.squares:
        reach = "touches one square away" if spell.squares == 1 else f"reaches {spell.range} feet"
        table.refuse(f"{spell.name} {reach}, and {said} is {apart * FEET} feet from {who.name}.", parameter="targets")
