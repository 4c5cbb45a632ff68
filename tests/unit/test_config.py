from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_queue.config import (
    ConfigText,
    Problem,
    Settings,
    SourceSettings,
    candidate_paths,
    load,
    require_valid,
    source_name,
    toml_path,
)
from model_queue.errors import ConfigError

LIB = Path(__file__).parents[2] / "lib"
HOME = "/home/ann"
TOOLS = f"{HOME}/.openclaw/workspace/TOOLS.md"
PROJECT = "/src/project/TOOLS.md"
TOML = f"{HOME}/.config/clawde/task-queue.toml"
SEED = """\
## Model Queue Configuration

MODEL_QUEUES_DIR=~/.openclaw/model-queues/
MODEL_QUEUE_MAX_RETRIES=3
MODEL_QUEUE_ARCHIVE_DAYS=7

# Model Source Mappings (REQUIRED)
# Format: MODEL_SOURCE_{NAME}=model1,model2,model3
MODEL_SOURCE_OLLAMA_LOCAL=ollama/llama3,ollama/qwen2.5,ollama/mistral
MODEL_SOURCE_OLLAMA_REMOTE=ollama-remote/qwen3.5:27b,ollama-remote/llama3:70b
MODEL_SOURCE_CLOUD_NVIDIA=nvidia/z-ai/glm5,nvidia/llama3

# Default model source when not specified (optional)
DEFAULT_MODEL_SOURCE=ollama-remote
"""
LOCAL = "MODEL_SOURCE_OLLAMA_LOCAL=ollama/llama3,ollama/qwen2.5\n"
CLOUD = "MODEL_SOURCE_CLOUD_NVIDIA=nvidia/z-ai/glm5\n"


def read(
    *tools: str | ConfigText,
    toml: str | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, str] | None = None,
) -> Settings:
    texts = [
        text if isinstance(text, ConfigText) else ConfigText(TOOLS, text, trusted=True)
        for text in tools
    ]
    return load(
        environment=environment or {},
        home=HOME,
        tools=texts,
        toml=None if toml is None else ConfigText(TOML, toml, trusted=True),
        flags=flags or {},
    )


def in_project(text: str) -> ConfigText:
    return ConfigText(PROJECT, text, trusted=False)


def local(toml: str, *, environment: Mapping[str, str] | None = None) -> SourceSettings:
    settings = read(
        LOCAL, toml=f"[sources.ollama-local]\n{toml}", environment=environment
    )
    return settings.sources["ollama-local"]


def value_of(settings: Settings, name: str) -> tuple[str, str]:
    """Value and origin of one setting."""
    [found] = [setting for setting in settings.values if setting.name == name]
    return found.value, found.origin


def fatal(settings: Settings) -> list[Problem]:
    return [problem for problem in settings.problems if problem.fatal]


def texts_of(settings: Settings) -> list[str]:
    return [problem.text for problem in settings.problems]


def hint_of(settings: Settings, code: str) -> str:
    [problem] = [problem for problem in settings.problems if problem.code == code]
    return problem.hint


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("MODEL_QUEUE_MAX_RETRIES=5", id="bare"),
        pytest.param("  MODEL_QUEUE_MAX_RETRIES = 5  ", id="spaces"),
        pytest.param("\tMODEL_QUEUE_MAX_RETRIES\t=\t5\t", id="tabs"),
        pytest.param("export MODEL_QUEUE_MAX_RETRIES=5", id="export"),
        pytest.param('MODEL_QUEUE_MAX_RETRIES="5"', id="double quotes"),
        pytest.param("MODEL_QUEUE_MAX_RETRIES='5'", id="single quotes"),
        pytest.param("MODEL_QUEUE_MAX_RETRIES=“5”", id="typographic quotes"),
        pytest.param('MODEL_QUEUE_MAX_RETRIES="5', id="quote never closed"),
        pytest.param("MODEL_QUEUE_MAX_RETRIES=5 # of an attempt", id="comment"),
        pytest.param('MODEL_QUEUE_MAX_RETRIES="5"# note', id="comment after quotes"),
        pytest.param("MODEL_QUEUE_MAX_RETRIES=5 <!-- note -->", id="HTML comment"),
        pytest.param("- MODEL_QUEUE_MAX_RETRIES=5", id="list item"),
        pytest.param("-MODEL_QUEUE_MAX_RETRIES=5", id="list item without space"),
        pytest.param("* MODEL_QUEUE_MAX_RETRIES=5", id="starred list item"),
        pytest.param("  + MODEL_QUEUE_MAX_RETRIES=5", id="nested list item"),
        pytest.param("12. MODEL_QUEUE_MAX_RETRIES=5", id="numbered list item"),
        pytest.param("3) export MODEL_QUEUE_MAX_RETRIES=5", id="numbered and export"),
        pytest.param("> MODEL_QUEUE_MAX_RETRIES=5", id="quotation"),
        pytest.param("> - MODEL_QUEUE_MAX_RETRIES=5", id="list in a quotation"),
        pytest.param("- `MODEL_QUEUE_MAX_RETRIES=5` retries", id="inline code"),
        pytest.param("- `MODEL_QUEUE_MAX_RETRIES`=`5`", id="two pieces of code"),
        pytest.param("**MODEL_QUEUE_MAX_RETRIES**=5", id="bold name"),
        pytest.param('- "MODEL_QUEUE_MAX_RETRIES=5"', id="quoted as a whole"),
        pytest.param("```sh\nMODEL_QUEUE_MAX_RETRIES=5\n```", id="code fence"),
        pytest.param("\ufeffMODEL_QUEUE_MAX_RETRIES=5", id="BOM"),
        pytest.param("x\r\nMODEL_QUEUE_MAX_RETRIES=5\r\ny", id="CRLF"),
        pytest.param("\ufeffMODEL_QUEUE_MAX_RETRIES='5' # x\r\n", id="all at once"),
    ],
)
def test_a_line_is_read_in_every_form(line: str) -> None:
    settings = read(line)

    assert settings.max_retries == 5
    assert value_of(settings, "MODEL_QUEUE_MAX_RETRIES") == ("5", TOOLS)
    assert settings.problems == ()


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("# MODEL_QUEUE_MAX_RETRIES=5", id="commented out"),
        pytest.param("<!-- MODEL_QUEUE_MAX_RETRIES=5 -->", id="HTML comment"),
        pytest.param("Set MODEL_QUEUE_MAX_RETRIES=5 there.", id="in a sentence"),
        pytest.param("// MODEL_QUEUE_MAX_RETRIES=5", id="other comment"),
        pytest.param("MODEL_QUEUE_MAX_RETRIES: 5", id="colon"),
        pytest.param("MODEL_QUEUE_MAX_RETRIES", id="name alone"),
        pytest.param("MODEL_QUEUE_MAX_RETRIES=", id="no value"),
        pytest.param("MODEL_QUEUE_MAX_RETRIES=# 5", id="comment for a value"),
        pytest.param("MY_MODEL_QUEUE_MAX_RETRIES=5", id="longer name"),
        pytest.param("model_queue_max_retries=5", id="small letters"),
        pytest.param('if MODEL_QUEUE_MAX_RETRIES == "5":', id="program text"),
        pytest.param("MODEL_SOURCE_{NAME}=model1,model2", id="placeholder"),
        pytest.param("MODEL_SOURCE_<NAME>=model1,model2", id="other placeholder"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_is_no_setting_is_passed_over_in_silence(line: str) -> None:
    settings = read(line)

    assert settings.max_retries == 3
    assert value_of(settings, "MODEL_QUEUE_MAX_RETRIES") == ("3", "default")
    assert settings.problems == ()


def test_a_hash_or_quotation_mark_inside_a_value_belongs_to_it() -> None:
    settings = read("MODEL_QUEUES_DIR=/data/o'brien/a#b")

    assert settings.queues_dir == "/data/o'brien/a#b"


def test_a_quoted_value_keeps_what_would_start_a_comment() -> None:
    settings = read('MODEL_QUEUES_DIR="/data/my queues #1"')

    assert settings.queues_dir == "/data/my queues #1"


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("ollama/a,ollama/b", id="commas"),
        pytest.param(" ollama/a ,  ollama/b, ", id="spaces and a last comma"),
        pytest.param("ollama/a，ollama/b", id="full-width comma"),
        pytest.param("ollama/a、ollama/b", id="ideographic comma"),
        pytest.param('"ollama/a","ollama/b"', id="each in quotes"),
        pytest.param("'ollama/a, ollama/b'", id="all in quotes"),
    ],
)
def test_models_are_a_list_with_commas(value: str) -> None:
    settings = read(f"MODEL_SOURCE_OLLAMA_LOCAL={value}")

    assert settings.sources["ollama-local"].models == ("ollama/a", "ollama/b")


