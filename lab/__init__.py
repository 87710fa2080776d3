"""For developing only: makes pictures with known truth, trains, measures. Never installed."""
