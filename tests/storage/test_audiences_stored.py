"""Who may read of a repository, as it is kept with it on either engine."""

from __future__ import annotations

from builders import NOW as AT
from values import commit

from bot.model import Audience, Repository
from storage import Store
from storage.outbox import Post

LEADS: Audience = (("#leads",),)


def audiences(store: Store) -> dict[str, Audience | None]:
    return {one.name: one.audience for one in store.commits.repositories()}


def test_only_who_may_widen_does(store: Store) -> None:
    store.commits.register(Repository("a", "/srv/a", audience=LEADS))
    store.commits.register(Repository("b", "/srv/b"))
    assert audiences(store) == {"a": LEADS, "b": None}
    assert store.commits.keep_audiences({"a": (), "b": (), "c": LEADS}) == {"b": (None, ())}
    both = (("#board",), ("#leads",))
    assert store.commits.keep_audiences({"a": (("#board",),)}) == {"a": (LEADS, both)}
    assert store.commits.keep_audiences({"a": (("#board", "#leads"),)}) == {}, "which lets in more"
    store.commits.register(Repository("a", "/srv/moved", audience=()))
    assert audiences(store) == {"a": both, "b": ()}
    assert store.commits.keep_audiences({"a": LEADS, "b": None}, {"a"}) == {"a": (both, LEADS)}


def test_what_has_a_commit_of_one_that_is_guarded_is_guarded(store: Store) -> None:
    shared = commit("Plan the raid")
    for name in ("copy", "guarded", "other"):
        store.commits.register(Repository(name, f"/srv/{name}"))
        mine = commit(f"Go on in {name}", repository=name)
        store.commits.add(name, [mine, *([shared] if name != "other" else [])])
        store.commits.mark_indexed(name, mine.sha, AT, shallow=False)
    store.commits.keep_audiences({"guarded": LEADS})
    assert audiences(store) == {"copy": LEADS, "guarded": LEADS, "other": None}


def test_what_waits_is_sent_no_more_as_it_was_written(store: Store) -> None:
    store.commits.register(Repository("a", "/srv/a"))
    posts = [Post("digest|T|c|", "C1", {"text": "x"}), Post("digest|T|c||1", "C1", {}, thread_key="digest|T|c|")]
    store.outbox.plan([*posts, Post("answer|T|C1|1.1", "C1", {"text": "x"})], AT)
    store.commits.keep_audiences({"a": LEADS})
    assert store.outbox.keys("digest|") == []
    answer = store.outbox.get("answer|T|C1|1.1")
    assert answer and answer.payload["text"].startswith("What may be shown here has changed")
