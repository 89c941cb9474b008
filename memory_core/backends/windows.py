"""Whether an endpoint has read a whole prompt, by the tokens it counted."""

SHORTEST_WINDOW = 1024
LONGEST_WINDOW = 2**20
LEAST_RATIO = 0.75
"""Of the estimate to the true count, for an endpoint that has not answered before."""
MORE = 1.1


def was_cut(sent: int, counted: int, usual: float | None = None) -> bool:
    """Whether an endpoint has silently cut a prompt to the window of its model.

    Ollama does, to the whole window or to half of it and two, and says so in its own log only. Such
    a window is a power of two, which an uncut prompt meets once in a thousand times.

    Args:
        sent: tokens of the prompt, estimated.
        counted: tokens of the prompt, as the answer states them.
        usual: sent / counted of earlier prompts of this endpoint that were not cut.
    """
    window = SHORTEST_WINDOW
    while window <= LONGEST_WINDOW:
        if -1 <= counted - window <= 2:
            return sent > (LEAST_RATIO if usual is None else MORE * usual) * counted
        window *= 2
    return False
