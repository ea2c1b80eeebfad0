"""Rulesets: a plug-in is a value that names a game's verbs and settings, and derives its sheets.

A ruleset decides and derives; it never stores anything. Where a shared verb (open a session, pass time, award
experience) has a rule behind it, the engine calls the ruleset's hook of that name with the table.
"""

import functools
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

import attrs

from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import Scalar
from rollbook.domain.rules.action import Action, declares
from rollbook.domain.rules.board import Board, Squares, fault_of_squares, plain_board
from rollbook.domain.rules.crossing import Crossing
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.sheet import OVERVIEW, Sheet
from rollbook.domain.rules.sheet_rulings import ADJUST
from rollbook.domain.rules.sides import plain_side
from rollbook.domain.rules.table import Table
from rollbook.domain.rules.vocabulary import Vocabulary
from rollbook.domain.state.campaign_state import CampaignState, Character

API = 1
"""The version of the contract between the engine and its plug-ins."""


class TimePasses(Protocol):
    """The hook of ``pass-time``: the clock stood at ``before`` seconds, and ``rest`` says whether everybody rested."""

    def __call__(self, table: Table, before: int, *, rest: bool) -> None: ...


@attrs.frozen(kw_only=True)
class NoSettings(Record):
    """A game without house rules."""


def _nothing(*_: object, **__: object) -> None:
    """A hook that a ruleset does not need."""


@attrs.frozen(kw_only=True, eq=False)
class Ruleset:
    """A game.

    ``key`` is its name for ever (a campaign's events say it), ``version`` changes when the same action may come out
    differently. ``settings`` is a frozen attrs class of house-rule switches with defaults. ``sheet`` derives what a character
    is from the character, the settings and the clock, and from nothing else. ``second_thoughts`` are the second_thoughts that
    the rules allow on an action just taken: kind → what it does. ``crossing`` says how characters come over from other games,
    and go. ``round_seconds`` is how long a round is at a table, 0 if the rules do not say. ``overview`` is what a table of the
    whole party shows: keys of values on the sheet and labels of its words, where a character has them. ``board`` says what is
    left of a turn, where everybody is and what the game counts besides; it is asked of any moment, never refuses and draws no
    dice. ``side`` says with whom a character stands (a ``Side``): lines name characters by it (``foes``). ``squares`` says
    what a game on a map of squares knows of them and of a planned move. ``entered_as`` names the stat under which a number of
    the sheet is entered by hand, where that is not its own key. ``vocabulary`` has the words that the rules compare, by
    subject: what somebody types is spelled so. ``notice`` is what the owners of the game's material ask to be told with it, a
    paragraph a line: exports and pages of a campaign show it. ``condition_words`` gives the words for a condition after "is",
    where its name alone makes no sentence ("is bless").
    """

    key: str
    title: str
    version: str
    summary: str
    actions: tuple[type[Action], ...]
    sheet: Callable[[Character, CampaignState], Sheet]
    settings: type[Any] = NoSettings
    second_thoughts: Mapping[str, str] = attrs.field(factory=dict)
    session_opened: Callable[[Table], None] = _nothing
    session_closed: Callable[[Table], None] = _nothing
    time_passed: TimePasses = _nothing
    experience_awarded: Callable[[Table, CharacterId], None] = _nothing
    character_changed: Callable[[Table, Character], None] = _nothing
    crossing: Crossing | None = None
    round_seconds: Callable[[Table], int] = lambda _: 0
    overview: tuple[str, ...] = OVERVIEW
    entered_as: Mapping[str, str] = attrs.field(factory=dict)
    board: Callable[[CampaignState], Board] = plain_board
    side: Callable[[CampaignState, Character], str] = plain_side
    squares: Squares | None = None
    vocabulary: Vocabulary = attrs.field(factory=dict)
    notice: str = ""
    condition_words: Callable[[str], str] = str
    api: int = API

    def verb(self, name: str) -> type[Action] | None:
        """The ruleset's own verb of that name."""
        return self._verbs.get(name)

    @functools.cached_property
    def _verbs(self) -> Mapping[str, type[Action]]:
        return {action.verb: action for action in reversed(self.actions)}


