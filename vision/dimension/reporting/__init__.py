"""Last stage: from probable layouts to a reading, its advice and its drawing."""
