"""Whether a finished task's own checks hold. Source: SPEC 2.1, ``accept``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence

from model_queue.model import JsonObject, Task

COMMAND_LIMIT_S = 60
"""A check is meant to look, not to work."""


def failed_checks(task: Task, report: str) -> Sequence[str]:
    """Return one sentence for each check that does not hold, [] when all do.

    A check of an unknown kind does not hold: what cannot be checked is not done.
    """
    found = (_failed(check, task.cwd or "", report) for check in task.accept)
    return [sentence for sentence in found if sentence]


def _failed(check: JsonObject, cwd: str, report: str) -> str:
    for kind, wanted in check.items():
        match kind:
            case "file":
                return _file(os.path.join(cwd, str(wanted)))
            case "regex":
                return _regex(str(wanted), report)
            case "schema":
                return _schema(os.path.join(cwd, str(wanted)), report)
            case "command":
                argv = (
                    [str(word) for word in wanted] if isinstance(wanted, list) else []
                )
                return _command(argv, cwd)
            case _:
                return f"the accept check {kind!r} is not known"
    return "an accept check is empty"


def _file(path: str) -> str:
    try:
        size = os.stat(path).st_size
    except OSError:
        return f"the file {path} is missing"
    except ValueError as error:
        return f"{path!r} is no name of a file ({error})"
    return "" if size else f"the file {path} is empty"


def _regex(pattern: str, report: str) -> str:
    try:
        found = re.search(pattern, report)
    except (re.error, OverflowError, RecursionError) as error:
        return f"the accept pattern {pattern!r} is no regular expression ({error})"
    return "" if found else f"the report has nothing that matches {pattern!r}"


def _schema(path: str, report: str) -> str:
    # Imported here: only a task with such a check pays for it, and needs it installed.
    try:
        import jsonschema  # noqa: PLC0415
    except ImportError:
        return "the accept check 'schema' needs the package jsonschema"
    if not os.path.isfile(path):
        # Not even opened: a pipe would wait for its writer.
        return f"the schema {path!r} is no file"
    try:
        with open(path, encoding="utf-8") as file:
            jsonschema.validate(json.loads(report), json.load(file))
    except (OSError, ValueError, RecursionError) as error:
        return f"the report could not be checked by {path}: {error}"
    except jsonschema.SchemaError as error:
        return f"the report could not be checked by {path}: {error.message}"
    except jsonschema.ValidationError as error:
        return f"the report is not valid by {path}: {error.message}"
    return ""


def _command(argv: Sequence[str], cwd: str) -> str:
    # Imported here: it costs a hook 20 ms, and few tasks have such a check.
    import subprocess  # noqa: PLC0415

    if not argv:
        return "an accept command is empty"
    try:
        done = subprocess.run(  # noqa: S603 - the person's own check, never a shell
            argv,
            cwd=cwd or None,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=COMMAND_LIMIT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return f"the accept command {argv[0]!r} did not run: {error}"
    if done.returncode == 0:
        return ""
    return f"the accept command {argv[0]!r} exited with {done.returncode}"
