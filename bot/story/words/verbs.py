"""The verbs of commit subjects in all their forms, and which of them are nouns as often. Data, and look-ups in it.

Developers write "Add X", seldom "Added X"; a story is told in the past. The table holds each verb as its plain form,
with what no rule makes of it behind a slash: `build/built`, `run/ran/running`, `clean/=cleanup` (`=` comes before the
noun that a title takes; without one a title takes the -ing form, which is always right).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Form = Literal["base", "past", "third", "ing"]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb: "move", "moved", "moves", "moving", and "move" as in "Move of the cache to disk" (or nothing)."""

    base: str
    past: str
    third: str
    ing: str
    noun: str = ""


def words_of(text: str) -> frozenset[str]:
    """A set of words written as a text."""
    return frozenset(text.split())


_TABLE = """
abort abstract/=abstraction accelerate/=acceleration accept/=acceptance accommodate account accumulate achieve
acknowledge acquire activate/=activation adapt/=adaptation add/=addition address adhere adjust/=adjustment
adopt/=adoption advance advertise advise aggregate/=aggregation align/=alignment allocate/=allocation allow allowlist
alter amend analyse analyze annotate/=annotation announce answer appease append apply approximate arrange ask assemble
assert assign/=assignment associate assume atomicize attach attempt attribute audit/=audit augment author autodetect
autogenerate automate/=automation avoid await back/backed backfill backout/backed_out/backing_out/backs_out/=backout
backport/=backport bail balance banish base batch be/was/being/is begin/began/beginning benchmark bind/bound bisect
blacklist block boost bootstrap/bootstrapped/bootstrapping borrow bound/bounded branch break/broke bring/brought
broadcast/broadcast buckify buffer build/built bump/=bump bundle bypass/bypassed cache calculate/=calculation
calibrate call cancel/cancelled/cancelling cap/capped/capping capitalize capture carry cast/cast catch/caught
centralize/=centralization chain change/=change characterize check check-in cherry-pick choose/chose chunk clamp
clang-format/clang-formatted/clang-formatting clarify/=clarification classify/=classification clean/=cleanup
clip/clipped/clipping
cleanup/cleaned_up/cleaning_up/cleans_up/=cleanup clear clone close coalesce codemod/codemodded/codemodding codify
collapse collate collect/=collection color colorize combine/=combination comment commit/committed/committing
communicate compact/=compaction compare/=comparison compile/=compilation complain complete/=completion comply
compress/=compression compute/=computation concatenate/=concatenation conditionalize configure/=configuration confine
conform connect/=connection consider consolidate/=consolidation constrain construct/=construction consume contain
continue control/controlled/controlling convert/=conversion coordinate cope copy correct/=correction corrupt count
cover crash create/=creation cross-link cull customize cut/cut/cutting de-duplicate/=de-duplication deal/dealt
debug/debugged/debugging decide declare/=declaration decode decompose deconflict decorate decouple/=decoupling
decrease decref/decreffed/decreffing dedup/deduped/deduping/=dedup dedupe/=dedup deduplicate/=deduplication default
defer/deferred/deferring define/=definition deflake defuse delay delegate delete/=deletion deliver demangle demo
demonstrate demote deny depend deprecate/=deprecation dereference derive describe/=description
deserialize/=deserialization deshim/deshimmed/deshimming design destroy detach detect/=detection determine develop
diagnose die/died/dying differentiate disable disallow disambiguate discard disconnect discourage discover/=discovery
discuss disentangle dispatch display distinguish distribute/=distribution divide do/did/doing/does document/documented
dogfood double downcast/downcast downgrade/=downgrade download drain draw/drew drive/drove drop/dropped/dropping dump
duplicate/=duplication edit elaborate elide eliminate/=elimination embed/embedded/embedding emit/emitted/emitting
emphasize emulate/=emulation enable encapsulate/=encapsulation encode encourage end enforce/=enforcement engage
enhance/=enhancement enlarge enqueue enrich ensure enter enumerate equip erase error escape establish estimate
evaluate/=evaluation evict/=eviction exchange exclude/=exclusion execute/=execution exempt exercise exit
expand/=expansion expect expedite experiment expire explain explode explore export/=export expose/=exposure express
extend/=extension extract/=extraction extrapolate fabricate facilitate factor factorize fail fake fall/fell fast-path
favor feed/fed fetch fill filter finalize find/found fine-tune finish fire fit/fitted/fitting fix/=fix
fixup/fixed_up/fixing_up/fixes_up/=fixup flag/flagged/flagging flake flatten/=flattening flesh flip/flipped/flipping
flush fold follow forbid/forbade/forbidding force forceinline forget/forgot/forgetting format/formatted/formatting
forward free freeze/froze fuse/=fusion gate gather generalize/=generalization generate/=generation get/got/getting
give/gave go/went/going/goes grab/grabbed/grabbing grant group grow/grew guarantee guard guess guide hand-roll
handle/=handling hardcode harden/=hardening harmonize hash have/had/having/has help hide/hid highlight hint hipify
hoist hold/held honor honour hook host identify ignore illustrate impl/implemented/implementing/implements
implement/=implementation import/=import improve/=improvement include/=inclusion incorporate increase/=increase
increment indent index indicate infer/inferred/inferring inform inherit init/inited initialise/=initialisation
initialize/=initialization inject/=injection inline/=inlining insert/=insertion inspect install/=installation
instantiate instruct instrument/=instrumentation integrate/=integration intercept internalize interpret interrupt
introduce/=introduction invalidate/=invalidation invert investigate invoke isolate/=isolation issue iterate
jit/jitted/jitting join juggle justify keep/kept kick kill label/labelled/labelling land launch leak learn
leave/left/leaving let/let/letting leverage libify lift limit/=limit link lint list listen load localize locate lock
log/logged/logging look loop loosen lose/lost/losing lower/=lowering lower-case lowercase maintain make/made manage
map/mapped/mapping mark mask match materialize measure memoize mend mention merge/=merge micro-optimize
migrate/=migration mimic/mimicked/mimicking minify minimize mirror mitigate mock modernise/=modernisation
modernize/=modernization
modify/=modification modularize/=modularization monitor move/=move multiply mutate mv/moved/moving/moves/=move name
narrow need negate nest neuter normalise normalize/=normalization note notice notify nuke nullify obey offer
offload/=offload omit/omitted/omitting onboard open open-source opensource operate opt/opted optimise/=optimisation
optimize/=optimization optionalize order organize/=organization outline output/output/outputting outsource
overhaul/=overhaul overlap/overlapped/overlapping overload override/overrode/overriding overwrite/overwrote pack
package pad/padded/padding page paper parallelize/=parallelization parameterize/=parameterization
parametrize/=parametrization parse/=parsing partition pass patch pause peel perform permit/permitted/permitting
permute persist perturb pick pin/pinned/pinning pipe pipeline pivot place plan/planned/planning plug/plugged/plugging
plumb/=plumbing point polish poll polyfill pool pop/popped/popping populate port/=port position post postpone
pre-allocate pre-commit/pre-committed/pre-committing pre-compute pre-fetch preallocate precompute
prefer/preferred/preferring prefetch/=prefetch prefix preload prepare/=preparation prepend present preserve pretend
prettify prevent print prioritize privatize probe process produce profile prohibit promote/=promotion prompt
propagate/=propagation protect/=protection prototype prove provide prune/=pruning publish pull pump punt purge push
put/put/putting qualify quantise quantize/=quantization query queue quiet quieten quit/quit/quitting quote raise
randomize range rank rationalize re-do/re-did/re-doing/re-does re-instate reach react read/read
readd/readded/=re-addition realign reallocate reapply/=reapplication rearrange rebalance rebase/=rebase rebrand
rebuild/rebuilt recalculate recast/recast receive reclaim recognize recommend recompute reconcile reconciliate
reconfigure reconnect record recover/=recovery recreate rectify recurse recycle redact redefine/=redefinition
redesign/=redesign redirect redistribute redo/redid/redoing/redoes reduce/=reduction reenable/=re-enablement reexport
refactor/=refactoring refer/referred/referring reference refine/=refinement reflect reflow
reformat/reformatted/reformatting/=reformatting refresh/=refresh refuse regenerate/=regeneration
register/=registration reimplement/=reimplementation reindent reinforce reinstate reintroduce reject reland/=reland
relate relax/=relaxation release/=release reload relocate/=relocation relock rely remember remind remove/=removal
rename/=rename render reorder/=reordering reorganise reorganize/=reorganization repackage repair/=repair repeat rephrase
replace/=replacement report represent repurpose request require rerun/reran/rerunning reserve reset/reset/resetting
reshape reshuffle resize/=resize resolve/=resolution respect respond rest restack restart restore/=restoration
restrict/=restriction restructure/=restructuring resubmit/resubmitted/resubmitting resume resurrect retain retarget
rethrow/rethrew retire/=retirement retrieve/=retrieval retry retune return reuse/=reuse revalidate revamp/=revamp
reverse revert/=revert review revise/=revision revisit revive rewire reword/=rewording rework/=rework
rewrite/rewrote/rewriting/=rewrite rid/rid/ridding rm/removed/removing/removes/=removal roll
rollback/rolled_back/rolling_back/rolls_back/=rollback rotate round round-trip route run/ran/running safeguard
sanitize sanity-check save say/said scale scan/scanned/scanning scatter schedule scope scrap/scrapped/scrapping
scrub/scrubbed/scrubbing search see/saw/seeing seed seek/sought seem segment select send/sent separate/=separation
serialize/=serialization serve set/set/setting setup/set_up/setting_up/sets_up/=setup shard share sharpen shepherd
shift shim/shimmed/shimming ship/shipped/shipping shorten show shrink/shrank shuffle shut/shut/shutting
shutdown/shut_down/shutting_down/shuts_down/=shutdown sidestep/sidestepped/sidestepping sign
signal/signalled/signalling silence simplify/=simplification simulate skip/skipped/skipping sleep/slept slice
slim/slimmed/slimming smoke-test smooth snapshot soften solve sort spawn special-case specialize/=specialization
specify/=specification speed/sped/speeding speedup/sped_up/speeding_up/speeds_up/=speedup spell spend/spent
split/split/splitting/=split spread/spread squash squelch stabilize/=stabilization stage standardize/=standardization
start stash state stay steal/stole stick/stuck stop/stopped/stopping store streamline strengthen stress-test
strip/stripped/stripping structure stub/stubbed/stubbing style subclass submit/submitted/submitting substitute subsume
suggest sunset/sunset/sunsetting supply support/=support suppress/=suppression surface suspend swallow
swap/swapped/swapping switch/=switch symintify/=symintification symlink sync/=sync synchronize/=synchronization
tabulate tag/tagged/tagging tailor take/took talk target teach/taught tear/tore tell/told template
terminate/=termination test thread throttle throw/threw tidy/=tidying tie/tied/tying tighten tile time toggle tokenize
tolerate touch trace track/=tracking train transfer/transferred/transferring transform transition
translate/=translation transpose traverse treat triage trigger trim/trimmed/trimming trust try tune/=tuning turn
tweak/=tweak type typecheck typeset/typeset/typesetting unblock unbreak/unbroke unconditionalize undefine undeprecate
understand/understood undo/undid/undoing/undoes unescape unexport unflake unfold unhide/unhid unify/=unification
uninstall uniquify unite unlink unload unlock unmark unmask unnest unpack unpatch unpin/unpinned/unpinning unquote
unregister unroll unset/unset/unsetting unshadow unskip/unskipped/unskipping unsquash untangle unwind/unwound unwire
unwrap/unwrapped/unwrapping update/=update upgrade/=upgrade upload/=upload uppercase upstream use/=use utilize
validate/=validation vary vectorize/=vectorization vendor verify/=verification version vet/vetted/vetting visit
visualize wait wake/woke walk warn watch weaken wean whitelist widen wipe wire work
workaround/worked_around/working_around/works_around/=workaround worry wrap/wrapped/wrapping write/wrote xfail yank
yield zero zero-initialize
"""

