"""`kgqa rules`: what the mining rules are, whether they find what their examples say, and proposals of new ones.

`kgqa rules induce`: new rules that a corpus suggests, from pairs that a graph believes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph.belief.priors import shipped_priors
from graph.errors import GraphError
from graph.mining.rules.rule_tables import Rule, load_rules
from graph.sources.article import Article
from graph.sources.input_stream import OnSkip
from graph.stores import open_store
from kgqa.cli.arguments.inputs import STDIN, DamageCallback, InputFiles, format_option, read_corpus
from kgqa.cli.arguments.options import (
    WholeNumber,
    WrongUse,
    complete_names,
    graph_option,
    json_option,
    require_value,
    rules_option,
)
from kgqa.cli.output.progress import Progress, SkipCounter
from kgqa.cli.output.terminal import count_text, note, say, say_boldly, say_json, shell_quote
from kgqa.settings import graph_url

if TYPE_CHECKING:
    from graph.mining.miner import ClaimPairs, ExampleFailure
    from graph.mining.rules.rule_proposal import RuleProposal


PROPOSAL_HEADING = "estimate  right  wrong  like known  rule"


@click.command(epilog="Example: kgqa rules induce enwiki.xml.bz2 -g mine.kgqa --output proposed.toml")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@graph_option
@click.option(
    "--minimum", type=WholeNumber(1, 10_000), metavar="N", default=3, show_default=True, help="Known pairs that a rule must join."
)
@click.option("--estimate", type=click.FloatRange(0, 1), metavar="P", default=0.0, help="Only rules of this estimate and more.")
@click.option(
    "--limit", type=WholeNumber(1, 10_000), metavar="N", default=100, show_default=True, help="How many rules to propose at most."
)
@click.option("--seed", type=int, metavar="N", default=0, show_default=True, help="What the sampled sentences depend on.")
@click.option(
    "--output", metavar="FILE.toml", callback=require_value, help="Where to write the rules; an existing file is replaced."
)
@format_option
@rules_option
@click.pass_context
def induce(
    context: click.Context,
    inputs: Sequence[str],
    graph: str | None,
    minimum: int,
    estimate: float,
    limit: int,
    seed: int,
    output: str | None,
    form: str,
    rules: str | None,
) -> None:
    """Propose rules: how sentences join pairs that a graph believes.

    INPUTs are texts as for kgqa mine; they are read twice. What the present rules find already is left out. The rules are
    proposals: read them, and what they find, before they are used with --rules.
    """
    if STDIN in inputs:
        raise WrongUse("the inputs are read twice, which stdin cannot be", "kgqa rules induce FILE", context)
    known_rules = load_rules(rules)
    reading, damage, skips = InputFiles(inputs), list[GraphError](), SkipCounter()
    with closing(open_store(graph_url(graph))) as store, Progress(f"reading {reading.name}", reading, over_output=True) as bar:
        from graph.mining.induction import induce_rules as induced
        from graph.mining.miner import Miner
        from graph.mining.rules.known_pairs import KnownPairs, believed_pairs

        pairs = KnownPairs(believed_pairs(store.statements()))

        callbacks: Iterator[tuple[OnSkip, DamageCallback]] = iter([(skips, damage.append)])

        def texts() -> Iterator[str]:
            """Give the corpus from its beginning; what is wrong with it is told the first time only."""
            on_skip, on_damage = next(callbacks, (_ignore_damage, _ignore_damage))
            return (article.text for article in _corpus_articles(InputFiles(inputs), form, on_skip, on_damage))

        proposals = induced(texts, pairs, Miner(known_rules), minimum, seed, bar.show)
    skips.report()
    chosen = [proposal for proposal in proposals if proposal.estimate >= estimate][:limit]
    if output is not None and chosen:
        text = "\n".join(proposal.toml() for proposal in chosen)
        Path(output).write_text(text, encoding="utf-8", errors="replace")
    _print_proposals(reading.name, len(pairs), chosen, output)
    if damage:
        raise damage[0]


def _ignore_damage(what: object) -> None:
    """Say nothing of it."""


def _corpus_articles(reading: InputFiles, form: str, on_skip: OnSkip, on_damage: DamageCallback) -> Iterator[Article]:
    """Yield the articles of all inputs, of each as far as it can be read."""
    for stream in reading.streams(on_damage):
        yield from (item for item in read_corpus(stream, form, on_skip, on_damage) if isinstance(item, Article))


def _print_proposals(name: str, pairs: int, chosen: Sequence[RuleProposal], output: str | None) -> None:
    """Print the proposals for a person."""
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


def _rule_ids() -> list[str]:
    """Return the ids of the rules that ship."""
    return [rule.id for rule in load_rules(None)]


def _rule_families() -> list[str]:
    """Return the families of the rules that ship."""
    return list(dict.fromkeys(rule.family for rule in load_rules(None)))


class RulesGroup(click.Group):
    """The commands about rules, in the order in which they are written."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, from reading rules to proposing them."""
        return ["list", "show", "test", "induce"]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments begin with; raise `WrongUse` with the nearest name where there is none."""
        if args[0] not in self.commands and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], self.commands, 1)
            raise WrongUse(f"no command '{args[0]}'", f"kgqa rules {near[0] if near else '--help'}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=RulesGroup,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    epilog="Example: kgqa rules list --family prevention",
)
@click.pass_context
def rules(context: click.Context) -> None:
    """List, test and propose the rules that find claims.

    A rule is a set of words in a frame of syntax, with the end that is the cause, a relation, and sentences that it must
    and must not match.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)


