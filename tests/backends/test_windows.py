"""Whether a prompt was cut to a model's window."""

import pytest

from memory_core.backends.windows import was_cut


@pytest.mark.parametrize(
    ("sent", "counted", "usual", "cut"),
    [
        (9_000, 4_096, None, True),
        (9_000, 2_050, 1.2, True),  # half of it and two
        (9_000, 4_100, None, False),  # no window
        (9_000, 0, None, False),  # nothing is counted
        (1_200, 1_025, None, True),  # by accident: nothing tells it apart
        (1_200, 1_025, 1.2, False),
        (1_500, 1_025, 1.2, True),
        (600, 1_024, None, False),
    ],
)
def test_a_count_that_is_a_window_and_less_than_was_sent_is_a_cut(
    sent: int, counted: int, usual: float | None, cut: bool
) -> None:
    assert was_cut(sent, counted, usual) is cut
