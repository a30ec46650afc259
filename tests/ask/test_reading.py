"""How questions are read: no word is lost. Asked on 30 July 2026 by Grace Hopper."""

# ruff: noqa: E501  (a question is one line)

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from steps import steps
from values import somebody

from bot.ask.known import Known, Thread
from bot.ask.parts import QuestionPart
from bot.ask.places import places
from bot.ask.question import Question, reading_line
from bot.ask.question_document import question_document
from bot.ask.reading import ENGLISH, FRIENDLY, LONGEST, ONLY_TELLS, TOO_LONG, WHY_NOT, read
from bot.ask.words import written
from bot.model import Identity, Person
from bot.month.calendar import Days, Month
from bot.month.people import Directory

TODAY = date(2026, 7, 30)
NAMES = (
    "Grace Hopper", "Ada Lovelace", "Matti Picus", "Ralf Gommers", "Sebastian Berg", "May Chen", "June Lee",
    "Will Stone", "Ann Field", "Sam Poe", "Joren Hammudoglu", "Dennis Roe", "Dave Kim", "Tim Ott", "Joe Kerr", "He Jia",
    "Jamie Shorten", "Muhammad Falak",
)  # fmt: skip
PEOPLE = [*(somebody(name, commits=50) for name in NAMES), somebody("1seal", logins=["1seal"])]
WORDS = """
search engine typing scheduler f2py python migration parser crash tensor cache jax rocm retry unix sockets openblas queue
flaky cve removed failing
"""
KNOWN = Known(
    PEOPLE,
    ["numpy/numpy", "acme/engine", "acme/tools", "acme/docs", "pytorch/ao"],
    asker=PEOPLE[0],
    member={"U02ADA": PEOPLE[1]}.get,
    teams=["core"],
    tags={"numpy/numpy": ["v1.1.0", "v1.2.0", "v2.3.0", "v2.4.0", "v2.5.0", "v2.5.1"]},
    knows_word=WORDS.split().__contains__,
    knows_path=("src/parser.py", "numpy/random", "docs/").__contains__,
)
JUNE = Days.of(Month(2026, 6))
THREAD = Thread(Question("month", ("Grace Hopper",), JUNE), ("#1", "#2", "#3"))
CONDITIONS = (Path(__file__).parent / "conditions.txt").read_text(encoding="utf-8").splitlines()


def reading(text: str, thread: Thread | None = None, known: Known = KNOWN) -> str:
    """The intent and the first line, or what is said instead."""
    return line(read(text, known, TODAY, thread))


def line(question: Question) -> str:
    return question.missing or f"{question.intent}: {reading_line(question)}"


WHOLE = settings.default.max_examples > 50  # a run of the properties


def losing_a_word(text: str, known: Known, thread: Thread | None = None) -> list[str]:
    """The question with a word that nobody knows at each place, or some, where the answer says nothing of it."""
    words, found = text.split(), list[str]()
    for place in range(len(words), -1, -1 if WHOLE else -4):
        asked = " ".join([*words[:place], "zorblax", *words[place:]])
        question = read(asked, known, TODAY, thread)
        shown = f"{question.topic} {question.unread} {question.without_topics} {question.assumed}"
        if question.intent != "unknown" and "zorblax" not in shown:
            found.append(asked)
    return found


