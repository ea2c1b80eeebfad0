"""A correction changes what follows from it and nothing else, keeps the dice, says everything beforehand, and can be undone."""

from __future__ import annotations

import attrs
import pytest

from domain.corrections import Adjustment, Amend, Effect, Orphans, Redo, ThinkAgain, Undo
from domain.corrections.preview import last_action
from domain.dice.errors import DiceError
from domain.dice.supply import DiceNeeded, PhysicalDice
from domain.entries import Entry, EntryKind, Intent, RecordedEntry, SecondThought, recorded
from domain.errors import NotFound, Refused
from domain.events import CheckResolved, DamageTaken, DiceRolled, Event, HitPointsCorrected, NoteWritten, PoolSpent
from domain.history import History
from domain.state import CampaignState
from tests.support.comparison import comparable
from tests.support.random_steps import RandomSteps
from tests.support.toy import TOY, Worry
from tests.support.toy_table import ToyTable, play_random_steps


def lost(state: CampaignState, who: str) -> int:
    return state.characters[who].lost


def hurt(evening: ToyTable, who: str, by: int) -> int:
    return evening.do("adjust", who=who, what="hp", by=-by, reason="so").action


def number(entry: RecordedEntry) -> int:
    return entry.action


def test_undoing_one_thing_leaves_what_came_after_it() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 5)
    evening.do("award", who=("robin",), amount=70)
    made = evening.undo(wound)
    assert lost(evening.state, "robin") == 0
    assert evening.state.characters["robin"].experience == 70
    assert [c.effect for c in made.consequences] == [Effect.UNDONE]
    assert [(c.character, c.label, c.before, c.after) for c in made.changes] == [("robin", "Hit points", "7", "12")]


def test_what_follows_is_played_again_with_the_same_dice() -> None:
    evening = ToyTable()
    evening.do("adjust", who="robin", what="skill", by=-100, reason="blindfolded")
    blind = evening.state
    attack = number(evening.do("attack", attacker="robin", target="guard"))
    evening.do("bet", who="marian", dice=2)
    before = evening.history.effective(attack)
    assert before is not None
    made = evening.preview_drawing({number(evening.history.entries[8]): Undo()})
    evening.apply(made)
    after = evening.history.effective(attack)
    assert after is not None
    assert after.kind is EntryKind.REVISED
    assert rolls(before)[0].dice == rolls(after)[0].dice
    assert rolls(before)[0].total + 100 == rolls(after)[0].total
    assert after.causation == evening.history.head - 1
    assert made.skipped == 1 + len([e for e in evening.history.entries if _verb(e) == "draw-for"])
    assert blind.characters["robin"].stats["skill"] == -97


def rolls(entry: RecordedEntry) -> list[DiceRolled]:
    return [event for event in entry.events if isinstance(event, DiceRolled)]


def _verb(entry: RecordedEntry) -> str:
    return entry.intent.verb if entry.is_outcome else ""


def test_a_preview_appends_nothing() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 5)
    before = comparable(evening.state), evening.history.head, evening.history.ledger.copy()
    evening.preview({wound: Undo()})
    assert (comparable(evening.state), evening.history.head, evening.history.ledger) == before


