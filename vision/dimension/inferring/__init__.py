"""Third stage: from the evidence of all seats to probable layouts."""