_SIBILANTS = ("s", "x", "z", "ch", "sh")


def _past(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    return f"{base[:-1]}ied" if base.endswith("y") and base[-2] not in "aeiou" else f"{base}ed"


def _third(base: str) -> str:
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(_SIBILANTS) else f"{base}s"


def _ing(base: str) -> str:
    return f"{base[:-1]}ing" if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) else f"{base}ing"


def _verb(entry: str) -> Verb:
    base, *rest = entry.split("/")
    noun = next((one[1:] for one in rest if one[0] == "="), "")
    told = [one.replace("_", " ") for one in rest if one[0] != "="]
    past, ing, third = [*told, *("", "", "")][:3]
    return Verb(base, past or _past(base), third or _third(base), ing or _ing(base), noun)


VERBS: dict[str, Verb] = {one.base: one for one in map(_verb, _TABLE.split())}

# Where one spelling is two verbs or two forms ("bound" is "bind" in the past and a verb of its own), the first stays.
_FORMS: dict[str, tuple[Verb, Form]] = {}
for _one in VERBS.values():
    _FORMS[_one.base] = (_one, "base")
for _one in VERBS.values():
    _FORMS.setdefault(_one.past, (_one, "past"))
    _FORMS.setdefault(_one.third, (_one, "third"))
    _FORMS.setdefault(_one.ing, (_one, "ing"))

