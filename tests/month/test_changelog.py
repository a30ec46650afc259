"""What a change log says of a version, in the forms that projects keep one in."""

from __future__ import annotations

import pytest

from bot.month.releases import Entry, added_entries, entries_of, fragment_entries, is_change_log, note_place

KEPT = """# Changelog
## [2.1.0] - 2026-07-17
### Added
- mill: add `From<Vec>` for [Wheel](https://example.org) ([#7])
- [@ada](https://example.org/ada) is thanked \\_twice\\_ (#8, @ada)
  - of no line of its own
### Fixed
- a leak
  of two lines. More of it. ([#9](https://example.org/9))

- a leak of two lines. More of it. (#9)
## [2.0.0] - 2026-06-01
- older
[2.1.0]: https://example.org/compare/2.0.0...2.1.0
"""
SPHINX = """Lamp [2.1]
----------
Lamps are new.

2.1.0 (released Dec 31, 2025)
=============================

Bugs fixed
----------

* #12: Fix :meth:`~lamp.Lamp.off` and ``on``.
  Patch by Ada.

2.0.9
=====

* older
"""
UNDERLINED = """Lamp 2.1 release notes
======================
URGENT: read this.

=================================
Lamp 2.1.0   Released Wed 02 Oct
=================================

Bug fixes
=========
* (CVE-2026-12345) A crash
* Another one (#5)

=========================
Lamp 2.1 RC1
=========================
* older
"""
PLAIN = """CHANGES FROM 2.0a TO 2.1

* Add lamps (from Ada Lovelace in issue 5121).

* Add more.

CHANGES FROM 2.0 TO 2.0a

* older
"""
LABELLED = """# 2.1 (2026-07-15)

Thanks to all.

Breaking changes:

* Oil is gone ([#12](https://example.org/12), [9574e55](https://example.org/9574e55))
    * as is the wick

Features:
* A lamp of 1000000 candles (d4aed40e1)
"""
PROSE = """2.1.0
=====

Lamp was switched
-----------------

The switch made these fail:

- what is no news
"""


@pytest.mark.parametrize(
    ("text", "tag", "expected"),
    [
        (
            KEPT,
            "v2.1.0",
            [
                ("Added", "mill: add `From<Vec>` for Wheel", ("#7",)),
                ("Added", "@ada is thanked _twice_", ("#8",)),
                ("Fixed", "a leak of two lines. More of it.", ("#9",)),
            ],
        ),
        (
            "2.1\n---\n\n- Reject signs that :rfc:`9110#section-5.5` forbids, see :cve:`2026-3644` -- by :user:`a`.\n",
            "2.1",
            [("", "Reject signs that RFC 9110 forbids, see CVE-2026-3644", ("CVE-2026-3644",))],
        ),
        (KEPT, "lamp-2.0", [("", "older", ())]),
        (KEPT, "v2.1.1", []),
        (KEPT, "nightly", []),
        (SPHINX, "v2.1.0", [("Bugs fixed", "Fix off and `on`. Patch by Ada.", ("#12",))]),
        (
            UNDERLINED,
            "2.1.0",
            [("Bug fixes", "(CVE-2026-12345) A crash", ("CVE-2026-12345",)), ("Bug fixes", "Another one", ("#5",))],
        ),
        (UNDERLINED, "2.1.0-rc1", [("", "older", ())]),
        (PLAIN, "2.1", [("", "Add lamps (from Ada Lovelace in issue 5121).", ("#5121",)), ("", "Add more.", ())]),
        (PLAIN, "2.0a", [("", "older", ())]),
        (
            LABELLED,
            "2.1",
            [
                ("Breaking changes", "Oil is gone", ("#12", "9574e55")),
                ("Features", "A lamp of 1000000 candles", ("d4aed40",)),
            ],
        ),
        (PROSE, "v2.1.0", [("Lamp was switched", "The switch made these fail", ())]),
        ("# 2.1.0\n\nOnly prose. Of two sentences.\n", "v2.1.0", [("", "Only prose. Of two sentences.", ())]),
        ("", "v2.1.0", []),
    ],
)
def test_what_a_change_log_says_of_a_version(
    text: str, tag: str, expected: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    assert [(one.heading, one.text, one.numbers) for one in entries_of(text, tag)] == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(
            (name, True)
            for name in ("CHANGELOG.md", "Changelog.rst", "CHANGES", "00-RELEASENOTES", "NEWS", "history.txt")
        ),
        *((name, False) for name in ("changes.py", "changelog_test.md", "src", "release.c")),
    ],
)
def test_which_files_are_change_logs(name: str, expected: bool) -> None:
    assert is_change_log(name) == expected


