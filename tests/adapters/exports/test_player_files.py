"""A player's file holds what the player may see and nothing by which the rest could be counted; and it still verifies."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar
from unittest.mock import patch

import attrs
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.storage.event_store import MemoryEventStore
from adapters.storage.read_model import ReadModel
from domain.action import Action
from domain.corrections import CorrectionOptions
from domain.corrections.rewind import rewound_actions
from domain.entries import RecordedEntry
from domain.errors import RollbookError
from domain.events import DiceRolled
from domain.parameters import character
from tests.support.campaigns import KnownSeeds, begin_campaign, memory_book, ticking_clock
from tests.support.exports import (
    PRIVATE_FIELDS,
    body_lines,
    envelope,
    export_for,
    fields_in,
    verdicts,
    without_hash_keys,
    without_hashes,
)
from tests.support.toy import TOY

NAMES = ("Black Douglas", "Þorgrímur", 'Mal "the Knife"', "Guard Captain", "Ash")
"""Of hidden characters: quotes, letters of all sorts, a name that begins like somebody whom everybody knows."""
WORDS = ("zyxel plugh", "the duke did it", "xyzzy\nnext line")
SECRETS = ("zyxel", "plugh", "duke", "xyzzy", "douglas", "þorgrímur", "knife", "captain", "ash")


@attrs.frozen(kw_only=True)
class Listen(Action):
    """Everybody who is there rolls behind the screen; nothing comes of it."""

    verb: ClassVar[str] = "listen"

    who: str = character("who listens", actor=True)

    def resolve(self, table: Any) -> None:
        """As many secret rolls as there are ears, seen or unseen."""
        table.character(self.who)
        for each in table.characters():
            table.roll("1d20", roller=each.id, purpose="listen", secret=True)


GAME = attrs.evolve(TOY, actions=(*TOY.actions, Listen))


@attrs.frozen(repr=False)
class Step:
    """Something that is done, with words for it."""

    words: str
    take: Callable[[Campaign], object]

    def __repr__(self) -> str:
        return self.words


def do(verb: str, *, seat: str = "Ana", secret: bool = False, **params: Any) -> Step:
    """Somebody acts."""
    words = f"{verb} {params} by {seat}{' in secret' if secret else ''}"
    return Step(words, lambda campaign: campaign.do(verb, params, seat=seat, secret=secret))


def last(campaign: Campaign, *, hidden: bool) -> RecordedEntry | None:
    """The last action that counts, can be undone and is hidden or not."""
    for _, entry in reversed(list(campaign.load_history().outcomes())):
        verb = entry and campaign.load_history().intent_of(entry.action).verb
        if entry and entry.visibility in (("gm", "tom") if hidden else ("",)) and verb in CORRECTABLE:
            return entry
    return None


CORRECTABLE = ("attack", "bet", "roll", "adjust", "note", "give", "award", "listen")


def undo(*, hidden: bool) -> Step:
    """The last one is undone."""

    def step(campaign: Campaign) -> None:
        entry = last(campaign, hidden=hidden)
        if entry:
            campaign.corrections.undo(entry.action, reason="so", options=CorrectionOptions(draw=True)).apply()

    return Step(f"undo the last {'hidden' if hidden else 'open'} one", step)


def redo_all(campaign: Campaign) -> None:
    """Whatever was hidden and undone comes back."""
    for action, entry in list(campaign.load_history().outcomes()):
        if entry is None and campaign.load_history().latest_outcome(action).visibility in ("gm", "tom"):
            campaign.corrections.redo(action, reason="so", options=CorrectionOptions(draw=True)).apply()


def amend_hidden(campaign: Campaign) -> None:
    """Another note, another weapon, another number."""
    others: dict[str, dict[str, Any]] = {"note": {"text": WORDS[2]}, "attack": {"weapon": "sword"}, "adjust": {"by": 5}}
    entry = last(campaign, hidden=True)
    verb = campaign.load_history().intent_of(entry.action).verb if entry else ""
    if entry and verb in others:
        campaign.corrections.amend(
            entry.action, others[verb], reason="so", options=CorrectionOptions(draw=True)
        ).apply()


def grant_hidden(campaign: Campaign) -> None:
    """Fresh dice behind the screen."""
    undone = [action for action, entry in campaign.load_history().outcomes() if entry is None]
    hidden = [action for action in undone if campaign.load_history().is_secret(action)]
    if hidden:
        campaign.do("grant-dice", {"action": hidden[-1], "why": WORDS[0], "screen": True})


def redact_hidden(campaign: Campaign) -> None:
    """A hidden note loses its words."""
    for action, entry in campaign.load_history().outcomes():
        if entry and campaign.load_history().intent_of(action).verb == "note" and entry.visibility == "gm":
            campaign.redact(action, why="a slip")
            return


def rewind(campaign: Campaign) -> None:
    """The X-card lies there, and the scene is undone with whatever was hidden in it."""
    campaign.do("x-card")
    actions = rewound_actions(campaign.load_history(), campaign.rulebook)
    campaign.corrections.undo(*actions, reason="rewound", options=CorrectionOptions(draw=True)).apply()
    campaign.do("after-x-card", {"how": "rewind", "rewound": len(actions)})


def among_hidden(verb: str, *roles: str, **params: Any) -> Step:
    """Hidden characters act among themselves."""

    def step(campaign: Campaign) -> None:
        hidden = [who.id for who in campaign.state.characters.values() if who.hidden]
        if len(hidden) >= len(roles):
            campaign.do(verb, {**params, **dict(zip(roles, hidden, strict=False))})

    return Step(f"{verb} {params} among hidden", step)


HIDDEN: tuple[Step, ...] = (
    *(do("note", text=words, to="gm") for words in WORDS),
    do("note", text=WORDS[1], to="tom"),
    do("note", text=WORDS[0], to="gm", seat="tom"),
    do("note", text=WORDS[0], secret=True),
    do("roll", expression="1d20", secret=True),
    do("roll", expression="3d6", who="robin", secret=True),
    *(do("join", name=name, kind="npc", stats=("max_hp=9", "skill=2"), secret=True) for name in NAMES),
    among_hidden("attack", "attacker", "target"),
    among_hidden("attack", "attacker", "target", weapon="sword"),
    among_hidden("heal", "who"),
    among_hidden("adjust", "who", what="hp", by=-2, reason=WORDS[1]),
    among_hidden("give", "who", item="rope"),
    among_hidden("note", "about", text=WORDS[1]),
    undo(hidden=True),
    *(Step(take.__name__, take) for take in (redo_all, amend_hidden, grant_hidden, redact_hidden)),
)
PUBLIC: tuple[Step, ...] = (
    do("attack", attacker="robin", target="guard", seat="mira"),
    do("attack", attacker="guard", target="robin", weapon="sword"),
    do("bet", who="marian", dice=2),
    do("roll", expression="1d20"),
    do("roll", expression="3d6", who="robin"),
    do("note", text="everybody hears it"),
    do("note", text="only for mira", to="mira"),
    do("listen", who="robin"),
    do("scene", title="the road"),
    do("fight", who=("robin", "guard")),
    do("next-turn"),
    do("sprint", who="robin"),
    do("peace"),
    do("award", who=("party",), amount=70),
    do("give", who="guard", item="ashtray"),
    undo(hidden=False),
    do("x-card", seat="mira"),
    do("after-x-card", how="resume"),
    Step("rewind", rewind),
)


def table(folder: Path) -> Campaign:
    """A campaign with a first secret in it: that there are secrets is no secret."""
    campaign = begin_campaign(memory_book(folder, ruleset=GAME))
    campaign.do("take-seat", {"seat": "tom"})
    campaign.do("note", {"text": "a first secret", "to": "gm"})
    return campaign


def play(campaign: Campaign, steps: Sequence[Step]) -> None:
    """What is refused is left."""
    for step in steps:
        try:
            step.take(campaign)
        except RollbookError:
            continue


def played(steps: Sequence[Step], folder: str) -> Campaign:
    """A campaign whose random numbers come out the same in every run."""
    drawn = itertools.count(1)
    with patch("secrets.token_hex", lambda size: f"{next(drawn) * 7919:0{2 * size}x}".replace("0", "e")):
        campaign = table(Path(folder))
        play(campaign, steps)
    return campaign


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[list[Step], list[Step]]:
    """The same things happen before everybody's eyes, and other things behind the screen."""
    public = draw(st.lists(st.sampled_from(PUBLIC), min_size=1, max_size=8))
    tables: tuple[list[Step], list[Step]] = ([], [])
    for step in public:
        for steps in tables:
            steps.extend([*draw(st.lists(st.sampled_from(HIDDEN), max_size=4)), step])
    for steps in tables:
        steps.extend(draw(st.lists(st.sampled_from(HIDDEN), max_size=3)))
    return tables


