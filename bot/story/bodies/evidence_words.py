"""The words by which the sentence worth telling is found among those of a body. Data."""

from __future__ import annotations

import re

from bot.month.anycase import AnyCase

# What is no statement of this change, whatever else it holds.
FILLER = AnyCase(
    r"^(?:att|fyi|summary of|because|so (?:that|instead)|which|and|but|or|then|therefore|pull request)\b|\{F\d+\}|"
    r"(?:as|see|per|same as) (?:the )?(?:title|subj(?:ect)?|above|titled|summary)|tsia\b|n/?a\b|title says|"
    r"^(?:wip|todo|none|nit|depends on|imported from|approved|disclaimer|original|test plan|lint|plan)\b|"
    r"automated semver|if the code compiles|the context such as a|^(?:revert|reapply|back out) [\"“]|"
    r"^(?:debug|test|fix|address|minor|update|misc|more|initial) ?\w*\.?$|"
    r"^(?:buck2?|python3?|pytest|cargo|torchrun|bash|sh|pip3?|conda|git|make)\s+(?:\S*/|-|build|run|test|install)|"
    r"(?:easy|trivial|small|minor|simple) (?:change|fix|cleanup|update)\.?$|this (?:pr|diff) is (?:easy|trivial)|"
    r"no functional changes?|please\b|^(?:nothing|none) (?:to|of)|same thing\b|"
    r"\b(?:ha|lol|sorry|thanks?|btw|imo|iiuc|lss|afaik|iirc|fwiw|ctx|hopefully|hacky?|ugly)\b|"
    r"\b(?:next|previous|prior|parent|earlier|above|below|following|later|last|upcoming|subsequent|future|another|"
    r"separate|other|child|base|attached) (?:\w+ )?"
    r"(?:diff|pr|commit|patch|change|stack|section|screenshot|image|table|figure|error|code|doc)s?\b|"
    r"\b(?:d\d{6,}|this stack|the stack|in the stack|stack of|series of|follow[- ]?ups?|part \d|\d+/n|\d+ ?/ "
    r"?\d+\b.*diff)\b|"
    r"\b(?:screenshots?|internal request|workplace|task t\d|sev\d?)\b|\bS\d{6}\b|\bT\d{7,}\b|\b[PNfF]\d{6,}\b|"
    r"\{[A-Z]\d+|"
    r"^(?:perf|performance|benchmark\w*) (?:numbers|results|data)\b|^\(|^(?:minor|small|tiny) \w+ (?:to|for)\b|^\w+: |"
    r"^(?:with|without|after|before|by|for|in|on|at|from|during|under|per)\b[^,]*$|^(?:instruction set|related to|"
    r"similar to|based on)\b|"
    r"\bdiff \d+/\d+|~/|\b(?:few|some|all|both|one|each|most|many) of them\b|\bwould then\b|^we (?:also "
    r")?did(?:n't| not)\b|"
    r"^(?:just|some improvements|follow|quick|note that|while (?:being|at|we))\b|\b(?:diff|pr|commit) is to\b|"
    r"^bump(?:s|ing)? (?:the )?\S+ (?:group|from)\b|^updat(?:es?|ing) (?:the requirements|\S+ from)\b|^use case|"
    r"^similar changes|"
    r"^(?:hi|hello|hey|dear)\b|^w/|\b(?:let's|let us|we are rolling out|powerful|compelling|inception|interface "
    r"change)\b|\$[^$]+\$|^(?:let \$|\w+ team\b)",
)
UNFIT = AnyCase(
    r"\b(?:Summary|Test Plan)\b:|"
    r"https?://|www\.|fburl|internalfb|\]\(|\*\*|__\w+ \w+__|ghstack|exported-using|imported-using|bypass-github|\\n|"
    r"```|\|.*\|.*\||(?:^|\s)[-*•] \S|(?:^|[\s,:])\(?\d{1,2}[.)] \S.*|\b[\w.+-]+@[\w-]+\.\w|<[a-z/]+>|=>|->\s*$|"
    r"\bfollowing(?: \w+)?\.?$|\bfor (?:a few|several|many|two|three|a number of|various) reasons\.?$|"
    r"\b(?:as follows|see below|e\.g\.|i\.e\.|such as)\.?$|[:;,]\.?$|[({\[]\.?$|"
    r"\.\.\.|…|\?|:\)|\bit\.?$|~~|\bsee (?:the|also|more|for|D\d|#\d)|"
    r"\b(?:as (?:shown|described|mentioned|discussed|seen)|mentioned|aforementioned)\b|#\d{2,}",
)
BEGINS = re.compile(r"[\"“'`(\[]?[^\W\d]|--\w|\d+ \w|@\w")
UNFINISHED = AnyCase(r"\b(?:and|or|the|an?|of|that|which|is|are|to|for|with|in|on|by|as)\.?$")
ENDED = re.compile(r"[.!?][\"”')\]]*$")