MAJOR = '---\n"@acme/mill": major\n---\n'
BREAKING = "change_type: breaking\n"


@pytest.mark.parametrize(
    ("path", "text", "sort"),
    [
        (".changeset/brave-mills.md", f"{MAJOR}\nLift the stone\n", "major"),
        (".changeset/brave-mills.md", f"{MAJOR}\nFix: the stone takes no hands\n", "major"),
        (".changeset/brave-mills.md", f"{MAJOR}\nRewrite\n", "major"),
        (".changeset/brave-mills.md", MAJOR, "major"),
        (".changeset/brave-mills.md", MAJOR + "Lift the stone\n" * 60, "major"),
        (".changeset/v2.0-x.md", f"{MAJOR}\nLift the stone\n", "major"),
        (".changeset/brave-mills.md", MAJOR + "".join(f"- Lift stone {n}\n" for n in range(9)), "major"),
        (".chloggen/mill.yaml", f'{BREAKING}note: "Change: belt is of leather"\n', "breaking"),
        (".chloggen/mill.v2.yaml", f"{BREAKING}note: Lift the stone\n", "breaking"),
        (".chloggen/mill.yaml", 'change_type: "breaking"\n', "breaking"),
        (".chloggen/mill.yaml", f"{BREAKING}\nnote: Lift\nsubtext: |\n" + "  line of it\n" * 60, "breaking"),
        ("newsfragments/12.breaking.rst", "Fix: the stone takes no hands\n", "breaking"),
        # what breaks nothing
        (".changeset/brave-mills.md", MAJOR.replace("major", "minor") + "\nmajor: none\n", ""),
        (".chloggen/mill.yaml", "change_type: enhancement\nnote: Lift breaking stones\n", ""),
        (".chloggen/mill.yaml", "change_type: non-breaking\nnote: Lift the stone\n", ""),
        (".chloggen/mill.yaml", "# change_type: breaking\nchange_type: bug_fix\n", ""),
    ],
)
def test_that_a_fragment_calls_a_change_breaking_hangs_on_nothing_else(path: str, text: str, sort: str) -> None:
    assert note_place(path)
    found = list(fragment_entries(path, text.splitlines()))
    assert [one for one in found if not one.text] == ([Entry(sort, "", ())] if sort else [])
    assert not sort or {one.heading for one in found} == {sort}


def test_a_page_of_a_version_is_no_fragment() -> None:
    assert not note_place("docs/changelog/v2.0.md")


@pytest.mark.parametrize(
    ("removed", "added", "expected"),
    [
        ([], ["- Lift it"], ["Lift it"]),
        ([], [" * Lift it", "   by hand"], ["Lift it by hand"]),
        ([], ["- Lift it:", "  - the stone", "  - the wheel"], ["Lift it"]),
        # a part of an item that was there before
        ([], ["  - the second handle of brass"], []),
        ([], ["\t* the second handle of brass"], []),
        ([], ["    + the second handle of brass", "", "- Lift it"], ["Lift it"]),
        (["  - the first handle"], ["  - the first handle of brass", "  - the second handle"], []),
    ],
)
def test_a_part_of_an_item_is_none(removed: list[str], added: list[str], expected: list[str]) -> None:
    assert [one.text for one in added_entries([("", removed, added)])] == expected


@pytest.mark.parametrize(
    ("path", "text", "is_note"),
    [
        ("content/news/party.md", "---\ntitle: Party\ndate: 2026-06-01\n---\n\nWe have new millers.\n", False),
        ("content/news/party.md", '---\nlayout: "post"\n---\n\nWe have new millers.\n', False),
        ("content/news/party.md", '+++\ntitle = "Party"\n+++\n\nWe have new millers.\n', False),
        ("content/news/party.md", "Title: Party\nDate: 2026-06-01\n\nWe have new millers.\n", False),
        ("content/news/party.rst", "Party\n#####\n:date: 2026-06-01\n\nWe have new millers.\n", False),
        ("newsfragments/12.feature.md", "The title: may be long.\n", True),
        (".changeset/brave-mills.md", '---\n"@acme/title": minor\n---\n\nLift the stone\n', True),
        ("changelogs/unreleased/12-mill.yml", "---\ntitle: Lift the stone\ntype: fixed\n", True),
    ],
)
def test_a_page_of_a_site_is_no_note(path: str, text: str, is_note: bool) -> None:
    assert bool([*fragment_entries(path, text.splitlines())]) == is_note
