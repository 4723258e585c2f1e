"""Answers from a server that speaks the OpenAI chat API: prompts, a careful client, a cache on disk, and what it costs."""
