"""From radiance to a file: exposure, white balance, blur, noise, tone, sharpening, JPEG."""

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.rendering.colors import encode
from lab.rendering.scene import Film, Floats

Picture = NDArray[np.uint8]
_GREY = 0.18  # what a light meter makes of the average scene
_SAMPLING = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420
_BRIGHTEST = 12.0  # highlights beyond so many times white no longer spread further


def develop(radiance: Floats, film: Film, rng: np.random.Generator) -> Picture:
    """The picture (rows, columns, 3), BGR, as it comes out of the camera's JPEG."""
    rows, columns = radiance.shape[:2]
    fine = (columns * film.fineness, rows * film.fineness)
    picture = _developed(np.asarray(cv2.resize(radiance, fine)), film, rng)
    reduced = cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, dtype=np.uint8)


def _developed(radiance: Floats, film: Film, rng: np.random.Generator) -> Picture:
    """The picture at the film's own size."""
    light = radiance * _meter(radiance) * np.float32(film.exposure)
    light = light * np.asarray(film.balance, dtype=np.float32) * _vignette(light, film.vignette)
    light = _blurred(np.minimum(light, _BRIGHTEST), film)
    light = _saturated(light, film.saturation)
    light = _noisy(light, film.noise, rng)
    screen = _tone(light, film.contrast)
    if film.sharpen > 0.0:
        soft = cv2.GaussianBlur(screen, (0, 0), 1.0)
        screen = np.clip(screen + np.float32(film.sharpen) * (screen - soft), 0.0, 1.0)
    picture = (screen[..., ::-1] * 255.0 + 0.5).astype(np.uint8)
    return _compressed(picture, film.jpeg)


def jpeg_bytes(picture: Picture, quality: int, all_colors: bool = False) -> bytes:
    """The picture as a JPEG file; unless ``all_colors`` are kept, at half the size in colours."""
    sampling = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444 if all_colors else _SAMPLING
    options = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
    done, data = cv2.imencode(".jpg", picture, options)
    if not done:
        raise ValueError("The picture cannot be written as JPEG.")
    return bytes(data.tobytes())


def _meter(radiance: Floats) -> np.float32:
    """The factor that makes the scene's average grey; a few glaring spots do not count."""
    luminance = radiance @ np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
    capped = np.minimum(luminance, np.percentile(luminance[::4, ::4], 97))
    return np.float32(_GREY / max(float(capped.mean()), 1e-4))


def _vignette(light: Floats, strength: float) -> Floats:
    rows, columns = light.shape[:2]
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    half = np.hypot(rows, columns) / 2
    squared = ((x - columns / 2) ** 2 + (y - rows / 2) ** 2) / half**2
    return np.asarray(1.0 / (1.0 + strength * squared)[..., None] ** 2, dtype=np.float32)


def _blurred(light: Floats, film: Film) -> Floats:
    for kernel in (_disc(film.defocus_px), _streak(film.motion_px, film.motion_deg)):
        if kernel is not None:
            light = np.asarray(cv2.filter2D(light, -1, kernel, borderType=cv2.BORDER_REPLICATE))
    return light


def _disc(radius: float) -> Floats | None:
    """The image of a point out of focus."""
    if radius < 0.3:
        return None
    reach = int(np.ceil(radius)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0.0, 1.0)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


def _streak(length: float, angle_deg: float) -> Floats | None:
    """The image of a point while the camera moves."""
    if length < 0.5:
        return None
    reach = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    angle = np.radians(angle_deg)
    for step in np.linspace(-length / 2, length / 2, 8 * reach):
        x, y = reach + step * np.cos(angle), reach + step * np.sin(angle)
        left, top = int(x), int(y)
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            weight = (1 - abs(x - left - dx)) * (1 - abs(y - top - dy))
            kernel[min(top + dy, 2 * reach), min(left + dx, 2 * reach)] += weight
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


def _saturated(light: Floats, saturation: float) -> Floats:
    grey = light @ np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
    mixed = grey[..., None] + np.float32(saturation) * (light - grey[..., None])
    return np.asarray(np.maximum(mixed, 0.0), dtype=np.float32)


def _noisy(light: Floats, noise: float, rng: np.random.Generator) -> Floats:
    """Shot noise grows with the root of the light, read noise does not; chroma is the blotchier."""
    if noise <= 0.0:
        return light
    shape = light.shape
    grain = rng.standard_normal(shape, dtype=np.float32)
    blotch = cv2.resize(
        rng.standard_normal((shape[0] // 2 + 1, shape[1] // 2 + 1, 3), dtype=np.float32),
        (shape[1], shape[0]),
    )
    spread = np.float32(noise) * np.sqrt(np.maximum(light, 0.0) + 0.01)
    return np.asarray(np.maximum(light + spread * (0.7 * grain + 0.5 * blotch), 0.0), np.float32)


def _tone(light: Floats, contrast: float) -> Floats:
    """Screen values 0…1: a soft shoulder to white, the usual curve, more or less of an S."""
    knee = np.float32(0.7)
    above = np.maximum(light - knee, 0.0)
    rolled = np.minimum(light, knee) + (1.0 - knee) * (1.0 - np.exp(-above / (1.0 - knee)))
    screen = encode(rolled)
    curve = screen * screen * (3.0 - 2.0 * screen)
    return np.asarray(np.clip(screen + np.float32(contrast) * (curve - screen), 0.0, 1.0))


def _compressed(picture: Picture, quality: int) -> Picture:
    decoded = cv2.imdecode(np.frombuffer(jpeg_bytes(picture, quality), np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise ValueError("A picture just written as JPEG cannot be read.")
    return np.asarray(decoded, dtype=np.uint8)