rules.add_command(induce)


@rules.command("list", epilog="Example: kgqa rules list --family verbs")
@click.option(
    "--family",
    metavar="NAME",
    callback=require_value,
    shell_complete=complete_names(_rule_families),
    help="Only the rules of this family.",
)
@rules_option
@json_option
@click.pass_context
def list_rules(context: click.Context, family: str | None, rules: str | None, json: bool) -> None:
    """List the rules, family by family."""
    known = load_rules(rules)
    families = list(dict.fromkeys(rule.family for rule in known))
    if family is not None and family not in families:
        raise WrongUse(f"no family '{family}'; there are: {', '.join(families)}", "kgqa rules list", context)
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


@rules.command(epilog="Example: kgqa rules show cause.active")
@click.argument("name", metavar="ID", shell_complete=complete_names(_rule_ids))
@rules_option
@json_option
@click.pass_context
def show(context: click.Context, name: str, rules: str | None, json: bool) -> None:
    """Show a rule: its words, its patterns and its examples."""
    (rule,) = _find_rules([name], load_rules(rules), context)
    if json:
        say_json(_rule_record(rule))
        return
    say_boldly(rule.id)
    cause, effect = ("subject", "object") if rule.cause_is_subject else ("object", "subject")
    lines = {
        "family": f"{rule.family}, learnt from {rule.learnt}",
        "says": _rule_meaning(rule),
        "ends": f"the {cause} is the cause, the {effect} the effect",
        "words": " ".join(sorted(rule.cue)),
        "looks for": rule.text,
        "only where": "; ".join(_conditions(rule)),
        "precision": _precision_text(rule),
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


@rules.command(epilog="Example: kgqa rules test --rules my.toml")
@click.argument("names", metavar="[ID]...", nargs=-1, shell_complete=complete_names(_rule_ids))
@rules_option
@json_option
@click.pass_context
def test(context: click.Context, names: Sequence[str], rules: str | None, json: bool) -> None:
    """Run the examples of rules, each rule by itself.

    Without an ID, those of all rules. The exit code is 1 where a rule finds something else than its examples say.
    """
    known = load_rules(rules)
    chosen = _find_rules(names, known, context) if names else list(known)
    from graph.mining.miner import example_failures

    failed = 0
    for failure in example_failures(chosen):
        failed += 1
        if json:
            say_json(_failure_record(failure))
        else:
            _print_failure(failure)
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
            command = f"{context.command_path} {near[0]}" if near else "kgqa rules list"
            raise WrongUse(f"no rule '{name}'", command, context)
    return [by_id[name] for name in names]


def _rule_meaning(rule: Rule) -> str:
    """Return what a rule says of its cause and its effect."""
    parts = [str(rule.relation)]
    parts += [str(rule.polarity)] if rule.polarity != "none" else []
    parts += [f'"{rule.strength}"'] if rule.strength.value != rule.relation.value else []
    return ", ".join([*parts, *(["hedged"] if rule.hedged else [])])


def _precision_text(rule: Rule) -> str:
    """Return how often what the rule finds is right; empty for a rule that nobody has measured, nor its family."""
    known = shipped_priors().rules.get(rule.id)
    return "" if known is None else f"{known:.2f}, from judged claims of the rule and of its family"


def _conditions(rule: Rule) -> list[str]:
    """Return what must hold of the arguments, in words."""
    return [
        *([] if rule.agents else ["the cause is no person or body"]),
        *(["the word has no direct object"] if rule.bare else []),
        *([f"the cause is one of {len(rule.cause_in):,} nouns"] if rule.cause_in else []),
        *([f"the cause is none of {len(rule.cause_not_in):,} nouns"] if rule.cause_not_in else []),
        *([f"the effect is one of {len(rule.effect_in):,} nouns"] if rule.effect_in else []),
        *([f"the effect is none of {len(rule.effect_not_in):,} nouns"] if rule.effect_not_in else []),
        *([f"the effect is called '{rule.object_name}'"] if rule.object_name else []),
    ]


def _rule_record(rule: Rule) -> dict[str, object]:
    """Return a rule as a JSON object."""
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
        "match": [{"text": example.text, "claims": [list(pair) for pair in sorted(example.claims)]} for example in rule.matches],
        "no_match": list(rule.no_matches),
    }


def _failure_record(failure: ExampleFailure) -> dict[str, object]:
    """Return a failure as a JSON object."""
    return {
        "id": failure.rule.id,
        "text": failure.text,
        "expected": [list(pair) for pair in sorted(failure.expected)],
        "found": [list(pair) for pair in sorted(failure.actual)],
        "parsed": failure.parsed,
    }


def _print_failure(failure: ExampleFailure) -> None:
    """Print a failure for a person."""
    say(f"{failure.rule.id}: {failure.text}", "", "  ")
    say(f"expected {_claims_text(failure.expected)}", "  ", "    ")
    unread = "" if failure.parsed else " (its words keep the sentence from being read)"
    say(f"found {_claims_text(failure.actual)}{unread}", "  ", "    ")


def _claims_text(claims: ClaimPairs) -> str:
    """Return claims for a person."""
    return "; ".join(f"{cause} → {effect}" for cause, effect in sorted(claims)) or "no claim"
