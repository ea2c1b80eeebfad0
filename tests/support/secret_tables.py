"""Tables at which much is hidden: things that happen in public, and others behind the screen."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import attrs
from hypothesis import strategies as st

from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.corrections.undoing_together import rewound_actions
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.event_store import EventStore
from rollbook.domain.rules.action import Action, build
from rollbook.domain.rules.parameters import character
from rollbook.domain.state.lookup import slug
from tests.support.campaigns import CLOCK_START, begin_campaign, file_book, memory_book
from tests.support.toy import TOY

NAMES = ("Black Douglas", "Þorgrímur", 'Mal "the Knife"', "Guard Captain", "Ash")
"""Of hidden characters: quotes, letters of all sorts, a name that begins like that of a public character."""
WORDS = ("zyxel plugh", "the duke did it", "xyzzy\nnext line")
SECRETS = ("zyxel", "plugh", "duke", "xyzzy", "douglas", "þorgrímur", "knife", "captain", "ash")


class Listen(Action, verb="listen"):
    """Roll behind the screen for everybody who is there; nothing comes of it."""

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
    """Take an action."""
    words = f"{verb} {params} by {seat}{' in secret' if secret else ''}"
    return Step(words, lambda campaign: campaign.do(verb, params, seat=seat, secret=secret))


def last(campaign: Campaign, *, hidden: bool) -> RecordedEntry | None:
    """The last action that counts, can be undone and is hidden or not."""
    for _, entry in reversed(list(campaign.history.outcomes())):
        verb = entry and campaign.history.intent_of(entry.action).verb
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


def insert(verb: str, *, hidden: bool, before_hidden: bool = False, **params: Any) -> Step:
    """Something is put before the last action that is open, or hidden; dice for it are drawn, behind the screen if hidden."""

    def step(campaign: Campaign) -> None:
        following = last(campaign, hidden=before_hidden)
        if following:
            action = build(campaign.session.rulebook.verb(campaign.state, verb), params)
            options = CorrectionOptions(draw=True)
            made = campaign.corrections.insert(following.action, action, secret=hidden, reason="so", options=options)
            made.apply()

    where = f"before the last {'hidden' if before_hidden else 'open'} one"
    return Step(f"insert {verb} {params}{' in secret' if hidden else ''} {where}", step)


def redo_all(campaign: Campaign) -> None:
    """Bring back all that was hidden and undone."""
    for action, entry in list(campaign.history.outcomes()):
        if entry is None and campaign.history.latest_outcome(action).visibility in ("gm", "tom"):
            campaign.corrections.redo(action, reason="so", options=CorrectionOptions(draw=True)).apply()


def amend_hidden(campaign: Campaign) -> None:
    """Another note, another weapon, another number."""
    others: dict[str, dict[str, Any]] = {"note": {"text": WORDS[2]}, "attack": {"weapon": "sword"}, "adjust": {"by": 5}}
    entry = last(campaign, hidden=True)
    verb = campaign.history.intent_of(entry.action).verb if entry else ""
    if entry and verb in others:
        campaign.corrections.amend(
            entry.action, others[verb], reason="so", options=CorrectionOptions(draw=True)
        ).apply()


def grant_hidden(campaign: Campaign) -> None:
    """Fresh dice behind the screen."""
    undone = [action for action, entry in campaign.history.outcomes() if entry is None]
    hidden = [action for action in undone if campaign.history.is_secret(action)]
    if hidden:
        campaign.do("grant-dice", {"action": hidden[-1], "why": WORDS[0], "screen": True})


def redact_hidden(campaign: Campaign) -> None:
    """A hidden note loses its words."""
    for action, entry in campaign.history.outcomes():
        if entry and campaign.history.intent_of(action).verb == "note" and entry.visibility == "gm":
            campaign.redact(action, why="a slip")
            return


def rewind(campaign: Campaign) -> None:
    """The X-card lies there, and the scene is undone with whatever was hidden in it."""
    campaign.do("x-card")
    actions = rewound_actions(campaign.history, campaign.session.rulebook)
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
    *(do("whisper", text=WORDS[1], to=to) for to in ("gm", "tom")),
    do("whisper", text=WORDS[0], to="gm", seat="tom"),
    do("say", text=WORDS[0], secret=True),
    *(do("handout", title=WORDS[1], text=WORDS[0], to=to) for to in ("gm", "tom")),
    *(
        do("handout", title=WORDS[1], to=to, alt=WORDS[0], digest="5e" * 32, media="image/png", width=5, height=7)
        for to in ("gm", "tom")
    ),
    do("portrait", who="robin", digest="4f" * 32, media="image/png", width=5, height=7, secret=True),
    do("lay-map", across="9", digest="6f" * 32, media="image/png", width=5, height=7, alt=WORDS[0], secret=True),
    among_hidden("portrait", "who", digest="3d" * 32, media="image/jpeg", width=2, height=3),
    do("roll", expression="1d20", secret=True),
    do("roll", expression="3d6", who="robin", secret=True),
    *(do("join", name=name, id=slug(name), kind="npc", stats={"max_hp": 9, "skill": 2}, secret=True) for name in NAMES),
    do("join", name="Wolf", kind="npc", stats={"max_hp": 9, "skill": 2}, secret=True),
    do("join", name="Wolf", kind="npc", count=2, secret=True),
    among_hidden("attack", "attacker", "target"),
    among_hidden("attack", "attacker", "target", weapon="sword"),
    among_hidden("heal", "who"),
    among_hidden("adjust", "who", what="hp", by=-2, reason=WORDS[1]),
    among_hidden("give", "who", item="rope"),
    among_hidden("note", "about", text=WORDS[1]),
    undo(hidden=True),
    insert("note", hidden=True, text=WORDS[1], to="gm"),
    insert("note", hidden=True, before_hidden=True, text=WORDS[0], to="gm"),
    insert("roll", hidden=True, expression="1d20"),
    *(Step(take.__name__, take) for take in (redo_all, amend_hidden, grant_hidden, redact_hidden)),
)
PUBLIC: tuple[Step, ...] = (
    do("attack", attacker="robin", target="guard", seat="mira"),
    do("attack", attacker="guard", target="robin", weapon="sword"),
    do("bet", who="marian", dice=2),
    do("join", name="Wolf", kind="npc", stats={"max_hp": 9, "skill": 2}),
    do("join", name="Wolf", kind="npc", count=3),
    do("roll", expression="1d20"),
    do("roll", expression="3d6", who="robin"),
    do("note", text="everybody hears it"),
    do("note", text="only for mira", to="mira"),
    do("say", text="well met", seat="mira"),
    do("whisper", text="psst", to="mira"),
    do(
        "handout", title="The mill", text="It burns.", to="mira", digest="2c" * 32, media="image/png", width=3, height=3
    ),
    do("handout", title="The bill", text="Ten coins."),
    do("lay-map", across="24.5", at="-2,3", digest="0a" * 32, media="image/png", width=4, height=2, alt="the mill"),
    do("lay-map"),
    do("portrait", who="robin", seat="mira", digest="1b" * 32, media="image/webp", width=4, height=4),
    do("listen", who="robin"),
    do("scene", title="the road"),
    do("meanwhile", title="the roof"),
    do("cut-to", scene="the road"),
    do("cut-to", scene="the roof"),
    do("fight", who=("robin", "guard")),
    do("next-turn"),
    do("sprint", who="robin"),
    do("peace"),
    do("award", who=("party",), amount=70),
    do("give", who="guard", item="ashtray"),
    undo(hidden=False),
    insert("note", hidden=False, text="it was said before"),
    insert("attack", hidden=False, attacker="robin", target="guard"),
    insert("note", hidden=False, before_hidden=True, text="never before what is hidden"),
    do("x-card", seat="mira"),
    do("after-x-card", how="resume"),
    Step("rewind", rewind),
)


def reveal_somebody(campaign: Campaign) -> None:
    """Reveal a hidden character, and with them what they did."""
    hidden = [who.id for who in campaign.state.characters.values() if who.hidden]
    if hidden:
        campaign.do("reveal", {"who": hidden[0]})


def reveal_entries(campaign: Campaign) -> None:
    """Reveal what the GM alone has seen so far, if it names no hidden character."""
    numbers = [entry.number for entry in campaign.history.entries if entry.visibility == "gm"]
    campaign.do("reveal", {"entries": tuple(numbers[-2:])})


def conceal_guard(campaign: Campaign) -> None:
    """Hide a character who was public."""
    campaign.do("conceal", {"who": "guard"})


REVEALING = tuple(Step(take.__name__, take) for take in (reveal_somebody, reveal_entries, conceal_guard))


class SetClock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = CLOCK_START

    def __call__(self) -> int:
        return self.now


def table(folder: Path, clock: Callable[[], int] | None = None, store: EventStore | None = None) -> Campaign:
    """A campaign with a first secret in it: that there are secrets is no secret. Without a store it is in memory."""
    if store is None:
        campaign = begin_campaign(memory_book(folder, ruleset=GAME, clock=clock))
    else:
        campaign = begin_campaign(file_book(folder, store, ruleset=GAME, clock=clock))
    campaign.do("take-seat", {"seat": "tom"})
    campaign.do("note", {"text": "a first secret", "to": "gm"})
    return campaign


def begun(folder: Path, clock: Callable[[], int], store: EventStore | None = None) -> Campaign:
    """A table whose random numbers come out the same in every run, up to here."""
    drawn = itertools.count(1)
    with patch("secrets.token_hex", lambda size: f"{next(drawn) * 7919:0{2 * size}x}".replace("0", "e")):
        return table(folder, clock, store)


def play(campaign: Campaign, steps: Sequence[Step]) -> None:
    """Take the steps, and leave out those that are refused."""
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
    """The same things in public at both, and other things behind the screen."""
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
ARRIVALS = [do("join", name=name, id=slug(name), kind="npc", secret=True) for name in NAMES[:2]]
OFFSTAGE = do("fight", who=("black-douglas", "þorgrímur"))
