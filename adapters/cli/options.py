"""The options that every command has, before and after its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from adapters.cli.desk import Desk

_F = TypeVar("_F", bound=Callable[..., Any])

pass_desk = click.make_pass_decorator(Desk, ensure=True)


def desk_of(ctx: click.Context) -> Desk:
    """The desk of this run."""
    desk: Desk = ctx.ensure_object(Desk)
    return desk


def _note(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value:
        setattr(desk_of(ctx), {"store": "store", "campaign": "named", "json": "json"}[parameter.name or ""], value)


def _campaigns(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return completions(lambda: desk_of(ctx).book().campaigns(), incomplete)


def completions(known: Callable[[], Sequence[str]], incomplete: str) -> list[CompletionItem]:
    """Whatever of the known words goes on from here; nothing if they cannot be had."""
    try:
        return [CompletionItem(word) for word in known() if word.casefold().startswith(incomplete.casefold())]
    except Exception:  # noqa: BLE001 - while somebody presses Tab nothing is said
        return []


def character_names(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completion for a character."""
    return completions(lambda: tuple(desk_of(ctx).campaign().state.characters), incomplete)


def seat_names(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completion for a seat."""
    return completions(lambda: tuple(desk_of(ctx).campaign().state.seats), incomplete)


def shared_options() -> list[click.Option]:
    """The options themselves."""
    return [
        click.Option(
            ["--store"],
            metavar="PATH",
            type=click.Path(dir_okay=False),
            expose_value=False,
            callback=_note,
            help="The file that campaigns are kept in (or ROLLBOOK_STORE).",
        ),
        click.Option(
            ["-c", "--campaign"],
            metavar="NAME",
            expose_value=False,
            callback=_note,
            shell_complete=_campaigns,
            help="Which campaign: the only one, or the one used last, if none is named (or ROLLBOOK_CAMPAIGN).",
        ),
        click.Option(
            ["--json"],
            is_flag=True,
            expose_value=False,
            callback=_note,
            help="Answer with JSON: one object, or one a line.",
        ),
    ]


def shared(command: _F) -> _F:
    """Give a command the options that every command has."""
    known = getattr(command, "__click_params__", [])
    command.__click_params__ = [*reversed(shared_options()), *known]  # type: ignore[attr-defined]
    return command


class Numbers(click.ParamType[int]):
    """The number of an action: ``12``, ``#12``, or ``last``."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """0 stands for the last action."""
        text = str(value).removeprefix("#")
        if text == "last":
            return 0
        if not (text.isascii() and text.isdecimal() and len(text) <= 12 and int(text) > 0):
            self.fail(f"{value!r} is not the number of an action, such as 12, or last.", param, ctx)
        return int(text)


class Entries(click.ParamType[int]):
    """The number of an entry: ``40``. Numbers with a # are those of actions."""

    name = "entry"

    def __init__(self, least: int = 1) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number."""
        text = str(value)
        if not (text.isascii() and text.isdecimal() and len(text) <= 12 and int(text) >= self._least):
            self.fail(
                f"{value!r} is not the number of an entry, such as 40; the log says them with: rollbook log --all",
                param,
                ctx,
            )
        return int(text)


class Faces(click.ParamType[tuple[int, ...]]):
    """The faces of real dice: ``14,4``."""

    name = "faces"

    def convert(self, value: Any, *_: click.Parameter | click.Context | None) -> tuple[int, ...]:
        """The faces. Raises DiceError, which says what is wrong."""
        from domain.dice import parse_faces

        return parse_faces(value)


ACTION = Numbers()
FACES = Faces()
