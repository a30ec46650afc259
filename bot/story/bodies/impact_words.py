"""The words by which a result is told from any other number: units, measures, and what speaks against it."""

from __future__ import annotations

import re

from bot.month.anycase import AnyCase

_I = re.IGNORECASE

_TIME = r"(?:ms|us|µs|μs|ns|s|secs?|seconds?|minutes?|mins?|hours?|hrs?|milliseconds?|microseconds?)"
_SIZE = r"(?:[kmgt]i?b|[kmgt]?bytes)"
_RATE = (
    r"(?:[kmgt]i?b(?:ps|/s(?:ec)?)|[gmk]b(?:ps|/s)|[gt]flop/?s?|tops|"
    r"(?:tok(?:ens?)?|it(?:ers?|erations?)|samples?|msgs?|messages|ops|req|requests)/s(?:ec)?|qps|fps|tps)"
)
TIME, SIZE, RATE = (re.compile(unit, _I) for unit in (_TIME, _SIZE, _RATE))
# Of a unit, so that "1.2 s → 300 ms" can be compared.
SCALE: dict[str, float] = {
    "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "microsecond": 1e-6, "microseconds": 1e-6,
    "ms": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
    "min": 60, "mins": 60, "minute": 60, "minutes": 60, "hour": 3600, "hours": 3600, "hr": 3600, "hrs": 3600,
    "kb": 1e3, "kib": 1e3, "mb": 1e6, "mib": 1e6, "gb": 1e9, "gib": 1e9, "tb": 1e12, "tib": 1e12,
    "kb/s": 1e3, "mb/s": 1e6, "gb/s": 1e9, "mbps": 1e6, "gbps": 1e9, "gflops": 1e9, "tflops": 1e12,
}  # fmt: skip
_UNIT = rf"(?:%|percent\b|(?:{_RATE}|{_SIZE}|{_TIME})(?![\w/])|[x×](?!\w))"
_N = r"[~≈<>]{0,2}\s?\d[\d,]*(?:\.\d+)?[kKM]?"
_CLOCK = r"(?:\d+h)?\d+m\d+s"  # "1m42s"
_RANGE = rf"{_N}(?:\s?(?:-|–|to)\s?{_N})?"
_SIGNED = rf"[+−-]?\s?{_RANGE}"
_ROUGHLY = (
    r"(?:(?:about|around|roughly|over|approximately|approx\.?|just|only|under|nearly|almost|an?|up|upto|to|as|much|"
    r"large|"
    r"additional|another|extra|even|further|consistent|more|than|overall|total|average|of|by|at|least)\s+){0,4}"
)
DIGIT = re.compile(r"\d")
HAS_AMOUNT = AnyCase(rf"\d\s?(?:{_UNIT}|times\b)|\d+m\d+s\b")
CLOCK = re.compile(r"(?:(?P<h>\d+)h)?(?:(?P<m>\d+)m)?(?:(?P<s>\d+)\s?s)?$", _I)
CLAUSE = re.compile(r"[,;:]\s(?=[a-z])")

# What is measured.
_METRIC = (
    r"(?:latenc\w+|throughput|bandwidth|b/w|utili[sz]ation|runtimes?|run ?time|wall[- ]?(?:clock|time)|times?|"
    r"duration|speed|"
    r"perf(?:ormance)?|qps|mfu|t?flops|memory|hbm|vram|rss|footprint|(?:binary|library|wheel|file|image|code|"
    r"package) size|"
    r"accuracy|perplexity|startup|start-up|compil(?:e|ation)\b(?: time)?|build(?:s|ing)?\b(?: time)?|cpu|gpu(?= "
    r"(?:time|runtime|memory|usage))|usage|cycles|"
    r"p50|p90|p95|p99|hit[- ]rate|efficiency|overhead|step time|copies|allocations?|traffic|coverage)"
)

