"""The picture maker: from a scene to the photo of it.

A ``scene`` says what is there. ``cast`` finds what rays meet, ``shade`` how bright that is
(``light``, ``shadow``, ``bounce``, ``mirror``, ``surface``); ``expose`` and ``film`` take the
picture.
"""
