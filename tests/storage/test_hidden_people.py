"""Who asked not to be shown is kept in a log, and noticed by whoever keeps people."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from storage import Store
from storage.links import HiddenAddress

AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
LATER = AT + timedelta(hours=1)


def test_hiding_and_showing_are_a_log(store: Store) -> None:
    people = store.hidden_people
    assert people.addresses() == frozenset()
    made = people.hide(["Grace@Example.com", "g@old"], "grace", AT)
    assert made == people.log() == [
        HiddenAddress(1, "Grace@Example.com", "grace", AT),
        HiddenAddress(2, "g@old", "grace", AT),
    ]  # fmt: skip
    assert people.addresses() == {"grace@example.com", "g@old"}
    assert people.hide(["GRACE@example.com"], "ada", LATER) == []  # already
    undone = people.show(["grace@example.com"], "ada", LATER)
    assert undone == [HiddenAddress(1, "Grace@Example.com", "grace", AT, "ada", LATER)]
    assert people.show(["grace@example.com"], "ada", LATER) == []
    assert people.addresses() == {"g@old"}
    people.hide(["grace@example.com"], "grace", LATER)
    assert people.addresses() == {"grace@example.com", "g@old"}
    assert [(one.number, one.undone_by) for one in people.log()] == [(1, "ada"), (2, None), (3, None)]


def test_each_change_is_noticed_by_another_process(store: Store) -> None:
    elsewhere = Store(store.path).identities
    seen = [elsewhere.revision()]
    people = store.hidden_people
    for change, addresses in (
        (people.hide, ["a", "b"]),
        (people.show, ["a"]),
        (people.hide, ["a"]),
        (people.show, ["a", "b"]),
    ):
        assert len(change(addresses, "ada", AT)) == len(addresses)
        assert elsewhere.revision() > seen[-1]
        seen.append(elsewhere.revision())
