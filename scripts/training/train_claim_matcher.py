"""Train the matcher of questions and claims: a small encoder with a vector of each text, and a judgement of each pair.

    python scripts/training/train_claim_matcher.py [--encoder FOLDER] embed CLAIMS.npz
    python scripts/training/train_claim_matcher.py [--minutes N] distil CLAIMS.npz CHECKPOINT QUESTIONS...
    python scripts/training/train_claim_matcher.py [--data FOLDER] train MATCHES.tsv FACTS.tsv CHECKPOINT TRAINED
    python scripts/training/train_claim_matcher.py [--data FOLDER] train_names NAMES.tsv MATCHES.tsv FACTS.tsv TRAINED NAMED
    python scripts/training/train_claim_matcher.py export TRAINED MODEL
    python scripts/training/train_claim_matcher.py [--data FOLDER] train_relevance RELEVANCE.tsv NAMES.tsv MATCHES.tsv FACTS.tsv
        NAMED RELEVANT
    python scripts/training/train_claim_matcher.py [--data FOLDER] fit_relevance RELEVANCE.tsv [--bound P]

`embed` computes the vectors of the claims of the starter graph by e5-small (scripts/training/reader/base_encoder.py). `distil`
trains six of its twelve layers to give the same vectors, in fewer dimensions, for claims and for QUESTIONS, a file of one a line
each. `train` goes on with the labels of docs/judgements/claim-matches.tsv: what a claim says of a question, by both texts in one
pass, and that a question is nearer to a claim that answers it than to others; FACTS.tsv has questions with facts that answer
them (docs/judgements/lay-questions.tsv). Every fifth question is held out. `train_names` goes on with everyday phrases that
mean the names of NAMES.tsv (scripts/build/everyday_phrases.tsv): a phrase is nearer to its name than to others, of which
the nearest are drawn once; every seventh name is held out. `train_relevance` goes on with the claims that readers chose for
questions of the part "train" of docs/judgements/claim-relevance.tsv, `fit_relevance` fits the logistic model of these on the part
"fit"; `export` writes the network with int8 weights. Needs torch, transformers and onnx.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import itertools
import json
import random
import time
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from reader.base_encoder import WIDTH, bert, encoder_config, fetched
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional
from transformers import BertModel

from graph.cached_view import CachedView
from graph.mining.judge.claim_judge import READ_RELATIONS
from graph.model import Claim, Polarity, Relation
from graph.stores import open_store
from kgqa import linking
from kgqa.answering.matching.claim_answers import asked_claim, near_claims
from kgqa.answering.matching.claim_embeddings import open_embedding_index
from kgqa.answering.matching.claim_matcher import CLAIM_RELEVANCE, LABELS, ClaimMatcher, claim_text
from kgqa.calibration.linear_model import SINGLE_OUTPUT, FittedModel, LogisticModel, fitted_model_path, write_fitted_model
from kgqa.evaluation.metrics.confidence_scores import auroc
from kgqa.pipeline import check_question
from kgqa.questions.classifier import classify
from kgqa.questions.preprocess import select_question
from kgqa.request import Request
from kgqa.settings import starter_graph

LAYERS, DIMENSIONS = 6, 128
LONGEST = 48
"""The most tokens of a text; a pair has twice as many at most."""
WARM_UP = 0.06
TEMPERATURE = 0.05
NEARNESS_WEIGHT, TEACHER_WEIGHT = 0.5, 0.5
NEARNESS_BATCH = 20
NAME_WORDS, NAME_BATCH, LABEL_BATCH, LABEL_WEIGHT = 7, 96, 24, 0.3
HARD_FROM, LARGE = 0.35, 1e4
DATA = Path(linking.__file__).with_name("data")
"""The tables of the linker."""
ANSWERS = ("yes", "part")
FOLDS = 10
RELEVANCE_FEATURES = ("answers", "behind", "cosine", "far", "fit", "share", "side", "support", "whole")
BEST = "best"
"""The reader of the labels of what an earlier model took for the best matches."""
GROUPS_OF_BATCH, NAMES_BESIDE, MOST_ANSWERS, FEWEST_OTHERS, OTHERS = 4, 32, 12, 4, 8
"""Of a question, so many claims that answer it at most, and others beside them."""
ANSWER_SHARES = {"yes": 1.0, "part": 0.4}
PENALTY = 0.3
LABEL_WEIGHTS = (1.0, 0.7, 0.7, 1.0)


class MatcherNetwork(nn.Module):
    """The encoder with two heads: the vector of a text, from the mean of its tokens, and the label of a pair, from the first."""

    def __init__(self, attention: str = "sdpa") -> None:
        super().__init__()
        self.encoder: Any = BertModel(encoder_config(LAYERS, attention=attention), add_pooling_layer=False)
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        self.vector = nn.Linear(WIDTH, DIMENSIONS)
        self.mixed = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.1))
        self.labels = nn.Linear(WIDTH, len(LABELS))

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the vectors of the inputs, of length one, and the logits of their labels."""
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        mask = attention_mask[:, :, None].to(hidden.dtype)
        mean = (hidden * mask).sum(1) / mask.sum(1)
        vector = functional.normalize(self.vector(mean), dim=-1)
        logits: torch.Tensor = self.labels(self.mixed(torch.cat([hidden[:, 0], mean], dim=-1)))
        return vector, logits


