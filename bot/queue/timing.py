"""The times of a worker, which tests shorten."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """In seconds."""

    heartbeat: float = 5.0  # between two signs of life
    stalled: float = 20.0  # without one, until a worker's job is taken over
    look: float = 5.0  # between two looks for such jobs
    own: float = 30.0  # that a job waits for the worker that has the mirror, until it is anybody's
    poll: float = 5.0  # between two questions for jobs; of new ones the server tells at once
    slice: float = 30.0  # of work, until a job gives way to others that wait
    urgent_slice: float = 2.0  # the same, to more urgent ones
    retry: float = 10.0  # until what the database or another reader was in the way of is tried again
    first_back_off: float = 10.0  # that a server is left alone which could not be reached; then twice as long
    longest_back_off: float = 600.0
    tidy: float = 3600.0  # between two looks for what is to be removed
