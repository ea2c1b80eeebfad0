"""Whatever is changed in what a page draws is FAILED, or UNPROVEN where only the rules give it, and the first line says so."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.exports.replay_frames import drawn_step, plain
from rollbook.application.campaign import Campaign
from rollbook.domain.events import DamageTaken
from rollbook.domain.rules.action import build
from rollbook.domain.state.fold.draft import _ARMS
from rollbook.projections.replay import Difference, Step
from tests.support.example_sessions import played_example
from tests.support.forged_frames import Forgery, fields, forgeries
from tests.support.golden_logs import example_instance
from tests.support.pages import Opened, needs_chromium
from tests.support.replay_answers import PROVEN, Answer, answer_to, answered
from tests.support.replay_pages import frames_of, replay_file, with_frames
from tests.support.secret_tables import HIDDEN, PUBLIC, REVEALING, do, played, undo

pytestmark = needs_chromium

SECRET = (
    do("note", text="the duke did it", to="gm"),
    do("join", name="Wolf", kind="npc", stats={"max_hp": 9, "skill": 2}, secret=True),
    do("scene", title="the road"),
    do("fight", who=("robin", "guard")),
    do("attack", attacker="guard", target="robin", weapon="sword"),
    undo(hidden=False),
    do("meanwhile", title="the roof"),
    do("meanwhile", title=""),
    do("cut-to", scene="the roof"),
    do("x-card", seat="mira"),
    do("after-x-card", how="resume"),
    do("close-session"),
)
PAGES: dict[str, Callable[[Path], Campaign]] = {
    "sherwood": lambda folder: played_example("sherwood", folder),
    "carrow-bridge": lambda folder: played_example("carrow-bridge", folder),
    "drowned-chapel": lambda folder: played_example("drowned-chapel", folder),
    "salt-road": lambda folder: played_example("salt-road", folder),
    "secrets": lambda folder: played(SECRET, str(folder)),
}

OF_THE_RULES = {
    "moment.fight.left": "what is left of a turn",
    "moment.fight.left[]": "what is left of a turn",
    "moment.lines[][0]": "what the game counts",
    "moment.lines[][1]": "what the game counts",
    "moment.people.*.where": "places",
    "moment.people.*.away": "distances",
    "moment.people.*.next": "who may be next",
    "moment.people.*.resources": "what can be spent",
    "moment.people.*.resources[]": "what can be spent",
    "moment.people.*.conditions[][2]": "how long conditions last",
}
"""What only the rules give, by the sort that the first line calls it: no entry says it, so it is counted and not compared."""
TELLS_NOTHING = {"moment.people.*.conditions[][3]": "whether a condition is a chip or small words; it is there in both"}
"""What may be changed without telling a reader anything else."""
ELSEWHERE = {"moment.people.*.hp": "hit points in words have a test of their own: they take the place of numbers"}


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page for the GM, who sees all that there is."""
    folder = tmp_path_factory.mktemp("forged")
    campaign = PAGES[request.param](folder)
    campaign.session.project()
    return replay_file(campaign, folder / "page.html")


def is_told(forgery: Forgery, answer: Answer) -> bool:
    """Whether a reader is told that this is not so, or that its sort was not compared, with a number."""
    verdict, line = answer
    if verdict == "FAILED" or forgery.field in TELLS_NOTHING:
        return verdict != "VERIFIED"
    sort = OF_THE_RULES.get(forgery.field)
    return verdict == "UNPROVEN" and sort is not None and re.search(rf"\b{sort} \d", line) is not None


def test_whatever_is_changed_fails_or_is_said_to_be_only_of_the_rules(opened: Opened, page: Path) -> None:
    frames = frames_of(page)
    forged = forgeries(frames)
    answers = answered(opened, page, [each.of(frames) for each in forged])
    pairs = zip(forged, answers, strict=True)
    assert [(each, answer) for each, answer in pairs if not is_told(each, answer)] == []


def test_every_field_that_a_page_can_have_is_among_those_that_are_forged(tmp_path: Path) -> None:
    forged = set()
    for name, play in PAGES.items():
        (tmp_path / name).mkdir()
        campaign = play(tmp_path / name)
        campaign.session.project()
        forged |= fields(frames_of(replay_file(campaign, tmp_path / f"{name}.html")))
    step = example_instance(Step, count(1))
    drawn = drawn_step(step, [example_instance(Difference, count(1))], place=1)
    possible = fields({"steps": [drawn], "changes": [plain(step.then)]})
    known = {field.replace("[]", "").split("[")[0] for field in (*forged, *ELSEWHERE, "steps[].place")}
    assert {field.replace("[]", "").split("[")[0] for field in possible} - known == set()


