"""What to tell people about a reading: what is unsure, and what to do about it."""

from collections import Counter
from collections.abc import Sequence

from rules.dimension.board import SEATS, level
from rules.dimension.layout import COLORS, PER_COLOR
from rules.dimension.places import SPHERES
from rules.dimension.words import COLOR_NAMES
from vision.dimension.observing.seat_evidence import HIDDEN
from vision.dimension.reading import Reading, SeatReading, letter
from vision.dimension.reporting.confidence import STEEPEST
from vision.dimension.reporting.viewpoint import better_view, viewpoint

_DOUBTFUL = 0.98
_NAMED = 2
_LEVELS = {1: "level one", 2: "level two", 3: "the top"}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def describe(reading: Reading) -> str:
    """The message of a reading in which a tray was found."""
    sentences = [*_about_the_tray(reading), *_about_seats(reading), *_about_the_photo(reading)]
    if not sentences:
        return "Everything is clear." if reading.status == "certain" else _look_over(reading)
    return " ".join(sentences)


def doubtful_seats(reading: Reading) -> tuple[str, ...]:
    """The seats whose colour is in doubt, the most doubtful first."""
    doubtful = [seat for seat, entry in reading.seats.items() if entry.p < _DOUBTFUL]
    return tuple(sorted(doubtful, key=lambda seat: reading.seats[seat].p))


def seat_name(seat: str) -> str:
    """A seat's name for people who do not know the letters."""
    return "the centre" if seat == "C" else f"{seat} ({_LEVELS[level(seat)]})"


def _about_the_tray(reading: Reading) -> list[str]:
    says = []
    if "unknown_tray" in reading.warnings:
        says.append("I don't know this make of tray and guess its size. Calibrate it once.")
    if "views_disagree" in reading.warnings:
        says.append("The photos show different layouts. Was something moved between them?")
    if "hand_in_view" in reading.warnings:
        says.append("Something is in the way. Take the photo without a hand in it.")
    if "color_count_impossible" in reading.warnings:
        says.append(f"{_too_many(reading)}. Is one of them borrowed?")
    if "spheres_off_tray" in reading.warnings:
        lying = sum(entry.color is not None for entry in _all_entries(reading))
        are = "is" if lying == 1 else "are"
        says.append(f"Only {lying} of {SPHERES} spheres {are} on the tray.")
    if "other_tray_in_view" in reading.warnings:
        says.append("There are other trays in the photo. I read the one in the middle.")
    return says


def _about_seats(reading: Reading) -> list[str]:
    if reading.status == "certain":
        hidden = [
            seat
            for seat, entry in reading.seats.items()
            if entry.how == "inferred" and entry.color is not None
        ]
        if not hidden:
            return []
        names = _and([seat_name(seat) for seat in hidden])
        return [f"I cannot see {names}, but the other spheres tell what lies there."]
    seats = doubtful_seats(reading)
    if not seats:
        return []
    says = [_doubt(reading, seat) for seat in seats[:_NAMED]]
    if len(seats) > _NAMED:
        more = len(seats) - _NAMED
        says.append(f"{more} more {'is' if more == 1 else 'are'} in doubt.")
    return [*says, _what_to_do(reading, seats)]


def _doubt(reading: Reading, seat: str) -> str:
    name = seat_name(seat)
    name = name[0].upper() + name[1:]
    unseen = " and cannot be seen" if reading.seats[seat].visible < HIDDEN else ""
    words = [_color_word(color) for color in _candidates(reading, seat)]
    if len(words) < 2:
        return f"{name} is in doubt{unseen}."
    return f"{name} may be {' or '.join(words)}{unseen}."


def _candidates(reading: Reading, seat: str) -> list[str]:
    """The two likeliest letters of a seat among the layouts in question."""
    place, chosen = SEATS.index(seat), letter(reading.seats[seat].color)
    chances = {chosen: 1.0}  # the one in the layout comes first
    for layout, p in reading.possibilities.items():
        other = layout.cells[place]
        chances[other] = chances.get(other, 0.0) + p
    return sorted(chances, key=lambda color: -chances[color])[:2]


def _what_to_do(reading: Reading, seats: Sequence[str]) -> str:
    hint = better_view(reading, seats[:_NAMED]) or better_view(reading, seats[:1])
    if hint is not None:
        return f"To be sure, {hint.text}, or correct it by hand."
    return "Please check it and correct it by hand, or take a sharper, brighter photo."


def _about_the_photo(reading: Reading) -> list[str]:
    says = []
    seen_from = viewpoint(reading) if reading.status != "certain" else None
    if seen_from is not None and seen_from.tilt_deg > STEEPEST:
        says.append("The camera is too low. Hold it higher to see more of the tray.")
    if "cropped" in reading.warnings:
        says.append("Storage is cut off at the edge. Get the whole tray into the photo.")
    if "too_dark" in reading.warnings:
        says.append("The photo is dark. More light helps.")
    if "blurred" in reading.warnings:
        says.append("The photo is blurred. Hold still and tap on the tray to focus.")
    return says


def _look_over(reading: Reading) -> str:
    return f"I am {reading.confidence or 0.0:.0%} sure. Please check it."


def _too_many(reading: Reading) -> str:
    counts = Counter(entry.color for entry in _all_entries(reading) if entry.color)
    many = [color for color in COLORS if counts[color] > PER_COLOR]
    if not many:
        return "There seem to be more spheres of one colour than a player has"
    said = _and([f"{_number(counts[color])} {_color_word(color)}" for color in many])
    return f"I see {said} spheres, but a player has {_number(PER_COLOR)} of each colour"


def _all_entries(reading: Reading) -> list[SeatReading]:
    return [*reading.seats.values(), *reading.storage.values()]


def _color_word(color: str) -> str:
    return COLOR_NAMES[color].en if color in COLOR_NAMES else "empty"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
