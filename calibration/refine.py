"""Views refined on the picture itself: outlines of spheres and rims of holes drawn to their edges.

Given a view that is about right and the round things that are there, every outline is sampled,
the picture is searched for an edge along each sample's normal, and the view is fitted to what was
found; then again in a narrower search. What is hidden behind a sphere is not looked at, and an
edge that belongs to something else (a shadow, a highlight) loses its weight in the fit.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import View, plane_outlines
from calibration.edge_model import EdgeModel
from calibration.edges import (
    Array,
    Floats,
    Picture,
    blur_width,
    changes_along,
    smooth,
    strongest,
)
from calibration.ellipses import Eyes, Rounds, outlines, reach, unknowns_of
from calibration.pose import PHONE, LensPrior, PoseFit, view_prior
from calibration.solve import solve_with_slopes


@dataclass(frozen=True)
class EdgeSearch:
    """How edges are looked for; lengths in units of a sphere's radius in the picture."""

    spreads: tuple[float, ...] = (0.2, 0.1, 0.06, 0.06)
    """How far from the expected outline an edge may be, round by round."""
    per_round: int = 32
    steps: int = 8
    """How often the view is moved in a round, at most…"""
    enough: float = 1e-5
    """… or until a step gains no more than this share."""
    edge_floor: float = 2.0
    """A change of the picture that counts half as an edge (of 255 a pixel)."""
    noise_px: float = 0.4
    """How exact an edge is at best; and an outline is no better known than ``noise_share``."""
    noise_share: float = 0.012
    support_spread: float = 0.06
    """How near an edge must be to an outline to support it."""
    limb: float = 0.3
    """How far within a sphere's true outline its edge appears, in units of the edge's blur: towards
    the limb a sphere's shading falls like a square root, which draws the steepest place inwards.
    Measured on the development photos not held back, smoothed by 0.4 to 2.2 px: 0.33 throughout,
    for all five colours alike. (On lab pictures, which bounce less light, 0.12.)"""


SEARCH = EdgeSearch()

BENEATH = 1e9
"""Depth of rims: they lie beneath every sphere."""

EDGES_ARE_ALIKE = 36.0
"""Errors of neighbouring edges are not independent (a shadow spoils many at once): this many of
them tell no more than one. Set so that on the development
photos (those not held back) predictions are as far off as they say."""


@dataclass(frozen=True)
class Edges:
    """Edge pixels found: of which round thing, where, the outline's normal there, their noise."""

    owner: NDArray[np.int64]
    pixels: Array
    normals: Array
    sigma: Array
    strength: Array
    offset: Array
    """How far each is from the outline it was looked for, in radii."""
    blur_px: float

    def residuals(self, eyes: Eyes, rounds: Rounds) -> Array:
        """Distance of every edge from the outline it belongs to, in units of its noise."""
        middle, spread = outlines(eyes, rounds)
        centre, extent = middle[:, self.owner], spread[:, self.owner]
        seen = eyes.from_pixels(self.pixels[None])
        along = ((seen - centre) * self.normals).sum(axis=-1)
        off = eyes.focal[:, None] * (along - reach(extent, self.normals))
        residuals: Array = off / self.sigma
        return residuals

    def support(self, count: int, search: EdgeSearch = SEARCH) -> Array:
        """Share of the visible part of each of ``count`` outlines that has an edge just there.

        NaN where little of the outline is visible.
        """
        there = self.strength / (self.strength + 2 * search.edge_floor)
        there = there * np.exp(-0.5 * (self.offset / search.support_spread) ** 2)
        samples = np.bincount(self.owner, minlength=count)
        total = np.bincount(self.owner, there, minlength=count)
        return np.where(samples > search.per_round / 6, total / np.maximum(samples, 1), np.nan)

    def astray(self) -> float:
        """Mean distance of the edges from their outlines, in radii, clear edges counting more."""
        weight = self.strength + 1e-3
        return float((np.abs(self.offset) * weight).sum() / max(weight.sum(), 1e-9))


def find_edges(
    smoothed: Floats, view: View, rounds: Rounds, spread: float, search: EdgeSearch = SEARCH
) -> Edges:
    """The edges near the visible parts of the outlines; none if the picture contains none."""
    owner, pixels, normals, radius = visible_outlines(view, rounds, search.per_round)
    if not len(owner):  # a view of a damaged photo may have everything outside of it
        none = np.zeros(0)
        return Edges(owner, pixels, normals, none, none, none, blur_px=1.0)
    found = changes_along(smoothed, pixels, normals, float(max(2.0, 2 * spread * radius.max())))
    offset, strength = strongest(found, np.maximum(spread * radius, 1.0))
    on_sphere = rounds.flat[owner] == 0
    blur = blur_width(found, offset)
    offset = offset + on_sphere * search.limb * blur
    sigma = np.maximum(search.noise_px, search.noise_share * radius)
    doubt = np.sqrt((strength + search.edge_floor) / np.maximum(strength, 1e-3))
    return Edges(
        owner=owner,
        pixels=pixels + offset[:, None] * normals,
        normals=normals,
        sigma=sigma * doubt,
        strength=strength,
        offset=offset / radius,
        blur_px=blur,
    )