# From one measure to another; the direction is judged apart.
FROM_TO: tuple[AnyCase, ...] = (
    # "2514us -> 220us", "87% utilization -> 99% utilization"
    AnyCase(
        rf"(?<![\w.,])(?P<a>{_N})\s?(?P<ua>{_UNIT})?(?:\s[A-Za-z/]+(?: [A-Za-z/]+){{0,2}})?(?:\s\([\w "
        rf"]{{1,20}}\))?\s*(?:-{{1,2}}>|→|=>|⇒)\s*"
        rf"(?P<b>{_N})\s?(?P<ub>{_UNIT})",
    ),
    # "from 12.3 GB to 8.1 GB", "from ~25s per test case -> <0.1s"
    AnyCase(
        rf"\bfrom (?:about |around |roughly |over |approximately |an average of )?(?P<a>{_N})\s?(?P<ua>{_UNIT})?"
        rf"(?:\s[\w()/]+){{0,5}}?,?\s?(?:down |up )?(?:to|->|→|=>) (?:about |around |just |only |roughly |under |"
        rf"approximately )?"
        rf"(?P<b>{_N})(?:\s?[-–]\s?{_N})?\s?(?P<ub>{_UNIT})",
    ),
    # "takes 0.4 s instead of 2.9 s", "0.015 s, where it took 2.68 s"
    AnyCase(
        rf"(?<![\w.,])(?P<b>{_N})\s?(?P<ub>{_UNIT})(?:,? instead of|,"
        rf" (?:where|when|while) (?:it|this|that) (?:took|was|were)(?: \w+)?) (?P<a>{_N})\s?(?P<ua>{_UNIT})",
    ),
    # "1m42s -> 58s"
    AnyCase(
        rf"(?<![\w.,])(?P<a>{_CLOCK})(?P<ua>)\s*(?:-{{1,2}}>|→|=>|⇒|to)\s*(?P<b>{_CLOCK}|{_N}\s?(?:s|min)\b)(?P<ub>)",
    ),
    # "MI300X: 33.14us to 27.00us"
    AnyCase(rf":\s(?P<a>{_N})\s?(?P<ua>{_TIME}) to (?P<b>{_N})\s?(?P<ub>{_TIME})(?![\w/])"),
    # "previously it took ~10 minutes, now ~2.5 minutes"
    AnyCase(
        rf"\b(?:previously|before|it used to)\b,?(?:\s[\w`'-]+){{1,8}}?\s(?P<a>{_N})\s?(?P<ua>{_TIME}|"
        rf"{_SIZE})(?:\s[\w-]+){{0,4}}?,"
        rf"\s(?:and |but )?now(?:\s[\w-]+){{0,4}}?\s(?P<b>{_N})\s?(?P<ub>{_TIME}|{_SIZE})(?![\w/])",
    ),
    # "drops to 20.3 s (from ~25 s)", "12 ms (was 30 ms)"
    AnyCase(
        rf"(?<![\w.,])(?P<b>{_N})\s?(?P<ub>{_UNIT})\s?\((?:down |up )?(?:from|was|vs\.?|previously|before:?) "
        rf"(?P<a>{_N})\s?(?P<ua>{_UNIT})",
    ),
)
_MANY = rf"{_SIGNED}\s?(?:%|percent|[x×]|times)"
GAINED: tuple[AnyCase, ...] = (
    # "1.3x speedup", "14% faster", "35% performance improvement", "2x throughput"
    AnyCase(
        rf"{_MANY}\+?,?[ -]?\s?(?:\((?:[^()]*)\)\s)?(?:[\w/-]+[ -]){{0,3}}?(?:speed[- ]?ups?|faster|quicker|"
        rf"improvements?|gains?|uplift|boost|wins?|savings?|"
        r"performance (?:increase|advantage)|better (?:perf\w*|throughput|latency|bandwidth|qps))\b",
    ),
    # "33% fewer GPU memory", "15% lower perplexity", "a 40% reduction in peak memory"
    AnyCase(
        rf"{_MANY}\s(?:less|fewer|smaller|lower|reduction|decrease|drop|cut|saved)\b(?:\s[\w-]+){{0,4}}?\s"
        rf"(?:latenc\w+|runtimes?|times?|duration|memory|hbm|rss|footprint|perplexity|cpu|copies|allocations?|"
        rf"overhead|size|traffic)\b",
    ),
    AnyCase(
        rf"\b(?:latency|runtime|memory|time|footprint|cpu|operator|size|overhead) (?:usage |time )?(?:reduction|"
        rf"savings?)(?: of)? {_ROUGHLY}{_MANY}",
    ),
    AnyCase(
        rf"{_MANY}(?:\s[\w-]+){{0,2}} (?:latency|runtime|memory|time|footprint|cpu|operator) (?:usage |time "
        rf")?(?:reduction|savings?)\b",
    ),
    AnyCase(
        rf"\b{_MANY}\s(?:higher|more|increase in|increased|greater) (?:\w+ )?(?:throughput|bandwidth|qps|tok\S*|"
        rf"tflops|utili[sz]ation|performance|accuracy)\b",
    ),
    # "speedup of 1.3x", "Average speedup: 1.24x", "throughput improvement of 10% to 25%"
    AnyCase(
        rf"\b(?:speed[- ]?ups?|improvements?|gains?|uplift|boost|savings?)\b(?: (?:is|are|was|were|of|by|in "
        rf"\w+))?\s?[:=(]?\s?{_ROUGHLY}\(?{_MANY}",
    ),
    AnyCase(rf"\b(?:improved|increased|higher) (?:throughput|performance|bandwidth|qps) of {_ROUGHLY}{_MANY}"),
    # "improves QPS by 8%", "cut build time 40 %", "speeds up the kernel by 3x"
    AnyCase(
        rf"\b(?:improv(?:e|es|ed|ing)|speed(?:s|ing)? up|sped up|speed-?ups?|accelerat(?:e|es|ed|ing)|boost(?:s|ed|"
        rf"ing)?|optimi[sz](?:e|es|ed|ing)|recover(?:s|ed))\b"
        rf"[^.;]{{0,80}}?\b(?:by|to get)\s{_ROUGHLY}{_MANY}",
    ),
    AnyCase(
        rf"\b(?:reduc(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|cut(?:s|ting)?|lower(?:s|ed|ing)?|shrinks?|drop(?:s|"
        rf"ped)?|shav(?:e|es|ed)|trims?|"
        rf"(?:went|goes|gone|go) down|is down|down)\b[^.;]{{0,60}}?\b{_METRIC}\b[^.;\d]{{0,40}}?\s(?:by\s|down\s|"
        rf"for\s)?{_ROUGHLY}{_SIGNED}\s?(?:%|percent)",
    ),
    AnyCase(
        rf"\b{_METRIC}\b[^.;\d]{{0,60}}?\b(?:reduc(?:es|ed)|decreas(?:es|ed)|cut|lower(?:s|ed)|shr[ia]nks?|"
        rf"drop(?:s|ped)?|went down|goes down)\s(?:by\s)?{_ROUGHLY}{_SIGNED}\s?(?:%|percent)",
    ),
    AnyCase(
        rf"\b(?:increas(?:e|es|ed|ing)|rais(?:e|es|ed|ing)|bumps?)\b[^.;]{{0,40}}?\b(?:throughput|qps|bandwidth|"
        rf"performance|mfu|utili[sz]ation|coverage|hit[- ]rate|accuracy)\b"
        rf"[^.;\d]{{0,30}}?\s(?:by\s|to\s|around\s|~)?{_ROUGHLY}{_SIGNED}\s?(?:%|x\b)",
    ),
    AnyCase(r"(?<![\w.])\+\s?\d+(?:\.\d+)?\s?%\s(?:\w+\s){0,2}(?:qps|throughput|bandwidth|performance|mfu)\b"),
    AnyCase(
        r"(?<![\w.])[−-]\s?\d+(?:\.\d+)?\s?%\s(?:\w+\s){0,2}(?:latency|memory|runtime|cpu time|build time|time)\b",
    ),
    AnyCase(rf"^{_ROUGHLY}{_MANY}\+? (?:e2e )?(?:qps|throughput|speed|perf(?:ormance)?)\b"),
)
# "saves ~3-4ms", "6.67s saving", "saves around 16MB of storage"
SAVED = AnyCase(
    rf"\b(?:sav(?:es|ed|ing)|shav(?:es|ed|ing)(?: off)?|removing|frees?(?: up)?)\s{_ROUGHLY}{_SIGNED}\s?(?:{_TIME}|"
    rf"{_SIZE})(?![\w/])|"
    rf"{_SIGNED}\s?(?:{_TIME}|{_SIZE})\s(?:of )?(?:\w+ ){{0,2}}?(?:savings?|saved|faster|improvement|speed-?up|"
    rf"reduction)\b",
)
UNSURE = AnyCase(r"\b(?:can|when|if|per)\b")

