"""Which tags are releases, which one comes before another, and which one somebody means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Tag
from bot.month.releases import before, first, meant, nearest, newest, version_of

START = datetime(2025, 1, 1, tzinfo=UTC)


def tags(*names: str) -> list[Tag]:
    """Tags of one repository, each a day younger than the one before."""
    return [Tag("acme/engine", name, f"{at:040x}", START + timedelta(at)) for at, name in enumerate(names)]


@pytest.mark.parametrize(
    "lower, higher",
    [
        ("v1.2.3", "v1.2.10"),
        ("v1.9", "v1.10.1"),
        ("1.2.0-rc.1", "v1.2.0"),
        ("v1.2.0-alpha.2", "v1.2.0-beta.1"),
        ("v1.2.0rc2", "v1.2.0rc10"),
        ("3.0", "3.0a"),
        ("3.0a", "3.0b"),
        ("3.0b", "3.0.1"),
        ("3.0b", "3.1"),
        ("v4.19-rc8", "v4.19"),
        ("web-1.4.0", "web-2.0.0"),
        ("REL_9_6", "REL_16_1"),
        ("release-2025-09-30", "release-2025-10-01"),
        ("k8s-1.2.0", "k8s-1.3.0"),
        ("2024.12.1", "2025.1.0"),
        ("go1.21rc3", "go1.21"),
        ("5.0.0.Final", "5.1.0.Final"),
        ("@acme/web@1.4.0", "@acme/web@1.4.1"),
    ],
)
def test_versions_of_one_shape_follow_each_other(lower: str, higher: str) -> None:
    one, other = version_of(lower), version_of(higher)
    assert one and other
    assert one.shape == other.shape
    assert one.order < other.order


@pytest.mark.parametrize(
    "name, there, expected",
    [
        ("v2.1", ["v1.9", "v2.0", "v2.1-rc1", "web-2.0.5"], "v2.0"),
        ("v2.1-rc2", ["v2.0", "v2.1-rc1"], "v2.1-rc1"),
        ("v2.1-rc1", ["v2.0", "v1.9"], "v2.0"),
        ("v2.1", ["v3.0", "v2.0", "v2.0.7"], "v2.0.7"),
        ("v2.1", ["v2.1"], None),
        ("v2.1", ["v2.1.0"], None),
        ("web-1.4.0", ["v1.3", "api-1.3.0", "web-1.3.0", "web-1.4.0-beta"], "web-1.3.0"),
        ("1.10", ["v1.9"], "v1.9"),
        ("stable", ["v1.0", "nightly"], None),
    ],
)
def test_the_release_before_another(name: str, there: list[str], expected: str | None) -> None:
    (tag,) = tags(name)
    found = before(tag, tags(*there))
    assert (found.name if found else None) == expected


@pytest.mark.parametrize(
    "there, expected",
    [
        (["v1.0", "v2.0", "v1.0.1"], "v2.0"),  # a fix of an old one is not the last release
        (["v1.0", "v1.1-rc1"], "v1.0"),
        (["web-3.0", "v1.0"], "v1.0"),
        (["v1.0", "web-3.0"], "v1.0"),
        (["engine-1.0", "engine-web-3.0"], "engine-1.0"),
        (["20150101", "v1.0", "v1.1"], "v1.1"),
        (["v1.0", "ci/6186"], "v1.0"),  # the number of a build
        (["build-6", "build-7"], "build-7"),
        (["stable", "v1.0-beta"], None),
        ([], None),
    ],
)
def test_the_last_release(there: list[str], expected: str | None) -> None:
    found = newest(tags(*there))
    assert (found.name if found else None) == expected


def test_of_a_fix_to_an_older_line_the_first_of_each_line_its_own_kind_before_others() -> None:
    there = tags("v1.1.0", "v1.2.0", "v1.1.1", "v1.2.1", "web-1.0", "v1.3.0", "v1.3.1")
    names = [one.name for one in there[2:]]
    assert [one.name for one in first(there, names)] == ["v1.1.1", "v1.2.1", "v1.3.0", "web-1.0"]


@pytest.mark.parametrize(
    "said, expected",
    [
        ("rc1", ["v2.1-rc1"]),
        ("v2.1", ["v2.1"]),
        ("V2.1", ["v2.1"]),
        ("2.1", ["v2.1"]),
        ("v2.1.0", ["v2.1"]),
        ("1.4", ["web-1.4.0"]),
        ("web-1.4", ["web-1.4.0"]),
        ("v2.1-rc1", ["v2.1-rc1"]),
        ("v9", []),
        ("stable", ["stable"]),
        ("unstable", []),
    ],
)
def test_which_one_is_meant(said: str, expected: list[str]) -> None:
    there = tags("v2.0", "v2.1-rc1", "v2.1", "web-1.4.0", "stable")
    assert [one.name for one in meant(said, there)] == expected


@given(st.text(), st.lists(st.text(), max_size=5))
def test_any_name_can_be_read(name: str, there: list[str]) -> None:
    """No name makes an error, and a release is never before itself."""
    (tag,) = tags(name)
    every = tags(*there)
    assert before(tag, [tag, *every]) != tag
    newest(every), first(every, there), meant(name, every), nearest(name, every)
    assert tag in meant(name, [*every, tag])