NOT_UNDERSTOOD, WHOSE = "I did not understand that.", "Whose month do you mean? Name somebody."
NO_RANKS, OPEN, FUTURE, SAID, AWAY, CI, HOURS = (
    WHY_NOT[name] for name in ("rate", "open", "future", "said", "away", "ci", "hours")
)
ASK = " Ask with the name that stands in their commits."
WHICH = "Which commit do you mean? Give the beginning of its SHA, or its number, such as #12."
SAME = "That asks for nothing but what was told before: name what shall be other, such as a month or a topic."
READ = {
    "what's the story w/ the parser cache": "explain: “parser cache”",
    "was anything released in june?": "changes: June 2026 · tagged",
    "has Ann dropped out": "changes: Ann Field · the latest 1",
    "is the parser fix out yet": "explain: in which release · “parser”",
    "who's the most active this year, top 3": "who: January 2026 to July 2026 · by the number of changes 3",
    "last few changes to src/parser.py": "changes: src/parser.py · the latest 5",
    "who last did something in src/parser.py": "who: src/parser.py · by the last change",
    "Grace - how many commits in june": "changes: Grace Hopper · June 2026 · counted",
    "ada - what did she actually do in june": "month: Ada Lovelace · June 2026",
    "Grace - anything from her in june?": "month: Grace Hopper · June 2026",
    "which commit fixed CVE-2026-72913": "changes: “CVE-2026-72913”",
    "anyone new in june?": "who: June 2026 · first-time contributors",
    "how big was #12": "explain: #12",
    "how many was #12": "explain: #12 · not understood: “how many”",
    "why was the latest parser change made": "explain: “parser” · the latest 1 · not understood: “latest”",
    "what did 2.5.1 fix and when was it released": "changes: v2.5.1 · fixes",
    "was june slow": "what_shipped: June 2026",
    "compare june and may": "compare: May 2026 and June 2026",
    "what share of june was ann's": "I count changes: no lines, shares, averages or rates. Ask how many there were.",
    "when did we break that": "I did not understand “break”.",
    "what was the shortest gap between releases in june": "changes: June 2026 · tagged",
    "top 5 changes in june that users would actually notice": "changes: June 2026 · the largest 5 · not understood: “that users” and “notice”",
    "how many fixes did Ann make in june vs humans": "changes: Ann Field · June 2026 · fixes · counted · not understood: “vs humans”",
    "who wrote the biggest one in june": "changes: June 2026 · the largest 1",
    "a one-paragraph summary of june: numbers, releases, top 3 themes": "what_shipped: June 2026 · short · not understood: “numbers”",
    "is the parser in a release or just nightly": "explain: in which release · “parser”",
    "what changed in the parser in june, only actual fixes": "changes: June 2026 · “parser” · fixes",
    "top 3 themes of june": "what_shipped: June 2026",
    "which contributors joined in june": "who: June 2026 · first-time contributors",
    "who fixed the most things in 2.5": "who: v2.5.0 · fixes · by the number of changes",
    "who removed the parser": "explain: “parser”",
    "which release has the search and drop cache": "explain: in which release · “search drop cache”",
    "is 2.5 still maintained": "I only know what is in git: merged commits, their messages, authors and tags.",
    "is there a new release?": "changes: tagged · the latest",
    "did we release anything in june": "changes: June 2026 · tagged",
    "first commit ever": "changes: the earliest 1",
    "who made the very first commit": "changes: the earliest 1",
    "who made their first commit in june": "who: June 2026 · first-time contributors",
    "how much of the typing work was ada's in june": "I count changes: no lines, shares, averages or rates. Ask how many there were.",
    "what got removed in 2.5": "changes: v2.5.0 · “remove OR drop OR delete” in titles",
    "who fixed the most bugs in 2.5": "who: v2.5.0 · fixes · by the number of changes",
    "commits in june from people other than ann": "changes: June 2026 · without Ann Field",
    "tldr of the week": "what_shipped: 27 July to 2 August 2026 · short",
    "overview of june please": "what_shipped: June 2026",
    "how was june": "what_shipped: June 2026",
    "what's the news": "what_shipped: ",
    "who are the top contributors this year if you leave out Ann and the bots?": "who: January 2026 to July 2026 · by the number of changes · without Ann Field and bots",
    "who usually fixes the parser?": "who: “parser” · fixes · by the number of changes",
    "how many different people worked on numpy/random in june?": "who: June 2026 · numpy/random · counted",
    "is Ann no longer active": "changes: Ann Field · the latest 1",
    "has Ann moved on": "changes: Ann Field · the latest 1",
    "why is Ann so quiet lately?": "changes: Ann Field · 1 to 30 July 2026 · the latest · lately: the last 30 days · not understood: “why”",
    "what did Ann do in june? names are enough": "month: Ann Field · June 2026 · short",
    "what changed in june, only stuff done by people not bots": "what_shipped: June 2026 · without bots",
    "who made changes in june apart from bots": "who: June 2026 · without bots",
    "how many people downloaded 2.5.0 so far?": WHY_NOT["git"],
    "how much time was there between 2.4.0 and 2.5.0, and roughly how many commits went in?": "changes: v2.4.0..v2.5.0 · tagged · not understood: “roughly how many commits went in”",
    "how long after 2.4.0 did 2.5.0 come out": "changes: v2.4.0..v2.5.0 · tagged",
    "can you backport the parser fix to 2.4.0 and tag a 2.4.9 pls": ONLY_TELLS,
    "whats waiting to go out in the next release so far": "what_shipped: since the last release",
    "how many releases did we put out in june": "changes: June 2026 · tagged · counted",
    "anything breaking on master that isn't in a release yet?": "changes: since the last release · breaking",
    "how many fixes did Ann make in june, just asking": "changes: Ann Field · June 2026 · fixes · counted",
    "what has Ann been upto in june": "month: Ann Field · June 2026",
    "what did Ann get up to in june?": "month: Ann Field · June 2026",
    "how often do we release, and when was the last one?": "changes: tagged · the latest · not understood: “when was the last one”",
    "when was 2.4.0 tagged, and by whom?": "changes: v2.4.0 · tagged",
    "what did Ann do, and how many commits did Ralf make in june?": "month: Ann Field · June 2026 (the other question's time) · not understood: “how many commits did Ralf make in june”",
    "latest commit? who made it and what does it change?": "changes: the latest 1",
    "did Ann do anything in june? if so what": "month: Ann Field · June 2026",
    "Two things: what shipped in june? and who is new since may?": "what_shipped: June 2026 · not understood: “and who is new since may”",
    "who reported the parser bug": SAID,
    "what shipped in june, and who did the most?": "what_shipped: June 2026 · not understood: “who did the most”",
    "whats the latest version and when did it come out?": "what_shipped: the last release",
    "what was in 2.4.0 and 2.5.0?": "what_shipped: v2.3.0..v2.5.0",
    "what was in 2.3.0 and 2.5.0?": "Which release: v2.3.0 or v2.5.0?",
    "docs-only changes in june": "changes: June 2026 · documentation changes · nothing else",
    "who are the brand-new contributors in june": "who: June 2026 · first-time contributors",
    "when did Ann get back to coding regularly? I remember a long pause": "I did not understand “coding regularly”.",
    "ada in june without the release cutting": "changes: Ada Lovelace · June 2026 · without release changes",
    "changes in june that only touch src/parser.py": "changes: June 2026 · src/parser.py · nothing else",
    "what did only ada do in june": "I did not understand “only”.",
    "who made more commits in june, ada or ann?": "compare: Ada Lovelace and Ann Field · June 2026",
    "is ann still around? when was her last commit": "changes: Ann Field · the latest · not understood: “when was her last commit”",
    "top 5 people since 2.5.0, bots excluded": "who: v2.5.0.. · by the number of changes 5 · without bots",
    "top 5 committers since 2.5.0": "who: v2.5.0.. · by the number of changes 5",
    "how did all this parser stuff get into numpy": "explain: numpy/numpy · “parser”",
    "fixes by new contributors in june": "who: June 2026 · fixes · first-time contributors",
    "ada in june, leave the docs out": "changes: Ada Lovelace · June 2026 · without documentation changes",
    "what shipped in june, keep tests out": "changes: June 2026 · without test changes",
    "why was #12 reverted without tests": "explain: #12 · not understood: “without tests”",
    "what shipped in june, only typing": "what_shipped: June 2026 · “typing”",
    "ada in june, typing only please": "month: Ada Lovelace · June 2026 · “typing”",
    "unreleased in numpy, only fixes": "changes: since the last release · numpy/numpy · fixes",
    "commits in june without docs and typing by ada": "changes: Ada Lovelace · June 2026 · without typing and documentation changes",
    "all except those by Ann and Sam": "what_shipped: without Ann Field and Sam Poe",
    "which backports went into 2.3": "what_shipped: v2.3.0 · “backport”",
    "can u tag 2.5.2 off main and push it pls": ONLY_TELLS,
    "tag 2.5.0": "what_shipped: v2.5.0",
    "why did we get rid of the parser": "explain: “parser”",
    "what happened to RID in june": "explain: June 2026 · “RID”",
    "a bunch of parser fixes in june": "changes: June 2026 · “parser” · fixes",
    "june of Grace, i mean Grace Hopper": "month: Grace Hopper · June 2026",
    "what happened in the 2.5 branch in june": "what_shipped: June 2026 · only default branches are read · not understood: “in the 2.5 branch”",
    "compare 1.1": "Compare v1.1.0 with which release?",
    "Dennis asked me what Grace did in june": "month: Grace Hopper · June 2026 · not understood: “Dennis asked me”",
    "how much of june was bots": "I count changes: no lines, shares, averages or rates. Ask how many there were.",
    "what is Matti's history in the project": "profile: Matti Picus",
    "why did Matti stop contributing": "changes: Matti Picus · the latest 1 · not understood: “why”",
    "how come the cache preview was changed in june": "explain: June 2026 · “cache” · not understood: “preview”",
    "who zorbs most of f2py? the last three months": "who: April 2026 to June 2026 · “f2py” · not understood: “zorbs”",
    "what did the zorb called that do in june? (Grace, yes)": "I did not understand “what did the zorb called that do in june”.",
    "what landed in june touching >20 files": "what_shipped: June 2026 · not understood: “20 files”",
    "I have a PR for the parser cache, who knows that best?": "who: “parser cache”",
    "largest change in june, not counting releases": "changes: June 2026 · the largest · without release changes",
    "anything breaking in june that i should warn people about": "changes: June 2026 · breaking",
    "which new parser did we add in june": "what_shipped: June 2026 · “parser” · not understood: “new”",
    "crash/hang/freeze fixes in june": "changes: June 2026 · “crash OR hang OR freeze” · fixes",
    "which commits in june changed only docs, i.e. just docs/ files": "changes: June 2026 · docs/ · nothing else",
    "docs changes in june? only ones that touch nothing but docs": "changes: June 2026 · documentation changes · nothing else",
    "what changed in the docs since june 1? only stuff under docs/ please": "changes: 1 June to 30 July 2026 · docs/ · nothing else",
    "Ann's fixes in june, skip her other stuff": "changes: Ann Field · June 2026 · fixes",
    "who did most of f2py": "who: “f2py” · by the number of changes",
    "who did most": "who: by the number of changes",
    "top 5 commiters of all time, merges not counted": "who: by the number of changes 5",
    "who wrote the most code in june": NO_RANKS,
    "which files were changed the most in june": "changes: June 2026 · the files changed most",
    "how far is master ahead of the latest release": "changes: since the last release · counted",
    "did Ann stop contributing?": "changes: Ann Field · the latest 1",
    "who lands the commits since june, i.e. the committer not the author?": WHY_NOT["merged"],
    "what broke in 2.5.1": "I did not understand “broke”.",
    "everything in june besides openblas": "what_shipped: June 2026 · without openblas",
    "what did Grace do not done by bots in june": "month: Grace Hopper · June 2026 · without bots",
    "which CVEs were fixed in june": "changes: June 2026 · “CVEs”",
    "what is Grace working on?": "month: Grace Hopper · 1 to 30 July 2026 · now: the last 30 days",
    "what will Grace do tomorrow": FUTURE,
    "who is lazier": NO_RANKS,
    "what time did Grace commit": HOURS,
    "how many fixes in june were rejected": "I did not understand “rejected”.",
    "how many fixes failed in june": "I did not understand “failed”.",
    "is there an open issue about the parser": OPEN,
    "did Tim answer my email in june": "I did not understand “answer my email”.",
    "what did April Jones do in May": "Which time: April 2026 or May 2026?",
    "who knows the parser? past year or so": "who: 30 July 2025 to 30 July 2026 · “parser”",
    "what did everyone do this week (since mon 27th)": "what_shipped: 27 to 30 July 2026",
    "#12 in two lines please": "explain: #12 · short",
    "what did everybody ship in june, both repos, keep it to the essentials": "what_shipped: June 2026 · short · not understood: “both”",
    "changes between 1.1 and 1.2, people only no bots": "changes: v1.1.0..v1.2.0 · without bots",
    "what shipped in june no bots": "what_shipped: June 2026 · without bots",
    "compare 1.1 with the last one: how much changed": "Compare v1.1.0 with which release?",
    "largest real change under docs/ in june, pure file moves dont count": "changes: June 2026 · docs/ · the largest · without file moves · not understood: “real”",
    "Ann in june, number + highlights": "changes: Ann Field · June 2026 · counted",
    "who knows the parser, need a reviewer": "who: “parser” · not understood: “need a reviewer”",
    "quick q before standup: did Ann touch the parser in june": "month: Ann Field · June 2026 · “parser”",
    "my manager wants to know what Ann did in june, nothing too detailed": "month: Ann Field · June 2026 · short",
    "give me the tl;dr of numpy in june": "what_shipped: June 2026 · numpy/numpy · not understood: “the tl” and “dr”",
    "anything interesting from Ann in june?": "changes: Ann Field · June 2026 · the largest",
    "can somebody tell me what Ann did in june": "month: Ann Field · June 2026",
    "whats new with Ann in june": "month: Ann Field · June 2026",
    "Ann in june, real work only no chores": "month: Ann Field · June 2026 · without chore",
    "what did Ann do in june ex docs": "changes: Ann Field · June 2026 · without documentation changes",
    "Ann's june vs may, numbers only": "compare: Ann Field · May 2026 and June 2026 · counted",
    "what did Ann do in june? skip the parser entries and test-only commits": "changes: Ann Field · June 2026 · without parser and test changes",
    "did Ann do anything in june? just docs or real code too": "month: Ann Field · June 2026 · not understood: “just docs or real code too”",
    "reviews by Grace in june": "changes: Grace Hopper · June 2026 · reviews by them",
    "what did Grace review in june": "changes: Grace Hopper · June 2026 · reviews by them",
    "the 3 largest changes in june": "changes: June 2026 · the largest 3",
    "first-time contributors in june": "who: June 2026 · first-time contributors",
    "who introduced the retry queue": "who: “retry queue” · the earliest",
    "Grace in june in german": "month: Grace Hopper · June 2026 · german",
    "show Zorblax's fixes": "I know nobody called “Zorblax”." + ASK,
    "what shipped in june by zorblax@example.com": "I know nobody called “zorblax@example.com”." + ASK,
    "what did Ann do in june? leave out the flaky tests stuff and the merges": "month: Ann Field · June 2026 · without flaky tests",
    "Ann in june, without the retry queue, typing and jax": "month: Ann Field · June 2026 · without retry queue, typing and jax",
    "what did Ann do in june other than version bumps and dependency updates": "changes: Ann Field · June 2026 · without release changes and build changes",
    "Ann in june, but without the release chores": "changes: Ann Field · June 2026 · without release changes",
    "Ann in june that wasn't ci": "changes: Ann Field · June 2026 · without CI changes",
    "Ann in june, but leave out the back outs and re-reverts": "changes: Ann Field · June 2026 · without reverts",
    "Ann in june, parser work only, leave out the typing stuff": "month: Ann Field · June 2026 · “parser” · without typing",
    "what shipped in june, no bots, no src/parser.py bumps": "what_shipped: June 2026 · “bump” · without bots and src/parser.py",
    "Ann in june, but no idea why": "I did not understand “but no idea why”.",
    "f2py is off but no idea why": "I did not understand “but no idea”.",
    "what did Ann do in june, not Ralf": "month: Ann Field · June 2026 · without Ralf Gommers",
    "no, I meant june": WHOSE,
    "which bugs did Ann fix in june and in which parts of numpy/random": "changes: Ann Field · June 2026 · fixes · not understood: “in which parts of numpy/random”",
    "only Ann's fixes in june that came with tests": "I did not understand “tests”.",
    "what is in 1.1.0 1.2.0": "Which release: v1.1.0 or v1.2.0?",
    "list everything that was reverted in june, with who": "changes: June 2026 · reverted · long",
    "changelog for v2.5.0, non docs": "changes: v2.5.0 · without documentation changes",
    "why did Ann leave": "changes: Ann Field · the latest 1 · not understood: “why”",
    "who cut 2.5.1": "changes: v2.5.1 · tagged",
    "did Ann tag 2.5.1": "changes: v2.5.1 · tagged",
    "was 2.5.1 released by Ann?": "changes: v2.5.1 · tagged",
    "list recent changes to src/parser.py": "changes: src/parser.py · the latest",
    "what happened to #12, did Ann review it": "explain: #12 · not understood: “did Ann review it”",
    "is that option released yet": WHICH,
    "was that command added by Ann?": "I did not understand “command”.",
    "what is in the most recent release?": "what_shipped: the last release",
    "compare the last two releases: size, people, how long between them": "compare: tagged · the latest 2 · not understood: “size”",
    "was the parser released in june": "explain: June 2026 · in which release · “parser”",
    "explain #12 and Ann's review": "explain: #12 · not understood: “review”",
    "what did Ada review for me in june": "changes: Ada Lovelace · June 2026 · reviews by them · not understood: “for me”",
    "show the last three fixes and their reasons": "changes: fixes · the latest 3 · not understood: “reasons”",
    "team summary for june: totals + top people": "who: June 2026 · by the number of changes · counted",
    "ada's june, totals pls": "changes: Ada Lovelace · June 2026 · counted",
    "who published 2.5.0?": "changes: v2.5.0 · tagged",
    "did Ann approve #12": "changes: #12 · reviews of them",
    "who is the author of src/parser.py": "who: src/parser.py · the earliest",
    "did someone break the tests last week": CI,
    "what landed on main last month": "what_shipped: June 2026",
    "any fixes on the 2.3 branch in june?": "changes: June 2026 · fixes · only default branches are read · not understood: “on the 2.3 branch”",
    "Ann's june report please, bullet points": "month: Ann Field · June 2026 · short",
    "can you summarise Ada's june for me, I'm writing a thank-you note": "month: Ada Lovelace · June 2026 · not understood: “I'm writing a thank-you note”",
    "did anyone break the build yesterday": CI,
    "what happened with a cache that contains a tensor": "explain: “cache tensor”",
    "which fixes came to unstable in june": "changes: June 2026 · fixes",
    "how many changes hit docs in june? any by me": "changes: June 2026 · documentation changes · counted",
    "who contributed to v2.5.0 for the very first time": "who: v2.5.0 · first-time contributors",
    "did the parser zorb in june 2025? put it in order": "I did not understand “the parser zorb”.",
    "how many parser fixes did Ann make in june and what's the gist of them?": "changes: Ann Field · June 2026 · “parser” · fixes · counted",
    "me vs Ralf, june. what was each of us up to?": "compare: Grace Hopper and Ralf Gommers · June 2026",
    "me and Ralf side by side for june: how many commits each": "compare: Grace Hopper and Ralf Gommers · June 2026",
    "did I do anything in june or nothing at all? be honest": "month: Grace Hopper · June 2026",
    "did I ever commit anything to ao?": "profile: Grace Hopper · pytorch/ao",
    "number of parser commits in june, split by author": "changes: June 2026 · “parser” · counted",
    "biggest change in june, by lines changed": "changes: June 2026 · the largest",
    "biggest change in june, flaky doesn't count": "changes: June 2026 · the largest · without flaky",
    "biggest change in june, merges dont count": "changes: June 2026 · the largest",
    "what changed in docs/ in june, and is any of it mine?": "changes: June 2026 · docs/",
    "everything that got rolled back in numpy in june, with what it undid": "changes: June 2026 · numpy/numpy · reverted",
    "what got reverted in numpy in june, and by who": "changes: June 2026 · numpy/numpy · reverted",
    "what came in yesterday? both repos, skip the merge commits": "changes: 29 July 2026 · not understood: “both”",
    "I was away 8-16 june. what landed in numpy meanwhile": "what_shipped: 8 to 16 June 2026 · numpy/numpy",
    "what is in 2.5 once you drop the bots and the reverts": "changes: v2.5.0 · without bots and reverts",
    "which version first had unix sockets": "explain: in which release · “unix sockets”",
    "smallest change in june": "changes: June 2026 · not understood: “smallest”",
    "why did we pull the tensor cache back out of the scheduler in june": "explain: June 2026 · “tensor cache scheduler” · reverted",
    "why did we go from rocm to jax?": "explain: “rocm jax”",
    "why did Grace remove the retry queue": "explain: Grace Hopper · “retry queue”",
    "biggest change in june, docs don't count": "changes: June 2026 · the largest · without documentation changes",
    "very first commit in numpy/numpy": "changes: numpy/numpy · the earliest 1",
    "first version with unix sockets?": "explain: in which release · “unix sockets”",
    "since when do we have the src/parser.py module and who made it": "explain: src/parser.py · not understood: “module”",
    "'retry queue' - what was the problem there and who did it": "explain: “retry queue”",
    "flaky: who started it": "who: “flaky” · the earliest",
    "what happened to cache::to_tensor": "explain: “cache::to_tensor”",
    "last one to touch src/parser.py?": "who: src/parser.py · by the last change 1",
    "biggest engine commit in june, by lines": "changes: June 2026 · acme/engine · the largest",
    "what changed under numpy/random in june": "changes: June 2026 · numpy/random",
    "anything new under src/net/quic in june": "I know no file or folder called “src/net/quic”.",
    "the cache came and went, what happened": "I did not understand “the cache came and went”.",
    "the parser fix, is that in any release already?": "explain: in which release · “parser”",
    "retry queue, is that on or off by default now?": "I did not understand “retry queue”.",
    "what happened to the cache, is it in or out now?": "explain: “cache”",
    "who reverted the parser, and do we know why": "explain: “parser” · reverted",
    "python support came and went the same day, what happened": "I did not understand “python support came and went the same day”.",
    "who merged the parser change": WHY_NOT["merged"],
    "everything that was reverted in june, one line each": "changes: June 2026 · reverted",
    "prepping a 1:1 with Ann, main themes of her june?": "month: Ann Field · June 2026 · not understood: “with Ann”",
    "anything parser related in june": "changes: June 2026 · “parser”",
    "Ann in june, grouped by topic, for the status mail": "month: Ann Field · June 2026",
    "number of commits in numpy/random in june and who made them": "changes: June 2026 · numpy/random · counted",
    "what was wrong with the parser": "explain: “parser”",
    "why did they scrap the retry queue": "explain: “retry queue”",
    "why isn't the cache on anymore": "explain: “cache”",
    "what is this unix sockets thing": "explain: “unix sockets”",
    "Ann had a fix for the parser - is that still in": "changes: Ann Field · “parser” · fixes · not understood: “is that still in”",
    "who besides ann knows the parser": "who: “parser” · without Ann Field",
    "Ann in june (not rocm)": "month: Ann Field · June 2026 · without rocm",
    "everything gracee touched in june": "month: Grace Hopper · June 2026 · “gracee” read as Grace Hopper",
    "12345 fixed?": "explain: #12345",
    "any first-time committers in june?": "who: June 2026 · first-time contributors",
    "whats sitting on numpy main that isnt in a release": "what_shipped: since the last release · numpy/numpy",
    "who last touched src/parser.py and who knows it best": "who: src/parser.py · by the last change",
    "everything that got reverted in june, who reverted": "changes: June 2026 · reverted",
    "matti's parser commits in june. how many and which parts of numpy?": "changes: Matti Picus · June 2026 · “parser” · not understood: “which parts of numpy”",
    "Ann's fixes in june, bullets, max 5": "changes: Ann Field · June 2026 · fixes · short",
    "what did Ann take back in june": "changes: Ann Field · June 2026 · reverted",
    "python + rocm patches in june": "changes: June 2026 · “python rocm”",
    "what shipped in june by someone other than Ann": "what_shipped: June 2026 · without Ann Field",
    "write me release notes for numpy in june": "what_shipped: June 2026 · numpy/numpy",
    "I was off from 1 to 8 june, what landed in numpy in that time": "what_shipped: 1 to 8 June 2026 · numpy/numpy",
    "who wrote the parser in the first place": "who: “parser” · the earliest",
    "security relevant parser changes in june": "changes: June 2026 · “security parser”",
    "Ann and Ralf in june, split by person please": "month: Ann Field and Ralf Gommers · June 2026",
    "which commit handles unix sockets": "changes: “unix sockets”",
    "did we drop the retry queue at some point?": "explain: “drop retry queue”",
    "which version lets me drop unix sockets": "explain: in which release · “unix sockets”",
    "when was python added and rocm dropped": "explain: “python rocm”",
    "what did Ann do in june, but nothing about the cache": "month: Ann Field · June 2026 · without cache",
    "who should review a change in src/parser.py": "who: src/parser.py",
    "off since june. what landed in numpy since?": "what_shipped: June 2026 to July 2026 · numpy/numpy · not understood: “since”",
    "Ann in june, cache only": "month: Ann Field · June 2026 · “cache”",
    "what is the status of the retry queue": "explain: “retry queue”",
    "commits with 'parser' in the title by Ann, june": "changes: Ann Field · June 2026 · “parser” in titles",
    "Ann vs Ralf in june, who landed more?": "compare: Ann Field and Ralf Gommers · June 2026",
    "not the fixes, only features, Ann in june": "changes: Ann Field · June 2026 · features · without fixes",
    "which files did Ann change the most in june": "changes: Ann Field · June 2026 · the files changed most",
    "what shipped in june that nobody has released yet": "changes: June 2026 · unreleased",
    "Ann in june, fixes not docs": "changes: Ann Field · June 2026 · fixes · without documentation changes",
    "what does the parser mean": "I only know what is in git: merged commits, their messages, authors and tags.",
    "changes in june that didnt touch any code, docs only": "changes: June 2026 · documentation changes · nothing else",
    "what changed in the docs in june? only ones that touch nothing but docs": "changes: June 2026 · documentation changes · nothing else",
    "commits in june that changed only stuff in docs/": "changes: June 2026 · docs/ · nothing else",
    "any new faces in june? ppl with their first commit": "who: June 2026 · first-time contributors",
    "any new faces since june? people who commited for the first time": "who: June 2026 to July 2026 · first-time contributors · not understood: “people who commited for the first time”",
    "biggest changes since june, say more than 500 lines?": "changes: June 2026 to July 2026 · the largest · not understood: “more than 500 lines”",
    "list everything Ann did in june, I'm preparing her review": "month: Ann Field · June 2026 · long",
    "when did we get the retry queue, which version?": "explain: “retry queue”",
    "is Ann working on monday?": AWAY,
    "who looks after the parser?": "who: “parser”",
    "comment parsing fixes in june": "changes: June 2026 · “comment parsing” · fixes",
    "publish parser changes in june": "changes: June 2026 · “parser” · not understood: “publish”",
    "changes with fewer than 10 lines in june": "changes: June 2026 · not understood: “with fewer than 10 lines”",
    "give me the docs commits of june, minus anything by bots": "changes: June 2026 · documentation changes · without bots",
    "what did Ann do last and when": "changes: Ann Field · the latest",
    "whats the latest release and from when": "what_shipped: the last release",
    "how many commits have we had since the release": "changes: since the last release · counted",
    "who does the typing?": "who: “typing”",
    "when did Ann first show up": "changes: Ann Field · the earliest",
    "what changed with respect to the cache in june": "what_shipped: June 2026 · “cache”",
    "what was the oldest commit": "changes: the earliest 1",
    "what changed in june, only by people not bots": "what_shipped: June 2026 · without bots",
    "are we still doing 2.5 releases? when was the last one": "changes: 2.5.x · tagged · not understood: “when was the last one”",
    "how many 2.5 releases did we make": "changes: 2.5.x · tagged · counted",
    "fixes by Ann in june? no docs, tests or dep bumps": "changes: Ann Field · June 2026 · fixes · without documentation changes, test changes and build changes",
    "all releases of 2026 with dates": "changes: January 2026 to July 2026 · tagged",
    "did Ann change jobs?": AWAY,
    "biggest single change in june": "changes: June 2026 · the largest · not understood: “single”",
    "anything windows specific merged in june": "what_shipped: June 2026 · not understood: “windows specific”",
}
REFUSED = {
    "how many people actually use the parser": (WHY_NOT["git"], ["Who: “parser”"]),
    "can you merge the parser PR for me": (ONLY_TELLS, []),
    "remind me to upgrade the parser tomorrow": (ONLY_TELLS, []),
    "what needs work in the parser": (WHY_NOT["advice"], ["Who: “parser”"]),
    "what needs attention?": (WHY_NOT["advice"], []),
    "morning bot, how r u": (FRIENDLY, []),
    "which PRs does Grace have open right now?": (OPEN, ["Grace Hopper"]),
    "any open PRs waiting on me?": (OPEN, ["Grace Hopper"]),
    "when is 2.6 coming out": (FUTURE, []),
    "when is 2.6 final coming?": (FUTURE, []),
    "thanks, super helpful!!": (FRIENDLY, []),
    "how many stars do we have on github now?": (WHY_NOT["git"], []),
    "what is Matti going to work on next sprint": (FUTURE, ["Matti Picus"]),
    "what did Ann write in the review comments on PR 12": (SAID, ["Explain: #12", "Ann Field"]),
    "did anyone object to #12? sum up the review discussion": (SAID, ["Explain: #12"]),
    "is Ralf on holiday next week or can I ask him": (AWAY, ["Ralf Gommers"]),
    "did ci pass on the parser": (CI, ["Who: “parser”"]),
    "how many hours did Ann spend on the parser in june": (
        HOURS,
        ["Changes: Ann Field · June 2026 · “parser”", "Who: June 2026 · “parser”", "What shipped: June 2026"],
    ),
    "who's slacking more: Ann or Ralf?": (NO_RANKS, ["Ann Field", "Ralf Gommers"]),
    "who reviewed the most PRs in june": (NO_RANKS, ["What shipped: June 2026"]),
    "what has Priya been doing in june": ("I know nobody called “Priya”." + ASK, []),
    "wie wird das wetter morgen?": (ENGLISH, []),
    "thanks, you saved my friday :)": (FRIENDLY, []),
    "thanks a lot!": (FRIENDLY, []),
    "what should I work on": (WHY_NOT["advice"], []),
    "how many lines did Ann add in june": (WHY_NOT["often"], ["Ann Field · June 2026", "What shipped: June 2026"]),
    "which of Ann's PRs are not merged yet": (OPEN, ["Ann Field"]),
    "hey, thanks for yesterday! how are you doing today?": (FRIENDLY, []),
    "haha you're a lifesaver, how was your weekend?": (FRIENDLY, []),
}
FOLLOWED = {
    "and when was the last one": "changes: Grace Hopper · June 2026 · the latest 1",
    "which was the first one?": "changes: Grace Hopper · June 2026 · the earliest 1",
    "what did he do in july": "month: Grace Hopper · July 2026",
    "ok. shorter please, 2 lines max": "month: Grace Hopper · June 2026 · short",
    "why was it reverted?": "changes: Grace Hopper · June 2026 · reverted",
    "what else did they do?": "changes: Grace Hopper · the latest",
    "the second one": "explain: #2",
    "who reviewed it?": WHICH,
    "did that ever get into a release?": "explain: in which release · #1, #2 and #3",
    "is that option released yet?": "explain: in which release · #1, #2 and #3",
    "was the fix backported to 2.4?": "explain: v2.4.0 · #1, #2 and #3",
    "who wrote most of that": "who: #1, #2 and #3 · by the number of changes",
    "who wrote them and when": "who: #1, #2 and #3",
    "shorter, 2 lines max": "month: Grace Hopper · June 2026 · short",
    "ok. in 3 bullets at most": "month: Grace Hopper · June 2026 · short",
    "who reviewed those two?": "changes: #1, #2 and #3 · reviews of them",
    "shorter please. only the two numbers": "changes: Grace Hopper · June 2026 · counted · short",
    "in german": "month: Grace Hopper · June 2026 · german",
    "explain the first one": "explain: #1",
    "back to april, only the parser ones": "changes: Grace Hopper · April 2026 · “parser”",
    "how many people?": "who: June 2026 · counted",
    "which of these are in a release": "explain: in which release · #1, #2 and #3",
    "without the ones that are just specs": "changes: Grace Hopper · June 2026 · without test changes",
    "only the reverts. and what did each one undo": "changes: Grace Hopper · June 2026 · reverts",
    "shorter, 3 lines max, no hashes": "month: Grace Hopper · June 2026 · short",
}