def start_network(encoder: Path) -> MatcherNetwork:
    """Return the network with every second layer of e5-small."""
    whole, network = bert(encoder), MatcherNetwork()
    network.encoder.embeddings.load_state_dict(whole.embeddings.state_dict())
    for place, layer in enumerate(network.encoder.encoder.layer):
        layer.load_state_dict(whole.encoder.layer[2 * place + 1].state_dict())
    return network


def token_batch(rows: Sequence[Sequence[int]], types: Sequence[Sequence[int]] | None = None) -> tuple[torch.Tensor, ...]:
    """Return padded token ids, their mask and their types."""
    longest = max(map(len, rows))
    ids, mask, kinds = (torch.zeros(len(rows), longest, dtype=torch.long) for _ in range(3))
    for place, row in enumerate(rows):
        ids[place, : len(row)] = torch.tensor(row)
        mask[place, : len(row)] = 1
        if types is not None:
            kinds[place, : len(row)] = torch.tensor(types[place])
    return ids, mask, kinds


def read_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer of the encoder, without padding."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def embed(options: argparse.Namespace) -> None:
    """Write the claims of the starter graph with their vectors."""
    model, path = fetched(options.encoder)
    tokenizer = read_tokenizer(path)
    with open_store(starter_graph()) as store:
        texts = list(dict.fromkeys(claim_text(edge.claim) for edge in store.edges()))
    np.savez(options.claims, texts=np.array(texts), vectors=teacher_vectors(texts, model, tokenizer))
    print(f"{len(texts)} claims")


