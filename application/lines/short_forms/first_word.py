"""The first word of a line: a verb, a command of the prompt, or the beginning of either.

A whole word always means itself. Else the words of every fight come first (``a``, ``at`` attack; ``c``, ``ch`` check; ``h``,
``ha`` harm; ``n`` next; ``u`` undo), and then a beginning means the one verb or command that has it. What binds people or
shows secrets has no short form.
"""

from collections.abc import Iterator, Mapping

from rollbook.application.lines.line_commands import PROMPT_COMMANDS, X_CARD
from rollbook.application.lines.verb_line import LineError
from rollbook.application.verbs import verbs_of
from rollbook.application.view import CampaignView
from rollbook.domain.base.synonyms import meant_by
from rollbook.domain.rules.action import Action, is_the_gms, user_parameters
from rollbook.domain.state.campaign_state import CampaignState

NEXT, END_TURN = "next", "end-turn"
"""A typed word, and the verb that it stands for."""

UNDO = "undo"
FIRST = ("attack", "check", "harm", NEXT, UNDO)
"""Words that go before others with the same beginning."""

IN_FULL = frozenset(
    (X_CARD, "after-x-card", "reveal", "reveal-screen", "redact", "conceal", "adopt", "take-over", "rerun", "export")
)
"""Words without a short form, besides the verbs that are final."""

MEANWHILE, CUT_TO = "meanwhile", "cut-to"
"""The verbs of a group that is split: another scene begins, or goes on."""

SELDOM = frozenset(
    (
        *("campaigns", "rulesets", "timelines", "receipt", "compare", "verbs", "fork", "insert", "override"),
        *("map", "recap", "say", "whisper", "handout", "portrait", "lay-map", MEANWHILE, CUT_TO),
    )
)
"""Words that a beginning means only if it is the beginning of nothing else."""

ONLY_IN_A_FIGHT = frozenset((END_TURN, "end-encounter", "join-encounter", "interrupt", "give-way"))
ONLY_OUTSIDE = frozenset(("begin-encounter",))
ONLY_WHILE_A_SCENE_WAITS = frozenset((CUT_TO,))


def out_of_place(state: CampaignState) -> frozenset[str]:
    """The verbs that make no sense at this moment."""
    out = ONLY_IN_A_FIGHT if state.encounter is None else ONLY_OUTSIDE
    return out if state.elsewhere else out | ONLY_WHILE_A_SCENE_WAITS


def first_word(word: str, verbs: Mapping[str, type[Action]], state: CampaignState, *, is_gm: bool) -> str:
    """The verb or command that is meant; the word itself if none is. Raises LineError if there are several."""
    if word in verbs or word in PROMPT_COMMANDS or word == X_CARD:
        return word
    may = (*_sayable(verbs, state, is_gm=is_gm), *(name for name in PROMPT_COMMANDS if name not in IN_FULL))
    aliases = (NEXT,) if END_TURN in verbs else ()
    known = [name for name in dict.fromkeys((*may, *aliases)) if name.startswith(word.casefold())]
    found = [name for name in FIRST if name in known] or [name for name in known if name not in SELDOM] or known
    meant = meant_by(word, (*verbs, *PROMPT_COMMANDS))
    if meant and not {*meant}.intersection(found):  # a whole word of another table is no beginning of something else
        found = []
    if len(found) > 1:
        raise LineError(f"{word!r} may be any of {', '.join(found)}. Type more of the word.")
    if not found and is_gm:
        _check_time(word, verbs, state)
    return {NEXT: END_TURN}.get(found[0], found[0]) if found else word


def _check_time(word: str, verbs: Mapping[str, type[Action]], state: CampaignState) -> None:
    """Raise LineError if a word is the beginning of a verb that may be said at another time."""
    out = ONLY_IN_A_FIGHT if state.encounter is None else ONLY_OUTSIDE
    meant = sorted(name for name in out if name in verbs and name.startswith(word.casefold()))
    if meant and state.encounter is None:
        raise LineError(f"No fight is on, so there is no {' or '.join(meant)}. One begins with: begin-encounter WHO …")
    if meant:
        raise LineError(
            f"A fight is on already, so there is no {meant[0]}. It ends with end-encounter, and waits with meanwhile TITLE."
        )


def may_be_said(campaign: CampaignView) -> Iterator[str]:
    """The verbs that may be said at this moment, and ``next`` in a fight."""
    out = out_of_place(campaign.state)
    verbs = [name for name in verbs_of(campaign) if name not in out]
    yield from verbs
    if END_TURN in verbs:
        yield NEXT


def _sayable(verbs: Mapping[str, type[Action]], state: CampaignState, *, is_gm: bool) -> Iterator[str]:
    """The verbs that may be said at this moment and shortened: in a fight others than outside it.

    A line with the seat of a player is the player's, except for verbs that have a seat of their own.
    """
    out = out_of_place(state)
    for name, verb in verbs.items():
        may = is_gm or not is_the_gms(verb) or any(each.name == "seat" for each in user_parameters(verb))
        if may and name not in out and name not in IN_FULL and not verb.final:
            yield name