# In which direction a measure is better.
MORE_IS_BETTER = AnyCase(
    r"\b(?:throughput|bandwidth|b/w|utili[sz]ation|qps|mfu|t?flops|hit[- ]rate|accuracy|efficiency|coverage|speed-?up|"
    r"tok(?:ens?)?/s(?:ec)?|it(?:er)?s?/s|iterations/s|sqnr|auc)\b|/s\b",
)
LESS_IS_BETTER = AnyCase(
    r"\b(?:latenc\w+|runtimes?|times?|duration|memory|hbm|rss|footprint|gap|overhead|perplexity|loss|errors?|size|"
    r"cpu|wall|"
    r"reduc\w+|drop(?:s|ped)?|shr[ia]nks?|cuts?|decreas\w+|lower\w*)\b|\([−-]\s?\d",
)

# A number beside one of these is hoped for, reasoned or asked for, not found.
HOPED = AnyCase(
    r"\b(?:expect\w*|should|could(?! see)|might|may|would|estimat\w+|hop(?:e|es|ed|ing|efully)|potential(?:ly)?|"
    r"possib\w+|theor\w+|"
    r"ideally|projected|projection|target(?:s|ed|ing)?|goals?|aim(?:s|ed|ing)?|want(?:s|ed)?|plan(?:s|ned) (?:to|"
    r"for)|todo|tbd|wip|will|won't|"
    r"going to|gonna|we'll|future|long[- ]term|assum\w+|suppos\w+|predict(?:s|ed|ion)|anticipat\w+|likely|perhaps|"
    r"maybe|intend\w*|we can(?! now| see)|"
    r"think|believe|guess|seems?|appears?|let's|not sure|unclear|try|trying|tries|attempt\w*|"
    r"need(?:s|ed)? to|requir(?:e|es|ed|ing)|suggest\w*|roofline|in theory|(?:upper|lower) bound|simulated time|"
    r"xxx|if (?:you|we|they|first)|doesn't pass|didn't pass|warr[ae]nt|not worth|part of (?:the|a)|rejected|was "
    r"evaluated|without this|"
    r"otherwise)\b",
)
# A number that somebody set, which is no measurement.
SETTING = AnyCase(
    r"\b(?:time-?outs?|timed? out|intervals?|back-?off|retr(?:y|ies)|retention\w*|deadlines?|ttl|thresholds?|"
    r"limits?|limited|cap|capped|defaults?(?! (?:mode|stream))|quota|"
    r"budget|maximum|at most|tolerance|atol|rtol|bump(?:s|ed)? (?:it|the)|dropout|sparsity|probability|clip\w*|"
    r"sleeps?|poll\w*|heartbeat\w*|"
    r"reserv(?:e|es|ed|ation)|padd(?:ed|ing)|aligned|alignment|boundary|percentile|learning rate|momentum|atomic_max|"
    r"batch size from|chunk size|buffer size|block size|page size|queue depth|max_examples|workers?_threads|raise|"
    r"raised|"
    r"sample(?:s|d)? (?:size|rate)|mismatch\w*|fall(?:s)? ?back|fit|gridDim|grid|registers?|smem|num_\w+|"
    r"lines?|loc|characters)\b",
)
# A number of something else than this change.
OF_OTHERS = AnyCase(
    r"^(?:the )?(?:gb?\d{3}|[bah]\d{2,3}|mi\d{3}\w*|trt-?llm|vllm|cublas|cutlass fp8 is)\b|\b(?:trt-?llm|vllm|"
    r"paper|blog post|competitor|"
    r"d\d{6,} (?:improved|reduced|brought)|general context|prior work|previous diff|prior diff|parent diff|"
    r"follow-?up|customer reported|sev\d?|"
    r"incident|outage|last seen|last busy|gap with|(?:compared (?:to|with)|than|vs\.?|over) (?:h100|a100|b200|"
    r"mi\d{3}))\b|\b16 ?bits/key|\bPR #\d|\b(?:existing|stays|stayed|already)\b(?=.*preserved)|\bstarts scaling\b",
)
WORSE = AnyCase(
    r"\b(?:regress(?:ed|es|ing|ions?)|slow(?:er|s|ed|down|downs)|worse(?:ns|ned)?|degrad\w+|penalty|neutral|on par|"
    r"comparable|unchanged vs|by [-−]\d|"
    r"no (?:\w+ )?(?:regression|change|difference|impact|improvement|gain|speed-?up|perf\w*)|(?:with)?in (?:the "
    r")?noise|noisy|noise|noise level|"
    r"(?:qps|tok/s|throughput|bandwidth|performance|perf|accuracy) (?:drop|reduction|decrease|loss)|(?:drop|"
    r"reduction|decrease|loss) (?:in|of) (?:qps|throughput|bandwidth|perf\w*|accuracy)|"
    r"increas\w+ (?:in|the) (?:latency|memory|runtime|time|duration|size)|at the (?:cost|expense)|fluctuat\w+|"
    r"marginal(?:ly)?|paying|backend (?:is|can)|overhead of|adds? overhead|less than 50%|growth|growing|grows)\b",
)
# It makes of what is said beside it one half of a mixed result.
SLOWER = AnyCase(
    r"\b(?:is|are|be|gets?|got|becomes?|but|slightly|a bit|some|[\d.]{1,9}(?:%|x)) (?:\w+ )?slower\b|"
    r"^(?!no\b|.{0,40}\bno )(?:.{0,80}\s)?regress(?:es|ed)\b|\b[\d.]{1,9}% regression\b",
)
# … unless it is what was mended.
CURED = AnyCase(
    r"\b(?:fix\w*|recover\w*|clos(?:e|es|ed)|eliminat\w*|reduc\w*|remov\w*|mitigat\w*|cut\w*|lower\w*|avoid\w*|"
    r"address\w*|gap reduced)\s(?:\S+\s){0,5}?"
    r"(?:regress\w*|overhead|slowdown|penalty|growth)|\bunchanged\b",
)
UNFIT = AnyCase(
    r"https?://|www\.|fburl|internalfb|\]\(|__\w+ \w+__|ghstack|```|\|.*\||<[a-z/]+>|\?|(?:->[^>]*){4}|"
    r"^(?:revert|reapply|some|and|but|or|so|then|"
    r"which|where)\b|"
    r"\b(?:screenshot|as follows|shown (?:below|above|in)|the following|D\d{6,}|P\d{7,}|S\d{6,}|T\d{7,}|N\d{6,}|"
    r"f\d{7,})\b|"
    r"\bsee (?:the|below|above|also)\b|\{F\d+|\.\.\.$|…",
)