def test_the_block_of_the_seed_is_read_whole() -> None:
    settings = read(SEED)

    assert settings.queues_dir == f"{HOME}/.openclaw/model-queues"
    assert settings.max_retries == 3
    assert settings.archive_days == 7
    assert settings.default_source == "ollama-remote"
    assert {name: source.models for name, source in settings.sources.items()} == {
        "ollama-local": ("ollama/llama3", "ollama/qwen2.5", "ollama/mistral"),
        "ollama-remote": ("ollama-remote/qwen3.5:27b", "ollama-remote/llama3:70b"),
        "cloud-nvidia": ("nvidia/z-ai/glm5", "nvidia/llama3"),
    }
    assert fatal(settings) == []


def test_nothing_configured_gives_the_defaults_and_no_source() -> None:
    settings = read()

    assert settings == Settings(
        queues_dir=f"{HOME}/.openclaw/model-queues", values=settings.values
    )
    assert {setting.origin for setting in settings.values} == {"default"}


@pytest.mark.parametrize(
    ("flags", "environment", "tools", "expected"),
    [
        pytest.param("1", "2", "4", ("1", "flag"), id="flag"),
        pytest.param("", "2", "4", ("2", "environment"), id="environment"),
        pytest.param("", " ", "4", ("4", TOOLS), id="TOOLS.md"),
        pytest.param("", "", "", ("3", "default"), id="default"),
    ],
)
def test_the_most_important_place_that_has_a_value_wins(
    flags: str, environment: str, tools: str, expected: tuple[str, str]
) -> None:
    name = "MODEL_QUEUE_MAX_RETRIES"

    settings = read(
        f"{name}={tools}", flags={name: flags}, environment={name: environment}
    )

    assert value_of(settings, name) == expected
    assert settings.max_retries == int(expected[0])


def test_an_earlier_file_wins_per_name_and_a_later_one_adds() -> None:
    other = ConfigText("/w/AGENTS.md", f"MODEL_QUEUE_WAKER=off\n{LOCAL}{CLOUD}")

    settings = read("MODEL_QUEUE_WAKER=on\n" + LOCAL, other)

    assert settings.waker is True
    assert value_of(settings, "MODEL_SOURCE_OLLAMA_LOCAL")[1] == TOOLS
    assert value_of(settings, "MODEL_SOURCE_CLOUD_NVIDIA")[1] == "/w/AGENTS.md"


def test_the_last_of_two_lines_counts_and_the_other_is_reported() -> None:
    settings = read("MODEL_QUEUE_ARCHIVE_DAYS=3\nMODEL_QUEUE_ARCHIVE_DAYS=30")

    assert settings.archive_days == 30
    [text] = texts_of(settings)
    assert text == (
        f"MODEL_QUEUE_ARCHIVE_DAYS stands in {TOOLS} with different values; "
        "the last one counts"
    )


def test_the_same_line_twice_is_no_problem() -> None:
    settings = read("MODEL_QUEUE_ARCHIVE_DAYS=3\nMODEL_QUEUE_ARCHIVE_DAYS=3")

    assert settings.problems == ()


def test_sources_and_the_default_come_from_the_environment_too() -> None:
    settings = read(
        LOCAL,
        environment={
            "MODEL_SOURCE_CLOUD_NVIDIA": "nvidia/llama3",
            "MODEL_SOURCE_OLLAMA_LOCAL": "ollama/mistral",
            "DEFAULT_MODEL_SOURCE": "CLOUD_NVIDIA",
        },
    )

    assert settings.sources["ollama-local"].models == ("ollama/mistral",)
    assert value_of(settings, "MODEL_SOURCE_CLOUD_NVIDIA")[1] == "environment"
    assert value_of(settings, "DEFAULT_MODEL_SOURCE") == ("cloud-nvidia", "environment")


def test_what_a_session_finds_in_its_environment_is_known() -> None:
    settings = read(
        environment={
            "MODEL_QUEUE_WORKER": "1",
            "MODEL_QUEUE_TASK": "T-001",
            "MODEL_QUEUE_LABEL": "mq-t-001-a1-1f3c9a7e",
        }
    )

    assert settings.problems == ()


@pytest.mark.parametrize(
    ("in_environment", "in_file", "in_queue_file", "expected"),
    [
        pytest.param("5", "4", 2, 5, id="environment over queue file"),
        pytest.param("", "4", 2, 2, id="queue file over TOOLS.md"),
        pytest.param("", "4", None, 4, id="TOOLS.md where the queue file is silent"),
        pytest.param("", "", 2, 2, id="queue file over default"),
        pytest.param("", "", None, 3, id="default"),
    ],
)
def test_the_retries_of_a_queue_file_stand_between_environment_and_tools_md(
    in_environment: str, in_file: str, in_queue_file: int | None, expected: int
) -> None:
    settings = read(
        f"MODEL_QUEUE_MAX_RETRIES={in_file}",
        environment={"MODEL_QUEUE_MAX_RETRIES": in_environment},
    )

    assert settings.retries_for(in_queue_file) == expected


