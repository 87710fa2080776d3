"""What worker processes do: read photos, draw readings, measure trays.

The service itself never decodes a picture and never loads OpenCV: only ``run`` and ``warm_up``,
which are called in workers, import what needs it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar

from api.samples import sample_photo, samples
from api.workers.process import ForeseenError

if TYPE_CHECKING:
    from calibration.dimension.profile import TrayProfile
    from rules.dimension.judge import Verdict
    from vision.dimension.reading import Reading

T = TypeVar("T")

Json = dict[str, Any]

PictureKind = Literal["png", "webp"]

START_SIZE = 1600
"""Long side at which a start photo is measured: a larger one takes longer and says no more."""


class BadPhoto(ForeseenError):
    """A photo that no picture can be had from."""


class TrayRefused(ForeseenError):
    """Start photos that a tray cannot be measured from: a code for programs, why for people."""

    def __init__(self, text: str, code: str) -> None:
        super().__init__(text)
        self.code = code
        self.args = (text, code)  # what it is made of again in the other process


def warm_up() -> None:
    """Load all that a reading needs, by reading a sample."""
    import cv2  # noqa: PLC0415

    cv2.setNumThreads(1)  # the workers share the cores already
    ReadPhotos((sample_photo(samples()[0]["name"]),)).run()


@dataclass(frozen=True)
class ReadPhotos:
    """Read photos: each by itself, or all together as views of one untouched tray."""

    patience: ClassVar[float] = 1.0
    photos: tuple[bytes, ...]
    tray: "TrayProfile | None" = None
    same_tray: bool = False

    def run(self) -> "list[Reading]":
        """A reading a photo, in their order; one of all if they show the same tray."""
        from vision.dimension.reader import Reader  # noqa: PLC0415

        reader = Reader(None if self.tray is None else [self.tray])
        if self.same_tray and len(self.photos) > 1:
            return [reader.read_same_tray(self.photos)]
        return [reader.read(photo) for photo in self.photos]


@dataclass(frozen=True)
class DrawReading:
    """Draw a reading on its photo, with what a verdict points at."""

    patience: ClassVar[float] = 1.0
    photo: bytes
    reading: "Reading"
    verdict: "Verdict | None" = None
    kind: PictureKind = "webp"

    def run(self) -> bytes:
        """The drawing as a file's content."""
        from vision.dimension.reporting.overlay import DRAWING_SIZE, draw, encode  # noqa: PLC0415
        from vision.photo import load_photo  # noqa: PLC0415

        photo = _decoded(partial(load_photo, self.photo, DRAWING_SIZE))
        return encode(draw(photo, self.reading, self.verdict), self.kind)


@dataclass(frozen=True)
class MeasureTray:
    """Measure a tray from photos taken before the game."""

    patience: ClassVar[float] = 4.0  # each photo takes seconds
    photos: tuple[bytes, ...]
    name: str
    sphere_mm: float | None = None

    def run(self) -> "tuple[TrayProfile, tuple[str, ...]]":
        """The tray's profile, and warnings about it."""
        from calibration.dimension.profile import format_problems  # noqa: PLC0415
        from calibration.dimension.start.check import Refusal  # noqa: PLC0415
        from calibration.dimension.start.measure import measure  # noqa: PLC0415
        from vision.dimension.locating.sphere_hints import likely_spheres  # noqa: PLC0415
        from vision.photo import load_photo  # noqa: PLC0415

        photos = [_decoded(partial(load_photo, photo, START_SIZE)) for photo in self.photos]
        measured = measure(
            [photo.picture for photo in photos],
            sphere_mm=self.sphere_mm,
            name=self.name,
            focals=[photo.focal_px for photo in photos],
            spheres=likely_spheres,
        )
        if isinstance(measured, Refusal):
            raise TrayRefused(measured.text, measured.code)
        if problems := format_problems(measured.profile.to_json()):
            raise TrayRefused(" ".join(problem.text for problem in problems), "impossible")
        return measured.profile, measured.warnings


class Tracker(Protocol):
    """What follows a tray from frame to frame (``vision.dimension.tracking.track``)."""

    def frame(self, content: bytes) -> "LightReading":
        """What the frame shows, in the light of those before."""
        ...


class LightReading(Protocol):
    """A reading made in a hurry, for drawing over a live picture."""

    def to_json(self) -> Json:
        """The reading as clients get it."""
        ...


_trackers: dict[str, Tracker] = {}
"""Of each live camera that this worker follows."""


@dataclass(frozen=True)
class TrackFrame:
    """Read a frame of a live camera."""

    patience: ClassVar[float] = 1.0
    camera: str
    frame: bytes
    tray: "TrayProfile | None" = None

    def run(self) -> Json:
        """What the frame shows."""
        if self.camera not in _trackers:
            from vision.dimension.tracking.track import TrayTracker  # noqa: PLC0415

            _trackers[self.camera] = TrayTracker(None if self.tray is None else [self.tray])
        return _trackers[self.camera].frame(self.frame).to_json()


@dataclass(frozen=True)
class ForgetCamera:
    """Follow a live camera no more."""

    patience: ClassVar[float] = 1.0
    camera: str

    def run(self) -> None:
        """Nothing; also if the camera was never known."""
        _trackers.pop(self.camera, None)


def _decoded(load: Callable[[], T]) -> T:
    """What a load gives; a bad image is an exception that travels between processes."""
    from vision.photo import BadImageError  # noqa: PLC0415

    try:
        return load()
    except BadImageError as error:
        raise BadPhoto(error.text) from None
