"""From which cosine two texts are related: measured once for an embedder that does not know it.

Models differ wildly: what means "related" for one is below the noise of another.
"""

from collections.abc import Sequence

import numpy as np

from memory_core.backends.embedder import Embedder, Vectors

NOISE_PERCENTILE = 95.0
"""Of unrelated pairs, the share that must stay below the threshold."""

RELATED_PAIRS = (
    (
        ("Which food must be avoided?", "Shellfish gives me a bad rash, so I never eat it."),
        ("Where is the office?", "I work on the third floor of a building near the station."),
        ("What kind of books do they read?", "My shelf is full of detective novels."),
        ("Who looks after the animals?", "My neighbour feeds our two rabbits when we are away."),
        ("When does the plane leave?", "The flight to Oslo takes off at half past six."),
        ("What instrument do I play?", "I have been taking cello lessons since I was nine."),
    ),
    (
        ("用户的职业是什么？", "我在一家医院当护士。"),
        ("我早上一般喝什么？", "我每天起床后都要泡一杯乌龙茶。"),
        ("他周末做什么运动？", "我星期六常和同事去爬山。"),
        ("孩子多大了？", "我女儿上个月刚满五岁。"),
        ("车停在哪里？", "我把汽车放在地下二层的停车场。"),
    ),
    (
        ("どんな音楽が好きですか？", "家ではいつもジャズを聴いています。"),
        ("出身地はどこですか？", "私は札幌で生まれ育ちました。"),
        ("通学の手段は何ですか？", "毎日自転車で学校に行きます。"),
        ("苦手な食べ物は？", "納豆だけはどうしても食べられません。"),
        ("試験はいつですか？", "来週の金曜日に期末試験があります。"),
    ),
    (
        ("Which language is being studied?", "我正在学西班牙语。"),
        ("最喜欢哪个季节？", "Autumn is the time of year I love most."),
        ("家の色は？", "We painted the house light blue."),
        ("What is the cat's name?", "うちの猫の名前はミケです。"),
        ("我的生日是哪天？", "誕生日は五月三日です。"),
    ),
)
"""Questions and statements that answer them, in English, Chinese, Japanese and across; each pair of
a topic of its own within its group."""


async def measure_similarity_threshold(embedder: Embedder) -> float:
    """The cosine from which this embedder's texts are related.

    Each statement is related to its own question, and not to the others of its group.

    Raises:
        EmbedderError: the model did not answer.
    """
    return threshold_over([await _cosines(embedder, pairs) for pairs in RELATED_PAIRS])


def threshold_over(groups: Sequence[Vectors]) -> float:
    """The median threshold of the languages in which the model tells related from unrelated.

    A model of one language sees little but noise in the others, and they have no say. Where it
    sees noise in all, the lowest noise: better few memories than any memory.

    Args:
        groups: one square matrix a language, cosines of each question with each statement.
    """
    bounds = [_noise_and_signal(cosines) for cosines in groups]
    useful = [(noise + signal) / 2 for noise, signal in bounds if signal > noise]
    return float(np.median(useful)) if useful else min(noise for noise, _ in bounds)


def _noise_and_signal(cosines: Vectors) -> tuple[float, float]:
    own = np.eye(len(cosines), dtype=bool)
    noise = np.percentile(cosines[~own], NOISE_PERCENTILE)
    return float(noise), float(np.median(cosines[own]))


async def _cosines(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> Vectors:
    statements = await embedder.embed_documents([statement for _, statement in pairs])
    questions = np.stack([await embedder.embed_query(question) for question, _ in pairs])
    cosines: Vectors = questions @ statements.T
    return cosines
