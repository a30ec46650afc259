"""How often the checker is wrong: true sentences it refuses, and swapped ones it lets pass.

    python -m benchmarks.proof DATABASE [--commits 300] [--seed 5] [--show 0]

DATABASE is an index of Almanac's. Of each repository, the same number of commits is drawn by a fixed seed. True
sentences are what the story makes of subjects and bodies, and the first sentence of a body, once in quotation marks
and once as it stands. In each, one thing is then swapped for another commit's of the same repository. docs/proof.md
tells what came of it. Nothing is written.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.report import table
from bot.model import Commit, Sentence
from bot.story.bodies.evidence import why_and_effect
from bot.story.bodies.impact import effects
from bot.story.proving.grammar import mistakes
from bot.story.proving.proof import Proof
from bot.story.wording import clean, shortened
from bot.story.words.sentences import sentence
from bot.story.words.titles import title
from storage import Store

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"])")
_NOT_PROSE = re.compile(r"[-*#|>`\[]|\w+(?:[- ]\w+)?:|https?:|\s{4}")
_REFERENCE = re.compile(r"#\d+\b|\bD\d{6,}\b")
_IDENTIFIER = re.compile(
    r"\b[A-Za-z]\w*(?:(?:::|[./])\w+)+\b|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b|\b[A-Z]{2,}\d*\b"
)
_NUMBER = re.compile(r"(?<![\w.#/-])\d+(?:\.\d+)?(?:\s?(?:%|ms|GB|MB|GiB|x|s))?(?![\w.%/-])")
_PATTERNS = {"identifier": _IDENTIFIER, "reference": _REFERENCE, "number": _NUMBER}
_FRAGMENTS = ("title", "effect", "body")  # of which no grammar is asked
CLAIMS = ("Fixed", "Sped up", "Reduced", "Improved", "Prevented", "Stabilised", "Secured", "Simplified")
FILLING = ("Robust", "Seamlessly", "Significantly", "For business value,", "Leveraging it,", "Streamlined and")
BORNE = re.compile(
    r"fix|mend|repair|resolv|bug|solv|correct|address|patch|typo|flak|broke|around|perf|fast|slow|sp[e]+d|latenc|optim|effic|accel|"
    r"quick|overhead|throughput|reduc|lower|decreas|less|few|small|sav|short|trim|limit|drop|cut|compress|compact|avoid|"
    r"remov|down|min|half|slim|prun|clamp|light|shrink|improv|better|enhanc|boost|polish|prevent|guard|protect|stop|never|"
    r"longer|allow|block|skip|n't|n’t|without|instead|bypass|not|forbid|stab|harden|robust|reliab|secur|vuln|cve|sani|escap|"
    r"auth|encr|expl|inject|simpl|clean|tid|refactor|stream|dedup|eas|consol|unif|->|=>|→|to \d|\bdon\b|doesn",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class True_:
    """A sentence that is true, how it was made, and its commit."""

    made: str
    text: str
    commit: Commit


def told(commit: Commit) -> Iterator[True_]:
    """True sentences of a commit: as the story makes them, and parts of the body as they stand."""
    subject, paths = clean(commit.subject[:2000]), [file.path for file in commit.files]
    text = sentence(commit.subject, paths)
    yield True_("sentence", text, commit)
    if text.endswith(".") and len(text) < 150:
        where = f"{text[:-1]}, by {clean(commit.author.name)} in {commit.repository}."
        yield True_("sentence, with who and where", where, commit)
    yield True_("subject, quoted", f"The change is “{shortened(subject, 160)}”.", commit)
    yield True_("title", title(commit.subject, paths), commit)
    if why := why_and_effect(commit.body, commit.subject):
        yield True_("why", why, commit)
    for effect in effects(commit.body, commit.subject):
        yield True_("effect", effect.text, commit)
    for paragraph in commit.body[:20_000].replace("\r", "").split("\n\n"):
        if not _NOT_PROSE.match(paragraph.strip("\n")) and len(paragraph.split()) > 5:
            first = _SENTENCE.split(clean(paragraph))[0]
            if len(first) < 300:
                yield True_("body", first, commit)
                yield True_("body, quoted", f"The reason was: “{shortened(first, 160)}”.", commit)
            return


def is_in(said: str, commit: Commit) -> bool:
    """Whether something stands in a commit as a whole."""
    everything = "\n".join(
        (
            commit.subject,
            commit.body,
            commit.repository,
            commit.author.name,
            commit.committer.name,
            *(f"{file.path}\n{file.old_path}" for file in commit.files),
        )
    )
    return re.search(rf"(?<!\w){re.escape(said)}(?!\w)", everything) is not None


def swapped(one: True_, others: Sequence[Commit], chance: random.Random) -> Iterator[tuple[str, str]]:
    """The sentence with one thing of another commit's instead of its own, for each sort of things it has."""
    for sort, pattern in _PATTERNS.items():
        own = pattern.findall(one.text)
        if not own:
            continue
        for other in chance.sample(others, min(20, len(others))):
            theirs = pattern.findall(clean(f"{other.subject}\n{other.body[:5000]}"))
            theirs = [said for said in theirs if not is_in(said, one.commit)]
            if theirs:
                yield sort, one.text.replace(chance.choice(own), chance.choice(theirs), 1)
                break
        if sort != "identifier":
            said = chance.choice(own)
            at = chance.choice([at for at, sign in enumerate(said) if sign.isdigit()])
            altered = f"{said[:at]}{chance.choice('123456789'.replace(said[at], ''))}{said[at + 1 :]}"
            if not is_in(altered, one.commit):
                yield f"a digit of a {sort}", one.text.replace(said, altered, 1)
    name = clean(one.commit.author.name)
    if one.made.endswith("where"):
        for other in chance.sample(others, min(20, len(others))):
            if " " in other.author.name and not is_in(other.author.name, one.commit):
                yield "person", one.text.replace(f"by {name}", f"by {clean(other.author.name)}")
                break
        yield "repository", one.text.replace(f" in {one.commit.repository}.", " in acme/engine.")
    if one.made == "sentence" and not BORNE.search(f"{one.commit.subject}\n{one.commit.body}"):
        yield "claim", " ".join((chance.choice(CLAIMS), *one.text.split()[1:]))
    if one.made == "sentence":
        filling = chance.choice(FILLING)
        stem = filling.split()[-1].lower().strip(",")[:6]
        if stem not in f"{one.commit.subject} {one.commit.body}".lower():
            yield "filler", f"{filling} {one.text}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("database", type=Path)
    arguments.add_argument("--commits", type=int, default=300, help="of each repository")
    arguments.add_argument("--seed", type=int, default=5)
    arguments.add_argument("--show", type=int, default=0, help="how many mistakes of each sort to print")
    options = arguments.parse_args()
    store = Store(options.database, must_exist=True)
    every = store.commits.between(datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC))
    chance = random.Random(options.seed)  # noqa: S311
    by_repository: dict[str, list[Commit]] = defaultdict(list)
    for commit in every:
        if not commit.is_merge:
            by_repository[commit.repository].append(commit)
    true, refused, swaps, passed = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    shown: dict[str, list[str]] = defaultdict(list)
    ungrammatical, seconds = Counter[str](), 0.0
    for repository in sorted(by_repository):
        own = by_repository[repository]
        drawn = chance.sample(own, min(options.commits, len(own)))
        begun = time.perf_counter()
        proof = Proof(drawn)
        seconds += time.perf_counter() - begun
        for commit in drawn:
            for one in told(commit):
                begun = time.perf_counter()
                faults = proof.faults(Sentence(one.text, (commit.sha,)))
                seconds += time.perf_counter() - begun
                true[one.made] += 1
                if one.made not in _FRAGMENTS and (wrong := mistakes(one.text)):
                    ungrammatical[one.made] += 1
                    shown[f"grammar: {one.made}"].append(f"{one.text}\n      {'; '.join(wrong)}")
                if faults:
                    refused[one.made] += 1
                    shown[f"refused: {one.made}"].append(f"{commit.sha[:9]} {one.text}\n      {'; '.join(faults)}")
                for sort, text in swapped(one, own, chance):
                    if text == one.text:
                        continue
                    swaps[sort] += 1
                    if not proof.faults(Sentence(text, (commit.sha,))):
                        passed[sort] += 1
                        shown[f"passed: {sort}"].append(f"{commit.sha[:9]} {text}\n      of {one.text}")
    rows = [
        [made, f"{true[made]:,}", str(refused[made]), "" if made in _FRAGMENTS else str(ungrammatical[made])]
        for made in true
    ]
    rows.append(["together", f"{true.total():,}", str(refused.total()), str(ungrammatical.total())])
    print(table(["true sentences", "number", "refused", "with a mistake of grammar"], rows))
    rows = [[sort, f"{swaps[sort]:,}", str(passed[sort])] for sort in swaps]
    rows.append(["together", f"{swaps.total():,}", str(passed.total())])
    print(table(["swapped", "number", "passed"], rows))
    print(f"{seconds / true.total() * 1e6:.0f} µs a true sentence, its commit's preparation included")
    for sort, texts in shown.items():
        for text in chance.sample(texts, min(options.show, len(texts))):
            print(f"{sort}: {text}")


if __name__ == "__main__":
    main()
