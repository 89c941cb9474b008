"""What we rent: a language model, an embedder, a vector index.

Each has a contract (`llm.py`, `embedder.py`, `vector_index.py`) and adapters beside it. Only the
adapters import vendors, and only when they are opened: importing this package costs nothing.
"""
