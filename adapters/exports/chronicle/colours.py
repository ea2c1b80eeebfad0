"""The colours of the style sheet by day, and its text, for formats that know no variables."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_END_OF_GROUND = "/* ---------------------------------------------------------------- head of the page */"
_END_OF_DAY = "@media (prefers-color-scheme: dark)"


@cache
def ground() -> str:
    """The tokens and the ground of the style sheet that all pages share, without comments."""
    whole = files("rollbook.adapters.exports").joinpath("pages/style.css").read_text(encoding="utf-8")
    return smaller(whole.partition(_END_OF_GROUND)[0])


@cache
def colours() -> Mapping[str, str]:
    """The colours by day, by their names."""
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{3,8});", ground().partition(_END_OF_DAY)[0]))


def smaller(css: str) -> str:
    """A style sheet without comments and indentation."""
    return re.sub(r"\n\s*", "\n", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)).strip()
