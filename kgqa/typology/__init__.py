"""What kind of question a question is, and which of its phrases are causes and effects.

>>> from kgqa.typology import classify
>>> classify("What causes migraines?").slots.effect
'migraines'
"""

from kgqa.typology.classifier import classify

__all__ = ["classify"]