# Word forms of things that go wrong.
_FAULT = (
    r"(?:crash\w*|hang(?:s|ing)?|hung|fail(?:s|ed|ing|ures?)?|errors?|panic\w*|deadlock\w*|leak\w*|oom\w*|out[- "
    r"]of[- ]memory|"
    r"seg-?faults?|sigsegv|sigabrt|sigbus|time(?:s)?[- ]?outs?|block(?:s|ed|ing)?|stall(?:s|ed|ing)?|throws?|"
    r"rais(?:e|es|ed|ing)|aborts?|"
    r"los(?:e|es|t|ing)|drop(?:s|ped|ping)?|corrupt\w*|kill(?:s|ed|ing)?|wedge[sd]?|stuck|break(?:s|ing)?|overflow\w*|"
    r"exceed(?:s|ing)?|starv(?:e|es|ed|ing)|nans?|explod\w*|silently|spam\w*|flak\w*|livelock\w*|die[sd]?)"
)
_HARM = (
    r"(?:crash(?:es)?|hangs?|deadlocks?|seg-?faults?|sigsegv|memory leaks?|leaks?|oom|out[- ]of[- ]memory|panics?|"
    r"issues? causing|stalls?|data races?|race conditions?|illegal memory access\w*|ima|livelocks?|double[- "
    r"]free|use[- ]after[- ]free|infinite loop)"
)
_HARD_HARM = (
    r"(?:crash(?:es)?|hangs?|deadlocks?|seg-?faults?|sigsegv|oom|out[- ]of[- ]memory|panics?|stalls?|livelocks?)"
)
_SOME = r"(?:an? |some |several |occasional |all |the (?!resulting|remaining|leaks?\b))?"
_NAME = r"(?!(?:the|this|that|these|those|by)\b)[\w`:.()/-]+"
_AND_MORE = r"(?!.*(?:,| and) (?:uses|adds|throws|removes|moves|makes|contains|introduces|changes|updates|improves) )"
_THIS = r"^(?:this (?:pr|diff|commit|change|patch|fix) |this |it )?(?:also )?"
OBSERVED: tuple[tuple[float, AnyCase], ...] = tuple(
    (weight, AnyCase(pattern))
    for weight, pattern in (
        (
            0.6,
            rf"\bno longer (?:\w+ly |causes? |triggers? |hits? |produces? |gets? |leads? to |results? in |an? |the "
            rf"|this )*"
            rf"{_FAULT}\b",
        ),
        (0.6, rf"\b(?:do(?:es)?n't|do(?:es)? not|never) (?:\w+ )?{_FAULT}\b[^.]{{0,60}}\b(?:any ?more|any longer)\b"),
        (
            0.5,
            r"(?<!are )(?<!is )(?<!we )\bnow (?:\w+ly )?(?:works?\b(?!\W+(?:around|out|by|through|via)\b)|working(?= "
            r"and|$)|compiles?|succeeds?|"
            r"converges?|"
            r"(?:pass(?:es)?|runs?|builds?|loads?|trains?|completes?)(?= (?:on|again|cleanly|correctly|"
            r"successfully|fine|in (?:under|less)|end|without|for)\b|$|[,;.]))(?! on top)"
            r"|\b(?:works?|passes|compiles|builds|succeeds) (?:\w+ly )?again\b",
        ),
        # "fixes the hang in …"; of what is told as an order ("Fix the leak"), only what a user meets
        (0.5, rf"{_THIS}(?:fixe[sd]|resolve[sd]|eliminate[sd]|cured) {_SOME}(?:{_NAME} ){{0,4}}?{_HARM}\b{_AND_MORE}"),
        (0.5, rf"^(?:also )?(?:fix|resolve|eliminate) {_SOME}(?:{_NAME} ){{0,4}}?{_HARD_HARM}\b"),
        (
            0.5,
            rf"{_THIS}un-?block(?:s|ed)? "
            r"(?!(?:of|this|that|these|it|them|moving|landing)\b|the (?:land|diff|stack)\b)\S",
        ),
    )
)
# One of these is in whatever a pattern of OBSERVED finds.
OBSERVED_BY = ("longer", "more", "now", "again", "fix", "resolve", "eliminate", "cured", "block")
DOUBTED = AnyCase(
    r"\b(?:should|could|might|may|would|expect\w*|hop(?:e|es|ed|ing|efully)|potential(?:ly)?|possibl[ey]|todo|tbd|"
    r"wip|will|want(?:s|ed)?|"
    r"going to|we'll|future|try|trying|tries|attempt\w*|verif\w+|ensure[sd]?|assert\w*|confirm\w*|make sure|tests?|"
    r"tested|testing|check(?:s|ed)?|"
    r"until|unless|if|so that|so it|so the|so we|previously|currently|was|were|because|since|seems?|probably|"
    r"theoretical\w*|latent|need(?:s|ed)?|"
    r"whether|can|to make|things|(?:later|previous|next|earlier|parent|following) (?:commit|diff|patch|change|pr)|"
    r"once|this (?:error|issue|problem|bug|case|race|leak)|these (?:leaks|cases)|assuming|each|workaround|deprecat\w*|"
    r"lint|format\w*)\b|\?",
)
POINTS_BACK = AnyCase(
    r"(?:that|these|those|they|its|he|she|such|there|here|however|also|thus|hence|but|so|then|and|or|for (?:this|"
    r"these|that)|in (?:this|that) case|"
    r"for (?:example|instance)|the (?:former|latter|other)|once|when|we|i)\b",
)

