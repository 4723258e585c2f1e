"""`kgqa path`: the chains of claims from one concept to another, and what every chain depends on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from graph.algorithms.cuts import blocking_concepts, blocking_edges, necessary_causes
from graph.atomic_file import write_atomically
from graph.model import Path
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS
from kgqa.answer_model import AnswerChange
from kgqa.answering.chains.chain_validity import chain_validity
from kgqa.answering.findings import path_finding
from kgqa.cli.arguments import options as cli
from kgqa.cli.explore import concept_names, edge_text, print_steps
from kgqa.cli.output.terminal import note, say, say_json, shell_quote
from kgqa.graph_lookup import chain_records, find_chains
from kgqa.interventions.graph_settings import parse_settings
from kgqa.record import edge_record
from kgqa.wording.claim_clauses import claim_verb
from kgqa.wording.trace_lines import word_change

if TYPE_CHECKING:
    from graph.intervene.effect_probability import WorldDifference


@cli.command('kgqa path smoking "lung cancer" --max-length 3')
def path(
    x: str = cli.argument("x", "X", **cli.CONCEPT),
    y: str = cli.argument("y", "Y", **cli.CONCEPT),
    graph: str | None = cli.graph_option,
    max_length: int = cli.number_option("--max-length", 1, 6, "How many steps a chain has at most.", default=4),
    limit: int = cli.limit_option(5, "chains", most=100),
    valid: bool = cli.flag("--valid", "Only chains that are likely to be valid, the likeliest first."),
    do: Sequence[str] = cli.do_option,
    necessary: bool = cli.flag("--necessary", "Say what every chain passes through, and what would block them all."),
    svg: str | None = cli.option("--svg", "FILE", "Draw the chains into this file, too."),
    json: bool = cli.json_option,
) -> None:
    """Show how X leads to Y, step by step.

    Prints the chains of claims from X to Y along the arrows, best first. The belief in a chain is the product of the beliefs in
    its steps, and less for every step after the first. Behind a chain of several steps stands how probably it is valid: claims
    that are true one by one need not make a chain.
    """
    if svg == "-":
        raise cli.WrongUse("the chains go to stdout, and the picture must go into a file", "kgqa path X Y --svg chains.svg")
    typed = ("kgqa path", shell_quote(x), shell_quote(y), f"-g {shell_quote(graph)}" if graph else "")
    with cli.complete_setting_remedy(*typed):
        parsed_settings = parse_settings(do)
    with cli.open_graph(graph) as store:
        causes = concept_names(x, store, graph, "kgqa path", shell_quote(y))
        effects = concept_names(y, store, graph, f"kgqa path {shell_quote(x)}")
        with cli.complete_setting_remedy(*typed):
            search = find_chains(store, (causes, effects), parsed_settings, max_length=max_length, limit=limit, valid=valid)
        view, paths, changed = search.view, search.paths, search.changed
        if json:
            for record in chain_records(search):
                say_json(record)
        else:
            steps = f"{max_length} steps" if max_length > 1 else "one step"
            what = "chain of causes that is likely to be valid," if valid else "chain of causes"
            none = f"no {what} of at most {steps} leads from '{search.cause}' to '{search.effect}'"
            if do:
                say(f"with {', '.join(do)}:" if paths else f"with {', '.join(do)}, {none}")
            elif not paths:
                say(none)
            _print_chains(view, paths, changed.gained if changed else ())
            if search.world is not None and changed is not None:
                _print_change(changed, search.world.name, search.cause, search.effect)
        if necessary:
            print_necessary(view, causes, effects, max_length, json=json)
        if svg and paths:
            _draw_chains(svg, paths, do)
        elif svg:
            note(f"no chain to draw; '{svg}' is not written")


def _print_chains(view: GraphView, paths: Sequence[Path], gained: Sequence[Path]) -> None:
    """Print chains with their steps, how probably they are valid, and which of them another world has gained."""
    for chain in paths:
        doubt = f"  (valid: {chain_validity(chain, view):.2f})" if len(chain.edges) > 1 else ""
        say(f"{chain.score:.2f}  {path_finding(chain).text}{doubt}{'  (gained)' if chain in gained else ''}", "", "      ")
        print_steps(chain.edges)


def _print_change(changed: WorldDifference, world: str, cause: str, effect: str) -> None:
    """Print which chains another world has lost, and the probability of the effect in both."""
    for chain in changed.lost:
        say(f"lost: {chain.score:.2f}  {path_finding(chain).text}", "", "      ")
    for line in word_change(AnswerChange(effect=effect, given=(cause,), chances=changed.chances, world=world)):
        say(line, "", "      ")


def print_necessary(view: GraphView, causes: Collection[str], effects: Collection[str], max_length: int, *, json: bool) -> None:
    """Print what chains of at most `max_length` steps depend on; without a chain an object of empty lists."""
    necessary = necessary_causes(view, causes, effects, max_length, DRIVING_LINKS)
    concepts = blocking_concepts(view, causes, effects, max_length, DRIVING_LINKS)
    claims = blocking_edges(view, causes, effects, max_length, DRIVING_LINKS)
    if json:
        blocking = {"blocking_concepts": concepts, "blocking_claims": [edge_record(edge) for edge in claims.edges]}
        say_json({"necessary": necessary, **blocking, "doubt": float(f"{claims.doubt:.4g}")})
        return
    if not claims.edges:
        say("without a chain, there is nothing to pass through and nothing to block")
        return
    through = f"every chain passes through: {', '.join(necessary)}"
    say(through if necessary else "no concept that every chain passes through", "", "      ")
    least = f"fewest concepts that would block every chain: {', '.join(concepts or ())}"
    say("no concepts would block every chain: a claim leads there straight" if concepts is None else least, "", "      ")
    say(f"least sure claims that every chain needs one of; {claims.doubt:.2g} that all are wrong:", "", "      ")
    print_steps(claims.edges)


def _draw_chains(out: str, paths: Sequence[Path], settings: Sequence[str]) -> None:
    """Draw chains of claims into a file, with a text for those who cannot see the picture."""
    from graph.draw.svg import draw_svg

    first = paths[0].concepts
    heading = f"How {first[0]} leads to {first[-1]}" + (f", with {', '.join(settings)}" if settings else "")
    description = "; ".join(
        f"{number}. {', '.join(map(edge_text, path.edges))}; score {path.score:.2f}" for number, path in enumerate(paths, 1)
    )
    edges = [edge for path in paths for edge in path.edges]
    ends = {name for path in paths for name in (path.concepts[0], path.concepts[-1])}
    with write_atomically(out) as file:
        file.write(draw_svg(edges, heading, description, ends, claim_verb))