@pytest.mark.parametrize(
    ("toml", "in_queue_file", "expected"),
    [
        pytest.param("max_concurrent = 4", 2, 4, id="TOML over queue file"),
        pytest.param("max_concurrent = 1", 2, 1, id="TOML that says the default"),
        pytest.param("", 2, 2, id="queue file over default"),
        pytest.param("", None, 1, id="default"),
        pytest.param("max_concurrent = 4", None, 4, id="TOML alone"),
        pytest.param("max_concurrent = 0", 2, 2, id="a refused value is none"),
    ],
)
@pytest.mark.parametrize("table", ["ollama-local", "OLLAMA_LOCAL"])
def test_the_slots_of_a_queue_file_stand_between_toml_and_default(
    table: str, toml: str, in_queue_file: int | None, expected: int
) -> None:
    settings = read(LOCAL, toml=f"[sources.{table}]\n{toml}")

    assert settings.slots_for("ollama-local", in_queue_file) == expected


@pytest.mark.parametrize(("in_queue_file", "expected"), [(3, 3), (None, 1)])
def test_a_source_that_is_not_configured_any_more_keeps_its_slots(
    in_queue_file: int | None, expected: int
) -> None:
    settings = read(LOCAL)

    assert settings.slots_for("gone", in_queue_file) == expected


def test_a_project_may_add_sources() -> None:
    settings = read(in_project(CLOUD), LOCAL)

    assert list(settings.sources) == ["ollama-local", "cloud-nvidia"]
    assert settings.problems == ()


def test_a_project_may_configure_all_sources_when_nobody_else_does() -> None:
    settings = read(in_project(SEED))

    assert len(settings.sources) == 3
    assert settings.default_source == "ollama-remote"


def test_a_project_does_not_change_what_its_user_has_set() -> None:
    lines = "MODEL_SOURCE_OLLAMA_LOCAL=openai/o3\nMODEL_QUEUE_MAX_RETRIES=99\n"

    settings = read(in_project(lines), "MODEL_QUEUE_MAX_RETRIES=1\n" + LOCAL)

    assert settings.sources["ollama-local"].models[0] == "ollama/llama3"
    assert settings.max_retries == 1


@pytest.mark.parametrize(
    "line",
    [
        "MODEL_QUEUES_DIR=/tmp/elsewhere",
        "MODEL_QUEUE_STORE=sqlite:///tmp/x.db",
        "MODEL_QUEUE_TOML=/src/project/evil.toml",
    ],
)
def test_a_project_never_moves_the_queues_nor_names_the_toml(line: str) -> None:
    name = line.partition("=")[0]

    settings = read(in_project(line))

    assert value_of(settings, name) == value_of(read(), name)
    assert texts_of(settings) == [
        f"{name} in {PROJECT} was ignored: that file may not set it"
    ]
    assert fatal(settings) == []


def test_a_project_that_says_what_holds_anyway_is_no_problem() -> None:
    settings = read(in_project("MODEL_QUEUES_DIR=$HOME/.openclaw/model-queues"))

    assert settings.problems == ()


def test_a_bad_value_in_a_project_does_not_stop_its_users_queue() -> None:
    bad = "MODEL_SOURCE_X=model1,model2\nMODEL_QUEUE_MAX_RETRIES=many\n"

    settings = read(in_project(bad + "DEFAULT_MODEL_SOURCE=nowhere"), LOCAL)

    require_valid(settings)
    assert settings.default_source == "ollama-local"
    assert [problem.key for problem in settings.problems] == [
        "MODEL_QUEUE_MAX_RETRIES",
        "MODEL_SOURCE_X",
        "DEFAULT_MODEL_SOURCE",
    ]
    assert settings.problems[0].hint == "MODEL_QUEUE_MAX_RETRIES was ignored"


def test_no_file_says_which_file_is_read() -> None:
    settings = read("MODEL_QUEUE_TOOLS_MD=/other/TOOLS.md")

    assert value_of(settings, "MODEL_QUEUE_TOOLS_MD") == (TOOLS, "default")
    assert hint_of(settings, "ignored_setting") == "set it in the environment"


def test_tools_md_is_looked_for_in_workspace_current_directory_and_home() -> None:
    paths = candidate_paths(environment={}, home=HOME, cwd="/src", workspace="/w/")

    assert paths == [
        ("/w/TOOLS.md", True),
        ("/w/AGENTS.md", True),
        ("/src/TOOLS.md", False),
        ("/src/AGENTS.md", False),
        (f"{HOME}/.openclaw/workspace/TOOLS.md", True),
        (f"{HOME}/.openclaw/workspace/AGENTS.md", True),
    ]


def test_a_host_without_workspace_adds_no_place() -> None:
    paths = candidate_paths(environment={}, home=HOME, cwd="/src")

    assert [path for path, _ in paths][:2] == ["/src/TOOLS.md", "/src/AGENTS.md"]


@pytest.mark.parametrize("workspace", ["/w", None])
def test_a_trusted_place_stays_trusted_when_it_is_the_current_directory(
    workspace: str | None,
) -> None:
    cwd = workspace or f"{HOME}/.openclaw/workspace"

    paths = candidate_paths(environment={}, home=HOME, cwd=cwd, workspace=workspace)

    assert dict(paths)[f"{cwd}/TOOLS.md"] is True
    assert len(dict(paths)) == len(paths)


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        pytest.param("/etc/mq.md", ("/etc/mq.md", True), id="absolute"),
        pytest.param(" ~/mq.md ", (f"{HOME}/mq.md", True), id="home"),
        pytest.param("docs/mq.md", ("/src/docs/mq.md", False), id="relative"),
    ],
)
def test_a_named_tools_md_is_the_only_one(
    named: str, expected: tuple[str, bool]
) -> None:
    environment = {"MODEL_QUEUE_TOOLS_MD": named}

    paths = candidate_paths(
        environment=environment, home=HOME, cwd="/src", workspace="/w"
    )

    assert paths == [expected]


def test_a_flag_names_the_tools_md_before_the_environment() -> None:
    name = "MODEL_QUEUE_TOOLS_MD"

    paths = candidate_paths(
        environment={name: "/e.md"}, home=HOME, cwd="/src", flags={name: "/f.md"}
    )

    assert paths == [("/f.md", True)]


def test_a_named_tools_md_that_is_not_there_is_reported() -> None:
    settings = read(environment={"MODEL_QUEUE_TOOLS_MD": "/gone/TOOLS.md"})

    [text] = texts_of(settings)
    assert text == (
        "MODEL_QUEUE_TOOLS_MD names /gone/TOOLS.md, "
        "which is not there or cannot be read"
    )


@pytest.mark.parametrize(
    ("flags", "environment", "tools", "expected"),
    [
        pytest.param("", "", "", TOML, id="default"),
        pytest.param("/f.toml", "/e.toml", "/t.toml", "/f.toml", id="flag"),
        pytest.param("", "~/e.toml", "/t.toml", f"{HOME}/e.toml", id="environment"),
        pytest.param("", "", "$HOME/t.toml", f"{HOME}/t.toml", id="TOOLS.md"),
        pytest.param("", "e.toml", "", TOML, id="a relative one is passed over"),
    ],
)
def test_the_toml_is_looked_for_where_the_settings_say(
    flags: str, environment: str, tools: str, expected: str
) -> None:
    name = "MODEL_QUEUE_TOML"

    path = toml_path(
        environment={name: environment},
        home=HOME,
        tools=[
            in_project(f"{name}=/evil.toml"),
            ConfigText("/w/TOOLS.md", "nothing"),
            ConfigText(TOOLS, f"{name}={tools}"),
        ],
        flags={name: flags},
    )

    assert path == expected


