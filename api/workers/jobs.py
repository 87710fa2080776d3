"""What worker processes do: read photos, draw readings, measure profiles.

The service itself never decodes a picture and never loads OpenCV: only ``run`` and ``warm_up``,
which are called in workers, import what needs it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar

from api.games.registry import part
from api.samples import sample_photo, samples
from api.workers.process import ForeseenError
from rules.errors import RulesError
from rules.games import DEFAULT

if TYPE_CHECKING:
    from calibration.profile_files import Profile
    from vision.readers import GameReading

T = TypeVar("T")

Json = dict[str, Any]

PictureKind = Literal["png", "webp"]


class BadPhoto(ForeseenError):
    """A photo that no picture can be had from."""


class GameRefused(ForeseenError):
    """Something that cannot be done with photos of this game yet."""


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
    """Read photos: each by itself, or all together as views of one untouched position."""

    patience: ClassVar[float] = 1.0
    photos: tuple[bytes, ...]
    profile: "Profile | None" = None
    together: bool = False
    game: str = DEFAULT

    def run(self) -> "list[GameReading]":
        """A reading a photo, in their order; one of all if they show the same thing."""
        from vision.readers import reader  # noqa: PLC0415

        try:
            reads = reader(self.game, () if self.profile is None else (self.profile,))
        except RulesError as error:
            raise GameRefused(error.text) from None
        if self.together and len(self.photos) > 1:
            return [reads.read_together(self.photos)]
        return [reads.read(photo) for photo in self.photos]


class GameCamera(Protocol):
    """What a game adds to workers: the registry's part ``camera``."""

    def draw(self, photo: bytes, reading: Any, marked: Any | None, kind: "PictureKind") -> bytes:
        """A reading drawn on its photo, with what a verdict points at."""
        ...

    def measure(
        self, photos: Sequence[bytes], name: str, sphere_mm: float | None
    ) -> "tuple[Profile, tuple[str, ...]]":
        """The profile measured from photos, and warnings; raises ``TrayRefused``."""
        ...

    def tracker(self, profile: "Profile | None") -> "Tracker":
        """What follows a live camera."""
        ...


def _camera(game: str) -> GameCamera:
    found = part(game, "camera")
    if found is None:
        raise GameRefused(f"Photos of {game!r} cannot be drawn, measured or followed yet.")
    camera: GameCamera = found  # type: ignore[assignment]
    return camera


@dataclass(frozen=True)
class DrawReading:
    """Draw a reading on its photo, with what a verdict points at."""

    patience: ClassVar[float] = 1.0
    photo: bytes
    reading: "GameReading"
    marked: Any | None = None
    kind: PictureKind = "webp"
    game: str = DEFAULT

    def run(self) -> bytes:
        """The drawing as a file's content."""
        return _camera(self.game).draw(self.photo, self.reading, self.marked, self.kind)


@dataclass(frozen=True)
class MeasureTray:
    """Measure a profile from photos taken before the game."""

    patience: ClassVar[float] = 4.0  # each photo takes seconds
    photos: tuple[bytes, ...]
    name: str
    sphere_mm: float | None = None
    game: str = DEFAULT

    def run(self) -> "tuple[Profile, tuple[str, ...]]":
        """The profile, and warnings about it."""
        return _camera(self.game).measure(self.photos, self.name, self.sphere_mm)


class Tracker(Protocol):
    """What follows a position from frame to frame."""

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
    profile: "Profile | None" = None
    game: str = DEFAULT

    def run(self) -> Json:
        """What the frame shows."""
        if self.camera not in _trackers:
            _trackers[self.camera] = _camera(self.game).tracker(self.profile)
        return _trackers[self.camera].frame(self.frame).to_json()


@dataclass(frozen=True)
class ForgetCamera:
    """Follow a live camera no more."""

    patience: ClassVar[float] = 1.0
    camera: str

    def run(self) -> None:
        """Nothing; also if the camera was never known."""
        _trackers.pop(self.camera, None)


def decoded(load: Callable[[], T]) -> T:
    """What a load gives; a bad image is an exception that travels between processes."""
    from vision.photo import BadImageError  # noqa: PLC0415

    try:
        return load()
    except BadImageError as error:
        raise BadPhoto(error.text) from None
