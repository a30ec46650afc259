"""What one process counts of itself, in the words of Prometheus: https://prometheus.io/docs/practices/naming/."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

SLACK_WAITS = 3.0  # seconds; what is acknowledged later is delivered again
_ANSWER_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The metrics of one bot. For any thread."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)  # memory, processor time, open files
        self._questions = Counter(
            "almanac_questions", "Questions that were answered, or not.", ["intent", "outcome"], registry=self.registry
        )
        self._answer_seconds = Histogram(
            "almanac_answer_seconds", "From a question or a command to its answer in Slack.",
            buckets=_ANSWER_SECONDS, registry=self.registry,
        )  # fmt: skip
        self._deliveries = Counter("almanac_deliveries", "What Slack delivered.", registry=self.registry)
        self._late = Counter(
            "almanac_deliveries_acknowledged_late",
            f"Deliveries that were acknowledged after {SLACK_WAITS:g} seconds or not at all.",
            registry=self.registry,
        )
        self._webhooks = Counter(
            "almanac_webhooks", "Deliveries of forges, by what they were answered.", ["forge", "status"],
            registry=self.registry,
        )  # fmt: skip

    def question(self, intent: str, outcome: str) -> None:
        """A question was answered, or could not be."""
        self._questions.labels(intent, outcome).inc()

    def webhook(self, forge: str, status: int) -> None:
        """A forge's delivery was answered."""
        self._webhooks.labels(forge, str(status)).inc()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Inside, an answer is made and sent."""
        with self._answer_seconds.time():
            yield

    @contextmanager
    def delivery(self) -> Iterator[None]:
        """Inside, something that Slack delivered is acknowledged."""
        self._deliveries.inc()
        began, is_acknowledged = time.monotonic(), False
        try:
            yield
            is_acknowledged = True
        finally:
            if not is_acknowledged or time.monotonic() - began > SLACK_WAITS:
                self._late.inc()
