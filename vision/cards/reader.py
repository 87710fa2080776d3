"""The reader of revealed cards: photo → outlines → cut-out cards → the codes of a deck."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from calibration.cards.choosing import find_cards
from calibration.cards.cutting import Corners, turned
from calibration.cards.enrolling import upright, whole
from calibration.cards.profile import DeckProfile
from calibration.fiducials import Picture
from vision.cards.matching import Likeness, RecognisableDeck, Trust, margins, shipped_trust
from vision.cards.reading import WARNINGS, CardChance, CardSeen, CardsReading, CardsStatus
from vision.photo import BadImageError, Photo, load_photo
from vision.quality import quality_warnings

WORKING_SIZE = 1280
"""Long side of the picture in which cards are looked for."""
LEAST_KNOWN = 0.5
"""Below this probability a card is called unknown."""
LEAST_BESIDE = 0.8
"""From this probability an outline that is not like the others is a card all the same."""
CERTAIN = 0.97
"""Confidence from which a reading is certain."""

NO_CARDS = (
    "I can't find cards in this photo. Lay them apart on the table, face up, and hold the camera "
    "above them so that all of them are wholly in the picture."
)


class CardsReader:
    """Reads photos of revealed cards of one deck; ``filling``: each photo is one card, cut out."""

    def __init__(
        self, profile: DeckProfile, filling: bool = False, trust: Trust | None = None
    ) -> None:
        self._deck = RecognisableDeck(profile)
        self._filling = filling
        self._trust = trust or shipped_trust()

    def read(self, source: bytes | str | Path) -> CardsReading:
        """What one photo shows. Whatever it holds, there is a reading; nothing is raised."""
        begun, name = perf_counter(), "" if isinstance(source, bytes) else str(source)
        ms: dict[str, float] = {}
        try:
            photo = load_photo(source, WORKING_SIZE)
        except BadImageError as error:
            ms["total"] = (perf_counter() - begun) * 1000
            return CardsReading(name, "bad_image", ms=ms, message=error.text)
        ms["decode"] = (perf_counter() - begun) * 1000
        found, others = self._found(photo.picture)
        ms["locate"] = (perf_counter() - begun) * 1000 - ms["decode"]
        likeness = self._likeness(photo.picture, found)
        found, likeness = self._with(photo.picture, found, likeness, others)
        if likeness is None or not self._any_known(likeness):
            ms["total"] = (perf_counter() - begun) * 1000
            return CardsReading(name, "no_cards", ms=ms, message=NO_CARDS)
        ms["total"] = (perf_counter() - begun) * 1000
        return self._composed(name, photo, found, likeness, ms)

    def read_together(self, sources: Sequence[bytes | str | Path]) -> CardsReading:
        """What the photo shows that is surest of several of the same cards."""
        readings = [self.read(source) for source in sources]
        return max(readings, key=lambda reading: (len(reading.cards), reading.confidence or 0.0))

    def _found(self, picture: Picture) -> tuple[list[Corners], list[Corners]]:
        """The outlines of cards, and others that may be cards."""
        if self._filling:
            return [whole(picture)], []
        search = find_cards(picture)
        return (
            [upright(card.corners) for card in search.cards],
            [upright(card.corners) for card in search.others],
        )

    def _likeness(self, picture: Picture, found: Sequence[Corners]) -> Likeness | None:
        if not found:
            return None
        return self._deck.likeness(picture, found)

    def _with(
        self,
        picture: Picture,
        found: list[Corners],
        likeness: Likeness | None,
        others: Sequence[Corners],
    ) -> tuple[list[Corners], Likeness | None]:
        """The cards, and of the other outlines those that look like a card of the deck."""
        beside = self._likeness(picture, others)
        if beside is None or likeness is None:
            return found, likeness
        _, best, margin = margins(beside.alike)
        known = np.flatnonzero(self._trust.p_right(best, margin) >= LEAST_BESIDE)
        added = [others[int(index)] for index in known]
        return [*found, *added], likeness.joined(beside, known)

    def _any_known(self, likeness: Likeness) -> bool:
        """Whether something looks like a card of the deck: without any, nothing is a card."""
        _, best, margin = margins(likeness.alike)
        return self._filling or bool((self._trust.p_right(best, margin) >= LEAST_KNOWN).any())

    def _composed(
        self,
        name: str,
        photo: Photo,
        found: Sequence[Corners],
        likeness: Likeness,
        ms: dict[str, float],
    ) -> CardsReading:
        first, best, margin = margins(likeness.alike)
        right = self._trust.p_right(best, margin)
        warnings = set() if self._filling else set(quality_warnings(photo.picture))
        cards = []
        for index, corners in enumerate(found):
            known = right[index] >= LEAST_KNOWN
            code = likeness.codes[int(first[index])] if known else None
            if not known:
                warnings.add("unknown_card")
            turn = int(likeness.turn[index, first[index]])
            points = photo.to_original(turned(corners, turn)).tolist()
            p = float(right[index]) if known else 1 - float(right[index])
            chances = _alternatives(likeness, index, float(right[index]), self._trust.sharpness)
            cards.append(CardSeen(code, p, tuple((x, y) for x, y in points), chances))
        codes = [card.code for card in cards if card.code is not None]
        if len(set(codes)) < len(codes):
            warnings.add("same_card_twice")
        confidence = float(np.prod(right))
        sure = confidence >= CERTAIN and not warnings & {"unknown_card", "same_card_twice"}
        told = tuple(code for code in WARNINGS if code in warnings)
        message = _message(cards, told, bool(sure))
        status: CardsStatus = "certain" if sure else "uncertain"
        return CardsReading(name, status, tuple(cards), confidence, told, ms, message)


def _alternatives(
    likeness: Likeness, index: int, right: float, sharpness: float
) -> tuple[CardChance, ...]:
    """The three likeliest codes; what the first leaves, the others share by their likeness."""
    alike = likeness.alike[index]
    order = np.argsort(-alike)[:3]
    rest = np.exp(sharpness * (alike[order[1:]] - alike[order[0]]))
    rest = (1 - right) * rest / (rest.sum() + 1e-9) * 0.5
    chances = [right, *rest.tolist()]
    return tuple(
        CardChance(likeness.codes[int(at)], p) for at, p in zip(order, chances, strict=True)
    )


def _message(cards: Sequence[CardSeen], warnings: Sequence[str], sure: bool) -> str:
    if sure:
        return f"{len(cards)} cards read."
    if "unknown_card" in warnings:
        count = sum(card.code is None for card in cards)
        unknown = f"{count} of {len(cards)} cards are not in the deck, or not well seen."
        return f"{unknown} Name them by hand."
    if "same_card_twice" in warnings:
        return "Two cards look the same to me. Check them, or take the photo from nearer."
    unsure = ", ".join(card.code or "?" for card in cards if card.p < CERTAIN) or "all cards"
    return f"I am not sure of {unsure}. Check, or take the photo from nearer."