def test_a_named_toml_that_is_not_there_is_reported() -> None:
    settings = read(environment={"MODEL_QUEUE_TOML": "~/gone.toml"})

    assert texts_of(settings) == [
        f"MODEL_QUEUE_TOML names {HOME}/gone.toml, which is not there or cannot be read"
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MODEL_QUEUE_MAX_RETRIES", "many"),
        ("MODEL_QUEUE_MAX_RETRIES", "-1"),
        ("MODEL_QUEUE_MAX_RETRIES", "101"),
        ("MODEL_QUEUE_MAX_RETRIES", "3.0"),
        ("MODEL_QUEUE_MAX_RETRIES", "３"),
        ("MODEL_QUEUE_MAX_RETRIES", "9" * 5000),
        ("MODEL_QUEUE_ARCHIVE_DAYS", "7d"),
        ("MODEL_QUEUE_ARCHIVE_DAYS", "36501"),
        ("MODEL_QUEUE_WAKER", "maybe"),
        ("MODEL_QUEUES_DIR", "queues"),
        ("MODEL_QUEUES_DIR", "~bob/queues"),
        ("MODEL_QUEUES_DIR", "/a\0b"),
        ("MODEL_QUEUE_TOML", "task-queue.toml"),
        ("MODEL_QUEUE_STORE", "Files"),
        ("MODEL_QUEUE_STORE", "sqlite:queues.db"),
        ("MODEL_QUEUE_STORE", "sqlite://queues.db"),
        ("MODEL_QUEUE_STORE", "sqlite:///var/"),
        ("MODEL_QUEUE_STORE", "postgres:///x.db"),
    ],
)
def test_a_value_of_the_wrong_kind_or_range_is_fatal_and_leaves_the_default(
    name: str, value: str
) -> None:
    settings = read(environment={name: value})

    [problem] = fatal(settings)
    assert problem.text.startswith(f"{name} in the environment is ")
    assert value[:20] in problem.value
    assert value_of(settings, name) == value_of(read(), name)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("MODEL_QUEUE_MAX_RETRIES", "0", "0"),
        ("MODEL_QUEUE_MAX_RETRIES", "100", "100"),
        ("MODEL_QUEUE_ARCHIVE_DAYS", "36500", "36500"),
        ("MODEL_QUEUE_WAKER", "OFF", "off"),
        ("MODEL_QUEUE_WAKER", "true", "on"),
        ("MODEL_QUEUE_WAKER", "0", "off"),
        ("MODEL_QUEUES_DIR", "~", HOME),
        ("MODEL_QUEUES_DIR", "~/q/", f"{HOME}/q"),
        ("MODEL_QUEUES_DIR", "$HOME/q", f"{HOME}/q"),
        ("MODEL_QUEUES_DIR", "${HOME}/q", f"{HOME}/q"),
        ("MODEL_QUEUES_DIR", "/a/../b/./c", "/b/c"),
        ("MODEL_QUEUE_STORE", "files", "files"),
        ("MODEL_QUEUE_STORE", "sqlite:///var/mq.db", "sqlite:///var/mq.db"),
        ("MODEL_QUEUE_STORE", "sqlite://~/mq.db", f"sqlite://{HOME}/mq.db"),
        ("MODEL_QUEUE_STORE", "sqlite:///~/mq.db", f"sqlite://{HOME}/mq.db"),
    ],
)
def test_a_good_value_is_taken_in_one_spelling(
    name: str, value: str, expected: str
) -> None:
    settings = read(environment={name: value})

    assert value_of(settings, name) == (expected, "environment")
    assert settings.problems == ()


def test_require_valid_passes_settings_that_are_only_remarked_on() -> None:
    settings = read("MODEL_QUEUE_DIR=/x\n" + LOCAL)

    require_valid(settings)

    assert settings.problems != ()


def test_require_valid_raises_the_first_fatal_problem_with_its_facts() -> None:
    settings = read("MODEL_QUEUE_MAX_RETRIES=many\nMODEL_QUEUE_WAKER=maybe")

    with pytest.raises(ConfigError) as caught:
        require_valid(settings)

    error = caught.value
    assert (error.key, error.value) == ("MODEL_QUEUE_MAX_RETRIES", "many")
    assert error.origin == TOOLS
    assert error.exit_code == 4
    assert str(error) == settings.problems[0].text


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("MODEL_QUEUE_DIR", "MODEL_QUEUES_DIR"),
        ("MODEL_QUEUE_RETRIES", "MODEL_QUEUE_MAX_RETRIES"),
        ("MODEL_QUEUE_STROE", "MODEL_QUEUE_STORE"),
        ("MODEL_SOURCE", "MODEL_SOURCE_<NAME>"),
        ("MODEL_SOURCES_OLLAMA", "MODEL_SOURCE_<NAME>"),
        ("MODEL_SOURCE_" + "X" * 65, "MODEL_SOURCE_<NAME>"),
        ("MODEL_SOURCE_É", "MODEL_SOURCE_<NAME>"),
        ("MODEL_SOURCE_", "MODEL_SOURCE_<NAME>"),
    ],
)
def test_an_unknown_name_is_reported_with_the_nearest_and_ignored(
    name: str, near: str
) -> None:
    settings = read(environment={name: "nvidia/secret"})

    [problem] = settings.problems
    assert problem.code == "unknown_setting"
    assert problem.text.endswith("in the environment is not known and was ignored")
    assert problem.hint == f"did you mean {near}?"
    assert not problem.fatal
    assert "secret" not in problem.text
    assert not settings.sources


def test_names_of_other_programs_are_not_checked() -> None:
    settings = read(environment={"QUEUE_DIR": "/x", "DEFAULT_MODEL_SOURCES": "x"})

    assert settings.problems == ()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("OLLAMA_LOCAL", "ollama-local"),
        ("ollama-local", "ollama-local"),
        ("OLLAMA__LOCAL_", "ollama-local"),
        ("CLOUD2", "cloud2"),
    ],
)
def test_a_source_has_one_spelling(written: str, expected: str) -> None:
    settings = read(f"MODEL_SOURCE_{written}=nvidia/llama3")

    assert list(settings.sources) == [expected]
    assert source_name(written) == expected


def test_the_only_source_is_the_default() -> None:
    settings = read(LOCAL)

    assert settings.default_source == "ollama-local"
    assert value_of(settings, "DEFAULT_MODEL_SOURCE") == ("ollama-local", "default")


def test_of_several_sources_none_is_the_default() -> None:
    settings = read(LOCAL + CLOUD)

    assert settings.default_source is None
    assert value_of(settings, "DEFAULT_MODEL_SOURCE") == ("", "default")


