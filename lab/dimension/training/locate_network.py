"""The network that finds trays: layers, targets and loss (needs torch; only training imports it).

A U of five scales; what it gives has a quarter of the picture's resolution. Four maps of where
something is – visible spheres, empty holes, slots, tray centres –, and besides, at the centres the
shape of the face, at the slots the way to their tray's centre.
``vision.dimension.locating.detector`` describes them for those who read them.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from lab.dimension.training.locate_labels import Labels
from vision.dimension.locating.detector import MAPS, OUTPUTS, SIZE, STRIDE, WAY_UNIT

WIDTHS = (16, 32, 48, 64, 64)
"""Channels at strides 2, 4, 8, 16, 32."""
PEAK_CELLS = 0.8
"""Spread of a peak in the maps, in cells: two spheres of the smallest trays are 2.7 apart."""
RARE = 12.0
"""A cell with a peak counts this much more than an empty one."""
REGRESSIONS = 2.0
"""Weight of the shapes and ways in the loss."""


def _conv(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Network(nn.Module):
    """Pictures (N, 3, rows, columns) in −1…1 → (N, ``OUTPUTS``, rows / 4, columns / 4), logits."""

    def __init__(self) -> None:
        super().__init__()
        first, *wider = WIDTHS
        self.stem = _conv(3, first, 2)
        self.down = nn.ModuleList()
        before = first
        for width in wider:
            self.down.append(nn.Sequential(_conv(before, width, 2), _conv(width, width)))
            before = width
        self.bottom = _conv(before, before)
        self.across = nn.ModuleList()
        self.up = nn.ModuleList()
        for width in reversed(wider[:-1]):
            self.across.append(nn.Conv2d(before, width, 1))
            self.up.append(_conv(width, width))
            before = width
        self.head = nn.Sequential(_conv(before, before), nn.Conv2d(before, OUTPUTS, 1))
        last = self.head[1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.constant_(last.bias[:MAPS], -4.0)  # peaks are rare: start by seeing none

    def forward(self, picture: Tensor) -> Tensor:
        """Logits of the maps, shapes and ways."""
        now = self.stem(picture)
        scales = []
        for down in self.down:
            now = down(now)
            scales.append(now)
        now = now + self.bottom(now)
        for across, up, beside in zip(self.across, self.up, reversed(scales[:-1]), strict=True):
            wide = nn.functional.interpolate(across(now), scale_factor=2.0, mode="nearest")
            now = up(wide + beside)
        out: Tensor = self.head(now)
        return out


class Shipped(nn.Module):
    """The network as it is shipped: maps as probabilities instead of logits."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, picture: Tensor) -> Tensor:
        """As ``Network``, with a sigmoid over the maps."""
        out = self.network(picture)
        return torch.cat([torch.sigmoid(out[:, :MAPS]), out[:, MAPS:]], dim=1)


@dataclass(frozen=True)
class Target:
    """The network's target for one picture, and where shapes and ways count."""

    maps: np.ndarray
    shape: np.ndarray
    shape_weight: np.ndarray
    way: np.ndarray
    way_weight: np.ndarray


def target_of(labels: Labels) -> Target:
    """The target for labels in pixels of the network's input."""
    width, height = SIZE[0] // STRIDE, SIZE[1] // STRIDE
    maps = np.stack(
        [
            _peaks(points, width, height)
            for points in (
                labels.spheres,
                labels.holes,
                labels.slots[labels.slots_in],
                labels.centres[labels.centres_in],
            )
        ]
    )
    shape, shape_weight = np.zeros((3, height, width), np.float32), maps[3] * (maps[3] > 0.4)
    way, way_weight = np.zeros((2, height, width), np.float32), maps[2] * (maps[2] > 0.4)
    rows, columns = np.mgrid[:height, :width]
    for centre, slots in zip(labels.centres, labels.slots, strict=True):
        here = _near(centre, rows, columns)
        shape[:, here] = face_shape(slots)[:, None]
        for slot in slots:
            here = _near(slot, rows, columns)
            cell = np.stack([columns[here], rows[here]]) * STRIDE + (STRIDE - 1) / 2
            way[:, here] = (centre[:, None] - cell) / WAY_UNIT
    return Target(maps, shape, shape_weight, way, way_weight)


def face_shape(slots: np.ndarray) -> np.ndarray:
    """Half the matrix logarithm of the slots' second moments, as (mean, (xx − yy)/2, xy).

    The moments of five evenly spread slots do not know how the tray is turned, only how large it
    is and how it is tilted.
    """
    off = (slots - slots.mean(axis=0)) / WAY_UNIT
    values, vectors = np.linalg.eigh(0.4 * off.T @ off)
    log = vectors @ np.diag(0.5 * np.log(np.maximum(values, 1e-4))) @ vectors.T
    return np.array([(log[0, 0] + log[1, 1]) / 2, (log[0, 0] - log[1, 1]) / 2, log[0, 1]])


def loss_of(out: Tensor, target: dict[str, Tensor]) -> dict[str, Tensor]:
    """The parts of the loss, to be summed."""
    maps = target["maps"]
    cross = nn.functional.binary_cross_entropy_with_logits(out[:, :MAPS], maps, reduction="none")
    parts = {"maps": (cross * (1 + RARE * maps)).mean() * 10}
    for name, slice_ in (("shape", slice(MAPS, MAPS + 3)), ("way", slice(MAPS + 3, OUTPUTS))):
        weight = target[f"{name}_weight"][:, None]
        off = nn.functional.smooth_l1_loss(out[:, slice_], target[name], reduction="none", beta=0.1)
        parts[name] = REGRESSIONS * (off * weight).sum() / (weight.sum() + 1.0)
    return parts


def _near(point: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    u, v = (point - (STRIDE - 1) / 2) / STRIDE
    return (np.abs(columns - u) < 2.0) & (np.abs(rows - v) < 2.0)


def _peaks(points: np.ndarray, width: int, height: int) -> np.ndarray:
    """A map (height, width) with a bell of height 1 at each point."""
    cells = (points - (STRIDE - 1) / 2) / STRIDE
    across = np.exp(-0.5 * ((np.arange(width) - cells[:, :1]) / PEAK_CELLS) ** 2)
    down = np.exp(-0.5 * ((np.arange(height) - cells[:, 1:]) / PEAK_CELLS) ** 2)
    bells = down[:, :, None] * across[:, None, :]
    return bells.max(axis=0, initial=0.0).astype(np.float32)
