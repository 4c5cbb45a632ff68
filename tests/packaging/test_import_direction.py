"""Every module has a layer, and imports from its own or those before it only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "lib" / "model_queue"
LAYERS: tuple[tuple[str, ...], ...] = (
    # the version; the errors
    ("", "errors"),
    # the values and the protocols everything speaks in
    ("model", "ports", "settings", "store"),
    # pure: values in, values out
    (
        "asked",
        "backoff",
        "budgets",
        "codec",
        "config",
        "config.*",
        "dependencies",
        "error_table",
        "failures",
        "fields",
        "inspection",
        "intake",
        "intake.*",
        "jsontext",
        "labels",
        "messages",
        "messages.*",
        "ordering",
        "prompts",
        "proposing",
        "queuefile",
        "redaction",
        "reports",
        "reset_times",
        "statechart",
        "transitions",
        "transitions.*",
        "vocabularies",
        "trails",
        "zones",
    ),
    # adapters: files, processes, databases, the wire
    (
        "appending",
        "atomic",
        "bundle",
        "detached",
        "file_systems",
        "folder",
        "launchers",
        "launchers.*",
        "lock_holders",
        "processes",
        "stores",
        "stores.*",
    ),
    # use cases
    (
        "acceptance",
        "acting",
        "acting_on_many",
        "adding",
        "answering",
        "asking",
        "archiving",
        "clocks",
        "completion",
        "control",
        "core",
        "dispatch",
        "editing",
        "explaining",
        "first_run",
        "hearsay",
        "holds",
        "lineups",
        "orders",
        "outcomes",
        "planning",
        "reporting",
        "session_folders",
        "settling",
        "standstills",
        "submit",
        "undoing",
        "watching",
    ),
    # the top: opens the real parts, sleeps, reads the environment
    (
        "cli",
        "commands",
        "commands.*",
        "demo",
        "demo_server",
        "demo_servers",
        "entry",
        "faults",
        "guard",
        "hook_calls",
        "hook_calls.*",
        "hooks",
        "hosts",
        "hosts.*",
        "openai_session",
        "passes",
        "patience",
        "probing",
        "session_birth",
        "sidecars",
        "terminal",
        "supervision",
        "supervisor",
        "waker",
        "waker_main",
        "wiring",
    ),
)
TOP = len(LAYERS) - 1
HIDDEN_CALLS = {"time.sleep", "os.getenv", "importlib.import_module", "__import__"}


def _modules() -> dict[str, ast.Module]:
    found: dict[str, ast.Module] = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        name = "" if name == "__init__" else name.removesuffix(".__init__")
        found[name] = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return found


MODULES = _modules()


def _layer_of(module: str) -> int | None:
    for number, names in enumerate(LAYERS):
        package = module.partition(".")[0]
        if module in names or ("." in module and f"{package}.*" in names):
            return number
    return None


def _imports(tree: ast.Module) -> Iterator[str]:
    """Yield the modules of ours that a module imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, _, rest = name.partition(".")
            if first == "model_queue":
                yield rest if rest in MODULES else rest.rpartition(".")[0]


IMPORTS: Mapping[str, frozenset[str]] = {
    name: frozenset(_imports(tree)) - {name, ""} for name, tree in MODULES.items()
}


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def test_every_module_has_a_layer() -> None:
    without = [name for name in MODULES if _layer_of(name) is None]

    assert without == []


def test_every_name_in_the_table_is_a_module() -> None:
    names = [name for layer in LAYERS for name in layer]

    gone = [name for name in names if name.removesuffix(".*") not in MODULES]

    assert gone == []


@pytest.mark.parametrize("module", sorted(MODULES))
def test_module_imports_from_its_own_layer_or_earlier_ones(module: str) -> None:
    own = _layer_of(module)

    later = [name for name in IMPORTS[module] if (_layer_of(name) or 0) > (own or 0)]

    assert later == []


def test_imports_have_no_cycle() -> None:
    """A cycle is a misplaced type, also when a function-level import hides it."""
    left = {name: set(imports) for name, imports in IMPORTS.items()}

    while free := {name for name, imports in left.items() if not imports & set(left)}:
        left = {name: each for name, each in left.items() if name not in free}

    assert left == {}


@pytest.mark.parametrize(
    "module", sorted(name for name in MODULES if _layer_of(name) != TOP)
)
def test_only_the_top_layer_reads_the_environment_sleeps_or_catches_all(
    module: str,
) -> None:
    found: list[str] = []
    for node in ast.walk(MODULES[module]):
        match node:
            case ast.Attribute() if _dotted(node) == "os.environ":
                found.append("os.environ")
            case ast.Call() if _dotted(node.func) in HIDDEN_CALLS:
                found.append(_dotted(node.func))
            case ast.ImportFrom(module="os" | "time", names=names):
                found += [n.name for n in names if n.name in {"environ", "sleep"}]
            case ast.ExceptHandler(type=None):
                found.append("bare except")
            case ast.ExceptHandler(type=ast.Name(id="Exception" | "BaseException")):
                # What cleans up and raises again swallows nothing.
                if not isinstance(node.body[-1], ast.Raise):
                    found.append("except Exception")
            case _:
                pass

    assert found == []
