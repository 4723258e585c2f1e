"""`kgqa rules`: the mining rules, whether they find what their examples say, and proposals of new ones from a corpus."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph.belief.priors import shipped_priors
from graph.errors import GraphError
from graph.mining.rules.rule_tables import Rule, every_rule, load_rules
from graph.sources.article import Article
from graph.sources.input_stream import OnSkip
from kgqa.cli.arguments import options as cli
from kgqa.cli.arguments.inputs import STDIN, DamageCallback, InputFiles, format_option
from kgqa.cli.commands import CommandEntry, LazyGroup
from kgqa.cli.output.progress import Progress, SkipCounter
from kgqa.cli.output.terminal import count_text, note, say, say_boldly, say_json, shell_quote

if TYPE_CHECKING:
    from graph.mining.miner import ClaimPairs
    from graph.mining.rules.rule_proposal import RuleProposal


PROPOSAL_HEADING = "estimate  right  wrong  like known  rule"
RULE_COMMANDS = {
    "list": CommandEntry("rules:list_rules", "List the rules, family by family."),
    "show": CommandEntry("rules:show", "Show a rule: its words, its patterns and its examples."),
    "test": CommandEntry("rules:run_examples", "Run the examples of rules, each rule by itself."),
    "induce": CommandEntry("rules:induce", "Propose rules: how sentences join pairs that a graph believes."),
}

rules = LazyGroup(
    "rules",
    table=RULE_COMMANDS,
    help="""List, test and propose the rules that find claims.

    A rule is a set of words in a frame of syntax, with the end that is the cause, a relation, and sentences that it must
    and must not match.
    """,
    subcommand_metavar="COMMAND [ARGS]...",
    epilog="Example: kgqa rules list --family prevention",
)


complete_rule = cli.complete_names(lambda: [rule.id for rule in every_rule()])
complete_family = cli.complete_names(lambda: dict.fromkeys(rule.family for rule in every_rule()))


@cli.command("kgqa rules induce enwiki.xml.bz2 -g mine.kgqa --output proposed.toml")
def induce(
    context: click.Context,
    inputs: Sequence[str] = cli.inputs_argument,
    graph: str | None = cli.graph_option,
    minimum: int = cli.number_option("--minimum", 1, 10_000, "Known pairs that a rule must join.", default=3),
    estimate: float = cli.option(
        "--estimate", "P", "Only rules of this estimate and more.", type=click.FloatRange(0, 1), default=0.0, show_default=False
    ),
    limit: int = cli.number_option("--limit", 1, 10_000, "How many rules to propose at most.", default=100),
    seed: int = cli.option("--seed", "N", "What the sampled sentences depend on.", type=int, default=0),
    output: str | None = cli.option("--output", "FILE.toml", "Where to write the rules; an existing file is replaced."),
    form: str = format_option,
    rules: str | None = cli.rules_option,
) -> None:
    """Propose rules: how sentences join pairs that a graph believes.

    INPUTs are texts as for kgqa mine; they are read twice. What the present rules find already is left out. The rules are
    proposals: read them, and what they find, before they are used with --rules.
    """
    if STDIN in inputs:
        raise cli.WrongUse("the inputs are read twice, which stdin cannot be", "kgqa rules induce FILE", context)
    known_rules = load_rules(rules)
    reading, damage, skips = InputFiles(inputs), list[GraphError](), SkipCounter()
    with cli.open_graph(graph) as store, Progress(f"reading {reading.name}", reading, over_output=True) as bar:
        from graph.mining.induction import KnownPairs, believed_pairs
        from graph.mining.induction import induce_rules as induced
        from graph.mining.miner import Miner

        pairs = KnownPairs(believed_pairs(store.statements()))

        # What is wrong with the corpus is noted the first time that it is read.
        callbacks: Iterator[tuple[OnSkip, DamageCallback]] = iter([(skips.__call__, damage.append)])

        def texts() -> Iterator[str]:
            """Yield the texts of the corpus from its beginning."""
            items = InputFiles(inputs).articles(form, *next(callbacks, (lambda skipped: None, lambda error: None)))
            return (item.text for item in items if isinstance(item, Article))

        proposals = induced(texts, pairs, Miner(known_rules), minimum, seed, bar.show)
    skips.report()
    chosen = [proposal for proposal in proposals if proposal.estimate >= estimate][:limit]
    if output is not None and chosen:
        text = "\n".join(proposal.toml() for proposal in chosen)
        Path(output).write_text(text, encoding="utf-8", errors="replace")
    _print_proposals(reading.name, len(pairs), chosen, output)
    if damage:
        raise damage[0]


def _print_proposals(name: str, pairs: int, chosen: Sequence[RuleProposal], output: str | None) -> None:
    say(f"{name}: {count_text(len(chosen), 'rule')} proposed from {count_text(pairs, 'known pair')}")
    if chosen:
        print(PROPOSAL_HEADING)
    for proposal in chosen:
        draft = proposal.draft
        print(f"{proposal.estimate:8.2f}  {draft.right:5}  {draft.wrong:5}  {proposal.known:10.0%}  {draft.id}")
        text, claims = proposal.examples[0]
        say(f"{text} ({claims.replace(' -> ', ' → ')})", " " * 10, " " * 10)
    if output is not None and chosen:
        say(f"written to {output}; read them, then: kgqa rules test --rules {shell_quote(output)}")


@cli.command("kgqa rules list --family verbs", "list")
def list_rules(
    context: click.Context,
    family: str | None = cli.option("--family", "NAME", "Only the rules of this family.", shell_complete=complete_family),
    rules: str | None = cli.rules_option,
    json: bool = cli.json_option,
) -> None:
    """List the rules, family by family."""
    known = every_rule(rules)
    families = list(dict.fromkeys(rule.family for rule in known))
    if family is not None and family not in families:
        raise cli.WrongUse(f"no family '{family}'; there are: {', '.join(families)}", "kgqa rules list", context)
    chosen = [rule for rule in known if family in (None, rule.family)]
    if json:
        for rule in chosen:
            say_json(_rule_record(rule))
        return
    for name in families if family is None else (family,):
        some = [rule for rule in chosen if rule.family == name]
        say_boldly(f"{name}: {count_text(len(some), 'rule')}")
        for rule in some:
            say(f"{rule.id}  ({_rule_meaning(rule)}; {rule.learnt})", "  ", "    ")


@cli.command("kgqa rules show cause.active")
def show(
    context: click.Context,
    name: str = cli.argument("name", "ID", shell_complete=complete_rule),
    rules: str | None = cli.rules_option,
    json: bool = cli.json_option,
) -> None:
    """Show a rule: its words, its patterns and its examples."""
    (rule,) = _find_rules([name], every_rule(rules), context)
    if json:
        say_json(_rule_record(rule))
        return
    say_boldly(rule.id)
    cause, effect = ("subject", "object") if rule.cause_is_subject else ("object", "subject")
    known = shipped_priors().rules.get(rule.id)
    lines = {
        "family": f"{rule.family}, learnt from {rule.learnt}",
        "says": _rule_meaning(rule),
        "ends": f"the {cause} is the cause, the {effect} the effect",
        "words": " ".join(sorted(rule.cue)),
        "looks for": rule.text,
        "only where": "; ".join(_conditions(rule)),
        "precision": "" if known is None else f"{known:.2f}, from judged claims of the rule and of its family",
    }
    for heading, text in lines.items():
        if text:
            say(f"{heading}: {text}", "  ", "    ")
    for heading, texts in {
        "patterns": [pattern.text for pattern in rule.patterns],
        "finds": [f"{example.text} ({_claims_text(example.claims)})" for example in rule.matches],
        "finds nothing in": rule.no_matches,
    }.items():
        say(f"{heading}:", "  ")
        for text in texts:
            say(text, "    ", "      ")


@cli.command("kgqa rules test --rules my.toml", "test")
def run_examples(
    context: click.Context,
    names: Sequence[str] = cli.argument("names", "[ID]...", nargs=-1, shell_complete=complete_rule),
    rules: str | None = cli.rules_option,
    json: bool = cli.json_option,
) -> None:
    """Run the examples of rules, each rule by itself.

    Without an ID, those of all rules. The exit code is 1 where a rule finds something else than its examples say.
    """
    known = every_rule(rules)
    chosen = _find_rules(names, known, context) if names else list(known)
    from graph.mining.miner import example_failures

    failed = 0
    for failure in example_failures(chosen):
        failed += 1
        if json:
            pairs = {"expected": sorted(failure.expected), "found": sorted(failure.actual)}
            say_json({"id": failure.rule.id, "text": failure.text, **pairs, "parsed": failure.parsed})
            continue
        say(f"{failure.rule.id}: {failure.text}", "", "  ")
        say(f"expected {_claims_text(failure.expected)}", "  ", "    ")
        unread = "" if failure.parsed else " (its words keep the sentence from being read)"
        say(f"found {_claims_text(failure.actual)}{unread}", "  ", "    ")
    examples = sum(len(rule.matches) + len(rule.no_matches) for rule in chosen)
    summary = f"{count_text(len(chosen), 'rule')}, {count_text(examples, 'example')}, {count_text(failed, 'failure')}"
    if json:
        note(summary)
    else:
        say(summary)
    context.exit(1 if failed else 0)


def _find_rules(names: Iterable[str], known: Iterable[Rule], context: click.Context) -> list[Rule]:
    """Return the rules of these ids; raise `WrongUse` for one that there is not."""
    by_id = {rule.id: rule for rule in known}
    for name in names:
        if name not in by_id:
            near = difflib.get_close_matches(name, by_id, 1)
            raise cli.WrongUse(f"no rule '{name}'", f"{context.command_path} {near[0]}" if near else "kgqa rules list", context)
    return [by_id[name] for name in names]


def _rule_meaning(rule: Rule) -> str:
    """Return what a rule says of its cause and its effect."""
    parts = (
        (True, str(rule.relation)),
        (rule.polarity != "none", str(rule.polarity)),
        (rule.strength.value != rule.relation.value, f'"{rule.strength}"'),
        (rule.hedged, "hedged"),
    )
    return ", ".join(text for holds, text in parts if holds)


def _conditions(rule: Rule) -> list[str]:
    conditions = (
        (not rule.agents, "the cause is no person or body"),
        (rule.bare, "the word has no direct object"),
        (rule.cause_in, f"the cause is one of {len(rule.cause_in):,} nouns"),
        (rule.cause_not_in, f"the cause is none of {len(rule.cause_not_in):,} nouns"),
        (rule.effect_in, f"the effect is one of {len(rule.effect_in):,} nouns"),
        (rule.effect_not_in, f"the effect is none of {len(rule.effect_not_in):,} nouns"),
        (rule.object_name, f"the effect is called '{rule.object_name}'"),
    )
    return [text for holds, text in conditions if holds]


def _rule_record(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "family": rule.family,
        "learnt": rule.learnt,
        "cue": sorted(rule.cue),
        "text": rule.text,
        "patterns": [pattern.text for pattern in rule.patterns],
        "cause": "subject" if rule.cause_is_subject else "object",
        "relation": rule.relation,
        "polarity": rule.polarity,
        "strength": rule.strength,
        "hedged": rule.hedged,
        "precision": shipped_priors().rules.get(rule.id),
        "conditions": _conditions(rule),
        "match": [{"text": example.text, "claims": sorted(example.claims)} for example in rule.matches],
        "no_match": list(rule.no_matches),
    }


def _claims_text(claims: ClaimPairs) -> str:
    return "; ".join(f"{cause} → {effect}" for cause, effect in sorted(claims)) or "no claim"
