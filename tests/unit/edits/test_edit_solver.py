"""ACC-01 to ACC-12 by the general mechanism: in paraphrases, and with other names and numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kgqa.edits.edit_solver import solve_conditional
from kgqa.evaluation.metrics.text_scores import exact_match
from kgqa.readers.reader import AnswerKind, Candidate, Passage

ZONES = (
    "{country} follows a single standard time offset of eight hours ahead of Coordinated Universal "
    "Time, even though it spans almost "
    "{zones} geographical time zones. Daylight saving time has not been observed since 1991."
)
ELMO = (
    "{game} is a 1999 educational video game. It was released in {first} in {one}. Like the "
    "{other_game}, it was also released on "
    "{second} in {other}. The player must press the buttons."
)
PEAKS = (
    "{one} is Earth's highest mountain above sea level, with an elevation of {high} metres. {two}, at {low} metres, is the "
    "second-highest mountain on Earth. {three} has a height of {third} metres."
)
TRADE = (
    "{player} played eight years in Ohio. After four seasons with {former}, {player} was traded "
    "to {latter} in July {year}. He won a title there."
)
SHOPS = (
    "As of July {year}, {firm} operates, franchises, or licenses 71,100 stores in {count} countries. "
    "The chain was known as Tote'm "
    "Stores until it was renamed in 1946."
)
GAMES = (
    "The {year} Summer Games in {city} were originally scheduled to take place from {first} to "
    "{last} {year}, but were postponed to "
    "{later} as a result of {cause}. It was the first time that they were postponed."
)
RACE = (
    "At the {year} {place} Grand Prix, the early leaders retired. {winner} won the race. {one} "
    "finished {rank}, ahead of Moreno in "
    "ninth, while {other} came home {other_rank}. The fastest lap was set late."
)
DOGS = (
    "The {one} and the {other} were shown together until {year}, when the first of them received "
    "status as a separate breed. They differ in size."
)
BONES = (
    "{name} was originally regarded as {former}, but a new cladistic analysis performed by {author} "
    "in {year} suggests that it is "
    "a massospondylid. It is known from one skull."
)
FILMS = (
    "{one} was originally scheduled to be released on April 20, {year}. It was moved to May 4, "
    "{year}, a week after {other}, which "
    "opened on {day}, {year}. Critics liked neither."
)
SEAS = (
    "{low} is the world's lowest-lying country, with an average ground level of 1.5 metres. "
    "{high} has high mountains and rich soil."
)
GIFT = (
    "In August {year}, {club} donated €{amount} to the City of {city} for its work with helping "
    "asylum seekers. The club later waived "
    "20,000 euros of what it was owed."
)


def asked(question: str, text: str, candidates: Sequence[Candidate] = ()) -> str:
    found = solve_conditional(question, [Passage(text)], candidates).solutions
    return found[0].candidate.text if found else "no script"


def is_answer(answer: str, *golds: str) -> bool:
    return exact_match(answer, golds) == 1.0


@pytest.mark.parametrize(
    ("country", "zones", "answer"),
    [("China", "five", "4"), ("Sarmatia", "eleven", "10"), ("Borduria", "seven", "6"), ("India", "3", "2")],
)
@pytest.mark.parametrize(
    "question",
    [
        "If {c} were to adopt local time zones instead of a single standard time, what would be the "
        "maximum time difference between the "
        "easternmost and westernmost parts?",
        "Suppose {c} gave up its single time and used its local time zones: what would the "
        "difference between its easternmost and "
        "westernmost ends be in hours?",
        "How many hours ahead of the westernmost part of {c} would the easternmost one be if {c} had kept its own time zones?",
    ],
)
def test_n_zones_in_a_row_are_n_minus_one_hours_apart(country: str, zones: str, answer: str, question: str) -> None:
    assert is_answer(asked(question.format(c=country), ZONES.format(country=country, zones=zones)), answer, f"{answer} hours")


ELMO_WORLDS = [
    ("Elmo's ABCs", "March 1999", "North America", "April 6, 2001", "Europe", "European"),
    ("Blue Harbour", "May 2003", "Europe", "June 9, 2006", "Japan", "Japanese"),
    ("Rook Tales", "July 1994", "Brazil", "October 2, 1997", "Canada", "Canadian"),
]


@pytest.mark.parametrize(("game", "first", "one", "second", "other", "adjective"), ELMO_WORLDS)
@pytest.mark.parametrize(
    ("question", "whose"),
    [
        (
            "If {game} was released in {one} at the same time as it was released in {other}, in what "
            "year was it released in {other}?",
            1,
        ),
        ("If {game} had come out in {one} on the same day as in {other}, in which year would {one} have got it?", 1),
        (
            "In what year would {game} have been released in {one} if it had been released there at the same time as in {other}?",
            1,
        ),
        (
            "If {game} had been launched simultaneously in {other} and {one}, in which year would it "
            "have hit the {adjective} market?",
            0,
        ),
        ("If {game} had been released in {other} at the same time as in {one}, in which year would it have reached {other}?", 0),
        ("If {game} had come out in {one} and {other} on the same day, in which year would it have been sold in {other}?", 0),
    ],
)
def test_an_event_put_on_the_date_of_another_takes_it_and_never_gives_its_own(
    game: str, first: str, one: str, second: str, other: str, adjective: str, question: str, whose: int
) -> None:
    text = ELMO.format(game=game, first=first, one=one, second=second, other=other, other_game="Red Barn")
    filled = question.format(game=game, one=one, other=other, adjective=adjective)
    assert is_answer(asked(filled, text), (first, second)[whose][-4:])


@pytest.mark.parametrize(
    ("one", "two", "three", "high", "low", "third"),
    [
        ("Mount Everest", "K2", "Kangchenjunga", "8,848", "8,611", "8,586"),
        ("Mount Arvon", "Tarn Peak", "Old Baldy", "5,210", "4,973", "4,100"),
    ],
)
@pytest.mark.parametrize(
    ("change", "first"),
    [
        ("300 m lower", 1),
        ("300 metres shorter", 1),
        ("1000 m lower", 1),
        ("100 m lower", 0),
        ("500 ft lower", 0),
        ("5000 ft lower", 1),
    ],
)
@pytest.mark.parametrize(
    "question",
    [
        "If {one} were {change}, which mountain would be the highest on Earth?",
        "Which would be the tallest mountain if {one} was {change}?",
        "Suppose {one} had been {change}, what would have been the world's highest mountain?",
    ],
)
def test_the_highest_is_found_among_the_edited_heights(
    one: str, two: str, three: str, high: str, low: str, third: str, change: str, first: int, question: str
) -> None:
    text = PEAKS.format(one=one, two=two, three=three, high=high, low=low, third=third)
    assert is_answer(asked(question.format(one=one, change=change), text), (one, two)[first])


@pytest.mark.parametrize(
    ("player", "former", "latter", "year"),
    [
        ("LeBron James", "the Cleveland Cavaliers", "the Los Angeles Lakers", 2018),
        ("Otto Brand", "the Riga Foxes", "the Turin Hawks", 1996),
    ],
)
@pytest.mark.parametrize(
    "question",
    [
        "If {p} hadn't been traded to {l}, which team would he have played for in the {y} season?",
        "If {p} had not gone to {l}, for which team would he have played in {y}?",
        "Which team would {p} have played for in {y} if he had never been traded to {l}?",
    ],
)
def test_without_the_trade_the_former_team_stays(player: str, former: str, latter: str, year: int, question: str) -> None:
    text = TRADE.format(player=player, former=former, latter=latter, year=year)
    assert is_answer(asked(question.format(p=player, l=latter, y=year), text), former)


@pytest.mark.parametrize(("firm", "year", "count"), [("7-Eleven", 2020, 17), ("Nordkiosk", 2014, 31), ("Quick Barn", 2009, 104)])
@pytest.mark.parametrize(
    ("question", "more"),
    [
        ("If {f} had expanded to five more countries in July {y}, in how many countries would it have operated?", 5),
        ("In how many countries would {f} operate stores if it had opened in five additional countries by July {y}?", 5),
        ("If {f} had stores in three fewer countries, what would have been the total number of countries in July {y}?", -3),
    ],
)
def test_more_countries_are_added_and_fewer_taken_away(firm: str, year: int, count: int, question: str, more: int) -> None:
    text = SHOPS.format(firm=firm, year=year, count=count)
    assert is_answer(asked(question.format(f=firm, y=year), text), str(count + more))


@pytest.mark.parametrize(
    ("year", "city", "first", "last", "later", "cause", "day"),
    [
        (2020, "Tokyo", "24 July", "9 August", "23 July 2021", "the COVID-19 pandemic", "July 24"),
        (1988, "Oslo", "3 June", "19 June", "8 May 1989", "a general strike", "June 3"),
    ],
)
@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("If {cause} hadn't spread, when would the {city} Summer Games have started?", True),
        ("When would the {city} Summer Games have begun if {cause} had not delayed them?", True),
        ("If the Summer Games in {city} hadn't been postponed, in which year would they have taken place?", False),
    ],
)
def test_without_the_cause_the_original_date_stays(
    year: int, city: str, first: str, last: str, later: str, cause: str, day: str, question: str, whole: bool
) -> None:
    text = GAMES.format(year=year, city=city, first=first, last=last, later=later, cause=cause)
    assert is_answer(asked(question.format(cause=cause, city=city), text), f"{day}, {year}" if whole else str(year))


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "It was to be closed in {first}, but the fishermen objected, and it was closed in {last}.",
            "When would it have been closed if the fishermen had not objected?",
            "{first}",
        ),
        (
            "The bridge was planned to open in {first}, but the contractor went bankrupt and it opened in {last}.",
            "If the contractor had not gone bankrupt, in what year would the bridge have opened?",
            "{first}",
        ),
        (
            "The hall was meant to seat 900 people, but the money ran out. Built in {last}, it seats 640 people.",
            "How many people would the hall seat if the money had not run out?",
            "900",
        ),
    ],
)
@pytest.mark.parametrize(("first", "last"), [(1931, 1962), (2004, 2011)])
def test_without_what_came_between_all_is_as_it_was_meant(text: str, question: str, answer: str, first: int, last: int) -> None:
    told = text.format(first=first, last=last)
    assert is_answer(asked(question, f"Port Lindow lies on the coast. {told}"), answer.format(first=first))


def test_what_has_not_hindered_a_plan_leaves_it_as_it_is() -> None:
    text = "It was to be closed in 1931, but the fishermen objected, and it was closed in 1962. A lighthouse was built nearby."
    assert asked("When would it have been closed if the lighthouse had not been built?", text) == "no script"


@pytest.mark.parametrize(
    ("year", "place", "winner", "one", "rank", "other", "other_rank"),
    [
        (1991, "Belgian", "Senna", "Berger", "fourth", "Piquet", "sixth"),
        (1978, "Danish", "Holm", "Varga", "third", "Lindqvist", "eighth"),
        (2003, "Finnish", "Kallio", "Petrov", "5th", "Okafor", "7th"),
    ],
)
@pytest.mark.parametrize(
    ("question", "whose"),
    [
        (
            "If {one} and {other} had swapped places at the {year} {place} Grand Prix, what would have been {other}'s position?",
            "rank",
        ),
        (
            "What position would {one} have finished in if {one} and {other} had exchanged places in "
            "the {year} {place} Grand Prix?",
            "other_rank",
        ),
        (
            "If {other} had switched positions with {one}, in which position would {other} have "
            "finished at the {place} Grand Prix?",
            "rank",
        ),
    ],
)
def test_two_that_swap_get_the_place_of_the_other(
    year: int, place: str, winner: str, one: str, rank: str, other: str, other_rank: str, question: str, whose: str
) -> None:
    text = RACE.format(year=year, place=place, winner=winner, one=one, rank=rank, other=other, other_rank=other_rank)
    filled = question.format(one=one, other=other, year=year, place=place)
    assert is_answer(asked(filled, text), rank if whose == "rank" else other_rank)


@pytest.mark.parametrize(
    ("one", "other", "year"),
    [("English Cocker Spaniel", "American Cocker Spaniel", 1946), ("Saxon Lurcher", "Breton Wolfhound", 1911)],
)
@pytest.mark.parametrize(
    "question",
    [
        "If the {one} had not been granted a separate breed designation in {y}, with which breed "
        "would it have continued to be shown?",
        "If the kennel club hadn't granted the {one} a separate name, with which breed would it be shown together?",
        "With which breed would the {one} have been shown if it had never received status as a separate breed?",
    ],
)
def test_without_the_parting_the_two_stay_together(one: str, other: str, year: int, question: str) -> None:
    assert is_answer(asked(question.format(one=one, y=year), DOGS.format(one=one, other=other, year=year)), other)


@pytest.mark.parametrize(
    ("name", "former", "author", "year"),
    [("Pradhania", "a basal sauropodomorph", "Novas", 2011), ("Velmisaurus", "an early theropod", "Ostrander", 1987)],
)
@pytest.mark.parametrize(
    "question",
    [
        "If the cladistic analysis by {author} had not been performed in {year}, what would {name} be regarded as?",
        "What would {name} have remained classified as if {author} hadn't analysed it in {year}?",
        "If {author} had never made a new analysis, as what would {name} still be regarded?",
    ],
)
def test_without_the_revision_the_earlier_reading_stays(name: str, former: str, author: str, year: int, question: str) -> None:
    text = BONES.format(name=name, former=former, author=author, year=year)
    assert is_answer(asked(question.format(name=name, author=author, year=year), text), former)


@pytest.mark.parametrize(
    ("one", "other", "year", "day"),
    [("Overboard", "Avengers: Infinity War", 2018, "April 27"), ("Low Tide", "The Glass Orchard", 2007, "April 26")],
)
@pytest.mark.parametrize(
    "question",
    [
        "If {one} had been released on {day}, {year}, which film would it have had to compete with?",
        "Which film would have been the competitor of {one} if it had come out on {day}, {year}?",
        "If the release of {one} had been on {day}, {year}, what film would it have been up against?",
    ],
)
def test_an_event_that_is_moved_meets_what_happens_on_that_day(one: str, other: str, year: int, day: str, question: str) -> None:
    text = FILMS.format(one=one, other=other, year=year, day=day)
    assert is_answer(asked(question.format(one=one, day=day, year=year), text), other)


@pytest.mark.parametrize(("low", "high"), [("Maldives", "Nepal"), ("Tuvalia", "Andoria")])
@pytest.mark.parametrize(
    "question",
    [
        "If the sea level continues to rise at an accelerated rate, which country is likely to be submerged first?",
        "If sea levels rose further, what country would be flooded first?",
        "Which country would be the first to be under water if the ocean level increased?",
    ],
)
def test_the_lowest_is_the_first_that_a_rising_sea_reaches(low: str, high: str, question: str) -> None:
    assert is_answer(asked(question, SEAS.format(low=low, high=high)), low)


@pytest.mark.parametrize(
    ("club", "city", "year", "amount", "twice", "half"),
    [("RB Leipzig", "Leipzig", 2015, "50,000", "100,000", "25,000"), ("FC Varna", "Varna", 2009, "36,400", "72,800", "18,200")],
)
@pytest.mark.parametrize(
    ("question", "factor"),
    [
        (
            "If {club} had doubled their donation to the City of {city} in August {year}, what would "
            "have been the total amount in euros?",
            2,
        ),
        ("How much would {club} have donated to the City of {city} if its donation had been twice as large?", 2),
        ("If {club} had donated only half of the amount to the City of {city}, how much money would that have been?", 1),
    ],
)
def test_a_donation_is_doubled_and_halved(
    club: str, city: str, year: int, amount: str, twice: str, half: str, question: str, factor: int
) -> None:
    text = GIFT.format(year=year, club=club, amount=amount, city=city)
    sign = "" if "euros" in question else "€"
    wanted = f"{sign}{twice if factor == 2 else half}"
    assert is_answer(asked(question.format(club=club, city=city, year=year), text), wanted)


def test_the_trace_tells_fact_edit_consequence_and_answer() -> None:
    text = GIFT.format(year=2015, club="RB Leipzig", amount="50,000", city="Leipzig")
    outcome = solve_conditional(
        "If RB Leipzig had doubled its donation to Leipzig, what would have been the total amount?", [Passage(text)]
    )
    first = outcome.solutions[0]
    assert [line.split(":")[0] for line in first.candidate.trace] == ["fact", "edit", "consequence", "answer"]
    assert first.edits[0].operation == "scale by"
    assert first.edits[0].former == "€50,000"
    start, end = first.candidate.start, first.candidate.end
    assert start is not None
    assert text[start:end] == "€50,000"


def test_a_reader_that_points_at_the_operand_decides_between_two_facts() -> None:
    text = "The north tower has 21 floors. The south tower has 34 floors."
    question = "If the tower had two more floors, how many floors would it have?"
    for number, answer in (("21", "23"), ("34", "36")):
        start = text.index(number)
        candidate = Candidate(number, 0.9, AnswerKind.NUMBER, 0, start, start + 2)
        assert asked(question, text, [candidate]) == answer


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("If the film had been both longer and shorter, how long would it have been?", "both"),
        ("If the budget were divided by zero, how much would it be?", "zero"),
        ("If the price had been reduced by 150%, what would the price be?", "more than all"),
        ("If the fee had doubled and halved, how much would it be?", "both"),
        ("What is the capital of France?", "supposes nothing"),
        ("If", "supposes nothing"),
        ("", "supposes nothing"),
        ("If the moon were green, who would have been glad?", "no script"),
    ],
)
def test_what_cannot_be_supposed_gets_no_answer_but_a_reason(question: str, reason: str) -> None:
    outcome = solve_conditional(question, [Passage("The film is 90 minutes long and cost $3 million; the fee was $20.")])
    assert outcome.solutions == ()
    assert reason in outcome.why


@pytest.mark.parametrize("text", ["", "   ", "\0\x01", "!!!", "—"])
def test_an_empty_passage_gives_no_answer(text: str) -> None:
    assert (
        solve_conditional(
            "If the film had been released a year earlier, in which year would it have been released?", [Passage(text)]
        ).solutions
        == ()
    )
    assert (
        solve_conditional(
            "If the film had been released a year earlier, in which year would it have been released?", []
        ).solutions
        == ()
    )


def test_fewer_than_none_is_no_answer() -> None:
    text = "The band has 4 members."
    assert solve_conditional("If the band had 9 fewer members, how many members would it have?", [Passage(text)]).solutions == ()


def test_nonsense_amounts_are_no_answer() -> None:
    text = "The tower was opened in May 1999 and has 12 floors."
    huge = "9" * 400
    assert (
        solve_conditional(f"If the tower had {huge} more floors, how many floors would it have?", [Passage(text)]).solutions == ()
    )
    assert (
        solve_conditional(
            f"If the tower had been opened {'9' * 25} years earlier, in which year would it have opened?", [Passage(text)]
        ).solutions
        == ()
    )


@pytest.mark.parametrize(("road", "length", "twice"), [("County Road 51", "168 km", "336"), ("Track 9", "12 km", "24")])
def test_a_unit_that_is_asked_for_rules_out_numbers_of_other_things(road: str, length: str, twice: str) -> None:
    question = f"If the length of {road} were to be doubled, what would be its total length in kilometers?"
    assert is_answer(asked(question, f"{road} was built by 40 men. It is {length} long."), twice, f"{twice} km")
    assert asked(question, f"{road} was built by 40 men in the 12th year of the plan.") == "no script"
