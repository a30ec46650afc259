"""The figures of a document → Slack's charts, and the same figures in words for all who see no chart. Pure.

A chart shows nothing that is not said: screen readers read only the text, and not every workspace takes charts.
The block: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from bot.month.calendar import NAMES, parse_any_period
from bot.slack.limits import faults
from bot.slack.limits.blocks import MAX_CHART_LABEL, MAX_CHART_SERIES, MAX_CHART_TITLE
from bot.story.documents import DigestDocument, RepositoryFigure, WeekFigure
from bot.story.wording import capital, shortened

Block = dict[str, Any]
CHART = "data_visualization"
FEWEST = 4  # changes; of fewer there is nothing to see that the lines do not say
LONGEST_WORDS = 1_000  # of one chart


@dataclass(frozen=True, slots=True)
class Charts:
    """Charts, at most two, and what they show in words, in lines. Both are empty where there is nothing to see."""

    blocks: tuple[Block, ...] = ()
    words: str = ""


NONE = Charts()


def digest_charts(document: DigestDocument) -> Charts:
    """The changes of everyone's month by week, for each repository; of one week, those of each repository."""
    figures = document.figures
    if not figures or document.counts["changes"] < FEWEST:
        return NONE
    when = parse_any_period(document.month).title
    if not (weeks := _labelled(figures.weeks)):
        return _by_repository(figures.repositories, when)
    labels, total = [label for label, _ in weeks], [number for _, number in weeks]
    rows = figures.repositories[:MAX_CHART_SERIES]
    series = list(zip(_series_names([one.name for one in rows]), [one.changes for one in rows], strict=True))
    said = [f"By week: {_numbers(total)}."]
    if len(series) > 1:
        said += [f"{name}: {_numbers(numbers)}." for name, numbers in series]
    return _charts([(_bars(_title("by week", when), labels, series), "\n".join(said))])


def _by_repository(repositories: Sequence[RepositoryFigure], when: str) -> Charts:
    """The changes of each repository; none where there is one alone."""
    rows = repositories[:MAX_CHART_SERIES]
    if len(rows) < 2:
        return NONE
    names, numbers = _series_names([one.name for one in rows]), [sum(one.changes) for one in rows]
    said = ", ".join(f"{name} {number:,}" for name, number in zip(names, numbers, strict=True))
    return _charts([(_bars(_title("by repository", when), names, [("Changes", numbers)]), f"By repository: {said}.")])


def without_charts(payload: Mapping[str, Any]) -> dict[str, Any]:
    """A message as it is sent to a workspace that takes no charts: its words say the same."""
    blocks = [block for block in payload.get("blocks") or () if block.get("type") != CHART]
    return {**payload, "blocks": blocks} if "blocks" in payload else dict(payload)


def versions(payload: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What of a message may be sent, the fullest first: without its charts, and then as text alone, which says all of
    it."""
    yield dict(payload)
    if has_charts(payload) and (less := without_charts(payload))["blocks"]:
        yield less
    if "blocks" in payload:
        yield {name: value for name, value in payload.items() if name != "blocks"}


def has_charts(payload: Mapping[str, Any]) -> bool:
    return any(block.get("type") == CHART for block in payload.get("blocks") or ())


def week_label(first: date, last: date) -> str:
    """ "1–5 Oct", "31 Aug", "29 Sep–5 Oct"."""
    until = f"{last.day} {NAMES[last.month - 1][:3]}"
    if first == last:
        return until
    return f"{first.day}–{until}" if first.month == last.month else f"{first.day} {NAMES[first.month - 1][:3]}–{until}"


def _charts(found: Sequence[tuple[Block, str]]) -> Charts:
    """Those that Slack takes. Ours are such; of a document that somebody wrote, who knows."""
    taken = [
        (chart, said)
        for chart, said in found
        if len(said) <= LONGEST_WORDS and not faults({"text": said, "blocks": [chart]})
    ]
    return Charts(tuple(chart for chart, _ in taken), " ".join(said for _, said in taken))


def _labelled(weeks: Sequence[WeekFigure]) -> list[tuple[str, int]]:
    """The weeks with their labels; none where only one of them holds anything, which is no picture."""
    if sum(1 for one in weeks if one.changes) < 2:
        return []
    return [(week_label(date.fromisoformat(one.from_), date.fromisoformat(one.to)), one.changes) for one in weeks]


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(f"{number:,}" for number in numbers)


def _series_names(names: Sequence[str]) -> list[str]:
    """Short names, no two alike: of a long one the last part, which tells repositories apart."""
    found: list[str] = []
    for name in names:
        own = name if len(name) <= MAX_CHART_LABEL else name.rsplit("/", 1)[-1]
        own = shortened(own, MAX_CHART_LABEL) or "?"
        number, shown = 1, own
        while shown in found:
            number += 1
            shown = f"{own[: MAX_CHART_LABEL - 4]} ({number})"
        found.append(shown)
    return found


def _title(what: str, when: str) -> str:
    """As much as Slack takes: a week's or a span's name is long."""
    titles = (f"Changes {what}, {when}", f"{capital(what)}, {when}", f"Changes {what}")
    return next(title for title in titles if len(title) <= MAX_CHART_TITLE)


def _bars(title: str, labels: Sequence[str], series: Sequence[tuple[str, Sequence[int]]]) -> Block:
    return {
        "type": CHART,
        "title": title,
        "chart": {
            "type": "bar",
            "series": [
                {
                    "name": name,
                    "data": [{"label": label, "value": number} for label, number in zip(labels, numbers, strict=False)],
                }
                for name, numbers in series
            ],
            "axis_config": {"categories": list(labels)},
        },
    }
