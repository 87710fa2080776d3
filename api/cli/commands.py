"""What a command is. Only the action of the command that was asked for is imported.

So ``trayscore score`` answers before OpenCV or the web framework would have been loaded.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True)
class Action:
    """A command's options, and the function that runs it and gives its exit status."""

    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    description: str | None = None
    """What ``--help`` says above the options."""


@dataclass(frozen=True)
class Command:
    """A command as the list of commands shows it."""

    name: str
    help: str
    where: str
    """Its ``Action``, as ``module:NAME``."""

    def action(self) -> Action:
        """Import the action."""
        module, _, name = self.where.partition(":")
        found = getattr(import_module(module), name)
        if not isinstance(found, Action):
            raise TypeError(f"{self.where} is not an Action")
        return found


@dataclass(frozen=True)
class CommandGroup:
    """A command that has commands of its own, like ``calibrate tray``."""

    name: str
    help: str
    commands: Callable[[], Sequence[Command]]


def add_commands(
    parser: argparse.ArgumentParser,
    commands: Sequence[Command | CommandGroup],
    words: Sequence[str],
    metavar: str = "COMMAND",
) -> None:
    """Add commands to a parser. Only the one that ``words`` ask for gets its options."""
    asked, *further = words or [""]
    subparsers = parser.add_subparsers(metavar=metavar, required=True)
    for command in commands:
        added = subparsers.add_parser(command.name, help=command.help)
        if command.name != asked:
            continue
        if isinstance(command, CommandGroup):
            add_commands(added, command.commands(), further, "WHAT")
        else:
            action = command.action()
            added.description = action.description
            action.add_options(added)
            added.set_defaults(run=action.run)