def ruleset_at(table: Table) -> Ruleset | None:
    """The ruleset that is played by at a table, whole: a table itself asks less of it."""
    return cast("Ruleset | None", table.ruleset)


def another_ruleset(table: Table, key: str) -> Ruleset:
    """A ruleset that the campaign does not play by yet. Raises NotFound with the nearest that are installed."""
    if key not in table.rulesets:
        raise not_found("ruleset", key, table.rulesets)
    return cast("Ruleset", table.rulesets[key])


def settings_fields(ruleset: Ruleset) -> tuple[Parameter, ...]:
    """The settings of a ruleset as parameters: what they are called, mean by default and may be."""
    return tuple(map(_setting_parameter, attrs.fields(ruleset.settings)))


def _setting_parameter(field: "attrs.Attribute[Any]") -> Parameter:
    described = field.metadata.get("rollbook", {})
    want = ParameterType.CHOICE if described.get("choices") else ParameterType.TEXT
    if isinstance(field.default, int):
        want = ParameterType.FLAG if isinstance(field.default, bool) else ParameterType.NUMBER
    return Parameter(
        name=field.name,
        want=want,
        help=described.get("help", ""),
        default=field.default,
        choices=described.get("choices", ()),
        means=described.get("means", ()),
        minimum=described.get("minimum"),
        maximum=described.get("maximum"),
    )


def chosen_settings(ruleset: Ruleset, chosen: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Every setting of a ruleset written out, with what was chosen. Raises Refused for one that does not exist."""
    usual: dict[str, Scalar] = {field.name: field.default for field in attrs.fields(ruleset.settings)}
    return {**usual, **read_settings(ruleset, chosen)}


def read_settings(ruleset: Ruleset, chosen: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """The settings that were chosen, and no others. Raises Refused for one that does not exist or cannot be so."""
    known = {field.name: field for field in settings_fields(ruleset)}
    written: dict[str, Scalar] = {}
    for name, value in chosen.items():
        if name not in known:
            raise Refused(str(not_found(f"setting of {ruleset.key}", name, known)), parameter=name)
        read = known[name].read(value) if isinstance(value, str) else value
        known[name].check(read)
        written[name] = cast("Scalar", read)
    return written


def fault_of(key: str, ruleset: object) -> str:
    """The fault in the object that the entry point ``key`` names; "" for none."""
    if not isinstance(ruleset, Ruleset):
        return f"it is a {type(ruleset).__name__}, not a Ruleset"
    if ruleset.key != key:
        return f"its key is {ruleset.key!r}, but its entry point is called {key!r}"
    if ruleset.api > API:
        return f"it is made for version {ruleset.api} of the plug-in contract, and this rollbook speaks version {API}"
    if not isinstance(ruleset.version, str):
        return f"its version is {ruleset.version!r}, which is not a text"
    if dead := next((hook for hook in ("sheet", "board", "side") if not callable(getattr(ruleset, hook))), ""):
        return f"its {dead} cannot be called"
    if fault := fault_of_squares(ruleset.squares):
        return fault
    if not attrs.has(ruleset.settings):
        return "its settings are not an attrs class"
    verbs = Counter(
        action.verb for action in ruleset.actions if isinstance(action, type) and issubclass(action, Action)
    )
    twice = next((verb for verb, many in verbs.items() if many > 1), None)
    if twice:
        return f"it has two verbs called {twice!r}"
    if ADJUST in ruleset.second_thoughts:
        return f"it calls a second thought {ADJUST!r}, which is what the GM's own corrections are called"
    return next((fault for fault in map(_verb_fault, ruleset.actions) if fault), "")


def _verb_fault(verb: type[Action]) -> str:
    if not (isinstance(verb, type) and issubclass(verb, Action)):
        return f"{verb!r} is among its verbs but is not an Action"
    if not verb.verb:
        return f"{verb.__name__} has no verb"
    if verb.resolve is Action.resolve:
        return f"the verb {verb.verb!r} ({verb.__name__}) does not say how it is resolved"
    named = (name for handle in verb.handles for name in handle.parameters)
    if wrong := next((name for name in named if not declares(verb, name)), ""):
        return f"a handle of the verb {verb.verb!r} names {wrong!r}, which is no parameter of it"
    return ""