# Words that stand for something said before, which is not told with the sentence.
CHANGE = r"(?:pr|pull request|diff|commit|change(?:set|list)?s?|patch|fix|refactor(?:ing)?|update)"
OF_THIS = re.compile(rf"(?:(?:in|with|after) )?(?:this|these|the current) (?:\w+ )?{CHANGE}\b", re.IGNORECASE)
THIS_DOES = AnyCase(
    r"this (?:is (?:useful|helpful) (?:to|for|when|because)|is to (?!be)|helps|lets|will (?:help|allow|enable|let|make|"
    r"reduce|improve|prevent|ensure)|way,? \w+)\b|(?:this|it) (?:also )?(?:creates|extends|converts|provides|uses|"
    r"passes|wraps|unblocks|speeds|simplifies|drops|"
    r"deletes|migrates|registers|eliminates|sets|turns|adds|fixes|removes|introduces|implements|enables|makes|moves|"
    r"updates|changes|allows|"
    r"replaces|refactors|renames|switches|extends|exposes|splits|ensures|avoids|prevents|improves|reduces|supports)\b",
)
POINTS_BACK = AnyCase(
    r"(?:(?:all|both|some|most|each|one|neither|none|any) of )?(?:this|that|these|those|they|them|it|its|it's|he|"
    r"she|such|there|here|"
    r"however|also|thus|hence|consequently|besides|moreover|furthermore|additionally|in addition|instead|otherwise|"
    r"similarly|likewise|meanwhile|finally|lastly|secondly|second|third|next|first|firstly|again|still|yet|"
    r"nevertheless|"
    r"nonetheless|unfortunately|obviously|luckily|interestingly|importantly|to (?:do|fix|address|solve|resolve|"
    r"avoid|achieve|mitigate|handle|prevent|support|enable|accomplish) "
    r"(?:this|that|these|it|so)|for (?:this|that|these|example|instance|now)|in (?:this|that|these|such|both|fact|"
    r"particular)|"
    r"as (?:a|such|before|an)|because of (?:this|that)|due to (?:this|that)|given (?:this|that)|"
    r"with (?:this|that|these)|on top of|so|then|same|alternatively|notably|specifically|basically|actually|ideally|"
    r"the (?:latter|former|reason|idea|above|same|other|rest|result|issue|problem|bug|error|goal|fix|solution|"
    r"root cause|cause|culprit|code|tests?|motivation|intent|intention|plan|change|main|only|next|first|second|key|"
    r"issues?|failures?|behaviou?r|obtained|new one|old one)\b(?! (?:of|in|that|for|where|with|when|from|path|"
    r"to)\b)|i|i'm|i've|my|note|notice|see|"
    r"remember|let's|let me|not|no|yes|ok|well|sooo?|turns out)\b",
)
BARE = AnyCase(
    r"\b(?:this|that|these|those)(?= (?:is|was|were|are|will|would|can|could|should|may|might|has|have|had|does|"
    r"did|also|"
    r"only|not|in|on|to|by|and|or|but|we|makes?|means?|causes?|leads?|results?|allows?|fixe?s|happens?|works?|breaks?|"
    r"way|case|issue|problem|reason|error|scenario|situation|approach|point|behaviou?r)\b|[.,;)]|$)|"
    r"^ ?(?:also )?[a-z]+ (?:it|them|they|that|these|those)\b|\b(?:to )?fix(?:es|ing)? (?:the|these|those|it|"
    r"them)(?: \w+)? ?(?:problem|issue|bug|error)s?\b(?! \w)|"
    r"\b(?:do so|ensure that they are|(?:in|of|about|with|for|on) it\b|the (?:above|latter|former|"
    r"same(?! \w+(?: \w+)? (?:as|for|that)\b)|other))\b|"
    r"\bsuch (?:a|an|cases?|issues?)\b|\bin (?:this|that|these|those|such)\b",
)
DOUBT = AnyCase(
    r"\bin this (?:diff|pr|commit|change|patch),? we(?:'ll| will)\b|^we also\b|^also\b|"
    r"\b(?:i think|i guess|i believe|i'm|i am|not sure|unsure|maybe|perhaps|probably|likely|tbd|todo|will (?:be|"
    r"follow|add|fix|do|"
    r"need|land|send|have)|we'll|i'll|going to|gonna|plan(?:s|ning)? to|would like|want(?:s|ed)? to|hope|later|"
    r"eventually|for now|temporar\w+|follow-?up|should be|might|seems?|it is|there (?:is|are|was|were)|"
    r"in the future|(?:we|it|they|you|one) should|may|might|could|attempts? to|attempting|further improvements?|"
    r"idea|point is|doing this|in order not|"
    r"we (?:have|had|see|saw|noticed|are using|were using)|was used|were used|is designed|let's|need to|needs to|"
    r"stay tuned|already|robust|seamless\w*|paving the way|best-in-class|wip|experiment\w*|ideally)\b",
)

