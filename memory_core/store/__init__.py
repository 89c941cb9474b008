"""SQLite, the truth: text, tiers, facts, vectors, words and failed jobs in one file.

`database.py` owns the connections; the other files are functions that take one, each named by
what it changes or answers. A function handed to `Database.write` is one transaction.
"""