# Nouns or adjectives in an -ing, -ed or -s that are seldom the verb where a subject begins.
_NEVER_ING = words_of(
    "testing branching logging caching training sharding packaging building formatting tracing benchmarking "
    "debugging typing linting timing packing indexing hashing mapping naming wrapping padding routing processing "
    "loading parsing pipelining profiling batching streaming scaling tiling rounding pruning quantizing setting "
    "settings being having missing binding spelling embedding processing incoming remaining outgoing running "
    "working following existing indenting coding styling listing linking meaning signing monitoring computing "
    "scheduling encoding string warning ring timing pooling"
)
_NEVER_PAST = words_of(
    "fused generalized unified automated shared grouped batched distributed generated framed quantized limited "
    "fixed-point combined compressed embedded cached sharded unsharded broken lost left found felt bound built "
    "read cut set put let shut split was went typed linked sorted packed padded detailed related based dedicated "
    "trained parallelized weighted buffered masked extended advanced managed ordered"
)
_NEVER_THIRD = words_of(
    "is has tests builds logs docs checks benchmarks hooks links locks patches formats lints imports exports "
    "hashes maps lists indexes copies caches prints types comments errors notes states channels queues streams "
    "threads processes references labels tags files models plans loads views outputs inputs functions traces "
    "records profiles searches branches batches groups scales steps stages ranges kernels times names positions "
    "packages releases versions needs does prefixes masks slices tiles pads limits plugs works statistics "
    "templates marks structures segments requests reports results buffers defaults ports points clones commits "
    "calls stores signals styles"
)