# What makes a sentence worth telling.
WHY = AnyCase(
    r"\bper (?:users?|customers?)\b|\b(?:users?|customers?) (?:discussions?|feedback|requests?|reports?|asked|found|"
    r"reported)\b|"
    r"\b(?:because|so (?:that|we|it|the|they|users?|callers?|tests?)|since (?!v?\d)|as (?:it|they|we|there|the) \w+|"
    r"to (?:avoid|prevent|make sure|ensure|reduce|allow|enable|let|support|unblock|fix|save|improve|simplify|speed|"
    r"keep|"
    r"match|handle|minimi[sz]e|eliminate|guarantee|help|preserve|work around|align)|in order to|otherwise|"
    r"due to|which (?:causes?|caused|leads?|led|means?|meant|makes?|made|breaks?|broke|results?|resulted|prevents?|"
    r"prevented|fails?|failed|is (?:needed|required|useful|necessary))|would (?:otherwise |have |be |fail|crash|cause|"
    r"break|lead|result)|without (?:this|it|having|the need)|rather than|instead of|previously|used to|before this)\b",
)
EFFECT = AnyCase(
    r"\b(?:no longer|any ?more|(?:is|are|can|will|does|do|has|have|we|it|which|and) now|now (?:\w+s|be|use|support|"
    r"have|"
    r"return|accept|run|work|pass|handle|check)|allow(?:s|ing)?|enabl(?:es?|ing)|unblock(?:s|ing)?|"
    r"reduc(?:es?|ing|ed)|avoid(?:s|ing)?|prevent(?:s|ing)?|ensur(?:es?|ing)|guarantees?|let(?:s|ting)?|sav(?:es|ing)|"
    r"speeds? up|faster|improv(?:es?|ing)|makes? it (?:possible|easier|easy|simpler|clear)|"
    r"making it (?:possible|easier|easy|simpler)|makes? sure|simplif(?:ies|ying)|eliminat(?:es?|ing)|support(?:s|ing)|"
    r"mak(?:es|ing))\b",
)
DID = AnyCase(
    r"(?:(?:in )?this (?:pr|diff|commit|change|patch|pull request)|we (?:now )?\w+|"
    r"(?:add|fix|remov|mov|chang|updat|introduc|implement|us|mak|replac|support|enabl|refactor|renam|switch|convert|"
    r"extend|expos|extract|split|handl|ensur|disabl|skip|avoid|allow|set|pass|return|delet|drop|creat|improv|optimiz|"
    r"reduc|migrat|bump|increas|decreas|wrap|merg|consolidat|unif|simplif|clean|prevent|register|generaliz|adapt|stop|"
    r"reus|rewrit|port|log|emit|check|validat|propagat|cach|defer|store|track|teach|restor|correct|adjust|turn|"
    r"provid|defin|document|guard|raise|throw|relax|plumb|wir|inlin|annotat|includ|initiali[sz]|instrument|leverag|let)"
    r"(?:e|es|s|ed|d|ing|ies|y|ied|t)?)\b",
)
BACKGROUND = AnyCase(
    r"(?:currently|today|right now|at the moment|historically|generally|in general|typically|usually|often|internally|"
    r"originally|recently|in the past|prior to|previously|before|when|if|in practice|in some cases|sometimes|we have|"
    r"we had|we've|users? (?:have|reported|are)|some|many|most|as part of|as we)\b",
)
# It tells how things were before, in a tense that would be read as how they are.
BEFORE = AnyCase(
    r"(?:currentl?y|right now|today|at the moment|as of (?:now|today)|at present|the (?:current|existing|old)|existing|"
    r"presently)\b(?!.*\b(?:this (?:diff|pr|commit|change|patch)|so (?:we|this)|hence|therefore)\b)",
)
WRONG = AnyCase(
    r"\b(?:(?:do|does|is|are|was|were|did|has|have|would|will|can|could) ?n[o']t|cannot|never|fail\w*|crash\w*|errors?|"
    r"broken|breaks?|broke|incorrect\w*|wrong\w*|missing|bugs?|hangs?|deadlocks?|leaks?|unable|flaky|slow)\b",
)
REPAIRS = AnyCase(
    r"\b(?:fix\w*|hotfix|bug\w*|resolv\w*|correct\w*|repair\w*|handl\w*|prevent\w*|avoid\w*|broken|break\w*|error\w*|"
    r"crash\w*|fail\w*|issues?|leak\w*|race|deadlock\w*|hang\w*|do(?:es)? ?n[o']t|stop|skip\w*|disabl\w*|work ?around|"
    r"guard|ensure|unblock|mitigat\w*|flak\w*|back out|revert\w*|remov\w*|drop|unbreak|suppress\w*|oom|segfault|nan)\b",
)
IDENTIFIER = re.compile(
    r"`[^`]+`|\b\w+(?:_\w+)+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b\w+(?:::|\.)\w{2,}|\(\)|--\w+"
)
NUMBER = re.compile(r"\b\d+(?:\.\d+)?\s?(?:%|x\b|ms\b|us\b|s\b|[kKMGT]i?B\b)|\d{2,}")
BECAUSE = AnyCase(r"\b(?:because|since|as (?:it|they)|due to)\b")
DIGITS = re.compile(r"\b\d+\b")
ORDINARY = re.compile(r"[a-z]+(?:[,;]?\s|$)")
_STOP = (
    "about after also been before could does done each from have here into just like made make makes more most much "
    "need only other over same should some such than that their them then there these they this those through under "
    "used uses using very want well were what when where which while will with would your support add added fix fixed "
    "update updated change changes remove removed test tests code diff"
)
STOP = frozenset(_STOP.split())

