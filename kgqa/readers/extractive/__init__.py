"""The default reader: spans of a passage, and yes or no, by a network on ONNX Runtime."""
