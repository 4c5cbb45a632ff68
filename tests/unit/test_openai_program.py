"""Launcher ``openai`` against an endpoint on loopback."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from contract.launcher_contract import a_launch
from fake_openai import USAGE, FakeOpenAI, Reply, a_text, an_error
from fakes import START
from model_queue import openai_session
from model_queue.launchers import openai_reading
from model_queue.launchers.finished import Finished, SessionPlan
from model_queue.launchers.openai import TEXT_ONLY, OpenAIProgram
from model_queue.launchers.session_files import RECEIPT
from model_queue.launchers.supervised import SupervisedLauncher
from model_queue.model import ErrorClass, Outcome
from model_queue.openai_session import Exchange, Wanted
from model_queue.ports import SystemClock
from model_queue.settings import SourceSettings
from waiting import eventually


def a_source(endpoint: str, **fields: object) -> SourceSettings:
    return SourceSettings(
        name="ollama-local",
        models=("ollama/qwen2.5",),
        launcher="openai",
        endpoint=endpoint,
        **fields,  # type: ignore[arg-type] # fields are the test's
    )


def a_plan(endpoint: str) -> SessionPlan:
    return SessionPlan(
        label="mq-t-001-a1-00000001",
        task_id="T-001",
        queue="ollama-local",
        attempt=1,
        model="ollama/qwen2.5",
        runtime_model="qwen2.5",
        program="openai",
        argv=["unused"],
        reads_prompt=True,
        cwd="/",
        timeout_s=60,
        grace_s=1,
        config_cwd="/",
        started_at="2026-03-04T16:51:00+00:00",
        facts={"endpoint": endpoint, "max_tokens": 4096, "api_key_env": "MY_KEY"},
    )


class Session:
    """One session without its process: the exchange, then the reading of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.thoughts = ""

    def run(
        self,
        endpoint: str,
        *,
        key: str | None = None,
        start_timeout_s: float = 20,
        stall_timeout_s: float = 20,
    ) -> Outcome:
        wanted = Wanted(
            endpoint=endpoint,
            model="qwen2.5",
            prompt="Analyze the sales data",
            max_tokens=4096,
            key=key,
            start_timeout_s=start_timeout_s,
            stall_timeout_s=stall_timeout_s,
        )
        answer, thoughts = io.BytesIO(), io.BytesIO()
        exchange = Exchange(wanted, answer=answer, thoughts=thoughts)

        is_complete = exchange.run({})

        self.thoughts = thoughts.getvalue().decode()
        (self.folder / "stdout").write_bytes(answer.getvalue())
        (self.folder / RECEIPT).write_text(json.dumps(exchange.receipt))
        return openai_reading.read(
            Finished(
                plan=a_plan(endpoint),
                session_dir=str(self.folder),
                exit_code=0 if is_complete else 1,
                duration_s=1.5,
                ended_at=START,
            )
        )


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def test_answer_is_streamed_and_its_receipt_read(session: Session) -> None:
    with FakeOpenAI(a_text("Six ", "percent ", "more.")) as server:
        outcome = session.run(server.endpoint)

    assert outcome == Outcome(
        result_status="success",
        result="Six percent more.",
        summary="Six percent more.",
        model="qwen2.5:7b",
        spent={"wall_clock_s": 1.5, "tokens": 12},
    )