ROLL = do("roll", expression="1d20")
SECRET_ROLL = do("roll", expression="1d20", secret=True)
ARRIVALS = [do("join", name=name, kind="npc", secret=True) for name in NAMES[:2]]
OFFSTAGE = do("fight", who=("black-douglas", "þorgrímur"))


@given(two_tables())
@example(([ROLL], [SECRET_ROLL, ROLL]))
@example(([ROLL, ROLL], [ROLL, SECRET_ROLL, undo(hidden=True), SECRET_ROLL, ROLL]))
@example(([ROLL, do("listen", who="robin")], [*ARRIVALS, ROLL, do("listen", who="robin")]))
@example(([ROLL, ROLL], [*ARRIVALS, OFFSTAGE, ROLL, do("next-turn", secret=True), ROLL]))
@settings(max_examples=60)
def test_what_is_hidden_makes_no_difference_to_anybodys_file(tables: tuple[list[Step], list[Step]]) -> None:
    with TemporaryDirectory() as folder:
        one, other = (played([*steps, do("close-session")], f"{folder}/{at}") for at, steps in enumerate(tables))
        for reader in ("mira", "watcher", ""):
            path = Path(folder) / f"{reader}.jsonl"
            files = [export_for(campaign, path, reader) for campaign in (one, other)]
            assert without_hashes(files[0]) == without_hashes(files[1])
            assert verdicts(path)[0] == "VERIFIED"
            assert verdicts(path)[1] != "FAILED"