SPLIT = (
    do("scene", title="the road"),
    do("fight", who=("robin", "guard", "marian")),
    do("meanwhile", title="the roof"),
    do("join", name="Wolf", kind="npc", count=2, stats={"max_hp": 9, "skill": 2}),
    do("fight", who=("wolf-1", "wolf-2")),
    do("next-turn"),
    do("cut-to", scene="the road"),
    do("attack", attacker="robin", target="guard"),
    do("next-turn"),
    undo(hidden=False),
    do("cut-to", scene="wolf-1"),
    do("peace"),
    do("fight", who=("wolf-1", "robin")),
    do("meanwhile", title="the inn"),
    do("meanwhile", title="the yard"),
    do("scene", title="home"),
)
"""Fights in two scenes; Robin comes over from one to the other, and the inn is left without a fight."""


@pytest.mark.parametrize("seat", [None, "", "mira"])
def test_honest_pages_of_two_fights_are_not_contradicted(opened: Opened, tmp_path: Path, seat: str | None) -> None:
    campaign = played([*SPLIT, do("close-session")], str(tmp_path))
    assert [len(scene.encounter.order) for scene in campaign.state.elsewhere if scene.encounter] == [2, 2]
    campaign.session.project()
    verdict, line = answer_to(opened, replay_file(campaign, tmp_path / "page.html", seat))
    assert verdict == "UNPROVEN", line
    assert "Nothing is contradicted" in line


def with_wounds_inserted(campaign: Campaign) -> Campaign:
    """A campaign in which wounds were forgotten: one before the last blow, one before that, one that is undone, a secret one."""
    entries = campaign.history.entries
    blows = [entry.action for entry in entries if any(isinstance(each, DamageTaken) for each in entry.events)]
    who = next(each.id for each in campaign.state.characters.values() if each.lost)
    adjust, before = campaign.session.rulebook.verb(campaign.state, "adjust"), blows[-1]
    for hurt in (-2, -1, -4, -3):
        said = {"who": who, "what": "hp", "by": hurt, "reason": "a thorn"}
        preview = campaign.corrections.insert(before, build(adjust, said), reason="forgotten", secret=hurt == -3)
        before = preview.apply()[0].action
    campaign.corrections.undo(before - 1, reason="it was seen").apply()
    return campaign


@pytest.mark.parametrize("seat", [None, "", "Mira"])
def test_honest_pages_of_what_was_inserted_are_not_contradicted(
    opened: Opened, tmp_path: Path, seat: str | None
) -> None:
    campaign = with_wounds_inserted(played_example("sherwood", tmp_path))
    campaign.session.project()
    verdict, line = answer_to(opened, replay_file(campaign, tmp_path / "page.html", seat))
    assert verdict == "UNPROVEN", line
    assert "Nothing is contradicted" in line


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seat", [None, "", "mira"])
def test_honest_pages_of_any_table_are_not_contradicted(
    opened: Opened, tmp_path: Path, seed: int, seat: str | None
) -> None:
    chance = random.Random(seed)
    steps = [chance.choice(chance.choice((PUBLIC, PUBLIC, HIDDEN, REVEALING))) for _ in range(30)]
    campaign = played([*steps, do("close-session")], str(tmp_path))
    campaign.session.project()
    verdict, line = answer_to(opened, replay_file(campaign, tmp_path / "page.html", seat))
    assert verdict == "UNPROVEN"
    assert "Nothing is contradicted" in line


def test_who_was_never_there_as_corrected_has_no_line_of_hit_points_there(tmp_path: Path) -> None:
    campaign = played([do("join", name="Wolf", kind="npc", stats={"max_hp": 9, "skill": 2})], str(tmp_path))
    campaign.corrections.undo(campaign.head.entry, reason="another day").apply()
    campaign.session.project()
    frames = frames_of(replay_file(campaign, tmp_path / "page.html"))
    assert frames["lanes"]["wolf"]
    assert frames["corrected"]["lanes"]["wolf"] == []