@pytest.mark.parametrize("written", ["ollama-local", "OLLAMA_LOCAL", "Ollama-Local"])
def test_the_default_may_be_written_like_any_source(written: str) -> None:
    settings = read(f"{LOCAL}{CLOUD}DEFAULT_MODEL_SOURCE={written}")

    assert settings.default_source == "ollama-local"


def test_an_unknown_default_is_fatal_and_names_the_nearest() -> None:
    settings = read(f"{LOCAL}{CLOUD}DEFAULT_MODEL_SOURCE=olama")

    [problem] = fatal(settings)
    assert problem.text == (
        f"DEFAULT_MODEL_SOURCE in {TOOLS} is 'olama', "
        "but must be one of ollama-local, cloud-nvidia"
    )
    assert problem.hint == "did you mean ollama-local?"
    assert settings.default_source is None


def test_a_default_without_any_source_is_only_not_configured_yet() -> None:
    settings = read("DEFAULT_MODEL_SOURCE=ollama-local")

    assert settings.default_source is None
    assert settings.problems == ()


@pytest.mark.parametrize(
    "models",
    [
        pytest.param("qwen2.5", id="no provider"),
        pytest.param("/qwen2.5", id="empty provider"),
        pytest.param("ollama/", id="empty name"),
        pytest.param("ollama/a ollama/b", id="no comma"),
        pytest.param("ollama/a\u200b", id="invisible character"),
        pytest.param("ollama/a,qwen2.5", id="one of two"),
    ],
)
def test_a_model_that_is_not_written_provider_and_name_is_fatal(models: str) -> None:
    settings = read(LOCAL + f"MODEL_SOURCE_X={models}")

    [problem] = fatal(settings)
    assert problem.key == "MODEL_SOURCE_X"
    assert problem.allowed.startswith("models written provider/name")
    assert list(settings.sources) == ["ollama-local"]


@pytest.mark.parametrize("models", ["", ",", '""'])
def test_a_source_without_models_is_reported_and_left_out(models: str) -> None:
    settings = read(LOCAL + f"MODEL_SOURCE_X={models}")

    assert list(settings.sources) == ["ollama-local"]
    assert hint_of(settings, "no_models") == "write MODEL_SOURCE_X=provider/model"
    assert fatal(settings) == []


def test_an_empty_list_leaves_the_source_to_the_next_file() -> None:
    other = ConfigText("/w/AGENTS.md", CLOUD)

    settings = read("MODEL_SOURCE_CLOUD_NVIDIA=", other)

    assert settings.sources["cloud-nvidia"].models == ("nvidia/z-ai/glm5",)
    assert settings.problems == ()


def test_a_model_named_twice_counts_once() -> None:
    settings = read("MODEL_SOURCE_X=nvidia/a,nvidia/b,nvidia/a")

    assert settings.sources["x"].models == ("nvidia/a", "nvidia/b")
    assert [problem.code for problem in settings.problems] == ["repeated_model"]


def test_two_sources_may_have_the_same_model() -> None:
    settings = read("MODEL_SOURCE_X=nvidia/a\nMODEL_SOURCE_Y=nvidia/a")

    assert settings.problems == ()
    assert len(settings.sources) == 2


def test_parts_of_a_name_that_no_other_source_has_are_aliases() -> None:
    settings = read(SEED)

    assert {name: source.aliases for name, source in settings.sources.items()} == {
        "ollama-local": ("local", "本地"),
        "ollama-remote": ("remote", "远程"),
        "cloud-nvidia": ("cloud", "云端", "nvidia"),
    }


def test_a_part_that_two_sources_have_is_no_alias_in_either_language() -> None:
    settings = read("MODEL_SOURCE_LOCAL_GPU=ollama/a\nMODEL_SOURCE_LOCAL_CPU=ollama/a")

    assert settings.sources["local-gpu"].aliases == ("gpu",)
    assert settings.sources["local-cpu"].aliases == ("cpu",)


def test_a_single_letter_is_no_alias() -> None:
    settings = read("MODEL_SOURCE_BOX_A=ollama/a\nMODEL_SOURCE_RACK_B=ollama/a")

    assert settings.sources["box-a"].aliases == ("box",)


def test_own_aliases_are_added_in_the_form_in_which_messages_are_compared() -> None:
    source = local('aliases = [" Laptop ", "ＧＰＵ", "本地"]')

    assert source.aliases == ("ollama", "local", "本地", "laptop", "gpu")


def test_plain_aliases_are_lowered_too() -> None:
    assert local('aliases = ["Laptop"]').aliases[-1] == "laptop"


def test_an_alias_given_to_one_source_is_no_default_of_another() -> None:
    settings = read(LOCAL + CLOUD, toml='[sources.cloud-nvidia]\naliases = ["local"]')

    assert "local" not in settings.sources["ollama-local"].aliases
    assert "本地" in settings.sources["ollama-local"].aliases
    assert settings.problems == ()


def test_an_alias_given_to_two_sources_is_reported() -> None:
    toml = "\n".join(
        f'[sources.{name}]\naliases = ["gpu"]'
        for name in ("ollama-local", "cloud-nvidia")
    )

    settings = read(LOCAL + CLOUD, toml=toml)

    assert [problem.code for problem in settings.problems] == ["shared_alias"] * 2
    assert "gpu" in settings.sources["ollama-local"].aliases


def test_models_of_an_ollama_go_to_the_local_one_and_all_others_to_the_host() -> None:
    settings = read(SEED)

    reached = {
        name: (source.launcher, source.endpoint)
        for name, source in settings.sources.items()
    }
    assert reached == {
        "ollama-local": ("openai", "http://127.0.0.1:11434/v1"),
        "ollama-remote": ("openai", "http://127.0.0.1:11434/v1"),
        "cloud-nvidia": ("host", None),
    }


def test_a_source_of_which_one_model_is_no_ollamas_belongs_to_the_host() -> None:
    settings = read("MODEL_SOURCE_X=ollama/a,nvidia/b")

    assert settings.sources["x"].launcher == "host"


def test_sources_that_share_the_default_ollama_are_reported() -> None:
    settings = read(SEED)

    [text] = texts_of(settings)
    assert text == (
        "ollama-local, ollama-remote all use http://127.0.0.1:11434/v1, "
        "because no endpoint is set for them"
    )
    assert "[sources.ollama-remote]" in hint_of(settings, "shared_endpoint")


def test_two_sources_of_one_ollama_are_reported_with_the_last_to_be_told_apart() -> (
    None
):
    settings = read("MODEL_SOURCE_A1=ollama/a\nMODEL_SOURCE_B2=ollama/b")

    assert "[sources.b2]" in hint_of(settings, "shared_endpoint")


