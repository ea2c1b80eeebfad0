"""A forecast says exactly how likely everything is that may come of an action, whatever the rules look at."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.action import intent_of
from domain.actions.free_rolls import RollDice
from domain.dice.odds import chance, distribution
from domain.entries import Intent
from domain.errors import NotFound, Refused
from domain.forecast import Forecast, TooMany, forecast, search
from domain.forecast.roll_outcomes import every_roll, roll_outcomes, rolls_behind
from domain.forecast.undecided import is_undecided
from domain.rulebook import Rulebook
from domain.state import CampaignState, equal_in_order
from ruleset_plugins import Action, Ruleset, Sheet, Table, character, characters, choice, dice, events, flag, number
from ruleset_plugins.storytoken import RULESET as STORYTOKEN
from ruleset_plugins.storytoken.body.harm import Harm, Hazard, Heal
from ruleset_plugins.storytoken.character.creation import BringIn, Join
from ruleset_plugins.storytoken.fight.attack import Attack
from ruleset_plugins.storytoken.fight.encounter import BeginEncounter
from ruleset_plugins.storytoken.tasks.checks import Check, Oppose
from ruleset_plugins.storytoken.tasks.saves import Save
from ruleset_plugins.testing.scenarios import scenario
from tests.support import toy
from tests.support.enumeration import check_forecast, every_result, totals_of, totals_of_forecast
from tests.support.toy import TOY

# A game whose rules look at dice in every way there is.


@attrs.frozen(kw_only=True)
class Look(Action):
    """One roll, and one way to look at it."""

    verb: ClassVar[str] = "look"

    roll: str = dice("what")
    way: str = choice(
        "how",
        (
            "compare", "key", "index", "text", "dice", "doubles", "first", "type", "half", "float", "count", "more dice",
            "refuse", "again", "bits", "range", "both", "truth", "evolve", "rank", "nothing", "exactly int",
        ),
    )  # fmt: skip

    def resolve(self, table: Table) -> None:
        rolled = table.roll(self.roll, roller="robin", purpose="look", natural=True)
        outcome, success = getattr(self, f"_{self.way.replace(' ', '_')}")(table, rolled)
        table.record(
            events.CheckResolved(
                character="robin", check=self.way, total=rolled.total, target=0, success=success, outcome=outcome
            )
        )
        table.record(events.DamageTaken(character="guard", amount=rolled.total * 2 - 1, dealt=rolled.total))

    def _compare(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return ("hit" if rolled.natural != 1 and (rolled.total >= 5 or rolled.natural == 4) else "miss"), True

    def _key(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return {1: "fumble", 6: "critical"}.get(rolled.natural, "plain"), rolled.total > 3

    def _index(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return "abcdefghijklmnopqrstuvwxyz"[rolled.total % 26], False

    def _text(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return f"{rolled.total:02d} {rolled.natural!s} {rolled.total!r}", False

    def _dice(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return " ".join(str(die.face) for die in rolled.dice if die.kept), rolled.total > 4

    def _doubles(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        high = rolled.total >= 6
        faces = [die.face for die in rolled.dice]
        return ("high " if high else "") + ("doubles" if len(set(faces)) < len(faces) else "none"), high

    def _first(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return f"{rolled.dice[0].face > 3} {len(rolled.dice)}", rolled.total == 7

    def _type(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        match rolled.total:
            case 3 | 4:
                return "few", True
            case int(total) if total > 4:
                return "many", isinstance(rolled.natural, int)
        return "none", False

    def _half(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        half = max(1, min(4, (rolled.total + 1) // 2)) - 1
        table.record(events.HitPointsRestored(character="robin", amount=half))
        return ("much" if abs(-half) % 3 == 2 else "little"), half > 2

    def _float(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return ("more" if rolled.total / 2 > 1.5 else "less"), rolled.total == 4.0

    def _count(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return "".join("x" for _ in range(rolled.total)), sum([rolled.total, 1]) in (3, 5)

    def _more_dice(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        more = table.roll("(@many)d2", roller="robin", purpose="more", many=rolled.natural).total
        return "", more + rolled.total >= 8

    def _refuse(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        if rolled.total < 3:
            table.refuse(f"{rolled.total} is not enough.")
        return "", True

    def _again(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        best = max(rolled.total, table.roll("1d6", roller="robin", purpose="again").total)
        worst = min(table.roll("1d4", roller="robin", purpose="again").total, rolled.natural)
        return ("ahead" if best > worst + 2 else "behind"), best == worst

    def _bits(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return str(rolled.total.bit_length()), bool(rolled.total & 1)

    def _range(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return str(divmod(rolled.total, 3)), 3 <= rolled.total < 6 or rolled.total**2 == 64

    def _both(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        other = table.roll("1d8", roller="guard", purpose="both")
        ranked = sorted([(rolled.total, "robin"), (other.total, "guard")], reverse=True)
        return ranked[0][1], rolled.total + other.total > 9

    def _truth(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return ("some" if rolled.total - 3 else "none"), not rolled.total - 4

    def _evolve(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        again = attrs.evolve(rolled, purpose="told again")
        table.record(again)
        return ("same" if again.dice == rolled.dice else "other"), again.total > 4

    def _rank(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        others = [table.roll("1d3", roller=name, purpose="rank").total for name in "ab"]
        return "".join(name for _, name in sorted(zip([rolled.total, *others], "rab", strict=True))), True

    def _nothing(self, _: Table, __: events.DiceRolled) -> tuple[str, bool]:
        return "", False

    def _exactly_int(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        if type(rolled.total) is not int:
            raise TypeError("not a plain number")
        return "", rolled.total > 3


@attrs.frozen(kw_only=True)
class Storm(Action):
    """Everybody saves against the same blast: half of it if they make it."""

    verb: ClassVar[str] = "storm"

    who: tuple[str, ...] = characters("whom it strikes")
    roll: str = dice("how hard", default="8d6")

    def resolve(self, table: Table) -> None:
        blast = table.roll(self.roll, roller="", purpose="storm").total
        for name in self.who:
            saved = table.roll("1d20+2", roller=name, purpose="save", natural=True).total >= 15
            table.record(events.CheckResolved(character=name, check="save", total=0, target=15, success=saved))
            dealt = blast // 2 if saved else blast
            table.record(events.DamageTaken(character=name, amount=dealt, dealt=dealt))
            if table.character(name).lost >= 20:
                table.record(events.ConditionBegan(character=name, condition="down"))


@attrs.frozen(kw_only=True)
class Tie(Action):
    """Both roll until one is ahead."""

    verb: ClassVar[str] = "tie"

    sides: int = number("of the die", default=6, minimum=2)
    ahead: int = number("what the one adds", default=0)
    named: bool = flag("every roll is for something of its own")

    def resolve(self, table: Table) -> None:
        one = other = 0
        for purpose in (f"tie {count}" if self.named else "tie" for count in itertools.count()):
            one = table.roll(f"1d{self.sides}", roller="robin", purpose=purpose).total + self.ahead
            other = table.roll(f"1d{self.sides}", roller="guard", purpose=purpose).total
            if one != other:
                break
        table.record(events.CheckResolved(character="robin", check="tie", total=one, target=other, success=one > other))


@attrs.frozen(kw_only=True)
class Ghost(Action):
    """Somebody who may not be there."""

    verb: ClassVar[str] = "ghost"

    who: str = character("who")

    def resolve(self, table: Table) -> None:
        table.roll("1d6", roller="", purpose="ghost")
        table.character(self.who)


@attrs.frozen(kw_only=True)
class Crash(Action):
    """A rule that goes wrong."""

    verb: ClassVar[str] = "crash"

    def resolve(self, table: Table) -> None:
        table.record(events.TimePassed(seconds=6 // (table.roll("1d6", roller="", purpose="crash").total - 6)))


BONES = Ruleset(
    key="bones",
    title="Bones",
    version="1",
    summary="A game that looks.",
    actions=(Look, Storm, Tie, Ghost, Crash),
    sheet=lambda who, _: Sheet(character=who.id, name=who.name, title="", values=(), words=()),
)
BOOK = Rulebook({"bones": BONES, "toy": TOY, "storytoken": STORYTOKEN})
WAYS = next(field for field in attrs.fields(Look) if field.name == "way").metadata["rollbook"]["choices"]


def bones(*names: str) -> CampaignState:
    joined = [events.CharacterJoined(character=name, name=name.title()) for name in names or ("robin", "guard")]
    return scenario(BONES).given(*joined).before


def toys(skill: int = 2, lost: int = 0) -> CampaignState:
    people = ("robin", "guard")
    joined = [events.CharacterJoined(character=name, name=name.title()) for name in people]
    strong = [events.StatChanged(character=name, stat="max_hp", amount=8) for name in people]
    skilled = events.StatChanged(character="robin", stat="skill", amount=skill)
    hurt = events.DamageTaken(character="guard", amount=lost, dealt=lost)
    return scenario(TOY).given(*joined, *strong, skilled, hurt).before


def sherwood(**rules: Any) -> CampaignState:
    return (
        scenario(STORYTOKEN, **rules)
        .given(
            BringIn(who="robin-hood", id="robin"),
            BringIn(who="count-dracula", id="dracula", kind="npc"),
            Join(name="Guard", id="guard", kind="monster", ac=13, hp=9),
            Join(name="Deputy", id="deputy", kind="monster", ac=18, hp=20),
        )
        .before
    )


def seen(campaign: CampaignState, action: Action) -> Forecast:
    return forecast(BOOK, campaign, intent_of(action))


def agrees(campaign: CampaignState, action: Action, *, dice: int = 99) -> Forecast:
    """The forecast of an action, which is what playing it with all dice comes to."""
    found = seen(campaign, action)
    check_forecast(found, list(every_result(BOOK, campaign, intent_of(action), dice=dice)))
    return found


# Agreement with every sequence of faces.


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "roll", ["1d6", "2d4", "2d6kh1 + 1", "3d3kl2", "2d4ro=1", "1d3ro=1 + 1d4", "2 + 1d4 + 1d3", "max(1d4, 1d3)"]
)
def test_however_a_rule_looks_it_is_what_all_faces_come_to(way: str, roll: str) -> None:
    if (way, roll) == ("more dice", "2 + 1d4 + 1d3"):
        roll = "1d4"
    found = agrees(bones(), Look(roll=roll, way=way))
    assert found.not_followed == 0


@given(
    skill=st.integers(-5, 12), lost=st.integers(0, 7), weapon=st.sampled_from(("club", "sword")), back=st.integers(1, 3)
)
@settings(max_examples=25, deadline=None)
def test_the_toy_comes_to_what_all_faces_come_to(skill: int, lost: int, weapon: str, back: int) -> None:
    campaign = toys(skill, lost)
    agrees(campaign, toy.Attack(attacker="robin", target="guard", weapon=weapon))
    agrees(campaign, toy.Hide(who="robin"))
    agrees(campaign, toy.Bet(who="robin", dice=back))
    if lost:
        agrees(campaign, toy.Heal(who="guard", dice=back))


EASES = st.lists(st.sampled_from(("high ground", "aim")), max_size=1, unique=True).map(tuple)


@given(ease=EASES, strain=EASES, bonus=st.integers(-9, 9), cover=st.booleans(), half=st.sampled_from(("floor", "ceil")))
@settings(max_examples=4, deadline=None)
def test_storytoken_comes_to_what_all_faces_come_to(
    ease: tuple[str, ...], strain: tuple[str, ...], bonus: int, cover: bool, half: str
) -> None:
    campaign = sherwood(light_half=half)
    how: dict[str, Any] = {"advantage": ease, "disadvantage": strain, "bonus": (f"{bonus:+d} luck",)}
    agrees(campaign, Attack(attacker="robin", target="guard", weapon="light", cover=cover, carry_to=("deputy",), **how))
    agrees(campaign, Attack(attacker="robin", target="dracula", weapon="heavy-melee", cover=cover))
    agrees(campaign, Check(who="robin", ability="dex", target="hard", **how))
    agrees(campaign, Save(who="guard", ability="wis", caster="dracula", **how))
    agrees(campaign, Hazard(who="guard", level=7, ability="con", **how))
    agrees(campaign, Harm(who="guard", amount="2d6"))


def test_healing_is_forecast_too() -> None:
    hurt = scenario(STORYTOKEN).given(
        Join(name="Guard", id="guard", kind="monster", ac=13, hp=9),
        events.DamageTaken(character="guard", amount=11, dealt=11),
        events.ConditionBegan(character="guard", condition="unconscious"),
    )
    found = agrees(hurt.before, Heal(who="guard", amount="1d6"))
    assert found.chance_of("guard", "unconscious", began=False) == Fraction(4, 6)
    assert found.amount("guard", "healing").mean == Fraction(7, 2)


# What is known by other means.


@given(skill=st.integers(-12, 12))
@settings(max_examples=25, deadline=None)
def test_a_plain_check_is_as_likely_as_its_dice_are(skill: int) -> None:
    (check,) = seen(toys(skill), toy.Attack(attacker="robin", target="guard")).checks
    assert check.success == chance(f"1d20 + {skill}" if skill >= 0 else f"1d20 - {-skill}", 11)
    assert check.made == 1


def test_a_roll_without_a_rule_shows_its_totals() -> None:
    (roll,) = seen(toys(), RollDice(expression="8d6 + 2", who="robin")).rolls
    assert (roll.made, roll.totals) == (1, distribution("8d6 + 2"))


def test_a_damage_roll_is_only_made_after_a_hit() -> None:
    found = seen(toys(skill=0), toy.Attack(attacker="robin", target="guard"))
    assert [(each.roll.purpose, each.roll.ordinal, each.made) for each in found.rolls] == [
        ("to hit", 0, 1),
        ("damage", 0, Fraction(1, 2)),
        ("damage", 1, Fraction(1, 20)),
    ]


# Few paths for many ways.


def test_results_that_no_rule_tells_apart_are_one_path() -> None:
    assert seen(bones(), Look(roll="1d20", way="compare")).paths <= 5
    assert seen(bones(), Look(roll="8d6", way="nothing")).paths == 1


def test_many_targets_of_one_blast_are_counted_out() -> None:
    people = tuple(f"guard{at}" for at in range(7))
    found = seen(bones(*people), Storm(who=people))
    assert len(found.stories) == 2**7
    assert sum(story.chance for story in found.stories) == 1
    assert {check.success for check in found.checks} == {chance("1d20+2", 15)}
    blast, saves = distribution("8d6"), chance("1d20+2", 15)
    for name in people:
        assert found.chance_of(name, "down") == saves * blast.at_least(40) + (1 - saves) * blast.at_least(20)
        assert found.amount(name, "damage").mean == sum(
            part * (saves * (total // 2) + (1 - saves) * total) for total, part in blast.items()
        )


# Chains without an end.


def test_a_tie_that_is_rolled_again_for_ever_leaves_exact_shares() -> None:
    found = seen(bones(), Tie(sides=20))
    assert [check.success for check in found.checks] == [Fraction(1, 2)]
    assert 0 < found.not_followed < Fraction(1, 100_000)
    assert [check.success for check in seen(bones(), Tie(sides=2, named=True)).checks] == [Fraction(1, 2)]
    ahead = seen(bones(), Tie(sides=6, ahead=1))
    assert [check.success for check in ahead.checks] == [Fraction(21, 31)]


def test_opposed_rolls_of_a_real_game() -> None:
    found = seen(sherwood(), Oppose(who="guard", ability="dex", opponent="deputy", opponent_ability="dex"))
    assert [(check.success, check.made) for check in found.checks] == [(Fraction(1, 2), 1)]
    uneven = seen(sherwood(), Oppose(who="robin", ability="dex", opponent="deputy", opponent_ability="dex"))
    assert (uneven.not_followed, len(uneven.stories)) == (0, 2)


def test_initiative_says_who_begins() -> None:
    found = seen(sherwood(), BeginEncounter(participants=("robin", "guard")))
    assert sum(found.first.values()) == 1
    assert found.first["robin"] > found.first["guard"]
    three = seen(sherwood(), BeginEncounter(participants=("robin", "guard", "deputy")))
    assert sum(three.first.values()) == 1


def test_an_exploding_die_is_cut_where_hardly_anything_is_left() -> None:
    found = seen(bones(), Look(roll="2d6x", way="compare"))
    assert 0 < found.not_followed < Fraction(1, 10**6)
    assert sum(story.chance for story in found.stories) == 1
    rough = agrees_roughly(bones(), Look(roll="1d6x", way="key"), dice=7)
    assert rough < 1e-5
    assert agrees_roughly(bones(), Look(roll="1d6x", way="first"), dice=7) < 1e-5
    assert agrees_roughly(bones(), Look(roll="1d4rr=1", way="compare"), dice=9) < 1e-5


def agrees_roughly(campaign: CampaignState, action: Action, *, dice: int) -> float:
    """How far the chances of the stories lie from those of all faces up to so many dice."""
    wanted = totals_of(list(every_result(BOOK, campaign, intent_of(action), dice=dice))).stories
    has = totals_of_forecast(seen(campaign, action)).stories
    return max(float(abs(has[story] - wanted[story])) for story in {*has, *wanted} if wanted[story] > 1e-4)


# Refusals.


def test_what_is_refused_whatever_falls_is_refused() -> None:
    with pytest.raises(Refused, match="is not hurt"):
        seen(toys(), toy.Heal(who="guard"))
    with pytest.raises(NotFound, match="nobody"):
        seen(bones(), Ghost(who="nobody"))
    with pytest.raises(Refused, match="whole roll|nothing to roll|not read"):
        seen(bones(), Look(roll="", way="nothing"))
    with pytest.raises(NotFound, match="frobnicate"):
        forecast(BOOK, bones(), Intent(verb="frobnicate"))


def test_what_is_refused_for_some_dice_has_a_share() -> None:
    found = seen(bones(), Look(roll="1d6", way="refuse"))
    assert [(each.sentence, each.chance) for each in found.refusals] == [
        ("1 is not enough.", Fraction(1, 6)),
        ("2 is not enough.", Fraction(1, 6)),
    ]
    assert [story.chance for story in found.stories] == [Fraction(2, 3)]


def test_a_seat_may_not_ask_for_what_it_may_not_do() -> None:
    seated = [events.SeatTaken(seat="Ana", role=events.Role.GM, number=0)]
    seated += [events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)]
    campaign = scenario(TOY).given(*seated, events.CharacterJoined(character="robin", name="Robin")).before
    action = toy.Bet(who="robin", dice=1)
    assert forecast(BOOK, campaign, intent_of(action), seat="Ana").paths == 1
    with pytest.raises(Refused, match="Robin is the GM's; Mira cannot act for them"):
        forecast(BOOK, campaign, intent_of(action), seat="Mira")


def test_too_many_dice_are_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_STEPS", 200_000)
    for action in (
        Look(roll="12d6", way="dice"),
        Look(roll="1d1000000", way="nothing"),
        Look(roll="9d10x", way="first"),
        Storm(who=tuple(f"guard{at}" for at in range(40))),
    ):
        with pytest.raises(TooMany, match=r"fewer targets, or fewer dice\.$"):
            seen(bones(*(f"guard{at}" for at in range(40))), action)


def test_a_thousandth_at_most_is_left_out_where_it_would_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_STEPS", 24_000)
    found = seen(bones(), Tie(sides=20))
    assert Fraction(1, 100_000) < found.not_followed <= search.TOLERATED
    assert sum(story.chance for story in found.stories) == 1
    monkeypatch.setattr(search, "MOST_STEPS", 3_000)
    with pytest.raises(TooMany):
        seen(bones(), Tie(sides=20))


def test_rules_that_go_wrong_go_wrong_here_too() -> None:
    with pytest.raises(ZeroDivisionError):
        seen(bones(), Crash())


# Nothing happens.


def test_a_forecast_changes_nothing() -> None:
    campaign, again = sherwood(), sherwood()
    seen(campaign, Attack(attacker="robin", target="guard", weapon="heavy-melee", carry_to=("deputy",)))
    assert equal_in_order(campaign.characters, again.characters)
    assert campaign == again
    assert not any(is_undecided(who.lost) for who in campaign.characters.values())


def test_the_same_question_has_the_same_answer() -> None:
    action = toy.Attack(attacker="robin", target="guard")
    assert seen(toys(), action) == seen(toys(), action)


# How one roll falls.


@pytest.mark.parametrize(
    "text",
    ["1d20", "3d6", "4d6kh3", "2d20kl1 + 5", "1d8 - 1d4", "2d4ro<=2 + 1d6", "3d6cs>=5", "2d6mi2", "-1d6 + 3", "7"],
)
def test_totals_have_the_chances_of_the_exact_odds(text: str) -> None:
    known = roll_outcomes(text, natural=False)
    whole = sum(known.weights.values())
    assert known.followed == 1
    assert {known.totals[at]: Fraction(weight, whole) for at, weight in known.weights.items()} == distribution(text)


@pytest.mark.parametrize(
    "text", ["1d20 + 3", "2d20kh1 + 1d4 + 2", "1d6x + 1d4", "5 + 1d4", "3d4", "1d4 + 1d6x", "2d3x", "1d4ro=1 - 1d6"]
)
def test_the_natural_face_is_that_of_the_die_in_the_first_term(text: str) -> None:
    known = roll_outcomes(text, natural=True)
    found: dict[tuple[int, int], Fraction] = {}
    for roll, part in every_roll(text):
        key = (roll.total, roll.natural)
        found[key] = found.get(key, Fraction(0)) + part
    whole = sum(known.weights.values()) / known.followed
    totals: dict[int, Fraction] = {}
    for at, weight in known.weights.items():
        key = (known.totals[at], known.naturals[at])
        assert abs(weight / whole - found.get(key, 0)) < Fraction(1, 10**6)
        totals[key[0]] = totals.get(key[0], Fraction(0)) + weight / whole
    if not distribution(text).is_approximate:
        assert totals == distribution(text)


@pytest.mark.parametrize("natural", [False, True])
@pytest.mark.parametrize(
    "text", ["1d6x + 1d4", "1d4 + 2d4x", "2d4rr=1 + 1d6", "1d4x - 1d6", "max(1d4x, 1d6)", "2d6xkh1"]
)
def test_the_single_rolls_behind_the_results_are_all_of_them_but_for_hardly_anything(text: str, natural: bool) -> None:
    known, behind = roll_outcomes(text, natural=natural), rolls_behind(text, natural=natural)
    whole = sum(known.weights.values()) / known.followed
    lost = sum((1 - sum(share for _, share in behind.get(at, ()))) * weight for at, weight in known.weights.items())
    assert 0 <= lost / whole < Fraction(1, 10**5)
