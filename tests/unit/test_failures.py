"""What an attempt left -> its class, a sentence, and when to try again."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_queue.failures import MESSAGE_COLUMNS, Failure, classify
from model_queue.model import ErrorClass

NOW = dt.datetime(2026, 3, 4, 16, 51, tzinfo=dt.UTC)
IN_20_S = NOW + dt.timedelta(seconds=20)


def answer(
    status: int, body: str = "", headers: Mapping[str, str] | None = None
) -> Failure:
    return classify(now=NOW, http_status=status, body=body, headers=headers)


def program(stderr: str, exit_code: int = 1) -> Failure:
    return classify(now=NOW, exit_code=exit_code, body=stderr)


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        pytest.param(500, "", ErrorClass.TRANSIENT, id="500"),
        pytest.param(503, "model not found", ErrorClass.TRANSIENT, id="503"),
        pytest.param(529, "overloaded_error", ErrorClass.TRANSIENT, id="529"),
        pytest.param(408, "", ErrorClass.TRANSIENT, id="408"),
        pytest.param(409, "", ErrorClass.TRANSIENT, id="409"),
        pytest.param(429, "", ErrorClass.RATE_LIMITED, id="429"),
        pytest.param(401, "", ErrorClass.AUTH, id="401"),
        pytest.param(403, "Authorization failed", ErrorClass.AUTH, id="403"),
        pytest.param(402, "", ErrorClass.QUOTA, id="402"),
        pytest.param(400, "", ErrorClass.BAD_REQUEST, id="400"),
        pytest.param(413, "", ErrorClass.BAD_REQUEST, id="413"),
        pytest.param(404, "not found", ErrorClass.BAD_REQUEST, id="404, no model"),
        pytest.param(
            404,
            '{"error":"model \'x\' not found, try pulling it first"}',
            ErrorClass.MODEL_NOT_FOUND,
            id="404, ollama",
        ),
        pytest.param(
            404,
            "{\"detail\":\"Function '23d4': Not found for account 'Q'\"}",
            ErrorClass.MODEL_NOT_FOUND,
            id="404, nvidia",
        ),
        pytest.param(
            400,
            "The model `x` does not exist",
            ErrorClass.MODEL_NOT_FOUND,
            id="400, model",
        ),
        pytest.param(
            403,
            '{"code":"model_not_found"}',
            ErrorClass.MODEL_NOT_FOUND,
            id="403, model",
        ),
        pytest.param(
            404, "模型 x 不存在", ErrorClass.MODEL_NOT_FOUND, id="404, chinese"
        ),
        pytest.param(
            429, '{"code":"insufficient_quota"}', ErrorClass.QUOTA, id="429, no money"
        ),
        pytest.param(
            400, "Your credit balance is too low", ErrorClass.QUOTA, id="400, no money"
        ),
        pytest.param(429, "RESOURCE_EXHAUSTED", ErrorClass.QUOTA, id="429, exhausted"),
        pytest.param(200, "", ErrorClass.TRANSIENT, id="200 and yet an error"),
    ],
)
def test_an_answer_is_judged_by_its_status_and_words(
    status: int, body: str, expected: ErrorClass
) -> None:
    assert answer(status, body).error_class is expected


@pytest.mark.parametrize(
    ("stderr", "expected"),
    [
        pytest.param("ValueError: bad", ErrorClass.TRANSIENT, id="a crash"),
        pytest.param("usage limit reached", ErrorClass.QUOTA, id="usage limit"),
        pytest.param(
            "You've hit your limit · resets 3pm", ErrorClass.QUOTA, id="limit"
        ),
        pytest.param("5-hour limit reached", ErrorClass.QUOTA, id="5-hour limit"),
        pytest.param("exceeded your current quota", ErrorClass.QUOTA, id="quota"),
        pytest.param("额度已用完，明天 8点 重置", ErrorClass.QUOTA, id="额度…重置"),
        pytest.param("已达到 5 小时的使用上限", ErrorClass.QUOTA, id="使用上限"),
        pytest.param("余额不足", ErrorClass.QUOTA, id="余额不足"),
        pytest.param("Rate limit reached", ErrorClass.RATE_LIMITED, id="rate limit"),
        pytest.param("请求过于频繁", ErrorClass.RATE_LIMITED, id="请求过于频繁"),
        pytest.param("API Error: 429 {}", ErrorClass.RATE_LIMITED, id="agent's 429"),
        pytest.param("API Error: 401 {}", ErrorClass.AUTH, id="agent's 401"),
        pytest.param(
            "Invalid API key · Please run /login", ErrorClass.AUTH, id="not logged in"
        ),
        pytest.param(
            "Error code: 404 - {'error': {'message': 'model \"x\" not found'}}",
            ErrorClass.MODEL_NOT_FOUND,
            id="sdk's 404",
        ),
        pytest.param(
            "unknown model: x", ErrorClass.MODEL_NOT_FOUND, id="unknown model"
        ),
        pytest.param(
            "urllib.error.HTTPError: HTTP Error 404: Not Found",
            ErrorClass.TRANSIENT,
            id="a 404 of the task's own",
        ),
        pytest.param(
            "fetching x: 401 Unauthorized", ErrorClass.TRANSIENT, id="a 401 of its own"
        ),
        pytest.param("Disk quota exceeded", ErrorClass.TRANSIENT, id="disk quota"),
        pytest.param(
            "ResourceExhausted: OOM", ErrorClass.TRANSIENT, id="out of memory"
        ),
        pytest.param("iteration limit reached", ErrorClass.TRANSIENT, id="other limit"),
        pytest.param("No module named 'model'", ErrorClass.TRANSIENT, id="no module"),
        pytest.param("", ErrorClass.TRANSIENT, id="silence"),
    ],
)
def test_a_program_is_judged_by_the_words_of_its_model(
    stderr: str, expected: ErrorClass
) -> None:
    assert program(stderr).error_class is expected


@pytest.mark.parametrize(
    ("exception", "expected"),
    [
        (
            "ConnectionRefusedError: [Errno 111] Connection refused",
            ErrorClass.TRANSIENT,
        ),
        ("TimeoutError: timed out", ErrorClass.TRANSIENT),
        ("HTTP Error 401: Unauthorized", ErrorClass.AUTH),
        ("status code 503", ErrorClass.TRANSIENT),
        ("unauthorized", ErrorClass.AUTH),
    ],
)
def test_an_exception_is_judged_by_its_text(
    exception: str, expected: ErrorClass
) -> None:
    assert classify(now=NOW, exception=exception).error_class is expected


def test_the_wall_clock_comes_before_all() -> None:
    failure = classify(now=NOW, timed_out=True, exit_code=-9, body="rate limit")

    assert failure.error_class is ErrorClass.TIMEOUT
    assert failure.message == "no result within the time limit: rate limit"
    assert failure.until is None
    assert "timeout_s" in failure.hint


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_a_rate_limit_until_then(status: int) -> None:
    failure = answer(status, headers={"Retry-After": "20"})

    assert failure.error_class is ErrorClass.RATE_LIMITED
    assert failure.until == IN_20_S


def test_retry_after_means_nothing_with_a_refusal() -> None:
    failure = answer(401, headers={"Retry-After": "20"})

    assert failure.error_class is ErrorClass.AUTH
    assert failure.until is None


def test_a_quota_waits_for_its_reset() -> None:
    failure = program("usage limit reached … resets 3pm (Europe/Paris)")

    assert failure.error_class is ErrorClass.QUOTA
    assert failure.until == dt.datetime(2026, 3, 5, 14, 0, tzinfo=dt.UTC)


def test_a_zone_that_is_not_known_is_said() -> None:
    failure = program("usage limit, resets 3pm (Mars/Phobos)")

    assert failure.until == dt.datetime(2026, 3, 5, 15, 0, tzinfo=dt.UTC)
    assert failure.message == (
        "exit code 1: usage limit, resets 3pm (Mars/Phobos) "
        "(time zone Mars/Phobos is not known here, read as UTC)"
    )


@pytest.mark.parametrize(
    ("delay", "expected"),
    [("600s", ErrorClass.RATE_LIMITED), ("601s", ErrorClass.QUOTA)],
)
def test_a_quota_of_minutes_is_a_rate_limit(delay: str, expected: ErrorClass) -> None:
    body = f'{{"message":"You exceeded your current quota","retryDelay":"{delay}"}}'

    assert answer(429, body).error_class is expected


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        pytest.param(answer(503), "HTTP 503", id="no body"),
        pytest.param(
            answer(500, '{"error":{"message":"line one\\nline \\"two\\""}}'),
            'HTTP 500: line one line "two"',
            id="json message",
        ),
        pytest.param(answer(500, '{"detail":"boom"}'), "HTTP 500: boom", id="detail"),
        pytest.param(answer(500, '{"error":"boom"}'), "HTTP 500: boom", id="error"),
        pytest.param(
            answer(500, "{'message': 'model \"x\" broke'}"),
            'HTTP 500: model "x" broke',
            id="python's repr",
        ),
        pytest.param(
            answer(500, '{"message":"bad \\escape"}'),
            "HTTP 500: bad \\escape",
            id="not quite json",
        ),
        pytest.param(
            answer(500, json.dumps({"message": json.dumps({"message": "inner"})})),
            "HTTP 500: inner",
            id="json in json",
        ),
        pytest.param(
            answer(502, "<html><title>Bad Gateway</title>…"),
            "HTTP 502: Bad Gateway",
            id="html",
        ),
        pytest.param(
            answer(500, "\nfirst\nlast\n"),
            "HTTP 500: first",
            id="an answer's first line",
        ),
        pytest.param(
            program("Traceback …\nValueError: bad\n"),
            "exit code 1: ValueError: bad",
            id="a program's last line",
        ),
        pytest.param(program("", 3), "exit code 3", id="silent program"),
        pytest.param(program("", -15), "killed by signal 15", id="signal"),
        pytest.param(program("", 137), "killed by signal 9", id="shell's signal"),
        pytest.param(program("", 255), "exit code 255", id="no signal"),
        pytest.param(program("", 0), "the session failed", id="exit code 0"),
        pytest.param(classify(now=NOW), "the session failed", id="nothing known"),
        pytest.param(
            classify(now=NOW, exception="OSError: no route"),
            "OSError: no route",
            id="exception",
        ),
        pytest.param(
            answer(401, '{"detail":"bad key sk-abcdefghijklmnop1234"}'),
            "HTTP 401: bad key [redacted]",
            id="secret",
        ),
    ],
)
def test_the_message_is_one_clear_line(failure: Failure, message: str) -> None:
    assert failure.message == message


@pytest.mark.parametrize(
    ("failure", "hint"),
    [
        pytest.param(answer(401), "api_key_env", id="auth"),
        pytest.param(answer(404), "check `endpoint`", id="endpoint"),
        pytest.param(answer(405), "check `endpoint`", id="wrong method"),
        pytest.param(
            answer(400), "trying again unchanged will not help", id="bad request"
        ),
        pytest.param(
            answer(400, "maximum context length is 8192"), "shorten the task", id="long"
        ),
        pytest.param(
            classify(now=NOW, exception="Connection refused"),
            "ollama serve",
            id="offline",
        ),
        pytest.param(program("sh: x: not found", 127), "check `command`", id="command"),
        pytest.param(program("", 137), "out of memory", id="killed"),
    ],
)
def test_the_hint_says_what_would_help(failure: Failure, hint: str) -> None:
    assert hint in failure.hint


def test_a_missing_ollama_model_can_be_pulled() -> None:
    failure = classify(
        now=NOW,
        http_status=404,
        body="model 'qwen2.5' not found",
        model="ollama/qwen2.5",
    )

    assert failure.hint == "run `ollama pull qwen2.5` where that Ollama runs"


@pytest.mark.parametrize("failure", [answer(500), answer(429), program("ValueError")])
def test_no_hint_where_trying_again_is_all(failure: Failure) -> None:
    assert failure.hint == ""


def test_the_end_of_a_long_output_is_read() -> None:
    failure = program("noise\n" * 100_000 + "usage limit reached, resets 3pm")

    assert failure.error_class is ErrorClass.QUOTA
    assert failure.message == "exit code 1: usage limit reached, resets 3pm"


@given(
    st.one_of(st.none(), st.integers(100, 600)),
    st.text(max_size=300),
    st.one_of(st.none(), st.integers(-70, 300)),
    st.text(max_size=100),
)
def test_every_end_gets_a_class_and_a_line(
    status: int | None, body: str, exit_code: int | None, exception: str
) -> None:
    failure = classify(
        now=NOW, http_status=status, body=body, exit_code=exit_code, exception=exception
    )

    assert failure.message
    assert len(failure.message) <= MESSAGE_COLUMNS
    assert "\n" not in failure.message
