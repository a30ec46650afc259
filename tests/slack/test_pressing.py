"""Buttons and modals as values: what they hold, and that whatever they are made of fits into what Slack takes."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import GRACE, INDEXED, UTC_ZONE

from bot.ask.question import Choice, Question
from bot.errors import AlmanacError
from bot.month.calendar import Days, Month
from bot.month.facts import FactsContext, month_facts
from bot.slack import buttons, correcting, forms, modals
from bot.slack.blocks import Message
from bot.slack.buttons import Around, Surface
from bot.slack.correcting import Origin
from bot.slack.limits import faults, view_faults
from bot.story.documents import ChangeDocument, CommitDocument, MonthDocument
from bot.story.month import month_document

OCTOBER = Month.parse("2025-10")
HERS = Question("month", people=("Grace Hopper",), span=Days.of(OCTOBER), repositories=("acme/engine",))
ALL = modals.ChangesPage(buttons.written(HERS))
TEXT = st.text(max_size=400)
LONG = "Ring <!channel> & *all* of _them_ `now` " * 75


def labels(blocks: tuple[dict[str, Any], ...]) -> list[str]:
    return [one["text"]["text"] for block in blocks for one in block["elements"] if one["type"] == "button"]


class TestQuestions:
    def test_a_button_holds_no_more_than_it_must(self) -> None:
        assert buttons.written(HERS) == (
            '{"intent":"month","people":["Grace Hopper"],"from":"2025-10","to":"2025-10","repos":["acme/engine"]}'
        )

    @pytest.mark.parametrize(
        "question",
        [
            HERS,
            Question("who", topic="the “compiler” <!channel>"),
            Question("changes", people=("Ada", "Grace"), kinds=("fix", "revert")),
            Question("month", people=("Ada",), form=("markdown",)),
        ],
    )
    def test_what_is_pressed_is_what_was_written(self, question: Question) -> None:
        assert buttons.asked(buttons.written(question)) == question

    @given(TEXT)
    def test_any_other_value_is_no_question(self, value: str) -> None:
        with contextlib.suppress(ValueError):
            assert isinstance(buttons.asked(value), Question)

    def test_a_question_that_is_too_long_for_a_button_has_none(self) -> None:
        many = Question("month", people=tuple(f"Somebody {number}" for number in range(300)))
        assert buttons.button("All of them", "ask", buttons.written(many)) is None
        assert buttons.choices([Choice("All of them", many)]) == ()


class TestBelow:
    def test_the_buttons_of_a_month(self) -> None:
        around = Around(Month.parse("2025-09"), Month.parse("2025-11"))
        row = buttons.of_month(HERS, OCTOBER, 15, around)
        wanted = ["← September 2025", "November 2025 →", "All 15 changes", "Profile", "Not right?"]
        assert labels(row) == wanted
        ephemeral = buttons.of_month(HERS, OCTOBER, 15, around, Surface(share="here", can_correct=False))
        assert labels(ephemeral) == [*wanted[:-1], "Share here"]
        assert labels(buttons.of_month(HERS, OCTOBER, 0)) == ["Profile"]

    def test_what_is_shared_says_which_month_it_was(self) -> None:
        """The month that is usual today is another one when the button is pressed."""
        (row,) = buttons.of_month(Question("month", people=("Grace Hopper",)), OCTOBER, 1, Around(), Surface("here"))
        shared = next(one for one in row["elements"] if one["text"]["text"] == "Share here")
        assert buttons.asked(shared["value"]) == Question("month", people=("Grace Hopper",), span=Days.of(OCTOBER))

    def test_no_more_than_five_are_offered(self) -> None:
        row, hint = buttons.choices([Choice(f"Dave {number}", HERS) for number in range(9)])
        assert labels((row,)) == [f"Dave {number}" for number in range(5)]
        assert hint["elements"][0]["text"] == buttons.NONE_OF_THESE

    def test_they_stand_where_they_fit(self) -> None:
        row = buttons.feedback()
        full = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [_text("x" * 8_990)]}]}
        small = {"type": "divider"}
        first, last = Message("one", (full,)), Message("two", (small,), in_thread=True)
        assert [buttons.has_buttons(one) for one in buttons.below([first, last], row, "Else:")] == [False, True]
        assert [buttons.has_buttons(one) for one in buttons.below([last, first], row, "Else:")] == [True, False]
        alone = buttons.below([first], row, "Else:")
        assert [(one.text, one.in_thread, buttons.has_buttons(one)) for one in alone] == [
            ("one", False, False),
            ("Else:", True, True),
        ]

    def test_what_was_chosen_stands_where_the_buttons_did(self) -> None:
        words = {"type": "section", "text": {"type": "mrkdwn", "text": "Which Dave?"}}
        asked = [words, *buttons.choices([Choice("Dave Kim", HERS)])]
        assert buttons.settled(asked, "Dave Kim") == [words, buttons.context("Chosen: Dave Kim")]

    @given(st.lists(TEXT, min_size=1, max_size=7), st.integers(0, 10_000), TEXT)
    def test_whatever_people_are_called_it_fits(self, names: list[str], changes: int, chosen: str) -> None:
        question = Question("month", people=tuple(names), span=Days.of(OCTOBER))
        around = Around(Month.parse("0001-01"), Month.parse("9998-12"))
        offered = buttons.choices([Choice(name or "?", question) for name in names if name.strip()])
        row = buttons.of_month(question, OCTOBER, changes, around, Surface("here"))
        (message,) = buttons.below([Message("x", ())], (*offered, *row, *buttons.feedback()), "Else:")[:1]
        assert [one for one in faults(message.payload()) if one.code != "no_text"] == []
        settled = buttons.settled(message.blocks, chosen)
        assert faults({"text": "x", "blocks": settled}) == []


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def document(subjects: list[str], commits: int = 1) -> MonthDocument:
    day = "2025-10-03T12:00:00+00:00"
    changes = tuple(
        ChangeDocument(
            id=f"{number:040x}",
            commits=tuple(CommitDocument("acme/engine", f"{number:039x}{more:x}", day) for more in range(commits)),
            subject=subject,
            kind="fix",
            state="backed_out",
            by=None,
            reverted_in=None,
            relanded_in=None,
            refs=(),
        )
        for number, subject in enumerate(subjects)
    )
    empty = month_document(month_facts(GRACE, Month(2025, 10), [], FactsContext(UTC_ZONE, [], INDEXED)))
    return replace(empty, changes=changes)


class TestModals:
    def test_a_change_is_told_with_its_kind_and_its_page(self) -> None:
        view = modals.changes_page(
            ALL, document(["Mend *it* <!channel>"], 7), {"acme/engine": "https://x.org/e?a&b"}, "C1"
        )
        change = view["blocks"][1]
        assert change["text"] == {"type": "plain_text", "text": "Mend *it* <!channel>", "emoji": False}
        assert change["fields"][0]["text"] == "fix, backed out"
        assert change["fields"][1]["text"] == f"<https://x.org/e?a&amp;b/commit/{'0' * 40}|000000000>"
        assert buttons.asked(change["accessory"]["value"]) == Question("explain", topic="0" * 40)

    @pytest.mark.parametrize("web", ["https://x.org/|evil", "https://x.org/<!channel>"])
    def test_an_address_with_markup_in_it_is_no_link(self, web: str) -> None:
        view = modals.changes_page(ALL, document(["Mend it"]), {"acme/engine": web}, "C1")
        assert view["blocks"][1]["fields"][1]["text"] == "000000000"

    @pytest.mark.parametrize(("page", "shown"), [(-3, "1 to 40"), (0, "1 to 40"), (1, "41 to 80"), (99, "81 to 100")])
    def test_a_page_that_is_not_there_is_the_nearest(self, page: int, shown: str) -> None:
        view = modals.changes_page(replace(ALL, page=page), document(["Mend it"] * 100), {}, "C1")
        assert view["blocks"][0]["text"]["text"] == f"Grace Hopper, October 2025: 100 changes, {shown}"

    @given(st.lists(TEXT, max_size=60), st.integers(-2, 5))
    def test_whatever_is_listed_fits(self, subjects: list[str], page: int) -> None:
        view = modals.changes_page(replace(ALL, page=page), document(subjects), {}, "C1")
        assert view_faults(view) == []

    def test_ever_so_long_subjects_fit(self) -> None:
        told = document([LONG] * 1_000, 9)
        assert view_faults(modals.changes_page(ALL, told, {"acme/engine": "https://x.org/" + "y" * 900}, "C1")) == []
        assert view_faults(correcting.which_change(Origin("{}", "C1", "1.2", ephemeral=False), told)) == []

    def test_what_does_not_fit_is_said_to_be_missing(self) -> None:
        rows = [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [_text("x" * 9_000)]}]}]
        view = modals.month(HERS, [Message("x", tuple(rows * 40))], OCTOBER, 3, Around())
        assert view_faults(view) == []
        assert modals.CUT in json.dumps(view, ensure_ascii=False)
        many = modals.month(HERS, [Message("x", ({"type": "divider"},) * 200)], OCTOBER, 3, Around())
        assert (view_faults(many), len(many["blocks"])) == ([], 100)

    def test_blocks_that_modals_do_not_take_are_left_out(self) -> None:
        chart = {"type": "data_visualization", "title": "x", "chart": {}}
        view = modals.month(
            HERS, [Message("x", (chart, {"type": "divider"}, *buttons.feedback()))], OCTOBER, 1, Around()
        )
        assert [block["type"] for block in view["blocks"]] == ["divider"]

    @given(TEXT, TEXT)
    def test_any_words_fit(self, title: str, text: str) -> None:
        assert view_faults(forms.said(title or "x", text or "x")) == []


class TestCorrecting:
    origin = Origin(buttons.written(HERS), "C1", "1.2", ephemeral=True, url="https://x.org/" + "y" * 200)

    def submitted(self, field: str, value: str) -> dict[str, Any]:
        """The second modal as it is submitted after the first."""
        first = correcting.which_change(self.origin, document(["Mend it", "Break it"]))
        option = first["blocks"][1]["element"]["options"][1]
        wrong = {"selected_option": {"value": field}}
        state = {"change": {"change": {"selected_option": option}}, "wrong": {"wrong": wrong}}
        second = correcting.how_it_should_be({**first, "state": {"values": state}})
        assert view_faults(second) == []
        told = {"selected_option": {"value": value}} if field == "kind" else {"value": value}
        return {**second, "state": {"values": {} if field == "hidden" else {"value": {"value": told}}}}

    @pytest.mark.parametrize(
        ("field", "value", "said"),
        [
            ("kind", "feature", "000000000 counts as a feature from now on."),
            ("kind", "ci", "000000000 counts as a CI change from now on."),
            ("title", "  Take  it down ", "000000000 is called “Take it down” from now on."),
            ("hidden", "", "000000000 is left out from now on."),
        ],
    )
    def test_what_is_wanted_comes_out_of_the_modals(self, field: str, value: str, said: str) -> None:
        wanted = correcting.wanted(self.submitted(field, value))
        assert (wanted.origin, wanted.sha[-2:], wanted.field) == (self.origin, "10", field)
        assert correcting.done(wanted) == said

    @pytest.mark.parametrize("title", [" ", "x" * 151, "two\nlines"])
    def test_a_title_that_cannot_be_is_refused_in_a_sentence(self, title: str) -> None:
        with pytest.raises(AlmanacError, match=r"^A title .*\.$"):
            correcting.wanted(self.submitted("title", title))

    @given(st.lists(TEXT, min_size=1, max_size=250))
    def test_whatever_there_is_to_choose_from_fits(self, subjects: list[str]) -> None:
        assert view_faults(correcting.which_change(self.origin, document(subjects))) == []