# How a body says that the change did something.
BY_CHANGE = re.compile(
    rf"(?:(?P<one>(?:this|the) (?:(?:small|tiny|little|simple|whole|current) )?{CHANGE})|(?P<several>these (?:\w+ "
    rf")?{CHANGE})|"
    rf"(?P<we>(?:(?:in|with) (?:this|the|these) (?:(?:small|tiny) )?{CHANGE},? )?we)|(?P<bare>this|it))\s(?:also |"
    rf"simply |just |basically |further |thus )?",
    re.IGNORECASE,
)
VERB = re.compile(r"(?P<verb>[A-Za-z]+(?:-[a-z]+)?)(?= )")
# Verbs that tell how something is, not what was done.
_NOT_DONE = (
    "be have do need mean seem depend require assume contain lack appear go look work cause result lead get note "
    "know believe want try see "
    "consider think hope like find notice found come continue happen exist take propose plan intend focus attempt "
    "begin serve "
    "represent affect observe lets say tell show feel hit differ own duplicate measure suffer"
)
NOT_DONE = frozenset(_NOT_DONE.split())
# Words by which a developer speaks in their own person, or of the time of writing.
OWN_VOICE = AnyCase(
    r"\b(?:i|we|our|ours|us|my|me|i'm|we're|we've|you|your|let's|this (?:pr|diff|commit|change|patch|stack)|now|"
    r"today|currently|"
    r"yesterday|tomorrow|robust|seamless\w*|soon|later|recently|already|yet|will|won't|should|todo)\b|\?|!",
)
_LINK = (
    r"(?:that|which|who|where|when|whose|so|because|as|if|since|while|until|unless|before|after|to|by|what|how|whether|"
    r"than)"
)
# A finite verb in the main clause: what stands before it is its subject, and the first word no verb.
FINITE = AnyCase(
    rf"(?:(?!\b{_LINK}\b)[^,;:(])*?\b(?:is|are|was|were|can|could|would|may|might|must|has|had|does|did|doesn't|"
    rf"don't|isn't|aren't|"
    r"cannot|can't|needs?|breaks?|causes?|fails?|seems?|means|makes|helps|leads|happens|depends|requires)\b",
)
FINITE_ANYWHERE = AnyCase(
    r"\b(?:is|are|was|were|can|could|would|may|might|must|has|had|have|does|do|did|doesn't|don't|isn't|aren't|"
    r"causes|crashes|leads|makes|means|breaks|results|requires|fails|returns|allows|ensures|gives|keeps|lets|takes|"
    r"gets|"
    r"seems|reduces|improves|avoids|helps|needs|becomes|leaves|triggers|prevents|"
    r"cannot|can't)\b",
)
INFINITIVE = AnyCase(r"\b(?:to|can|could|will|would|may|might|must|let|lets|helps?|make|makes) ")
INNER_END = re.compile(r"[.!?]\s")
ANOTHER = re.compile(
    r"(?:,? and(?: then| also)?|,? then|,? also|;| or| but|,) (?P<verb>[A-Za-z]+(?:-[a-z]+)?)(?=[ ,.;:)]|$)",
    re.IGNORECASE,
)
GOVERNED = AnyCase(
    r"\b(?:to (?!(?:the|its|an?|their|one|all|each|both|this|these|new)\b)[a-z]+|that|which|who|where|when|whose|"
    r"so|because|as|if|since|while|until|unless|before|after|it|"
    r"they|them|let|lets|make|makes|"
    r"can|could|may|might|must|would|helps?|whether|how|what)\b",
)
# Verbs that are nouns as often, but not where a sentence begins with them and goes on with an object.
_BEGINNING = (
    "fix update use move change refactor switch drop reuse cleanup upgrade bump revert stop start skip wrap replace"
)
BEGINNING = frozenset(_BEGINNING.split())
# What follows a verb as its object, and what follows a noun.
OBJECT = re.compile(
    r" (?:the|an?|all|any|each|every|its|their|it|them|both|some|more|most|only|other|another|one|two|three|unused|"
    r"new|existing|missing|"
    r"redundant|unnecessary|several|multiple|various|associated|related|corresponding)\b| [`\"“'_]| [A-Za-z]*_\w+| "
    r"[a-z]+[A-Z]\w*| [A-Z]\w+| \w+::| -"
)
NO_OBJECT = re.compile(
    r"[.,;:)]|$| (?:for|of|in|on|from|to|with|at|by|and|or|as|into|when|where|that|which|so|because)\b"
)

