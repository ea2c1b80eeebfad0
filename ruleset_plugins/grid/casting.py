"""The verb cast: opportunity attacks, Concentration, and the effect (R4.35, R4.54–R4.57)."""

from rollbook.kit import areas, clock, conditions, d20, require, squares
from rollbook.plugin import Character, DiceStep, Square, Table, character, characters, events, names, words
from rollbook.rulesets.grid import spells
from rollbook.rulesets.grid.attack_rolls import Blow, attack_roll, attack_terms, damage_dice
from rollbook.rulesets.grid.encounter import around, require_square
from rollbook.rulesets.grid.hit_points import HIDDEN, hurt, restore
from rollbook.rulesets.grid.opportunity_attacks import BLUR, CASTING, OPENINGS, OpenAction
from rollbook.rulesets.grid.saves import DC, roll_save
from rollbook.rulesets.grid.settings import FOR_A_DAY, Settings
from rollbook.rulesets.grid.squares import FEET, squares_in

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
    spell: str = words("which spell, as fireball or magic missile", fits=spells.castable, gm_only=False)
    targets: tuple[str, ...] = characters("on whom; two at most for Magic Missile", default=(), gm_only=False)
    at: tuple[str, ...] = names(
        "the square in the middle of a Fireball, east and north as in 3,4", default=(), gm_only=False
    )
    bonus: tuple[str, ...] = names("further bonuses to a touch attack, as '+2 high ground'", default=(), gm_only=True)

    def resolve(self, table: Table) -> None:
        who = self.begin(table, self.who)
        spell = spells.spell_of(table, who, self.spell)
        d20.bonuses(table, self.bonus)
        targets = self._targets(table, who, spell)
        centre = self._centre(table, who, spell, targets)
        table.record(
            events.PowerUsed(character=who.id, power=spell.key, target=targets[0] if len(targets) == 1 else ""),
            events.PoolGained(holder=who.id, pool=spells.casts_pool(spell), amount=1, reason=spell.name),
        )
        if self.goes_through(table, who.id, CASTING):
            effects = {
                spells.BLESSING: self._bless,
                spells.RAY: self._touch,
                spells.INFLICT: self._touch,
                spells.MISSILES: self._missiles,
                spells.CURE: self._cure,
            }
            if spell.sort == spells.BLAST:
                self._blast(table, spell, centre)
            else:
                effects[spell.sort](table, spell, targets)

    def _targets(self, table: Table, who: Character, spell: spells.Spell) -> tuple[str, ...]:
        most = {spells.MISSILES: spell.missiles, spells.BLAST: 0 if self.at else 1}.get(spell.sort, 1)
        if spell.sort == spells.BLESSING and any(name != who.id for name in self.targets):
            table.refuse(f"{spell.name} works on {who.name} alone. Leave the targets out.", "targets")
        if spell.brings and who.has(spell.brings):
            table.refuse(f"{who.name} is {spell.brings} already, and a second casting adds nothing.", "spell")
        if self.at and spell.sort != spells.BLAST:
            table.refuse(f"{spell.name} is cast on a character, not on a square. Name a target instead of --at.", "at")
        targets = self.targets or ((who.id,) if spell.sort in (spells.BLESSING, spells.CURE) else ())
        if len(targets) > most or (not targets and most):
            wanted = "only the square" if not most else "one target" if most == 1 else f"one to {most} targets"
            table.refuse(f"{spell.name} takes {wanted}, and {len(targets)} are named.", "targets")
        for name in targets:
            self._check(table, who, spell, require.living(table, name))
        return targets

    def _check(self, table: Table, who: Character, spell: spells.Spell, target: Character) -> None:
        if target.id == who.id and spell.sort in (spells.RAY, spells.MISSILES, spells.INFLICT):
            table.refuse(f"{who.name} does not cast {spell.name} on {who.name}. Name somebody else.", "targets")
        if target.id != who.id:
            require_square(table, who, target)
        _check_range(table, who, spell, target.position, target.name)

    def _centre(self, table: Table, who: Character, spell: spells.Spell, targets: tuple[str, ...]) -> Square:
        if not self.at:
            return table.character(targets[0]).position
        require_square(table, who)
        square = squares.parse(table, self.at)
        _check_range(table, who, spell, square, "that square")
        return square

    def _bless(self, table: Table, spell: spells.Spell, _: tuple[str, ...]) -> None:
        until = table.clock + clock.DAY if Settings.of(table).buff_duration == FOR_A_DAY else 0
        conditions.begin(table, self.who, spell.brings, source=spell.name, until=until)

    def _touch(self, table: Table, spell: spells.Spell, targets: tuple[str, ...]) -> None:
        """A touch attack, critical on a 20: ranged, or in melee with a save for half (R4.24, R4.57, QG.2, Q4.33, Q4.35)."""
        who, settings, melee = table.character(self.who), Settings.of(table), spell.sort == spells.INFLICT
        blow = Blow(dice=spell.dice, threat=20 if settings.spell_crit else NEVER, melee=melee, touch=True)
        terms = (*attack_terms(who, settings, melee=melee), *d20.bonuses(table, self.bonus))
        landed = attack_roll(table, who, table.character(targets[0]), blow, terms, purpose="spell attack")
        conditions.end(table, who.id, HIDDEN)
        if not landed.hits:
            return
        target = table.character(targets[0])
        saved = melee and roll_save(table, target, spell.save, DC, against=spell.name)
        rolled = table.roll(damage_dice(table, who, landed), roller=who.id, purpose="spell damage").total
        dealt = max(rolled, settings.min_damage_on_hit)
        hurt(table, target.id, settings.half(dealt) if saved else dealt, tags=spell.tags, source=who.id)

    def _missiles(self, table: Table, spell: spells.Spell, targets: tuple[str, ...]) -> None:
        """Each missile finds its target: no attack roll, no save (Q4.31)."""
        for number in range(spell.missiles):
            target = targets[min(number, len(targets) - 1)]
            if not table.character(target).has(conditions.DEAD):
                dealt = table.roll(spell.dice, roller=self.who, purpose=f"missile {number + 1}").total
                hurt(table, target, dealt, tags=spell.tags, source=self.who)

    def _blast(self, table: Table, spell: spells.Spell, centre: Square) -> None:
        """Roll saves for all within the radius, friend or foe: they take nothing, or all of it (R4.27, Q4.32, QG.5)."""
        near = squares_in(spell.radius)
        caught = [who for who in around(table) if areas.around(areas.SPHERE, near, who.position, middle=centre)]
        burnt = [who for who in caught if not roll_save(table, who, spell.save, DC, against=spell.name)]
        if not burnt:
            return
        dealt = table.roll(spell.dice, roller=self.who, purpose="spell damage").total
        for who in burnt:
            hurt(table, who.id, dealt, tags=spell.tags, source=self.who)

    def _cure(self, table: Table, spell: spells.Spell, targets: tuple[str, ...]) -> None:
        healed = table.roll(spell.dice, roller=self.who, purpose="healing").total
        restore(table, targets[0], healed, source=spell.name)


def _check_range(table: Table, who: Character, spell: spells.Spell, square: Square, said: str) -> None:
    apart = squares.distance(who.position, square)
    if apart > spell.squares:
        reach = "touches one square away" if spell.squares == 1 else f"reaches {spell.range} feet"
        table.refuse(f"{spell.name} {reach}, and {said} is {apart * FEET} feet from {who.name}.", "targets")
