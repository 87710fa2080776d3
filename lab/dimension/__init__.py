"""Dimension: pictures of trays with known truth, training and measuring.

``setting`` (tray, paints, table, light), ``arrange``, ``negatives``, ``hand`` (what lies where) and
``shot`` (camera and film) make a scene, ``truth`` tells what its picture shows, and ``make`` is the
command and the way in from Python. ``training`` trains the reader's models, ``bench`` measures it.
"""
