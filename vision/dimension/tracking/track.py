"""Live video: a tray followed from frame to frame, much cheaper than reading each by itself.

    tracker = TrayTracker()            # or TrayTracker([profile])
    tracked = tracker.frame(content)   # bytes of a JPEG, WebP or PNG; one after the other
    tracked.to_json()                  # the reading's JSON, with state, still and advice

One object for each camera, used by one thread. ``Tracked.state`` is

- ``searching``: no tray is known. Every few frames one is looked for, as in a photo.
- ``tracking``: the pose is carried on from the frame before; every few frames the seats are looked
  at again, and what different views tell adds up (``vision.dimension.tracking.kept_views``).
- ``hand``: something is between camera and tray. Outlines are kept as long as possible; once it
  is gone, the tray is read again.
- ``lost``: this frame does not show the tray; after a few of them it is searched for.

``Tracked.reading`` is a ``Reading`` whose seats are where they are in *this* frame, in its pixels.
It is ``certain`` only if the looks before agree, nothing is in the way, and the frame is sharp.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from calibration.camera import View
from calibration.dimension.profile import TrayProfile
from rules.dimension.places import HOLES, PLAY
from vision.dimension.inferring.fuse import Shot
from vision.dimension.inferring.infer import Posterior, infer
from vision.dimension.locating.locate import in_picture
from vision.dimension.observing.observe import Observer
from vision.dimension.reader import NO_TRAY, Reader, TrayInPhoto
from vision.dimension.reading import Reading
from vision.dimension.reporting.report import compose, places
from vision.dimension.tracking.follow import Frame, Landmarks, Moved, follow
from vision.dimension.tracking.kept_views import KeptViews
from vision.dimension.tracking.obstruction import FaceHistory
from vision.photo import BadImageError, Photo, load_photo
from vision.quality import BLURRED_PX, DARK_LEVEL, brightness

ONCE_MORE = "Almost there: hold still."

State = Literal["searching", "tracking", "hand", "lost"]

SEARCH_EVERY = 3
"""Frames between two searches: a search takes the time of several frames."""
LOOK_EVERY, LOOK_STEADY, LOOK_SURE = 3, 6, 12
"""Frames between two looks at the seats: at first, once looks agree, once certain."""
RECONSIDER = 20
"""Frames without a certain reading after which the tray is searched for anew: it may be the view
that leaves the doubt, and another frame may show it better."""
LEAST_SUPPORT = 0.5
"""Share of the support at the start below which the tray is lost."""
GRACE = 3
"""Frames in a row that may show nothing of the tray before it is searched for."""
PATIENCE = 45
"""Frames that something may be in the way: after that it may be the tray that looks different now
(a lamp was switched on), and it is searched for anew."""
STILL = 0.06
"""Radii of a sphere by which a tray may move from frame to frame and still be still."""
SLOW = 0.5
"""A tray that moves faster is not read: the frame is smeared."""
FAR, NEAR = 0.22, 0.75
"""Shares of the frame's shorter side that the seven holes should span."""
TUCKED = 0.12
"""Visible share below which the centre counts as hidden, if it is in doubt."""
DOUBTFUL = 0.98


@dataclass(frozen=True)
class Tracked:
    """What one frame shows, given those before."""

    state: State
    reading: Reading
    still: bool = False
    advice: tuple[str, ...] = ()
    """What to do, most urgent first: ``find``, ``hand``, ``dark``, ``whole``, ``closer``,
    ``farther``, ``still``, ``tilt``, ``unsure``, ``hold`` (all is well)."""

    @property
    def certain(self) -> bool:
        """Whether the reading may be scored without a check."""
        return self.reading.status == "certain"

    def to_json(self) -> dict[str, Any]:
        """The reading's JSON, with the state of the tracking and its advice."""
        return {
            **self.reading.to_json(),
            "state": self.state,
            "still": self.still,
            "certain": self.certain,
            "advice": list(self.advice),
        }