def teacher_vectors(texts: Sequence[str], model: Path, tokenizer: Tokenizer) -> Any:
    """Return the vectors of texts by e5-small."""
    teacher = bert(model).eval()
    rows = [encoding.ids for encoding in tokenizer.encode_batch([f"query: {text}" for text in texts])]
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
    vectors = np.zeros((len(rows), WIDTH), np.float16)
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        for at in range(0, len(order), 128):
            places = order[at : at + 128]
            ids, mask, types = token_batch([rows[place] for place in places])
            hidden = teacher(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state.float()
            mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
            vectors[places] = functional.normalize(mean, dim=-1).numpy()
    return vectors


class Schedule:
    """The optimizer with its rate: it rises for a while, then falls until the time is over."""

    def __init__(self, network: MatcherNetwork, minutes: float, rate: float) -> None:
        heads = [parameter for name, parameter in network.named_parameters() if not name.startswith("encoder.")]
        body = [value for name, value in network.named_parameters() if name.startswith("encoder.") and value.requires_grad]
        self.network, self.rate, self.seconds = network, rate, 60 * minutes
        self.optimizer = torch.optim.AdamW([{"params": body}, {"params": heads}], weight_decay=0.01)
        self.losses: list[float] = []

    @property
    def past(self) -> float:
        """Which share of the time of this process is over."""
        return time.process_time() / self.seconds

    def step(self, loss: torch.Tensor) -> bool:
        """Take a step; return whether there is time for another one."""
        for group, rate in zip(self.optimizer.param_groups, (self.rate, 5 * self.rate), strict=True):
            group["lr"] = rate * min(1.0, self.past / WARM_UP) * max(0.0, 1 - self.past)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.losses.append(float(loss.detach()))
        if len(self.losses) % 50 == 0:
            print(f"{len(self.losses)} batches: {np.mean(self.losses[-50:]):.4f}, {self.past:.0%} of the time", flush=True)
        return self.past < 1


def distil(options: argparse.Namespace) -> None:
    """Train six layers to give the vectors of twelve."""
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    model, path = fetched(options.encoder)
    tokenizer = read_tokenizer(path)
    known = np.load(options.claims)
    questions = list(dict.fromkeys(line for file in options.questions for line in file.read_text("utf-8").splitlines() if line))
    texts = [*known["texts"].tolist(), *questions]
    vectors = np.concatenate([known["vectors"], teacher_vectors(questions, model, tokenizer)]).astype(np.float32)
    centre = vectors.mean(0)
    _, _, axes = np.linalg.svd(vectors[::7] - centre, full_matrices=False)
    targets = functional.normalize(torch.from_numpy((vectors - centre) @ axes[:DIMENSIONS].T), dim=-1)
    rows = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    network = start_network(model)
    schedule = Schedule(network, options.minutes, options.rate)
    while True:
        for batch in batches([len(row) for row in rows], options.tokens, chance):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                made, _ = network(*token_batch([rows[place] for place in batch]))
            wanted = targets[batch]
            near, truth = made.float() @ made.float().T / TEMPERATURE, wanted @ wanted.T / TEMPERATURE
            alike = functional.kl_div(near.log_softmax(-1), truth.log_softmax(-1), log_target=True, reduction="batchmean")
            loss = (1 - (made.float() * wanted).sum(-1)).mean() + TEACHER_WEIGHT * alike
            if not schedule.step(loss):
                torch.save(network.state_dict(), options.checkpoint)
                return


def batches(sizes: Sequence[int], tokens: int, chance: random.Random) -> list[list[int]]:
    """Return batches of places of about equal size, each of at most so many tokens, in an order by chance."""
    made: list[list[int]] = [[]]
    for place in sorted(range(len(sizes)), key=lambda place: sizes[place] + chance.random() * 4, reverse=True):
        if made[-1] and (len(made[-1]) + 1) * max(sizes[other] for other in (made[-1][0], place)) > tokens:
            made.append([])
        made[-1].append(place)
    chance.shuffle(made)
    return made


class Pair(NamedTuple):
    """A question with a claim and its label; `reader` is the sheet that the label is from."""

    question: str
    claim: str
    label: str
    reader: str = ""

    @property
    def is_learnt(self) -> bool:
        """Whether the network may learn from it."""
        return self.reader != BEST and not is_held_out(self.question)


def is_held_out(question: str) -> bool:
    """Return whether a question is for measuring alone: every fifth one."""
    return int(hashlib.sha256(question.encode()).hexdigest(), 16) % 5 == 0


def read_pairs(options: argparse.Namespace) -> list[Pair]:
    """Return the labelled pairs of a file; a question of a data set stands there as the file and the place in it."""
    pairs = []
    with options.matches.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            question = asked_question(row, options.data)
            if question:
                pairs.append(Pair(question, claim_text(_claim_of(row)), row["label"], row["reader"]))
    return pairs


@cache
def _set_questions(path: Path) -> Sequence[str]:
    text = path.read_text(encoding="utf-8")
    rows = json.loads(text) if path.suffix == ".json" else map(json.loads, text.splitlines())
    return [" ".join(row["question"].split()) for row in rows]


def _claim_of(row: dict[str, str]) -> Claim:
    return Claim(row["cause"], row["effect"], Relation(row["relation"]), Polarity(row["polarity"]))


def read_facts(path: Path) -> list[Pair]:
    """Return questions with facts that answer them."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Pair(row["question"], claim_text(Claim(row["cause"], row["effect"], *READ_RELATIONS[row["relation"]])), "yes")
        for row in rows
    ]


def pair_batch(tokenizer: Tokenizer, pairs: Sequence[Pair]) -> tuple[torch.Tensor, ...]:
    """Return the inputs of pairs: question and claim in one row."""
    questions, claims = (
        [encoding.ids for encoding in tokenizer.encode_batch(texts)]
        for texts in ([pair.question for pair in pairs], [pair.claim for pair in pairs])
    )
    rows = [[*question, *claim[1:]] for question, claim in zip(questions, claims, strict=True)]
    types = [[0] * len(question) + [1] * (len(claim) - 1) for question, claim in zip(questions, claims, strict=True)]
    return token_batch(rows, types)


def train(options: argparse.Namespace) -> None:
    """Train the labels of pairs, and how near questions are to claims that answer them."""
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    tokenizer = read_tokenizer(fetched(options.encoder)[1])
    pairs, facts = read_pairs(options), read_facts(options.facts)
    learnt = [pair for pair in pairs if pair.is_learnt]
    known_facts = [pair for pair in facts if pair.is_learnt]
    others = [known_facts[(place + 7) % len(known_facts)] for place in range(len(known_facts))]
    unlike = [pair._replace(claim=other.claim, label="no") for pair, other in zip(known_facts, others, strict=True)]
    rows = [*learnt, *known_facts, *unlike]
    answers = [*known_facts, *(pair for pair in learnt if pair.label == "yes")]
    refused = {pair.question: pair.claim for pair in learnt if pair.label == "no"}
    print(f"{len(learnt)} pairs to learn from, {len(pairs) - len(learnt)} held out, {len(facts)} facts", flush=True)
    network = MatcherNetwork()
    network.load_state_dict(torch.load(options.checkpoint))
    schedule = Schedule(network, options.minutes, options.rate)
    sizes = [len(pair.question) // 4 + len(pair.claim) // 4 for pair in rows]
    weights = torch.tensor(LABEL_WEIGHTS)
    for epoch in itertools.count(1):
        for batch in batches(sizes, options.tokens, chance):
            chosen = [rows[place] for place in batch]
            near = chance.sample(answers, min(NEARNESS_BATCH, len(answers)))
            near = list({pair.question: pair for pair in near}.values())
            hard = [refused[pair.question] for pair in near if pair.question in refused]
            texts = [*(pair.question for pair in near), *(pair.claim for pair in near), *hard]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                _, logits = network(*pair_batch(tokenizer, chosen))
                vectors, _ = network(*token_batch([encoding.ids for encoding in tokenizer.encode_batch(texts)]))
            truth = torch.tensor([LABELS.index(pair.label) for pair in chosen])
            loss = functional.cross_entropy(logits.float(), truth, weight=weights)
            vectors = vectors.float()
            cosines = vectors[: len(near)] @ vectors[len(near) :].T / TEMPERATURE
            loss = loss + NEARNESS_WEIGHT * functional.cross_entropy(cosines, torch.arange(len(near)))
            if not schedule.step(loss):
                torch.save(network.state_dict(), options.trained)
                print(f"in epoch {epoch}")
                report(network, tokenizer, [pair for pair in pairs if not pair.is_learnt])
                return


def train_names(options: argparse.Namespace) -> None:
    """Train how near phrases are to the names that they mean, and go on with the labels of pairs."""
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    tokenizer = read_tokenizer(fetched(options.encoder)[1])
    with open_store(starter_graph()) as store:
        names = {name for edge in store.edges() for name in (edge.claim.cause, edge.claim.effect) if name.count(" ") < NAME_WORDS}
    everyday = read_everyday_names(options.names)
    learnt = [pair for pair in everyday if not is_name_held_out(pair[1])]
    same, synonyms = read_same_names(names)
    texts = sorted(names | {name for pairs in (everyday, same) for _, name in pairs})
    alike: dict[str, set[str]] = defaultdict(set)
    for phrase, name in (*learnt, *same, *synonyms):
        alike[name].add(phrase)
        alike[phrase].add(name)
    labelled = [pair for pair in read_pairs(options) if pair.is_learnt] + [
        pair for pair in read_facts(options.facts) if pair.is_learnt
    ]
    network = MatcherNetwork()
    network.load_state_dict(torch.load(options.trained))
    schedule = Schedule(network, options.minutes, options.rate)
    hard: dict[tuple[str, str], list[str]] = {}
    weights = torch.tensor(LABEL_WEIGHTS)
    while True:
        rows = [*learnt, *learnt, *chance.sample(synonyms, min(len(synonyms), len(learnt) // 2)), *same]
        chance.shuffle(rows)
        for at in range(0, len(rows) - NAME_BATCH + 1, NAME_BATCH):
            pairs = rows[at : at + NAME_BATCH]
            loss = nearness_loss(
                network, tokenizer, pairs, [chance.choice(hard[pair]) for pair in pairs if hard.get(pair)], alike
            )
            if len(schedule.losses) % 3 == 0:
                chosen = chance.sample(labelled, LABEL_BATCH)
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    _, logits = network(*pair_batch(tokenizer, chosen))
                truth = torch.tensor([LABELS.index(pair.label) for pair in chosen])
                loss = loss + LABEL_WEIGHT * functional.cross_entropy(logits.float(), truth, weight=weights)
            if not schedule.step(loss):
                torch.save(network.state_dict(), options.named)
                report_names(network, tokenizer, texts, [pair for pair in everyday if is_name_held_out(pair[1])])
                return
            if not hard and schedule.past > HARD_FROM:
                began = time.process_time()
                hard = near_names_of(network, tokenizer, texts, learnt, alike)
                schedule.seconds += time.process_time() - began


class RelevanceGroup(NamedTuple):
    """A question with the labels of claims that were read with it, by their texts."""

    question: str
    labels: Mapping[str, str]
    is_learnt: bool = True


def read_relevance(options: argparse.Namespace) -> list[RelevanceGroup]:
    """Return the questions of docs/judgements/claim-relevance.tsv with their claims."""
    with options.relevance.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        RelevanceGroup(
            question, {claim: label for label in LABELS for claim in row[label].split(" ; ") if claim}, row["use"] == "train"
        )
        for row in table
        if (question := asked_question(row, options.data))
    ]


def train_relevance(options: argparse.Namespace) -> None:
    """Train which claims answer a question, and how near it is to these; go on with phrases and names."""
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    tokenizer = read_tokenizer(fetched(options.encoder)[1])
    groups = [group for group in read_relevance(options) if group.is_learnt]
    older: dict[str, dict[str, str]] = defaultdict(dict)
    for pair in read_pairs(options):
        if pair.is_learnt:
            older[pair.question][pair.claim] = pair.label
    groups += itertools.starmap(RelevanceGroup, older.items())
    answered = [group for group in groups if LABELS[0] in group.labels.values()]
    everyday = read_everyday_names(options.names)
    alike: dict[str, set[str]] = defaultdict(set)
    for phrase, name in everyday:
        alike[name].add(phrase)
        alike[phrase].add(name)
    network = MatcherNetwork()
    network.load_state_dict(torch.load(options.named))
    schedule = Schedule(network, options.minutes, options.rate)
    while True:
        chance.shuffle(groups)
        for at in range(0, len(groups), GROUPS_OF_BATCH):
            loss = relevance_loss(network, tokenizer, groups[at : at + GROUPS_OF_BATCH], chance)
            if len(schedule.losses) % 3 == 0:
                loss = loss + LABEL_WEIGHT * nearness_loss(network, tokenizer, chance.sample(everyday, NAMES_BESIDE), [], alike)
                loss = loss + NEARNESS_WEIGHT * question_loss(network, tokenizer, chance.sample(answered, NEARNESS_BATCH), chance)
            if not schedule.step(loss):
                torch.save(network.state_dict(), options.relevant)
                return


def relevance_loss(
    network: MatcherNetwork, tokenizer: Tokenizer, groups: Sequence[RelevanceGroup], chance: random.Random
) -> torch.Tensor:
    """Return how far the labels of claims are from those of readers, and the answers of a question from the top of its claims."""
    pairs: list[Pair] = []
    ends = [0]
    for group in groups:
        good, bad = ([item for item in group.labels.items() if (item[1] == LABELS[-1]) is no] for no in (False, True))
        good = good[:MOST_ANSWERS]
        bad = chance.sample(bad, min(len(bad), max(FEWEST_OTHERS, OTHERS - max(0, len(good) - FEWEST_OTHERS))))
        pairs += [Pair(group.question, claim, label) for claim, label in (*good, *bad)]
        ends.append(len(pairs))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        _, logits = network(*pair_batch(tokenizer, pairs))
    logits = logits.float()
    truth = torch.tensor([LABELS.index(pair.label) for pair in pairs])
    loss = functional.cross_entropy(logits, truth, weight=torch.tensor(LABEL_WEIGHTS))
    scores = torch.logsumexp(logits[:, :2], -1) - torch.logsumexp(logits[:, 2:], -1)
    ranks = []
    for start, end in itertools.pairwise(ends):
        shares = torch.tensor([ANSWER_SHARES.get(pair.label, 0.0) for pair in pairs[start:end]])
        if 0 < int((shares > 0).sum()) < end - start:
            ranks.append(-(functional.log_softmax(scores[start:end], -1) * shares / shares.sum()).sum())
    return loss + (LABEL_WEIGHT * torch.stack(ranks).mean() if ranks else 0.0)


def question_loss(
    network: MatcherNetwork, tokenizer: Tokenizer, groups: Sequence[RelevanceGroup], chance: random.Random
) -> torch.Tensor:
    """Return how far questions are from a claim that answers each, among those of the others and two that do not answer it."""
    by_label = [
        (
            [claim for claim, label in group.labels.items() if label == LABELS[0]],
            [claim for claim, label in group.labels.items() if label not in ANSWERS],
        )
        for group in groups
    ]
    claims = [chance.choice(answers) for answers, _ in by_label]
    others = [claim for _, refused in by_label for claim in chance.sample(refused, min(2, len(refused)))]
    encodings = tokenizer.encode_batch([*(group.question for group in groups), *claims, *others])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        vectors, _ = network(*token_batch([encoding.ids for encoding in encodings]))
    vectors = vectors.float()
    cosines = vectors[: len(groups)] @ vectors[len(groups) :].T / TEMPERATURE
    return functional.cross_entropy(cosines, torch.arange(len(groups)))


def read_everyday_names(path: Path) -> list[tuple[str, str]]:
    """Return phrases of everyday language, each with the name that it means."""
    lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if "\t" in line)
    return [(phrase.strip(), name) for name, phrases in lines for phrase in phrases.split(";") if phrase.strip()]


def read_same_names(names: Container[str]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the pairs of names that readers took for one thing, and the synonyms of names of the graph."""
    same, others = ([tuple(line.split("\t")) for line in read_lines(table)] for table in ("same_things", "synonyms"))
    synonyms = [(phrase, name) for phrase, means in others for name in means.split("|") if name in names and phrase not in names]
    return [(phrase, name) for phrase, name in same], synonyms


def read_lines(table: str) -> list[str]:
    """Return the lines of a table of the linker."""
    return (DATA / f"{table}.tsv").read_text(encoding="utf-8").splitlines()


def is_name_held_out(name: str) -> bool:
    """Return whether a name is for measuring alone: every seventh one."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 7 == 0


def nearness_loss(
    network: MatcherNetwork,
    tokenizer: Tokenizer,
    pairs: Sequence[tuple[str, str]],
    hard: Sequence[str],
    alike: Mapping[str, set[str]],
) -> torch.Tensor:
    """Return how far phrases are from their names among those of a batch and `hard` ones, those that are alike left out."""
    phrases, names = zip(*pairs, strict=True)
    encodings = tokenizer.encode_batch([*phrases, *names, *hard])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        vectors, _ = network(*token_batch([encoding.ids for encoding in encodings]))
    vectors = vectors.float()
    cosines = vectors[: len(pairs)] @ vectors[len(pairs) :].T / TEMPERATURE
    for row, (phrase, name) in enumerate(pairs):
        for column, other in enumerate((*names, *hard)):
            if column != row and (other == name or other in alike[name] or other in alike[phrase]):
                cosines[row, column] = -LARGE
    truth = torch.arange(len(pairs))
    back = cosines[:, : len(pairs)].T
    return functional.cross_entropy(cosines, truth) + NEARNESS_WEIGHT * functional.cross_entropy(back, truth)


def text_vectors(network: MatcherNetwork, tokenizer: Tokenizer, texts: Sequence[str]) -> Any:
    """Return the vectors of texts by a network that is being trained."""
    network.eval()
    rows = [encoding.ids for encoding in tokenizer.encode_batch(list(texts))]
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
    vectors = np.zeros((len(rows), DIMENSIONS), np.float32)
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        for at in range(0, len(order), 256):
            places = order[at : at + 256]
            vectors[places] = network(*token_batch([rows[place] for place in places]))[0].float().numpy()
    network.train()
    return vectors


def near_names_of(
    network: MatcherNetwork,
    tokenizer: Tokenizer,
    texts: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    alike: Mapping[str, set[str]],
) -> dict[tuple[str, str], list[str]]:
    """Return for each phrase the names that are near to it without being its own; the nearest three may mean the same."""
    vectors, phrases = (text_vectors(network, tokenizer, each) for each in (texts, [phrase for phrase, _ in pairs]))
    hard = {}
    for pair, phrase in zip(pairs, phrases, strict=True):
        near = [texts[place] for place in np.argsort(-(vectors @ phrase))[:30]]
        others = [name for name in near if name != pair[1] and name not in alike[pair[1]] and name not in alike[pair[0]]]
        hard[pair] = others[3:25]
    return hard


def report_names(network: MatcherNetwork, tokenizer: Tokenizer, texts: Sequence[str], pairs: Sequence[tuple[str, str]]) -> None:
    """Print for which share of phrases the name is the nearest, among the nearest five, and among the nearest twenty."""
    vectors, phrases = (text_vectors(network, tokenizer, each) for each in (texts, [phrase for phrase, _ in pairs]))
    places = [
        int(((vectors @ phrase) > vectors[texts.index(name)] @ phrase).sum())
        for phrase, (_, name) in zip(phrases, pairs, strict=True)
    ]
    shares = {count: round(sum(place < count for place in places) / len(places), 3) for count in (1, 5, 20)}
    print(f"{len(pairs)} phrases that are held out, {len(texts)} names; the name is among the nearest {shares}")


def report(network: MatcherNetwork, tokenizer: Tokenizer, held_out: Sequence[Pair]) -> None:
    """Print how well answers are told from the rest among what is held out."""
    network.eval()
    chances: list[float] = []
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        for at in range(0, len(held_out), 32):
            _, logits = network(*pair_batch(tokenizer, held_out[at : at + 32]))
            chances += logits.float().softmax(-1)[:, 0].tolist()
    print_scores(chances, held_out)


def print_scores(chances: Sequence[float], held_out: Sequence[Pair]) -> None:
    """Print the area under the curve, and precision and recall at some bounds."""
    right = [pair.label == "yes" for pair in held_out]
    fair = [pair.label in ("yes", "part") for pair in held_out]
    print(f"{len(right)} pairs, {sum(right)} right; AUC {auroc(chances, right) or 0.0:.3f}")
    for bound in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97):
        taken = [place for place, share in enumerate(chances) if share >= bound]
        hits = sum(right[place] for place in taken)
        near = sum(fair[place] for place in taken)
        print(
            f"  {bound}: {len(taken)} taken, precision {hits / max(1, len(taken)):.3f} "
            f"(with part {near / max(1, len(taken)):.3f}), recall {hits / max(1, sum(right)):.3f}"
        )


def export(options: argparse.Namespace) -> None:
    """Write the network with int8 weights."""
    network = MatcherNetwork(attention="eager")
    network.load_state_dict(torch.load(options.trained))
    network.eval()
    options.model.parent.mkdir(parents=True, exist_ok=True)
    export_network(network, options.model)


def export_network(network: MatcherNetwork, model: Path) -> None:
    """Write the network with int8 weights."""
    from reader.onnx_layers import export_int8

    export_int8(network, model, ["vectors", "labels"])


def fit_relevance(options: argparse.Namespace) -> None:
    """Fit the logistic model of claims near to a question on questions that are not learnt from; measure it by their tenths."""
    matcher = ClaimMatcher()
    rows: list[LabelledName] = []
    with open_store(starter_graph()) as store:
        index = open_embedding_index(store, matcher)
        if index is None:
            raise SystemExit("the starter graph has no vectors by this encoder: kgqa embed")
        for group in read_relevance(options):
            if group.is_learnt:
                continue
            text, kind, _ = select_question(check_question(group.question), classify)
            request = Request(text, kind, CachedView(store))
            for edge, features in matcher.relevance_features(asked_claim(request), near_claims(request, matcher, index)):
                label = group.labels.get(claim_text(edge.claim))
                if label is not None:
                    rows.append(LabelledName(group.question, group.question, features, label))
    chances = chances_by_tenths(rows, RELEVANCE_FEATURES)
    best: dict[str, int] = {}
    for place in sorted(range(len(rows)), key=lambda place: -chances[place]):
        best.setdefault(rows[place].question, place)
    tables = {}
    for bound in sorted({0.4, 0.5, 0.6, 0.7, 0.8, 0.9, options.bound}):
        tables[str(bound)] = taken_from(bound, rows, chances, best.values())
        print(bound, tables[str(bound)], "all", taken_from(bound, rows, chances, range(len(rows))))
    area = round(auroc(chances, [row.is_right for row in rows]) or 0.0, 3)
    print(f"{len(rows)} claims of {len(best)} questions, AUC {area}")
    write_match_model(
        CLAIM_RELEVANCE,
        fit_logistic([row.features for row in rows], [row.is_right for row in rows], RELEVANCE_FEATURES),
        "labels of docs/judgements/claim-relevance.tsv that the encoder is not trained on",
        "--data ../shared/data fit_relevance docs/judgements/claim-relevance.tsv",
        {"claims": len(rows), "auc": area, "best claim of a question, by tenths": tables},
        options.bound,
    )


class LabelledName(NamedTuple):
    """A name that may mean a phrase of a question, with its features and how a reader labelled it."""

    question: str
    phrase: str
    features: Mapping[str, float]
    label: str

    @property
    def is_right(self) -> bool:
        """Whether the name means the phrase, in full or in part."""
        return self.label in ANSWERS


def chances_by_tenths(rows: Sequence[LabelledName], features: Sequence[str]) -> list[float]:
    """Return the probability of each row by a model that is fitted on other tenths of the questions."""
    folds = {question: place % FOLDS for place, question in enumerate(dict.fromkeys(row.question for row in rows))}
    chances = [0.0] * len(rows)
    for fold in range(FOLDS):
        others = [row for row in rows if folds[row.question] != fold]
        model = fit_logistic([row.features for row in others], [row.is_right for row in others], features)
        for place, row in enumerate(rows):
            if folds[row.question] == fold:
                chances[place] = model.probability(row.features)
    return chances


def taken_from(bound: float, rows: Sequence[LabelledName], chances: Sequence[float], places: Iterable[int]) -> dict[str, int]:
    """Return how many of the rows at some places have a probability from a bound on, how many are right, and in full."""
    taken = [rows[place] for place in places if chances[place] >= bound]
    full = sum(row.label == ANSWERS[0] for row in taken)
    return {"taken": len(taken), "right": sum(row.is_right for row in taken), "in full": full}


def write_match_model(
    name: str, model: LogisticModel, fitted_on: str, arguments: str, tables: Mapping[str, Any], bound: float
) -> None:
    """Write a logistic model of matches with what it was fitted on, the arguments of this script, measurements and bound."""
    facts = FittedModel(
        name,
        {SINGLE_OUTPUT: {feature: round(weight, 4) for feature, weight in model.weights.items()}},
        {SINGLE_OUTPUT: round(model.bias, 4)},
        fitted_on,
        f"python scripts/training/train_claim_matcher.py {arguments}",
        dict(tables),
        {"bound": bound},
    )
    write_fitted_model(fitted_model_path(name), facts)


def asked_question(row: Mapping[str, str], data: Path | None) -> str:
    """Return the question of a row; one of a data set stands there as the file and the place in it."""
    file, _, place = row["of"].partition(":")
    return row["question"] or (_set_questions(data / file)[int(place)] if data else "")


def fit_logistic(features: Sequence[Mapping[str, float]], right: Sequence[bool], names: Sequence[str]) -> LogisticModel:
    """Return the logistic regression of what is right, with a penalty of the squared weights."""
    inputs = np.array([[1.0, *(each[name] for name in names)] for each in features])
    truth = np.array(right, float)
    penalty = np.diag([0.0] + [PENALTY] * len(names))
    weights = np.zeros(len(names) + 1)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (chance - truth) + penalty @ weights
        weights -= np.linalg.solve((inputs * (chance * (1 - chance))[:, None]).T @ inputs + penalty, slope)
    return LogisticModel(dict(zip(names, weights[1:].tolist(), strict=True)), float(weights[0]))


def main() -> None:
    """Run one of the steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", type=Path, default=Path("encoder"))
    parser.add_argument("--data", type=Path, help="the folder of the data sets whose questions MATCHES names by their places")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=2_000)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--minutes", type=float, default=8.0)
    steps = parser.add_subparsers(required=True)
    for step, names in ((embed, ("claims",)), (distil, ("claims", "checkpoint"))):
        command = steps.add_parser(step.__name__)
        command.set_defaults(step=step)
        for name in names:
            command.add_argument(name, type=Path)
        if step is distil:
            command.add_argument("questions", type=Path, nargs="+")
    command = steps.add_parser("train")
    command.set_defaults(step=train)
    for name in ("matches", "facts", "checkpoint", "trained"):
        command.add_argument(name, type=Path)
    command = steps.add_parser("train_names")
    command.set_defaults(step=train_names)
    for name in ("names", "matches", "facts", "trained", "named"):
        command.add_argument(name, type=Path)
    command = steps.add_parser("export")
    command.set_defaults(step=export)
    for name in ("trained", "model"):
        command.add_argument(name, type=Path)
    command = steps.add_parser("train_relevance")
    command.set_defaults(step=train_relevance)
    for name in ("relevance", "names", "matches", "facts", "named", "relevant"):
        command.add_argument(name, type=Path)
    command = steps.add_parser("fit_relevance")
    command.set_defaults(step=fit_relevance)
    command.add_argument("relevance", type=Path)
    command.add_argument("--bound", type=float, default=0.7)
    options = parser.parse_args()
    options.step(options)


if __name__ == "__main__":
    main()