SEEN = [*PEOPLE, *map(somebody, ("The Lynxy", "Long Tran"))]
TAGGED = replace(
    KNOWN,
    people=SEEN,
    repositories=[
        "tokio-rs/tokio",
        "gleam-lang/gleam",
        "RIOT-OS/RIOT",
        "facebook/buck2",
        "google/gvisor",
        "crystal-lang/crystal",
    ],
    tags={
        "tokio-rs/tokio": [
            "tokio-1.47.4",
            "tokio-1.47.5",
            "tokio-1.52.0",
            "tokio-1.53.0",
            "tokio-1.53.1",
            "tokio-macros-2.7.1",
        ],
        "gleam-lang/gleam": ["v1.17.0", "v1.18.0-rc1", "v1.18.0-rc2", "v1.18.0", "v1.18.1", "v10.11.10", "v10.11.11"],
        "RIOT-OS/RIOT": ["2026.04", "2026.07-RC1", "2026.07-RC2", "2026.07"],
        "facebook/buck2": ["2026-06-15", "2026-08-01", "2026-08-22"],
        "google/gvisor": ["release-20260810.0", "release-20260817.0"],
    },
    knows_word=[
        *WORDS.split(),
        *["float", "rounding", "bpf", "stub", "checkpoint", "disabled", "plugins", "restart", "killall"],
    ].__contains__,
    directory=Directory(SEEN),
)
OF_RELEASES = {
    "what changed between 1.18.0-rc2 and 1.18.0 final": "what_shipped: v1.18.0-rc2..v1.18.0",
    "release-20260817.0: how many commits vs the previous one": "changes: release-20260817.0 · counted",
    "what is in the 2026-08-22 tag": "what_shipped: 2026-08-22",
    "the latest gvisor release": "what_shipped: the last release · google/gvisor",
    "what do we have on tokio master that isnt released yet?": "what_shipped: since the last release · tokio-rs/tokio",
    "how long did it take from 1.52.0 to 1.53.0": "changes: tokio-1.52.0..tokio-1.53.0 · tagged",
    "how long was it between 1.52.0 and 1.53.0": "changes: tokio-1.52.0..tokio-1.53.0 · tagged",
    "how many days from 1.52.0 to 1.53.0": "changes: tokio-1.52.0..tokio-1.53.0 · tagged",
    "when did 1.18 come out": "changes: v1.18.0 · tagged",
    "when is 1.19 coming out": "What is planned or still to come is not in git: I only know what was merged and tagged.",
    "which tags came out in july": "changes: July 2026 · tagged",
    "which RC has the fix for disabled plugins coming back after a restart?": "explain: in which release · “disabled plugins coming restart”",
    "is the retry queue in a release yet or just on master?": "explain: in which release · “retry queue”",
    "is the retry queue in 1.18 already or do i need 1.18.1?": "explain: v1.18.0..v1.18.1 · “retry queue”",
    "did my parser change make it into an rc": "explain: Grace Hopper · in which release · “parser”",
    "i was told #12 made it into 1.18.1": "explain: v1.18.1 · #12 · not understood: “told”",
    "1.18 vs the one before, how many commits": "what_shipped: v1.18.0",
    "is my parser fix in 1.18": "explain: Grace Hopper · v1.18.0 · “parser”",
    "tokio-macros 2.7.1": "what_shipped: tokio-macros-2.7.1",
    "which tagged version first had the retry queue": "explain: in which release · “retry queue”",
    "1.18, just the feats": "changes: v1.18.0 · features",
    "compare 1.17 with 1.18 and 1.18.1": "Which release: v1.17.0, v1.18.0 or v1.18.1?",
    "which of my changes are not released yet": "changes: Grace Hopper · since the last release",
    "has my latest fix been released yet": WHICH,
    "what did Ada do in 1.18": "month: Ada Lovelace · v1.18.0",
    "what did Ada do after 1.18 went out": "month: Ada Lovelace · v1.18.0..",
}