class TrayTracker:
    """Follows the tray before one camera, by these profiles or the built-in ones."""

    def __init__(self, profiles: Sequence[TrayProfile] | None = None) -> None:
        self._reader = Reader(profiles)
        self._hold: _Hold | None = None
        self._until_search = 0
        self._found_last: Tracked | None = None
        """The answer of the last search, if it found a tray that cannot be followed yet."""

    def frame(self, source: bytes | Photo) -> Tracked:
        """What the next frame shows. Whatever it holds, there is an answer; nothing is raised."""
        try:
            photo = source if isinstance(source, Photo) else load_photo(source)
        except BadImageError as error:
            state: State = "searching" if self._hold is None else "lost"
            return Tracked(state, Reading.refused("", "bad_image", error.text), advice=("find",))
        frame = Frame(photo)
        if self._hold is not None and self._hold.fits(frame):
            tracked = self._hold.carry_on(frame)
            if tracked is not None:
                self._reconsider(frame)
                return tracked
        self._hold = None
        return self._search(frame)

    def _search(self, frame: Frame) -> Tracked:
        """Search and read from scratch, if it is time for it."""
        self._until_search -= 1
        if self._until_search >= 0:
            return self._found_last or _nothing(frame)
        self._until_search, self._found_last = SEARCH_EVERY - 1, None
        sight = self._sight(frame.photo)
        if sight is None:
            return _nothing(frame)
        if sight.hand_in_view:
            reading = self._reader.reading(sight)
            self._found_last = Tracked("hand", reading, advice=_advice(reading, frame.photo))
            return self._found_last
        self._hold, self._until_search = _Hold(frame, sight), 0
        return self._hold.tracked(frame, "tracking")

    def _reconsider(self, frame: Frame) -> None:
        """Search again if the tray was held for long without a certain reading."""
        if self._hold is None or self._hold.doubtful < RECONSIDER:
            return
        self._hold.doubtful = 0
        sight = self._sight(frame.photo)
        if sight is None or sight.hand_in_view:
            return
        if sight.located.score > self._hold.score:
            self._hold = _Hold(frame, sight)

    def _sight(self, photo: Photo) -> TrayInPhoto | None:
        try:
            return self._reader.sight(photo)
        except BadImageError:  # without colours
            return None


