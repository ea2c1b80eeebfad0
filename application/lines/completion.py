"""Completion of an unfinished line: verbs, commands and their words, only those that may be typed there."""

from collections.abc import Callable, Sequence

from rollbook.application.lines.line_commands import PROMPT_COMMANDS, X_CARD, showable
from rollbook.application.lines.short_forms import ShortForms, without_program, written
from rollbook.application.lines.verb_line import LineError, split_words
from rollbook.application.verbs import verbs_of
from rollbook.application.view import CampaignView
from rollbook.domain.base.letters import caseless

OfCommand = Callable[[Sequence[str], str], list[str]]
"""Completer of a line that begins with a command: takes its words so far, and the beginning of the next."""


def completed(line: str, begins: int, words_after: OfCommand) -> list[str]:
    """The completions of the text after the position ``begins`` in the line; words with blanks are quoted.

    ``words_after`` gives the words that go on from a beginning, after those before it.
    """
    start = word_start(line)
    begun = line[start:]
    try:
        before = split_words(line[:start])
    except LineError:
        return []
    quoted = begun[:1] == '"'
    words = showable(words_after(before, begun.removeprefix('"')))
    return sorted((f'"{word}"' if quoted else written([word]))[begins - start :] for word in words)


def word_start(line: str) -> int:
    """The position at which the last word of a line begins, which may be open: ``attack robin guard "silver da``."""
    start, is_open = 0, False
    for place, letter in enumerate(line):
        if letter == '"' and (is_open or place == start):
            is_open = not is_open
        elif letter.isspace() and not is_open:
            start = place + 1
    return start


def next_words(
    campaign: CampaignView,
    short: ShortForms,
    before: Sequence[str],
    incomplete: str,
    *,
    of_command: OfCommand | None = None,
    also: Sequence[str] = (),
) -> list[str]:
    """Words that go on from ``incomplete`` after the words ``before``.

    A line may also begin with one of the words ``also``; ``of_command`` is asked of the commands, None offers nothing there.
    """
    said = without_program(before)
    if not said:
        known = (*short.may_begin(campaign), *PROMPT_COMMANDS, *also)
        return [word for word in dict.fromkeys(known) if caseless(word).startswith(caseless(incomplete))]
    first = short.first(campaign, said)
    verb = verbs_of(campaign).get(first)
    if verb is not None:
        return short.offers(campaign, verb, said, incomplete)
    if first in (X_CARD, *PROMPT_COMMANDS) and of_command is not None:
        return of_command([first, *said[1:]], incomplete)
    return []
