"""The rows, the losses and the training of generative readers."""
