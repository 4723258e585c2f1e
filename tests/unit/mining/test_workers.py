"""Work spread over processes: order, number of processes, and what is left when it is broken off."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import BrokenExecutor

import pytest

from graph.mining.workers import map_over_processes

_offset: list[int] = []


def prepare(offset: int) -> None:
    _offset[:] = [offset]


def add(number: int) -> tuple[int, int, str]:
    return number + _offset[0], os.getpid(), os.environ.get("OPENBLAS_NUM_THREADS", "")


def end(number: int) -> int:
    os._exit(number)


def test_results_come_in_order_from_no_more_processes_than_are_wanted() -> None:
    results = list(map_over_processes(add, range(50), 2, prepare, (100,)))
    assert [number for number, _, _ in results] == list(range(100, 150))
    assert os.getpid() not in {process for _, process, _ in results}
    assert len({process for _, process, _ in results}) <= 2
    assert {threads for _, _, threads in results} <= {"1", os.environ.get("OPENBLAS_NUM_THREADS", "1")}
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(("items", "workers"), [(1, 8), (5, 1), (0, 4)])
def test_a_single_item_or_worker_needs_no_other_process(items: int, workers: int) -> None:
    assert [process for _, process, _ in map_over_processes(add, range(items), workers, prepare, (0,))] == [os.getpid()] * items


def test_two_items_start_two_processes_at_most() -> None:
    results = map_over_processes(add, range(2), 16, prepare, (0,))
    next(results)
    assert len(multiprocessing.active_children()) <= 2
    assert len(list(results)) == 1


def test_work_that_is_broken_off_leaves_no_process() -> None:
    results = map_over_processes(add, range(1_000), 2, prepare, (0,))
    next(results)
    results.close()
    assert multiprocessing.active_children() == []


def test_a_process_that_ends_is_told() -> None:
    with pytest.raises(BrokenExecutor):
        list(map_over_processes(end, range(3, 9), 2, prepare, (0,)))
    assert multiprocessing.active_children() == []
