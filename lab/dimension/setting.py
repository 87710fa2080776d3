"""The setting of an evening: which tray, which paints, which table, which light."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from calibration.dimension.outline import Disc, Outline, Pentagon, Polygon
from calibration.dimension.profile import TrayProfile, format_problems, load_profile
from lab.dimension.paints import draw_paints
from lab.rendering.colors import linear, random_color
from lab.rendering.scene import RGB, XYZ, Floats, Light, Paint, Room, Table
from lab.rendering.textures import PATTERNS, draw_tile

Rng = np.random.Generator


@dataclass(frozen=True)
class TrayLook:
    """What a profile does not say of a tray: thickness, depth of its recesses, paint."""

    thickness: float
    depth: float
    face: Paint
    side: Paint
    floor: Paint | None
    grain: float
    stroke: tuple[float, RGB] | None


@dataclass(frozen=True)
class Setting:
    """All that stays the same while the same people play at the same table."""

    profile: TrayProfile
    look: TrayLook
    paints: dict[str, Paint]
    table: Table
    light: str
    lights: tuple[Light, ...]
    room: Room


def draw_setting(
    rng: Rng, profile: TrayProfile | None = None, light: str | None = None, table: str | None = None
) -> Setting:
    """A random setting, with this profile, light or table if given."""
    profile = profile or draw_profile(rng)
    if profile.outline is None:
        profile = replace(profile, outline=_draw_outline(rng, profile))
    paints = draw_paints(rng)
    gloss, blur = rng.uniform(0.15, 1.0), rng.uniform(0.008, 0.12)
    look = draw_look(rng, profile, paints["G"])
    light = light or str(rng.choice(list(LIGHTS)))
    lights, room = LIGHTS[light](rng)
    return Setting(
        profile=profile,
        look=look,
        paints={letter: Paint(color, gloss, blur) for letter, color in paints.items()},
        table=_draw_table(rng, table, -look.thickness),
        light=light,
        lights=lights,
        room=replace(room, blobs=_draw_blobs(rng)),
    )


def draw_profile(rng: Rng) -> TrayProfile:
    """A tray of any make that spheres can lie on; one in four has the built-in measures."""
    while True:
        if rng.random() < 0.25:
            profile = replace(load_profile(str(rng.choice(["disc", "pentagon"]))), outline=None)
        else:
            profile = _draw_measures(rng)
        profile = replace(profile, name="lab", outline=_draw_outline(rng, profile))
        if not format_problems(profile.to_json()):
            return profile


def _draw_measures(rng: Rng) -> TrayProfile:
    sphere = rng.uniform(15, 30)
    return TrayProfile(
        name="lab",
        sphere_mm=sphere,
        pitch_mm=sphere * rng.uniform(1.03, 1.2),
        hole_mm=sphere * rng.uniform(0.6, 0.9),
        ring0_deg=rng.uniform(0, 60),
        slot_radius_mm=sphere * rng.uniform(2.1, 3.0),
        slot0_deg=rng.uniform(0, 72),
        slot_step_mm=sphere * rng.uniform(1.0, 1.1),
    )


def _draw_outline(rng: Rng, profile: TrayProfile) -> Outline:
    """An outline that leaves a margin around the slots."""
    margin = profile.sphere_mm * rng.uniform(0.08, 0.6)
    beside = profile.slot_radius_mm + profile.hole_mm / 2
    around = np.hypot(profile.slot_radius_mm, profile.slot_step_mm) + profile.hole_mm / 2
    shape = str(rng.choice(["disc", "pentagon", "polygon"], p=[0.4, 0.3, 0.3]))
    if shape == "disc":
        return Disc(float(around + margin))
    if shape == "pentagon":
        return Pentagon(float(beside + margin), float(rng.uniform(0.2, 1.0) * profile.sphere_mm))
    sides = int(rng.choice([4, 6, 8, 10]))
    start = rng.uniform(0, 360)
    angle = np.radians(start + 360 / sides * np.arange(sides))
    radius = (around + margin) / np.cos(np.pi / sides)
    stretch = rng.uniform(1.0, 1.3) if sides == 4 else 1.0
    corners = radius * np.stack([stretch * np.cos(angle), np.sin(angle)], axis=1)
    points = tuple((float(x), float(y)) for x, y in corners)
    return Polygon(points, float(rng.uniform(0.1, 0.9) * profile.sphere_mm))


def draw_look(rng: Rng, profile: TrayProfile, green: RGB) -> TrayLook:
    """Paint and thickness of a tray; now and then as green as its green spheres."""
    sink = profile.sphere_radius_mm - profile.level_one_mm
    thickness = sink + rng.uniform(0.4, 8.0)
    chance = rng.random()
    if chance < 0.25:
        color: RGB = tuple(np.clip(np.array(green) * rng.uniform(0.6, 1.6), 0.01, 0.9))
    elif chance < 0.4:
        color = linear(rng.uniform(20, 40), rng.uniform(0.2, 0.6), rng.uniform(0.3, 0.85))
    elif chance < 0.6:
        color = random_color(rng, saturation=(0.0, 0.12), value=(0.05, 0.97))
    else:
        color = random_color(rng, saturation=(0.1, 0.85), value=(0.15, 0.95))
    gloss = rng.uniform(0.05, 0.6) if rng.random() < 0.5 else 0.0
    face = Paint(color, gloss, rng.uniform(0.05, 0.25))
    inside = rng.random()
    if inside < 0.25:
        floor, depth = None, thickness
    else:
        other = random_color(rng, saturation=(0.0, 0.7)) if inside < 0.6 else color
        floor, depth = Paint(other), rng.uniform(sink + 0.1, thickness - 0.1)
    stroke = (rng.uniform(0.4, 1.6), random_color(rng)) if rng.random() < 0.15 else None
    side = Paint(tuple(np.array(color) * rng.uniform(0.6, 1.0)))
    return TrayLook(thickness, depth, face, side, floor, rng.uniform(0.0, 0.03), stroke)


def _draw_table(rng: Rng, name: str | None, z: float) -> Table:
    name = name or str(rng.choice(list(PATTERNS)))
    tile, mm_per_px = draw_tile(rng, name)
    shiny = name in ("plain", "wood", "marble", "terrazzo") and rng.random() < 0.6
    gloss = rng.uniform(0.2, 1.0) if shiny else rng.uniform(0.0, 0.1)
    angle, blur = rng.uniform(0, 2 * np.pi), rng.uniform(0.03, 0.3)
    return Table(name, z, tile, mm_per_px, angle, gloss, blur)


def _draw_blobs(rng: Rng) -> tuple[tuple[XYZ, float, RGB], ...]:
    """Furniture, walls and people around the table, as soft patches in reflections."""
    blobs = []
    for _ in range(int(rng.integers(0, 6))):
        color = np.array(random_color(rng)) * rng.uniform(-0.4, 0.6)
        blobs.append((_direction(rng, (0, 60)), rng.uniform(3, 60), tuple(color)))
    return tuple(blobs)


def _direction(rng: Rng, elevation: tuple[float, float]) -> XYZ:
    up, around = np.radians(rng.uniform(*elevation)), rng.uniform(0, 2 * np.pi)
    x, y, z = np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)
    return float(x), float(y), float(z)


def _at(rng: Rng, elevation: tuple[float, float], distance: tuple[float, float]) -> XYZ:
    x, y, z = rng.uniform(*distance) * np.array(_direction(rng, elevation))
    return float(x), float(y), float(z)


def _tint(warmth: float, strength: float) -> RGB:
    """Light from cold (−1) over white (0) to candle (1)."""
    color: Floats = np.array([1.0 + 0.35 * warmth, 1.0, 1.0 - 0.6 * max(warmth, 0.5 * warmth)])
    r, g, b = strength * color / color.mean()
    return float(r), float(g), float(b)


def _room(rng: Rng, warmth: float, strength: float) -> Room:
    horizon = strength * rng.uniform(0.4, 1.2)
    return Room(_tint(warmth, strength), _tint(warmth + rng.uniform(-0.2, 0.2), horizon))


def _window(rng: Rng) -> tuple[tuple[Light, ...], Room]:
    warmth = rng.uniform(-0.4, 0.1)
    count = int(rng.integers(1, 3))
    lights = tuple(
        Light(
            _at(rng, (15, 50), (900, 2500)),
            rng.uniform(250, 700),
            _tint(warmth, rng.uniform(0.4, 0.9) / count),
            "window",
            int(rng.integers(1, 4)),
        )
        for _ in range(count)
    )
    return lights, _room(rng, warmth + rng.uniform(-0.1, 0.3), rng.uniform(0.12, 0.45))


def _office(rng: Rng) -> tuple[tuple[Light, ...], Room]:
    warmth = rng.uniform(-0.3, 0.3)
    count = int(rng.integers(2, 4))
    lights = tuple(
        Light(
            _at(rng, (45, 85), (1200, 2500)),
            rng.uniform(150, 500),
            _tint(warmth, rng.uniform(0.5, 0.9) / count),
            "disc" if rng.random() < 0.4 else "window",
            1,
        )
        for _ in range(count)
    )
    return lights, _room(rng, warmth, rng.uniform(0.25, 0.6))


def _lamp(rng: Rng) -> tuple[tuple[Light, ...], Room]:
    warmth = rng.uniform(0.3, 1.0)
    strength = rng.uniform(0.6, 1.1)
    lamp = Light(_at(rng, (30, 85), (350, 1100)), rng.uniform(25, 110), _tint(warmth, strength))
    return (lamp,), _room(rng, warmth, rng.uniform(0.06, 0.25))


def _sun(rng: Rng) -> tuple[tuple[Light, ...], Room]:
    sun = Light(_at(rng, (25, 75), (9e4, 1e5)), 500.0, _tint(rng.uniform(0.0, 0.3), 1.1))
    return (sun,), _room(rng, rng.uniform(-0.5, 0.0), rng.uniform(0.12, 0.4))


def _beam(rng: Rng) -> tuple[tuple[Light, ...], Room]:
    """Daylight from a window, and a strip of sun across the table."""
    lights, room = _window(rng)
    slit = (rng.uniform(0, np.pi), rng.uniform(-60, 60), rng.uniform(4, 30))
    (sun,), _ = _sun(rng)
    return (*lights, replace(sun, slit=slit)), room


def _mixed(rng: Rng) -> tuple[tuple[Light, ...], Room]:
    by_day, room = _window(rng)
    by_lamp, _ = _lamp(rng)
    return (*by_day, *by_lamp), room


def _dim(rng: Rng) -> tuple[tuple[Light, ...], Room]:
    """Little light and most of it from all around: flat, and noisy once it is exposed."""
    warmth = rng.uniform(-0.2, 0.9)
    lamp = Light(_at(rng, (20, 70), (600, 2000)), rng.uniform(50, 300), _tint(warmth, 0.25))
    return (lamp,), _room(rng, warmth, rng.uniform(0.2, 0.4))


LIGHTS: dict[str, Callable[[Rng], tuple[tuple[Light, ...], Room]]] = {
    "window": _window,
    "office": _office,
    "lamp": _lamp,
    "sun": _sun,
    "beam": _beam,
    "mixed": _mixed,
    "dim": _dim,
}
"""The lights by the names that truth gives them."""