def test_an_action_without_its_ground_is_an_orphan_and_says_why() -> None:
    evening = ToyTable()
    gained = number(evening.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind"))
    spent = number(evening.do("spend-token", who="guard"))
    made = evening.preview({gained: Undo()})
    (orphan,) = made.of(Effect.ORPHANED)
    assert orphan.action == spent
    assert "cannot spend a token" in orphan.reason
    assert made.entries[1].kind is EntryKind.UNDONE
    assert made.entries[1].reason == orphan.reason


def test_a_kept_orphan_stands_as_a_ruling_whatever_is_corrected_later() -> None:
    evening = ToyTable()
    gained = number(evening.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind"))
    spent = number(evening.do("spend-token", who="guard"))
    other = number(evening.do("gain-token", who="guard"))
    events = evening.history.latest_outcome(spent).events
    evening.undo(gained, orphans=Orphans.KEEP)
    kept = evening.history.effective(spent)
    assert kept is not None
    assert (kept.provenance, kept.events) == ("ruling", events)
    evening.undo(other)
    assert evening.history.effective(spent) == kept
    evening.undo(spent)
    evening.redo(spent)
    assert evening.history.effective(spent) == kept


@pytest.mark.parametrize("seed", range(24))
def test_void_and_restore_give_back_the_identical_state(seed: int) -> None:
    evening = ToyTable()
    chance = RandomSteps(seed)
    play_random_steps(evening, chance, 25, corrections=0)
    tried = 0
    for action in chance.random.sample(range(2, evening.history.actions + 1), 12):
        before = comparable(evening.state)
        try:
            made = evening.preview({action: Undo()}, orphans=Orphans.KEEP)
        except (Refused, DiceNeeded):
            continue
        if made.of(Effect.ORPHANED):
            made = evening.preview({action: Undo()}, stand=True)
            evening.apply(made)
            evening.redo(action, stand=True)
        else:
            evening.apply(made)
            evening.redo(action)
        assert comparable(evening.state) == before
        tried += 1
    assert tried


def test_several_actions_are_undone_in_one_correction() -> None:
    evening = ToyTable()
    wounds = [hurt(evening, "robin", by) for by in (1, 2, 4)]
    made = evening.undo(wounds[0], wounds[2])
    assert lost(evening.state, "robin") == 2
    assert [proposal.action for proposal in made.entries] == [wounds[0], wounds[2]]


def test_the_last_action_is_the_last_that_counts() -> None:
    evening = ToyTable()
    first, second = hurt(evening, "robin", 1), hurt(evening, "robin", 2)
    assert last_action(evening.history) == second
    evening.undo(second)
    assert last_action(evening.history) == first
    with pytest.raises(NotFound, match="Nothing has happened"):
        last_action(History())


def test_as_it_was_known_stays_when_it_is_corrected_later() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 5)
    then = evening.history.head
    evening.do("award", who=("robin",), amount=70)
    evening.undo(wound)
    assert lost(evening.history.as_known_at(then), "robin") == 5
    assert lost(evening.history.as_corrected_to(wound), "robin") == 0
    assert evening.history.as_known_at(0).characters == {}
    with pytest.raises(NotFound, match="There is no entry @99"):
        evening.history.as_known_at(99)
    with pytest.raises(NotFound, match="There is no action #99"):
        evening.history.as_corrected_to(99)


def test_standing_leaves_later_facts_and_the_fold_adds_them_up() -> None:
    evening = ToyTable()
    gained = number(evening.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind"))
    evening.do("spend-token", who="guard")
    made = evening.undo(gained, stand=True)
    assert [p.action for p in made.entries] == [gained]
    assert evening.state.characters["guard"].pools["tokens"] == -1


# What cannot be corrected.


def test_final_actions_refuse() -> None:
    evening = ToyTable()
    card = number(evening.do("x-card"))
    for action in (1, 8, card):
        for change in (Undo(), Amend({})):
            with pytest.raises(Refused, match="cannot be undone or changed"):
                evening.preview({action: change})


def test_what_is_void_cannot_be_voided_and_what_counts_cannot_be_redone() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 5)
    with pytest.raises(Refused, match="has not been undone"):
        evening.preview({wound: Redo()})
    evening.undo(wound)
    for change in (Undo(), Amend({"by": 1}), ThinkAgain(SecondThought(kind="reroll"))):
        with pytest.raises(Refused, match=f"rollbook redo {wound}"):
            evening.preview({wound: change})
    with pytest.raises(Refused, match="Nothing was named"):
        evening.preview({})


@pytest.mark.parametrize("change", [Undo(), Redo(), Amend({}), Redo(1)])
def test_an_action_that_never_was_is_not_found(change: Undo | Redo | Amend) -> None:
    for action in (0, -1, 99):
        with pytest.raises(NotFound, match="There is no action"):
            ToyTable().preview({action: change})


def test_a_revision_that_never_was_is_not_found() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 5)
    evening.undo(wound)
    for revision in (2, 7):
        with pytest.raises(NotFound, match=f"no outcome with revision {revision}"):
            evening.preview({wound: Redo(revision)})


