"""First guesses for fitting a start pattern: which holes, which size of spheres.

Looking at the picture's edges under many outlines is cheap, so measures that the round marks
cannot tell are found by trying: the ring of holes on a grid of pitch, hole and turn, and the size
of the spheres (a mark may be a sphere together with its shadow) on a ladder of sizes.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from calibration.dimension.start.model import SLIDES, State, start_rounds
from calibration.edges import Floats, changes_along
from calibration.ellipses import VIEW_UNKNOWNS, Array, Eyes, Rounds, outlines, reach
from rules.dimension.places import SPHERES


@dataclass(frozen=True)
class StartSearch:
    """The grid (sphere diameters, radians) and how many starts are kept."""

    pitches: tuple[float, ...] = tuple(np.arange(1.0, 1.5, 0.035).tolist())
    holes: tuple[float, ...] = tuple(np.arange(0.4, 0.97, 0.05).tolist())
    rings: tuple[float, ...] = tuple(np.radians(np.arange(-30, 30, 3.75)).tolist())
    sizes: tuple[float, ...] = (0.86, 0.9, 0.95, 1.0, 1.05)
    samples: int = 16
    edge_floor: float = 4.0
    """A change of the picture that supports half as much as a strong one (of 255 a pixel)."""
    hole_bands: tuple[float, ...] = (0.4, 0.55, 0.7, 0.85, 1.0)
    """The best ring of holes is kept of each of these ranges of hole sizes: the lit floor of a
    hole can look better than its rim."""
    kept_sizes: int = 2
    slides: tuple[float, ...] = tuple((0.03 * np.arange(-10, 11)).tolist())
    slid: float = 0.15
    """A sphere has slid along its slot if it is better supported there by this much."""


SEARCH = StartSearch()


def starts(smoothed: Floats, state: State, search: StartSearch = SEARCH) -> list[State]:
    """The state with each of the likeliest sphere sizes and rings of holes."""
    sizes = [state.resized(size) for size in search.sizes]
    seen = [_sphere_support(smoothed, size, search) for size in sizes]
    best = sorted(range(len(sizes)), key=lambda i: -seen[i])[: search.kept_sizes]
    return [
        state.moved(unknowns) for i in best for unknowns in find_holes(smoothed, sizes[i], search)
    ]


def find_holes(smoothed: Floats, state: State, search: StartSearch = SEARCH) -> list[Array]:
    """The unknowns with the rings of holes whose rims the picture shows best, one a band."""
    trials = _hole_trials(state, search)
    every = start_rounds(trials[:, VIEW_UNKNOWNS:])
    rims = Rounds(every.centres[:, SPHERES:], every.radii[:, SPHERES:], every.flat[SPHERES:])
    support = _support(smoothed, state.eyes(trials), rims, search).mean(axis=1)
    holes = np.exp(trials[:, VIEW_UNKNOWNS + 1])
    bands = [(holes >= low) & (holes < high) for low, high in pairwise(search.hole_bands)]
    return [trials[np.argmax(np.where(band, support, -1.0))] for band in bands]


def find_slides(smoothed: Floats, state: State, search: StartSearch = SEARCH) -> Array:
    """How much farther along its slot each sphere (15,) lies; 0 where it is about in its place."""
    trials = np.repeat(state.unknowns[None], len(search.slides), axis=0)
    trials[:, VIEW_UNKNOWNS + SLIDES :] += np.array(search.slides)[:, None]
    every = start_rounds(trials[:, VIEW_UNKNOWNS:])
    spheres = Rounds(every.centres[:, :SPHERES], every.radii[:, :SPHERES], every.flat[:SPHERES])
    support = _support(smoothed, state.eyes(trials), spheres, search)
    in_place = support[len(search.slides) // 2]
    slid = support.max(axis=0) > in_place + search.slid
    return np.where(slid, np.array(search.slides)[support.argmax(axis=0)], 0.0)


def _sphere_support(smoothed: Floats, state: State, search: StartSearch) -> float:
    every = state.rounds
    spheres = Rounds(every.centres[:SPHERES], every.radii[:SPHERES], every.flat[:SPHERES])
    eyes = state.eyes(state.unknowns[None])
    return float(_support(smoothed, eyes, spheres, search).mean())


def _hole_trials(state: State, search: StartSearch) -> Array:
    """Unknowns (trials, …) with every ring of holes on the grid."""
    pitch, hole, ring = (
        axis.ravel() for axis in np.meshgrid(search.pitches, search.holes, search.rings)
    )
    apart = pitch > hole + 0.05  # rims do not touch
    pitch, hole, ring = pitch[apart], hole[apart], ring[apart]
    trials = np.repeat(state.unknowns[None], len(pitch), axis=0)
    trials[:, VIEW_UNKNOWNS] = np.log(pitch)
    trials[:, VIEW_UNKNOWNS + 1] = np.log(hole)
    trials[:, VIEW_UNKNOWNS + 4] = ring
    # A sphere in a wider hole sits lower: keep the spheres where they are and move the face.
    normal = state.eyes(trials[:1]).rotation[0, :, 2]
    before = np.exp(state.unknowns[VIEW_UNKNOWNS + 1])
    lift = np.sqrt(np.maximum(1 - before**2, 1e-4)) / 2 - np.sqrt(1 - hole**2) / 2
    trials[:, 3:6] += lift[:, None] * normal
    return trials


def _support(smoothed: Floats, eyes: Eyes, rounds: Rounds, search: StartSearch) -> Array:
    """Share of each outline at which the picture has an edge ``(trials, n)``."""
    middle, spread = outlines(eyes, rounds)
    turn = np.linspace(0, 2 * np.pi, search.samples, endpoint=False)
    normals = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    extent = reach(spread[:, :, None], normals)
    rim = middle[:, :, None] + np.einsum("bnij,kj->bnki", spread, normals) / extent[..., None]
    pixels = eyes.to_pixels(rim.reshape(len(middle), -1, 2)).reshape(-1, 2)
    along = np.tile(normals, (len(pixels) // len(normals), 1))
    found = changes_along(smoothed, pixels, along, reach=0.5, step=1.0)
    strength = found.strength.max(axis=1).reshape(*extent.shape)
    return np.asarray((strength / (strength + search.edge_floor)).mean(axis=-1), dtype=np.float64)
