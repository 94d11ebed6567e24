from __future__ import annotations

from dataclasses import dataclass

from ._feedback import FeedbackStats
from ._spool import SpoolStats


@dataclass(frozen=True)
class Stats:
    """Numbers of spans by outcome. `ended` is the sum of all others except `unsampled_test_spans`, and of `spool.waiting`."""

    ended: int
    """Sampled spans that ended."""
    exported: int
    """Spans that the server has on its disk."""
    rejected: int
    """Spans that the server rejected while it accepted the rest of their batch."""
    failed: int
    """Spans that were never acknowledged: the server was unreachable, too slow, or rejected the batch."""
    dropped: int
    """Spans that found the queue full, or ended after the shutdown."""
    filtered: int
    """Spans that `should_export` rejected."""
    waiting: int
    """Spans in the queue."""
    in_flight: int
    """Spans being sent."""
    unsampled_test_spans: int
    """Recorded spans of tests that a sampler left out; none if the sampler is wrapped by `record_tests()`."""
    feedback: FeedbackStats = FeedbackStats(0, 0, 0)
    """Judgements of the process by `feedback()`."""
    spool: SpoolStats = SpoolStats()
    """Numbers of the spool; all 0 without `spool_dir`."""

    @property
    def lost(self) -> int:
        """Number of spans that will never be at the server although they should."""
        return self.dropped + self.failed + self.rejected + self.unsampled_test_spans


class SpanLossError(Exception):
    """Raised by a flush in strict mode when spans were lost since the last flush."""

    def __init__(self, stats: Stats) -> None:
        super().__init__(
            f"Spans were lost: {stats.dropped} dropped, {stats.failed} not delivered, {stats.rejected} rejected, "
            f"{stats.unsampled_test_spans} of tests not sampled (since the start)"
        )
        self.stats = stats