def verb_of(word: str) -> tuple[Verb, Form] | None:
    """The verb that a word in small letters is a form of, if any, whatever else it may be."""
    found = _FORMS.get(word)
    if found is None:
        return _made(word)
    form = found[1]
    if (form == "ing" and word in _NEVER_ING) or (form == "past" and word in _NEVER_PAST):
        return None
    return None if form == "third" and word in _NEVER_THIRD else found


def _made(word: str) -> tuple[Verb, Form] | None:
    """A verb that is put together: "re-enable", "symint-ify", "torchify", "fix/ignore"."""
    if "/" in word:
        left, _, right = word.partition("/")
        if (one := VERBS.get(left)) and (two := VERBS.get(right)):
            return Verb(word, f"{one.past}/{two.past}", f"{one.third}/{two.third}", f"{one.ing}/{two.ing}"), "base"
        return None
    head, hyphen, rest = word.partition("-")
    if hyphen and head in ("re", "un", "de", "auto", "pre", "co", "cross") and (known := _FORMS.get(rest)):
        one, form = known
        if form == "ing" and rest in _NEVER_ING:
            return None
        noun = f"{head}-{one.noun}" if one.noun else ""
        return Verb(f"{head}-{one.base}", f"{head}-{one.past}", f"{head}-{one.third}", f"{head}-{one.ing}", noun), form
    if len(word) > 5 and word.endswith(("ify", "ize")) and word.removesuffix("-ify").isalpha():
        return Verb(word, _past(word), _third(word), _ing(word)), "base"
    return None


