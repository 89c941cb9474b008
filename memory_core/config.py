"""Settings: arguments over environment over a JSON file over defaults, read once.

The one place that reads the environment. Names that people know from the reference MemoryOS are
kept, so its `config.json` can be used as it is.
"""

import difflib
import json
import os
from collections.abc import Iterable, Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Any, Self
from urllib.request import getproxies

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from memory_core.errors import ConfigError
from memory_core.zones import zone_named

ENV_PREFIX = "MEMSTRATA_"
FALLBACK_ENV = {"OPENAI_API_KEY": "openai_api_key", "OPENAI_BASE_URL": "openai_base_url"}
BUNDLED_EMBEDDER = "bundled"
NO_EMBEDDER = "none"
RECALL_CHANNELS = (
    *("words", "context", "vectors", "surroundings", "language", "form", "speaker"),
    *("segment", "recency", "period", "superseded", "sitting"),
)
"""What the score of something recalled is made of; each can be switched off."""

NO_MODEL = "none"
ENDPOINT_EMBEDDER = "endpoint:"
NO_RERANKER = "none"
ENDPOINT_RERANKER = "endpoint:"


def proxies() -> tuple[str, ...]:
    """The schemes that this machine reaches through a proxy ("http", "https", "all")."""
    return tuple(name for name in getproxies() if name in ("http", "https", "all"))


def default_data_path() -> Path:
    """The platform's directory for data of this user's programs."""
    return Path(platformdirs.user_data_dir("memstrata", appauthor=False))