# How a sentence opens that could as well begin behind it.
OPENS = AnyCase(
    r"(?:tl;?dr:? |"
    r"\d{1,2}/ |(?:in addition|additionally|also|moreover|furthermore|finally|lastly|first|firstly|second|"
    r"secondly|third|next|"
    r"and|so|then|plus|specifically|basically|instead|overall|besides|"
    r"to (?:do|fix|address|solve|resolve|avoid|achieve|mitigate|handle|prevent|support|enable|accomplish) "
    r"(?:this|that|these|it)|for this|with this)(?:, | (?=[a-z]+(?:ed|s|ing)? )))",
)
# What says nothing, and what a "this" behind it does not mean.
SAYS_NOTHING = AnyCase(
    r"(?:(?:as|see|per)(?: the)? (?:titled?|subject|above)|att|tsia|title|titled?|n/?a|none|same as title)\W*$",
)
# "[words](address)", and an address in brackets at the end.
LINK = re.compile(r"\[(?P<words>[^\]\[()]{1,120})\]\(https?://[^\s()]{1,400}\)")
LINKED = re.compile(r"\s*\((?:https?://[^\s()]{1,400}|#\d+)\)(?P<end>\.?)$")
TAG = re.compile(r"^(?:\[[^\]]{1,30}\]\s*)+")
# "We're extending X", where the verb says that something was changed.
WE_ARE = re.compile(
    r"we(?:'re| are) (?:also )?(?=(?:adding|extending|introducing|moving|removing|switching|changing|replacing|"
    r"migrating|refactoring|enabling|fixing|renaming|converting|splitting|deprecating|updating|bumping|exposing|"
    r"extracting|deleting|dropping|disabling|implementing|consolidating|unifying|simplifying) )",
    re.IGNORECASE,
)
CODE = re.compile(r"`[^`]*`")
GENERIC = re.compile(r"(?<=[\w`])<[A-Za-z]+>|`[^`\s]*`")  # "Vec<T>", which is no tag
# What was wrong, told of a repair.
FAULT = AnyCase(
    r"\b(?:(?:do|does|is|are|was|were|did|has|have|would|will|can|could) ?n[o']t|cannot|never|always|fail\w*|crash\w*|"
    r"errors?|broken|breaks?|broke|incorrect\w*|improper\w*|wrong\w*|missing|hangs?|deadlocks?|leaks?|unable|"
    r"expects?|expected|only|removed|renamed|overflow\w*|instead of|caus(?:es|ed|ing))\b",
)
# What is done besides the change itself.
BESIDE = AnyCase(
    r"\b(?:unit ?tests?|tests?|test cases?|docs?|documentation|docstrings?|comments?|readme|ci|lints?|typos?|various|"
    r"misc|coverage|a few|a set of|some|accordingly|feedback|in the process|time limits?|timeouts?|"
    r"micro-?benchmarks?|asserts?|formatting|relevant|related|associated|notebook)\b",
)
OF_CHANGE = AnyCase(
    rf"(?:(?:in )?this {CHANGE}|add|adds|added|adding|introduc\w+|implement\w*|creat\w+)\b",
)
IS_DONE = AnyCase(
    r"\bwe (?:now|will) (?!be|need|have|want|follow|add|fix|land|send|do|see|get|not)[a-z]+|"
    r"\b(?:is|are|was|were|has been|have been) (?:now )?(?:added|extracted|moved|removed|renamed|replaced|introduced|"
    r"implemented|enabled|disabled|extended|exposed|split|factored|migrated|converted|dropped|deleted|refactored|"
    r"deprecated|rewritten|gated|switched|wired|plumbed|deduplicated|unified|consolidated|simplified)\b",
)
TWO = re.compile(r";\s(?=[a-zA-Z`])")
LONGEST_JOINED = 300
NOW_IN_A_CLAUSE = re.compile(r"(?P<clause>\b(?:which|that|so)\b[^,;]{0,120}?)\s+now\b", re.IGNORECASE)
# Lists of what was not done, or not by this change.
LISTS_ELSE = AnyCase(
    r"\b(?:todos?|next|follow[- ]?ups?|future|later|not (?:in|included|covered|done)|remaining|limitations?|non-goals?|"
    r"benefits?|usage|requirements?|before|known|options?|alternatives?|problems?|issues?|questions?|steps to|example|"
    r"previous\w*|current\w*|will|would|should|could|need|needs|out of scope|reproduc\w+|cases?|when|if|either|"
    r"stack|series|plan|prs?|diffs|test(?:s|ed|ing)?|validat\w+|verif\w+|design|backgrounds?|contexts?)\b"
    r"(?!.*\bchanges:?$)",
)
# Items and messages that tell of the work, not of the change.
JUNK = AnyCase(
    r"\b(?:lint\w*|format\w*|typos?|comments?|review\w*|feedback|suggestions?|nits?|merge|rebase\w*|ci|tests?|testing|"
    r"unit ?tests?|ruff|black|flake8|mypy|pyre|pre-commit|clang-(?:format|tidy)|copyrights?|license|readme|changelog|"
    r"wip|attempt|debug\w*|prints?|clean-?ups?|cleaned?|minor|misc|some|stuff|temporar\w+|hacks?|workarounds?|back|"
    r"docstrings?|imports?|bump|conflicts?|this|missing|todos?|no longer needed|unnecessary|unused|redundant|"
    r"extra|again|asserts?|warnings?|skip\w*|revert\w*|undo|experiment\w*|draft|initial|more|pass(?:es|ing)? ci)\b|\?",
)
UNDOES = AnyCase(
    r"\b(?:revert\w*|undo|remove[sd]?|removing|drop\w*|delet\w+|no need|back out|disabl\w+|not)\b",
)
_DEEDS = (
    "add create introduce implement support enable extend expose replace move rename refactor split extract migrate "
    "switch convert use make allow change update consolidate unify simplify rewrite port wire thread plumb cache drop "
    "delete remove deprecate disable prevent ensure pass store track set reduce increase decrease improve "
    "optimize generalize register define provide include adapt adjust handle guard gate cap clamp validate "
    "propagate integrate vectorize parallelize fuse inline factor separate restore rework restructure reorganize relax "
    "tighten build bundle hook connect defer save load read write copy generate compute align "
    "annotate wrap unwrap swap relocate isolate decouple accelerate speed raise lower merge combine fix"
)
DEEDS = frozenset(_DEEDS.split())
LOOSE_END = re.compile(r"\s+[-–]?\s?\.$|\s[-–]$")
HARM = re.compile(
    r" (?:some |more |extra |a lot of )?(?:confusion|overhead|complexity|risk|latency|noise|problems|bugs|issues)\b"
)

