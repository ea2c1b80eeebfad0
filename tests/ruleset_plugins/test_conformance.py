"""Every ruleset that comes with rollbook keeps what every ruleset promises."""

from __future__ import annotations

from ruleset_plugins.testing import RulesetConformance


class TestStorytoken(RulesetConformance):
    ruleset = "storytoken"
    examples = (
        "bring-in robin-hood",
        "bring-in count-dracula",
        'join "Marian" --heritage human --roles thieving,wilderness,noble --scores 11,15,12,14,13,16 --hit-dice 4',
        'join "Guard" --kind npc --hp 40 --armour light --stats to_hit=3',
        "open-session The Silver Arrow",
        "begin-encounter robin-hood,count-dracula,guard,marian --title \"The ambush\" ! 15 14 13 12",
        "attack robin-hood guard longbow --distance 120",
        "spend-token robin-hood extra-action",
        "end-turn --next count-dracula",
        "attack count-dracula guard unarmed",
        "end-turn --next guard",
        "attack guard robin-hood light",
    )
