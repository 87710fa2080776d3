"""What a reading may cost, as ratios measured in one run, by ``lab.dimension.bench.costs``."""

from pathlib import Path

import cv2
import pytest

from lab.dimension.bench.costs import fresh_process, large_photo_ratio

SAMPLES = Path(__file__).parents[3] / "sample_images"
PHOTOS = sorted(SAMPLES.glob("0*.jpg"))
"""Photos of 1024 × 768."""


@pytest.fixture(autouse=True)
def one_thread() -> None:
    cv2.setNumThreads(1)


@pytest.mark.slow
@pytest.mark.alone
def test_the_reader_loads_quickly_and_fits_into_memory() -> None:
    runs = [fresh_process(PHOTOS) for _ in range(3)]
    assert max(run.peak_mb for run in runs) <= 350
    assert min(run.import_s for run in runs) <= 1.5  # what else runs can only slow it down


@pytest.mark.slow
@pytest.mark.alone
def test_twelve_megapixels_take_no_more_than_twice_the_time_of_three() -> None:
    assert large_photo_ratio(PHOTOS[0]) <= 2.0
