"""Text encoders that run on ONNX Runtime."""
