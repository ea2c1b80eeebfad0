"""A history is told as sentences: who did what to whom and how it came out, with as it counts."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from rollbook.domain import events
from rollbook.domain.dice.record import Die, Flat, Source
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.history import History
from rollbook.projections.chronicle.actions import deeds
from rollbook.projections.chronicle.model import Kind, Part, Sentence
from rollbook.projections.chronicle.prose import Prose, prose
from rollbook.projections.chronicle.telling import Telling
from rollbook.projections.log_lines import Teller

NAMES = {"robin": "Robin", "guard": "Guard", "wolf": "Wolf"}
HIT = events.CheckResolved(
    character="robin", check="attack", total=16, target=12, success=True, outcome="hit", against="guard"
)
MISS = events.CheckResolved(
    character="robin", check="attack", total=9, target=12, success=False, outcome="miss", against="guard"
)
ROLL = events.DiceRolled(
    roller="robin", purpose="to hit", expression="1d20 + 2[DEX]", total=16, dice=(Die(20, 14),), flat=(Flat(2, "DEX"),),
    sources=(Source("physical", 1),),
)  # fmt: skip
WOUND = events.DamageTaken(character="guard", amount=5, dealt=5)


def entry(verb: str, *recorded: Event, actor: str = "", number: int = 1, **more: object) -> RecordedEntry:
    """An action of Ana's, with the parameters that are named."""
    params = {name: value for name, value in more.items() if name not in RecordedEntry._fields}
    envelope = {name: value for name, value in more.items() if name in RecordedEntry._fields}
    intent = Intent(verb=verb, params=params)  # type: ignore[arg-type]
    made = RecordedEntry(EntryKind.TAKEN, number, tuple(recorded), number=number, seat="Ana", at=number, actor=actor)
    return made._replace(intent=intent, **envelope)  # type: ignore[arg-type]


def said(verb: str, *recorded: Event, actor: str = "", **params: object) -> Prose:
    return prose(entry(verb, *recorded, actor=actor, **params), Teller(NAMES))


def told_of(*entries: RecordedEntry) -> list[Part]:
    """The parts of a history."""
    history = History(entries)
    return list(Telling(deeds=tuple(deeds(history, lambda _: True)), names=NAMES).parts())


def sentences(parts: Iterable[Part]) -> list[Sentence]:
    return [
        each
        for part in parts
        for chapter in part.chapters
        for paragraph in chapter.paragraphs
        for each in paragraph.sentences
    ]


def test_a_blow_is_one_sentence_and_its_dice_are_in_the_margin() -> None:
    found = said("attack", ROLL, HIT, WOUND, actor="robin", target="guard", weapon="longbow")
    assert found.text == "Robin attacks Guard with the longbow and hits; Guard loses 5 hit points."
    assert found.dice == ("1d20[14] ✎ +2 DEX = 16 against 12",)
    assert found.success == 1


def test_what_befalls_several_in_the_same_way_is_said_once() -> None:
    awards = [events.ExperienceAwarded(character=who, amount=2_000, reason="the arrow") for who in NAMES]
    assert said("award", *awards, who=tuple(NAMES)).text == (
        "Ana awards experience to Robin, Guard and Wolf; Robin, Guard and Wolf earn 2,000 experience each (the arrow)."
    )


def test_a_verb_of_a_game_that_nobody_knows_is_said_by_its_name() -> None:
    assert said("carry-off", actor="wolf", target="guard").text == "Wolf carries off Guard."


def test_what_another_tries_meanwhile_is_said_of_the_other() -> None:
    answer = events.CheckResolved(
        character="guard",
        check="attack of opportunity",
        total=8,
        target=14,
        success=False,
        outcome="miss",
        against="wolf",
    )
    assert said("move", answer, actor="wolf").text == (
        "Wolf moves; Guard tries an attack of opportunity against Wolf and misses."
    )


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (events.PoolSpent(holder="robin", pool="luck", amount=1, reason="a scare"), "Robin spends 1 luck (a scare)."),
        (events.PoolGained(holder="robin", pool="cast:blur", amount=1), ""),
        (events.GearGained(character="robin", item="torch", count=4), "Robin gets 4 × torch."),
        (events.TimePassed(seconds=3_600), "1 hour passes."),
        (events.ControlPassed(character="wolf", seat=""), "Wolf is played by the GM from now on."),
    ],
)
def test_an_event_is_said_if_it_is_worth_a_sentence(event: Event, sentence: str) -> None:
    assert said("imported", event).text == sentence


def test_falls_and_levels_stand_by_themselves_and_are_not_said_twice() -> None:
    fall = events.ConditionBegan(character="guard", condition="dead")
    level = events.LevelGained(character="robin")
    parts = told_of(
        entry("attack", HIT, WOUND, fall, actor="robin", target="guard"), entry("award", level, level, number=2)
    )
    paragraphs = parts[0].chapters[0].paragraphs
    assert [(each.kind, each.heading) for each in paragraphs if each.kind is not Kind.PROSE] == [
        (Kind.FALL, "Guard is dead"),
        (Kind.LEVEL, "Robin rises to level 1"),
        (Kind.LEVEL, "Robin rises to level 2"),
    ]
    assert "dead" not in sentences(parts)[0].text


def test_what_was_undone_is_not_told() -> None:
    shot = entry("attack", HIT, WOUND, actor="robin", target="guard")
    undone = RecordedEntry(EntryKind.UNDONE, 1, number=2, seat="Ana", at=2, reason="out of reach", revision=2)
    assert sentences(told_of(shot, undone)) == []


