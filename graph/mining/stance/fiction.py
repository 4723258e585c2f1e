"""Whether a place of an article tells a story, and no facts: plots, gameplay, lives of fictional persons, myths."""

from __future__ import annotations

import re
from functools import lru_cache

from graph.sources.article import Article

_LEAD_CHARACTERS = 250
_STORY_SECTION = re.compile(
    r"^(?:(?:the )?(?:plot|story|synopsis|storyline|gameplay|mythology|mythological)s?\b|acts? [\divx]+\b)"
    r"|\b(?:plot (?:summary|overview|synopsis|introduction)|fictional|in-universe|powers and abilities)\b",
    re.IGNORECASE,
)
_FICTIONAL_LEAD = re.compile(
    r"\b(?:is|was|are|were) (?:an?|the|one of|two|several)\b[^.\n]{0,60}?"
    r"\b(?:fictional|fictitious|superhero(?:es|ine)?|supervillains?|mythical)\b"
    r"|^[^.\n]{0,80}\bIn (?:[A-Z]\w+ )?(?:mythology|religion and mythology|legend)\b",
    re.MULTILINE,
)
_REAL_WORDS = r"""
    publication production development creat\w+ conception concept reception release legacy adaptations? writing casting filming
    influences? historic\w* sources? etymology archaeolog\w* modern media merchandis\w* portrayals? awards? design music sales
    critic\w* analysis interpretations? cultural toys? games? films? television worship cult festivals? epithets? symbols?
"""
"""They stand in headings over what is told of a work or a myth, not in it."""
_REAL_SECTION = re.compile(rf"\b(?:{'|'.join(_REAL_WORDS.split())})\b", re.IGNORECASE)


def is_fiction(article: Article, offset: int) -> bool:
    """Return whether the text at `offset` tells a story: by its heading, or by the lead of an article about somebody made up."""
    section = article.section(offset)
    if _REAL_SECTION.search(section):
        return False
    return _STORY_SECTION.search(section) is not None or _has_fictional_lead(article.text[: _LEAD_CHARACTERS * 2])


@lru_cache(maxsize=4)
def _has_fictional_lead(beginning: str) -> bool:
    """Return whether the first sentences, after a line with the title, say that the article is about fiction or myth."""
    _, _, after_title = beginning.partition("\n\n")
    return _FICTIONAL_LEAD.search((after_title or beginning)[:_LEAD_CHARACTERS]) is not None
