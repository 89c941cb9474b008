"""What to do about an endpoint that does not answer, as far as its address and the failure tell."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from memory_core.backends.endpoint import Unreachable, address_of
from memory_core.config import Settings, proxies
from memory_core.errors import MemstrataError, ModelRefused

PORTS = "Ollama listens at 11434, LM Studio at 1234, vLLM at 8000, llama.cpp at 8080"
CONTAINER_FILES = (Path("/.dockerenv"), Path("/run/.containerenv"))


def advice_on(error: MemstrataError, settings: Settings, *, embedding: bool = False) -> str:
    """Sentences for a person; "" where the failure says it all.

    Args:
        embedding: it is the embedding model's endpoint that failed.
    """
    own = settings.embedding_base_url if embedding else ""
    try:
        address = address_of(own or settings.openai_base_url)
    except ModelRefused:
        return ""
    said = " ".join(_causes(error)).casefold()
    advice = _on_connection(said, address.is_local, address.url) if _unreachable(error) else []
    path = urlsplit(address.url).path
    if not advice and "401" in said and not settings.openai_api_key.get_secret_value():
        advice = ["openai_api_key is empty; this endpoint wants one."]
    if not advice and ("404" in said or "not a chat completion" in said):
        advice = [_on_path(path, azure=address.is_azure)]
    return " ".join(filter(None, advice))


def in_container() -> bool:
    """Whether this process runs in a container of Docker or Podman."""
    return any(file.exists() for file in CONTAINER_FILES)


def _unreachable(error: BaseException) -> bool:
    return isinstance(error, Unreachable) or "cannot be reached" in str(error)


def _on_connection(said: str, local: bool, url: str) -> list[str]:
    if "wrong version number" in said or "record layer" in said:
        return ["The endpoint speaks http, not https: write http://."]
    if "certificate" in said:
        return ["Its certificate is not trusted by this machine: add its authority to the system."]
    advice = []
    if local and in_container():
        advice.append(
            "This is a container, and localhost is the container itself: write "
            "host.docker.internal (on Linux start it with "
            "--add-host=host.docker.internal:host-gateway)."
        )
    elif local:
        advice.append(f"Start the model's server on this machine, or mend the port: {PORTS}.")
    elif url.startswith("http://"):
        advice.append("Most endpoints of the internet want https://.")
    if not local and (names := proxies()):
        advice.append(f"Connections go by the proxy that is set for {', '.join(names)}.")
    return advice


def _on_path(path: str, *, azure: bool) -> str:
    if azure:
        wanted = "https://NAME.openai.azure.com/openai/v1/"
        return f"At Azure the base URL is {wanted} and llm_model your deployment's name."
    if path.endswith("/v1"):
        return "Something else than a model may answer there: check host, port and path."
    return "The base URL does not end with /v1, as most do: add it."


def _causes(error: BaseException | None) -> Iterator[str]:
    while error is not None:
        yield str(error)
        error = error.__cause__
