"""The network that tells cards apart: layers and loss (needs torch; only training imports it)."""

import torch
from torch import Tensor, nn

WIDTHS = (16, 32, 48, 64)
CHANNELS = 24
"""Numbers for each of the 8 × 8 places of a card."""


def _conv(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class DescribeNetwork(nn.Module):
    """Cards (N, 3, 64, 64) → vectors (N, 64 · ``CHANNELS``) of length one."""

    def __init__(self) -> None:
        super().__init__()
        one, two, three, four = WIDTHS
        self.layers = nn.Sequential(
            _conv(3, one, 2), _conv(one, two, 2), _conv(two, three), _conv(three, four, 2),
            _conv(four, four), nn.Conv2d(four, CHANNELS, 1),
        )  # fmt: skip
        self.sharpness = nn.Parameter(torch.tensor(3.0))

    def forward(self, cards: Tensor) -> Tensor:
        """The vectors."""
        maps = self.layers(cards).flatten(1)
        vectors: Tensor = maps / torch.sqrt((maps * maps).sum(dim=1, keepdim=True) + 1e-6)
        return vectors

    def loss(self, asked: Tensor, enrolled: Tensor) -> tuple[Tensor, Tensor]:
        """The loss, and how many were right, of cards asked (turns, N, …) by those enrolled (N, …).

        In which turn a card was recognised does not matter, only which card it is.
        """
        likeness = torch.exp(self.sharpness) * torch.einsum("tnd,md->tnm", asked, enrolled)
        cards = torch.logsumexp(likeness, dim=0)
        right = torch.arange(len(enrolled))
        return nn.functional.cross_entropy(cards, right), (cards.argmax(1) == right).sum()
