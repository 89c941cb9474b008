"""What each number of the evidence weighs. Written by scripts/fit_ranking.py."""

WEIGHTS = {
    "words.covered": 1.20,
    "context.bm25": 2.38,
    "context.covered": 4.18,
    "vectors.cosine": 2.31,
    "vectors.alone": 10.0,
    "surroundings.near": 2.79,
    "surroundings.far": 4.93,
    "language.gap": 1.0,
    "form.question": -0.45,
    "form.after_question": 0.76,
    "form.length": 0.73,
    "form.other": -0.16,
    "form.quoted": 0.93,
    "form.time": 0.19,
    "form.time_asked": 2.25,
    "form.digits_asked": 2.07,
    "form.names_asked": 1.38,
    "form.quoted_asked": 0.87,
    "speaker.named": 0.58,
    "speaker.own": 0.18,
}
