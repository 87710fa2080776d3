"""What the five colours look like tonight, learned from the fifteen spheres of a start photo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.color import Array, Lab, SceneLight, assign, differences
from rules.dimension.layout import COLORS, PER_COLOR

TYPICAL: Mapping[str, Lab] = {
    "O": (62.0, 48.0, 58.0),
    "B": (38.0, 10.0, -48.0),
    "G": (45.0, -38.0, 30.0),
    "K": (16.0, 0.0, 0.0),
    "W": (94.0, 0.0, 0.0),
}
"""Roughly how the five paints look under white light. Not fitted to any photo."""

GREYEST = 10.0
"""Below this chroma not even orange and blue look coloured."""


@dataclass(frozen=True)
class Colors:
    """The five colours as learned from fifteen spheres."""

    labs: Mapping[str, Lab]
    spread: Mapping[str, float]
    """Typical difference of a sphere from its colour."""
    letters: tuple[str, ...]
    """Colour of each of the fifteen spheres."""
    light: SceneLight
    margin: float
    """How much nearer the least sure sphere is to its own colour than to the next."""

    @property
    def is_grey(self) -> bool:
        """Whether the photo has no colours."""
        return max(float(np.hypot(a, b)) for _, a, b in self.labs.values()) < GREYEST


def learn_colors(bodies: Sequence[Array]) -> Colors:
    """The colours of fifteen spheres, three of each, in whatever light they were seen.

    Every sphere is tried as a white one: the light follows from it, and the light under which the
    fifteen are nearest to three each of the typical colours is the right one. Then the colours
    are those of the groups themselves.
    """
    linear = np.asarray(bodies, dtype=np.float64)
    typical = np.array([TYPICAL[letter] for letter in COLORS])
    tries = [_name(linear, SceneLight.from_white_sphere(white), typical) for white in linear]
    which, _ = min(tries, key=lambda named: named[1])
    for _ in range(3):  # groups settle: what they are named by becomes what they look like
        light = SceneLight.from_white_sphere(np.median(linear[which == COLORS.index("W")], axis=0))
        labs = light.lab(linear)
        centres = np.stack([np.median(labs[which == i], axis=0) for i in range(len(COLORS))])
        which, _ = assign(labs, 0.7 * centres + 0.3 * typical, PER_COLOR)
    return _colors(labs, which, light)


def _name(linear: Array, light: SceneLight, typical: Array) -> tuple[NDArray[np.int64], float]:
    which, cost = assign(light.lab(linear), typical, PER_COLOR)
    tint = np.log(np.array(light.white) / light.white[1])
    return which, cost + 15.0 * float((tint**2).sum())


def _colors(labs: Array, which: NDArray[np.int64], light: SceneLight) -> Colors:
    centres = np.stack([np.median(labs[which == i], axis=0) for i in range(len(COLORS))])
    apart = differences(labs, centres)
    own = apart[np.arange(len(labs)), which]
    others = np.where(np.arange(len(COLORS)) == which[:, None], np.inf, apart)
    return Colors(
        labs={
            letter: (float(lab[0]), float(lab[1]), float(lab[2]))
            for letter, lab in zip(COLORS, centres, strict=True)
        },
        spread={letter: float(own[which == i].mean()) for i, letter in enumerate(COLORS)},
        letters=tuple(COLORS[i] for i in which),
        light=light,
        margin=float((others.min(axis=1) - own).min()),
    )