def test_an_amendment_the_verb_does_not_know_is_refused() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 5)
    with pytest.raises(Refused, match="parameter of adjust"):
        evening.preview({wound: Amend({"buy": 3})})
    with pytest.raises(Refused, match="whole number"):
        evening.preview({wound: Amend({"by": "three"})})


def test_what_was_imported_can_be_undone_but_not_amended() -> None:
    evening = ToyTable()
    wound = HitPointsCorrected(character="robin", amount=-3, reason="told")
    action = evening.history.actions + 1
    told = Entry(EntryKind.TAKEN, action, (wound,), intent=Intent(verb="avrae"), provenance="imported")
    evening.history.add(recorded(told, evening.history.head + 1))
    with pytest.raises(Refused, match="was imported as an event"):
        evening.preview({told.action: Amend({})})
    evening.undo(told.action)
    assert lost(evening.state, "robin") == 0
    evening.redo(told.action)
    assert lost(evening.state, "robin") == 3


# Outcomes, and which of them counts.


def test_amending_builds_on_the_outcome_that_counts() -> None:
    evening = ToyTable()
    attack = number(evening.do("adjust", who="robin", what="hp", by=-1, reason="first"))
    evening.amend(attack, who="marian")
    evening.redo(attack, 1)
    evening.amend(attack, by=-2)
    assert (lost(evening.state, "robin"), lost(evening.state, "marian")) == (2, 0)


def test_redo_brings_back_the_outcome_that_counted_before_the_undo() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 1)
    evening.amend(wound, by=-2)
    evening.redo(wound, 1)
    evening.undo(wound)
    evening.redo(wound)
    assert lost(evening.state, "robin") == 1


def test_an_earlier_outcome_comes_back_with_its_own_dice() -> None:
    evening = ToyTable()
    bet = number(evening.do("bet", who="robin", dice=2, typed=(2, 3)))
    evening.amend(bet, (6, 6))
    assert evening.state.characters["robin"].pools["coins"] == 6
    made = evening.redo(bet, 1)
    assert evening.state.characters["robin"].pools["coins"] == -1
    assert [proposal.kind for proposal in made.entries] == [EntryKind.REDONE]
    evening.amend(bet, dice=1)
    assert [die.face for die in rolls(evening.history.latest_outcome(bet))[0].dice] == [2]


def test_an_action_stays_its_seats_however_often_the_gm_corrects_it() -> None:
    evening = ToyTable()
    roll = number(evening.do("roll", seat="mira", expression="1d20"))
    faces = rolls(evening.history.entries[-1])[0].dice
    evening.amend(roll, expression="1d20 + 5")
    evening.amend(roll, expression="1d20 + 7")
    outcome = evening.history.latest_outcome(roll)
    assert rolls(outcome)[0].roller == "mira"
    assert rolls(outcome)[0].dice == faces
    with pytest.raises(Refused, match="mira cannot act for them"):
        evening.preview({roll: Amend({"who": "guard"})})


def test_a_note_that_is_amended_to_the_gm_is_the_gms() -> None:
    evening = ToyTable()
    note = number(evening.do("note", text="the duke did it"))
    evening.amend(note, to="gm")
    assert evening.history.entries[-1].visibility == "gm"
    evening.amend(note, to="table")
    assert evening.history.entries[-1].visibility == ""
    behind = number(evening.do("gain-token", who="guard", secret=True))
    evening.amend(behind, who="robin")
    assert evening.history.entries[-1].visibility == "gm"


# Skipping by reads.


def test_what_an_action_looks_at_may_change_without_its_outcome_changing() -> None:
    evening = ToyTable()
    hurt(evening, "guard", 2)
    loyal = number(evening.do("trait", who="robin", trait="loyal"))
    worry = number(evening.do("worry", who="robin"))
    evening.undo(loyal)
    later = evening.preview({9: Amend({"by": -5})})
    assert [c.action for c in later.of(Effect.CHANGED)] == [worry]
    (check,) = [event for event in later.consequences[-1].after.events if isinstance(event, CheckResolved)]  # type: ignore[union-attr]
    assert not check.success


