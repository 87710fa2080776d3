"""Settings for all tests."""

from hypothesis import settings

# Machines are shared and noisy: a slow example is no failure.
settings.register_profile("trayscore", deadline=None, print_blob=True)
settings.load_profile("trayscore")
