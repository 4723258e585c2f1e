"""The words of a template's fields in one sentence, and the question that they make."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Mapping

from reader.reader_rows import value_of

from made_questions.answer_checks import VERB_INSIDE, asked_with, names_person
from made_questions.article_passages import Found
from made_questions.english_forms import participle, pronoun_of
from made_questions.question_templates import Template
from made_questions.standalone_mentions import Mention, loose, named
from made_questions.template_slots import SLOTS

LENGTH = (40, 240)
"""The fewest and most characters of a question."""
QUESTION_FIRST = 0.06
"""How often the question stands before what is supposed."""
_ROLES = {
    "founded": "founder", "established": "founder", "invented": "inventor", "discovered": "discoverer",
    "designed": "designer", "written": "author", "composed": "composer", "directed": "director", "built": "builder",
    "painted": "painter", "developed": "developer", "created": "creator", "published": "publisher",
    "produced": "producer", "launched": "initiator", "assassinated": "killer", "murdered": "murderer",
    "conquered": "conqueror", "destroyed": "destroyer", "liberated": "liberator", "translated": "translator",
    "illustrated": "illustrator", "edited": "editor", "proposed": "proposer", "introduced": "initiator",
    "organized": "organizer", "organised": "organiser", "owned": "owner", "sponsored": "sponsor", "sculpted": "sculptor",
}  # fmt: skip
_GONE = {
    "death": "died", "suicide": "died", "assassination": "been assassinated", "murder": "been murdered",
    "execution": "been executed", "resignation": "resigned", "retirement": "retired", "departure": "left",
    "abdication": "abdicated", "dismissal": "been dismissed", "fall": "fallen", "defeat": "been defeated",
    "removal": "been removed",
}  # fmt: skip
_BASES = {
    "has": ("does", "have"), "had": ("did", "have"), "contains": ("does", "contain"), "contained": ("did", "contain"),
    "comprises": ("does", "comprise"), "comprised": ("did", "comprise"), "includes": ("does", "include"),
    "included": ("did", "include"),
}  # fmt: skip
_REFUSED = {
    "declined": "declined",
    "refused": "refused",
    "decided not": "decided against it",
    "was forbidden": "been forbidden it",
}
_AMOUNTS = "one two three four five six seven eight nine ten".split()
_FACTORS = (("twice", 2.0), ("half", 0.5), ("three times", 3.0))
_HAPPENING = re.compile(rf"{SLOTS['happening'].partition('}?')[2]}|['’]s? [a-z]+")


def fields(
    template: Template, match: re.Match[str], answer: str, mention: Mention | None, sentence: Found, dice: random.Random
) -> dict[str, str] | None:
    """Return what each field of a template stands for in a sentence; nothing where a word of it points elsewhere."""
    possessive = mention.forms()["its"] if mention and mention.pronoun else ""
    words: dict[str, str] = {}
    for name, text in match.groupdict().items():
        if text is None or name in "AX":
            continue
        text = text.strip() if name not in "W" else text.rstrip()
        if text.startswith("The "):
            text = f"the {text[4:]}"
        if (
            name in ("N", "P", "P2", "E")
            and text[:1].isupper()
            and (
                text.split()[0] in ("It", "He", "She", "They", "This", "These", "His", "Her", "Its", "Their")
                or not named(text, sentence, dice, inside=match.start(name) > 0)
            )
        ):
            if not mention or name != "N" or template.name not in ("because-clause", "did-because"):
                return None
            text = mention.forms()["it"]
        elif name in "BENPRWw" and loose(text, possessive):
            return None
        if name == "B" and template.source == "made-wh" and not re.search("[A-Z]", text):
            return None
        if re.search(r"\b[A-Z]$", text) or (name == "B" and re.search(r"\b(?:when|while|where|after|before|because)\b", text)):
            return None
        if name == "E" and (
            VERB_INSIDE.search(text)
            or (not re.search("[A-Z0-9]", text) and len(text.split()) < 5)
            or text.split()[0] in ("being", "having")
        ):
            return None
        words[name] = text
    if mention:
        words |= mention.forms()
    words["A"] = answer
    words["not_"] = dice.choice(("had not", "hadn't", "hadn't"))
    subject = sentence.subject
    person = (subject.pronoun in ("he", "she") and answer in (subject.title, subject.title.split()[-1])) or names_person(answer)
    if (
        template.name in ("who-did", "what-was-done", "who-is", "nobody-did")
        and not person
        and " " not in answer
        and answer not in subject.title
    ):
        return None
    words |= {
        "Who": "Who" if person else "What",
        "who": "who" if person else "what",
        "whom": "whom" if person else "what",
        "which": asked_with(answer, person),
    }
    words |= _special(template, words, match_text=sentence.text)
    return words


def _special(template: Template, words: Mapping[str, str], match_text: str) -> dict[str, str]:
    special: dict[str, str] = {}
    verb = words.get("v", "")
    if verb in _ROLES and "its" in words:
        special["role"] = f"{words['its']} {_ROLES[verb]}"
    if (d := words.get("d") or words.get("d2")) in _GONE:
        special |= {"dead": _GONE[d], "d": d, "P": words.get("P") or words["P2"]}
    if "E" in words:
        if words["E"].startswith("the ") or _HAPPENING.search(words["E"]):
            special["Ev"] = words["E"]
        special["E0"] = re.sub(r"^(?:the|a|an) ", "", words["E"])
    if verb in _BASES:
        special |= dict(zip(("does", "base"), _BASES[verb], strict=True))
    if verb in _REFUSED:
        special["refused"] = _REFUSED[verb]
    special["gone"] = f"been {verb[4:]}" if verb.startswith("was ") else _participle(verb)
    special["ap"] = _participle(verb) if verb in ("aired", "ran", "appeared", "premiered") else f"been {verb}"
    passive = re.search(rf"\b(?:was|were) {re.escape(verb)}\b", match_text) if verb else None
    special["up"] = f"been {verb}" if passive else _participle(verb)
    special["as"] = f"to {words['w']}" if words.get("w") else "as"
    if "N" in words:
        pronoun = pronoun_of(words["N"])
        special |= {"it_N": pronoun if pronoun in ("he", "she") else words["N"]}
        special["Np" if pronoun in ("he", "she") or names_person(words["N"]) else "No"] = words["N"]
        special |= {"him_N": {"he": "him", "she": "her"}.get(pronoun, words["N"])}
    return special


def shifted(shift: str, text: str, words: dict[str, str], dice: random.Random) -> str | None:
    """Return the number that is the answer where a number is supposed to be other, and add the words for the change."""
    value = value_of(text.split()[0])
    if value is None or " " in text:
        return None
    if shift == "years":
        number = dice.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 20, 25, 50, 100))
        sign = dice.choice((-1, 1))
        amount = {1: dice.choice(("a year", "one year")), 10: dice.choice(("ten years", "a decade")), 100: "a century"}.get(
            number
        )
        words |= {
            "n": amount or f"{_AMOUNTS[number - 1] if number < 10 else number} years",
            "later": "earlier" if sign < 0 else "later",
        }
        return f"{int(value) + sign * number}"
    if shift == "count":
        factor = dice.random() < 0.25
        number = dice.randint(1, 5)
        sign = -1 if value > number + 1 and dice.random() < 0.5 else 1
        verb = words["v"].split()[0]
        base = {"has": "have", "had": "have", "consists": "consist", "consisted": "consist"}.get(verb, verb)
        past = verb.endswith("ed") or verb in ("had", "won", "wrote")
        words["had"] = "had" if verb in ("has", "had") else f"had {participle(verb)}" if past else verb
        if words["v"].endswith(" of"):
            words["had"] = "consisted of"
            return None
        words["have"] = (
            f"have {participle(verb)}" if past and verb != "had" else base if verb in ("has", "had") else re.sub("s$", "", verb)
        )
        if factor:
            words |= {"n": "twice", "more": "as many", "higher": "as large"}
            return _plain(value * 2)
        words |= {"n": _AMOUNTS[number - 1], "more": "more" if sign > 0 else "fewer", "higher": "higher" if sign > 0 else "lower"}
        return _plain(value + sign * number)
    name, by = dice.choice(_FACTORS)
    words["factor"] = name
    return _plain(value * by) if value * by == int(value * by) or value < 1000 else None


def _plain(value: float) -> str:
    return f"{int(value)}" if value == int(value) else f"{value:g}"


def phrased(template: Template, words: Mapping[str, str], mention: Mention | None, dice: random.Random) -> str | None:
    """Return the question, in a wording drawn from the template; nothing where no wording fits."""
    if not template.ifs:
        return _alone(template, words, dice)
    pairs = [(one, other) for one in template.ifs for other in template.asks]
    dice.shuffle(pairs)
    if mention is not None and not mention.pronoun:
        pairs.sort(key=lambda pair: "{its}" in pair[0] or "{its}" in pair[1])
    for supposed, ask in pairs:
        turned = (
            mention is not None
            and mention.pronoun
            and supposed.startswith("{X} ")
            and "{X}" not in ask
            and "{its}" not in ask
            and ask.count("{it}") == 1
            and dice.random() < 4 * QUESTION_FIRST
        )
        try:
            if turned and mention is not None:
                front = _filled(ask, {**words, "it": mention.short, "its": f"{mention.short}'s", "him": mention.short})
                question = f"{front} if {_filled(supposed, {**words, 'X': words['it']})}?"
            else:
                if "{X}" not in supposed and mention is not None and "{X}" not in ask:
                    ask = ask.replace("{it}", "{X}", 1) if "{it}" in ask else ask.replace("{him}", "{X}", 1)
                question = f"If {_filled(supposed, words).rstrip(',')}, {_filled(ask, words)}?"
        except KeyError:
            continue
        question = re.sub(r",(?=[,?])", "", re.sub(r" {2,}", " ", question)).replace("s's ", "s' ").replace(", 's", "'s")
        if LENGTH[0] <= len(question) <= LENGTH[1]:
            return question[0].upper() + question[1:]
    return None


def _alone(template: Template, words: Mapping[str, str], dice: random.Random) -> str | None:
    """Return a question that supposes nothing."""
    for ask in dice.sample(template.asks, len(template.asks)):
        if template.name.startswith("when") and re.search(r"\b(?:date|day)\b" if words["A"].isdigit() else r"\byear\b", ask):
            continue
        try:
            question = f"{_filled(ask, words)}?"
        except KeyError:
            continue
        question = re.sub(r",(?=[,?])", "", re.sub(r" {2,}", " ", question))
        if LENGTH[0] / 2 <= len(question) <= LENGTH[1] * 0.7:
            return question[0].upper() + question[1:]
    return None


def _filled(text: str, words: Mapping[str, str]) -> str:
    """Return a text with its fields filled in; raises `KeyError` for a field that the sentence does not give."""
    made = []
    for literal, name, form, _ in string.Formatter().parse(text):
        made.append(literal)
        if name:
            made.append(_participle(words[name]) if form == "pp" else words[name])
    return "".join(made)


def _participle(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    return f"{participle(first)} {rest}".strip() if first else verb