def _sets(text: str) -> dict[str, frozenset[str]]:
    """What stands before each colon with the words behind it; a long line may be two."""
    found: dict[str, frozenset[str]] = {}
    for line in text.strip().splitlines():
        word, _, rest = line.strip().partition(":")
        found[word] = found.get(word, frozenset()) | words_of(rest)
    return found


# Verbs that are nouns as often, each with the words before which it stays a verb though most such words say otherwise
# ("Check for nulls", but "Support for nulls").
NOUNY: dict[str, frozenset[str]] = _sets(
    """
    abort: on if when
    abstract: from out
    attribute: to
    audit:
    back: out
    base: on
    batch:
    benchmark:
    block: on
    bound: by
    branch:
    broadcast: to from
    buffer:
    build: with for on against from in without as
    bump: to from
    bypass:
    cache: in
    call: from with on in
    cap: to at
    cast: to from
    change: to from in
    check: for if whether that in with before
    chunk:
    clip: at to
    clone: from
    color:
    comment: out on
    commit: to
    compare: to with
    copy: from to in
    count: in
    crash: on if when
    cut:
    debug:
    default: to
    delay:
    design:
    display: in
    dispatch: to from
    document: that how why when in
    download: from
    drop:
    dump: to in
    duplicate:
    end:
    error: out if when on for
    exercise:
    exit: with if on when from
    experiment: with
    export: to from in as
    factor: out
    fake:
    fetch: from
    filter: out by
    fit:
    fix:
    cleanup: after
    fixup:
    flag:
    flip: to
    flush: on
    fold: in into
    force: to
    format: with to as
    forward: to
    free: on in
    gate: on by behind
    group: by
    guard: against for with
    guide:
    hash:
    help: with
    hint:
    hook: up into in to
    host:
    import: from in
    increase: to
    index: into by
    inline: in into
    install: from with in on via
    instrument:
    issue:
    init: with
    impl: for
    jit:
    join: on
    kick:
    label:
    land:
    launch: with
    lift:
    limit: to
    link: to against with in from
    lint:
    list: in
    load: from in with on
    lock: on in
    log: in to when if on at from with
    loop: over
    map: to from
    mark: as
    mask: out
    match: on with
    measure:
    merge: with into from in
    mirror:
    mock: out
    monitor:
    move: to from out into away on off in onto over
    name:
    need:
    note: that in
    notice:
    offload: to
    order: by
    output: to in
    outline:
    overhaul:
    overlap: with
    override: in with
    pack: to into in
    package:
    page:
    paper:
    pad: to with
    partition: by
    pass: in to through on down
    patch: out up
    pipe: to through
    pipeline:
    place: in on
    plan: for
    point: to at
    poll: for
    pool:
    port: to from over
    position:
    post: to
    prefetch: from
    prefix: with
    present:
    print: to in out if when
    probe: for
    process: in
    profile:
    prompt:
    prototype:
    prune: out
    pull: in out from up
    push: to
    query: for
    queue:
    quote:
    range:
    rank:
    rebase: on onto
    record: in to
    redesign:
    reference: from in
    refactor: to out into
    release: on in if when
    reland:
    repeat:
    report: to in on as
    request:
    reset: to in on
    rest:
    return: to from early in with as on if when
    react: to
    refresh: on if when
    reload: on if when for only once
    retry: on if when in with
    reuse: in from
    revamp:
    revert: to
    review:
    rewrite: to in using as with
    roll: out back
    rollback: to
    round: to up down
    route: to through
    run: on in with from as under
    scale: to up by
    scan: for
    schedule:
    scope: to
    search: for in
    seed: with
    segment:
    shard:
    share: with
    shift: to
    signal:
    shutdown: in on
    sign:
    slice:
    snapshot:
    sort: by in
    speedup:
    split: out into up from by in
    stage:
    start: with from to using
    stash:
    state: that
    stop: using
    store: in as
    structure:
    stub: out
    style:
    subclass: from
    support:
    surface: in to
    swap: in out to with
    switch: to from back over on off
    sync: with to from up
    tag: with as
    target:
    template:
    test: on with against if that in using under
    thread: through
    tile:
    time: out
    toggle:
    touch: up
    trace:
    track: in
    transfer: to from
    transform: to into
    transition: to from
    transpose:
    trigger: on
    trust:
    try: to out
    tweak: to
    type: as
    redirect: to from
    reverse:
    symlink: to from
    update: to with from for using after in
    upgrade: to from
    upload: to
    upstream: from to
    use: in as for
    vendor: in
    version:
    visit:
    wait: for on until
    walk:
    watch: for
    wire: up in through into
    work: around on with in
    workaround:
    wrap: in up with
    yield: to from
    zero: out
    setup: for in
    """
)
# What a verb is a noun before, as in "Build fix": what is made, broken or kept of that name.
HEADS: dict[str, frozenset[str]] = _sets(
    """
    test: case cases suite suites infra infrastructure util utils utility utilities helper helpers harness
    test: framework runner runners file files coverage data plan failure failures script scripts plans failing
    build: system systems script scripts error errors failure failures break breakage breakages warning warnings
    build: info number issue issues option options flag flags matrix time times target targets step steps job jobs
    build: config configuration instructions dependencies environment
    release: notes note candidate process workflow workflows pipeline script scripts branch packages wheel
    cache: key keys hit hits miss misses line lines size sizes manager policy locality kernel kernels
    return: type types code codes
    lock: file files free contention order
    log: message messages file files level levels line lines output spam forwarding streaming aggregation
    link: error errors time
    import: error errors time cycle cycles path paths statements order
    move: semantics constructor constructors detection
    support: matrix library vectors
    format: string strings specifier specifiers
    type: hint hints annotation annotations check checks checking stub stubs error errors inference
    hash: table tables function functions
    benchmark: script scripts suite harness utils utilities results code config configs result
    patch: release version
    debug: print prints info log logs mode symbols builds logging output cli server message messages messages
    debug: statements
    copy: constructor kernel kernels
    print: statement statements
    error: message messages handling code codes checking reporting propagation in type types
    default: value values arg args argument arguments behavior behaviour config configs
    install: instructions instruction docs script scripts error page guide
    document: type
    process: group groups pool
    thread: safety pool local
    index: select add
    map: reduce
    exit: code codes status
    call: site sites graph
    batch: size sizes norm
    commit: message messages hash graph graphs
    check: box
    profile: results
    lint: errors error issues warnings issue runner rules config rule
    group: norm norms normalization gemm gemms conv convolution policy
    prefix: sum sums cache caching scan tree
    embed: dim dims size sizes
    scale: factor factors
    split: table embedding embeddings
    block: size sizes diagonal sparse
    reference: implementation implementations
    range: check checks
    comment: typo
    output: dtype dtypes
    zero: point points copy
    load: balancing balancer balanced
    host: mesh meshes
    push: options
    fetch: pack
    merge: strategy
    update: script
    run: time script
    version: number numbers string check info
    port: number
    queue: pair pairs
    mock: object
    time: zone zones
    dispatch: key keys
    tag: only
    start: up
    position: embedding embeddings
    kill: switch
    """
)
# What a program does rather than its developer: "Warn on X" is told as "Made it warn on X".
BEHAVES = words_of(
    "return raise throw warn die exit fail error abort complain crash panic refuse reject accept print show "
    "report respond wait retry notice respect honor honour recognize tolerate fall be learn remember bail expect "
    "expire default quit listen obey display yield understand assume prefer rethrow emit prompt terminate survive "
    "detect reload"
)
# Adverbs that a subject begins with: those of the developer's own doing, and those of what the program does.
OWN_ADVERBS = words_of(
    "properly correctly explicitly temporarily partially further also manually completely really actually safely "
    "fully better consistently slightly consequently finally initially mostly tentatively preemptively "
    "aggressively simply quickly directly again just now"
)
PROGRAM_ADVERBS = words_of(
    "always only automatically lazily dynamically conditionally optionally unconditionally gracefully eagerly "
    "recursively silently selectively randomly asynchronously periodically adaptively proactively atomically "
    "efficiently immediately transparently auto never implicitly deterministically statically locally separately"
)
