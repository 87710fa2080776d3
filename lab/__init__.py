"""For developing only: makes pictures with known truth, trains, measures. Never installed.

``rendering`` turns a scene into a photo of it. Each game has a folder that makes scenes, trains
the game's models and measures its reader.
"""