def test_what_came_out_otherwise_is_told_as_it_came_out() -> None:
    shot = entry("attack", HIT, WOUND, actor="robin", target="guard")
    revised = shot._replace(kind=EntryKind.REVISED, number=2, revision=2, events=(MISS,), reason="he wore plate", at=2)
    (sentence,) = sentences(told_of(shot, revised))
    assert sentence.text == "Robin attacks Guard and misses."


def test_sessions_are_parts_scenes_chapters_and_turns_paragraphs() -> None:
    order = events.TurnOrderSet(order=("robin", "guard"), scores=(19, 5))
    parts = told_of(
        entry("take-seat", events.SeatTaken(seat="Ana", role=events.Role.GM, number=0)),
        entry("open-session", events.SessionOpened(session=1, title="Low water"), number=2),
        entry("scene", events.SceneFramed(title="The mill"), number=3),
        entry("begin-encounter", events.EncounterBegan(title="Wolves"), events.RoundBegan(), order, number=4),
        entry("attack", HIT, WOUND, actor="robin", target="guard", number=5),
        entry("end-turn", events.TurnBegan(character="guard"), number=6),
        entry("note", events.NoteWritten(text="*They howl.*"), number=7),
        entry("open-session", events.SessionOpened(session=2), number=8),
    )
    assert [(part.label, part.title, len(part.chapters)) for part in parts] == [
        ("Session 1", "Low water", 1),
        ("Session 2", "", 0),
    ]
    (mill,) = parts[0].chapters
    assert mill.title == "The mill"
    kinds = [(each.kind, each.heading, each.detail, each.by) for each in mill.paragraphs]
    assert kinds == [
        (Kind.FIGHT, "Wolves", "", ""),
        (Kind.ROUND, "Round 1", "19 Robin, 5 Guard", ""),
        (Kind.PROSE, "", "", ""),
        (Kind.QUOTE, "", "", "Ana"),
    ]
    assert sentences(parts)[-1].text == "They howl."


def test_a_fight_that_waits_in_another_scene_goes_on_with_its_own_rounds() -> None:
    begun = events.EncounterBegan(), events.RoundBegan()
    (part,) = told_of(
        entry("open-session", events.SessionOpened(session=1)),
        entry("scene", events.SceneFramed(title="The cellar"), number=2),
        entry("begin-encounter", *begun, number=3),
        entry("end-turn", events.RoundBegan(), number=4),
        entry("attack", HIT, WOUND, actor="robin", target="guard", number=5),
        entry("meanwhile", events.SceneSetAside(), events.SceneFramed(title="The roof"), number=6),
        entry("begin-encounter", *begun, number=7),
        entry("attack", MISS, actor="robin", target="guard", number=8),
        entry("cut-to", events.SceneSetAside(), events.SceneResumed(scene=1, title="The cellar"), number=9),
        entry("end-turn", events.RoundBegan(), number=10),
        entry("attack", HIT, WOUND, actor="robin", target="guard", number=11),
    )
    rounds = [
        (each.title, [line.heading for line in each.paragraphs if line.kind is Kind.ROUND]) for each in part.chapters
    ]
    assert rounds == [("The cellar", ["Round 1", "Round 2"]), ("The roof", ["Round 1"]), ("The cellar", ["Round 3"])]


def test_an_x_card_that_is_answered_is_one_line() -> None:
    (part,) = told_of(
        entry("x-card", events.XCardRaised()), entry("after-x-card", events.XCardAnswered(how="resume"), number=2)
    )
    assert [each.heading for each in part.chapters[0].paragraphs] == [
        "The X-card is raised, and the scene pauses. The scene goes on."
    ]


def test_what_only_some_may_read_says_for_whom_it_is() -> None:
    (sentence,) = sentences(told_of(entry("note", events.NoteWritten(text="It was the duke."), visibility="gm")))
    assert sentence.secret == "for the GM alone"


def test_a_roll_of_which_nobody_knows_what_it_met_says_what_was_rolled() -> None:
    roll = events.DiceRolled(
        roller="robin", purpose="perception check", expression="1d20", total=14, dice=(Die(20, 14),)
    )
    assert said("check", roll, actor="robin").text == "Robin tries a perception check and rolls 14."
    assert said("roll", roll, actor="robin").text == "Robin rolls and gets 14."


def test_a_card_that_describes_a_spell_is_said_in_short() -> None:
    card = events.NoteWritten(text=f"Fire Bolt\n{'a mote of fire ' * 40}")
    found = said("use", card, actor="robin", what="Fire Bolt").text
    assert found.startswith("Robin uses Fire Bolt. A mote of fire a mote")
    assert found.endswith(" …") and len(found) < 200


def test_a_session_that_is_called_by_its_day_has_no_other_title() -> None:
    (part,) = told_of(entry("open-session", events.SessionOpened(session=1, title="2021-09-07")))
    assert (part.label, part.title, part.date) == ("Session 1", "", "1 January 1970")


def test_of_one_session_the_levels_are_those_of_the_campaign() -> None:
    rise = events.LevelGained(character="robin")
    history = History(
        [
            entry("open-session", events.SessionOpened(session=1, title="First")),
            entry("award", rise, number=2),
            entry("open-session", events.SessionOpened(session=2, title="Second"), number=3),
            entry("award", rise, number=4),
        ]
    )
    found = Telling(deeds=tuple(deeds(history, lambda each: each.number == 4)), names=NAMES)
    (part,) = found.parts()
    assert [heading.title for heading in found.contents()] == [part.title] == ["Second"]
    assert [each.heading for each in part.chapters[0].paragraphs if each.kind is Kind.LEVEL] == [
        "Robin rises to level 2"
    ]