UPGRADE = AnyCase(r"(?:update|bump|upgrade|upgrading|updating)\b.*\d+\.\d+")

# "before: 1.2 ms … after: 0.8 ms", and one entry of either: what is measured, how much, and what follows.
BEFORE_AFTER = re.compile(r"\bbefore\b[^:]{0,50}:(?P<before>.{4,400}?)\bafter\b[^:]{0,50}:(?P<after>.{4,400})", _I)
ENTRY = re.compile(
    rf"(?:^|(?<=\s)[-*]\s|(?<=[,;])\s)?(?P<name>(?:[A-Za-z`][^,;|"
    rf"\d]{{2,70}}?(?:\([^()]{{1,40}}\))?[:=]?\s*)?)(?P<n>{_N})\s?(?P<u>{_RATE}|{_SIZE}|"
    rf"{_TIME})(?![\w/])(?P<rest>(?: [a-z]+(?![\w/:])){{0,3}})",
    _I,
)
LEADS_TO = AnyCase(r"\bfrom:?$|\bfrom (?:\w+ ){0,9}(?:on|in|with)(?: \w+){1,5}:?$| in$")
# Of whence a fault came, which says nothing of what was observed.
HISTORY = re.compile(
    r"\b(?:in (?:code|codepaths) )?(?:added|introduced) (?:in|by|with) \W*[0-9a-f]{7,}.*|\bin [0-9a-f]{7,}\b.*", _I
)
UNFINISHED = re.compile(
    r"(?:[\s,]+(?:as measured (?:by|with|on)|when|while|where|using|with|for|by|of|on|in|to|and|or|an?|the|as|from|"
    r"than|like|e\.g\.?))+$",
    _I,
)
UNFINISHED_ENDS = (
    "measured by", "measured with", "measured on", "when", "while", "where", "using", "with", "for", "by", "of", "on",
    "in", "to", "and", "or", "a", "an", "the", "as", "from", "than", "like", "e.g", "e.g.",
)  # fmt: skip
ONE_END = re.compile(r"(?P<end>before|after)(?: \w+){0,3}:\s+(?P<said>\S.*)", _I)