@given(st.lists(st.sampled_from((*HIDDEN, *PUBLIC)), min_size=5, max_size=25))
@settings(max_examples=40)
def test_no_hidden_name_nor_word_nor_secret_face_is_in_a_file(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        campaign = played(steps, folder)
        for reader in ("mira", "watcher", ""):
            file = without_hash_keys(export_for(campaign, Path(folder) / "file.jsonl", reader))
            for word in SECRETS:
                assert word not in file.replace("ashtray", "")
            assert '"secret":true' not in file
            assert '"screen":true' not in file
        secret = [
            event
            for entry in campaign.load_history().entries
            for event in entry.events
            if isinstance(event, DiceRolled)
        ]
        assert all(not event.secret or event.sources[0].screen for event in secret if event.sources)


@pytest.mark.parametrize("secret", [False, True], ids=["without secrets", "with secrets"])
def test_what_links_or_counts_entries_is_in_no_file(tmp_path: Path, *, secret: bool) -> None:
    """Ids of corrections and commands, causation, reads, numbers of actions and salts of private halves."""
    campaign = begin_campaign(memory_book(tmp_path, ruleset=GAME))
    if secret:
        campaign.do("note", {"text": "a secret", "to": "gm"})
    campaign.do("adjust", {"who": "robin", "what": "pool:tokens", "by": 3, "reason": "found"}, command="form-17")
    found = campaign.head.actions
    campaign.do("spend-token", {"who": "robin"}, command="form-18", seat="mira")
    campaign.do("note", {"text": "psst", "to": "mira"}, command="form-19")
    campaign.corrections.undo(found, reason="lost", options=CorrectionOptions(draw=True)).apply()
    stored = list(campaign.log.entries())
    for reader in ("mira", "watcher", ""):
        file = export_for(campaign, tmp_path / "file.jsonl", reader).decode()
        lines = body_lines(tmp_path / "file.jsonl")
        assert PRIVATE_FIELDS.isdisjoint(fields_in(lines))
        assert "action" not in fields_in(lines)
        assert "Private@" not in file
        assert "form-" not in file
        for entry in stored:
            for kept in (entry.correction, entry.salt):
                assert not kept or kept not in file
        assert verdicts(tmp_path / "file.jsonl")[0] == "VERIFIED"
    assert {entry.command for entry in stored} >= {"form-17", "form-18", "form-19"}
    assert any(entry.correction for entry in stored)


@pytest.mark.parametrize("secret", [False, True], ids=["without secrets", "with secrets"])
def test_a_correction_in_a_file_says_which_action_it_is_of(tmp_path: Path, *, secret: bool) -> None:
    """By the number among those that the table saw, so that the dice of a player's file can be followed."""
    campaign = begin_campaign(memory_book(tmp_path))
    if secret:
        campaign.do("note", {"text": "a secret", "to": "gm"})
    campaign.do("roll", {"expression": "1d20"})
    rolled = campaign.head.actions
    campaign.corrections.undo(rolled, reason="so").apply()
    campaign.do("roll", {"expression": "1d20"})
    campaign.do("close-session")
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, "mira")
    (voided,) = (envelope(line) for line in body_lines(path) if b'"ActionVoided@1"' in line)
    assert voided["public_number"] == campaign.load_history().place_of(rolled) == rolled - secret
    assert verdicts(path) == ("VERIFIED", "VERIFIED")