# What a quotation would make be read as so now, or what only makes sense beside something else.
NOT_QUOTED = re.compile(
    r"\b(?:typically|noticed|likewise|similarly|supposed|should probably|(?-i:I)(?!/)|i (?:was|am|forgot|think|"
    r"thought|had|have|did|realized|found)|still needs|me|my|claude|this way|gonna|"
    r"anyway|"
    r"basically|obviously|figured? out|didn't (?:find|test|have)|updating \w+ to)\b|^\S+, which\b|, now |\bnow\.?$|"
    r"\b(?:either|too|there|before|above|below|again|instead|though|yet)\.?$|\bthere,|"
    r"^(?:oddly|bisecting|aim|will|could|would|should|might|may|needs?|did|didn't|was|is|are|"
    r"we (?:can(?! now\b| not?\b)|could|should)|"
    r"if (?:true|set)|(?:move|addition|removal|support|introduction|implementation|usage) (?:of|for))\b|"
    r"^(?:since|while|although)\b[^,]*$|^as\b[^,]{0,70}$",
    re.IGNORECASE,
)
# The same where it is not said of the change.
SO_NOW = AnyCase(r"\b(?:currently|today|recently|previous \w+|existing (?:code|implementation))\b")
# A clause of its own behind what was taken for a verb: "Complete snapshots behave as before", "Do X, Y is slow".
CLAUSE_INSIDE = AnyCase(
    r"^ (?:\w+ )?[a-z]+s (?:[a-z]+ly )?(?:behave|work|need|use|get|go|take|become|remain|stay|return|show|look|run|"
    r"start|"
    r"pass|keep|make|cause|solve|kick|fail|crash|have)\b|\b(?:directly|correctly|properly) (?:solve|make|cause|"
    r"help)s?\b|"
    r"^[^,;:]*, (?!(?:which|that|and|so|since|because|if|when|as|where|while|but|or|who)\b)(?:[\w`]+ ){1,4}(?:is|are|"
    r"was|"
    r"were|does|do)\b",
)
# What follows a verb behind ", and", besides an object.
THIS_ONE = re.compile(r" (?:this|these|those)\b")
AND_ADVERB = re.compile(r"\band (?:only|just|instead|always|never|thus|therefore) (?P<verb>[a-z]+)\b", re.IGNORECASE)
ONWARD = re.compile(r" (?:into|to|from|onto|through|along|down|back)\b")
# "**not**", whose words stand in the body all the same.
STRONG = re.compile(r"\*\*(?P<words>[\w`][^*\n]{0,80})\*\*")
EASIER = re.compile(r"^Made it (?=(?:possible|easier|easy|simpler|clear|so) )")
AS_TITLED = re.compile(
    r"^(?:as|per|see|att|same as)(?: the)?(?: (?:titled?|subject|summary))?(?: (?:says|said|suggests|"
    r"describes))?(?<!as)"
    r"(?<!per)(?<!see)(?<!the)[,.:] ?(?=\S)",
    re.IGNORECASE,
)
# What begins a paragraph with "this" and means the change, since nobody says it of a fault.
PARAGRAPH_DOES = AnyCase(
    r"(?:this|it) (?:also )?(?:adds|introduces|implements|removes|moves|extends|gates|hoists|carries|replaces|switches|"
    r"renames|splits|extracts|refactors|converts|updates|exposes|wires|threads|fixes|migrates|registers|creates|"
    r"unifies|"
    r"consolidates|adapts|teaches|deletes)\b",
)