def test_a_version_is_no_topic_and_no_date() -> None:
    assert {text: reading(text, known=TAGGED) for text in OF_RELEASES} == OF_RELEASES


@pytest.mark.property
def test_a_word_that_nobody_knows_is_not_lost_beside_a_release() -> None:
    assert [one for text in OF_RELEASES for one in losing_a_word(text, TAGGED)] == []


def asked_in_june(**other: Any) -> Thread:
    """The thread of Grace's June, asked otherwise."""
    return replace(THREAD, asked=replace(THREAD.asked, **other))


ABOUT = Thread(Question("who", span=JUNE, topic="retry queue"), ("#1", "#2", "#3"))
ON_A_TOPIC = {
    "when did it start?": "changes: “retry queue” · the earliest",
    "only the security relevant ones": "changes: June 2026 · “retry queue security”",
    "just the cache part": "changes: June 2026 · “retry queue cache”",
    "why was it reverted?": "explain: June 2026 · “retry queue” · reverted",
    "why was that?": "explain: June 2026 · “retry queue”",
    "who reviewed those?": "changes: #1, #2 and #3 · reviews of them",
    "did anybody follow up on it after": "who: 1 to 30 July 2026 · “retry queue”",
    "did any of them land after 10 july": "I did not understand “them”.",
    "is any of that in a tagged release?": "explain: in which release · #1, #2 and #3",
    "is it out in 2.5.0 already?": "explain: v2.5.0 · #1, #2 and #3",
    "who started it": "who: “retry queue” · the earliest",
    "and in may?": "who: May 2026 · “retry queue”",
    "did it come back afterwards?": "explain: #1, #2 and #3",
}
TAKEN_OUT = Thread(Question("changes", span=JUNE, states=("reverted",)), ("#1", "#2", "#3"))
REVERTS = Thread(Question("changes", span=JUNE, kinds=("revert",)), ("#1", "#2"))
OF_A_RELEASE = Thread(Question("what_shipped", release="v2.5.1"))
OF_ITS_DAY = Thread(Question("changes", release="v2.5.1", states=("tagged",)))
OF_A_LIST = {
    "and in may?": "changes: May 2026 · reverted",
    "why the parser one?": "explain: June 2026 · “parser” · reverted",
    "only the fixes": "changes: June 2026 · fixes · reverted",
}
UNANSWERED = Thread(Question("unknown"))
NAMED_ONLY = Thread(Question("unknown", ("Grace Hopper",), JUNE, topic="parser"))
HANGS = "I did not wholly understand what came before, so I cannot tell what this hangs on: ask a whole question."
BEHIND_A_REFUSAL = {
    "just the parser things": HANGS,
    "who wrote most of that": HANGS,
    "and who reviewed those?": HANGS,
    "shorter please": HANGS,
    "why was it reverted?": HANGS,
    "and in june?": HANGS,
    "what did Grace do in june": "month: Grace Hopper · June 2026",
}