@pytest.mark.parametrize("verb", ["scene", "take-seat", "agree", "entropy"])
def test_what_settles_something_for_all_cannot_be_secret(tmp_path: Path, verb: str) -> None:
    campaign = table(tmp_path)
    params = {
        "scene": {"title": "x"},
        "take-seat": {"seat": "x"},
        "agree": {"matter": "dice", "value": "either"},
        "entropy": {"text": "x"},
    }
    head = campaign.head
    with pytest.raises(RollbookError, match="for the whole table"):
        campaign.do(verb, params[verb], secret=True)
    assert campaign.head == head


# A game of our own, with a fight.


def brawl(folder: Path, *, with_somebody_hidden: bool) -> Campaign:
    """Three who fight before everybody's eyes, and perhaps a fourth whom nobody sees until her turn."""
    book = Book(MemoryEventStore(), ReadModel(), KnownSeeds(folder / "seeds"), clock=ticking_clock())
    campaign = book.new("Brawl", "storytoken")
    for seat, role in (("Ana", "gm"), ("mira", "player")):
        campaign.do("take-seat", {"seat": seat, "role": role})
    campaign.do("note", {"text": "a first secret", "to": "gm"})
    for name in ("Guard", "Captain", "Thief"):
        campaign.do("join", {"name": name, "kind": "npc", "hp": 18, "ac": 12})
    if with_somebody_hidden:
        campaign.do("join", {"name": "Vesper", "kind": "npc", "hp": 18, "ac": 12}, secret=True)
    campaign.do("open-session")
    campaign.do("begin-encounter", {"participants": ("guard", "captain", "thief")})
    if with_somebody_hidden:
        campaign.do("join-encounter", {"who": "vesper"})
        campaign.do("note", {"text": "Vesper waits", "about": "vesper"})
    for _ in range(7):
        encounter = campaign.state.encounter
        assert encounter is not None
        waiting = [who for who in encounter.waiting() if who != encounter.current]
        known = [who for who in waiting if who != "vesper"]
        campaign.do("end-turn", {"next": known[0]} if len(waiting) > 1 else {})
    return campaign


def test_a_hidden_combatant_is_in_no_order_that_the_table_sees(tmp_path: Path) -> None:
    files = {}
    for hidden in (False, True):
        campaign = brawl(tmp_path / str(hidden), with_somebody_hidden=hidden)
        files[hidden] = export_for(campaign, tmp_path / "file.jsonl", "mira").decode()
        assert verdicts(tmp_path / "file.jsonl")[0] == "VERIFIED"
    assert "vesper" not in files[True].casefold()
    orders = [line for line in files[True].splitlines() if '"TurnOrderSet@1"' in line]
    assert len(orders) > 1
    events = [event for line in orders for event in json.loads(line)["lines"] if event[0] == "TurnOrderSet@1"]
    assert all(set(fields["order"]) == {"guard", "captain", "thief"} for _, fields in events)
    assert '"secret":true' not in files[True]


def test_somebody_who_is_hidden_again_after_a_correction_is_named_in_none_of_it(tmp_path: Path) -> None:
    """What comes out differently because a hidden arrival was undone, and redone, names nobody."""
    campaign = table(tmp_path)
    campaign.do("join", {"name": "Vesper", "kind": "npc", "stats": ("max_hp=9",)}, secret=True)
    arrival = campaign.load_history().actions
    campaign.do("spend-token", {"who": "robin"})
    campaign.do("doom")
    campaign.do("listen", {"who": "robin"})
    campaign.do("pass-time", {"amount": 1, "unit": "hours"})
    undo, redo = campaign.corrections.undo, campaign.corrections.redo
    for step in (undo, redo, undo, redo):
        step(arrival, reason="so", options=CorrectionOptions(draw=True)).apply()
        for reader in ("mira", ""):
            assert b"vesper" not in export_for(campaign, tmp_path / "file.jsonl", reader).lower()
            assert verdicts(tmp_path / "file.jsonl")[0] == "VERIFIED"
    assert campaign.state.characters["vesper"].lost > 0
    assert campaign.audit()[0].verdict == "VERIFIED"
