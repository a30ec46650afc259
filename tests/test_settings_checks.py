"""What each setting may be: what is accepted and what that means, what is refused and in which words."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voluptuous import Invalid

from bot import settings_checks as checks
from bot import settings_schema as schemas

HALF = "\ud800"  # half a pair: what JSON may say, and no text
NAN, INFINITE = float("nan"), float("inf")


def refusal(check: checks.Check, value: object) -> str:
    with pytest.raises(Invalid) as refused:
        check(value)
    return refused.value.msg


def same(found: object, meant: object) -> bool:
    return found == meant and type(found) is type(meant)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (30, 30), (30.0, 30), (-0.0, 0), (True, 1), (False, 0), ("30", 30), (" 30\n", 30), ("+30", 30), ("007", 7),
        ("-0", 0), ("1_0", 10), ("30.0", 30), ("30.00", 30), ("3_0.0", 30), ("30\u00a0", 30),
    ],
)  # fmt: skip
def test_a_whole_number_may_be_written_in_many_ways(written: object, meant: int) -> None:
    assert same(checks.whole(0, 31)(written), meant)


@pytest.mark.parametrize(
    "written",
    [
        -1, 32, 1.5, 1e30, NAN, INFINITE, None, [], {}, date(2025, 1, 1), "", " ", "-1", "32", "1.5", "1.", ".0", "1e1",
        "0x1", "_1", "1_", "1__0", "+_1", "- 1", "1,0", "٣", "true", "1\0", "1.0_0",
    ],
)  # fmt: skip
def test_what_is_no_whole_number_of_the_range_is_refused(written: object) -> None:
    assert refusal(checks.whole(0, 31), written) == "must be a whole number from 0 to 31"


def test_thousands_of_digits_are_no_number() -> None:
    """Python itself refuses to read them."""
    assert refusal(checks.whole(1), "9" * 5000) == "must be a whole number of at least 1"
    assert refusal(checks.number(0, 600), 10**5000) == "must be a number above 0, up to 600"


def test_a_range_may_have_no_end() -> None:
    assert checks.whole(1)(2**70) == 2**70
    assert refusal(checks.whole(1), 0) == "must be a whole number of at least 1"


def test_a_day_may_be_the_last() -> None:
    assert [checks.day(written) for written in ("last", 31, "1", 7.0)] == [31, 31, 1, 7]
    assert {refusal(checks.day, written) for written in ("Last", "", 0, 32, None)} == {
        'must be a whole number from 1 to 31, or "last"'
    }


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (20, 20.0), (0.5, 0.5), (600, 600.0), (True, 1.0), ("20", 20.0), (" 20 ", 20.0), ("1e1", 10.0), (".5", 0.5),
        ("5.", 5.0), ("+5", 5.0), ("1_0.5", 10.5),
    ],
)  # fmt: skip
def test_a_number_may_be_written_in_many_ways(written: object, meant: float) -> None:
    assert same(checks.number(0, 600)(written), meant)


@pytest.mark.parametrize(
    "written",
    [0, False, -1, 600.1, NAN, INFINITE, None, [], "", "nan", "inf", "0x1", "٣", "_1", "1_", "1__0", "1 0"],
)
def test_what_is_no_number_of_the_range_is_refused(written: object) -> None:
    assert refusal(checks.number(0, 600), written) == "must be a number above 0, up to 600"


@pytest.mark.parametrize("written", [True, 1, 1.0, "true", "TRUE", "tRuE", "t", "y", "Yes", "on", "1"])
def test_what_means_true(written: object) -> None:
    assert checks.truth(written) is True


@pytest.mark.parametrize("written", [False, 0, -0.0, "false", "False", "f", "N", "no", "OFF", "0"])
def test_what_means_false(written: object) -> None:
    assert checks.truth(written) is False


@pytest.mark.parametrize("written", [2, -1, 0.5, NAN, None, [], {}, "", "2", "01", "1.0", " true", "true\n", "enabled"])
def test_what_is_neither_true_nor_false_is_refused(written: object) -> None:
    assert refusal(checks.truth, written) == "must be true or false"


@pytest.mark.parametrize(
    ("check", "written", "said"),
    [
        (checks.text, 3, "must be text in quotes"),
        (checks.text, True, "must be text in quotes"),
        (checks.text, None, "must be text in quotes"),
        (checks.text, f"a{HALF}", "holds characters that are no text"),
        (checks.filled, "", "must not be empty"),
        (checks.one_of("a", "b", "c"), "A", 'must be "a", "b" or "c"'),
        (checks.one_of("a", "b"), 1, 'must be "a" or "b"'),
        (checks.one_of("a", "b"), [], 'must be "a" or "b"'),
        (checks.each(checks.text), "a", 'must be a list of texts, such as ["a", "b"]'),
        (checks.each(checks.text), {"a": 1}, 'must be a list of texts, such as ["a", "b"]'),
        (checks.each(checks.text), None, 'must be a list of texts, such as ["a", "b"]'),
        (checks.members, [], "must name at least one person"),
        (checks.team_name, "a|b", "must be without |"),
        (checks.team_name, "", "must not be empty"),
        (checks.group, "a b", "'a b' is no user group; use a name such as @engine or an id such as S0123456789"),
        (checks.group, "@a\n", "'@a\\n' is no user group; use a name such as @engine or an id such as S0123456789"),
        (checks.channel, "#a\n", "'#a\\n' is no channel; use a name such as #shipped or an id such as C0123456789"),
        (checks.slack_api, "ftp://slack", "must begin with https:// or http://"),
        (checks.slack_api, "HTTPS://slack", "must begin with https:// or http://"),
        (checks.slack_api, "a\nhttps://slack", "must begin with https:// or http://"),
        (checks.folder, 3, "must be a path in quotes"),
        (checks.folder, "~nobody-has-this-name/x",
         "nobody knows the home folder in '~nobody-has-this-name/x'; write the whole path"),
        (checks.folder, "~\0/x", "nobody knows the home folder in '~\\x00/x'; write the whole path"),
        (checks.model_address, "http://[::1", "is no address; use one such as http://localhost:11434/v1"),
        (checks.model_address, "http://x:99999", "is no address; use one such as http://localhost:11434/v1"),
        (checks.model_address, "http://x:0", "is no address; use one such as http://localhost:11434/v1"),
        (checks.model_address, "https://bob:pw@x",
         "must hold neither a name, nor a password, nor what stands behind ? or #"),
        (schemas.SLACK, [], "must be a table"),
        (schemas.SETTINGS, {"teams": {}}, "must be a list of tables"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_words(check: checks.Check, written: object, said: str) -> None:
    assert refusal(check, written) == said


@pytest.mark.parametrize(
    ("check", "written", "meant"),
    [
        (checks.text, "", ""),
        (checks.filled, " ", " "),
        (checks.one_of("a", "b"), "b", "b"),
        (checks.each(checks.text), [], []),
        (checks.team_name, "a\nb", "a\nb"),
        (checks.group, "@a", "@a"),
        (checks.channel, "ä", "ä"),
        (checks.slack_api, "http://", "http://"),
        (checks.model_address, "http://[::1]:8/v1//", "http://[::1]:8/v1"),
        (schemas.maybe(checks.filled), None, None),
        (schemas.SETTINGS, {"model": None}, {"model": None}),
    ],
)
def test_what_fits_is_kept(check: checks.Check, written: object, meant: object) -> None:
    assert check(written) == meant


def test_a_folder_is_made_absolute(own_place: Path) -> None:
    meant = {"~/x": own_place / "x", "x/../y": own_place / "x/../y", "": own_place, Path("/x"): Path("/x")}
    assert {written: checks.folder(written) for written in meant} == meant


NINE = datetime(2025, 11, 5, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2025-11-05", datetime(2025, 11, 5, tzinfo=UTC)),
        ("2025-11-05T09:00", NINE),
        ("2025-11-05 09:00:00", NINE),
        ("2025-11-05_09:00", NINE),
        ("2025-11-05t09:00:00z", NINE),
        ("2025-11-05T10:00+01:00", NINE),
        ("2025-11-05T10:00+0100", NINE),
        ("2025-11-05T08:00-01:00", NINE),
        ("2025-11-05T08:00−01:00", NINE),
        ("2025-11-05T09:00:00.5", NINE + timedelta(milliseconds=500)),
        ("2025-11-05T09:00:00,123456789Z", NINE + timedelta(microseconds=123456)),
        ("1700000000", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)),
        ("1700000000.5", datetime(2023, 11, 14, 22, 13, 20, 500000, tzinfo=UTC)),
        ("1700000000000", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)),
        ("-1", datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)  # fmt: skip
def test_an_instant_is_an_iso_time_or_seconds(written: str, meant: datetime) -> None:
    assert checks.instant(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        "", "now", "yesterday", "2025-11", "2025-11-5", "2025/11/05", "2025-13-01", "2025-02-29", "0000-01-01",
        "10000-01-01", "20251105T0900", "2025-W45-3", "2025-309", " 2025-11-05", "2025-11-05 ", "2025-11-05\n",
        "2025-11-05Z", "2025-11-05T", "2025-11-05T09", "2025-11-05T9:00", "2025-11-05T24:00", "2025-11-05T09:60",
        "2025-11-05T23:59:60", "2025-11-05T09:00:00.", "2025-11-05T09:00+01", "2025-11-05T09:00+24:00",
        "2025-11-05T09:00+01:60", "2025-11-05X09:00", "٢025-11-05", "1e9", "nan", "inf", "1_000", "9" * 30,
    ],
)  # fmt: skip
def test_what_is_no_instant_is_refused(written: object) -> None:
    assert refusal(checks.instant, written) == "must be a time such as 2025-11-05T09:00:00Z"


@given(st.datetimes(timezones=st.sampled_from([None, UTC, timezone(timedelta(hours=-7, minutes=-30))])))
def test_an_instant_that_python_writes_is_read(instant: datetime) -> None:
    assert checks.instant(instant.isoformat()) == (instant if instant.tzinfo else instant.replace(tzinfo=UTC))
