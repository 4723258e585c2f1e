"""The processes that answer: one that takes too long or dies is replaced, and too many requests are refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from kgqa.settings import Settings
from kgqa.web.http_messages import WebProblem, WebReply, WebRequest
from kgqa.web.worker_pool import WorkerPool, WorkLimits

ASK = WebRequest("ask", query=(("q", "What causes lung cancer?"),))
pytestmark = pytest.mark.slow


def answered(
    graph: Path, limits: WorkLimits, *requests: WebRequest, once_started: bool = True
) -> tuple[list[WebReply | BaseException], WorkerPool]:
    """What comes of requests that are sent at once, when the processes have started."""

    async def run() -> tuple[list[WebReply | BaseException], WorkerPool]:
        pool = WorkerPool(str(graph), Settings(), limits)
        await pool.open()
        try:
            if once_started:
                await pool.respond(WebRequest("healthz"))
            return await asyncio.gather(*map(pool.respond, requests), return_exceptions=True), pool
        finally:
            await pool.close()

    return asyncio.run(run())


def test_two_processes_answer_many_requests(graph_file: Path) -> None:
    replies, pool = answered(graph_file, WorkLimits(2), *[ASK] * 12)
    assert [reply.status for reply in replies if isinstance(reply, WebReply)] == [200] * 12
    assert pool.events == {}


def test_a_request_that_takes_too_long_is_a_problem_and_the_next_is_answered(graph_file: Path) -> None:
    text = "Smoking causes lung cancer because of tar, which damages cells in the lungs of people.\n" * 2_000
    body = json.dumps({"question": "Why does smoking cause lung cancer?", "passage": text})
    long = WebRequest("ask", body=body.encode(), media_type="application/json")
    replies, pool = answered(graph_file, WorkLimits(1, seconds=1.5), long, ASK)
    assert isinstance(replies[0], WebProblem)
    assert replies[0].status == 503
    assert isinstance(replies[1], WebReply)
    assert replies[1].status == 200
    assert pool.events == {"timeout": 1}


def test_more_requests_than_may_wait_are_refused_with_a_time_to_try_again(graph_file: Path) -> None:
    replies, pool = answered(graph_file, WorkLimits(1, waiting=2), *[ASK] * 10)
    refused = [reply for reply in replies if isinstance(reply, WebProblem)]
    assert len(refused) == 7
    assert {(problem.status, problem.retry_s > 0) for problem in refused} == {(429, True)}
    assert pool.events == {"busy": 7}


def test_a_process_that_needs_too_much_memory_is_a_problem(graph_file: Path) -> None:
    replies, pool = answered(graph_file, WorkLimits(1, memory_bytes=30 << 20), ASK, ASK, once_started=False)
    assert [reply.status for reply in replies if isinstance(reply, WebProblem)] == [500, 500]
    assert pool.events == {"lost": 2}
