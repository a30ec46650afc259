"""What a month and a digest say first, and of whom."""

from __future__ import annotations

from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, commit, indexed, somebody

from bot.model import Change, Commit, Digest, Item, Person, Sentence
from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.story.digest import month_digest
from bot.story.headline import about
from bot.story.story import month_story

OCTOBER = Month(2025, 10)
CACHE = commit("Add a plan cache (#1)", paths=["src/cache.py", "src/plan.py"])
EVICTED = commit(
    "Evict old plans from the plan cache (#2)", author=GRACE, body="Follow-up to #1", paths=["src/cache.py"]
)
PRINTER = commit("Add a printer (#3)", at="2025-10-20 12:00", author=GRACE, paths=["src/printer.py"])


def headline(*commits: Commit) -> str:
    facts = month_facts(ADA, OCTOBER, UTC_ZONE, commits, [indexed(ENGINE)], INDEXED)
    return month_story(facts).headline.text


def digest(*commits: Commit, people: tuple[Person, ...] = (ADA, GRACE)) -> Digest:
    return month_digest("everyone", OCTOBER, UTC_ZONE, people, commits, [indexed(ENGINE)], INDEXED, bots=())


def test_a_headline_names_no_work_that_somebody_else_wrote() -> None:
    shared = commit("Add a printer (#3)", author=GRACE, paths=["src/printer.py", "src/paper.py"], body="It prints.")
    told = headline(CACHE, shared)
    assert told == (
        "Ada Lovelace made 1 change in acme/engine in October 2025: plan cache. They shared in 1 change by others."
    )


def test_a_theme_of_a_digest_says_who_did_what_it_tells() -> None:
    (theme, *_) = digest(CACHE, EVICTED, PRINTER).themes
    assert theme.title == "Plan cache"
    assert theme.text == "Added a plan cache. Done by Ada Lovelace; 1 more change with it is by Grace Hopper."


def test_a_person_of_one_change_is_told_in_two_sentences() -> None:
    assert [one.text for one in digest(CACHE, PRINTER).summaries] == [
        "Ada Lovelace made 1 change. Added a plan cache.",
        "Grace Hopper made 1 change. Added a printer.",
    ]


def test_two_people_of_one_name_are_told_apart_by_an_address() -> None:
    other = somebody("Ada Lovelace", "ada@other.example")
    mine, theirs = CACHE, commit("Add a printer (#3)", author=other, paths=["src/printer.py"])
    assert [one.text.partition(" made")[0] for one in digest(mine, theirs, people=(ADA, other)).summaries] == [
        "Ada Lovelace (ada@example.com)",
        "Ada Lovelace (ada@other.example)",
    ]


def item(title: str, one: Commit, *more: str) -> Item:
    shas = (one.sha, *more)
    return Item(title, (Sentence("Done.", shas),), "feature", "landed", ENGINE, (), shas)


def changes_of_each(*commits: Commit) -> tuple[Change, ...]:
    return month_facts(ADA, OCTOBER, UTC_ZONE, commits, [indexed(ENGINE)], INDEXED).changes


def test_a_title_is_named_once_however_many_items_have_it() -> None:
    one, other = commit("Update the readme (#1)"), commit("Update the readme again (#2)")
    changes = changes_of_each(one, other)
    assert (
        about([item("Readme update", one), item("Readme update", other)], ["the readme"], changes) == ": readme update"
    )


def test_components_that_are_the_same_or_say_nothing_stand_with_what_was_done() -> None:
    one, other = commit("Add a (#1)"), commit("Add b (#2)")
    changes = changes_of_each(one, other)
    items = [item("plan cache: eviction", one, other.sha), item("plan cache: keys", other, one.sha)]
    assert about(items, [], changes) == ": eviction (plan cache) and keys (plan cache)"
    assert about([item("CI: new runners", one, other.sha)], [], changes) == ": new runners (CI)"