def test_what_was_left_to_stand_is_followed_by_what_it_looks_at_now() -> None:
    evening = ToyTable()
    hurt(evening, "guard", 2)
    loyal = number(evening.do("trait", who="robin", trait="loyal"))
    worry = number(evening.do("worry", who="robin"))
    evening.undo(loyal, stand=True)
    assert [c.action for c in evening.preview({9: Amend({"by": -5})}).of(Effect.CHANGED)] == [worry]
    evening.undo(worry)
    evening.redo(loyal)
    evening.redo(worry, stand=True)
    hurt(evening, "marian", 1)
    later = evening.preview({evening.history.actions: Undo()})
    assert later.of(Effect.CHANGED) == ()


def test_what_is_redone_may_look_at_other_things_than_before() -> None:
    evening = ToyTable()
    hurt(evening, "guard", 2)
    loyal = number(evening.do("trait", who="robin", trait="loyal"))
    worry = number(evening.do("worry", who="robin"))
    evening.undo(worry)
    evening.undo(loyal)
    evening.redo(worry)
    later = evening.preview({9: Amend({"by": -5})})
    assert [c.action for c in later.of(Effect.CHANGED)] == [worry]


def test_the_order_in_which_things_were_gained_is_state_too() -> None:
    evening = ToyTable()
    for trait in ("brave", "sly"):
        evening.do("trait", who="robin", trait=trait)
    lose = number(evening.do("trait", who="robin", trait="brave", lose=True))
    again = number(evening.do("trait", who="robin", trait="brave"))
    recite = number(evening.do("recite", who="robin"))
    assert evening.history.latest_outcome(recite).events == (NoteWritten(text="sly, brave", about="robin"),)
    made = evening.undo(lose, again)
    assert evening.history.latest_outcome(recite).events == (NoteWritten(text="brave, sly", about="robin"),)
    assert comparable(made.after) == comparable(evening.state)
    assert [(c.label, c.before, c.after) for c in made.changes] == [("Traits", "sly, brave", "brave, sly")]


def test_what_reads_nothing_that_changed_is_not_played_again() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 5)
    for _ in range(5):
        evening.do("gain-token", who="marian")
    evening.do("heal", who="robin", dice=1)
    made = evening.preview({wound: Amend({"by": -6})})
    assert (made.resolved, made.skipped) == (1, 5)


def test_the_clock_of_an_earlier_hour_changes_what_looks_at_it() -> None:
    evening = ToyTable()
    nap = number(evening.do("pass-time", amount=2, unit="hours"))
    look = number(evening.do("look-up"))
    evening.amend(nap, amount=13)
    assert evening.history.latest_outcome(look).events == (NoteWritten(text="the moon"),)


def test_what_is_played_again_and_comes_out_the_same_is_named_and_all_the_rest_is_counted() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 5)
    evening.do("gain-token", who="marian")
    same = number(evening.do("gain-token", who="robin"))
    void = number(evening.do("gain-token", who="guard"))
    evening.undo(void)
    evening.do("gain-token", who="marian")
    made = evening.preview({wound: Amend({"by": -6})})
    assert (made.same, made.resolved, made.skipped) == ((same,), 1, 2)
    again = evening.preview({wound: Amend({"by": -5})})
    assert (again.same, again.resolved, again.skipped) == ((), 0, 3)


def test_what_comes_out_the_same_but_looks_at_other_things_is_noted_without_a_word() -> None:
    evening = ToyTable()
    hurt(evening, "guard", 2)
    loyal = number(evening.do("trait", who="robin", trait="loyal"))
    worry = number(evening.do("worry", who="robin"))
    made = evening.undo(loyal)
    assert made.same == (worry,)
    assert [one.action for one in made.consequences] == [loyal]
    noted = evening.history.latest_outcome(worry)
    assert noted.kind is EntryKind.REVISED
    assert "@guard" in noted.reads


