"""Short forms: a line typed at the prompt, as the full line that is carried out and stored.

``at gu`` becomes ``attack kestrel ghoul longsword``. Verbs and names may be shortened as far as they are unmistakable among
what the seat may see; what fits several is refused with all of them. Scripts and stored intents keep full words.
"""

from rollbook.application.lines.short_forms.expansion import (
    ShortForms,
    person_in_full,
    values_in_full,
    without_program,
    written,
)

__all__ = ["ShortForms", "person_in_full", "values_in_full", "without_program", "written"]
