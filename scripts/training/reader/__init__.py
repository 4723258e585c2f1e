"""The rows, the network and the files of the extractive reader."""
