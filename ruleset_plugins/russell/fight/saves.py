"""Saving throws: a d20 at or under an attribute, or under Movement for athletics (R3.3–R3.9, R3.11, Q3.18, Q3.56)."""

from rollbook.kit import ability_scores, d20, require
from rollbook.kit.verbs import RollAction
from rollbook.plugin import Character, DiceStep, Table, param
from rollbook.rulesets.russell.character.attributes import ATTRIBUTES, AVERAGE
from rollbook.rulesets.russell.character.movement import movement
from rollbook.rulesets.russell.character.stat_line import MOVEMENT, save_stat
from rollbook.rulesets.russell.character.templates import effect
from rollbook.rulesets.russell.fight.rolls import LISTEN, roll_test
from rollbook.rulesets.russell.settings import house

SAVES = (*ATTRIBUTES, MOVEMENT)
"""What can be saved with."""


class Save(RollAction, verb="save"):
    """Save: 1d20 at or under an attribute, or Movement for athletics; monsters save with their Sv (R3.9, R3.11)."""

    sentence = "makes {check:a}[ against {against:key}]|makes a saving throw"

    typed_dice = (DiceStep(tests={"the d20 of the save": "saving throw"}),)

    who: str = param.character("who saves", actor=True)
    attribute: str = param.choice(
        "with what: str against what cannot be dodged, dex against what can, con against poison and illness, int against "
        "spells, wis against horror, illusion and a foreign will, movement for athletics",
        SAVES,
    )
    against: str = param.words("what it is against", default="", gm_only=False)
    listen: bool = param.flag("it is to listen, with Advantage after a Turn in the dark (R3.64)", gm_only=True)
    bonus: tuple[str, ...] = param.names(
        "what raises the number to roll under, as '+2 braced'", default=(), gm_only=True
    )

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        require.living(table, who)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        if self.listen and self.attribute != "wis":
            table.refuse("Listening is a save with wis.", parameter="attribute")
        raised = sum(term.amount for term in d20.bonuses(table, self.bonus))
        kind = LISTEN if self.listen else ""
        save(table, who, self.attribute, kind=kind, ease=self.ease, bonus=raised, against=self.against)


_OF_SAVES = {"str": "physical", "dex": "physical", MOVEMENT: "athletics"}


def save(
    table: Table,
    who: Character,
    attribute: str,
    *,
    kind: str = "",
    ease: d20.Advantage = d20.NO_ADVANTAGE,
    bonus: int = 0,
    against: str = "",
    purpose: str = "saving throw",
) -> bool:
    """A d20 at or under the score, Movement for athletics or a monster's Save succeeds (R3.9, R3.11, R3.96, Q3.18, Q3.56).

    Lower is better; a ``bonus`` raises what may be rolled.
    """
    if attribute == MOVEMENT:
        score = movement(who, house(table))
    else:
        score = who.stats.get(save_stat(who, attribute), AVERAGE) + effect(who, "save")
    target = score + bonus
    kind = kind or _OF_SAVES.get(attribute, "save")
    roll = roll_test(table, who, kind=kind, purpose=purpose, ease=ease, low_is_better=True)
    saved = roll.total <= target
    check, word = f"{ability_scores.NAMES.get(attribute, 'Movement')} save", "saved" if saved else "not saved"
    d20.record_check(table, who.id, check, roll.total, target, success=saved, outcome=word, against=against)
    return saved
