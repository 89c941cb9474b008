"""What can go wrong, as types.

    MemstrataError
    ├── InvalidInput            the caller can mend it: the message says how
    ├── ConfigError             a setting is unknown or out of range
    ├── StorageError            the database cannot be opened, read or written
    │   ├── StoreReplaced       its file was removed or replaced: open the memory again
    │   └── StoreDamaged        its file is damaged: opening it again sets it aside and goes on
    ├── EmbedderError           the embedding model cannot be loaded or asked
    ├── RerankerError           the reranker cannot be loaded or asked
    ├── IndexUnavailable        the vector index is not there (not owned, died, closed)
    └── ModelError              the language model
        ├── ModelUnavailable    no key, no connection, time-out, 429, 5xx: worth another try later
        │   └── BudgetSpent     the tokens of this day are spent: nobody has failed
        ├── ModelRefused        401, 403, 404, 400: worth another try only after a change
        │   └── ModelOverflow   more text than the model takes at once: ask about less
        └── ModelReplyInvalid   it answered, but not what was asked, even when asked again

Each message is one sentence or two for a person, without the text of any memory.
"""


class MemstrataError(Exception):
    """Base of every failure this package raises on purpose."""


class InvalidInput(MemstrataError):
    """An argument that cannot be used; the message says what would be."""


class ConfigError(MemstrataError):
    """A setting that is unknown, of the wrong type or out of range."""


class StorageError(MemstrataError):
    """The database cannot be opened, read or written."""


class StoreReplaced(StorageError):
    """The file in use is no longer the one at its path. Nothing was read or stored."""


class StoreDamaged(StorageError):
    """The file is damaged, or no database. Nothing was stored; the next opening looks closer."""


class EmbedderError(MemstrataError):
    """The embedding model cannot be loaded, or did not answer."""


class RerankerError(MemstrataError):
    """The reranker cannot be loaded, or did not answer; the order of the search stays."""


class IndexUnavailable(MemstrataError):
    """The vector index is not there now; vectors are searched exactly instead."""


class ModelError(MemstrataError):
    """The language model did not give a usable answer."""


class ModelUnavailable(ModelError):
    """The endpoint cannot be reached now, or asks to wait.

    Attributes:
        retry_after: seconds the endpoint asked to wait, or None.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelRefused(ModelError):
    """The endpoint refuses the request itself: a wrong key, model name or parameter."""


class BudgetSpent(ModelUnavailable):
    """The tokens of this UTC day are spent; `retry_after` is the time until the next one.

    The endpoint was not asked: this is no failure of whatever was to be asked about.
    """


class ModelOverflow(ModelRefused):
    """The question is longer than what the model takes at once: half of it may be answered."""


class ModelReplyInvalid(ModelError):
    """The model answered, but the answer is not of the asked form."""
