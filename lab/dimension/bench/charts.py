"""The two charts of the bench: whether confidence means what it says, and what doubt buys."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from lab.dimension.bench.accuracy import BINS, Pair, bins, calibration_error, wilson

_INK, _FAINT = "#2b2b2b", "#c9c4bb"
_COLORS = ("#0b6e99", "#d9730d", "#4f772d", "#7b5ea7")
_ZOOM = 0.9
_MANY = 100
"""A smaller set has intervals too wide to be drawn over others, and nothing to show close up."""
_PER_BIN = 8
_DPI = 130


def reliability(sets: Mapping[str, Sequence[Pair]], file: Path) -> None:
    """Draw the reliability diagram: share of right layouts against confidence, with a close-up."""
    figure, (whole, close) = _paper("Does confidence mean what it says?")
    for axes, low in ((whole, 0.0), (close, _ZOOM)):
        axes.plot([low, 1], [low, 1], color=_FAINT, linewidth=1.5, zorder=1)
        for color, (name, pairs) in zip(_COLORS, sets.items(), strict=False):
            label = f"{name}: {len(pairs)} readings, error {calibration_error(pairs):.3f}"
            if len(pairs) >= _MANY or axes is whole:
                _points(axes, pairs, color, label)
        axes.set(xlim=(low, 1 + 0.02 * (1 - low)), ylim=(low, 1 + 0.02 * (1 - low)))
        _percent(axes, "confidence", "layouts that are right")
    whole.set_title("all readings", loc="left", fontsize=10, color=_INK)
    close.set_title("the sure ones, closer", loc="left", fontsize=10, color=_INK)
    whole.legend(frameon=False, fontsize=8.5, loc="upper left")
    figure.savefig(file, dpi=_DPI)


def risk_coverage(sets: Mapping[str, Sequence[Pair]], file: Path, bar: float | None = None) -> None:
    """Draw the share of wrong layouts among the surest readings, against how many those are.

    ``bar`` is the confidence from which readings are ``certain``; a dot shows how many that are.
    """
    figure, (whole, close) = _paper("What does doubt buy?")
    for axes in (whole, close):
        for color, (name, pairs) in zip(_COLORS, sets.items(), strict=False):
            _curve(axes, pairs, color, name, bar)
        _percent(axes, "readings taken, the surest first", "of those, wrong")
        axes.set_xlim(0, 1.01)
    whole.set_ylim(0, max(0.02, 1.25 * max(_most_risk(pairs) for pairs in sets.values())))
    close.set_ylim(0, 0.01)
    close.yaxis.set_major_formatter(PercentFormatter(1, decimals=1))
    whole.set_title(
        "all (band: 95 %, dot: as many are certain)", loc="left", fontsize=10, color=_INK
    )
    close.set_title("the first percent, closer", loc="left", fontsize=10, color=_INK)
    whole.legend(frameon=False, fontsize=8.5, loc="upper left")
    figure.savefig(file, dpi=_DPI)


def _points(axes: Axes, pairs: Sequence[Pair], color: str, label: str) -> None:
    """Equally filled bins with the 95 % interval of each share."""
    filled = bins(pairs, min(BINS, 1 + len(pairs) // _PER_BIN))
    if not filled:
        return
    sure, right, sizes = (np.array(column) for column in zip(*filled, strict=True))
    spans = np.array([wilson(round(r * n), n) for r, n in zip(right, sizes, strict=True)])
    faint = 0.35 if len(pairs) >= _MANY else 0.15
    axes.vlines(sure, spans[:, 0], spans[:, 1], color=color, alpha=faint, linewidth=2)
    axes.plot(sure, right, "o", color=color, markersize=5.5, label=label)


def _curve(axes: Axes, pairs: Sequence[Pair], color: str, name: str, bar: float | None) -> None:
    taken, risk = coverage_risks(pairs)
    if not len(taken):
        return
    share = taken / len(pairs)
    if len(pairs) >= _MANY:
        wrong = np.rint(risk * taken).astype(int)
        spans = np.array([wilson(int(k), int(n)) for k, n in zip(wrong, taken, strict=True)])
        axes.fill_between(share, spans[:, 0], spans[:, 1], color=color, alpha=0.12, linewidth=0)
    label = f"{name}: {len(pairs)} readings"
    axes.plot(share, risk, color=color, linewidth=1.8, label=label, drawstyle="steps-post")
    certain = sum(sure >= bar for sure, _ in pairs) if bar is not None else 0
    if certain:
        at = (certain / len(pairs), float(risk[min(certain, len(risk)) - 1]))
        axes.plot(*at, "o", color=color, markersize=7, markeredgecolor="white")


def coverage_risks(pairs: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray]:
    """How many of the surest readings are taken, and the share of wrong ones among them."""
    right = np.array([r for _, r in sorted(pairs, key=lambda pair: -pair[0])], dtype=float)
    taken = np.arange(1, len(right) + 1)
    return taken, np.cumsum(1 - right) / taken


def _most_risk(pairs: Sequence[Pair]) -> float:
    _, risk = coverage_risks(pairs)
    return float(risk[len(risk) // 20 :].max(initial=0.0))


def _paper(title: str) -> tuple[Figure, tuple[Axes, Axes]]:
    figure = Figure(figsize=(10.4, 4.9), layout="constrained")
    figure.suptitle(title, x=0.012, ha="left", fontsize=13, fontweight="bold", color=_INK)
    left, right = figure.subplots(1, 2)
    return figure, (left, right)


def _percent(axes: Axes, across: str, up: str) -> None:
    axes.set_xlabel(across, color=_INK)
    axes.set_ylabel(up, color=_INK)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=_INK)
    axes.grid(color=_FAINT, alpha=0.35, linewidth=0.7)
