"""The modules that every process of the server needs: imported once, in the process that the others are forked from."""

from __future__ import annotations

from graph.mining.sentence.spacy_pipeline import import_spacy
from kgqa.presuppositions import statement_finder as statement_finder
from kgqa.web import graph_pages as graph_pages
from kgqa.web import responder as responder
from kgqa.wording import browser_statement as browser_statement

import_spacy()
