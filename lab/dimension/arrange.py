"""What lies where: spheres on the tray and in storage, neighbours, strays and clutter."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.dimension.geometry import seat_positions
from calibration.dimension.outline import core
from calibration.dimension.profile import TrayProfile
from lab.dimension.setting import Setting
from lab.rendering.colors import random_color
from lab.rendering.scene import XYZ, Ball, Block, Floats, Paint, PrintedCard, Recesses
from rules.dimension.board import SEATS, seats_in, shapes
from rules.dimension.layout import COLORS, PER_COLOR, Layout
from rules.dimension.places import SLOT_PLACES, SLOTS, STORAGE

Rng = np.random.Generator

_SEAT_JITTER = 0.006  # of a sphere; in the project's photos it is 0.005
_SLIDE = 0.3  # how often the spheres of a slot have slid along it


@dataclass(frozen=True)
class Arrangement:
    """Things on the table. ``layout`` and ``stored`` speak of the main tray, None without one."""

    layout: Layout | None
    stored: dict[str, str]
    balls: tuple[Ball, ...]
    blocks: tuple[Block, ...]
    cards: tuple[PrintedCard, ...] = ()

    @property
    def other_trays(self) -> NDArray[np.float64]:
        """Centres (n, 3) of the trays beside the main one."""
        if self.layout is None:
            return np.empty((0, 3))
        trays = [block.recesses for block in self.blocks if block.recesses is not None]
        return np.array([(*tray.starts[0], 0.0) for tray in trays[1:]]).reshape(-1, 3)


@dataclass
class TakenPlaces:
    """Where on the table something lies already, as discs."""

    taken: list[tuple[float, float, float]] = field(default_factory=list)

    def place(self, rng: Rng, radius: float, within: float) -> tuple[float, float] | None:
        """A free place for a disc, noted as taken; None if none is found."""
        for _ in range(30):
            x, y = rng.uniform(-within, within, 2)
            if all(np.hypot(x - a, y - b) > radius + r + 0.5 for a, b, r in self.taken):
                self.taken.append((float(x), float(y), radius))
                return float(x), float(y)
        return None


def arrange(
    rng: Rng,
    setting: Setting,
    kind: str,
    layout: Layout | None = None,
    neighbours: int | None = None,
    borrowed: bool = False,
) -> Arrangement:
    """A random arrangement: a tray in play (with this layout if given), at the start, or empty.

    ``borrowed``: one sphere of the tray has a colour of which it holds three already.
    """
    layout = layout if layout is not None else _draw_layout(rng, kind)
    stored = {} if kind == "empty" else _draw_storage(rng, layout)
    if borrowed:
        layout, stored = _with_borrowed(rng, layout, stored)
    beside = _taken_out(rng, stored) if kind == "play" and not borrowed else []
    colors = {**dict(layout), **stored}
    tray = _tray_block(setting, 0.0, (0.0, 0.0))
    balls = _seated(rng, setting, colors, 0.0, (0.0, 0.0), main=True)
    places = TakenPlaces([(0.0, 0.0, tray.reach)])
    count = _draw_neighbours(rng) if neighbours is None else neighbours
    blocks, others = _neighbours(rng, setting, count, places)
    strays = _strays(rng, setting, places, beside)
    tokens, cards = clutter(rng, setting, places, 2.6 * tray.reach)
    everything = (*balls, *others, *strays)
    return Arrangement(layout, stored, everything, (tray, *blocks, *tokens), cards)


def _draw_layout(rng: Rng, kind: str) -> Layout:
    if kind != "play":
        return Layout()
    wanted = int(rng.integers(1, 12))
    shape = rng.choice([mask for mask in shapes() if mask.bit_count() == wanted])
    colors = rng.permutation(list(COLORS * PER_COLOR))
    return Layout.of(dict(zip(seats_in(int(shape)), colors, strict=False)))


def _draw_storage(rng: Rng, layout: Layout) -> dict[str, str]:
    """The spheres that are not on the layout: mostly a slot a colour, sometimes anywhere."""
    left = {color: count for color, count in layout.storage().items() if count > 0}
    if rng.random() < 0.25:
        spheres = [color for color, count in left.items() for _ in range(count)]
        places = rng.permutation(STORAGE)[: len(spheres)]
        return dict(sorted(zip(map(str, places), spheres, strict=True)))
    slots = rng.permutation(5)
    stored = {}
    for slot, color in zip(slots, COLORS, strict=True):
        for place in sorted(rng.permutation(3)[: left.get(color, 0)]):
            stored[f"S{slot}{place}"] = color
    return dict(sorted(stored.items()))


def _taken_out(rng: Rng, stored: dict[str, str]) -> list[str]:
    """Colours of spheres that lie beside the tray instead; they are taken out of ``stored``."""
    chance = rng.random()
    if chance < 0.85:
        return []
    out = sorted(stored) if chance < 0.95 else sorted(rng.permutation(sorted(stored))[:3])
    return [stored.pop(str(seat)) for seat in out]


def _with_borrowed(
    rng: Rng, layout: Layout, stored: dict[str, str]
) -> tuple[Layout, dict[str, str]]:
    """The same spheres but for one, which has the colour of another."""
    colors = {**dict(layout), **stored}
    seat = str(rng.choice(sorted(colors)))
    color = str(rng.choice([c for c in COLORS if c != colors[seat]]))
    if seat in stored:
        return layout, {**stored, seat: color}
    return layout.with_seat(seat, color), stored


def _tray_block(setting: Setting, turn: float, at: tuple[float, float]) -> Block:
    profile, look = setting.profile, setting.look
    if profile.outline is None:
        raise ValueError("A tray without an outline cannot be pictured.")
    corners, rounding = core(profile.outline, profile.slot0_deg)
    places = seat_positions(profile)
    holes = np.array([places[seat][:2] for seat in SEATS[:7]])
    first = np.array([places[f"S{slot}0"][:2] for slot in range(SLOTS)])
    last = np.array([places[f"S{slot}{SLOT_PLACES - 1}"][:2] for slot in range(SLOTS)])
    recesses = Recesses(
        starts=_moved(np.concatenate([holes, first]), turn, at),
        ends=_moved(np.concatenate([holes, last]), turn, at),
        half_width=profile.hole_mm / 2,
        floor_z=-look.depth,
        floor=look.floor,
    )
    return Block(
        core=_moved(corners, turn, at),
        rounding=rounding,
        top=0.0,
        bottom=-look.thickness,
        face=look.face,
        side=look.side,
        grain=look.grain,
        recesses=recesses,
        stroke=look.stroke,
    )


def _seated(
    rng: Rng,
    setting: Setting,
    colors: dict[str, str],
    turn: float,
    at: tuple[float, float],
    main: bool = False,
) -> list[Ball]:
    """Balls on their seats, each a little beside it, those in slots slid along."""
    places = seat_positions(setting.profile)
    slides = _slides(rng, setting.profile, [seat for seat in colors if seat[0] == "S"])
    balls = []
    for seat, color in colors.items():
        x, y, z = places[seat]
        dx, dy = rng.normal(0, _SEAT_JITTER * setting.profile.sphere_mm, 2)
        along_x, along_y = slides.get(seat, (0.0, 0.0))
        spot = np.array([[x + dx + along_x, y + dy + along_y]])
        (x, y), radius = _moved(spot, turn, at)[0].tolist(), setting.profile.sphere_radius_mm
        paint = setting.paints[color]
        balls.append(Ball((x, y, z), radius, paint, seat if main else None))
    return balls


def _slides(rng: Rng, profile: TrayProfile, seats: list[str]) -> dict[str, tuple[float, float]]:
    """How far the spheres of each slot have slid, without meeting or changing their order."""
    slides = {}
    for slot in range(SLOTS):
        here = sorted(seat for seat in seats if seat[1] == str(slot))
        if rng.random() > _SLIDE or not here:
            continue
        angle = np.radians(profile.slot0_deg - 72 * slot - 90)
        step, sphere = profile.slot_step_mm, profile.sphere_mm
        before = -np.inf
        for number, seat in enumerate(here):
            place = (int(seat[2]) - 1) * step
            low = max(place - 0.45 * step, before + sphere, -step)
            rest = len(here) - number - 1
            high = min(place + 0.45 * step, step - rest * sphere)
            if number + 1 < len(here):
                high = min(high, (int(here[number + 1][2]) - 1) * step + 0.45 * step - sphere)
            spot = rng.uniform(low, high) if high > low else place
            before = spot
            slides[seat] = (
                float((spot - place) * np.cos(angle)),
                float((spot - place) * np.sin(angle)),
            )
    return slides


def _draw_neighbours(rng: Rng) -> int:
    return int(rng.choice([0, 1, 2, 3], p=[0.7, 0.18, 0.08, 0.04]))


def _neighbours(
    rng: Rng, setting: Setting, count: int, places: TakenPlaces
) -> tuple[list[Block], list[Ball]]:
    """Other players' trays, as near as they fit, with spheres of their own."""
    blocks: list[Block] = []
    balls: list[Ball] = []
    reach = places.taken[0][2]
    for _ in range(count):
        around = rng.uniform(0, 2 * np.pi)
        distance = 2 * reach + rng.uniform(2, 60)
        at = (float(distance * np.cos(around)), float(distance * np.sin(around)))
        if any(np.hypot(at[0] - x, at[1] - y) < r + reach for x, y, r in places.taken):
            continue
        places.taken.append((*at, reach))
        turn = rng.uniform(0, 2 * np.pi)
        layout = _draw_layout(rng, str(rng.choice(["play", "play", "start"])))
        colors = {**dict(layout), **_draw_storage(rng, layout)}
        blocks.append(_tray_block(setting, turn, at))
        balls += _seated(rng, setting, colors, turn, at)
    return blocks, balls


