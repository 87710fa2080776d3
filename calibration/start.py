"""The start photo: an unknown tray measured while all fifteen spheres are in storage.

How to call it (the signatures are settled; what is inside is being filled in):

    measure(photos, *, sphere_mm=None, name="my-tray", focals=()) -> Measured | Refusal

``photos`` are BGR pictures of one tray: start photos, and if you like one of the empty tray.
``focals`` has a focal length in pixels or None for each, from EXIF. ``Measured`` has ``profile``
(a TrayProfile, ready for ``save_profile``), ``warnings`` (sentences) and ``views``, one for each
photo (None: that photo was left out, a warning says why). ``Refusal`` has ``code`` and ``text``.

    start_overlay.draw(picture, view, profile) -> picture    the check drawing, for ``--overlay``
"""