def test_an_endpoint_of_its_own_ends_the_sharing() -> None:
    toml = '[sources.ollama-remote]\nendpoint = "http://gpu-box:11434"'

    settings = read(SEED, toml=toml)

    assert settings.sources["ollama-remote"].endpoint == "http://gpu-box:11434/v1"
    assert settings.problems == ()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("", "http://127.0.0.1:11434/v1"),
        ("gpu-box", "http://gpu-box:11434/v1"),
        ("gpu-box:8080", "http://gpu-box:8080/v1"),
        ("gpu-box:8080/", "http://gpu-box:8080/v1"),
        (":8080", "http://127.0.0.1:8080/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),  # noqa: S104 - as Ollama has it
        ("0.0.0.0:8080", "http://127.0.0.1:8080/v1"),
        ("http://gpu-box:11434/", "http://gpu-box:11434/v1"),
        ("HTTP://gpu-box:11434", "http://gpu-box:11434/v1"),
        ("https://ollama.example", "https://ollama.example/v1"),
        ("https://ollama.example/v1", "https://ollama.example/v1"),
        ("https://ollama.example/api/", "https://ollama.example/api/v1"),
        ("::1", "http://[::1]:11434/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
        ("[::]:8080", "http://[::1]:8080/v1"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(host: str, expected: str) -> None:
    settings = read(LOCAL, environment={"OLLAMA_HOST": host})

    origin = "environment" if host else "default"
    assert settings.sources["ollama-local"].endpoint == expected
    assert value_of(settings, "sources.ollama-local.endpoint") == (expected, origin)
    assert settings.problems == ()


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("gpu-box:99999", "gpu-box:99999"),
        ("gpu-box:port", "gpu-box:port"),
        ("ftp://gpu-box", "ftp://gpu-box"),
        ("gpu box", "gpu box"),
        ("http://ann:pw@gpu-box", "…"),
    ],
)
def test_an_ollama_host_that_is_no_address_is_reported(host: str, shown: str) -> None:
    settings = read(LOCAL, environment={"OLLAMA_HOST": host})

    [text] = texts_of(settings)
    assert text == (
        "sources.ollama-local.endpoint has no default: "
        f"OLLAMA_HOST is {shown!r}, which is no address"
    )
    assert settings.sources["ollama-local"].endpoint == "http://127.0.0.1:11434/v1"
    assert fatal(settings) == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
        ("https://api.z.ai/api/paas/v4", "https://api.z.ai/api/paas/v4"),
        ("https://h/v1/chat/completions", "https://h/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
        ("http://[::1]", "http://[::1]/v1"),
    ],
)
def test_an_endpoint_is_taken_in_one_spelling(written: str, expected: str) -> None:
    assert local(f'endpoint = "{written}"').endpoint == expected


@pytest.mark.parametrize(
    "written",
    [
        '"127.0.0.1:8080"',
        '"ftp://h/v1"',
        '"http://"',
        '"http://:80"',
        '"http://h:99999"',
        '"http://h:port/v1"',
        '"http://h/v1?key=x"',
        '"http://a b/v1"',
        "8080",
    ],
)
def test_what_is_no_url_is_refused_as_endpoint(written: str) -> None:
    settings = read(LOCAL, toml=f"[sources.ollama-local]\nendpoint = {written}")

    [problem] = fatal(settings)
    assert problem.key == "sources.ollama-local.endpoint"
    assert settings.sources["ollama-local"].endpoint is None


def test_a_password_in_an_endpoint_is_refused_and_not_repeated() -> None:
    toml = '[sources.ollama-local]\nendpoint = "http://ann:pw@h/v1"'

    settings = read(LOCAL, toml=toml)

    assert fatal(settings)[0].value == "…"


def test_an_endpoint_without_its_launcher_is_reported() -> None:
    toml = '[sources.cloud-nvidia]\nendpoint = "https://h/v1"'

    settings = read(CLOUD, toml=toml)

    assert texts_of(settings) == [
        f'sources.cloud-nvidia.endpoint in {TOML} needs launcher = "openai"'
    ]
    assert settings.sources["cloud-nvidia"].launcher == "host"


@pytest.mark.parametrize(
    ("launcher", "model", "expected"),
    [
        ("host", "nvidia/z-ai/glm5", "nvidia/z-ai/glm5"),
        ("openclaw", "nvidia/z-ai/glm5", "nvidia/z-ai/glm5"),
        ("opencode", "nvidia/z-ai/glm5", "nvidia/z-ai/glm5"),
        ("openai", "nvidia/z-ai/glm5", "z-ai/glm5"),
        ("claude", "anthropic/opus", "opus"),
        ("command", "nvidia/mapped", "exact:7b"),
        ("host", "nvidia/mapped", "exact:7b"),
        ("openai", "bare", "bare"),
    ],
)
def test_a_model_is_named_as_its_runtime_knows_it(
    launcher: str, model: str, expected: str
) -> None:
    source = SourceSettings(
        name="x",
        models=(model,),
        launcher=launcher,
        model_names={"nvidia/mapped": "exact:7b"},
    )

    assert source.runtime_model(model) == expected


def test_launcher_openai_for_other_models_needs_an_endpoint() -> None:
    settings = read(CLOUD, toml='[sources.cloud-nvidia]\nlauncher = "openai"')

    [problem] = fatal(settings)
    assert problem.key == "sources.cloud-nvidia.endpoint"


def test_launcher_command_needs_a_command() -> None:
    settings = read(CLOUD, toml='[sources.cloud-nvidia]\nlauncher = "command"')

    [problem] = fatal(settings)
    assert problem.key == "sources.cloud-nvidia.command"


@pytest.mark.parametrize("written", ['"echo hi"', "[]", '["echo", 1]', '["", "echo"]'])
def test_a_command_is_a_list_of_texts(written: str) -> None:
    toml = f'[sources.cloud-nvidia]\nlauncher = "command"\ncommand = {written}'

    settings = read(CLOUD, toml=toml)

    [problem] = fatal(settings)
    assert problem.key == "sources.cloud-nvidia.command"


def test_an_argument_of_a_command_may_be_empty() -> None:
    toml = """
        [sources.cloud-nvidia]
        launcher = "command"
        command = ["grep", ""]
        """

    settings = read(CLOUD, toml=toml)

    assert settings.sources["cloud-nvidia"].command == ("grep", "")


def test_a_command_without_its_launcher_is_reported() -> None:
    settings = read(CLOUD, toml='[sources.cloud-nvidia]\ncommand = ["echo"]')

    assert [problem.code for problem in settings.problems] == ["unused_key"]


@pytest.mark.parametrize(
    "written",
    [
        '"sk-proj-0123456789abcdef"',
        '"nvapi-0123456789abcdef"',
        '"AIzaSyA0123456789abcdefghij"',
        '"sk_live_0123456789abcdef"',
        '"MY KEY"',
        '""',
        "12345",
    ],
)
def test_a_key_in_place_of_its_variables_name_is_refused_and_not_repeated(
    written: str,
) -> None:
    toml = f"[sources.ollama-local]\napi_key_env = {written}"

    settings = read(LOCAL, toml=toml)

    [problem] = fatal(settings)
    assert problem.key == "sources.ollama-local.api_key_env"
    assert len(problem.value) <= 4
    assert settings.sources["ollama-local"].api_key_env is None