class Settings(BaseSettings):
    """Every setting, with its default. `config.example.json` lists the same."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, env_file=None, extra="forbid", frozen=True, validate_default=True
    )

    user_id: str = Field("default_user", min_length=1, description="User when a call names none.")
    assistant_id: str = Field(
        "default_assistant", min_length=1, description="Assistant when a call names none."
    )
    data_storage_path: Path = Field(
        default_factory=default_data_path, description="Directory of the memory; ~ is expanded."
    )
    timezone: str = Field(
        "", description="Zone of days and times, an IANA name; empty: this machine's."
    )

    openai_api_key: SecretStr = Field(
        SecretStr(""), description="Key of the language model's endpoint; empty: no model."
    )
    openai_base_url: str = Field(
        "", description="OpenAI-compatible endpoint; empty: that of OpenAI. Alone it means no key."
    )
    llm_model: str = Field(
        "gpt-4o-mini", min_length=1, description='Name of the language model; "none": use no model.'
    )
    llm_answer_model: str = Field(
        "", description="The model that writes answers, at the same endpoint; empty: llm_model."
    )
    llm_max_parallel: int = Field(
        6, ge=1, le=64, description="Model calls at the same time, at most."
    )
    llm_daily_token_budget: int = Field(
        0, ge=0, description="Tokens of a UTC day, prompts and answers together; 0: no limit."
    )
    llm_timeout_seconds: float = Field(60.0, gt=0, description="Time-out of one model call.")

    embedding_model_name: str = Field(
        BUNDLED_EMBEDDER,
        min_length=1,
        description='"bundled", "none", "endpoint:MODEL", or a sentence-transformers model.',
    )
    embedding_base_url: str = Field("", description="For endpoint:MODEL; empty: openai_base_url.")
    embedding_api_key: SecretStr = Field(
        SecretStr(""), description="For endpoint:MODEL; empty: openai_api_key."
    )
    embedding_model_kwargs: dict[str, Any] = Field(
        default_factory=dict, description="Further arguments of a sentence-transformers model."
    )
    similarity_threshold: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Cosine from which a page or fact is related to a query; "
        "null: the one that belongs to the embedder.",
    )

    reranker_model: str = Field(
        "", description='"endpoint:MODEL" or a sentence-transformers cross-encoder; empty: none.'
    )
    reranker_base_url: str = Field("", description="For endpoint:MODEL; empty: openai_base_url.")
    reranker_api_key: SecretStr = Field(
        SecretStr(""), description="For endpoint:MODEL; empty: openai_api_key."
    )
    reranker_candidates: int = Field(
        30, ge=2, le=100, description="Pages, the best that were found, that the reranker reads."
    )

    short_term_capacity: int = Field(7, ge=1, description="Pages in the short-term window.")
    mid_term_capacity: int = Field(1000, ge=1, description="Segments kept warm, per scope.")
    long_term_knowledge_capacity: int = Field(
        100, ge=1, description="Current facts about the user, and as many about the assistant."
    )
    mid_term_heat_threshold: float = Field(
        5.0, ge=0, description="Heat from which a segment is digested into long-term memory."
    )
    mid_term_similarity_threshold: float = Field(
        0.6, ge=-1, le=2, description="cosine + Jaccard from which pages join a segment."
    )
    retrieval_queue_capacity: int = Field(
        30, ge=1, le=100, description="Pages, and facts of each kind, that a retrieval returns."
    )
    retrieval_max_tokens: int = Field(
        1500, ge=100, le=100_000, description="Tokens of a retrieval's reply, about, at most."
    )
    recall_channels: str = Field(
        "", description="Comma-separated: what recall goes by; empty: all there is."
    )
    heat_alpha: float = Field(1.0, ge=0, description="Weight of visits in a segment's heat.")
    heat_beta: float = Field(1.0, ge=0, description="Weight of undigested pages.")
    heat_gamma: float = Field(1.0, ge=0, description="Weight of recency.")
    heat_time_constant_seconds: float = Field(
        1e7, gt=0, description="mu of the recency term exp(-dt/mu); the paper's is 1e7 s."
    )
    consolidation_batch_size: int = Field(
        10, ge=1, le=50, description="Pages that go to the language model in one question."
    )
    consolidation_idle_seconds: float = Field(
        300.0, ge=0, description="A batch that is not full is closed after this time without adds."
    )
    idle_release_seconds: float = Field(
        300.0, ge=0, description="Without a call for so long, models and the index are let go."
    )

    @field_validator("data_storage_path", mode="after")
    @classmethod
    def _absolute(cls, path: Path) -> Path:
        return Path(os.path.expandvars(path)).expanduser().resolve()

    @field_validator("timezone", mode="after")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        zone_named(name)
        return name

    @field_validator("recall_channels", mode="after")
    @classmethod
    def _known_channels(cls, names: str) -> str:
        for name in _listed(names):
            if name not in RECALL_CHANNELS:
                known = ", ".join(RECALL_CHANNELS)
                raise ValueError(f'"{name}" is no channel of recall; there are {known}')
        return names

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # `load` merges all sources itself, so that each unknown key is reported with its source.
        return (init_settings,)

    @classmethod
    def load(
        cls,
        arguments: Mapping[str, Any] | None = None,
        *,
        file: Path | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> Self:
        """Merge the sources and check them.

        Args:
            arguments: keys given by the caller or on the command line; these win.
            file: a JSON object with any of the keys, or None.
            environ: the environment; None means the process's own.

        Raises:
            ConfigError: a key is unknown (the nearest known one is named) or a value is wrong.
        """
        environ = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        for name, key in FALLBACK_ENV.items():
            if environ.get(name):
                values[key] = environ[name]
        values |= cls._known(_read_file(file), f"{file}") if file else {}
        values |= cls._known(_from_environ(environ), "the environment")
        values |= cls._known(arguments or {}, "the arguments")
        try:
            return cls(**values)
        except ValidationError as error:
            raise ConfigError(_describe(error)) from error

    @classmethod
    def _known(cls, values: Mapping[str, Any], source: str) -> dict[str, Any]:
        for key in values:
            if key not in cls.model_fields:
                near = difflib.get_close_matches(key, cls.model_fields, n=1, cutoff=0.0)
                raise ConfigError(f'Unknown key "{key}" in {source}. Did you mean "{near[0]}"?')
        # Clients write "" and null where they mean "not set".
        return {key: value for key, value in values.items() if value not in (None, "")}

    @property
    def zone(self) -> tzinfo:
        """The zone in which people of this memory mean "yesterday" and "in May"."""
        return zone_named(self.timezone)

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that recall goes by."""
        return _listed(self.recall_channels) or RECALL_CHANNELS

    @property
    def has_model(self) -> bool:
        """Whether a language model consolidates."""
        return self.consolidating_model is not None

    @property
    def consolidating_model(self) -> str | None:
        """The name of the model that consolidates; None: rules do."""
        return self._reachable(self.llm_model)

    @property
    def answering_model(self) -> str | None:
        """The name of the model that answers; None: nobody does."""
        return self._reachable(self.llm_answer_model or self.llm_model)

    def _reachable(self, name: str) -> str | None:
        """The name, where there is a key, or an endpoint that needs none."""
        reachable = self.openai_api_key.get_secret_value() or self.openai_base_url
        return name if reachable and name != NO_MODEL else None

    @property
    def sends_text_away(self) -> bool:
        """Whether any text of the memory goes to an endpoint outside of this process."""
        models = (self.consolidating_model, self.answering_model)
        return (
            models != (None, None)
            or self.embedding_model_name.startswith(ENDPOINT_EMBEDDER)
            or self.reranker_model.startswith(ENDPOINT_RERANKER)
        )


def _listed(names: str) -> tuple[str, ...]:
    return tuple(name for part in names.split(",") if (name := part.strip()))


def _read_file(file: Path) -> dict[str, Any]:
    try:
        values = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(
            f"Cannot read the configuration file {file}: {error.strerror}."
        ) from error
    except ValueError as error:
        raise ConfigError(f"The configuration file {file} is not valid JSON: {error}.") from error
    if not isinstance(values, dict):
        raise ConfigError(f"The configuration file {file} must hold one JSON object.")
    return values


def _from_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in environ.items():
        if name.upper().startswith(ENV_PREFIX):
            key = name[len(ENV_PREFIX) :].lower()
            values[key] = _json_object(value) if key == "embedding_model_kwargs" else value
    return values


def _json_object(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError as error:
        raise ConfigError(f"{ENV_PREFIX}EMBEDDING_MODEL_KWARGS is not valid JSON.") from error


def _describe(error: ValidationError) -> str:
    """What is wrong, without the values: one of them may be a key."""
    problems: Iterable[str] = (
        f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
        for problem in error.errors(include_input=False, include_url=False)
    )
    return "Wrong settings. " + "; ".join(problems) + "."
