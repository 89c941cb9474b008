"""Opens a model of sentence-transformers by its name at Hugging Face, or from a folder."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from memory_core.errors import MemstrataError

MOST_THREADS = 4

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be opened, and how failures are told.

    type_name: the class in sentence_transformers; kind: what a person calls such a model;
    refused: what is said when it does not take its arguments; failure: the error that is raised.
    """

    type_name: str
    kind: str
    model_name: str
    refused: str
    failure: type[MemstrataError]


def open_model(wanted: Wanted, kwargs: Mapping[str, Any], describe: Callable[[Any], T]) -> T:
    """The model, as `describe` makes it of the opened one; it may fail as opening does.

    Raises:
        wanted.failure: it cannot be opened; the message says what to do.
    """
    try:
        torch = import_module("torch")
        broken_file = import_module("safetensors").SafetensorError
        model_type = getattr(import_module("sentence_transformers"), wanted.type_name)
    except (ImportError, OSError) as error:
        raise wanted.failure(
            "The package sentence-transformers is missing or broken. Install it: "
            'pip install "memstrata[sentence-transformers]"'
        ) from error
    # Half the cores: with more threads than free ones everything takes many times as long.
    torch.set_num_threads(max(1, min(MOST_THREADS, (os.cpu_count() or 1) // 2)))
    failures: list[Exception] = []
    for options in _attempts(wanted.model_name, kwargs):
        try:
            return describe(model_type(_source(wanted.model_name), **options))
        except (OSError, ValueError, KeyError, RuntimeError, ImportError, broken_file) as error:
            failures.append(error)
        except (TypeError, AttributeError) as error:
            raise wanted.failure(wanted.refused) from error
    raise wanted.failure(_advice(wanted)) from failures[-1]


def short_name(model_name: str) -> str:
    """The model's name for a person; of a folder the last two names: they stay when it moves."""
    if _is_folder(model_name):
        model_name = "/".join(Path(model_name).expanduser().resolve().parts[-2:])
    return f"sentence-transformers/{model_name.removeprefix('sentence-transformers/')}"


def _attempts(model_name: str, kwargs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Arguments to try in turn: from the disk first, as without a network the other takes minutes.

    The processor is the default: several servers may run, and would each take a graphics card.
    """
    options = {"device": "cpu", "local_files_only": True, **kwargs}
    yield options
    if "local_files_only" not in kwargs and not _is_folder(model_name):
        yield {**options, "local_files_only": False}


def _is_folder(model_name: str) -> bool:
    return Path(model_name).expanduser().is_dir()


def _source(model_name: str) -> str:
    return str(Path(model_name).expanduser()) if _is_folder(model_name) else model_name


def _advice(wanted: Wanted) -> str:
    if _is_folder(wanted.model_name):
        return (
            f'The folder "{wanted.model_name}" holds no sentence-transformers model that can be '
            "read. Save or fetch it again, or name another."
        )
    return (
        f'The {wanted.kind} "{wanted.model_name}" is neither on this disk nor can it be fetched. '
        "Check the name and the network, or give the folder of a model."
    )
