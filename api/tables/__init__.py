"""Tables: who may do what, what happened, and what every device is to show."""
