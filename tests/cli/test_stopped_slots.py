"""A stopped session that goes on for a while keeps its slot until it is seen gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.test_lost_sessions import is_gone, started
from programs import Programs
from waiting import eventually

pytestmark = pytest.mark.slow

SESSION = """\
for earlier in $(cat {home}/starts 2>/dev/null); do
    # A zombie has ended; only its parent has not looked yet.
    case "$(cut -d' ' -f3 /proc/$earlier/stat 2>/dev/null)" in
        '' | [ZX]*) ;;
        *) echo $earlier >> {home}/overlaps ;;
    esac
done
trap '' TERM
echo $$ >> {home}/starts
sleep 3
"""
TOML = """
[sources.here]
launcher = "command"
command = ["sh", "{home}/session"]
max_concurrent = 1
"""


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    programs = Programs(tmp_path)
    (tmp_path / "session").write_text(SESSION.replace("{home}", str(tmp_path)))
    programs.configure("MODEL_SOURCE_HERE=x/y", TOML.replace("{home}", str(tmp_path)))
    programs.cli("intake", "count the rows of a.csv")
    programs.cli("intake", "count the rows of b.csv")
    yield programs
    programs.cli("cancel", "T-001")
    programs.cli("cancel", "T-002")
    eventually(lambda: all(is_gone(pid) for pid in started(programs)))


@pytest.mark.parametrize(
    "message",
    ["cancel T-001", "cancel T-001; retry T-001", "pause T-001; resume T-001"],
)
def test_nothing_starts_beside_a_stopped_session_that_goes_on(
    programs: Programs, message: str
) -> None:
    eventually(lambda: len(started(programs)) == 1)

    programs.hook("on-intake", message=message)
    programs.cli("tick")

    def has_gone_on() -> bool:
        programs.cli("tick")
        return len(started(programs)) > 1

    eventually(has_gone_on)
    assert not (programs.home / "overlaps").exists()
