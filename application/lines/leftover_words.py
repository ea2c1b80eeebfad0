"""Words that are left over after a verb's required parameters: those that have a place, and hints for the rest.

Text goes on to the end of the line only where it is the point of the verb (``scene The road through Sherwood``). After
people and things, numbers are those that the verb may have next (a count, a square), and other text is given by its option
or in quotation marks: a misspelt name among others never becomes a title or a reason.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from itertools import takewhile

from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import MINUS, Parameter

TO_REACH = ("target", "dc")
"""Parameters that are mostly numbers, though some games take words for them."""
_AMOUNTS = (ParameterType.NUMBER, ParameterType.DICE)


def text_to_the_end(mine: Sequence[Parameter]) -> Parameter | None:
    """The text that goes on to the end of the line: the last needed, the only one, or what an amount is for.

    As in ``note``, ``scene`` and ``award korra 100 rats``. The name of a character or thing is no such text, unless the
    verb takes nothing else.
    """
    if goes_on := next((parameter for parameter in mine if parameter.to_the_end), None):
        return goes_on
    needed = [parameter for parameter in mine if parameter.required]
    free = [parameter for parameter in mine if not parameter.required]
    last = needed[-1] if needed else None
    if free and ((last is None and len(free) == 1) or (last is not None and last.want in _AMOUNTS)):
        last = free[0]
    if last is None or last.want is not ParameterType.TEXT or last.fits is not None:
        return None
    return None if last.is_name and len(mine) > 1 else last


def next_numbers(mine: Sequence[Parameter], given: Mapping[str, str]) -> list[Parameter]:
    """The numbers that a verb may have next after a character or thing: a count, squares east and north."""
    needed = [parameter for parameter in mine if parameter.required]
    is_after = bool(needed) and (len(needed) > 1 or not needed[-1].is_name)
    free = sayable_next(_free(mine, given)) if is_after else []
    return list(takewhile(lambda each: each.want is ParameterType.NUMBER, free))


def sayable_next(free: Sequence[Parameter]) -> list[Parameter]:
    """The optional parameters that words without a name may be meant for: no rulings, and nothing that is yes or no."""
    return [each for each in free if not each.gm_only and each.want is not ParameterType.FLAG]


def numbers_at_the_end(words: Sequence[str]) -> list[str]:
    """The last words of a line, as far as they are whole numbers."""
    return list(takewhile(is_number, reversed(words)))[::-1]


def placed_numbers(
    mine: Sequence[Parameter], given: Mapping[str, str], words: Sequence[str]
) -> list[tuple[Parameter, str]]:
    """The numbers at the end of a line with what they are for; none if there are more than have a place."""
    numbers, wanted = numbers_at_the_end(words), next_numbers(mine, given)
    return list(zip(wanted, numbers, strict=False)) if len(numbers) <= len(wanted) else []


def is_number(word: str) -> bool:
    """True if a word is a whole number."""
    return word.removeprefix(MINUS).removeprefix("-").removeprefix("+").isdecimal()


def is_quoted(word: str) -> bool:
    """True if a word of a line was held together by quotation marks."""
    return any(letter.isspace() for letter in word)


def place(mine: Sequence[Parameter], given: MutableMapping[str, str], words: Sequence[str]) -> list[str]:
    """Put the words that are left over where they belong, and return those that belong nowhere."""
    text = text_to_the_end(mine)
    if text is not None and (text.required or text.name not in given):
        given[text.name] = " ".join((*filter(None, (given.get(text.name),)), *words))
        return []
    placed = placed_numbers(mine, given, words)
    given.update({parameter.name: number for parameter, number in placed})
    left = list(words[: len(words) - len(placed)])
    if left and (goes_on := _goes_on(mine, given, left)) is not None:
        given[goes_on.name] = " ".join((*filter(None, (given.get(goes_on.name),)), *left))
        return []
    return left


def _goes_on(mine: Sequence[Parameter], given: Mapping[str, str], words: Sequence[str]) -> Parameter | None:
    """The parameter whose value the words may continue: a thing that the rules can look up, or a quoted text.

    After somebody who is named also with what it is done, though that may be left out: ``attack robin guard longbow``.
    """
    needed, free = [parameter for parameter in mine if parameter.required], sayable_next(_free(mine, given))
    if needed and _is_known_thing(needed[-1]):
        return None if is_number(words[-1]) else needed[-1]
    if free and free[0].want is ParameterType.TEXT:
        is_text = len(words) == 1 and is_quoted(words[0])
        return free[0] if is_text or _is_known_thing(free[0]) else None
    is_after = bool(needed) and needed[-1].want is ParameterType.CHARACTER and not is_number(words[-1])
    with_what = (each for each in free if each.want is ParameterType.GEAR and each.fits is not None)
    return next(with_what, None) if is_after else None


def _is_known_thing(parameter: Parameter) -> bool:
    return parameter.want is ParameterType.TEXT and parameter.fits is not None


def how_else(mine: Sequence[Parameter], given: Mapping[str, str], words: Sequence[str]) -> str:
    """A sentence on how words without a place could be typed, "" if nothing takes them."""
    word, numbers = words[0], numbers_at_the_end(words)
    text = " ".join(words[: len(words) - len(numbers)])
    free = _free(mine, given)
    named = next((each for each in mine if each.required and each.is_name), None)
    amounts = [each for each in free if each.want is ParameterType.NUMBER]
    if is_number(word):
        wanted = [each for each in free if each.name in TO_REACH] or amounts
        return f" A number may be meant so: --{wanted[0].option} {word}." if wanted else ""
    for each in free:
        if word in each.choices:
            return f" It may be meant so: --{each.option} {word}."
    count = f" --{amounts[0].option} {numbers[0]}" if amounts and len(numbers) == 1 else ""
    if named is not None and named.name in given:
        return f' A name of several words goes in quotation marks: "{given[named.name]} {text}"{count}.'
    texts = [each for each in free if each.want is ParameterType.TEXT and each.fits is None and not each.gm_only]
    return f' Text goes by its name: --{texts[0].option} "{text}"{count}.' if texts else ""


def _free(mine: Sequence[Parameter], given: Mapping[str, str]) -> list[Parameter]:
    return [parameter for parameter in mine if not parameter.required and parameter.name not in given]