def outline_support(
    smoothed: Floats, view: View, rounds: Rounds, search: EdgeSearch = SEARCH
) -> Array:
    """Share (n,) of each outline's visible part at which the picture has an edge just there.

    NaN where little of the outline is visible.
    """
    edges = find_edges(smoothed, view, rounds, search.support_spread, search)
    return edges.support(len(rounds.radii), search)


def visible_outlines(
    view: View, rounds: Rounds, per_round: int
) -> tuple[NDArray[np.int64], Array, Array, Array]:
    """Samples of all outlines that no sphere hides and the picture contains.

    Gives the index of the round thing, pixel, normal, and the thing's radius in pixels.
    """
    eyes, size = Eyes.of(view), (view.camera.width, view.camera.height)
    middle, spread = (part[0] for part in outlines(eyes, rounds))
    turn = np.linspace(0, 2 * np.pi, per_round, endpoint=False)
    normals = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    towards = normals @ spread
    extent = np.sqrt(np.maximum((towards * normals).sum(axis=-1, keepdims=True), 1e-18))
    rim = (middle[:, None] + towards / extent).reshape(-1, 2)
    pixels = eyes.to_pixels(rim[None])[0]
    owner = np.repeat(np.arange(len(middle)), per_round)
    depth = np.where(rounds.flat > 0, BENEATH, eyes.to_camera(rounds.centres)[0, :, 2])
    seen = ~_hidden(rim, owner, middle, spread, depth)
    seen &= ((pixels >= 1) & (pixels <= np.array(size) - 2)).all(axis=1)
    radius = eyes.focal[0] * np.maximum(_determinant(spread), 0.0) ** 0.25
    return owner[seen], pixels[seen], np.tile(normals, (len(middle), 1))[seen], radius[owner][seen]


def _determinant(spread: Array) -> Array:
    determinant: Array = spread[:, 0, 0] * spread[:, 1, 1] - spread[:, 0, 1] ** 2
    return determinant


def inside_outlines(view: View, centres: Array, radius: float, pixels: Array) -> NDArray[np.bool_]:
    """Which pixels (n,) lie within the outline of one of these spheres."""
    rays = view.camera.to_plane(pixels)
    middle, major, minor = plane_outlines(view, centres, radius)
    apart = rays[:, None] - middle
    along = (apart * major).sum(axis=-1) / (major**2).sum(axis=-1)
    across = (apart * minor).sum(axis=-1) / (minor**2).sum(axis=-1)
    inside: NDArray[np.bool_] = (along**2 + across**2 < 1).any(axis=1)
    return inside


def _hidden(
    points: Array, owner: NDArray[np.int64], middle: Array, spread: Array, depth: Array
) -> NDArray[np.bool_]:
    """Which samples lie behind a sphere nearer than the thing they belong to.

    Rims count as the farthest of all: they lie beneath every sphere.
    """
    balls = depth < BENEATH
    xx, xy, yy = (spread[balls, i, j] for i, j in ((0, 0), (0, 1), (1, 1)))
    room = 1.02 * _determinant(spread[balls])
    x = points[:, :1] - middle[balls, 0]
    y = points[:, 1:] - middle[balls, 1]
    within = yy * x * x - 2 * xy * x * y + xx * y * y < room
    hidden: NDArray[np.bool_] = (within & (depth[balls] < depth[owner][:, None])).any(axis=1)
    return hidden


def refine_view(
    picture: Picture,
    view: View,
    rounds: Rounds,
    *,
    focal_px: float | None = None,
    lens: LensPrior = PHONE,
    search: EdgeSearch = SEARCH,
) -> PoseFit:
    """The view drawn to the edges of these round things."""
    return draw_view(smooth(picture), view, rounds, focal_px=focal_px, lens=lens, search=search)


def draw_view(
    smoothed: Floats,
    view: View,
    rounds: Rounds,
    *,
    focal_px: float | None = None,
    lens: LensPrior = PHONE,
    search: EdgeSearch = SEARCH,
) -> PoseFit:
    """As ``refine_view``, for a picture that was smoothed already."""
    size = (view.camera.width, view.camera.height)
    prior = view_prior(size, focal_px, lens)
    base, unknowns = unknowns_of(view)
    for spread in search.spreads:
        now = Eyes.from_unknowns(unknowns[None], base, size).view(size)
        edges = find_edges(smoothed, now, rounds, spread, search)
        model = EdgeModel(rounds, edges.owner, edges.pixels, edges.normals, edges.sigma, base, size)
        solution = solve_with_slopes(
            model.slopes,
            unknowns,
            prior,
            bend=2.0,
            alike=EDGES_ARE_ALIKE,
            steps=search.steps,
            enough=search.enough,
        )
        unknowns = solution.values
    return PoseFit.of(base, solution, size, solution.residuals * edges.sigma)