def test_a_key_in_a_file_that_does_not_parse_is_not_repeated() -> None:
    toml = "[sources.ollama-local]\napi_key_env = sk-proj-0123456789abcdef"

    settings = read(LOCAL, toml=toml)

    assert "sk-proj" not in repr(settings)


@pytest.mark.parametrize(
    ("environment", "codes"),
    [
        pytest.param({"NVIDIA_API_KEY": "x"}, [], id="set"),
        pytest.param({}, ["key_not_set"], id="not set"),
    ],
)
def test_a_named_key_that_is_not_set_is_reported(
    environment: Mapping[str, str], codes: Sequence[str]
) -> None:
    toml = '[sources.ollama-local]\napi_key_env = "NVIDIA_API_KEY"'

    settings = read(LOCAL, toml=toml, environment=environment)

    assert settings.sources["ollama-local"].api_key_env == "NVIDIA_API_KEY"
    assert [problem.code for problem in settings.problems] == codes


def test_every_key_of_a_source_is_read() -> None:
    settings = read(
        LOCAL + CLOUD,
        toml="""
            [sources.ollama-local]
            max_concurrent = 2
            slots = "until-terminal"
            launcher = "command"
            command = ["run-model", "{model}"]
            model_names = { "ollama/qwen2.5" = "qwen2.5:7b" }
            timeout_s = 60
            start_timeout_s = 30
            lease_s = 20
            backoff_s = [1, 2.5]
            jitter = 0.5
            max_tokens = 100
            permission_mode = "plan"
            allowed_tools = ["Read", "Grep"]
            budget_usd_per_day = 5
            strict_model = true
            fallback = "CLOUD_NVIDIA"
        """,
    )

    assert settings.sources["ollama-local"] == SourceSettings(
        name="ollama-local",
        models=("ollama/llama3", "ollama/qwen2.5"),
        aliases=("ollama", "local", "本地"),
        launcher="command",
        command=("run-model", "{model}"),
        model_names={"ollama/qwen2.5": "qwen2.5:7b"},
        max_concurrent=2,
        slots="until-terminal",
        timeout_s=60,
        start_timeout_s=30,
        lease_s=20,
        backoff_s=(1.0, 2.5),
        jitter=0.5,
        max_tokens=100,
        permission_mode="plan",
        allowed_tools=("Read", "Grep"),
        budget_usd_per_day=5.0,
        strict_model=True,
        fallback="cloud-nvidia",
    )
    assert settings.problems == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("timeout_s", ("60", TOML)),
        ("strict_model", ("true", TOML)),
        ("allowed_tools", ("Read,Grep", TOML)),
        ("backoff_s", ("1,2.5", TOML)),
        ("model_names", ("ollama/llama3=llama3:8b", TOML)),
        ("lease_s", ("120", "default")),
        ("jitter", ("0", "default")),
        ("slots", ("running", "default")),
    ],
)
def test_every_value_of_a_source_is_shown_with_its_origin(
    name: str, expected: tuple[str, str]
) -> None:
    settings = read(
        LOCAL,
        toml="""
            [sources.ollama-local]
            timeout_s = 60
            strict_model = true
            allowed_tools = ["Read", "Grep"]
            backoff_s = [1, 2.5]
            model_names = { "ollama/llama3" = "llama3:8b" }
        """,
    )

    assert value_of(settings, f"sources.ollama-local.{name}") == expected


@pytest.mark.parametrize(
    "line",
    [
        "max_concurrent = 0",
        "max_concurrent = 101",
        "max_concurrent = true",
        'max_concurrent = "2"',
        'slots = "some"',
        'launcher = "docker"',
        "launcher = 1",
        "timeout_s = 0",
        "timeout_s = 1.5",
        "timeout_s = 604801",
        "start_timeout_s = -1",
        "lease_s = 86401",
        "backoff_s = []",
        "backoff_s = 5",
        "backoff_s = [5, -1]",
        'backoff_s = [5, "15"]',
        "jitter = 1.1",
        "jitter = nan",
        "jitter = true",
        "max_tokens = 0",
        'permission_mode = ""',
        "permission_mode = 1",
        'allowed_tools = "Read"',
        "allowed_tools = [1]",
        "budget_usd_per_day = -1",
        "budget_usd_per_day = inf",
        'strict_model = "yes"',
        'model_names = "x"',
        'model_names = { "ollama/llama3" = 1 }',
        'aliases = "x"',
        'fallback = "ollama-local"',
        'fallback = "nowhere"',
        "fallback = 1",
        "timeout_s = 1979-05-27",
    ],
)
def test_a_key_of_the_wrong_kind_or_range_is_fatal_and_leaves_the_default(
    line: str,
) -> None:
    key = line.partition(" ")[0]

    settings = read(LOCAL + CLOUD, toml=f"[sources.ollama-local]\n{line}")

    [problem] = fatal(settings)
    assert problem.text.startswith(f"sources.ollama-local.{key} in {TOML} is ")
    assert settings.sources == read(LOCAL + CLOUD).sources


def test_a_fallback_without_another_source_is_refused() -> None:
    settings = read(LOCAL, toml='[sources.ollama-local]\nfallback = "cloud"')

    assert fatal(settings)[0].allowed == "left out: there is no such source"


def test_a_mapped_model_that_the_source_does_not_have_is_reported() -> None:
    toml = '[sources.ollama-local.model_names]\n"ollama/qwen" = "qwen2.5:7b"'

    settings = read(LOCAL, toml=toml)

    assert hint_of(settings, "unknown_model") == "did you mean ollama/qwen2.5?"


@pytest.mark.parametrize(
    ("toml", "seen", "near"),
    [
        ("[source.x]", "source", "sources"),
        ("[sources.ollama-local]\ntimeout = 1", "timeout", "timeout_s"),
        ("[sources.ollama-local]\napi_key = 'sk-1'", "api_key", "api_key_env"),
        ("[queue]\nmax_retry = 1", "max_retry", "max_retries"),
        ("[retry_policy]\nbugs = 1", "bugs", "bug"),
        ("[notify]\ncmd = ['x']", "cmd", "command"),
    ],
)
def test_an_unknown_key_is_reported_with_the_nearest_and_without_its_value(
    toml: str, seen: str, near: str
) -> None:
    settings = read(LOCAL, toml=toml)

    [problem] = settings.problems
    assert problem.code == "unknown_key"
    assert f"{seen} in {TOML}" in problem.text
    assert problem.hint.removesuffix("?").endswith(near)
    assert "sk-1" not in problem.text
    assert not problem.fatal


@pytest.mark.parametrize(
    ("tools", "hint"),
    [
        pytest.param(LOCAL, "did you mean ollama-local?", id="nearest"),
        pytest.param("", "add MODEL_SOURCE_OLAMA_LOCAL=provider/model", id="none"),
    ],
)
def test_a_table_of_a_source_without_models_is_reported(tools: str, hint: str) -> None:
    settings = read(tools, toml="[sources.olama-local]\nmax_concurrent = 2")

    [problem] = settings.problems
    assert problem.code == "no_models"
    assert "no MODEL_SOURCE_OLAMA_LOCAL gives its models" in problem.text
    assert problem.hint == hint


