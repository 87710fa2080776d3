"""The reader: photo → dice found → top faces → values → reading, with the time of each stage."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from calibration.high_score.profile import DiceProfile
from vision.high_score.faces import cut_out, look_at
from vision.high_score.finding import Found, find_dice
from vision.high_score.reading import DiceReading
from vision.high_score.report import Judged, compose
from vision.high_score.values import Enrolled, Valued, by_kind
from vision.photo import BadImageError, Photo, load_photo
from vision.quality import quality_warnings
from vision.readers import Source

WORKING_SIZE = 1280
"""Pixels on the long side: dice of 20 pixels where the network finds them have 50 to be read by."""
NO_DICE = (
    "I can't see any dice in this photo. Hold the camera above the table, so near that the dice "
    "fill a good part of the picture."
)


class Reader:
    """Reads photos of dice with pips, or with a profile the dice that were enrolled."""

    def __init__(self, profiles: Sequence[DiceProfile] = ()) -> None:
        self._enrolled = [Enrolled(profile) for profile in profiles]

    def read(self, source: Source) -> DiceReading:
        """What one photo shows. Whatever it holds, there is a reading; nothing is raised."""
        name = "" if isinstance(source, bytes) else str(source)
        begun = perf_counter()
        try:
            photo = load_photo(source, WORKING_SIZE)
        except BadImageError as error:
            ms = {"total": (perf_counter() - begun) * 1000}
            return DiceReading(name, "bad_image", error.text, ms=ms)
        decoded = perf_counter()
        found = find_dice(photo.picture)
        seen = perf_counter()
        judged = self._judged(photo, found)
        done = perf_counter()
        ms = {
            "decode": (decoded - begun) * 1000,
            "find": (seen - decoded) * 1000,
            "values": (done - seen) * 1000,
            "total": (done - begun) * 1000,
        }
        if not any(die.there for die in judged):
            return DiceReading(name, "no_dice", NO_DICE, ms=ms)
        warnings = set(quality_warnings(photo.picture))
        return compose(name, judged, warnings, ms)

    def read_together(self, sources: Sequence[Source]) -> DiceReading:
        """What several photos of one roll show: the surest reading of them."""
        readings = [self.read(source) for source in sources]
        sound = [reading for reading in readings if reading.status != "bad_image"]
        return max(sound or readings, key=lambda reading: reading.confidence or 0.0)

    def _judged(self, photo: Photo, found: Sequence[Found]) -> list[Judged]:
        seen = look_at([cut_out(photo.picture, die) for die in found])
        if not found:
            return []
        by_profile = [enrolled.values(seen) for enrolled in self._enrolled]
        valued = min(by_profile, key=lambda valued: valued.strange.sum(), default=by_kind(seen))
        return [_judge(photo, die, valued, index) for index, die in enumerate(found)]


def _judge(photo: Photo, die: Found, valued: Valued, index: int) -> Judged:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ die.edges.T + die.uv
    return Judged(
        uv=photo.to_original(die.uv),
        corners=photo.to_original(corners),
        side=die.side / photo.scale,
        strength=die.strength,
        leaning=die.leaning,
        values=valued.values[index],
        strange=float(valued.strange[index]),
        none=float(valued.none[index]),
    )
