"""What a sentence names, quotes or claims stands in its commits, or it is not said."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, changed, commit, indexed, sha_of

from bot.model import Change, Commit, Item, Sentence
from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.story.proving.proof import Proof, counted, faults, is_borne_out, proved
from bot.story.wording import clean

ONE = commit(
    "Cache 40 keys (#12)", body="Hits go from 87% to 99%. See D12345678 and acme/web#7.", sha="abcdef1" + "0" * 33
)
OTHER = commit("Drop 1,204 rows", at="2025-10-04 09:00")
FACTS = month_facts(ADA, Month(2025, 10), UTC_ZONE, [ONE, OTHER], [indexed("acme/engine")], INDEXED)
WORK = commit(
    "rdma: map MRs in RdmaBuffer with `mlx5_wr_list` (#31)",
    body=(
        "Segments of 64 GB are mapped at once, in 2.68 s instead of 12.5s, see https://github.com/acme/web/pull/8.\n"
        "Pass --max-sge=30 on CX-7, unlike torch.nn.Linear. “Half of it” is 16-bit, run at 4 new tests.\n\n"
        "Co-authored-by: Alan Turing <alan@example.com>\n"
    ),
    paths=["monarch_rdma/src/ibverbs_primitives.rs", changed("python/monarch/rdma.py")],
    author=GRACE,
)


def found(text: str, *commits: Commit, computed: tuple[str, ...] = ()) -> list[str]:
    """What the faults of a sentence that rests on these commits name."""
    ground = commits or (WORK,)
    sentence = Sentence(text, tuple(one.sha for one in ground))
    return [fault.split("'")[1] for fault in Proof(ground, computed).faults(sentence)]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Hits go from 87% to 99%.", []),
        ("Cache 40 keys (#12).", []),
        ("See D12345678 and acme/web#7.", []),
        ("It is in abcdef1.", []),
        ("Hits go from 87% to 98%.", ["98%"]),
        ("Cache 4 keys.", ["4"]),  # a part of 40 is not 40
        ("Closes #1.", ["#1"]),
        ("Closes #123.", ["#123"]),
        ("See acme/engine#7.", ["acme/engine#7"]),
        ("It is in deadbee1.", ["deadbee1"]),
        ("See D99999999.", ["D99999999"]),
        ("Drop 1,204 rows.", ["1,204"]),  # true, but of the other commit
    ],
)
def test_what_no_commit_holds_is_found(text: str, wrong: list[str]) -> None:
    found = [fault.split("'")[1] for fault in faults(text, [ONE.sha], FACTS)]
    assert set(wrong) <= set(found) if wrong else not found, found


def test_evidence_must_be_of_the_month() -> None:
    assert [f"{sha_of('elsewhere')} is no commit of the month"] == faults("A thing.", [sha_of("elsewhere")], FACTS)
    assert faults("A thing.", [], FACTS) == ["rests on no commit"]


def test_a_sentence_that_does_not_hold_leaves_the_plain_title() -> None:
    item = Item(
        "Cache keys", (Sentence("It is 3x faster.", (ONE.sha,)),), "feature", "landed", "acme/engine", (), (ONE.sha,)
    )
    assert (proved(item, FACTS).title, proved(item, FACTS).text) == ("Cache keys", "")
    held = Item(
        "Cache keys",
        (Sentence("Hits go from 87% to 99%.", (ONE.sha,)),),
        "feature",
        "landed",
        "acme/engine",
        (),
        (ONE.sha,),
    )
    assert held == proved(held, FACTS)


def test_a_headline_rests_on_what_was_counted() -> None:
    evidence = (ONE.sha, OTHER.sha)
    true = Sentence("Ada Lovelace made 2 changes in October 2025.", evidence)
    computed = ("Ada Lovelace", "2 changes", "in October 2025")
    assert true == counted(true, "plain", [FACTS], computed)
    false = Sentence("Ada Lovelace made 3 changes in October 2025.", evidence)
    assert Sentence("plain", evidence) == counted(false, "plain", [FACTS], computed)
    foreign = Sentence("Ada Lovelace made 2 changes.", (sha_of("elsewhere"),))
    assert counted(foreign, "plain", [FACTS], computed).text == "plain"


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_checked(text: str, body: str) -> None:
    one = commit("Say it", body=body)
    facts = month_facts(ADA, Month(2025, 10), UTC_ZONE, [one], [], INDEXED)
    faults(text, [one.sha], facts)
    assert not faults(clean(body), [one.sha], facts)


@pytest.mark.parametrize(
    "text",
    [
        "Mapped MRs in RdmaBuffer with mlx5_wr_list (#31).",
        "Mapped the MR in RdmaBuffer.",
        "Mapped it, see acme/web#8 and acme/engine#31.",
        "Changed ibverbs_primitives.rs and monarch/rdma.py.",
        "Changed `python/monarch/rdma.py` and 1 more file.",
        "Changed 2 files in acme/engine.",
        "RdmaBuffer's list is mapped, and --max-sge=30 with it.",
        "Segments of 64GB are mapped in 2.68 seconds, not in 12.5 sec.",
        "It is 16 bit on CX-7.",
        "RDMA-like CX-7-based lists are mapped."[10:],
        "Ran 4 tests.",
        "It was made by Grace Hopper and Alan Turing.",
        "It says: “Segments of 64 GB are mapped at once, in 2.68 s …, see”.",
        "It says: “mapped at on…”.",
        "It says: ““Half of it” is 16-bit”.",
        "Unlike torch.nn, it took `mlx5_wr_list`.",
        "It left mlx5_wr_li… out.",
    ],
)
def test_what_a_commit_holds_may_be_said(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Mapped NICs in RdmaBuffer.", ["NICs"]),
        ("Mapped RdmaBuf in mlx5_wr.", ["RdmaBuf", "mlx5_wr"]),
        ("Closed #3 and acme/web#31.", ["#3", "acme/web#31"]),
        ("Changed primitives.rs in acme/docs.", ["primitives.rs", "acme/docs"]),
        ("Changed 3 files, one and 2 more files.", ["3 files", "2 more"]),
        ("Segments of 64 MB are mapped.", ["64 MB"]),
        ("Segments of 64 are mapped in 2.68 ms.", ["2.68 ms"]),
        ("It took 12 s.", ["12 s"]),
        ("It is on CX-7 GPUs.", ["GPUs"]),
        ("It took 68 s of 2.6.", ["68 s", "2.6"]),
        ("It passed --max-sge=3 to it.", ["3", "--max-sge=3"]),
        ("It passed three tests.", ["three"]),
        ("It was made by Ada Lovelace.", ["Ada", "Lovelace"]),
        ("It says: “Segments of 64 GB are unmapped”.", ["Segments of 64 GB are unmapped"]),
        ("It says: “at once … Segments of 64 GB”.", ["at once … Segments of 64 GB"]),
        ("It says: “egments of 64 GB”.", ["egments of 64 GB"]),
        ("It took `mlx5_wr_lists`.", ["mlx5_wr_lists"]),
        ("It runs on Wednesday, on H100.", ["Wednesday", "H100"]),
    ],
)
def test_what_no_commit_holds_is_named(text: str, wrong: list[str]) -> None:
    assert found(text) == wrong


def test_digits_of_a_sha_must_begin_one() -> None:
    body = "This reverts commit 28c4c6a4c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6."
    assert found("It took out 28c4c6a4c.", commit("Take it out", body=body)) == []
    assert found("It took out 28c4c6a4d.", commit("Take it out", body=body)) == ["28c4c6a4d"]
    assert found("It took out 8c4c6a4c1.", commit("Take it out", body=body)) == ["8c4c6a4c1"]


def test_only_one_commit_must_hold_it_but_one_of_the_sentence() -> None:
    text = "Mapped MRs, and dropped 1,204 rows."
    assert found(text, WORK, OTHER) == []
    assert found(text, WORK) == ["1,204"]
    assert Proof([WORK, OTHER]).faults(Sentence(text, (WORK.sha,))) == ["'1,204' is in none of its commits"]


@pytest.mark.parametrize(
    ("text", "subject", "is_said"),
    [
        ("Fixed the cache.", "fix cache", True),
        ("Fixed the cache.", "Bugfix: the cache", True),
        ("Fixed the cache.", "resolve a leak in the cache", True),
        ("Fixed the cache.", "Add the cache", False),
        ("Resolved it.", "Mend the cache", True),
        ("Sped up the cache.", "cache: lower latency", True),
        ("Made the cache faster.", "perf: inline the cache", True),
        ("Made the cache faster.", "Add the cache", False),
        ("Reduced the size.", "Shrink the cache", True),
        ("Reduced the size.", "Size goes 12 MB -> 9 MB", True),
        ("Reduced the size.", "Raise the size", False),
        ("Increased the size.", "bump the size", True),
        ("Increased the size.", "Shrink the cache", False),
        ("It no longer crashes.", "Crashes when full", False),
        ("It no longer crashes.", "Don't crash when full", True),
        ("Prevented a hang.", "avoid a hang", True),
        ("Prevented a hang.", "Add a hang", False),
        ("Stabilised the test.", "deflake the test", True),
        ("Simplified the loop.", "Clean up the loop", True),
        ("Secured the door.", "Add a door", False),
        ("Optimised the door.", "Paint the door", False),
        ("Improved the door.", "Paint the door", False),
        ("Kept fixed-size rows.", "Keep rows", False),
    ],
)
def test_an_improvement_is_claimed_only_where_a_commit_does(text: str, subject: str, is_said: bool) -> None:
    faults_of = Proof([one := commit(subject)]).faults(Sentence(text, (one.sha,)))
    assert [fault for fault in faults_of if "claimed" not in fault] == []
    assert (faults_of == []) is is_said


def test_a_change_that_is_surely_a_fix_bears_it_out() -> None:
    one = commit("Close the file at the end")
    sentence = Sentence("Fixed the file.", (one.sha,))
    sure, unsure = (Change("1", (one,), "fix", is_sure=is_sure) for is_sure in (True, False))
    assert Proof([one], changes=[sure]).faults(sentence) == []
    assert Proof([one], changes=[unsure]).faults(sentence) == ["'fixed' is claimed, but none of its commits says so"]
    faster = Sentence("Sped up the file.", (one.sha,))
    assert Proof([one], changes=[Change("1", (one,), "performance")]).faults(faster) == []
    assert len(Proof([one], changes=[sure]).faults(faster)) == 1


@pytest.mark.parametrize(
    ("text", "subject", "filler"),
    [
        ("It brings business value.", "Add it", ["business value"]),
        ("Made various improvements, seamlessly.", "Improve it", ["seamlessly", "various improvements"]),
        ("Made it more robust.", "Add it", ["robust", "more robust"]),
        ("Made it robust.", "Make it robust", []),
        ("Enhanced it.", "Enhance it", []),
        ("Enhanced it.", "Change it", ["enhanced"]),
        ("It says: “a robust, seamless thing”.", "Add a robust, seamless thing", []),
        ("It is significantly other.", "Change it", ["significantly"]),
        ("It uses state-of-the-art parts.", "Use parts", ["state-of-the-art"]),
    ],
)
def test_filler_is_only_ever_the_developers_own(text: str, subject: str, filler: list[str]) -> None:
    assert found(text, commit(subject)) == filler


def test_who_is_named_must_have_had_a_part_in_it() -> None:
    theirs = commit("Add a cache", author=GRACE)
    small = commit("Add a door\n", body="Co-authored-by: li wei <li@example.com>")
    proof = Proof([theirs, small])
    assert proof.faults(Sentence("Added a cache with li wei.", (small.sha,))) == []
    assert proof.faults(Sentence("Added a cache with li wei.", (theirs.sha,))) == ["'li wei' is in none of its commits"]


def test_what_was_computed_may_be_said_of_any_commit() -> None:
    computed = ("Ada Lovelace", "3 fixes", "in October 2025", "three")
    assert found("Ada Lovelace made three of 3 fixes in October 2025.", computed=computed) == []
    proof = Proof([WORK])
    told = Sentence("Ada Lovelace did it on 19 February.", (WORK.sha,))
    assert proof.faults(told, ("Ada Lovelace", "19 February")) == []
    assert [fault.split("'")[1] for fault in proof.faults(told)] == ["19", "Lovelace", "February"]


def test_what_was_counted_does_not_stand_in_a_commit_by_chance() -> None:
    """The body says 64, and yet nobody counted so."""
    told = Sentence("It is 64 changes.", (WORK.sha,))
    assert Proof([WORK]).faults(told, ("30 changes",), counted=True) == ["'64 changes' is in none of its commits"]
    assert Proof([WORK]).faults(told, ("64 changes",), counted=True) == []


def test_what_fails_is_replaced_by_the_plain_form_and_counted() -> None:
    proof = Proof([ONE])
    true, false = Sentence("It caches 40 keys.", (ONE.sha,)), Sentence("It caches 41 keys.", (ONE.sha,))
    assert [proof.said(one, "Plain.") for one in (true, false)] == [true, Sentence("Plain.", (ONE.sha,))]
    assert proof.held([false, true, false]) == (true,)
    assert proof.replaced == 3


def test_the_same_sha_in_two_repositories_may_speak_as_either() -> None:
    here = commit("Add it", sha="c" * 40)
    there = commit("Add it", sha="c" * 40, repository=WEB)
    assert found(f"Added it in {ENGINE} and {WEB}.", here, there) == []


WORDS = """
    a Fix fixes #12 acme/web#7 D12345678 64 GB 3x 2.5% ` “ ” … ( ) . foo_bar FooBar --opt=1 v1.2.3 a1b2c3d robust Grace
    Hopper is 1,204 - don't NICs, src/a.py “a b” `xy` three