@pytest.mark.parametrize(
    "toml",
    ["queue = 3", "sources = 3", "sources.ollama-local = 3", "notify = 'echo'"],
)
def test_a_value_in_place_of_a_table_is_fatal(toml: str) -> None:
    settings = read(LOCAL, toml=toml)

    [problem] = fatal(settings)
    assert problem.allowed.startswith("a table: [")


@pytest.mark.parametrize(
    ("toml", "key"),
    [
        ("[queue]\nmax_concurrent_tasks = 11", "queue.max_concurrent_tasks"),
        ("[queue]\nmax_retries = -1", "queue.max_retries"),
        ("[queue]\nsource = 'nowhere'", "queue.source"),
        ("[retry_policy]\nbug = 'often'", "retry_policy.bug"),
        ("[retry_policy]\ndeploy-request = 101", "retry_policy.deploy-request"),
        ("[notify]\ncommand = 'echo'", "notify.command"),
    ],
)
def test_the_other_tables_are_checked_too(toml: str, key: str) -> None:
    settings = read(LOCAL, toml=toml)

    assert [problem.key for problem in fatal(settings)] == [key]


def test_the_other_tables_are_shown_where_they_are_set() -> None:
    toml = """
        [queue]
        max_concurrent_tasks = 10
        max_retries = 0
        source = "OLLAMA_LOCAL"
        [retry_policy]
        bug = 5
        [notify]
        command = ["notify-send", "model-queue"]
    """

    settings = read(LOCAL, toml=toml)

    assert value_of(settings, "queue.max_concurrent_tasks") == ("10", TOML)
    assert value_of(settings, "queue.max_retries") == ("0", TOML)
    assert value_of(settings, "queue.source") == ("ollama-local", TOML)
    assert value_of(settings, "retry_policy.bug") == ("5", TOML)
    assert settings.notify_command == ("notify-send", "model-queue")
    assert settings.max_retries == 3
    assert settings.problems == ()


def test_the_workspaces_source_is_not_checked_before_there_are_sources() -> None:
    settings = read(toml="[queue]\nsource = 'cloud'")

    assert settings.problems == ()


@pytest.mark.parametrize(
    ("toml", "text"),
    [
        pytest.param(
            "[queue]\nmax_retries == 3",
            f"line 2, column 14 in {TOML} is 'max_retries = …', "
            "but must be valid TOML (Invalid value)",
            id="value",
        ),
        pytest.param(
            "a = 1\nb = '''x\ny",
            f"line 3, column 2 in {TOML} is 'y', "
            "but must be valid TOML (Expected \"'''\")",
            id="end of the file",
        ),
        pytest.param(
            "a = " + "[" * 5000,
            f"line 1, column 1 in {TOML} is 'a = …', but must be valid TOML "
            "(a number is too long or brackets are nested too deep)",
            id="nesting",
        ),
        pytest.param(
            "a = " + "1" * 5000,
            f"line 1, column 1 in {TOML} is 'a = …', but must be valid TOML "
            "(a number is too long or brackets are nested too deep)",
            id="number",
        ),
    ],
)
def test_a_toml_that_does_not_parse_is_fatal_and_says_where(
    toml: str, text: str
) -> None:
    settings = read(LOCAL, toml=toml)

    [problem] = fatal(settings)
    assert problem.text == text
    assert settings.sources == read(LOCAL).sources


@pytest.mark.parametrize("toml", ["", "\n  \n", "# nothing\n"])
def test_an_empty_toml_is_as_none(toml: str) -> None:
    settings = read(LOCAL, toml=toml)

    assert settings.sources == read(LOCAL).sources
    assert settings.problems == ()


def test_a_toml_with_bom_and_crlf_is_read() -> None:
    settings = read(LOCAL, toml="\ufeff[sources.ollama-local]\r\ntimeout_s = 60\r\n")

    assert settings.sources["ollama-local"].timeout_s == 60


def test_reading_tools_md_alone_imports_nothing_slow() -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from model_queue.config import ConfigText, load\n"
        "load(environment={}, home='/h', tools=[ConfigText('/t', sys.argv[2])])\n"
        "slow = {'tomllib', 'difflib', 'unicodedata', 'pathlib', 'urllib', 'logging'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )

    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(LIB), SEED],
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout == "[]\n"


TEXTS = st.text(max_size=60)
LINES = st.lists(
    st.builds(
        "{}{}={}".format,
        st.sampled_from(["", "- ", "export ", "`", "> ", "1. "]),
        st.sampled_from(
            [
                "MODEL_QUEUES_DIR",
                "MODEL_QUEUE_STORE",
                "MODEL_QUEUE_MAX_RETRIES",
                "MODEL_SOURCE_A",
                "MODEL_SOURCE_B_C",
                "MODEL_SOURCE_",
                "MODEL_QUEUE",
                "DEFAULT_MODEL_SOURCE",
            ]
        ),
        st.one_of(TEXTS, st.sampled_from(["3", "/q", "ollama/a,nvidia/b", "b-c"])),
    ),
    max_size=5,
).map("\n".join)
TOML_TEXTS = st.one_of(
    TEXTS,
    st.builds(
        "[sources.a]\n{} = {}".format,
        st.sampled_from(
            ["launcher", "endpoint", "aliases", "command", "fallback", "x"]
        ),
        st.one_of(
            TEXTS,
            st.sampled_from(['"host"', "1", "[]", "{}", "nan", '["x"]', "2026-01-01"]),
        ),
    ),
)


@given(
    tools=st.one_of(TEXTS, LINES), toml=TOML_TEXTS, host=TEXTS, trusted=st.booleans()
)
def test_no_text_makes_load_raise(
    tools: str, toml: str, host: str, *, trusted: bool
) -> None:
    settings = load(
        environment={"OLLAMA_HOST": host, "MODEL_QUEUE_WAKER": host},
        home=HOME,
        tools=[ConfigText(TOOLS, tools, trusted=trusted)],
        toml=ConfigText(TOML, toml),
    )

    assert settings.queues_dir.startswith("/")
    assert all(source.models for source in settings.sources.values())
    assert (
        settings.default_source is None or settings.default_source in settings.sources
    )
    assert all(problem.key for problem in fatal(settings))


@given(
    value=st.text(
        st.characters(codec="ascii", exclude_characters="\r\n", categories=["L", "N"]),
        min_size=1,
        max_size=20,
    ),
    before=st.sampled_from(["", "- ", "> ", "export ", "2. ", "\ufeff"]),
    quote=st.sampled_from(["", '"', "'"]),
    after=st.sampled_from(["", " # note", "\r\n", "  "]),
)
def test_layout_never_changes_a_value(
    value: str, before: str, quote: str, after: str
) -> None:
    line = f"{before}MODEL_QUEUES_DIR={quote}/q/{value}{quote}{after}"

    settings = read(line)

    assert settings.queues_dir == f"/q/{value}"
