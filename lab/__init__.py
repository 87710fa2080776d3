"""For developing only: makes pictures with known truth, trains, measures. Never installed.

The picture maker, from what is there to the file:
``setting`` (tray, paints, table, light) · ``arrange``, ``negatives``, ``hand`` (what lies where) ·
``shot`` (camera and film) make a ``scene``; ``cast`` finds what rays meet, ``shade`` how bright it
is (``light``, ``shadow``, ``bounce``, ``mirror``, ``surface``); ``expose`` and ``film`` take the
picture, ``truth`` tells what it shows, ``make`` is the command and the way in from Python.
"""
