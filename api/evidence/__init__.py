"""What both sides of a dispute accept: photos without location, a chained history, a bundle."""