THREADED = (
    (ABOUT, ON_A_TOPIC),
    (UNANSWERED, BEHIND_A_REFUSAL),
    (replace(UNANSWERED, asked=Question("unknown", span=JUNE)), {"and in may?": HANGS}),
    (
        replace(NAMED_ONLY, asked=replace(NAMED_ONLY.asked, unread=("zorbed",))),
        {"and in may?": "month: Grace Hopper · May 2026 · “parser” · not understood: “zorbed”"},
    ),
    (
        NAMED_ONLY,
        {
            "and in may?": "month: Grace Hopper · May 2026 · “parser”",
            "who else worked on it": "who: June 2026 · “parser” · without Grace Hopper",
            "did she do anything else": "changes: Grace Hopper · the latest",
            "what did Ada do in may": "month: Ada Lovelace · May 2026",
        },
    ),
    (
        THREAD,
        {
            "only the parser ones that Zorb likes": "changes: Grace Hopper · June 2026 · “parser” · not understood: “that Zorb likes”"
        },
    ),
    (
        asked_in_june(unread=("with Ralf",)),
        {
            "and in may?": "month: Grace Hopper · May 2026 · not understood: “with Ralf”",
            "what did Ada do in may": "month: Ada Lovelace · May 2026",
        },
    ),
    (
        Thread(Question("who", topic="parser"), shown="Ada Lovelace"),
        {
            "what did she do in june": "month: Ada Lovelace · June 2026",
            "what did they do in june": WHOSE,
            "what else have they done?": "changes: Ada Lovelace · the latest",
            "is she still active here?": "changes: Ada Lovelace · the latest",
            "and who built it originally": "who: “parser” · the earliest",
        },
    ),
    (
        THREAD,
        {"what did Ada do in may, as Zorb likes": "month: Ada Lovelace · May 2026 · not understood: “as Zorb likes”"},
    ),
    (
        Thread(Question("what_shipped", release="v2.5.0")),
        {
            "who worked on the parser?": "who: v2.5.0 · “parser”",
            "and in the version after?": "what_shipped: v2.5.1",
        },
    ),
    (ABOUT, {"who worked on the parser?": "who: June 2026 (the thread's time) · “parser”"}),
    (ABOUT, {"who worked on the parser in may?": "who: May 2026 · “parser”"}),
    (ABOUT, {"what did she do in may?": WHOSE}),
    (asked_in_june(span=Days.of(Month(2024, 9))), {"and july the same year?": "month: Grace Hopper · July 2024"}),
    (
        asked_in_june(without=("Ann Field",), without_kinds=("docs",), without_topics=("cache",)),
        {
            "and in may?": "month: Grace Hopper · May 2026 · without Ann Field, cache and documentation changes",
            "and in may without tests?": "changes: Grace Hopper · May 2026 · without test changes",
        },
    ),
    (THREAD, {"drop the docs": "changes: Grace Hopper · June 2026 · without documentation changes"}),
    (asked_in_june(kinds=("fix",), intent="changes"), {"and Ada?": "changes: Ada Lovelace · June 2026 · fixes"}),
    (Thread(Question("changes", span=JUNE, order="size"), ("#1", "#2")), {"who made them?": "who: #1 and #2"}),
    (
        Thread(Question("changes", span=JUNE, order="size"), ("#1", "#2"), is_cut=True),
        {"who made them?": SAME, "which of those are fixes": "changes: June 2026 · fixes · the largest"},
    ),
    (
        THREAD,
        {
            "which of those are on the parser": "changes: #1, #2 and #3 · “parser”",
            "which of these are zorby": "I did not understand “zorby”.",
        },
    ),
    (Thread(Question("what_shipped", span=JUNE), ("#1", "#2")), {"who made them?": "who: #1 and #2"}),
    (
        Thread(Question("changes", release="v2.4.0", states=("tagged",))),
        {
            "how many changes did it have?": "changes: v2.4.0 · counted",
            "what are the breaking changes listed there?": "changes: v2.4.0 · breaking",
            "who contributed to it for the first time?": "who: v2.4.0 · first-time contributors",
            "what has been merged since?": "what_shipped: v2.4.0..",
            "how many fixes since then?": "changes: v2.4.0.. · fixes · counted",
        },
    ),
    (
        Thread(Question("changes", ("Ann Field",), order="latest", limit=1)),
        {"how many in june?": "changes: Ann Field · June 2026 · counted"},
    ),
    (
        Thread(Question("changes", span=JUNE, kinds=("revert",))),
        {
            "what was reverted in july?": "changes: July 2026 · reverted",
        },
    ),
    (
        Thread(Question("explain", references=("#1",)), ("#1",)),
        {
            "who made those?": "who: #1",
            "which files were changed in it": "changes: #1 · the files changed most",
            "was it reverted in june 2025?": "explain: #1 · not understood: “in june 2025”",
            "did it ship in 2025?": "explain: #1 · not understood: “in 2025”",
        },
    ),
    (
        Thread(Question("changes", span=JUNE, kinds=("fix",)), ("#1", "#2")),
        {
            "was the second one backported in 2025?": "explain: in which release · #2 · not understood: “in 2025”",
            "was the third one backported in 2025?": WHICH,
        },
    ),
    (
        Thread(Question("who", span=JUNE, topic="sha1 OR sha-1"), ("#1", "#2")),
        {
            "and in may?": "who: May 2026 · “sha1 OR sha-1”",
            "just the cache part": "changes: June 2026 · “sha1 cache OR sha-1 cache”",
        },
    ),
    (
        asked_in_june(without_topics=("sha1", "sha-1")),
        {"and in may?": "month: Grace Hopper · May 2026 · without sha1 and sha-1"},
    ),
    (Thread(Question("who", span=JUNE, topic="cache")), {"did they touch the parser": "I did not understand “they”."}),
    (
        Thread(Question("who", references=("#1",)), ("#1",)),
        {
            "any bugs fixed in it in june?": "I did not understand “it”.",
            "did any of them crash in june?": "I did not understand “them crash”.",
        },
    ),
    (TAKEN_OUT, OF_A_LIST | {"why?": "explain: #1, #2 and #3"}),
    (OF_ITS_DAY, {"and what was actually in it": "what_shipped: v2.5.1"}),
    (REVERTS, {"why was that one reverted?": "explain: #1 and #2"}),
    (
        OF_A_RELEASE,
        {"and before that?": "what_shipped: v2.5.0"},
    ),
    (
        OF_A_RELEASE,
        {"and the one before that?": "what_shipped: v2.5.0", "what about the previous release": "what_shipped: v2.5.0"},
    ),
    (THREAD, {"and the one before that?": "month: Grace Hopper · May 2026"}),
)


