"""What each number of the evidence weighs. Written by scripts/fit_ranking.py."""

from memory_core.evidence import FEATURES

WEIGHTS = dict.fromkeys(FEATURES, 0.0) | {
    "words.bm25": 4.0,
    "context.bm25": 4.0,
    "vectors.cosine": 4.0,
    "surroundings.near": 2.0,
}
