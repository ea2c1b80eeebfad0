"""Documentation pages for people at a table: their list, and how one is shown."""

from collections.abc import Mapping

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.plugins.installed_files import installed_file

TOPICS: Mapping[str, str] = {
    "first-evening": "from the installation to the end of the first session, on one page",
    "fifth-edition": "your group in ten minutes, for a GM who plays fifth edition",
    "commands": "commands by example, from the first campaign to an export",
    "cheat-sheet": "what you want and what you type, on one page",
    "from-your-virtual-tabletop": "the words of other programs, and ours",
    "joining": "who comes in: characters, monsters in numbers, the bestiary",
    "prompt": "few keys at the prompt: short forms, Tab, what is assumed",
    "correcting": "undo, redo, amend, override and second thoughts, with previews",
    "asking": "sheets, sums and differences at any moment",
    "filters": "the small language that says which actions are meant",
    "dice": "what can be rolled, typed and drawn",
    "odds": "how likely everything is that may come of an action",
    "stats": "what the dice did, against their odds",
    "proving": "receipts, audits and files for players, and what they prove",
    "threats": "who might want what, what stops them, and what nothing stops",
    "safety": "the X-card, and words that can be removed",
    "timelines": "what if: forks, reruns and taking over",
    "replay": "a session watched again, step by step",
    "web": "the table in a browser: seats and links, the house network, proxies, what is kept",
    "hosting": "many tables: PostgreSQL, several nodes, backups, updates, what breaks, what it costs",
    "keeping": "backups, exports and imports",
    "exporting": "formats for people and other programs",
    "importing": "campaigns that were played on Foundry, on Discord or in a spreadsheet",
    "words": "one word for one thing",
    "api": "rollbook from Python",
    "notebooks": "a campaign as data frames, and a season's luck drawn",
    "http-api": "the table for programs: tokens, JSON, bells",
    "write-a-ruleset": "a game of your own, from an empty folder",
    "write-a-plug-in": "an importer and an exporter of your own",
    "stability": "what 0.x promises",
    "architecture": "how rollbook is built, and why",
    "performance": "what it costs",
}
"""Each topic is called like its page."""


def page_of(topic: str) -> str:
    """The page of a topic, as Markdown. Raises NotFound if it did not come with the installation."""
    return installed_file("docs", f"{topic}.md").read_text(encoding="utf-8")


def show_topics(cli: CliContext) -> None:
    """Print the topics, each with what its page is about."""
    if cli.json:
        cli.data(dict(TOPICS))
        return
    cli.print_columns([(Text(topic, "cyan"), about) for topic, about in TOPICS.items()])
    cli.print(
        Text("Read one: rollbook help TOPIC. Of a command: rollbook help COMMAND, or rollbook COMMAND --help.", "dim")
    )


def show_page(cli: CliContext, topic: str) -> None:
    """Print one page: set for a terminal, as it is written in a pipe."""
    text = page_of(topic)
    if not cli.is_terminal:
        cli.print(text)
        return
    from rich.markdown import Markdown

    cli.out.print(Markdown(text, hyperlinks=False))