def _strays(rng: Rng, setting: Setting, places: TakenPlaces, beside: list[str]) -> list[Ball]:
    """Spheres that lie on the table: those from this tray, and some of anybody's."""
    radius, reach = setting.profile.sphere_radius_mm, places.taken[0][2]
    others = int(rng.choice([0, 1, 2, 3, 5], p=[0.65, 0.15, 0.1, 0.06, 0.04]))
    colors = [*beside, *(str(color) for color in rng.choice(list(COLORS), others))]
    spots = [places.place(rng, radius, rng.uniform(1.3, 2.2) * reach) for _ in colors]
    return [
        ball_on_table(spot, radius, setting.table.z, setting.paints[color])
        for spot, color in zip(spots, colors, strict=True)
        if spot
    ]


def clutter(
    rng: Rng, setting: Setting, places: TakenPlaces, within: float
) -> tuple[list[Block], tuple[PrintedCard, ...]]:
    """Tokens, boxes and cups as blocks, and cards printed with dots."""
    sphere, z = setting.profile.sphere_mm, setting.table.z
    blocks = []
    for _ in range(int(rng.integers(0, 7))):
        radius = sphere * rng.uniform(0.4, 1.0)
        if spot := places.place(rng, radius, within):
            blocks.append(disc_block(spot, radius, z, rng.uniform(1.0, 4.0), _any_paint(rng)))
    if rng.random() < 0.25:
        radius = sphere * rng.uniform(1.0, 2.2)
        if spot := places.place(rng, radius, within):
            height = sphere * rng.uniform(0.6, 2.0)
            blocks.append(box_block(rng, spot, radius, z, height, _any_paint(rng)))
    cards = []
    for _ in range(int(rng.integers(0, 6))):
        half = sphere * rng.uniform(0.9, 1.8)
        if spot := places.place(rng, half * 1.35, within):
            cards.append(_draw_card(rng, setting, spot, half))
    return blocks, tuple(cards)


