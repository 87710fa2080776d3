"""What is seen of the holes: their rims, or the edges of their floors where those are hidden.

A hole's wall is often as dark as its face, and then the edge that shows is not the rim but that
of the floor, or of the table seen through it, which lies deeper and so looks smaller. From
straight above that would make the whole ring of holes seem narrower by depth over distance. So
both circles are drawn, and of each the part that lies within the other one: that is the edge of
what light there is, whatever the wall looks like.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from calibration.edges import Floats, sample
from calibration.ellipses import Array, Eyes, Rounds, outlines, unknowns_of
from calibration.refine import SEARCH, Edges, EdgeSearch, find_edges
from rules.dimension.places import HOLES, SPHERES

RIMS = SPHERES + HOLES
"""Spheres come first in a ``seen`` pattern, then rims, then floors."""
JUST_WITHIN = 1.01
LIMB, LIMB_SPREAD, SHARP_PX = 0.32, 0.15, 1.4
"""How far within a sphere's outline its edge appears, apart from bloom, in units of the edge's
blur, and how much that differs; blur beyond that of a sharp picture does not count. On 30
development photos 0.29 of the blur (0.14 to 0.43 in eight of ten), on 60 lab pictures, which
bounce less light, 0.14 (0.03 to 0.29), in both no more pixels in blurred ones; on the two start
photos 2400 and 2410 0.46."""
BESIDE = 2.5
"""How far beside an edge, in units of its blur, its two sides are looked at."""
BRIGHTEST = 2.5
"""Largest logarithm of a ratio of two sides that counts."""


def start_edges(
    smoothed: Floats, view: View, seen: Rounds, spread: float, search: EdgeSearch = SEARCH
) -> Edges:
    """The edges near spheres, rims and floors, without what rim and floor hide of each other."""
    edges = find_edges(smoothed, view, seen, spread, replace(search, limb=0.0))
    limb = LIMB * min(edges.blur_px, SHARP_PX) * (edges.owner < SPHERES)
    edges = replace(edges, pixels=edges.pixels + limb[:, None] * edges.normals)
    return chosen(edges, _bounding(edges, view, seen))


def start_support(smoothed: Floats, view: View, seen: Rounds, search: EdgeSearch = SEARCH) -> Array:
    """Share (22,) of each sphere's and each hole's edge that the picture shows just there.

    NaN where little of it is visible.
    """
    edges = start_edges(smoothed, view, seen, search.support_spread, search)
    owner = np.where(edges.owner >= RIMS, edges.owner - HOLES, edges.owner)
    there = edges.strength / (edges.strength + 2 * search.edge_floor)
    there = there * np.exp(-0.5 * (edges.offset / search.support_spread) ** 2)
    samples = np.bincount(owner, minlength=RIMS)
    total = np.bincount(owner, there, minlength=RIMS)
    return np.where(samples > search.per_round / 6, total / np.maximum(samples, 1), np.nan)


def spreading(smoothed: Floats, edges: Edges) -> Array:
    """Pixels (n,) by which each edge lies too far out for a unit of bloom.

    A bright thing's edge is seen farther out than it is, a dark one's farther in, by so much of
    the blur, and the more the brighter one side is than the other.
    """
    aside = BESIDE * edges.blur_px * edges.normals
    inside, outside = (_light(sample(smoothed, edges.pixels + way * aside)) for way in (-1.0, 1.0))
    ratio = np.clip(np.log(inside / outside), -BRIGHTEST, BRIGHTEST)
    return np.asarray(edges.blur_px * ratio, dtype=np.float64)


def _light(colours: Floats) -> Array:
    """Light (n,) of which gamma coded colours (n, 3) speak, never quite none."""
    return np.asarray(((colours.astype(np.float64) / 255) ** 2.2).mean(axis=-1) + 0.002)


def chosen(edges: Edges, which: NDArray[np.bool_]) -> Edges:
    """Some of the edges."""
    return replace(
        edges,
        owner=edges.owner[which],
        pixels=edges.pixels[which],
        normals=edges.normals[which],
        sigma=edges.sigma[which],
        strength=edges.strength[which],
        offset=edges.offset[which],
    )


def _bounding(edges: Edges, view: View, seen: Rounds) -> NDArray[np.bool_]:
    """Which edges do not lie outside the other circle of their hole; all of the spheres'."""
    base, unknowns = unknowns_of(view)
    size = (view.camera.width, view.camera.height)
    eyes = Eyes.from_unknowns(unknowns[None], base, size)
    middle, spread = (part[0] for part in outlines(eyes, seen))
    owner = edges.owner
    other = np.where(owner >= RIMS, owner - HOLES, np.where(owner >= SPHERES, owner + HOLES, owner))
    # Where the edge was looked for, not where it was found.
    radius = eyes.focal[0] * np.linalg.det(spread) ** 0.25
    looked = edges.pixels - (edges.offset * radius[owner])[:, None] * edges.normals
    apart = eyes.from_pixels(looked[None])[0] - middle[other]
    inverse = np.linalg.inv(spread)[other]
    within = np.einsum("ni,nij,nj->n", apart, inverse, apart) < JUST_WITHIN**2
    bounding: NDArray[np.bool_] = (owner < SPHERES) | within
    return bounding
