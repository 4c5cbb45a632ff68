"""Secrets out of foreign text. Each rule has a near miss that must stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_queue.redaction import REDACTED, redact

TAIL = "aB3dE6gH9jK2mN5pQ8sT"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"sk-proj-{TAIL}", id="openai"),
        pytest.param(f"sk-ant-api03-{TAIL}", id="anthropic"),
        pytest.param(f"ghp_{TAIL}", id="github"),
        pytest.param(f"github_pat_{TAIL}", id="github, fine-grained"),
        pytest.param(f"glpat-{TAIL}", id="gitlab"),
        pytest.param(f"xoxb-{TAIL}", id="slack"),
        pytest.param(f"hf_{TAIL}", id="hugging face"),
        pytest.param(f"nvapi-{TAIL}", id="nvidia"),
        pytest.param(f"AIza{TAIL}", id="google"),
        pytest.param("AKIAIOSFODNN7EXAMPLE", id="aws"),
        pytest.param("eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeK", id="json web token"),
        pytest.param(
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----",
            id="private key",
        ),
        pytest.param("-----BEGIN PRIVATE KEY-----\nMIIE", id="unfinished private key"),
    ],
)
def test_a_secret_is_known_by_its_shape(text: str) -> None:
    assert redact(f"use {text}") == f"use {REDACTED}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BRAVE_SEARCH_API_KEY=BSA_xyz", "BRAVE_SEARCH_API_KEY=[redacted]"),
        ("export DB_PASSWORD='swordfish'", "export DB_PASSWORD='[redacted]'"),
        ('{"api_key": "abcdefgh"}', '{"api_key": "[redacted]"}'),
        ("client-secret: 8f14e45fceea", "client-secret: [redacted]"),
        ("password: correcthorse", "password: [redacted]"),
        ("  db.password: correcthorse", "  db.password: [redacted]"),
        ("password = 'swordfish'", "password = '[redacted]'"),
        ("run --api-key abcdef123 now", "run --api-key [redacted] now"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: [redacted]"),
        ("-H 'authorization: token abcdef1'", "-H 'authorization: [redacted]'"),
        ("Bearer abc123def456ghi789", "Bearer [redacted]"),
        ("postgres://me:hunter2@db/x", "postgres://me:[redacted]@db/x"),
    ],
)
def test_a_secret_is_known_by_what_stands_before_it(text: str, expected: str) -> None:
    assert redact(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens: 4096",
        "token = get_token1()",
        "token = response.json()['access']",
        "password = request.form['password']",
        "password: string",
        "password: required",
        "TOKEN=$TOKEN",
        "API_KEY=${API_KEY}",
        "the secret: see section ten",
        "bearer authentication is used",
        "http://host:8080/path",
        "sk-learn-contrib-package",
        "npm_config_registry_something",
        "task-0123456789abcdef0123",
        "api_key_env = 'MY_KEY'",
        "T-001 depends on T-002",
        "分析销售数据",
    ],
)
def test_what_only_speaks_of_secrets_stays(text: str) -> None:
    assert redact(text) == text


def test_known_values_are_taken_out_wherever_they_stand() -> None:
    text = redact("a plainvalue b plainvalue", known=["plainvalue", "a"])

    assert text == "a [redacted] b [redacted]"


def test_the_rest_of_the_text_stays() -> None:
    text = redact(f"first line\nOPENAI_API_KEY=sk-{TAIL}\nlast line\n")

    assert text == f"first line\nOPENAI_API_KEY={REDACTED}\nlast line\n"


@given(st.text())
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)

    assert redact(once) == once


@given(st.text(), st.text())
def test_a_key_never_survives_its_surroundings(before: str, after: str) -> None:
    text = redact(f"{before} ghp_{TAIL} {after}")

    assert TAIL not in text