def disc_block(
    at: tuple[float, float], radius: float, z: float, height: float, paint: Paint
) -> Block:
    """A token, plate or cup that stands on the table."""
    return Block(np.array([at], dtype=np.float32), radius, z + height, z, paint, paint)


def box_block(
    rng: Rng, at: tuple[float, float], radius: float, z: float, height: float, paint: Paint
) -> Block:
    """A box with rounded edges that fits in a circle."""
    angle = rng.uniform(0, np.pi / 2) + np.array([0.0, 0.5, 1.0, 1.5]) * np.pi
    corners = 0.8 * radius * np.stack([np.cos(angle), np.sin(angle)], axis=1) + np.array(at)
    return Block(corners.astype(np.float32), 0.2 * radius, z + height, z, paint, paint)


def _draw_card(rng: Rng, setting: Setting, at: tuple[float, float], half: float) -> PrintedCard:
    size = (half, half * rng.uniform(0.7, 1.0))
    dots = []
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(-0.6, 0.6, 2) * size
        color = setting.paints[str(rng.choice(list(COLORS)))].albedo
        dots.append((float(x), float(y), half * rng.uniform(0.15, 0.3), color))
    paper = random_color(rng, saturation=(0.0, 0.2), value=(0.75, 0.97))
    return PrintedCard(at, rng.uniform(0, np.pi), size, paper, tuple(dots))


def _any_paint(rng: Rng) -> Paint:
    return Paint(random_color(rng), rng.uniform(0.0, 0.8), rng.uniform(0.02, 0.2))


def _moved(points: Floats, turn: float, at: tuple[float, float]) -> Floats:
    cos, sin = np.cos(turn), np.sin(turn)
    turned = points @ np.array([[cos, sin], [-sin, cos]])
    return np.asarray(turned + at, dtype=np.float32)


def ball_on_table(at: tuple[float, float], radius: float, z: float, paint: Paint) -> Ball:
    """A ball that lies on the table."""
    centre: XYZ = (*at, z + radius)
    return Ball(centre, radius, paint)
