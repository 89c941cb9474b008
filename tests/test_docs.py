"""The documentation, held to the code: what it names exists, and what it shows works."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_core import Settings
from server.arguments import parse_arguments

ROOT = Path(__file__).parent.parent
READMES = ("README.md", "README.zh-CN.md")
DOCUMENTS = [
    *READMES,
    "CHANGELOG.md",
    *sorted(f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md")),
]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
# A home or a temporary directory of somebody: "you" is who reads.
MACHINE_PATH = re.compile(
    r"/(?:home|Users)/(?!you\b)\w+|/(?:root|tmp)/\w+|\bC:\\+Users\\+(?!you\b)"
)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return [body for kind, body in FENCE.findall(read(name)) if kind == language]


def prose(name: str) -> str:
    return FENCE.sub("", read(name))


def headings(name: str) -> list[tuple[int, str]]:
    return [
        (len(marks), title)
        for marks, title in re.findall(r"^(#+) (.+)$", prose(name), re.MULTILINE)
    ]


def anchors(name: str) -> set[str]:
    """Anchors as GitHub makes them of headings."""
    bare = (re.sub(r"[^\w\- ]", "", title.lower()) for _, title in headings(name))
    return {title.replace(" ", "-") for title in bare}


def tree(name: str) -> list[str]:
    """Every path that the annotated tree names, by its indentation."""
    (drawn,) = [body for body in blocks(name, "text") if body.startswith("README.md")]
    folders: list[str] = []
    found = []
    for line in drawn.splitlines():
        names = re.split(r" {2,}", line.strip(), maxsplit=1)[0].split()
        depth = (len(line) - len(line.lstrip())) // 2
        folders = folders[:depth]
        found += ["".join(folders) + path for path in names]
        folders += [path for path in names if path.endswith("/")]
    return found


def test_every_path_of_the_tree_exists() -> None:
    paths = tree("README.md")
    assert len(paths) == len(set(paths)) > 40
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("package", ["memory_core", "server"])
def test_the_tree_names_everything_at_the_top_of_a_package(package: str) -> None:
    there = {
        f"{package}/{entry.name}{'/' * entry.is_dir()}"
        for entry in (ROOT / package).iterdir()
        if entry.name not in ("__pycache__", "py.typed")
    }
    assert there - set(tree("README.md")) == set()


def test_the_library_example_runs(tmp_path: Path) -> None:
    (example,) = blocks("README.md", "python")
    # Without the keys and settings of whoever runs this.
    foreign = ("OPENAI_", "MEMSTRATA_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=tmp_path,
        env=environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert re.fullmatch(r"0\.\d\d  \d{4}-\d\d-\d\d  I live in Lisbon.*\n", done.stdout.decode())
    assert (tmp_path / "my-memory" / "memory.db").exists()


def test_both_readmes_have_the_same_shape() -> None:
    english, chinese = READMES
    assert [level for level, _ in headings(english)] == [level for level, _ in headings(chinese)]
    assert tree(english) == tree(chinese)
    for name in READMES:
        assert [kind for kind, _ in FENCE.findall(read(name))] == [
            kind for kind, _ in FENCE.findall(read(english))
        ]
    for language in ("python", "json"):
        assert blocks(english, language) == blocks(chinese, language)
    commands = [[re.sub(r" *#.*", "", b) for b in blocks(name, "bash")] for name in READMES]
    assert commands[0] == commands[1]


def test_both_readmes_name_the_same_code_figures_and_points() -> None:
    for pattern in (r"`[^`\n]+`", r"TODO-FIGURE\([\w-]+\)", r"\d+(?:[.,]\d+)*", r"^- ", r"^\|"):
        english, chinese = (
            sorted(re.findall(pattern, prose(name), re.MULTILINE)) for name in READMES
        )
        assert english == chinese


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_between_documents_resolve(name: str) -> None:
    for target in LINK.findall(prose(name)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        assert file.exists(), target
        relative = file.resolve().relative_to(ROOT).as_posix()
        assert not anchor or anchor in anchors(relative), target


def entries(node: Any) -> Iterator[dict[str, Any]]:
    """The objects of a client's configuration that name a command."""
    if isinstance(node, dict):
        if "command" in node:
            yield node
        for value in node.values():
            yield from entries(value)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_server_takes_the_arguments_that_are_shown(name: str) -> None:
    shown = [json.loads(block) for block in blocks(name, "json")]
    shown += [tomllib.loads(block) for block in blocks(name, "toml")]
    for block in shown:
        for entry in entries(block):
            command = entry["command"]
            words = command if isinstance(command, list) else [command, *entry["args"]]
            assert Path(words[0]).name == "memstrata"
            Settings.load(parse_arguments(words[1:]).settings, environ=entry.get("env", {}))
        if not [*entries(block)]:
            Settings.load(block, environ={})


def test_every_client_is_shown_an_entry_of_its_own() -> None:
    text = read("docs/clients.md")
    for client in ("Claude Desktop", "Cursor", "Cline", "VS Code", "Claude Code", "Codex"):
        assert f"\n## {client}\n" in text


def shown_settings() -> dict[str, tuple[str, str]]:
    """Type and default of every key in the table of the configuration."""
    row = re.compile(r"^\| `(\w+)` \| ([^|]+?) \| `([^`|]+)` \| [^|]{10,} \|$", re.MULTILINE)
    return {
        key: (kind, default) for key, kind, default in row.findall(read("docs/configuration.md"))
    }


def test_the_table_of_settings_has_every_key_in_order() -> None:
    assert list(shown_settings()) == list(Settings.model_fields)


def test_the_table_of_settings_shows_the_defaults() -> None:
    example = json.loads(read("config.example.json"))  # test_config holds it equal to Settings
    defaults = {key: json.loads(default) for key, (_, default) in shown_settings().items()}
    assert defaults == example


def test_the_table_of_settings_shows_the_types_and_bounds() -> None:
    properties = Settings.model_json_schema()["properties"]
    assert {key: kind for key, (kind, _) in shown_settings().items()} == {
        key: type_in_words(schema) for key, schema in properties.items()
    }


def type_in_words(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        first, _null = schema["anyOf"]
        name, _, bounds = type_in_words(first).partition(", ")
        return f"{name} or null, {bounds}"
    name = {"password": "secret", "path": "path"}.get(schema.get("format", ""), schema["type"])
    name = name.replace("string", "text")
    low, high = schema.get("minimum"), schema.get("maximum")
    if high is not None:
        return f"{name}, {low:g} to {high:g}"
    if low is not None:
        return f"{name}, from {low:g}"
    above = schema.get("exclusiveMinimum")
    return name if above is None else f"{name}, above {above:g}"


def tracked_texts() -> Iterator[tuple[str, str]]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            yield name, (ROOT / name).read_text(encoding="utf-8", errors="replace")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_no_tracked_file_holds_a_path_of_some_machine() -> None:
    here = str(ROOT)
    found = [
        f"{name}: {match[0]}"
        for name, text in tracked_texts()
        for match in [*re.finditer(re.escape(here) + r"\b", text), *MACHINE_PATH.finditer(text)]
    ]
    assert found == []


def test_a_path_of_some_machine_is_recognised() -> None:
    home = "/home/"
    assert MACHINE_PATH.search(f"see {home}someone/notes")
    assert not MACHINE_PATH.search(f"see {home}you/notes")