def test_a_follow_up_asks_on_about_a_topic_and_hangs_on_no_refusal() -> None:
    assert [(thread, {text: reading(text, thread) for text in rows}) for thread, rows in THREADED] == [*THREADED]


def test_a_question_is_read_so_that_no_word_is_lost() -> None:
    """And what is read stands in the text, or it is said as what it was read."""
    found = {text: read(text, KNOWN, TODAY) for text in READ}
    assert {text: line(question) for text, question in found.items()} == READ
    for text, question in found.items():
        said = f"{text} {question.assumed}".casefold()
        mine = {"Grace Hopper"} if any(word in text.split() for word in ("I", "me", "my")) else set()
        for name in set(question.people) - mine:
            assert any(part.casefold() in said for part in name.split()), text
        assert all(name.rpartition("/")[2] in said for name in question.repositories), text


def test_what_cannot_be_told_is_refused_for_its_reason_with_what_was_read() -> None:
    found = {text: read(text, KNOWN, TODAY) for text in REFUSED}
    assert {text: (one.missing, [each.label for each in one.choices]) for text, one in found.items()} == REFUSED


def test_a_follow_up_changes_one_thing_or_asks_on() -> None:
    assert {text: reading(text, THREAD) for text in FOLLOWED} == FOLLOWED


