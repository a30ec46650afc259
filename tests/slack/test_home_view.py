"""The Home tab as it is laid out: whatever there is to show, Slack takes it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from talking import buttons, nodes, said
from values import somebody

from bot.ask.people.identity_log import IdentityLogLine
from bot.ask.people.proposal import Proposal
from bot.ask.question import Question
from bot.ask.question_document import question_of
from bot.digest.subscription import DigestSubscription
from bot.model import Identity, Person
from bot.month.calendar import Days, Month
from bot.month.suggestions import Suggestion
from bot.slack.limits import view_faults
from bot.slack.linking import Guessed
from bot.slack_app.digests.views import DigestRow
from bot.slack_app.home import modals as home_modals
from bot.slack_app.home import texts as home_texts
from bot.slack_app.home import view as home
from bot.slack_app.home.months import MonthBrief, MonthBriefs
from bot.slack_app.home.values import Address, IndexHealth, TabContent

WHEN = datetime(2025, 12, 1, 9, tzinfo=UTC)
LONG = "Ping <!channel> & *everyone* `now` " * 200

TEXTS = st.text(max_size=60) | st.sampled_from(["", LONG, "a" * 4_000, "\n", "`", "``", "<!here>"])
TIMES = st.integers(0, 7_258_118_400).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
OPTIONAL = st.none() | TIMES
PROPOSALS = st.builds(Proposal, st.sampled_from(["link", "unlink"]), TEXTS, TEXTS, TEXTS, TEXTS)
QUESTIONS = st.builds(
    lambda people, month: Question("month", people=tuple(people), span=month and Days.of(month)),
    st.lists(TEXTS, max_size=2),
    st.none() | st.builds(Month, st.integers(1970, 2100), st.integers(1, 12)),
)
BRIEFS = st.builds(MonthBrief, TEXTS, TEXTS, st.lists(TEXTS, max_size=5).map(tuple), st.none() | QUESTIONS)
MONTHS = st.builds(
    MonthBriefs, st.lists(BRIEFS, max_size=2).map(tuple), st.none() | BRIEFS, st.none() | QUESTIONS, st.just("") | TEXTS
)
ADDRESSES = st.builds(Address, TEXTS, TEXTS, TEXTS)
SUBSCRIPTIONS = st.builds(
    DigestSubscription,
    channel=TEXTS,
    team=st.none() | TEXTS,
    repositories=st.lists(TEXTS, max_size=3),
    paused_at=OPTIONAL,
    paused_why=TEXTS,
)
DIGESTS = st.builds(DigestRow, SUBSCRIPTIONS, TEXTS, TIMES, st.booleans(), st.booleans())
HEALTH = st.builds(
    IndexHealth,
    st.lists(TEXTS, max_size=30).map(tuple),
    OPTIONAL,
    OPTIONAL,
    st.lists(st.tuples(TEXTS, TEXTS), max_size=12).map(tuple),
)


@st.composite
def suggested(draw: st.DrawFn) -> Suggestion:
    addresses, reasons = (
        st.lists(TEXTS.map(lambda text: text or "x"), min_size=1, max_size=3),
        st.lists(TEXTS, max_size=12),
    )
    people = [
        Person(draw(TEXTS), tuple(Identity("x", address, 1) for address in draw(addresses)))
        for _ in range(draw(st.integers(1, 12)))
    ]
    return Suggestion(tuple(people), tuple(draw(reasons)), (), draw(TEXTS))


def logged(line: str, key: str) -> IdentityLogLine:
    return IdentityLogLine(key, line, WHEN, "U1", "a@b.example", "a@b.example", is_undone=False)


def up_to(some: st.SearchStrategy[Any], most: int = 70) -> st.SearchStrategy[tuple[Any, ...]]:
    """A few, or many of one."""
    return st.lists(some, max_size=4).map(tuple) | st.tuples(some, st.just(most)).map(lambda one: (one[0],) * one[1])


KNOWN = st.builds(
    TabContent,
    name=TEXTS,
    is_certain=st.booleans(),
    months=st.none() | MONTHS,
    addresses=up_to(ADDRESSES),
    guesses=up_to(st.builds(Guessed, TEXTS, st.integers(0, 10**7), TEXTS, PROPOSALS), 300),
    log=up_to(st.builds(logged, TEXTS, TEXTS)),
    digests=st.none() | up_to(DIGESTS),
    health=HEALTH,
    is_shown=st.none() | st.booleans(),
    review=st.none() | up_to(suggested()),
    troubles=up_to(TEXTS),
    said=TEXTS,
)


@given(KNOWN, TEXTS)
def test_slack_takes_it_whatever_there_is(known: TabContent, channel: str) -> None:
    view = home.view(known, channel)
    assert view_faults(view) == []
    for one in nodes(view["blocks"]):
        if one.get("type") == "mrkdwn":  # dates, and words of ours
            assert "<!channel>" not in one["text"] and "<!here>" not in one["text"]


@given(PROPOSALS)
def test_what_is_confirmed_is_what_was_proposed(proposal: Proposal) -> None:
    before = home_modals.adding({"private_metadata": '{"channel":"D0001"}', "hash": "1.2"})
    view = home_modals.confirming(proposal, before)
    assert view_faults(before) == [] and view_faults(view) == []
    if "submit" in view:
        assert home_modals.proposal_in(view) == proposal
        assert home_modals.where(view) == {"channel": "D0001", "hash": "1.2"}
    else:
        assert home_modals.TOO_LONG in said(view)


def test_sixty_addresses_and_three_hundred_proposals_fit() -> None:
    guess = Guessed("Ada", 1, "the same name", Proposal("link", "U1", "a@b.example", "a@b.example", "You will be Ada."))
    known = TabContent(
        name="Ada Lovelace",
        months=MonthBriefs((MonthBrief("October 2025", LONG, (LONG,) * 9, Question("profile")),) * 2),
        addresses=tuple(Address(f"ada{n}@example.com", "a rule", "Not any more.") for n in range(60)),
        guesses=(guess,) * 300,
        log=(logged(LONG, "address:1"),) * 90,
        digests=tuple(
            DigestRow(DigestSubscription(channel=f"shipped{n}"), "#shipped", WHEN, may_change=True) for n in range(60)
        ),
        health=IndexHealth(("acme/engine",) * 300, WHEN, WHEN, (("acme/engine", LONG),) * 300),
        is_shown=True,
        review=(Suggestion((somebody("Joan", "a@b.example"),) * 9, ("a reason",), ()),) * 90,
        troubles=("Something.",) * 90,
        said="Done.",
    )
    view = home.view(known)
    labels = [one["text"]["text"] for one in nodes(view["blocks"]) if one.get("type") == "button"]
    assert view_faults(view) == [] and len(view["blocks"]) <= 90
    assert (labels.count("Not me"), labels.count("This is me"), labels.count("Undo")) == (15, 5, 5)
    assert "45 more: ask /almanac link" in said(view) and "And 52 more." in said(view)


def test_what_is_asked_for_is_a_question() -> None:
    asks = Question("month", people=("Ada Lovelace",), span=Days.of(Month(2025, 10)))
    view = home.view(
        TabContent(name="Ada Lovelace", months=MonthBriefs((MonthBrief("October 2025", "Much.", (), asks),)))
    )
    one = buttons(view)["All of October 2025"]
    assert one["action_id"] == "home_ask.0" and question_of(json.loads(one["value"])) == asks


def test_digests_are_shown_with_a_button_that_opens_their_list() -> None:
    row = DigestRow(DigestSubscription(channel="#shipped", team="engine"), "#shipped", WHEN, may_change=True)
    view = home.view(TabContent(digests=(row,)))
    assert buttons(view)["Digests"]["action_id"] == "digests.0" and "#shipped: team engine, monthly" in said(view)
    assert home_texts.NO_DIGESTS in said(home.view(TabContent(digests=())))


def test_each_empty_state_has_one_button_that_is_first() -> None:
    full = IndexHealth(("acme/engine",))
    for known, first in (
        (TabContent(digests=(), health=full), ["Add an address"]),
        (TabContent(name="Ada", digests=()), ["Look again"]),
        (TabContent(name="Ada", digests=(), health=full), []),
    ):
        shown = [label for label, one in buttons(home.view(known)).items() if one.get("style") == "primary"]
        assert shown == first
