"""Processes that work side by side, each on one thread."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cv2


def side_by_side(jobs: int) -> ProcessPoolExecutor:
    """A pool of so many processes.

    One thread each: matrices are small here, and threads that wait for one another on cores that
    are all taken made pictures five times as slow. Spawned, not forked: a fork of a process in
    which OpenCV has threads can hang.
    """
    for library in ("OMP", "OPENBLAS"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")  # read when a process starts
    return ProcessPoolExecutor(jobs, get_context("spawn"), cv2.setNumThreads, (1,))
