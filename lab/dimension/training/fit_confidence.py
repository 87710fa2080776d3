"""Fits confidence: ``python -m lab.dimension.training.fit_confidence DIR… [--test DIR…]``.

How the fit does on pictures that it has not seen is told by fitting it anew without every tenth of
them, in turn, and measuring each by the fit that left it out.

Takes pictures that trained nothing, reads each with its tray's profile, and sets the three things
in ``vision/dimension/data/confidence.json``.

*The lines.* Confidence is the product of two probabilities, of the view and of the layout in it,
each a straight line on the log-odds of what the reader gives: maximum likelihood of both at once,
with a weak pull to what the reader says, so that few errors cannot bend them far.

*The ceiling.* Some errors leave no trace in the posterior, and a sample can only tell so much: the
best group of surest readings bounds the share of wrong ones (Clopper–Pearson, 95 %; that is 3 / m
if all of m are right), and nobody is told more than that.

*The bar for certain.* The risk is that a picture gives a silent error: certain, and wrong. The bar
is the lowest for which both hold: by conformal risk control, (errors + 1) / (pictures + 1) ≤ risk,
which bounds the expected risk of the next picture whatever the truth of the lines; and the lines'
own expectation, the sum of 1 − confidence over certain readings, is within the risk too, lest the
sample was lucky. A few unsure readings would change neither much, yet none of them should be called
certain: so it is not below ``SURE_ENOUGH``. A sample of fewer than 1 / risk pictures admits no such
bound; then no error at all is allowed in it, and the experiment says so.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from math import ceil, floor
from pathlib import Path

import cv2
import numpy as np
from scipy.optimize import minimize
from scipy.stats import beta

from lab.dimension.bench.accuracy import Judged, calibration_error
from lab.dimension.bench.readings import Pictured, in_processes, pictures, reader_for
from vision.dimension.reporting.confidence import BLOCKING, Confidence
from vision.dimension.reporting.report import at_most
from vision.log_odds import Line, log_odds
from vision.photo import BadImageError, load_photo

Counts = int | np.ndarray

ROOT = Path(__file__).parents[3]
FILE = ROOT / "vision" / "dimension" / "data" / "confidence.json"
RISK = 0.001
"""Silent errors a picture."""
SURE_ENOUGH = 0.98
"""No single reading is certain that is less sure than this, however small the risk of them all."""
LEVEL = 0.95
FOLDS = 10
PULL = 1.0
"""Standard deviation of slope − 1 and offset before anything was seen: a factor e of the odds."""

AS_IT_IS = Line(1.0, 0.0)
BARE = Confidence(AS_IT_IS, AS_IT_IS, 1.0, 2.0, "the posterior as it is")


@dataclass(frozen=True)
class JudgedPicture:
    """What a picture tells about confidence."""

    posterior: float | None
    """Of the layout if the view is right; None if no tray was found."""
    right: bool
    blocked: bool
    """A warning forbids to be certain."""
    tray: bool
    """Whether the picture shows one."""
    view: float = 1.0
    """Probability that the view is right, by its own signs."""
    at_most: float = 1.0
    """What the reading is worth at most, whatever these say."""

    def confidence(self, scale: Confidence) -> float:
        """The confidence that this map gives the reading."""
        return min(self.at_most, scale.calibrated(self.posterior or 0.0, self.view))


def see(pictured: Pictured) -> JudgedPicture:
    """What reading this picture tells."""
    reader, shows_tray = reader_for(pictured, BARE), pictured.truth["kind"] != "negative"
    try:
        sight = reader.sight(load_photo(pictured.file))
    except BadImageError:
        sight = None
    if sight is None:
        return JudgedPicture(None, right=False, blocked=False, tray=shows_tray)
    reading = reader.reading(sight)
    judged = Judged(pictured.truth, reading.to_json())
    blocked = not BLOCKING.isdisjoint(reading.warnings)
    told = sight.posterior
    return JudgedPicture(
        told.probability,
        judged.exact,
        blocked,
        judged.shows_tray,
        told.view,
        at_most(told),
    )


def fit(seen: Sequence[JudgedPicture], risk: float = RISK, source: str = "") -> Confidence:
    """Lines, ceiling and bar for what was seen in these pictures."""
    view, layout = fitted_lines(seen)
    lines = Confidence(view, layout, 1.0, 2.0, "")
    bar = max(SURE_ENOUGH, lowest_bar(seen, lines, risk))
    highest = max(certain_ceiling(seen, lines), bar)
    fitted = replace(lines, ceiling=_rounded(highest, floor), certain_from=_rounded(bar, ceil))
    # The bar must stay within reach of the ceiling when both are rounded.
    fitted = replace(fitted, ceiling=max(fitted.ceiling, fitted.certain_from))
    return replace(fitted, experiment=_experiment(seen, fitted, risk, source))


def fitted_lines(seen: Sequence[JudgedPicture]) -> tuple[Line, Line]:
    """The lines on the log-odds of the view and of the layout.

    What is never certain is another matter and does not bend them.
    """
    read = [one for one in seen if one.posterior is not None and one.at_most == 1.0]
    views = np.array([log_odds(one.view) for one in read])
    layouts = np.array([log_odds(one.posterior or 0.0) for one in read])
    right = np.array([one.right for one in read])

    def loss(lines: np.ndarray) -> float:
        # The logarithm of a product of probabilities, and of what it leaves.
        sure = -np.logaddexp(0.0, -(lines[0] * views + lines[1]))
        sure -= np.logaddexp(0.0, -(lines[2] * layouts + lines[3]))
        wrong = np.log(-np.expm1(np.minimum(sure, -1e-12)))
        misfit = -float(np.where(right, sure, wrong).sum())
        return misfit + 0.5 * float(((lines - (1, 0, 1, 0)) ** 2).sum()) / PULL**2

    slope, offset = (0.05, 5.0), (None, None)
    start = np.array([1.0, 0.0, 1.0, 0.0])
    found = minimize(loss, start, bounds=[slope, offset, slope, offset]).x
    numbers = [round(float(number), 4) for number in found]
    return Line(*numbers[:2]), Line(*numbers[2:])


def certain_ceiling(seen: Sequence[JudgedPicture], lines: Confidence) -> float:
    """The most that the sample allows to say of any reading."""
    wrong = np.cumsum([not right for _, right in _surest_first(seen, lines)])
    return float(1 - upper_bound(wrong, np.arange(1, len(wrong) + 1)).min(initial=1.0))


def upper_bound(wrong: Counts, count: Counts) -> np.ndarray:
    """The share of wrong ones that is not exceeded, 95 % sure (Clopper and Pearson)."""
    fine = np.asarray(count) - wrong
    return np.where(fine > 0, beta.ppf(LEVEL, wrong + 1, np.maximum(fine, 1)), 1.0)


def lowest_bar(seen: Sequence[JudgedPicture], lines: Confidence, risk: float) -> float:
    """The lowest confidence from which a reading may be certain."""
    eligible = [one for one in seen if not one.blocked]
    allowed = max(0.0, risk * (len(seen) + 1) - 1)
    bar, errors, expected = 1.0, 0, 0.0
    for sure, right in _surest_first(eligible, lines):
        errors += not right
        expected += 1 - sure
        if errors > allowed or expected > risk * len(seen):
            break
        bar = sure
    return bar


def measured(seen: Sequence[JudgedPicture], confidence: Confidence) -> str:
    """How the map does on pictures: calibration error, share of certain ones, silent errors."""
    return _told([(one, confidence) for one in seen])


def crossed(seen: Sequence[JudgedPicture], risk: float = RISK) -> str:
    """How maps do that were fitted to all pictures but the tenth that they are measured on."""
    parts = [seen[number::FOLDS] for number in range(FOLDS)]
    told: list[tuple[JudgedPicture, Confidence]] = []
    for number, part in enumerate(parts):
        others = [one for other in parts[:number] + parts[number + 1 :] for one in other]
        fitted = fit(others, risk)
        told.extend((one, fitted) for one in part)
    return _told(told)


def _told(judged: Sequence[tuple[JudgedPicture, Confidence]]) -> str:
    """Figures of pictures, each with the map that it is measured by."""
    seen = [one for one, _ in judged]
    trays = [one for one in seen if one.tray]
    known = [
        (one.confidence(by), one.right)
        for one, by in judged
        if one.tray and one.posterior is not None
    ]
    certain = [one for one, by in judged if _certain(one, by)]
    silent = sum(not one.right for one in certain)
    bound = float(upper_bound(silent, len(seen)))
    return (
        f"{len(trays)} pictures with a tray and {len(seen) - len(trays)} without: "
        f"{sum(one.right for one in trays)} read exactly, "
        f"{sum(one.tray for one in certain) / max(1, len(trays)):.1%} certain, "
        f"{silent} silent errors (below {bound:.2%} of pictures, 95 %), "
        f"calibration error {calibration_error(known):.4f}"
    )


def observe(folder: Path, jobs: int) -> list[JudgedPicture]:
    """What the pictures of a folder tell; kept in ``posteriors.jsonl`` there for the next time.

    What is kept counts only for the reader that it was made with.
    """
    kept, chosen = folder / "posteriors.jsonl", pictures(folder)
    head = json.dumps({"reader": fingerprint(), "pictures": len(chosen)})
    if kept.exists():
        first, *lines = kept.read_text("utf-8").splitlines()
        if first == head:
            return [JudgedPicture(**json.loads(line)) for line in lines]
    seen = []
    for number, one in enumerate(in_processes(see, chosen, jobs), 1):
        seen.append(one)
        sys.stderr.write(f"\r{folder.name}: {number} of {len(chosen)} ")
    sys.stderr.write("\n")
    kept.write_text("\n".join([head, *(json.dumps(asdict(one)) for one in seen)]) + "\n", "utf-8")
    return seen


@cache
def fingerprint() -> str:
    """A number for all that a posterior depends on: the code below ``api``, and its models."""
    digest = sha256()
    for package in ("rules", "calibration", "vision"):
        for file in sorted((ROOT / package).rglob("*")):
            if file.suffix in (".py", ".json", ".npz", ".onnx") and file != FILE:
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, fit, say how it went, and write; the exit status."""
    options = _options(arguments)
    cv2.setNumThreads(1)
    sample = [one for folder in options.folders for one in observe(folder, options.jobs)]
    if not any(one.posterior is not None for one in sample):
        print("No tray was found in any picture: there is nothing to fit to.", file=sys.stderr)
        return 1
    source = ", ".join(folder.name for folder in options.folders)
    fitted = fit(sample, options.risk, source)
    print(json.dumps(asdict(fitted), indent=2))
    print(f"fitted on: {measured(sample, fitted)}")
    print(f"by fits that left them out: {crossed(sample, options.risk)}")
    for folder in options.test:
        print(f"{folder}: {measured(observe(folder, options.jobs), fitted)}")
    if not options.dry:
        options.out.write_text(json.dumps(asdict(fitted), indent=2) + "\n", encoding="utf-8")
    return 0


