"""The reader: photo → tray → evidence → layout, with the time that each stage took."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from calibration.dimension.profile import BUILT_IN, TrayProfile, load_profile
from vision.dimension.inferring.fuse import Shot, fuse
from vision.dimension.inferring.infer import Posterior, infer
from vision.dimension.locating.locate import Located, locate
from vision.dimension.locating.mat import find_mat, locate_on_mat
from vision.dimension.observing.hand_detection import hand_in_view
from vision.dimension.observing.observe import Observer
from vision.dimension.observing.redraw import redrawn
from vision.dimension.reading import Reading
from vision.dimension.reporting.confidence import Confidence
from vision.dimension.reporting.report import SeatsInPhoto, compose, places
from vision.photo import BadImageError, Photo, load_photo
from vision.quality import is_grey, quality_warnings
from vision.readers import Source

NO_TRAY = (
    "I can't find a tray in this photo. Hold the camera above the table so that the whole tray, "
    "with its seven holes, is in the picture."
)

NO_COLORS = (
    "This photo is in black and white, and spheres are told apart by colour. "
    "Take it again in colour."
)


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
class TrayInPhoto:
    """A photo in which a tray was found and looked at."""

    photo: Photo
    located: Located
    observer: Observer
    posterior: Posterior

    @property
    def warnings(self) -> set[str]:
        """The codes of the warnings that fit the picture and the tray in it."""
        found = set(quality_warnings(self.photo.picture))
        if self.located.cropped:
            found.add("cropped")
        if self.located.others:
            found.add("other_tray_in_view")
        if not self.located.sure:
            found.add("unknown_tray")
        if self.hand_in_view:
            found.add("hand_in_view")
        return found

    @property
    def hand_in_view(self) -> bool:
        """Whether something lies over the tray's edge."""
        spheres = self.observer.centres[self.posterior.filled]
        return hand_in_view(self.photo.picture, self.located.view, self.located.profile, spheres)


class Reader:
    """Reads photos of trays that have one of these profiles; without any, the built-in ones.

    ``confidence`` replaces the shipped map from posterior to confidence.
    """

    def __init__(
        self, profiles: Sequence[TrayProfile] | None = None, confidence: Confidence | None = None
    ) -> None:
        self._profiles = tuple(profiles or map(load_profile, BUILT_IN))
        self._confidence = confidence

    def read(self, source: Source) -> Reading:
        """What one photo shows. Whatever it holds, there is a reading; nothing is raised."""
        watch, name = Stopwatch(), _name(source)
        try:
            sight = self._sight(source, watch)
        except BadImageError as error:
            return Reading.refused(name, "bad_image", error.text, ms=watch.ms())
        if sight is None:
            return Reading.refused(name, "no_tray", NO_TRAY, ms=watch.ms())
        return self.reading(sight, name, watch)

    def reading(
        self, sight: TrayInPhoto, name: str = "", watch: Stopwatch | None = None
    ) -> Reading:
        """The reading of a tray that was found and looked at."""
        watch = watch or Stopwatch()
        with watch.stage("observe"):
            where, warnings = _places(sight), sight.warnings
        return compose(name, sight.posterior, where, warnings, watch.ms(), self._confidence)

    def read_together(self, sources: Sequence[Source]) -> Reading:
        """What several photos of one untouched tray show together."""
        watch, names = Stopwatch(), tuple(map(_name, sources))
        try:
            found = [self._sight(source, watch) for source in sources]
        except BadImageError as error:
            return Reading.refused(names, "bad_image", error.text, ms=watch.ms())
        sights = [sight for sight in found if sight is not None]
        if not sights:
            return Reading.refused(names, "no_tray", NO_TRAY, ms=watch.ms())
        with watch.stage("infer"):
            fused = fuse([_shot(sight) for sight in sights])
        warnings = set.intersection(*(sight.warnings for sight in sights))
        if fused.contradicted:
            warnings.add("views_disagree")
        where = _places(sights[0])
        return compose(names, fused.posterior, where, warnings, watch.ms(), self._confidence)

    read_same_tray = read_together

    def _sight(self, source: Source, watch: Stopwatch) -> TrayInPhoto | None:
        with watch.stage("decode"):
            photo = load_photo(source)
        return self.sight(photo, watch)

    def sight(self, photo: Photo, watch: Stopwatch | None = None) -> TrayInPhoto | None:
        """The tray in a picture and what is seen of it; None without a tray.

        Raises ``BadImageError`` for a picture without colours.
        """
        watch = watch or Stopwatch()
        with watch.stage("locate"):
            located = self._located(photo)
        if located is None:
            return None
        if is_grey(photo.picture):
            raise BadImageError(NO_COLORS)
        with watch.stage("observe"):
            located, found = redrawn(photo, located)
            observer = Observer(photo.picture, located.view, located.profile, found)
        with watch.stage("infer"):
            posterior = infer(observer, inventory=not located.cropped)
        return TrayInPhoto(photo, located, observer, posterior.seen_in(located.view, located.score))

    def _located(self, photo: Photo) -> Located | None:
        """The tray, found by its place mat if there is one, and by itself if that leaves doubt."""
        mat = find_mat(photo, self._profiles)
        on_mat = locate_on_mat(photo, mat, self._profiles) if mat is not None else None
        if on_mat is not None and on_mat.sure:
            return on_mat
        alone = locate(photo, self._profiles)
        found = [located for located in (on_mat, alone) if located is not None]
        return max(found, key=lambda located: located.score, default=None)


def _shot(sight: TrayInPhoto) -> Shot:
    return Shot(sight.observer, sight.posterior, inventory=not sight.located.cropped)


def _places(sight: TrayInPhoto) -> SeatsInPhoto:
    located = sight.located
    return places(sight.photo, located.view, located.profile, sight.observer.centres)


def _name(source: Source) -> str:
    return "" if isinstance(source, bytes) else str(source)