TITLES = ("add a retry queue", "fix the parser crash", "numpy/random", "pass sha1", "use sha-1", "drop python 3.9")
HOLDING = replace(
    KNOWN, holds=lambda topic: any(all(word in title for word in topic.casefold().split()) for title in TITLES)
)


@pytest.mark.parametrize(
    ("text", "said", "offered"),
    [
        ("who worked on the retry queue", None, []),
        ("who worked on the retry parser", "retry parser", ["Who: “retry”", "Who: “parser”"]),
    ],
)
def test_a_topic_is_words_that_the_histories_hold_together(text: str, said: str | None, offered: list[str]) -> None:
    question = read(text, HOLDING, TODAY)
    missing = said and f"No change has all of “{said}” in its title or its paths."
    assert (question.missing, [one.label for one in question.choices]) == (missing, offered)


HELD = {
    "retry queue and parser cache fixes in june": "changes: June 2026 · “retry queue” · fixes · not understood: “parser cache”",
    "who worked on sha1": "who: “sha1 OR sha-1”",
    "who worked on py 3.9": "who: “py 3.9 OR python 3.9”",
    "parser cache fixes in june": "No change has all of “parser cache” in its title or its paths.",
    "who worked on the retry queue component": "who: “retry queue” · not understood: “component”",
    "what did Ann do in june without the queue crash": "month: Ann Field · June 2026 · not understood: “queue crash”",
}


def test_what_says_of_which_sort_a_thing_is_may_lack_and_nothing_else() -> None:
    assert {text: reading(text, known=HOLDING) for text in HELD} == HELD


def test_a_person_ten_times_as_active_is_meant_and_said() -> None:
    known = Known([somebody("Dave Kim", commits=100), somebody("Dave Okafor", commits=9)])
    question = read("what did dave do in june", known, TODAY)
    assert (question.people, question.assumed) == (("Dave Kim",), ("“dave” read as Dave Kim",))


def test_who_signed_so_once_is_not_meant_where_somebody_always_does() -> None:
    andig = Person("andig", (Identity("andig", "andig@x", 90), Identity("Mia Geers", "andig@x", 2)))
    question = read("what did geers do in june", Known([andig, somebody("Mia Geers", commits=14)]), TODAY)
    assert question.people == ("Mia Geers",)


def test_of_a_name_that_is_read_as_two_people_s_both_are_said() -> None:
    hoppers = [somebody("Grace Hopper", f"grace@{at}.example", commits=50) for at in ("navy", "yale")]
    question = read("what did grace do in june", Known([*hoppers, somebody("Grace Kelly", commits=2)]), TODAY)
    assert question.people == ("Grace Hopper",)
    assert question.assumed == ("“grace” read as Grace Hopper", "both of the name Grace Hopper")


WRITTEN = {
    "The Lynxy": 9, "Thx And Bye": 9, "Wong To Han, Toby": 9, "Matthew Leach": 9, "Jellyfin Release Bot": 9, "gVisor bot": 9,
    "all-you-need": 9, "Tim": 0, "Tim Fredenberg": 2, "Tim Eisele": 1, "khalidbelk": 3, "Marc Brooks": 6, "Mark Bai": 0,
    "R Aadarsh": 4, "Jan Hrastnik": 0, "Blaž Hrastnik": 7, "Johannes Müller": 3, "K-tecchan": 1, "kojix2": 1, "Dan Hopper": 4,
    "John Downey": 5, "Daniel Kurz": 0, "Daniel Venable": 1, "Will Stone": 2, "Greg": 0,
    "Greg Price": 0,
}  # fmt: skip
CROWD = [
    *(somebody(name, commits=2 if name != "Greg Price" else 90) for name in WRITTEN),
    Person("Trevor Whitney", (Identity("Trevor Whitney", "tw@example.com", 99), Identity("Dan Hopper", "tw@example.com", 1))),
]  # fmt: skip
INACTIVE = ("other@example.com", "tw@example.com")
CROWDED = Known(
    CROWD, ["gleam-lang/gleam", "google/gvisor"], asker=next(one for one in CROWD if one.name == "John Downey"),
    written=lambda _span, _repositories: lambda one: WRITTEN.get(one.name, 0) * (one.address not in INACTIVE),
    knows_word=["gvisor", "gleam", "release", "http", "pull", "main", "sqlite", "johannes", "rc", "lines"].__contains__,
    may_be_offered=lambda person: not person.name.casefold().endswith("bot"),
)  # fmt: skip
NAMED = {
    "what did the release bring in june": "I did not understand “the release bring”.",
    "and in june?": WHOSE,
    "how are you doing today?": FRIENDLY,
    "what was each of us up to in june": "Whose month do you mean? Name somebody.",
    "which gvisor commits landed in june": "changes: June 2026 · google/gvisor",
    "what did the gleam team do in june": "what_shipped: June 2026 · gleam-lang/gleam",
    "what landed in june in gvisor and gleam": "what_shipped: June 2026 · google/gvisor and gleam-lang/gleam",
    "what shipped in june, gvisor and gleam": "what_shipped: June 2026 · google/gvisor and gleam-lang/gleam",
    "what shipped in june in both repos": "what_shipped: June 2026",
    "what did tim do in june": "Which Tim: Tim Fredenberg (2 commits) or Tim Eisele (1)?",
    "what did greg do in june": "month: Greg Price · June 2026 · “greg” read as Greg Price",
    "compare what Adarsh and me did in june": "compare: R Aadarsh and John Downey · June 2026 · “Adarsh” read as R Aadarsh",
    "hrastnik's commits in june": "changes: Blaž Hrastnik · June 2026 · “hrastnik” read as Blaž Hrastnik",
    "johannes http fixes in june": "changes: Johannes Müller · June 2026 · “http” · fixes",
    "what did will do in june": "month: Will Stone · June 2026",
    "what did dan hopper do in june": "month: Dan Hopper · June 2026 · “dan hopper” read as Dan Hopper",
    "what did Daniel do in june": "month: Daniel Venable · June 2026 · “Daniel” read as Daniel Venable",
    "what changed in gleam in june, and is any of it mine?": "what_shipped: June 2026 · gleam-lang/gleam",
    "only the fixes from me in june": "changes: John Downey · June 2026 · fixes",
    "did i land anything in june or nothing at all?": "month: John Downey · June 2026",
    "what have I and khalidbelk been doing in june": "month: John Downey and khalidbelk · June 2026",
    "what did I or khalidbelk fix in june": "changes: John Downey and khalidbelk · June 2026 · fixes",
    "my 3 largest changes in june": "changes: John Downey · June 2026 · the largest 3",
    "gleam fixes in june": "changes: June 2026 · gleam-lang/gleam · fixes",
    "what did sqlite and khalidbelk do in june": "I know nobody called “sqlite”. Ask with the name that stands in their commits.",
    "Tim in june without the release chores": "Which Tim: Tim Fredenberg (2 commits) or Tim Eisele (1)?",
    "what shipped in june without the release chores": "changes: June 2026 · without release changes",
    "have i touched http ever": "changes: John Downey · “http”",
    "what did dead10ck do in june": "I know nobody called “dead10ck”. Ask with the name that stands in their commits.",
    "did i ever commit anything to gvisor": "profile: John Downey · google/gvisor",
}