class _Hold:
    """A tray that was found, and what is carried from frame to frame."""

    def __init__(self, frame: Frame, sight: TrayInPhoto) -> None:
        located = sight.located
        self.score, self.doubtful = located.score, 0
        self._profile, self._view, self._frame = located.profile, located.view, frame
        self._standing = {"other_tray_in_view"} if located.others else set()
        self._standing |= set() if located.sure else {"unknown_tray"}
        self._memory, self._cover = KeptViews(), FaceHistory(located.profile)
        self._pending: tuple[Observer, View] | None = None
        self._since_look, self._missed, self._hand = 0, 0, 0
        self._moved: Moved | None = None
        self._support = 0.0
        self._take(sight.observer, located.view, sight.posterior)

    def fits(self, frame: Frame) -> bool:
        """Whether a frame has the size of those before."""
        return frame.photo.picture.shape == self._frame.photo.picture.shape

    def carry_on(self, frame: Frame) -> Tracked | None:
        """What the next frame shows; None if the tray is gone."""
        moved = follow(self._frame, frame, self._view, self._marks)
        if moved is None or moved.support < LEAST_SUPPORT * self._support:
            return self._miss()
        picture = frame.photo.picture
        spheres = self._observer.centres[self._filled]
        covered = self._cover.by_hand(picture, moved.view, spheres)
        if covered is None:
            return self._miss()
        self._missed, self._moved = 0, moved
        self._view, self._frame = moved.view, frame
        self._support = max(self._support, 0.9 * moved.support)
        if covered:
            self._begin_hand()
            return self.tracked(frame, "hand") if self._hand <= PATIENCE else None
        self._end_hand()
        self._look(frame, moved)
        tracked = self.tracked(frame, "tracking")
        self.doubtful = 0 if tracked.certain else self.doubtful + 1
        return tracked

    def tracked(self, frame: Frame, state: State) -> Tracked:
        """The answer for a frame in which the tray is where the view says."""
        posterior = self._memory.posterior
        assert posterior is not None
        warnings = self._warnings(frame, state)
        where = places(frame.photo, self._view, self._profile, self._observer.centres)
        reading = compose("", posterior, where, warnings)
        if reading.status == "certain" and not (self._memory.steady and state == "tracking"):
            reading = replace(reading, status="uncertain", message=ONCE_MORE)
        still = self._moved is not None and self._moved.distance < STILL
        return Tracked(state, reading, still, _advice(reading, frame.photo))

    def _miss(self) -> Tracked | None:
        """The answer for a frame that does not show the tray; None after a few of them."""
        self._missed += 1
        if self._missed > GRACE:
            return None
        refused = Reading.refused("", "no_tray", NO_TRAY)
        return Tracked("lost", refused, advice=("find",))

    def _begin_hand(self) -> None:
        self._hand, self._pending = self._hand + 1, None

    def _end_hand(self) -> None:
        if self._hand:
            self._hand, self._since_look = 0, LOOK_SURE
            self._memory.doubt()

    def _look(self, frame: Frame, moved: Moved) -> None:
        """Look at the seats if it is time: observe in one frame, infer in the next."""
        self._since_look += 1
        if self._pending is not None:
            observer, view = self._pending
            self._pending = None
            self._take(observer, view, None)
            return
        if self._since_look >= self._due and moved.distance < SLOW:
            self._since_look = 0
            observer = Observer(frame.photo.picture, moved.view, self._profile)
            self._pending = observer, moved.view

    @property
    def _due(self) -> int:
        """Frames after which to look again."""
        if not self._memory.steady:
            return LOOK_EVERY
        return LOOK_STEADY if self.doubtful else LOOK_SURE

    def _take(self, observer: Observer, view: View, posterior: Posterior | None) -> None:
        """Take a look at the seats into account."""
        whole = bool(in_picture(view, self._profile)[PLAY:].all())
        if posterior is None:
            posterior = infer(observer, inventory=whole).seen_in(view, self.score)
        self._memory.add(Shot(observer, posterior, inventory=whole), view)
        told = self._memory.posterior
        assert told is not None
        self._observer = observer
        self._filled = told.filled
        self._marks = Landmarks.of(self._profile, observer.centres, self._filled, posterior.visible)

    def _warnings(self, frame: Frame, state: State) -> set[str]:
        found = set(self._standing)
        if not in_picture(self._view, self._profile)[PLAY:].all():
            found.add("cropped")
        if brightness(frame.photo.picture) < DARK_LEVEL:
            found.add("too_dark")
        if self._moved is not None and self._moved.blur_px**2 - 1.0 > BLURRED_PX**2:
            found.add("blurred")
        if state == "hand":
            found.add("hand_in_view")
        return found


def _nothing(frame: Frame) -> Tracked:
    """The answer for a frame in which no tray is known."""
    dark = brightness(frame.photo.picture) < DARK_LEVEL
    refused = Reading.refused("", "no_tray", NO_TRAY, ("too_dark",) if dark else ())
    return Tracked("searching", refused, advice=("dark", "find") if dark else ("find",))


def _advice(reading: Reading, photo: Photo) -> tuple[str, ...]:
    """What to do about a frame in which a tray was found, most urgent first."""
    said = {
        "hand": "hand_in_view" in reading.warnings,
        "dark": "too_dark" in reading.warnings,
        "whole": "cropped" in reading.warnings,
        "closer": reading.status != "certain" and _span(reading) < FAR * min(photo.size),
        "farther": _span(reading) > NEAR * min(photo.size),
        "still": "blurred" in reading.warnings,
        "tilt": reading.seats["C"].p < DOUBTFUL and reading.seats["C"].visible < TUCKED,
    }
    grave = tuple(code for code, holds in said.items() if holds)
    return grave or (("hold",) if reading.status == "certain" else ("unsure",))


def _span(reading: Reading) -> float:
    """How far the seven holes reach across the frame, in its pixels."""
    holes = np.array([seat.uv for seat in list(reading.seats.values())[:HOLES]])
    return float(np.ptp(holes, axis=0).max())
