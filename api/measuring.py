"""Profiles measured from uploaded photos, in a worker, by the command that ``calibrate`` runs.

So every kind that ``trayscore calibrate KIND`` can make can be made over HTTP too, with the same
options and the same refusals.
"""

import argparse
import io
import json
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, NoReturn

from api.cli.game_commands import calibrations
from api.problems import Problem
from api.profiles import MeasuredProfile
from api.workers.jobs import BadPhoto
from api.workers.process import ForeseenError
from api.workers.readers import ReadingPool
from calibration.profiles import KINDS, profile_kind

BAD_IMAGE = "bad_image"
_OURS = ("help", "output", "name", "overlay", "photos", "game")
"""Options of the command line that are not for clients to set."""
_WARNING, _SPEAKER = "trayscore: warning: ", "trayscore: "


class ProfileRefused(ForeseenError):
    """Photos that a profile cannot be measured from: a code for programs, why for people."""

    def __init__(self, text: str, code: str) -> None:
        super().__init__(text)
        self.code = code
        self.args = (text, code)  # what it is made of again in the other process


class BadOption(ProfileRefused):
    """An option that the command does not take."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadOption(f"{message[:1].upper()}{message[1:]}.", "bad_request")


@dataclass(frozen=True)
class Calibrate:
    """Measure a profile as ``trayscore calibrate KIND PHOTO… --name NAME`` does."""

    patience: ClassVar[float] = 4.0  # each photo takes seconds
    kind: str
    name: str
    photos: tuple[bytes, ...]
    options: tuple[tuple[str, str], ...] = ()

    def run(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The profile as decoded JSON, and warnings about it."""
        action = next(made for made in calibrations() if made.name == self.kind).action()
        parser = _Parser(prog=self.kind, add_help=False)
        action.add_options(parser)
        with TemporaryDirectory() as folder:
            output = Path(folder) / "profile.json"
            words = [*_options(parser, self.options, Path(folder)), "--name", self.name]
            args = parser.parse_args([*words, "-o", str(output), "--", *self._files(Path(folder))])
            told = io.StringIO()
            with redirect_stdout(io.StringIO()), redirect_stderr(told):
                status = action.run(args)
            lines = told.getvalue().replace(f"{folder}/", "").splitlines()
            if status:
                raise _refusal(args, lines)
            warnings = [line.removeprefix(_WARNING) for line in lines if line.startswith(_WARNING)]
            return json.loads(output.read_text("utf-8")), tuple(warnings)

    def _files(self, folder: Path) -> list[str]:
        files = [folder / f"photo-{number}" for number in range(1, len(self.photos) + 1)]
        for file, photo in zip(files, self.photos, strict=True):
            file.write_bytes(photo)
        return [str(file) for file in files]


def _options(
    parser: argparse.ArgumentParser, given: Sequence[tuple[str, str]], folder: Path
) -> list[str]:
    """The options as words. Where the command line takes a file, clients send its content."""
    known = {
        option.dest: option
        for option in parser._actions
        if option.option_strings and option.dest not in _OURS
    }
    words: list[str] = []
    for name, value in given:
        option = known.get(name.replace("-", "_"))
        if option is None:
            text = f"There is no option {name!r}. Options: {', '.join(known) or 'none'}."
            raise BadOption(text, "bad_request")
        if option.type is Path:
            file = folder / f"{option.dest}.txt"
            file.write_text(value, "utf-8")
            value = str(file)  # noqa: PLW2901
        words.append(f"{option.option_strings[-1]}={value}")
    return words


def _refusal(args: argparse.Namespace, lines: Sequence[str]) -> ForeseenError:
    code = getattr(getattr(args, "refusal", None), "code", None)
    text = " ".join(line.removeprefix(_SPEAKER) for line in lines if not line.startswith(_WARNING))
    return BadPhoto(text) if code == BAD_IMAGE else ProfileRefused(text, code or "refused")


async def measured(
    readers: ReadingPool, kind: str, name: str, photos: Sequence[bytes], options: Mapping[str, str]
) -> MeasuredProfile:
    """A profile of this kind from these photos; raises ``Problem`` if it cannot be measured."""
    refuse_unknown_kind(kind)
    job = Calibrate(kind, name, tuple(photos), tuple(options.items()))
    try:
        data, warnings = await readers.do(job, photos)
    except BadOption as error:
        raise Problem(422, error.code, error.text) from error
    except ProfileRefused as error:
        why = [{"code": error.code, "text": error.text}]
        raise Problem(422, f"{kind}_refused", error.text, errors=why) from error
    return MeasuredProfile(profile_kind(kind).parse(data), warnings, kind)


def refuse_unknown_kind(kind: str) -> None:
    """Raise ``Problem`` if nothing measures profiles of this kind."""
    kinds = [made.name for made in calibrations() if made.name in KINDS]
    if kind not in kinds:
        text = f"There are no profiles of kind {kind!r}. Kinds: {', '.join(kinds)}."
        raise Problem(422, "bad_kind", text)
