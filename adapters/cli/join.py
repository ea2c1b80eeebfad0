"""``rollbook join``: somebody new, by flags or by answering what the game asks; what is left open is chosen later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from adapters.cli.desk import Desk
from adapters.cli.options import completions, desk_of, pass_desk, shared

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from adapters.cli.taking import Taken
    from domain.campaign import Character
    from domain.verbs import Action, Parameter

JOIN, CHOOSE = "join", "choose"
LATER = "later"


def _words(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from adapters.cli.verbs import candidates, verb_of

    campaign = desk_of(ctx).campaign()
    said = tuple(ctx.params.get("said") or ())
    return completions(lambda: list(candidates(campaign, verb_of(campaign, JOIN), said, incomplete)), incomplete)


@click.command(
    short_help="Make a character: answer what the game asks, or say it all at once.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument(
    "said", nargs=-1, type=click.UNPROCESSED, metavar="[NAME] [--FLAG VALUE ...] [! DICE]", shell_complete=_words
)
@shared
@pass_desk
def join(desk: Desk, said: tuple[str, ...]) -> None:
    """Bring somebody into the campaign by the game's own procedure.

    Without words it asks, step by step. What need not be decided now stays open on the sheet, and is chosen later.
    The flags of the game that is being played: rollbook do join --help
    """
    from adapters.cli.taking import take, tell
    from adapters.cli.verbs import verb_of

    campaign = desk.campaign()
    action = verb_of(campaign, JOIN)
    is_asked = not said and desk.is_interactive
    taken = _Interview(desk, campaign, action).hold() if is_asked else take(campaign, action, said)
    desk.project()
    tell(desk, campaign, taken)
    newcomer = _newcomer(campaign, taken)
    if newcomer is not None and not desk.json:
        _open_choices(desk, campaign, newcomer, ask=is_asked)


def _newcomer(campaign: CampaignBook, taken: Taken) -> Character | None:
    from domain.events import CharacterJoined

    joined = next((fact for fact in taken.entry.facts if isinstance(fact, CharacterJoined)), None)
    return campaign.state.characters[joined.character] if joined else None


class _Interview:
    """Questions until the rules have nothing against the answers."""

    def __init__(self, desk: Desk, campaign: CampaignBook, action: type[Action]) -> None:
        from adapters.spoken import asked

        self._desk, self._campaign, self._action = desk, campaign, action
        self._known = {parameter.name: parameter for parameter in asked(action)}
        self._given: dict[str, str] = {}
        self._dice = ""

    def hold(self) -> Taken:
        """Ask, try, and if the rules say no, say why and ask again with the answers as they were."""
        from adapters.cli.taking import take
        from adapters.spoken import Misspoken
        from domain.errors import NotFound, Refused

        self._desk.say(
            "Enter takes what stands in brackets, or leaves it open. Ctrl-C stops; nothing is recorded before the end."
        )
        while True:
            for parameter in self._questions():
                self._ask(parameter)
            self._dice = click.prompt(
                "Real dice, if you roll them yourself", default=self._dice, show_default=bool(self._dice)
            )
            try:
                return take(self._campaign, self._action, tuple(self._said()))
            except (Refused, NotFound, Misspoken) as reason:
                self._desk.remark(str(reason))

    def _questions(self) -> Iterator[Parameter]:
        """What the game asks of this sort of somebody, in its own order."""
        kind = self._known.get("kind")
        first = [name for name in ("name", "kind") if name in self._known]
        yield from (self._known[name] for name in first)
        chosen = self._given.get("kind") or str(kind.default if kind else "")
        rest = self._action.questions.get(chosen, tuple(self._known))
        yield from (self._known[name] for name in rest if name not in first)

    def _ask(self, parameter: Parameter) -> None:
        from rich.text import Text

        from adapters.cli.verbs import describe
        from adapters.spoken import read_value
        from domain.errors import RollbookError

        before = self._given.get(parameter.name, _default(parameter))
        self._desk.say(Text(f"{parameter.name}: {describe(parameter)}", style="dim"))
        while True:
            text = str(click.prompt(f"  {parameter.name}", default=before, show_default=bool(before))).strip()
            if not text and parameter.required:
                self._desk.remark(f"{parameter.name} is needed.")
                continue
            try:
                if text:
                    read_value(parameter, text, self._campaign.state)
            except RollbookError as reason:
                self._desk.remark(str(reason))
                continue
            self._given[parameter.name] = text
            return

    def _said(self) -> Iterator[str]:
        """The answers as they would have been typed."""
        from adapters.spoken import DICE_MARK, option

        for name, text in self._given.items():
            parameter = self._known[name]
            if text and text != _default(parameter):
                yield f"--{option(parameter)}={text}"
        if self._dice:
            yield DICE_MARK
            yield self._dice


def _default(parameter: Parameter) -> str:
    default = parameter.default
    if default is None or default == () or (default == 0 and not isinstance(default, bool)):
        return ""
    if isinstance(default, bool):
        return "yes" if default else "no"
    return ",".join(default) if isinstance(default, tuple) else str(default)


def _open_choices(desk: Desk, campaign: CampaignBook, who: Character, *, ask: bool) -> None:
    """Say what is still to be chosen, choices of a sort together, and if somebody is there, let them choose."""
    from rich.text import Text

    of_a_sort: dict[tuple[str, ...], list[str]] = {}
    for choice, options in who.choices.items():
        of_a_sort.setdefault(options, []).append(choice)
    for options, choices in of_a_sort.items():
        desk.say(Text(f"Still open: {', '.join(choices)} ({', '.join(options) or 'any word'})"))
        if not ask:
            desk.say(f"  rollbook do {CHOOSE} {who.id} {choices[0]} …")
            continue
        for choice in choices:
            picked = click.prompt(f"  {choice}, or {LATER}", default=LATER)
            if picked == LATER:
                break
            _choose(desk, campaign, (who.id, choice, picked))


def _choose(desk: Desk, campaign: CampaignBook, said: Sequence[str]) -> None:
    from adapters.cli.taking import take, tell
    from adapters.cli.verbs import verb_of
    from domain.errors import RollbookError

    try:
        taken = take(campaign, verb_of(campaign, CHOOSE), said)
    except RollbookError as reason:
        desk.remark(f"{reason} It stays open.")
        return
    desk.project()
    tell(desk, campaign, taken)
