"""The modules and models that every process of the server needs: loaded once, in the process that the others are forked from."""

from __future__ import annotations

import gc
from contextlib import suppress

from graph.errors import Error
from graph.mining.sentence.spacy_pipeline import import_spacy
from kgqa.pipeline import load_models
from kgqa.presuppositions import statement_finder as statement_finder
from kgqa.web import responder as responder
from kgqa.web.pages import explore_page as explore_page
from kgqa.web.pages import graph_pages as graph_pages
from kgqa.wording import browser_statement as browser_statement

import_spacy()
with suppress(Error):  # an answer that needs a damaged model says so
    load_models()
gc.collect()
gc.freeze()
