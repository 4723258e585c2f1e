"""How likely an answer is to be right, as one calibrated number, and answering only where that is likely enough."""
