"""How long a part that failed is left alone."""

from memory_core.backends.breaker import FIRST_PAUSE, HEALTHY_AFTER, LONGEST_PAUSE, Breaker
from tests.backends.indexes import Clock


def test_the_rest_doubles_up_to_a_bound() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    assert breaker.rest == 0
    rests = []
    for _ in range(2000):
        breaker.failed()
        rests.append(breaker.rest)
    assert rests[:8] == [10, 20, 40, 80, 160, 320, 600, 600]
    assert (rests[0], rests[-1]) == (FIRST_PAUSE, LONGEST_PAUSE)
    clock.now += LONGEST_PAUSE - 1
    assert breaker.rest == 1
    clock.now += 10
    assert breaker.rest == 0


def test_only_work_that_goes_on_makes_failures_forgotten() -> None:
    breaker = Breaker(Clock())
    breaker.failed()
    for _ in range(HEALTHY_AFTER - 1):
        breaker.worked()
    breaker.failed()
    assert breaker.failures == 2
    for _ in range(HEALTHY_AFTER):
        breaker.worked()
    assert breaker.failures == 0
    breaker.failed()
    assert breaker.failures == 1
