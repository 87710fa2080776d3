"""Surfaces: the albedo of table, cards and blocks, point by point."""

import numpy as np

from lab.rendering.cast import HitKind
from lab.rendering.scene import Block, Floats, Paint, PrintedCard, Scene, Sheet, Table
from lab.rendering.shapes import rim_depth
from lab.rendering.vectors import vector

_WAVES = (
    np.array([[0.9, 0.31, -0.12], [0.2, -0.77, 1.3]], dtype=np.float32),
    np.array([[2.9, 1.3, -4.1], [1.7, -3.7, 2.3]], dtype=np.float32),
)


def surface(scene: Scene, kind: HitKind, index: int, points: Floats) -> tuple[Floats, Paint]:
    """Albedo (N, 3) of table or block at points (N, 3), and the paint that coats them."""
    if kind == HitKind.TABLE:
        paint = Paint((0.5, 0.5, 0.5), scene.table.gloss, scene.table.blur)
        return table_albedo(scene.table, points[:, :2]), paint
    block = scene.blocks[index]
    if kind == HitKind.FACE:
        return face_albedo(block, points[:, :2]), block.face
    floor = block.recesses.floor if block.recesses is not None else None
    paint = floor if kind == HitKind.FLOOR and floor is not None else block.side
    return np.tile(vector(paint.albedo), (len(points), 1)), paint


def table_albedo(table: Table, points: Floats) -> Floats:
    """Albedo (N, 3) of the table and its cards at points (N, 2)."""
    cos, sin = np.cos(table.angle), np.sin(table.angle)
    turn = np.array([[cos, -sin], [sin, cos]], dtype=np.float32) / np.float32(table.mm_per_px)
    albedo = _sample(table.tile, points @ turn)
    if table.sheet is not None:
        _lay_sheet(table.sheet, points, albedo)
    for card in table.cards:
        _print_card(card, points, albedo)
    return albedo


def face_albedo(block: Block, points: Floats) -> Floats:
    """Albedo (N, 3) of a block's face at points (N, 2)."""
    albedo = np.tile(vector(block.face.albedo), (len(points), 1))
    if block.grain > 0.0:
        mottle = np.sin(points @ _WAVES[0]) + np.sin(points[:, ::-1] @ _WAVES[1])
        albedo *= 1.0 + np.float32(block.grain) * mottle.sum(axis=1, keepdims=True)
    if block.stroke is not None and block.recesses is not None:
        depth = rim_depth(block.recesses, points)
        albedo[depth > -block.stroke[0]] = block.stroke[1]
    return np.clip(albedo, 0.0, 1.0)


def _lay_sheet(sheet: Sheet, points: Floats, albedo: Floats) -> None:
    cos, sin = np.cos(sheet.angle), np.sin(sheet.angle)
    turn = np.array([[cos, -sin], [sin, cos]], dtype=np.float32)
    across, up = ((points - np.array(sheet.centre, dtype=np.float32)) @ turn).T
    half_width, half_height = np.array(sheet.size, dtype=np.float32) / 2
    on = np.nonzero((np.abs(across) < half_width) & (np.abs(up) < half_height))[0]
    px_per_mm = sheet.albedo.shape[1] / sheet.size[0]
    places = np.stack([across[on] + half_width, half_height - up[on]], axis=1) * px_per_mm - 0.5
    albedo[on] = _sample(sheet.albedo, np.asarray(places, dtype=np.float32))


def _print_card(card: PrintedCard, points: Floats, albedo: Floats) -> None:
    reach = float(np.hypot(*card.half_size))
    x, y = points[:, 0] - np.float32(card.centre[0]), points[:, 1] - np.float32(card.centre[1])
    where = np.nonzero((np.abs(x) < reach) & (np.abs(y) < reach))[0]
    cos, sin = float(np.cos(card.angle)), float(np.sin(card.angle))
    x, y = x[where] * cos + y[where] * sin, y[where] * cos - x[where] * sin
    on_card = (np.abs(x) < card.half_size[0]) & (np.abs(y) < card.half_size[1])
    albedo[where[on_card]] = card.color
    for at_x, at_y, radius, color in card.dots:
        dot = on_card & (np.hypot(x - at_x, y - at_y) < radius)
        albedo[where[dot]] = color


def _sample(tile: Floats, places: Floats) -> Floats:
    """Bilinear values (N, 3) of a tile at places (N, 2), wrapped round its edges.

    Not by ``cv2.remap``: OpenCV 5.0 gives NaN at the border of floating-point pictures.
    """
    rows, columns = tile.shape[:2]
    corner = np.floor(places)
    right, below = (places - corner).T[..., None]
    x, y = corner.astype(np.int32).T % np.array([[columns], [rows]], dtype=np.int32)
    next_x, next_y = (x + 1) % columns, (y + 1) % rows
    flat = tile.reshape(-1, 3)
    upper = flat[y * columns + x] * (1 - right) + flat[y * columns + next_x] * right
    lower = flat[next_y * columns + x] * (1 - right) + flat[next_y * columns + next_x] * right
    return np.asarray(upper * (1 - below) + lower * below, dtype=np.float32)