def test_of_several_orphans_each_is_decided_by_itself() -> None:
    evening = ToyTable()
    gained = number(evening.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind"))
    spent = number(evening.do("spend-token", who="guard"))
    evening.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind again")
    later = number(evening.do("spend-token", who="guard"))
    assert [one.action for one in evening.preview({gained: Undo()}).of(Effect.ORPHANED)] == [spent]
    made = evening.preview({gained: Undo()}, effects={spent: Orphans.KEEP})
    assert [(one.action, one.is_kept) for one in made.of(Effect.ORPHANED)] == [(spent, True), (later, False)]
    both = evening.preview({gained: Undo()}, orphans=Orphans.KEEP, effects={later: Orphans.UNDO})
    assert both.entries == made.entries
    with pytest.raises(Refused, match=f"#{gained} is not made impossible by this correction. These are: #{spent}"):
        evening.preview({gained: Undo()}, effects={gained: Orphans.KEEP})


# Adjustments.


def test_an_adjustment_is_played_in_the_action_that_it_belongs_to() -> None:
    evening = ToyTable()
    note = number(evening.do("note", text="the ford"))
    evening.do("gain-token", who="robin")
    wrong = Adjustment(who="robin", what="hp", by=-4)
    evening.corrected({note: Amend(adjustments=(wrong,))})
    assert lost(evening.history.as_corrected_to(note), "robin") == 4
    assert [type(event).__name__ for event in evening.history.latest_outcome(note).events] == [
        "NoteWritten",
        "RulingMade",
        "HitPointsCorrected",
    ]
    evening.amend(note, text="the bridge")
    assert lost(evening.state, "robin") == 4
    evening.corrected({note: Amend(unadjusted=True)})
    assert lost(evening.state, "robin") == 0


def test_an_adjustment_of_nobody_or_nothing_is_refused() -> None:
    evening = ToyTable()
    note = number(evening.do("note", text="the ford"))
    with pytest.raises(NotFound, match="marion"):
        evening.preview({note: Amend(adjustments=(Adjustment(who="marion", what="hp", by=1),))})
    for nothing in ("", "  "):
        with pytest.raises(Refused, match="is not on a sheet"):
            evening.preview({note: Amend(adjustments=(Adjustment(who="robin", what=nothing, by=1),))})


# Dice that were never rolled.


def test_an_amended_action_keeps_its_dice_and_wants_only_new_ones() -> None:
    evening = ToyTable()
    bet = number(evening.do("bet", who="robin", dice=2))
    faces = [die.face for die in rolls(evening.history.entries[-1])[0].dice]
    with pytest.raises(DiceNeeded) as wanted:
        evening.preview({bet: Amend({"dice": 3})})
    assert (wanted.value.action, wanted.value.sides, wanted.value.request.ordinal) == (bet, 6, 0)
    made = evening.preview({bet: Amend({"dice": 3})}, dice=PhysicalDice((5,)))
    (roll,) = [event for event in made.entries[0].events if isinstance(event, DiceRolled)]
    assert [die.face for die in roll.dice] == [*faces, 5]
    assert [(source.kind, source.count) for source in roll.sources] == [("stream", 2), ("physical", 1)]


def test_a_wrong_die_for_a_later_action_is_said_and_makes_no_orphan() -> None:
    evening = ToyTable()
    evening.do("adjust", who="robin", what="skill", by=-100, reason="blindfolded")
    evening.do("attack", attacker="robin", target="guard")
    for faces, said in (((9,), "not a face of a d6"), ((), "needs another d6"), ((1, 1), "left over")):
        with pytest.raises(DiceError, match=said):
            evening.preview({9: Amend({"by": 100})}, dice=PhysicalDice(faces))


def test_dice_that_are_left_over_are_refused() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 5)
    with pytest.raises(DiceError, match="left over"):
        evening.preview({wound: Undo()}, dice=PhysicalDice((3,)))


def test_only_real_dice_can_be_typed_again() -> None:
    evening = ToyTable()
    drawn = number(evening.do("bet", who="robin", dice=1))
    typed = number(evening.do("bet", who="robin", dice=1, typed=(2,)))
    with pytest.raises(Refused, match="came from the committed stream"):
        evening.preview({drawn: Amend({}, (3,))})
    for faces in ((7,), (1, 1)):
        with pytest.raises(DiceError):
            evening.preview({typed: Amend({}, faces)})