@pytest.mark.parametrize("said", [{"complete": False}, {"complete": True}, {"loose": "all"}, {"unproven": "trust me"}])
def test_what_a_page_says_of_how_it_is_to_be_checked_is_not_asked(opened: Opened, page_file: Path, said: Any) -> None:
    def hurt(frames: dict[str, Any]) -> None:
        frames["changes"][21]["people"]["robin-hood"]["left"] = 3
        every = [[step["no"], who, at] for step in frames["steps"] for who in frames["people"] for at in (0, 1)]
        frames.update({"loose": every} if said == {"loose": "all"} else said)

    assert answer_to(opened, page_file, hurt)[0] == "FAILED"


def test_a_page_that_draws_ten_entries_of_all_says_how_many_it_leaves_out(opened: Opened, page_file: Path) -> None:
    def cut(frames: dict[str, Any]) -> None:
        del frames["steps"][10:], frames["changes"][10:], frames["corrected"]
        frames["lanes"] = {who: [lane[0]] for who, lane in frames["lanes"].items() if lane[0][0] < 10}
        frames["people"] = {who: frames["people"][who] for who in frames["lanes"]}
        frames["complete"] = True

    verdict, line = answer_to(opened, page_file, cut)
    assert verdict == "UNPROVEN"
    assert line.startswith(f"{PROVEN}38 of 48 entries are not drawn; ")


def test_a_page_of_a_part_says_how_much_is_not_drawn(opened: Opened, sherwood: Campaign, tmp_path: Path) -> None:
    page = replay_file(sherwood, tmp_path / "part.html", "", wanted=lambda entry: entry.number <= 20)
    verdict, line = answer_to(opened, page)
    assert verdict == "UNPROVEN"
    assert "28 of 48 entries are not drawn" in line


def test_hit_points_in_words_are_not_compared_and_counted(opened: Opened, page_file: Path) -> None:
    def in_words(frames: dict[str, Any]) -> None:
        for moment in (*frames["changes"], *frames["corrected"]["changes"]):
            who = moment["people"].get("guard") if moment and "people" in moment else None
            if who and who.pop("left", None) is not None:
                who.pop("most", None)
                who["hp"] = "unhurt"
        for lanes in (frames["lanes"], frames["corrected"]["lanes"]):
            lanes.pop("guard", None)
        frames["steps"][37]["sides"] = [each for each in frames["steps"][37]["sides"] if each[0] != "Guard"]

    verdict, line = answer_to(opened, page_file, in_words)
    assert verdict == "UNPROVEN"
    assert f"{PROVEN}4 of 15 drawn changes of hit points were not compared" in line


def test_hit_points_that_the_rules_reckon_otherwise_are_not_compared_and_counted(
    opened: Opened, page_file: Path
) -> None:
    def more(frames: dict[str, Any]) -> None:
        frames["changes"][10]["people"]["marian"]["left"] += 2
        frames["changes"][44]["people"]["marian"]["left"] += 2
        for at in (0, 1):
            frames["lanes"]["marian"][at][1] += 2

    verdict, line = answer_to(opened, page_file, more)
    assert verdict == "UNPROVEN"
    assert "2 of 16 drawn changes of hit points were not compared" in line


def test_a_maximum_changes_only_with_an_event_that_may_change_it(opened: Opened, page_file: Path) -> None:
    def larger(at: int) -> Callable[[dict[str, Any]], None]:
        def change(frames: dict[str, Any]) -> None:
            frames["changes"][at].setdefault("people", {})["marian"] = {"left": 54, "most": 54}
            frames["lanes"]["marian"].insert(1, [at, 54, 54])

        return change

    assert "maximum hit points 7" in answer_to(opened, page_file)[1]
    assert answer_to(opened, page_file, larger(20))[0] == "FAILED"


def test_words_of_a_verb_that_the_page_brings_are_never_proven(opened: Opened, page_file: Path) -> None:
    def another_act(frames: dict[str, Any]) -> None:
        for step in frames["steps"]:
            if step.get("verb") == "attack":
                step["how"] = step["how"].replace("strikes at", "kisses")
                step["what"] = step["what"].replace("strikes at", "kisses")

    verdict, line = answer_to(opened, page_file, another_act)
    assert verdict == "UNPROVEN"
    assert re.search(r"words of verbs [0-9]+", line)