"""


@given(st.lists(st.sampled_from(WORDS.split()), max_size=30), st.sampled_from([" ", "\n", "  "]))
def test_a_commits_own_words_are_never_a_fault(words: list[str], between: str) -> None:
    one = commit("Say it", body=between.join(words))
    assert is_borne_out(clean(one.body), [one])
    assert Proof([one]).faults(Sentence(clean(one.body), (one.sha,))) == []


NAMED = ["#{}", "D1234{}", "{} GB", "{}%", "fetch_{}", "Buffer{}Of", "acme/web#{}", "src/part{}.py", "--size={}", "{}"]


@given(st.sampled_from(NAMED), st.integers(100, 999), st.integers(100, 999))
def test_another_commits_number_or_name_is_always_found(form: str, own: int, other: int) -> None:
    one = commit(f"Change {form.format(own)} here", paths=["src/engine.py"])
    text = f"Changed {form.format(other)} here."
    assert (not found(text, one)) is (own == other)


@pytest.mark.parametrize(
    "text",
    ["#" * 20_000, "a_" * 10_000, "`" * 20_000, "“" * 20_000, "1." * 10_000, "a/" * 10_000, "-" * 20_000, "A" * 20_000,
     "a.b-" * 5_000, "0" * 20_000, "1->" * 6_000, "“a” " * 5_000, "… " * 10_000],
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    begun = time.process_time()
    one = commit(text, body=text)
    Proof([one, WORK]).faults(Sentence(text, (one.sha, WORK.sha)))
    assert time.process_time() - begun < 2


def test_a_month_of_400_commits_is_checked_in_an_instant() -> None:
    """100 sentences over up to hundreds of commits each; 0.2 s on a machine with nothing else to do."""
    prose = "The segment of 64 GB is mapped by fetch_row_{0} in RdmaBuffer{0}, see #{0}. "
    commits = [commit(f"Map {n} rows (#{n})", body=prose.format(n) * 20) for n in range(400)]
    shas = tuple(one.sha for one in commits)
    begun = time.process_time()
    proof = Proof(commits)
    for n in range(100):
        told = Sentence(f"Mapped {n} rows by fetch_row_{n} in RdmaBuffer{n} (#{n}).", shas[max(0, n - 90) : n + 300])
        assert proof.faults(told) == []
        assert len(proof.faults(Sentence(f"Mapped fetch_row_{n + 500} by Grace Hopper.", told.evidence))) == 3
    assert time.process_time() - begun < 1
