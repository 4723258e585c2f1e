"""The pages of the server: HTML made of templates, with every value escaped."""