def test_a_name_is_read_as_nobody_else() -> None:
    """English words are no names; who of a name was active is taken and said, with who is the same, else asked."""
    assert {text: reading(text, known=CROWDED) for text in NAMED} == NAMED


def test_a_piece_of_a_login_is_a_name_only_where_the_code_has_no_such_word() -> None:
    known = replace(KNOWN, directory=Directory([*PEOPLE, somebody("python-69"), somebody("quux-7")]))
    assert reading_line(read("python migration updates in june", known, TODAY)) == "June 2026 · “python migration”"
    assert reading_line(read("quux in june", known, TODAY)) == "quux-7 · June 2026"


def test_a_platform_is_nobody_s_middle_name() -> None:
    known = replace(KNOWN, directory=Directory([*PEOPLE, somebody("Finn Mac Cool")]))
    assert reading_line(read("who worked on mac", known, TODAY)) == "“mac”"
    assert reading_line(read("what did Finn Mac Cool do in june", known, TODAY)) == "Finn Mac Cool · June 2026"


@pytest.mark.parametrize("teams, own, read_as", [
    ([], [], "what_shipped: June 2026"),  # everybody
    (["core", "web"], ["web"], "what_shipped: the web team · June 2026 · “my team” read as web"),
    (["core", "web"], [], "Which team is yours: core or web?"),
    (["core", "web", "docs"], ["core", "web"], "Which team is yours: core or web?"),
])  # fmt: skip
def test_my_team_is_the_one_that_the_asker_is_in(teams: list[str], own: list[str], read_as: str) -> None:
    assert reading("what did my team do in june?", known=replace(KNOWN, teams=teams, own_teams=own)) == read_as


def test_a_negation_is_nobody_whoever_is_called_so() -> None:
    known = replace(KNOWN, directory=Directory([*PEOPLE, somebody("not")]))
    assert read("what didn't make it in june", known, TODAY).people == ()
    assert read("what did @not do in june", known, TODAY).people == ("not",)


def test_a_month_of_another_language_is_nobody_who_is_called_so() -> None:
    known = Known([somebody("Julio García"), somebody("Ann Field")])
    assert read("what did Ann do in julio", known, TODAY).people == ("Ann Field",)
    assert read("what did Julio do in june", known, TODAY).people == ("Julio García",)
    assert read("Julio's june", known, TODAY).people == ("Julio García",)


BEFORE = (
    "what did Matti do in june", "show the bug fixes of Grace in june", "who worked on the parser in june",
    "what shipped in june in numpy", "Grace's changes in docs/ last month", "what did the core team do last month",
)  # fmt: skip


def as_read(question: Question) -> object:
    return {key: value for key, value in question_document(question).items() if key != "unread"}


@pytest.mark.parametrize("text", BEFORE)
def test_no_condition_is_lost_behind_a_question(text: str) -> None:
    assert len(CONDITIONS) > 50
    plain = as_read(read(text, KNOWN, TODAY))
    lost = []
    for condition in CONDITIONS:
        question = read(f"{text} {condition}", KNOWN, TODAY)
        if question.intent != "unknown" and not question.unread and as_read(question) == plain:
            lost.append(condition)
    assert lost == []


@pytest.mark.property
@pytest.mark.parametrize("part", range(8))
def test_a_word_that_nobody_knows_is_named_or_shown_or_stops_the_answer(part: int) -> None:
    """Alone and in a thread; where there is less time, by turns."""
    asked = [(text, of) for text in [*READ, *REFUSED, *FOLLOWED] for of in (None, THREAD)]
    asked = asked[part::8] if WHOLE else asked[part * 3 :: 24]
    assert [one for text, of in asked for one in losing_a_word(text, KNOWN, of)] == []


def test_no_text_is_read_slowly() -> None:
    pieces = ["'", "may ", "for march ", "grace and ", "a@b ", "<@U1 ", "the ", "without ", "not only ", "x's ", "#1 ", "-",
              "a/", "1/", "what did ", "who worked on ", "of the ", "zorblax ", "June ", "é", ", and "]  # fmt: skip
    taken = {piece: steps(lambda piece=piece: read((piece * 800)[:800], KNOWN, TODAY)) for piece in pieces}
    assert {piece: count for piece, count in taken.items() if count > 1_500_000} == {}
    assert read("x" * (LONGEST + 1), KNOWN, TODAY).missing == TOO_LONG
    assert read("what " * 201, KNOWN, TODAY).missing == TOO_LONG


def test_each_place_is_made_of_what_there_is() -> None:
    """A list that is not there would raise; a class or a mark that is not there would only never fit."""
    classes = {*written()["phrases"], *written()["groups"], "action"}
    tags = {
        "PERSON",
        "TIME",
        "RELEASE",
        "REF",
        "REPO",
        "TEAM",
        "PATH",
        "TOPIC",
        "BOTS",
        "ME",
        "SOMEPERSON",
        "SOMEPATH",
        "SOMERELEASE",
        "LOST",
    }
    for name, (_, patterns) in places().items():
        for itself, before, after in patterns:
            for _, _, of, marks in (test for one in (itself, *before, *after) for test in one.tests):
                assert of <= classes and {*marks} <= {*QuestionPart.marks} | tags, name


def test_when_something_began_is_no_question_of_what_was_done_to_it() -> None:
    """A port that started is not looked for among titles that say “port”."""
    assert read("when did the parser port start?", KNOWN, TODAY).deed is None
    assert read("when was the parser ported?", KNOWN, TODAY).deed


def test_an_aside_a_name_with_a_sign_and_what_does_not_count_refuse_nothing() -> None:
    """Sentences and clauses that ask nothing are named as unread; "X do not count" leaves X out, across "and"."""
    people = [*PEOPLE, somebody("Gnome!", "gnome@example.com"), somebody("Renovate"), somebody("renovate[bot]")]
    known = replace(KNOWN, people=people, directory=Directory(people))
    read_as = {
        "what has Matti been up to in june, never heard of him": "I did not understand “never heard”.",
        "I saw Matti had 100+ commits in june. what was all that about?": "changes: Matti Picus · June 2026 · not understood: “saw”, “100+” and “what was all that about”",
        "what changed in the parser in june? tests and docs don't count": "changes: June 2026 · “parser” · without test changes and documentation changes",
        "what did Matti do in june, he used to do a lot here": "month: Matti Picus · June 2026 · not understood: “he used to do a lot here”",
        "why isn't Matti a maintainer anymore": "I did not understand “why” and “a maintainer”.",
        "when was the parser last bumped": "changes: “parser” · by the last change",
        "what was fixed in june, and why": "changes: June 2026 · fixes · not understood: “why”",
        "what shipped in june, skip renovate": "what_shipped: June 2026 · without Renovate and renovate[bot]",
    }  # fmt: skip
    assert {text: reading(text, known=known) for text in read_as} == read_as
