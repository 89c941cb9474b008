"""Any sentence-transformers model, by name or folder, for those who bring one."""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from memory_core.backends.embedder import Vectors, cleaned, unit_rows
from memory_core.backends.local_model import ModelThread
from memory_core.errors import EmbedderError

MOST_CHARACTERS = 1000
CHARACTERS_PER_TOKEN = 3
MOST_THREADS = 4


@dataclass(frozen=True, slots=True)
class _Opened:
    model: Any
    name: str
    dimension: int
    window: int


class SentenceTransformersEmbedder:
    """Implements `Embedder`. Owns the model. All properties but the threshold need `load` first.

    Args:
        model_name: a name at Hugging Face, or a folder that holds a model.
        kwargs: further arguments of `SentenceTransformer`, such as device or truncate_dim.
    """

    def __init__(self, model_name: str, kwargs: Mapping[str, Any] | None = None) -> None:
        self._model_name = model_name
        self._kwargs = dict(kwargs or {})
        self._thread = ModelThread()
        self._opening = threading.Lock()
        self._state: _Opened | None = None

    @property
    def name(self) -> str:
        return self._loaded.name

    @property
    def dimension(self) -> int:
        return self._loaded.dimension

    @property
    def window(self) -> int:
        return self._loaded.window

    @property
    def similarity_threshold(self) -> None:
        return None

    async def load(self) -> None:
        """See `Embedder.load`. A name that is not in the local cache is fetched."""
        await self._thread.run(self._warm)

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        if self._state is None:
            await self.load()
        return await self._thread.encode(self._encode_documents, texts, self.dimension)

    async def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        row: Vectors = (await self._thread.encode(self._encode_queries, [text], 0))[0]
        return row

    async def close(self) -> None:
        """See `Embedder.close`."""
        self._state = None

    @property
    def _loaded(self) -> _Opened:
        if self._state is None:
            raise EmbedderError(f'The embedding model "{self._model_name}" is not loaded yet.')
        return self._state

    def _warm(self) -> None:
        self._opened()

    def _encode_documents(self, texts: Sequence[str]) -> Vectors:
        return self._encode("encode_document", texts)

    def _encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode("encode_query", texts)

    def _encode(self, method: str, texts: Sequence[str]) -> Vectors:
        opened = self._opened()
        # These two put the model's own prompts before the text; older versions have neither.
        encode = getattr(opened.model, method, opened.model.encode)
        try:
            rows = encode(
                [cleaned(text, opened.window) for text in texts],
                convert_to_numpy=True,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        except RuntimeError as error:
            raise EmbedderError(
                f'The embedding model "{self._model_name}" failed. Perhaps there is not enough '
                'memory for it; embedding_model_kwargs {"device": "cpu"} avoids the graphics card.'
            ) from error
        return unit_rows(rows)

    def _opened(self) -> _Opened:
        # A load whose caller was cancelled may still be under way in another thread.
        with self._opening:
            if self._state is None:
                self._state = _open(self._model_name, self._kwargs)
            return self._state


def _open(model_name: str, kwargs: Mapping[str, Any]) -> _Opened:
    try:
        torch = import_module("torch")
        broken_file = import_module("safetensors").SafetensorError
        transformer = import_module("sentence_transformers").SentenceTransformer
    except (ImportError, OSError) as error:
        raise EmbedderError(
            "The package sentence-transformers is missing or broken. Install it: "
            'pip install "memstrata[sentence-transformers]"'
        ) from error
    # Half the cores: with more threads than free ones everything takes many times as long.
    torch.set_num_threads(max(1, min(MOST_THREADS, (os.cpu_count() or 1) // 2)))
    failures: list[Exception] = []
    for options in _attempts(model_name, kwargs):
        try:
            return _describe(transformer(_source(model_name), **options), model_name)
        except (OSError, ValueError, KeyError, RuntimeError, ImportError, broken_file) as error:
            failures.append(error)
        except (TypeError, AttributeError) as error:
            raise EmbedderError(
                f'The embedding model "{model_name}" does not take these embedding_model_kwargs. '
                "They are the arguments of SentenceTransformer."
            ) from error
    raise EmbedderError(_advice(model_name)) from failures[-1]


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


def _describe(model: Any, model_name: str) -> _Opened:
    dimension = model.encode([""], show_progress_bar=False).shape[1]
    # Of a folder the last two names: they stay when it moves with all it is in.
    name = model_name
    if _is_folder(model_name):
        name = "/".join(Path(model_name).expanduser().resolve().parts[-2:])
    tokens = model.max_seq_length or MOST_CHARACTERS
    return _Opened(
        model=model,
        name=f"sentence-transformers/{name.removeprefix('sentence-transformers/')}/{dimension}",
        dimension=dimension,
        window=min(MOST_CHARACTERS, CHARACTERS_PER_TOKEN * tokens),
    )


def _advice(model_name: str) -> str:
    if _is_folder(model_name):
        return (
            f'The folder "{model_name}" holds no sentence-transformers model that can be read. '
            "Save or fetch it again, or name another."
        )
    return (
        f'The embedding model "{model_name}" is neither on this disk nor can it be fetched. Check '
        "the name and the network, or give the folder of a model."
    )