# Second thoughts.


def test_a_second_thought_is_one_more_roll_and_its_price() -> None:
    evening = ToyTable()
    evening.do("gain-token", who="robin")
    attack = number(evening.do("attack", attacker="robin", target="guard"))
    first = rolls(evening.history.entries[-1])[0]
    evening.second_thought()
    outcome = evening.history.latest_outcome(attack)
    assert rolls(outcome)[0] == first
    assert rolls(outcome)[1].purpose == "to hit again"
    assert [event.amount for event in outcome.events if isinstance(event, PoolSpent)] == [1]
    damage = sum(event.amount for event in outcome.events if isinstance(event, DamageTaken))
    assert lost(evening.state, "guard") == damage


def test_a_second_thought_comes_before_the_consequences_and_must_change_something() -> None:
    evening = ToyTable()
    attack = number(evening.do("attack", attacker="robin", target="guard"))
    evening.do("worry", who="robin")
    with pytest.raises(Refused, match="for the last action only"):
        evening.preview({attack: ThinkAgain(SecondThought(kind="reroll"))})
    with pytest.raises(Refused, match="nothing that this second thought could change"):
        evening.second_thought()


def test_a_second_thought_without_a_token_is_refused() -> None:
    evening = ToyTable()
    evening.do("adjust", who="guard", what="pool:tokens", by=-2, reason="so")
    evening.do("attack", attacker="guard", target="robin")
    with pytest.raises(Refused, match="holds no token"):
        evening.second_thought()


# Rules that drift.


class Anxious(Worry):
    """The next version of the rules."""

    def resolve(self, table: object) -> None:
        table.character(self.who)  # type: ignore[attr-defined]
        table.record(NoteWritten(text="worried sick", about=self.who))  # type: ignore[attr-defined]


def newer(version: str = "2") -> object:
    actions = tuple(Anxious if action is Worry else action for action in TOY.actions)
    return attrs.evolve(TOY, version=version, actions=actions)


@pytest.mark.parametrize("version", ["1", "2"])
def test_what_the_installed_rules_no_longer_give_is_left_and_reported(version: str) -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 1)
    worry = number(evening.do("worry", who="robin"))
    events: tuple[Event, ...] = evening.history.latest_outcome(worry).events
    evening.rulebook.rulesets["toy"] = newer(version)  # type: ignore[assignment]
    made = evening.undo(wound)
    (drifted,) = made.of(Effect.DRIFTED)
    assert (drifted.action, drifted.after) == (worry, None)
    assert evening.history.latest_outcome(worry).events == events
    evening.undo(worry)
    if version == "2":
        evening.redo(worry)
        assert evening.history.latest_outcome(worry).events == events


class Thirsty(Worry):
    """Rules that want a die where there was none."""

    def resolve(self, table: object) -> None:
        table.character(self.who)  # type: ignore[attr-defined]
        table.roll("1d6", roller=self.who, purpose="thirst")  # type: ignore[attr-defined]


def test_what_has_drifted_asks_for_no_dice() -> None:
    evening = ToyTable()
    wound = hurt(evening, "robin", 1)
    worry = number(evening.do("worry", who="robin"))
    actions = tuple(Thirsty if action is Worry else action for action in TOY.actions)
    evening.rulebook.rulesets["toy"] = attrs.evolve(TOY, actions=actions)
    made = evening.preview({wound: Undo()})
    assert [drifted.action for drifted in made.of(Effect.DRIFTED)] == [worry]
    with pytest.raises(DiceError, match="left over"):
        evening.preview({wound: Undo()}, dice=PhysicalDice((3,)))


def test_an_amendment_under_newer_rules_says_so() -> None:
    evening = ToyTable()
    worry = number(evening.do("worry", who="robin"))
    evening.rulebook.rulesets["toy"] = newer()  # type: ignore[assignment]
    evening.amend(worry, who="marian")
    outcome = evening.history.latest_outcome(worry)
    assert outcome.version == "2"
    assert outcome.events == (NoteWritten(text="worried sick", about="marian"),)
