"""The reader: photos → boards → evidence → building, with the time that each stage took."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from calibration.camera import View
from calibration.cube.profile import BUILT_IN, BoardProfile, load_profile
from calibration.edges import smooth
from vision.cube.building import Climb, Placed, score
from vision.cube.evidence import Evidence
from vision.cube.joining import Glimpse, join
from vision.cube.locating import Located, is_plausible, locate
from vision.cube.network import Seen, see
from vision.cube.reading import Reading
from vision.cube.refining import refined, surface_picture
from vision.cube.reporting import NO_BOARD, compose
from vision.cube.sightlines import COLUMNS, Ints, sightlines
from vision.cube.squaring import squared
from vision.photo import BadImageError, Photo, load_photo
from vision.quality import is_grey, quality_warnings
from vision.readers import Source

NO_COLORS = (
    "This photo is in black and white, and cubes are told apart by colour. Take it again in colour."
)
POOREST_FIT = -0.9
"""Mean log likelihood of a line of sight below which what was found is no board."""
STEPS: tuple[tuple[tuple[float, ...], float | None], ...] = (
    ((0.45, 0.3), 0.01), ((0.3, 0.2), 0.01), ((0.2, 0.1), 0.02), ((0.1, 0.06), None),
)  # fmt: skip
"""Reaches (in spaces) and stiffness of each refinement: the network's surfaces twice, then the
picture. The edges' directions have told the rotation, so at first the board is shifted only."""
CLIMBED = 3
"""Sweeps over the columns between two refinements."""
AGREEING = 0.02
"""A photo whose turn is better than the next best by less, a line, may be turned wrongly."""


class Stopwatch:
    """Milliseconds by stage; several runs of one stage add up."""

    def __init__(self) -> None:
        self._begun = perf_counter()
        self._ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        begun = perf_counter()
        yield
        self._ms[name] = self._ms.get(name, 0.0) + (perf_counter() - begun) * 1000

    def ms(self) -> dict[str, float]:
        """All stages so far, and the total."""
        return {**self._ms, "total": (perf_counter() - self._begun) * 1000}


@dataclass(frozen=True, eq=False)
class BoardInPhoto:
    """A photo in which a board was found, and what it says about the building on it."""

    photo: Photo
    view: View
    evidence: Evidence
    heights: Ints
    fit: float
    """Mean log likelihood of a line of sight."""


class Reader:
    """Reads photos of boards that have one of these profiles; without any, the built-in one."""

    def __init__(self, profiles: Sequence[BoardProfile] | None = None) -> None:
        self._known = bool(profiles)
        self._profile = profiles[0] if profiles else load_profile(BUILT_IN[0])

    @property
    def cube(self) -> float:
        """Edge of the profile's cubes, in spaces."""
        return self._profile.cube

    def read(self, source: Source) -> Reading:
        """What one photo shows. Whatever it holds, there is a reading; nothing is raised."""
        return self._read((source,), _name(source))

    def read_together(self, sources: Sequence[Source]) -> Reading:
        """What several photos of one building that nobody touched in between show together."""
        return self._read(tuple(sources), tuple(map(_name, sources)))

    def _read(self, sources: tuple[Source, ...], name: str | tuple[str, ...]) -> Reading:
        watch = Stopwatch()
        sights = []
        try:
            for source in sources:
                with watch.stage("decode"):
                    photo = load_photo(source)
                sight = self.sight(photo, watch)
                if sight is not None:
                    sights.append(sight)
        except BadImageError as error:
            return Reading(name, "bad_image", message=error.text, ms=watch.ms())
        if not sights:
            return Reading(name, "no_board", message=NO_BOARD, ms=watch.ms())
        with watch.stage("infer"):
            joined = join([Glimpse(one.evidence, one.heights, one.fit) for one in sights])
            lines = sum(len(one.evidence.lines) for one in sights)
            fit = score(joined.placed, joined.heights) / max(1, lines)
        warnings = set.intersection(*(set(quality_warnings(one.photo.picture)) for one in sights))
        if len(sights) < len(sources):
            warnings.add("photo_without_board")
        if min(joined.turn_margins, default=1.0) < AGREEING:
            warnings.add("views_disagree")
        trust = float(np.clip(1 + (fit + 0.3) * 0.5, 0.05, 1.0))
        letters = self._profile.palette.letters
        with watch.stage("infer"):
            reading = compose(name, joined, letters, trust, warnings, {})
        return Reading(**{**vars(reading), "ms": watch.ms()})

    def sight(self, photo: Photo, watch: Stopwatch | None = None) -> BoardInPhoto | None:
        """The board in a picture and what is seen of it; None without a board.

        Raises ``BadImageError`` for a picture without colours.
        """
        watch = watch or Stopwatch()
        height, width = photo.picture.shape[:2]
        with watch.stage("locate"):
            seen = see(photo.picture, self._profile.palette)
            found = locate(seen, (width, height), photo.focal_px)
        if not found:
            return None
        if is_grey(photo.picture):
            raise BadImageError(NO_COLORS)
        with watch.stage("observe"):
            return self._observed(photo, seen, found[0])

    def _observed(self, photo: Photo, seen: Seen, located: Located) -> BoardInPhoto | None:
        cube, border = self._profile.cube, self._profile.border
        height, width = photo.picture.shape[:2]
        smoothed = smooth(photo.picture)
        surfaces = surface_picture(seen, (width, height))
        view = squared(smoothed, seen, located.view, located.corners, photo.focal_px)
        heights = np.zeros(COLUMNS, np.int64)
        for picture, (reaches, stiffness) in zip(
            (surfaces, surfaces, smoothed, smoothed), STEPS, strict=True
        ):
            if not is_plausible(view):
                return None
            evidence = Evidence.of(seen, sightlines(seen, view, cube, border))
            if len(evidence.lines) == 0:
                return None
            heights = Climb([Placed(evidence, 0)], heights).run(CLIMBED).heights
            view = refined(picture, view, heights, cube, photo.focal_px, reaches, stiffness)
        evidence = Evidence.of(seen, sightlines(seen, view, cube, border))
        if len(evidence.lines) == 0 or not is_plausible(view):
            return None
        climb = Climb([Placed(evidence, 0)], heights).run()
        fit = score(climb.placed, climb.heights) / len(evidence.lines)
        if fit < POOREST_FIT:
            return None
        return BoardInPhoto(photo, view, evidence, climb.heights, fit)


def _name(source: Source) -> str:
    return "" if isinstance(source, bytes) else str(source)
