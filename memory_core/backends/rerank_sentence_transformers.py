"""Any cross-encoder of sentence-transformers, by name or folder, for those who bring one."""

import threading
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from memory_core.backends.embedder import Vectors, cleaned
from memory_core.backends.local_model import ModelThread
from memory_core.backends.named_model import Wanted, open_model, short_name
from memory_core.backends.reranker import sigmoid
from memory_core.errors import RerankerError

MOST_CHARACTERS = 4_000
"""Characters of one text. Only a fuse: the model itself cuts at the tokens it takes."""

READERS = ("ForSequenceClassification", "ForCausalLM")
"""How the classes of models end that have learnt to judge; others would be given random weights."""


class SentenceTransformersReranker:
    """Implements `Reranker`. Owns the model.

    Args:
        model_name: a name at Hugging Face, or a folder that holds a cross-encoder.
    """

    def __init__(self, model_name: str) -> None:
        self._model_name = model_name
        self._thread = ModelThread()
        self._opening = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        return short_name(self._model_name)

    async def load(self) -> None:
        """See `Reranker.load`. A name that is not in the local cache is fetched."""
        await self._thread.run(self._warm)

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker.scores`."""
        question = cleaned(query, MOST_CHARACTERS)
        logits = await self._thread.encode(partial(self._judge, question), texts, 1)
        if not np.isfinite(logits).all():
            raise RerankerError(
                f'The reranker "{self._model_name}" answered with numbers that are not finite. '
                "Name another model."
            )
        return [sigmoid(float(logit)) for logit in logits[:, 0]]

    async def close(self) -> None:
        """See `Reranker.close`."""
        self._model = None

    def _warm(self) -> None:
        self._opened()

    def _judge(self, query: str, texts: Sequence[str]) -> Vectors:
        """What the model says of each text before any squeezing, shape (n, 1)."""
        model = self._opened()
        try:
            logits = model.predict(
                [(query, cleaned(text, MOST_CHARACTERS)) for text in texts],
                activation_fn=import_module("torch.nn").Identity(),
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        except RuntimeError as error:
            raise RerankerError(
                f'The reranker "{self._model_name}" failed. Perhaps there is not enough memory for '
                "it: name a smaller model, or lower reranker_candidates."
            ) from error
        return np.asarray(logits, dtype=np.float32).reshape(len(texts), 1)

    def _opened(self) -> Any:
        # A load whose caller was cancelled may still be under way in another thread.
        with self._opening:
            if self._model is None:
                model = _open(self._model_name)
                _check(model, self._model_name)
                self._model = model
            return self._model


def _open(model_name: str) -> Any:
    wanted = Wanted(
        type_name="CrossEncoder",
        kind="reranker",
        model_name=model_name,
        refused=_no_cross_encoder(model_name),
        failure=RerankerError,
    )
    return open_model(wanted, {}, lambda model: model)


def _check(model: Any, model_name: str) -> None:
    """Refuse what can be opened and yet knows nothing of questions and answers."""
    architectures = getattr(model.config, "architectures", None) or ()
    if not any(name.endswith(READERS) for name in architectures) or model.num_labels != 1:
        raise RerankerError(_no_cross_encoder(model_name))


def _no_cross_encoder(model_name: str) -> str:
    return (
        f'"{model_name}" is no cross-encoder that gives one score. Set reranker_model to one, such '
        "as BAAI/bge-reranker-v2-m3."
    )