def _experiment(seen: Sequence[JudgedPicture], fitted: Confidence, risk: float, source: str) -> str:
    """The experiment and its result in words."""
    weak = "" if risk * (len(seen) + 1) >= 1 else ", too few for that bound: no error is allowed"
    return (
        f"lab.dimension.training.fit_confidence on {source or 'lab pictures'} that trained "
        f"nothing: {measured(seen, fitted)}; risk allowed {risk:g} a picture{weak}"
    )


def _certain(one: JudgedPicture, confidence: Confidence) -> bool:
    if one.posterior is None or one.blocked:
        return False
    return confidence.is_certain(one.confidence(confidence), ())


def _surest_first(seen: Sequence[JudgedPicture], lines: Confidence) -> list[tuple[float, bool]]:
    """Confidence and rightness of all readings; among equally sure ones the wrong come first."""
    known = [(one.confidence(lines), one.right) for one in seen if one.posterior is not None]
    return sorted(known, key=lambda pair: (-pair[0], pair[1]))


def _rounded(p: float, way: Callable[[float], int]) -> float:
    """The probability with five digits, rounded to the safe side."""
    return min(1.0, way(p * 1e5) / 1e5)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lab.dimension.training.fit_confidence",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", type=Path, nargs="+", help="pictures with truth.jsonl")
    parser.add_argument("--test", type=Path, nargs="+", default=[], help="pictures to check it on")
    parser.add_argument("--risk", type=float, default=RISK, help="silent errors a picture")
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--dry", action="store_true", help="write nothing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
