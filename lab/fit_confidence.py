"""Fits confidence: ``python -m lab.fit_confidence DIR… [--test DIR…]``.

Takes pictures that trained nothing, reads each with its tray's profile, and sets the three things
in ``vision/data/confidence.json``.

*The line.* Confidence is a straight line on the posterior's log-odds: maximum likelihood, with a
weak pull to the posterior as it is, so that few errors cannot bend it far.

*The ceiling.* Some errors leave no trace in the posterior, and a sample can only tell so much: the
best group of surest readings bounds the share of wrong ones (Clopper–Pearson, 95 %; that is 3 / m
if all of m are right), and nobody is told more than that.

*The bar for certain.* The risk is that a picture gives a silent error: certain, and wrong. The bar
is the lowest for which both hold: by conformal risk control, (errors + 1) / (pictures + 1) ≤ risk,
which bounds the expected risk of the next picture whatever the truth of the line; and the line's
own expectation, the sum of 1 − confidence over certain readings, is within the risk too, lest the
sample was lucky. A sample of fewer than 1 / risk pictures admits no such bound; then no error at
all is allowed in it, and the experiment says so.
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

from lab.bench_readings import Row, pictures, read_all
from lab.judge import calibration_error
from vision.confidence import BLOCKING, Confidence, log_odds

Counts = int | np.ndarray

ROOT = Path(__file__).parents[1]
FILE = ROOT / "vision" / "data" / "confidence.json"
RISK = 0.001
"""Silent errors a picture."""
LEVEL = 0.95
PULL = 1.0
"""Standard deviation of slope − 1 and offset before anything was seen: a factor e of the odds."""

BARE = Confidence(1.0, 0.0, 1.0, 2.0, "the posterior as it is")


@dataclass(frozen=True)
class Seen:
    """What a picture tells about confidence."""

    posterior: float | None
    """None if no tray was found."""
    right: bool
    blocked: bool
    """A warning forbids to be certain."""
    tray: bool
    """Whether the picture shows one."""

    @classmethod
    def of(cls, row: Row) -> "Seen":
        """What this reading, made with the bare posterior, tells."""
        blocked = not BLOCKING.isdisjoint(row.reading["warnings"])
        return cls(row.unrounded, row.exact, blocked, row.shows_tray)


def fit(seen: Sequence[Seen], risk: float = RISK, source: str = "") -> Confidence:
    """Line, ceiling and bar for what was seen in these pictures."""
    slope, offset = fitted_line(seen)
    line = Confidence(slope, offset, 1.0, 2.0, "")
    bar = lowest_bar(seen, line, risk)
    highest = max(certain_ceiling(seen, line), bar)
    fitted = replace(line, ceiling=_rounded(highest, floor), certain_from=_rounded(bar, ceil))
    # The bar must stay within reach of the ceiling when both are rounded.
    fitted = replace(fitted, ceiling=max(fitted.ceiling, fitted.certain_from))
    return replace(fitted, experiment=_experiment(seen, fitted, risk, source))


def fitted_line(seen: Sequence[Seen]) -> tuple[float, float]:
    """Slope and offset on the log-odds of the posterior."""
    read = [one for one in seen if one.posterior is not None]
    odds = np.array([log_odds(one.posterior or 0.0) for one in read])
    right = np.array([one.right for one in read], dtype=np.float64)

    def loss(line: np.ndarray) -> float:
        logits = line[0] * odds + line[1]
        misfit = float((np.logaddexp(0.0, logits) - right * logits).sum())
        return misfit + 0.5 * float((line[0] - 1) ** 2 + line[1] ** 2) / PULL**2

    found = minimize(loss, np.array([1.0, 0.0]), bounds=[(0.05, 5.0), (None, None)]).x
    return round(float(found[0]), 4), round(float(found[1]), 4)


def certain_ceiling(seen: Sequence[Seen], line: Confidence) -> float:
    """The most that the sample allows to say of any reading."""
    wrong = np.cumsum([not right for _, right in _surest_first(seen, line)])
    return float(1 - upper_bound(wrong, np.arange(1, len(wrong) + 1)).min(initial=1.0))


def upper_bound(wrong: Counts, count: Counts) -> np.ndarray:
    """The share of wrong ones that is not exceeded, 95 % sure (Clopper and Pearson)."""
    fine = np.asarray(count) - wrong
    return np.where(fine > 0, beta.ppf(LEVEL, wrong + 1, np.maximum(fine, 1)), 1.0)


def lowest_bar(seen: Sequence[Seen], line: Confidence, risk: float) -> float:
    """The lowest confidence from which a reading may be certain."""
    eligible = [one for one in seen if not one.blocked]
    allowed = max(0.0, risk * (len(seen) + 1) - 1)
    bar, errors, expected = 1.0, 0, 0.0
    for sure, right in _surest_first(eligible, line):
        errors += not right
        expected += 1 - sure
        if errors > allowed or expected > risk * len(seen):
            break
        bar = sure
    return bar


def measured(seen: Sequence[Seen], confidence: Confidence) -> str:
    """How the map does on pictures: calibration error, share of certain ones, silent errors."""
    trays = [one for one in seen if one.tray]
    known = [
        (confidence.calibrated(one.posterior), one.right)
        for one in trays
        if one.posterior is not None
    ]
    certain = [one for one in seen if _certain(one, confidence)]
    silent = sum(not one.right for one in certain)
    bound = float(upper_bound(silent, len(seen)))
    return (
        f"{len(trays)} pictures with a tray and {len(seen) - len(trays)} without: "
        f"{sum(one.right for one in trays)} read exactly, "
        f"{sum(one.tray for one in certain) / max(1, len(trays)):.1%} certain, "
        f"{silent} silent errors (below {bound:.2%} of pictures, 95 %), "
        f"calibration error {calibration_error(known):.4f}"
    )


def observe(folder: Path, jobs: int) -> list[Seen]:
    """What the pictures of a folder tell; kept in ``posteriors.jsonl`` there for the next time.

    What is kept counts only for the reader that it was made with.
    """
    kept, chosen = folder / "posteriors.jsonl", pictures(folder)
    head = json.dumps({"reader": fingerprint(), "pictures": len(chosen)})
    if kept.exists():
        first, *lines = kept.read_text("utf-8").splitlines()
        if first == head:
            return [Seen(**json.loads(line)) for line in lines]
    seen = []
    for number, row in enumerate(read_all(chosen, jobs, BARE), 1):
        seen.append(Seen.of(row))
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
    for folder in options.test:
        print(f"{folder}: {measured(observe(folder, options.jobs), fitted)}")
    if not options.dry:
        options.out.write_text(json.dumps(asdict(fitted), indent=2) + "\n", encoding="utf-8")
    return 0


def _experiment(seen: Sequence[Seen], fitted: Confidence, risk: float, source: str) -> str:
    """What was done and what came of it, in words."""
    weak = "" if risk * (len(seen) + 1) >= 1 else ", too few for that bound: no error is allowed"
    return (
        f"lab.fit_confidence on {source or 'lab pictures'} that trained nothing: "
        f"{measured(seen, fitted)}; risk allowed {risk:g} a picture{weak}"
    )


def _certain(one: Seen, confidence: Confidence) -> bool:
    if one.posterior is None or one.blocked:
        return False
    return confidence.is_certain(confidence.calibrated(one.posterior), ())


def _surest_first(seen: Sequence[Seen], line: Confidence) -> list[tuple[float, bool]]:
    """Confidence and rightness of all readings; among equally sure ones the wrong come first."""
    known = [(one.posterior, one.right) for one in seen if one.posterior is not None]
    return sorted(
        ((line.calibrated(p), right) for p, right in known), key=lambda pair: (-pair[0], pair[1])
    )


def _rounded(p: float, way: Callable[[float], int]) -> float:
    """The probability with five digits, never rounded to the careless side."""
    return min(1.0, way(p * 1e5) / 1e5)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lab.fit_confidence",
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
