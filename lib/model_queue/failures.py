"""An error's code and text -> its class, a sentence for the person, when to try again."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from model_queue.messages import texts
from model_queue.messages.wording import hint_for, one_line, say
from model_queue.model import ErrorClass
from model_queue.redaction import redact
from model_queue.reset_times import Reset, reset_of

MESSAGE_COLUMNS = 300
"""Width of an error message: one line in chat."""
EXCERPT = 4_096
"""Characters read at each end of a long body; errors name themselves there."""
SHORT_WAIT = dt.timedelta(minutes=10)
"""A provider that says "quota" and means a minute has a rate limit."""


class Failure(NamedTuple):
    """Why an attempt failed, as far as it can be told."""

    error_class: ErrorClass
    message: str
    """One line for the person, secrets redacted; never empty."""
    until: dt.datetime | None = None
    """When a rate limit or quota ends; None: not said, or it should be over."""
    hint: str = ""
    """What would help, in English; "" when trying again is all."""


class _Evidence(NamedTuple):
    """What an attempt left, made ready for the rules."""

    status: int | None
    """An HTTP status of 400 or more."""
    body: str
    exception: str
    exit_code: int | None
    has_retry_after: bool
    reset: Reset

    def says(self, pattern: str) -> bool:
        text = f"{self.body}\n{self.exception}"
        return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def classify(
    *,
    now: dt.datetime,
    http_status: int | None = None,
    headers: Mapping[str, str] | None = None,
    body: str = "",
    exit_code: int | None = None,
    exception: str = "",
    timed_out: bool = False,
    model: str = "",
    zone: dt.tzinfo = dt.UTC,
) -> Failure:
    """Judge a failed attempt by what it left.

    Rules in this order, the first that fits: wall clock; the words of a quota; 429,
    ``retry-after`` and the words of a rate limit; a model that is not there; 401, 403
    and the words of a refused login; other refusals of the request (4xx). Everything
    else (5xx, network, exit code) is transient.

    Args:
        now: the moment of the failure.
        http_status: of the answer; without one it is looked for in the text.
        headers: of the answer; names in any case.
        body: the answer's body, or what the program wrote to stderr.
        exit_code: of the session's program; negative or above 128 is a signal.
        exception: name and text of what was raised in talking to the provider.
        timed_out: the wall clock of the attempt was over.
        model: ``provider/name`` as configured, for the hint.
        zone: of clock times that name none; the machine's own for programs on it.

    Source: SPEC 2.4.
    """
    headers = headers or {}
    body, exception = _excerpt(body), _excerpt(exception)
    text = f"{body}\n{exception}"
    evidence = _Evidence(
        status=_status_of(http_status, text, is_answer=exit_code is None),
        body=body,
        exception=exception,
        exit_code=exit_code,
        has_retry_after=any(name.lower().startswith("retry-after") for name in headers),
        reset=reset_of(headers, text, now=now, zone=zone),
    )
    error_class = ErrorClass.TIMEOUT if timed_out else _class_of(evidence, now)
    waits = error_class in {ErrorClass.RATE_LIMITED, ErrorClass.QUOTA}
    end = "no result within the time limit" if timed_out else _how_it_ended(evidence)
    message = ": ".join(filter(None, (end, _what_it_said(evidence))))
    if waits and evidence.reset.note:
        message += f" ({evidence.reset.note})"
    return Failure(
        error_class=error_class,
        message=one_line(redact(message), MESSAGE_COLUMNS) or _FAILED,
        until=evidence.reset.until if waits else None,
        hint=_hint(error_class, evidence, model),
    )


_QUOTA = (
    r"usage limit|hit your .{0,20}limit|limit will reset"
    r"|(?:session|daily|weekly|monthly|\d-hour|opus|sonnet) limit"
    r"|insufficient_quota|credit balance is too low|out of credits|billing .{0,8}limit"
    r"|(?:额度|限额|配额|使用上限).{0,40}(?:重置|恢复|用完|用尽|耗尽|不足|超)"
    r"|(?:达到|超出|超过|用完).{0,20}(?:额度|限额|配额|上限)|余额不足|欠费"
)
_QUOTA_OR_RATE = r"current quota|(?<!disk )quota exceeded"
_EXHAUSTED = r"resource.{0,12}exhausted"
_RATE_LIMIT = r"rate.?limit|too many requests|请求过于频繁|速率限制|频率限制|限流"
_MODEL_MISSING = (
    r"model_not_found|try pulling it|(?:unknown|no such|invalid) model"
    r"|model:?\s*[\"'`]?[\w./:@-]+[\"'`]?,? (?:was |is )?(?:not found|not available)"
    r"|model:?\s*[\"'`]?[\w./:@-]+[\"'`]?,? (?:does not|doesn't) exist|模型.{0,60}不存在"
)
_NO_ACCESS = (
    r"(?:invalid|incorrect|missing).{0,12}api.?key|authentication_error"
    r"|permission_error|not logged in|please run /login|鉴权失败|认证失败"
)
_TOO_LONG = (
    r"context.{0,20}(?:length|window|size)|too long|too many tokens|maximum.{0,20}token"
)
_OFFLINE = (
    "connection refused|econnrefused|name or service not known|getaddrinfo"
    "|temporary failure in name resolution|nodename nor servname|unreachable"
)
_PROGRAM_STATUS = r"\b(?:API Error|Error code|unexpected status)[\s:=]+([45]\d\d)\b"
_STATUS = (
    r"\b(?:API Error|Error code|HTTP(?:/[\d.]+)?(?: Error)?|status(?: ?code)?)"
    r"[\s:=]+([45]\d\d)\b"
)
_SAID = r"""(["']){key}\1\s*:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')"""
_FAILED = "the session failed"
_REFUSED = 400
_PAYMENT_REQUIRED = 402
_NOT_FOUND = 404
_TOO_MANY = 429
_SERVER_ERROR = 500
_LAST_SIGNAL = 64
_PASSING_4XX = frozenset({408, 409, 425})
"""Refusals that mean: not now."""
_KILLED = frozenset({-9, 137})
_NOT_RUNNABLE = frozenset({126, 127})


def _excerpt(text: str) -> str:
    if len(text) <= 2 * EXCERPT:
        return text
    return f"{text[:EXCERPT]}\n…\n{text[-EXCERPT:]}"


def _status_of(given: int | None, text: str, *, is_answer: bool) -> int | None:
    """Return the HTTP status, from the text where none is given.

    A program's stderr also tells of other servers, that the task itself asked: there
    only the words count in which agent programs report their model's answer.
    """
    if given is not None and given >= _REFUSED:
        return given
    found = re.search(_STATUS if is_answer else _PROGRAM_STATUS, text, re.IGNORECASE)
    return int(found[1]) if found else None


def _class_of(evidence: _Evidence, now: dt.datetime) -> ErrorClass:
    """Apply the rules of ``classify`` after the wall clock."""
    limit = _limit_of(evidence, now)
    if limit is not None:
        return limit
    status = evidence.status
    if status is not None and status >= _SERVER_ERROR:
        return ErrorClass.TRANSIENT
    if evidence.says(_MODEL_MISSING) or (
        status == _NOT_FOUND and evidence.says("model|模型|function")
    ):
        return ErrorClass.MODEL_NOT_FOUND
    if status in {401, 403} or (status is None and _is_shut_out(evidence)):
        return ErrorClass.AUTH
    if status is None or status in _PASSING_4XX:
        return ErrorClass.TRANSIENT
    return ErrorClass.BAD_REQUEST


def _is_shut_out(evidence: _Evidence) -> bool:
    is_answer = evidence.exit_code is None
    return evidence.says(_NO_ACCESS) or (is_answer and evidence.says("unauthori[sz]ed"))


def _limit_of(evidence: _Evidence, now: dt.datetime) -> ErrorClass | None:
    """Tell a quota of the source from a limit that passes soon; None when neither."""
    status, until = evidence.status, evidence.reset.until
    if status == _PAYMENT_REQUIRED or (
        status in {None, 400, 403, 429} and evidence.says(_QUOTA)
    ):
        return ErrorClass.QUOTA
    if (status in {None, 429} and evidence.says(_QUOTA_OR_RATE)) or (
        status == _TOO_MANY and evidence.says(_EXHAUSTED)
    ):
        is_short = until is not None and until - now <= SHORT_WAIT
        return ErrorClass.RATE_LIMITED if is_short else ErrorClass.QUOTA
    if status == _TOO_MANY or (status is None and evidence.says(_RATE_LIMIT)):
        return ErrorClass.RATE_LIMITED
    if evidence.has_retry_after and (status is None or status >= _SERVER_ERROR):
        return ErrorClass.RATE_LIMITED
    return None


def _how_it_ended(evidence: _Evidence) -> str:
    code = evidence.exit_code
    if evidence.status is not None:
        return f"HTTP {evidence.status}"
    if code is None or code == 0:
        return "" if evidence.exception.strip() else _FAILED
    signal = -code if code < 0 else code - 128
    is_signal = 0 < signal <= _LAST_SIGNAL
    return f"killed by signal {signal}" if is_signal else f"exit code {code}"


def _what_it_said(evidence: _Evidence) -> str:
    """Return the error's own sentence: a field of its JSON, else its telling line."""
    text = f"{evidence.body}\n{evidence.exception}"
    for key in ("message", "detail", "error"):
        found = re.search(_SAID.replace("{key}", key), text)
        if found is not None:
            said = _unescaped(found[2] if found[2] is not None else found[3])
            inner = re.search(_SAID.replace("{key}", key), said)
            return _unescaped(inner[2] or inner[3] or "") if inner else said
    title = re.search(r"<title>([^<]*)", text, re.IGNORECASE)
    if title is not None:
        return title[1].strip()
    lines = evidence.body.split("\n") if evidence.body.strip() else [evidence.exception]
    telling = [line.strip() for line in lines if line.strip()]
    if not telling:
        return ""
    # A program's last line names the error; an answer's first does.
    return telling[0 if evidence.status is not None else -1]


def _unescaped(inside: str) -> str:
    try:
        return str(json.loads(f'"{inside}"'))
    except ValueError:
        return inside


def _hint(error_class: ErrorClass, evidence: _Evidence, model: str) -> str:
    special = None
    if error_class is ErrorClass.TRANSIENT:
        special = _transient_hint(evidence)
    elif error_class is ErrorClass.BAD_REQUEST:
        if evidence.says(_TOO_LONG):
            special = texts.HINT_TOO_LONG
        elif evidence.status in {404, 405}:
            special = texts.HINT_ENDPOINT
    return say(special, "en") if special else hint_for(error_class, model)


def _transient_hint(evidence: _Evidence) -> texts.Text | None:
    if evidence.exit_code in _NOT_RUNNABLE:
        return texts.HINT_COMMAND
    if evidence.exit_code in _KILLED:
        return texts.HINT_MEMORY
    return texts.HINT_OFFLINE if evidence.says(_OFFLINE) else None