def test_request_names_model_prompt_limit_and_stream(session: Session) -> None:
    with FakeOpenAI() as server:
        session.run(server.endpoint)

    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.body == {
        "model": "qwen2.5",
        "messages": [{"role": "user", "content": "Analyze the sales data"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 4096,
    }


def test_key_is_sent_only_when_there_is_one(session: Session) -> None:
    with FakeOpenAI() as server:
        session.run(server.endpoint)
        session.run(server.endpoint, key="abc")

    sent = [request.headers.get("authorization") for request in server.requests]
    assert sent == [None, "Bearer abc"]


def test_answer_cut_at_max_tokens_is_partial(session: Session) -> None:
    with FakeOpenAI(a_text("Six percent", finish="length")) as server:
        outcome = session.run(server.endpoint)

    assert outcome.result_status == "partial"
    assert outcome.result == "Six percent"


def test_report_that_says_failed_has_failed_though_cut_short(session: Session) -> None:
    reply = a_text("No file here.\nStatus: failed\n1", finish="length")

    with FakeOpenAI(reply) as server:
        outcome = session.run(server.endpoint)

    assert outcome.result_status == "failed"
    assert outcome.error_class is ErrorClass.REPORTED


def test_thoughts_are_no_part_of_the_answer(session: Session) -> None:
    deltas: list[object] = [
        {"reasoning_content": "hm "},
        {"reasoning": "hmm"},
        {"content": "<think>well</think>Six."},
    ]

    with FakeOpenAI(Reply(deltas=deltas)) as server:  # type: ignore[arg-type] # JSON
        outcome = session.run(server.endpoint)

    assert outcome.result == "Six."
    assert session.thoughts == "hm hmm"


@pytest.mark.parametrize(
    ("finish", "message"),
    [
        pytest.param("stop", "the session ended with an empty report", id="silent"),
        pytest.param(
            "length",
            "all 4096 tokens (max_tokens) were used up before an answer came",
            id="thought too long",
        ),
        pytest.param(
            "content_filter",
            "the provider's filter held the answer back",
            id="filtered",
        ),
        pytest.param(
            "tool_calls",
            "the model called a tool instead of answering",
            id="wants a tool",
        ),
    ],
)
def test_an_empty_answer_is_no_report_and_says_why(
    session: Session, finish: str, message: str
) -> None:
    with FakeOpenAI(a_text("<think>hm</think>", finish=finish)) as server:
        outcome = session.run(server.endpoint)

    assert outcome.result_status == "failed"
    assert outcome.error_class is ErrorClass.INVALID_REPORT
    assert outcome.error_message == message


@pytest.mark.parametrize(
    ("reply", "error_class", "part"),
    [
        pytest.param(
            an_error(400, "messages: field required"),
            ErrorClass.BAD_REQUEST,
            "messages: field required",
            id="400",
        ),
        pytest.param(
            an_error(401, "Incorrect API key provided"),
            ErrorClass.AUTH,
            "(the variable MY_KEY is not set)",
            id="401",
        ),
        pytest.param(
            an_error(404, 'model "qwen2.5" not found, try pulling it first'),
            ErrorClass.MODEL_NOT_FOUND,
            'model "qwen2.5" not found',
            id="404",
        ),
        pytest.param(
            an_error(429, "Rate limit reached", retry_after="7"),
            ErrorClass.RATE_LIMITED,
            "Rate limit reached",
            id="429",
        ),
        pytest.param(
            an_error(500, "CUDA out of memory"),
            ErrorClass.TRANSIENT,
            "CUDA out of memory",
            id="500",
        ),
        pytest.param(
            Reply(
                status=502, body="<html>Bad Gateway</html>", content_type="text/html"
            ),
            ErrorClass.TRANSIENT,
            "502",
            id="502 of a proxy",
        ),
        pytest.param(
            Reply(status=302, body="", headers={"Location": "https://x/v1"}),
            ErrorClass.BAD_REQUEST,
            "is not there (HTTP 302); it points to https://x/v1",
            id="302",
        ),
        pytest.param(
            a_text(
                "Six", extra=['data: {"error": {"code": 429, "message": "slow"}}\n']
            ),
            ErrorClass.RATE_LIMITED,
            "slow",
            id="error in the stream",
        ),
        pytest.param(
            a_text("Six", extra=["data: {broken\n"]),
            ErrorClass.TRANSIENT,
            "JSONDecodeError",
            id="broken JSON",
        ),
        pytest.param(
            a_text("Six percent", finish=None, done=False, drops=True),
            ErrorClass.TRANSIENT,
            "the answer broke off",
            id="dropped in mid-answer",
        ),
        pytest.param(
            a_text("Six percent", finish=None, usage=None),
            ErrorClass.TRANSIENT,
            "the answer broke off",
            id="ended without an end",
        ),
    ],
)
def test_an_answer_that_did_not_come_is_classified(
    session: Session, reply: Reply, error_class: ErrorClass, part: str
) -> None:
    with FakeOpenAI(reply) as server:
        outcome = session.run(server.endpoint)

    assert outcome.result_status == "failed"
    assert outcome.result is None
    assert outcome.error_class is error_class
    assert part in (outcome.error_message or "")


def test_rate_limit_ends_when_the_endpoint_says(session: Session) -> None:
    with FakeOpenAI(an_error(429, "Rate limit", retry_after="7")) as server:
        outcome = session.run(server.endpoint)

    assert outcome.until == START + dt.timedelta(seconds=7)


def test_an_endpoint_that_is_not_there_is_named(session: Session) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"

    outcome = session.run(endpoint)

    assert outcome.error_class is ErrorClass.TRANSIENT
    assert endpoint in (outcome.error_message or "")


def test_a_cold_start_is_waited_for_as_long_as_the_source_says(
    session: Session,
) -> None:
    with FakeOpenAI(Reply(waits="start")) as server:
        outcome = session.run(server.endpoint, start_timeout_s=0.1)

    assert outcome.error_class is ErrorClass.TRANSIENT
    assert "did not begin to answer within 0.1 s (start_timeout_s)" in str(
        outcome.error_message
    )


def test_a_stall_in_mid_answer_is_no_cold_start(session: Session) -> None:
    with FakeOpenAI(a_text("Six", waits="answer")) as server:
        outcome = session.run(server.endpoint, stall_timeout_s=0.1)

    assert outcome.result is None
    assert "the answer stopped for 0.1 s" in str(outcome.error_message)


def test_comments_before_the_first_piece_do_not_end_the_cold_start(
    session: Session,
) -> None:
    reply = Reply(extra=[": still loading\n\n"], waits="answer")

    with FakeOpenAI(reply) as server:
        outcome = session.run(server.endpoint, start_timeout_s=0.2, stall_timeout_s=9)

    assert "did not begin to answer" in str(outcome.error_message)


def test_an_endpoint_that_does_not_stream_is_understood(session: Session) -> None:
    body = {
        "model": "qwen2.5:7b",
        "choices": [{"message": {"content": "Six."}, "finish_reason": "stop"}],
        "usage": USAGE,
    }

    with FakeOpenAI(Reply(body=json.dumps(body))) as server:
        outcome = session.run(server.endpoint)

    assert outcome.result == "Six."
    assert outcome.model == "qwen2.5:7b"
    assert outcome.spent == {"wall_clock_s": 1.5, "tokens": 12}


@pytest.mark.parametrize(
    ("message", "changed"),
    [
        pytest.param(
            "Unrecognized request argument supplied: stream_options",
            {"max_tokens": 4096},
            id="no stream_options",
        ),
        pytest.param(
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            {
                "stream_options": {"include_usage": True},
                "max_completion_tokens": 4096,
            },
            id="another name for the limit",
        ),
    ],
)
def test_an_option_that_an_endpoint_refuses_is_adapted_once(
    session: Session, message: str, changed: dict[str, object]
) -> None:
    with FakeOpenAI(an_error(400, message), a_text("Six.")) as server:
        outcome = session.run(server.endpoint)

    first, second = (set(request.body) for request in server.requests)
    assert outcome.result == "Six."
    assert set(changed) == second - {"model", "messages", "stream"}
    assert first != second


def test_an_option_refused_again_and_again_is_a_bad_request(session: Session) -> None:
    with FakeOpenAI(an_error(400, "stream_options, max_completion_tokens?")) as server:
        outcome = session.run(server.endpoint)

    assert outcome.error_class is ErrorClass.BAD_REQUEST
    assert len(server.requests) == 3


def test_without_a_receipt_the_process_itself_has_failed(tmp_path: Path) -> None:
    (tmp_path / "stderr").write_text("MemoryError")
    finished = Finished(a_plan("http://x/v1"), str(tmp_path), -9, 2.0, START)

    outcome = openai_reading.read(finished)

    assert outcome.result_status == "failed"
    assert outcome.error_class is ErrorClass.TRANSIENT
    assert "MemoryError" in str(outcome.error_message)


def test_the_smaller_of_both_token_limits_holds(tmp_path: Path) -> None:
    source = a_source("http://127.0.0.1:1/v1", max_tokens=500)

    limits = [
        OpenAIProgram().facts(source, a_launch(tmp_path, max_tokens=own))["max_tokens"]
        for own in (None, 100, 9000)
    ]

    assert limits == [500, 100, 500]


def test_the_prompt_is_followed_by_what_the_model_has_not(tmp_path: Path) -> None:
    prompt = OpenAIProgram().prompt(a_launch(tmp_path, prompt="Do it.\n"))

    assert prompt == f"Do it.\n\n\n{TEXT_ONLY}"


@pytest.mark.parametrize(
    ("environment", "proxy"),
    [
        pytest.param({}, None, id="no proxy"),
        pytest.param({"https_proxy": "http://p:3128"}, "p", id="proxy"),
        pytest.param({"HTTPS_PROXY": "p:3128"}, "p", id="without scheme"),
        pytest.param({"https_proxy": "p:1", "no_proxy": "*"}, None, id="for nobody"),
        pytest.param(
            {"https_proxy": "p:1", "NO_PROXY": "a.org, .example.com"}, None, id="domain"
        ),
        pytest.param(
            {"https_proxy": "p:1", "no_proxy": "ample.com"}, "p", id="part of a word"
        ),
    ],
)
def test_a_proxy_is_used_for_the_hosts_it_is_meant_for(
    environment: dict[str, str], proxy: str | None
) -> None:
    connection = openai_session.connect_to(
        "https://api.example.com/v1/chat/completions", environment
    )

    assert connection.host == (proxy or "api.example.com")


def test_a_plain_endpoint_is_reached_without_a_proxy() -> None:
    connection = openai_session.connect_to(
        "http://gpu:11434/v1", {"https_proxy": "p:1", "http_proxy": "p:1"}
    )

    assert (connection.host, connection.port) == ("gpu", 11434)


@pytest.fixture
def run_for_real(tmp_path: Path) -> Callable[[SourceSettings], Outcome]:
    """Run a whole session: launcher, supervisor, session process."""

    def run(source: SourceSettings) -> Outcome:
        launcher = SupervisedLauncher(
            source,
            OpenAIProgram(),
            sessions_dir=str(tmp_path / "sessions"),
            config_cwd=str(tmp_path),
            environment={
                "PATH": os.environ["PATH"],
                "HOME": str(tmp_path),
                "MODEL_QUEUES_DIR": str(tmp_path),
                "MODEL_QUEUE_WAKER": "off",
                "MY_KEY": "a-very-secret-key",
            },
            clock=SystemClock(),
        )
        launch = a_launch(tmp_path)
        launcher.start(launch)
        return eventually(lambda: launcher.find(launch.label).outcome)

    return run


def test_a_whole_session_leaves_its_key_in_no_file(
    tmp_path: Path, run_for_real: Callable[[SourceSettings], Outcome]
) -> None:
    with FakeOpenAI(a_text("Six ", "percent 数.")) as server:
        outcome = run_for_real(a_source(server.endpoint, api_key_env="MY_KEY"))

    (request,) = server.requests
    assert request.headers["authorization"] == "Bearer a-very-secret-key"
    assert request.body["messages"] == [
        {"role": "user", "content": f"Analyze the sales data\n\n{TEXT_ONLY}"}
    ]
    assert outcome.result == "Six percent 数."
    assert outcome.model == "qwen2.5:7b"
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in written if b"very-secret" in path.read_bytes()]


def test_a_whole_session_that_is_refused_says_why(
    run_for_real: Callable[[SourceSettings], Outcome],
) -> None:
    with FakeOpenAI(an_error(404, "model 'qwen2.5' not found")) as server:
        outcome = run_for_real(a_source(server.endpoint))

    assert outcome.error_class is ErrorClass.MODEL_NOT_FOUND
