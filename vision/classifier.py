"""A small classifier as plain arrays: layers of weights, run by numpy alone.

``lab`` trains it with scikit-learn. It is shipped as ``.npz``, which holds nothing but numbers.
"""

from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Classifier:
    """Scaling of the inputs, then layers with rectifiers between them, then a softmax.

    ``priors`` (kinds of rows, classes) are the log shares of the classes in the training data:
    taken off, they turn a probability of the class into a likelihood of the row.
    """

    mean: Floats
    scale: Floats
    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]
    priors: Floats
    temperature: float = 1.0

    @classmethod
    def load(cls, file: IO[bytes], name: str) -> "Classifier":
        """The classifier of this name in a file of arrays."""
        with np.load(file, allow_pickle=False) as data:
            layers = int(data[f"{name}.layers"])
            return cls(
                data[f"{name}.mean"],
                data[f"{name}.scale"],
                tuple(data[f"{name}.weights{i}"].astype(np.float32) for i in range(layers)),
                tuple(data[f"{name}.biases{i}"].astype(np.float32) for i in range(layers)),
                data[f"{name}.priors"],
                float(data[f"{name}.temperature"]),
            )

    def arrays(self, name: str) -> dict[str, NDArray[np.generic]]:
        """The arrays that ``load`` reads; weights are kept in half precision."""
        found: dict[str, NDArray[np.generic]] = {
            f"{name}.mean": self.mean,
            f"{name}.scale": self.scale,
            f"{name}.layers": np.array(len(self.weights)),
            f"{name}.priors": self.priors,
            f"{name}.temperature": np.array(self.temperature),
        }
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            found[f"{name}.weights{i}"] = weight.astype(np.float16)
            found[f"{name}.biases{i}"] = bias.astype(np.float16)
        return found

    def log_probabilities(self, rows: Floats) -> Floats:
        """Log probabilities (rows, classes)."""
        values = (rows - self.mean) / self.scale
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            values = values @ weight + bias
            if i < len(self.weights) - 1:
                values = np.maximum(values, 0.0)
        values = values / self.temperature
        values -= values.max(axis=1, keepdims=True)
        return np.asarray(values - np.log(np.exp(values).sum(axis=1, keepdims=True)))
