"""Whose address or login is it: what is asked of them, or said. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.ask.reading import identities
from bot.ask.reading.asking_back import Missing, called, which_one
from bot.ask.reading.finds import Finds
from bot.ask.reading.known import Known
from bot.ask.reading.names import Named
from bot.model import Question
from bot.month.people import Directory


def each_one(named: Sequence[Named], directory: Directory) -> tuple[str, ...]:
    """What each is called, of whom it is clear who they are. Raises Missing where it is not."""
    for one in named:
        if len(one.people) > 1:
            raise Missing(which_one(one.said, one.people))
    return tuple(called(one.people[0], directory) for one in named)


def linked(finds: Finds, known: Known) -> Question | None:
    """The question of whose an address or a login is, where a text asks or says it."""
    directory, asker = known.directory, known.asker
    said = finds.with_all
    found = finds.names.found
    for pattern in identities.LINKS:
        match = pattern.search(said)
        if not match:
            continue
        topic, is_person = match["topic"], match["topic"] == "PERSON"
        people = re.findall(r"\bPERSON\b", said[: match.start("topic")])
        if is_person:
            named = found[len(people)] if len(people) < len(found) else None
            if named is None or (" " in named.said and match.re is not identities.LINKS[0]):
                return None
            topic = finds.text.words[named.first].raw.lstrip("@")
            people_said = [one for one in found if one is not named]
            if match.re is identities.LINKS[-1] and not directory.exactly(topic, levels=(2,)):
                continue
        elif topic == "ADDR":
            topic, people_said = finds.places.addresses[0], found
        else:
            start = next((n for n, at in enumerate(finds.text.skeleton()[1]) if at == match.start("topic")), None)
            topic, people_said = (finds.text.words[start].raw if start is not None else topic).lstrip("@"), found
            if topic.casefold() in ("that", "this", "it", "me", "my", "address", "addresses", "login", "commit"):
                continue
        whom = match.groupdict().get("whom")
        if whom == "PERSON" or whom == "PERSON'":
            return Question("link", each_one(people_said[:1], directory), topic=topic)
        return Question("link", (called(asker, directory),) if whom is not None and asker else (), topic=topic)
    if match := identities.WITHOUT_TOPIC.search(said):
        if match["whom"] or "does PERSON" in match[0]:
            return Question("link", each_one(found[:1], directory))
        is_mine = re.search(r"\b(?:addresses|address|login|mine)\b", match[0]) and "link my" not in match[0]
        is_mine = (is_mine and not re.search(r"\b(?:that|this|these)\b", match[0])) or "am i" in match[0]
        return Question("link", (called(asker, directory),) if asker and is_mine else ())
    who = re.fullmatch(r"\W*who(?:'s| is) PERSON\W*", said)
    if who and len(found) == 1 and found[0].end - found[0].first == 1 and not found[0].is_near:
        login = finds.text.words[found[0].first].raw.lstrip("@")
        if any(login.casefold() == one.casefold() for p in found[0].people for one in p.logins):
            return Question("link", topic=login)
    same = re.fullmatch(r"\W*@?(?P<x>[a-z0-9][\w-]*|PERSON) is PERSON\W*", said)
    if same and (same["x"] != "PERSON" or len(found) == 2):
        word = finds.text.words[0]
        is_login = same["x"] != "PERSON" or (
            not directory.exactly(word.low, levels=(1, 3)) or word.is_handle)  # fmt: skip
        if is_login and word.low not in ("who", "what", "this", "that", "how", "where", "it"):
            return Question("link", each_one(found[-1:], directory), topic=word.raw.lstrip("@"))
    return None
