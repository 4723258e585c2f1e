"""The commands by which people judge: ratings of outputs, and marks on claims."""