def test_words_of_a_condition_that_the_page_brings_are_never_proven(opened: Opened, tmp_path: Path) -> None:
    def another_state(frames: dict[str, Any]) -> None:
        for step in frames["steps"]:
            if "vex" in step.get("are", {}):
                step["are"]["vex"] = "amused"
                step["text"] = step["text"].replace("affected by vex", "amused")

    path = replay_file(played_example("salt-road", tmp_path), tmp_path / "page.html")
    assert "affected by vex" in json.dumps(frames_of(path))
    verdict, line = answer_to(opened, path, another_state)
    assert verdict == "UNPROVEN"
    assert re.search(r"words of conditions [0-9]+", line)


def test_a_moment_is_compared_as_it_is_drawn_whatever_says_it(opened: Opened, page_file: Path) -> None:
    def another_whole(frames: dict[str, Any]) -> None:
        people = {"robin-hood": {"name": "Robin Hood", "kind": "pc", "left": 1, "most": 36}}
        frames["whole"]["25"] = {"scene": "The road through Sherwood", "order": ["robin-hood"], "people": people}

    assert answer_to(opened, page_file, another_whole)[0] == "FAILED"


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("<bdi>Sherwood</bdi>", "<bdi>Nottingham</bdi>"),
        ("<bdi>The Silver Arrow, watched again</bdi>", "<bdi>The Golden Arrow, watched again</bdi>"),
        ("<title>The Silver Arrow", "<title>The Golden Arrow"),
        ("<bdi>for the GM, with all that is secret</bdi>", "<bdi>for the table</bdi>"),
    ],
)
def test_the_head_of_a_page_says_what_its_chain_says(
    opened: Opened, page_file: Path, tmp_path: Path, said: str, instead: str
) -> None:
    text = page_file.read_text(encoding="utf-8")
    assert said in text
    forged = tmp_path / "head.html"
    forged.write_text(text.replace(said, instead), encoding="utf-8")
    page = opened(forged, "#verify")
    page.wait_for_selector("#answer[data-verdict=FAILED]")
    assert "the page’s head says" in page.inner_text("#answer")


def test_what_only_the_rules_give_has_dots_below_it_once_the_rest_is_compared(opened: Opened, page_file: Path) -> None:
    page = opened(page_file, "#verify")
    page.wait_for_selector("#answer[data-verdict]")
    page.keyboard.press("End")
    page.wait_for_selector(".fighter .ruled")
    lines = "(which) => [...document.querySelectorAll(which)].map((one) => getComputedStyle(one).textDecorationStyle)"
    assert set(page.evaluate(lines, ".fighter .ruled")) == {"dotted"}
    assert set(page.evaluate(lines, ".fighter h3")) == {"solid"}


def test_every_kind_of_event_changes_what_is_drawn_or_is_known_not_to(opened: Opened, page_file: Path) -> None:
    page = opened(page_file)
    page.wait_for_selector("html[data-ready]")
    folded = set(page.evaluate("() => rollbookFolding.kinds"))
    assert folded | CHANGE_NOTHING_DRAWN == {kind.__name__ for kind in _ARMS if not kind.__name__.startswith("Brief")}
    assert folded & CHANGE_NOTHING_DRAWN == set()


CHANGE_NOTHING_DRAWN = {
    *(
        "RulesetAdopted",
        "SeatTaken",
        "SeatLeft",
        "SeatRenamed",
        "SeatNamed",
        "EntropyAdded",
        "SessionClosed",
        "ScreenCounted",
    ),
    *("DiceRevealed", "PictureShown"),
    *("NoteWritten", "NoteRedacted", "EntriesRevealed", "RulingMade", "TimePassed", "ControlPassed", "TableAgreed"),
    *("StatChanged", "TraitGained", "TraitLost", "GearGained", "GearLost", "CharacterCrossed", "FreshDiceGranted"),
    *("DiceRolled", "CheckResolved", "PoolGained", "PoolSpent", "PoolBecame", "PowerUsed", "ExperienceAwarded"),
    *("LevelGained", "ChoiceOffered", "ChoiceMade", "TurnSpent"),
}
"""Kinds of events that change only what the rules work with, or nothing."""


def test_a_hurt_page_fails_as_a_file_too(opened: Opened, page_file: Path) -> None:
    def hurt(frames: dict[str, Any]) -> None:
        frames["changes"][21]["people"]["robin-hood"]["left"] = 3
        frames["loose"] = [[22, "robin-hood", 0], [30, "robin-hood", 0]]
        frames["complete"] = False

    page = opened(with_frames(page_file, hurt), "#verify")
    page.wait_for_selector("#answer[data-verdict=FAILED]")
    assert page.inner_text("#seal").strip() == "Failed"
