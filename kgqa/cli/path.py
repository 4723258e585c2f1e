"""`kgqa path`: the chains of claims from one concept to another, and what every chain depends on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from graph.algorithms.cuts import blocking_concepts, blocking_edges, necessary_causes
from graph.algorithms.paths import best_paths
from graph.atomic_file import write_atomically
from graph.model import Path
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS
from kgqa.answer_model import AnswerChange
from kgqa.answering.chains.chain_validity import CHAINS_JUDGED, MIN_VALIDITY, chain_validity, rank_by_validity
from kgqa.answering.findings import path_finding
from kgqa.cli.arguments import options as cli
from kgqa.cli.explore import concept_names, edge_text, print_steps
from kgqa.cli.output.terminal import note, say, say_json, shell_quote
from kgqa.interventions.graph_settings import apply_settings, causes_asked_about, parse_settings
from kgqa.record import chances_record, edge_record
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
        with cli.complete_setting_remedy(*typed):
            world = apply_settings(store, parsed_settings, kinds_among=causes_asked_about(store, y)) if parsed_settings else None
        causes = concept_names(x, store, graph, "kgqa path", shell_quote(y))
        effects = concept_names(y, store, graph, f"kgqa path {shell_quote(x)}")
        ends = causes[0], effects[0]
        view, changed = (world.view if world else store), None
        most = max(limit, CHAINS_JUDGED) if valid else limit
        if world is None:
            paths = best_paths(store, causes, effects, max_length, most, DRIVING_LINKS)
        else:
            from graph.intervene.effect_probability import compare_worlds

            changed = compare_worlds(store, world.view, effects, causes, DRIVING_LINKS, max_length, most)
            paths = sorted((*changed.surviving, *changed.gained), key=lambda chain: (-chain.score, chain.concepts))[:most]
        if valid:
            paths = [chain for probability, chain in rank_by_validity(paths, view) if probability >= MIN_VALIDITY][:limit]
        if json:
            _print_chain_records(view, paths, changed, *ends)
        else:
            steps = f"{max_length} steps" if max_length > 1 else "one step"
            what = "chain of causes that is likely to be valid," if valid else "chain of causes"
            none = f"no {what} of at most {steps} leads from '{ends[0]}' to '{ends[1]}'"
            if do:
                say(f"with {', '.join(do)}:" if paths else f"with {', '.join(do)}, {none}")
            elif not paths:
                say(none)
            _print_chains(view, paths, changed.gained if changed else ())
            if world is not None and changed is not None:
                _print_change(changed, world.name, *ends)
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


def _print_chain_records(
    view: GraphView, paths: Sequence[Path], changed: WorldDifference | None, cause: str, effect: str
) -> None:
    """Print an object for each chain: with `--do`, those of that world and those that it lost, and what has become of each."""
    chances = changed and chances_record(effect, (cause,), changed.chances)
    fates = {chain: word for word in ("surviving", "gained", "lost") for chain in (getattr(changed, word) if changed else ())}
    for chain in (*paths, *(changed.lost if changed else ())):
        edges = [edge_record(edge) for edge in chain.edges]
        probable = round(chain_validity(chain, view), 4)
        record = {"concepts": list(chain.concepts), "score": round(chain.score, 4), "validity": probable, "edges": edges}
        say_json({**record, "change": fates.get(chain), "probability": chances})


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
