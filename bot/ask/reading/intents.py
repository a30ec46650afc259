"""What is wanted of what a text names: a table of words for each intent, over the text with its finds in capitals. Pure."""

# ruff: noqa: E501  (a table of patterns reads best with few breaks)

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_POLITE = (
    r"^(?:\W|(?:please|pls|plz|hi|hey|hello|ok|okay|so|and|now|then|almanac|can|could|would|will|you|i|want|need|to|"
    r"let's|just|go|ahead)\b)*"
)
ORDER = _any(
    rf"{_POLITE}(?:delete|remove|erase|wipe|purge|merge|rebase|squash|rewrite|rename|approve|reopen|deploy|push|"
    r"cherry-?pick|undo|hide|force-push|restore|overwrite|reset)\b(?=\s+(?!requests?\b)\S)(?!\s+(?:what|who|how)\b)",
    rf"{_POLITE}(?:revert|fix|close|tag|assign|edit|roll back)\s+(?:REF|the (?:commit|bug|change|pr|last)|this|that|it\b|PERSON's)",
    rf"{_POLITE}(?:change|set|update|move|edit|rewrite) the (?:author|title|kind|date|message|commit|subject)\b",
    r"^\W*select\b.*\bfrom\b", r"\bdrop\s+(?:table|database|index)\b", r"\b(?:insert into|delete from|truncate table|alter table)\b",
    r"\bupdate \w+ set\b", r"\b(?:can|could|will|would) (?:you|someone|anyone|somebody)\b.{0,20}\b(?:review|merge|approve|"
    r"deploy|rebase) (?:my|the|this|our|REF)",
    r"\b(?:ignore|forget|disregard)\b.{0,20}\b(?:previous|prior|above|all)\b.{0,20}\b(?:instructions?|prompts?|rules)\b",
)  # fmt: skip
NOT_IN_GIT = _any(
    r"(?:PERSON|his|her|their|my)(?:'s)? (?:\w+ )?(?:salary|wages?|phone(?: number)?|birthday|paycheck|payroll|horoscope)\b",
    rf"{_POLITE}(?:book|fire|hire|promote|call|invite|order|remind) (?:PERSON|a|an|the|me a|one|two|three|\d+)\b",
    r"\bhow much (?:do|does|did) \w+ (?:earn|make|get paid|cost|weigh)\b", r"\b(?:who(?:'s| is)|is (?:anyone|anybody|PERSON)) on (?:call|duty|holiday|vacation|leave)\b",
    r"\b(?:open|pending|unmerged|outstanding|unreviewed|stale|draft)(?: \w+)? (?:prs?|pull requests?|mrs?|merge requests?|reviews|issues|tickets|branches|diffs|patches|bugs)\b",
    r"\b(?:prs|pull requests|mrs|merge requests|issues|tickets|branches|diffs)(?: \w+){0,2} (?:open|pending|unmerged|waiting|blocked|stuck|stale|in review)\b",
    r"\b(?:waiting (?:for|on) (?:a )?|what(?:'s| is) in )review\b", r"\b(?:PERSON's|my) (?:review queue|tickets|jira)\b", r"\btickets (?:did|does|has|is) PERSON\b", r"\b(?:is|are) (?:PERSON|we|he|she|they) blocked\b",
    r"\b(?:does|is) (?:PERSON|he|she) work(?:ing)? (?:on weekends?|late|overtime|at night|hard|enough)\b", r"\bdrafts (?:by|of|from) PERSON\b",
    r"\bbugs? (?:did|has|have) (?:PERSON|he|she|they|we|i) (?:introduced?|caused?|created?)\b", r"\b(?:introduced|caused) (?:the )?(?:most|more) bugs\b",
)  # fmt: skip
_BEST = (
    r"(?:best|better|top|worst|laziest|slowest|fastest|strongest|weakest|greatest|smartest|busiest|hardest[- ]working|"
    r"(?:most|least|more|less) \w+)"
)
RANKING = _any(
    rf"\b{_BEST} (?:\d+ |five |ten |three )?(?:developers?|devs?|contributors?|engineers?|people|committers?|performers?|"
    r"coders?|employees?|persons?|programmers?|members?|reviewers?|authors?|guys?)\b",
    rf"\bwho(?:'s| is| was| are| were)? (?:the )?{_BEST}\b",
    r"\bwho (?:has|have|had|made|did|wrote|shipped|landed|committed|merged|fixed|added|contributed)(?: \w+)? (?:the )?"
    r"(?:most|fewest|least)\b(?! (?:of|on)\b)",
    r"^(?:please )?rank\b|\brank (?:the|us|all|everyone|them|my)\b|\brankings?\b|\branked by\b|\bleader\s?board\b",
    r"\b(?:should|shall) (?:we|i) (?:fire|promote|hire)\b|\bproductiv(?:e\b.*\?|ity\b(?! \w))|\blines of code (?:did|has|per)\b|\bhow many lines\b",
)  # fmt: skip
_GREETING = (
    r"\bh(?:i|ello|ey+|iya|owdy)\b|\bhallo\b|\bhola\b|\bol[aá]\b|\bbonjour\b|\bsalut\b|\bciao\b|\bmoin\b|\bservus\b|\byo\b|"
    r"\bgood (?:morning|evening|day|afternoon)\b|\bgreetings\b|\bguten (?:tag|morgen)\b|привет|你好|こんにちは|안녕"
)
_THANKS = (
    r"\bthank(?:s|you)?\b|\bthx\b|\bty\b|\bta\b|\bcheers\b|\bdank\w?\b|\bmerci\b|\bgracias\b|\bobrigad[oa]\b|\bgrazie\b|"
    r"\bbedankt\b|\bdank je\b|\btack\b|\btak\b|dzięk|спасибо|谢谢|ありがとう|감사"
)
_ABOUT_ME = (
    r"\bwhat (?:else )?(?:can|do|could) (?:you|i|we|one) (?:do|know|understand|answer|ask|say|type|tell)\b|"
    r"\bwhat (?:are|is) (?:you|this|almanac|this bot|this thing)\b|\bwho are you\b|\bwhat questions\b|"
    r"\bhow (?:do(?:es)?|can|should) (?:i |we |you |this |it |one )+(?:use|ask|talk|work|schedule|get started|correct|hide|opt out)\b|^\W*how to (?:use|ask)\b|\bwho can see\b|"
    r"\bare you (?:a bot|alive|there|human|real)\b|\bo que voc[eê]\b|\bwas kannst du\b|\bque peux-tu\b|"
    r"\bqué puedes hacer\b|\bwho (?:made|built|wrote) you\b|\bcan you help\b|\bshow me (?:some |an )?examples?\b"
)
HELP = re.compile(
    r"\W*(?:(?:please|hi|hello|hey|hallo|yo|good (?:morning|evening|day|afternoon)|almanac|bot|there|ok(?:ay)?|again)[\s,!.]*)*"
    r"(?:(?:(?:i )?need |can you |could you )?(?:some )?help(?: me)?(?: out)?|usage|(?:show (?:me )?)?(?:some )?examples?|"
    r"commands?|menu|instructions|manual|settings|cool|great|nice|perfect|awesome|bye|lol|yes|no|hilfe|ayuda|aide|\?)?"
    r"(?: please)?[\s!?.]*"
)
SOCIAL = re.compile(
    f"{_GREETING}|{_THANKS}|{_ABOUT_ME}|\\bhelp\\b|\\bhilfe\\b|\\bthis bot\\b|\\bthe best\\b|\\blost here\\b"
)
_VERBS = (
    r"(?:work(?:ed|ing|s)?|done|did|do|wrote|written|writ(?:es|ing)|touch(?:ed|es|ing)?|chang(?:ed|es|ing)|fix(?:ed|es|ing)?|"
    r"buil[dt]s?|building|add(?:ed|s|ing)?|implement(?:ed|s|ing)?|maintain(?:ed|s|ing)?|own(?:s|ed)?|review(?:ed|s|ing)?|"
    r"contribut(?:ed|es|ing)|refactor(?:ed|s|ing)?|remov(?:ed|es|ing)|made|makes|introduced|created|started|handl(?:ed|es|"
    r"ing)|looks? after|looked after|mov(?:ed|es|ing)|improv(?:ed|es|ing)|optimi[sz]ed|updat(?:ed|es|ing)|hack(?:ed|ing)?|"
    r"deleted|broke|committed|shipped|landed|merged|modified|edited|designed|deals?|dealt)"
)
_KNOWS = (
    r"(?:knows?|knew|understands?|(?:is|are) (?:responsible|the (?:expert|owner|maintainer|person|one|contact)|familiar|"
    r"in charge|experienced|good)|has (?:experience|worked|expertise)|have experience|could explain|can (?:explain|help)|"
    r"should (?:i|we) (?:ask|talk to|ping)|do (?:i|we) (?:ask|talk to|ping|contact)|can (?:i|we) (?:ask|talk to|ping)|"
    r"might know|may know|would know)"
)
_TO = (
    r"(?:\s+(?:on|to|at|in|with|about|for|of|over|into|around|most|mostly|much|anything|something|everything|all|me|us|"
    r"best|related|experience|expertise|the most|up)\b)*"
)
_WHOEVER = (
    r"\b(?:who(?:'s|'ve)?|whom|whose|which (?:developers?|engineers?|people|persons?|of us)|what people|(?:has|did|does|is) "
    r"(?:anyone|anybody|someone|somebody)|(?:anyone|anybody|someone|somebody|people|everyone|everybody|those|developers?|"
    r"engineers?)(?: (?:who|that))?)"
)
_MEANWHILE = r"(?:\s+(?:all|else|has|have|had|is|are|was|been|may|might|could|also|mainly|originally|ever|actually|here|did|OUT))*"
WHO = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_WHOEVER}{_MEANWHILE}\s+{_KNOWS}{_TO}\s+(?P<topic>.+)$",
        rf"\bwho(?:'s|'ve)?{_MEANWHILE}\s+{_VERBS}{_TO}\s+(?P<topic>.+)$",
        rf"{_WHOEVER}{_MEANWHILE}\s+(?:been\s+)?(?!did\b|do\b|done\b){_VERBS}{_TO}\s+(?P<topic>.+)$",
        r"\b(?:experts?|owners?|maintainers?|contributors?|reviewers?|specialists?|go-?to(?: person)?|point person)\s+"
         r"(?:on|for|of|in|to|about|behind|with)\s+(?P<topic>.+)$",
        r"\b(?:wer|wie|quién|qui|quem|chi|kto|vem|wie)\b(?: (?:hat|heeft|a|ha|har|est-ce qui a))? (?:am|an der|an dem|an|beim|"
         r"aan(?: de| het)?) (?P<topic>.+?) (?:gearbeitet|gewerkt)\b",
        r"\b(?:quién|qui|quem|chi|kto|vem) (?:a |ha |har )?(?:trabajó|travaillé|trabalhou|lavorato|pracował|jobbat) (?:en|sur|"
         r"em|a|su|nad|på|no|na)(?: el| la| le| les| los| il| o)? (?P<topic>.+)$",
    )
)  # fmt: skip
# Whose topic is no topic: who reviewed somebody's changes, or wrote them with them.
_CODE = r"(?:code|changes?|commits?|prs?|pull requests?|patch(?:es)?|diffs?|work|stuff|things)"
WITH_WHOM = _any(
    rf"\bwho(?:'s|'ve)?{_MEANWHILE}(?:\s+(?:usually|mostly)(?:\s+been)?)*\s+(?:review(?:s|ed|ing)?|approve[sd]?|co-?author(?:s|ed)?|"
    rf"co-?wr(?:ites?|ote))\s+(?:(?:most|all|any)\s+of\s+)?(?:(?:PERSON's|my|his|her|their)\s+(?:\w+\s+)?{_CODE}|mine|hers)\b",
    rf"\bwho(?:'s|'ve)?{_MEANWHILE}\s+(?:work(?:s|ed|ing)?|pair(?:s|ed|ing)?|collaborat(?:es|ed|ing))\s+with\s+"
    r"(?:PERSON|me|him|her|them)\b",
    r"\bwhom?\s+(?:did|does|do|has|have|is|was|am)\s+(?:PERSON|i|he|she|they)\s+(?:(?:usually|mostly|been)\s+)*"
    r"(?:work|pair|collaborat)(?:s|e|es|ed|ing)?\s+(?:(?:most|mostly|a lot)\s+)?with\b",
    r"\b(?:PERSON's|my|his|her|their)\s+(?:reviewers|co-?authors|collaborators)\b", r"\bwho\s+(?:has\s+)?helped\s+(?:PERSON|me|him|her|them)\b",
    r"\b(?:reviewers|co-?authors|collaborators)\s+of\s+(?:PERSON|me|him|her|them)\b",
)  # fmt: skip
SAME_FILES = re.compile(r"\b(?:same|common|shared|both|overlap\w*|all (?:touch|change|edit|work))")
# Behind it stands what somebody worked on, or what all of it is about.
DONE_ON = re.compile(
    r"\b(?:(?:did|has|have|had|does|do|was|is|been) (?:PERSON|i|he|she|they|we|TEAM|everyone|anyone|anybody|someone)"
    r"(?: (?:been|do|done|doing|work|worked|working|change|changed|contribute|contributed|ship|shipped|fix|fixed|add|added|"
    r"upgrade|upgraded|update|updated|touch|touched|recently|lately|actually|at all|much|most|anything|something|with))+|"
    r"(?:what(?:'s|'s been| has| is)?|anything|something) (?:been )?(?:changed|changing|happened|happening|new|going on|shipped|"
    r"landed|interesting)|anything|(?:latest|news|status|progress|state)|"
    r"(?:when|why) (?:did|was|were)(?: (?:we|they))?(?: (?:add|drop|introduce|remove|ship|land|change|revert))?|"
    r"^\W*(?=.* (?:merged?|landed|land|shipped|ship)\b)(?:is|are|has|have|was|did)(?: we (?:merge|land|ship)\w*)?|"
    r"(?:work|pair|collaborat)\w* with (?:PERSON|me|him|her|them)(?= on )|"
    r"how (?:much|many) of (?:PERSON's|my|his|her|their) (?:work|time|changes|commits) (?:is|are|was|were|went)(?: into)?|"
    r"is there (?:a|any|an)(?: fix)?|(?:commits?|changes|work|prs|pull requests|history|fix(?:es)?|bugs?|features|improvements|tests|refactorings|reverts)(?= (?:to|on|about|for|in|around|of) ))"
    r"(?: (?:on|about|for|to|with|in|around|regarding|of|behind))?(?: (?:the|our|a|an|all|support (?:for|of)))* "
)
BEFORE_CHANGES = re.compile(r"(?:^\W*|\b(?:show|list|all|any|latest|recent|see|get) )(?:me )?(?:the |all |any |our )?")
WHEN_RELEASED = re.compile(
    r"\bwhen (?:did|was|were|has|is)(?: (?:we|they))?(?: releas\w+| ship\w*| publish\w*| tag\w*)?(?: the)?(?: REPO(?:'s)?)?"
    r"(?: release| version)? TAG\b|\bdate of (?:the )?(?:REPO(?:'s)? )?(?:release )?TAG\b"
)
# What happened to a file or a folder: who worked on it.
OF_PATH = re.compile(
    r"^(?!.*\b(?:PERSON|my|i)\b).*\b(?:history (?:of|for)|(?:changes?|commits?|changed|happened) (?:in|to)|commits touching)"
    r" (?:the (?:file |folder )?)?(?P<topic>(?:[\w.+-]+/)*[\w.+-]+\.[a-z]\w*|(?:[\w.+-]+/){2,}[\w.+-]*)(?![\w/.-]*\w)"
)
WHO_TOPIC = re.compile(
    r"\W*who (?P<topic>(?:the |in |on )?[^\W\d_][\w.-]*)(?:(?: [^\WA-Z]\w*)? (?:WHEN|REPO))*\W*"
)  # "who RDMA"
EVERYBODY_DID = re.compile(
    r"^(?:(?:in )?WHEN,? )?(?:\W|so |and )*who(?:'s|'ve| (?:has|have|was|were|is|all|been))* (?:did (?:what|anything|something)|"
    r"(?:been )?(?:active|busy)|(?:been )?(?:worked|working|contributed|committed|shipped|landed|merged)"
    r"(?: (?:something|anything|code|what|on what|hard))?)(?=\W*$|\s+(?:in|during|since|between|from|over|WHEN)\b)(?! in REPO)"
)
COMPARE = _any(
    r"\bcompar(?:e|es|ed|ing|ison)\b(?! (?:view|page|code|tool|function|feature|endpoint))", r"\bdifferences? (?:between|from|to|of)\b", r"\bversus\b", r"\bvs\b\.?", r"\bside by side\b", r"\bvergelijk\b", r"\bvergleich\w*",
    r"\b(?:better|worse|busier|quieter|more|less|fewer|different|bigger|smaller|faster|slower)\b(?: \w+){0,3}? than\b",
)  # fmt: skip
MORE = re.compile(r"\b(?:more|most|better|busier|less|fewer)\b")
PROFILE = _any(
    r"(?<!the )\bprofile\b(?! (?:page|pages|view|api|code|service|screen|editor|picture|settings|module|command|photo)\b)",
    r"\bthe profile of\b",
    r"\b(?:whole|entire|full|complete|overall|all)(?: of)?(?: (?:PERSON's|his|her|their|my|the))? (?:git )?"
    r"(?:history|story|career|track record)\b",
    r"\b(?:whole|entire) time\b", r"\ball[- ]time\b", r"\bcareer\b", r"\b(?:work|commit|git) history\b",
    r"\bever (?:done|did|made|shipped|worked|written|wrote)\b",
    r"\bsince (?:the (?:very )?(?:beginning|start|first commit)|(?:he|she|they|i) (?:joined|started|began))(?=\W*$)",
    r"\b(?:over|through|throughout|across) (?:all )?the years\b",
    r"\b(?:skills?|skill set|expertise|strengths|specialit(?:y|ies)|speciali[sz]es?)\b(?=\W*$|\s+(?:of|does|do|in|is|are|has)\b)",
    r"\bwhen did (?:PERSON|he|she|they|i) (?:start|join|begin|first|last)\b", r"\bhow long (?:has|have) (?:PERSON|he|she|they|i)\b",
    r"\b(?:first|last|oldest) (?:ever )?(?:commit|change) (?:of|by|from) (?:PERSON|me|him|her)\b",
    r"\b(?:PERSON's|my|his|her) (?:very )?(?:first|last|oldest) (?:commit|change)\b", r"\b(?:PERSON's|my|his|her|their) first (?:day|week|month|quarter|year)s?\b",
    r"\bis (?:PERSON|he|she) still (?:around|here|active|working|contributing|with us)\b",
    r"\b(?:PERSON|he|she) (?:is )?(?:good|best|strong|great) at\b", r"\b(?:what|which) areas (?:did|does|has|is|do) (?:PERSON|he|she|i)\b", r"\bwhat kind of (?:engineer|developer|programmer)\b",
    r"\bwhat (?:programming )?languages\b",
)  # fmt: skip
WHO_IS = re.compile(
    r"^(?:\W|so |and |hey |but |tell me )*(?:who(?:'s| is| was) (?:PERSON|this|that|he|she|they)|who (?:PERSON|she|he) is|"
    r"who am i|wer ist PERSON|qui est PERSON|quién es PERSON)\W*$"
)
DIGEST = re.compile(r"\bdigests?\b")
_TEAM = (
    r"(?:TEAM|(?:the|our|my|an?|this|that|your|whole|entire)(?: [\w-]+| REPO){0,2}? (?:team|squad|group|crew|folks|guys|devs|"
    r"developers|engineers)|team\b)"
)
_EVERYONE = (
    rf"(?:we|us|{_TEAM}|everyone|everybody|all of us|people|anyone|anybody|folks|y'?all|others|the others|the rest)"
)
_HAPPENED = (
    r"(?:shipped|ship|shipping|happened|happening|happen|released|release|merged|merge|landed|land|new|done|delivered|changed|"
    r"going on|went out|went live|came out|went in|went into|come in|came in|deployed|going in|up|on)"
)
SHIPPED = _any(
    rf"\bwhat(?:'s| is| has| have| was| were| all| got| did| stuff| things| exactly)* (?:been |get |got )?{_HAPPENED}\b"
    r"(?! by\b)", rf"\bwhat (?:all )?(?:did|have|has|does|do|are|is|was|were) {_EVERYONE}",
    r"\b(?:everyone|everybody|all of us|the others)\b",
    r"\b(?:key|main|major|notable|significant|important) (?:changes|commits|work|things|developments)\b",
    _TEAM, r"\b(?:did|have|has) (?:we|anyone|anybody|anything)\b", r"\bour\b", r"s'est-il passé|\bwas ist passiert\b|\bqué pasó\b|"
    r"\bo que aconteceu\b|rilasciat|veröffentlicht|publicado|lançado|\bcosa è successo\b|\bwat is er gebeurd\b|\bwas wurde\b|\bwat gebeurde\b",
)  # fmt: skip
EXPLAIN = re.compile(
    r"^(?:and |so |but |please |ok |can you |could you )*(?:explain|why)\b(?: (?:is|was|are|were|did|does|to me|me|please|not|"
    r"so|this|that|it|the|a|an|one|commit|change|pr|bug|fix|counted|here|there|in|my|month|feature|missing|isn't|wasn't|"
    r"which))*[\s?!.]*$"
)
AWAY = re.compile(
    r"\b(?:while|when|whilst|during the time|the time) (?:i|we)(?:'ve| have| had)? (?:was|were|am|been) (?:away|out(?: of (?:the )?"
    r"office)?|off(?: work)?|gone|sick|ill|absent|travel+ing|(?:away )?on (?:a |my |our |the |parental |paternity |maternity |"
    r"sick |annual )*(?:holidays?|vacation|leave|pto|trip|break|sabbatical|honeymoon))\b"
)
MISSED = re.compile(r"\bwhat(?:'ve| have| has| did)? (?:i|we) miss(?:ed)?(?: out on)?\b")
# Whoever asks as the one whose work it is.
MINE = _any(
    r"\b(?:did|have|had|has|am|was|what|all|everything|stuff|things|work|files|folders) i(?:'ve)?\b(?! (?:miss|needed|wanted|meant|asked|left|was|ask|say|talk|use|need|get started|see|schedule|ping|contact)\b)", r"^\W*(?:and |what about |how about |for )*(?:me|i|mine|myself)\b(?! (?:need|want|would|think|have to|was|am)\b)",
    r"\bmy (?:own |last |past |previous |entire |whole |full |total |new |bug |latest |recent |code |biggest |largest |big |most changed )*(?:WHEN|work|files|folders|month|profile|career|history|story|changes?|commits?|reviews|reviewers|co-?authors|collaborators|code|"
    r"contributions?|summary|fix(?:es)?|features?|tests?|reverts?|prs?|skills?|refactorings?|docs|chores|optimi[sz]ations|"
    r"performance|activity|week|day|year|quarter|sprint|releases|bugs?|bugfixes|stuff|things|output|stats|speedups|cleanups|build|ci|self)\b", r"\bmine\b", r"\bhabe ich\b", r"\bhice\b", )  # fmt: skip
SAME = re.compile(
    r"\b(?:him|her|hers|she|he|his|they|them|their|theirs|again|month|story|summary|details|same|that|it|this|only|just|ones?)\b"
)
# "who worked on the parser?" is a whole question; these words say that it goes on about what was told before.
GOES_ON = re.compile(
    r"^\W*(?:and|but|so|then|also|ok|now)\b|\b(?:else|also|too|then|there)\b|\bthat (?:month|time|quarter|year)\b"
)
_ITEM = r"(?:PERSON(?:'s)?|REPO|me|myself|mine|us|STRANGER)"
OUT = re.compile(
    r"\b(?:without|except(?:ing)?(?: for)?|besides|excluding|exclude|excludes|other than|apart from|aside from|minus|(?:not|without) (?:counting|including)|leaving out|but (?:not|without|no)|"
    r"(?:everyone|everybody|all|anyone|anybody) but|ignoring|ignore|leav(?:e|ing) out|skip(?:ping)?|save for|ohne|sans|sin|sem|"
    r"senza|zonder|bez|außer|sauf|excepto)\b,?\s+(?:(?:the|those|that|ones?|changes?|commits?|fixes|work|stuff|anything|things|by|in|of|"
    rf"from|any|for|plain|made|done|repo|repository|including|counting)\s+)*(?P<items>{_ITEM}(?:\s*(?:,(?:\s*\b(?:and|or|nor|und|et|y|e)\b)??|\b(?:and|or|nor|und|et|y|e)\b|&|\+)\s*"
    rf"(?:in |by |the |from )*{_ITEM})*)|(?P<after>{_ITEM}(?:\s*(?:,|\band\b|&)\s*{_ITEM})*)\s+(?:excluded|left out|aside|apart)\b"
)
REPORTER = re.compile(
    r"\bPERSON(?: and PERSON)?(?:,| just| also| has| is| was)* (?:asked|asks|asking|told|tells|telling|wants?|wanted|wanting|said|says|mentioned|suggested|"
    r"reminded|pinged|wonders?|wondered|thinks|insists|claims|recommended|sent|needs?|forwarded)\b|"
    r"\b(?:asked by|told by|for|to|from|thanks|hi|hey|hello|cc|tell|with my (?:manager|boss|lead),?) PERSON\b(?!'s)"
)
IN_PLACE = re.compile(
    r"\b(?:did|has|have|had|does|hat|haben|hizo|fez|fait|deed|heeft|of|by|compare|and|was|whether|what) PERSON\b|PERSON's|"
    r"PERSON (?:did|has|does|do|done|worked|shipped|made|fixed|been|was|were|gemacht|fez|hizo|сделала?)\b"
)
ASKS = re.compile(
    r"\b(?:what(?:'s|'ve)?|who(?:'s|m|se)?|which|show|list|compare|how|give|pull|summar\w+|digests?|explain|why|profile|post|"
    r"tell me|i need|wie|wer|hat|qué|que|cosa|anything|rank|delete|whats|wats|waht|whos)\b|^\W*(?:so |and )*(?:is|did|was|has|have|does|were)\b"
)
EVERYTHING = re.compile(r"\W*(?:and |now |ok |show (?:me )?)*(?:everything|all|all of it|the (?:whole )?lot)\W*")
BESIDE_ME = _any(
    r"\b(?:and|vs\.?|versus|or|with|to|than|,) (?:me|myself|i|mine|my)\b",
    r"\b(?:me|myself|i)(?: and|,| vs\.?| versus| or| with| to) PERSON", )  # fmt: skip
FOR_ME = re.compile(r"\b(?:show|tell|give|to|for) me PERSON|\b(?:asked|told) me\b")
AND_ME = re.compile(
    r"PERSON(?:'s)?(?:,|,? and) (?:me|myself|i)\b(?! (?:need|want|was|am|would|will|can)\b)|\b(?:me|i|myself) and PERSON"
)
HOW_TO = re.compile(r"\bhow (?:do|can|should) (?:i|we) (?:schedule|set up|get|make)\b")
HOW_MANY_PEOPLE = re.compile(r"\bhow many (?:people|developers|engineers|contributors|authors|of us)\b")
EVERYBODY = _any(
    SHIPPED.pattern, MISSED.pattern, EVERYBODY_DID.pattern, HOW_MANY_PEOPLE.pattern
)  # whose month it is, where nobody is named
# What is posted again and again: the words that ask for it, change it, or ask when.
_POSTED = (
    r"(?:digests?|summar(?:y|ies)|reports?|recaps?|round-?ups?|posts?|posting|reminders?|schedules?|newsletter|cadence)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_OFTEN = r"(?:monthly|weekly|daily|quarterly|fortnightly|yearly)"
_EVERY = (
    rf"(?:every|each) (?:other |single )?(?:\w+ )?(?:months?|weeks?|days?|quarters?|first|last|morning|{_DAY}|\d+\w*)\b"
)
_AGAIN = (
    rf"(?:\b{_EVERY}|\b{_OFTEN}\b(?! {_POSTED})|\btomorrow\b|\bon (?:{_DAY}|the (?:first|last|\d+(?:st|nd|rd|th)))\b|"
    rf"\bat \d|\b{_DAY} \d|\bautomatically\b|\bregularly\b)"
)
_POST = r"\b(?:post|posting|send|sending|share|publish|deliver|remind|mail|dm|run|repeat|start)\b"
_CHANGE = (
    r"\b(?:pause|resume|unpause|stop|cancel|disable|enable|suspend|mute|unmute|delete|remove|turn|switch|skip|kill|end|set|"
    r"change|move|shift|postpone|delay|edit|update|create|make|add|restart|subscribe|no more|don't)\b"
)
_SCHEDULE = re.compile(
    "|".join(
        (
            rf"{_POST}.*{_AGAIN}",
            rf"^\W*{_EVERY}",
            rf"{_CHANGE}.*\b{_POSTED}\b(?! (?:code|page|module|tests?)\b)",
            rf"{_CHANGE} (?:it|that|this)\b.*(?:{_AGAIN}|\b{_DAY}|\b{_OFTEN})",
            r"^\W*(?:pause|resume|stop|cancel)\b(?: it| that| this| everything| please)*\W*$",
            r"^\W*(?:(?:please|can you|could you|so|and) )*(?:re|un)?-?schedule\b(?! (?:changes|fixes|work|code))",
            r"\bunsubscribe\b",
            rf"\b(?:want|need|like)\b.*\b{_OFTEN} {_POSTED}\b",
            r"^\W*(?:(?:and|so|but) )?(?:when|why|where)\b.*\b(?:digest|posted|next (?:one|run))\b",
            r"^\W*(?:what(?:'s)?|which|list|show|is|are|anything)\b(?: [\w']+){0,4}? (?:scheduled?|schedules|recurring|repeats?|"
            r"subscriptions|digests)(?=\W*$| (?:are|do|here|in|for|this)\b)",
            r"^\W*(?:(?:my|the|our) )?(?:schedules?|subscriptions?)\W*$",
        )
    )
)
_PAST = re.compile(r"\b(?:did|has|had|who|worked|fixed|changed)\b")  # what somebody did is no schedule


def is_schedule(text: str) -> bool:
    """Whether a text is about what is posted again and again: to set, change, pause or list it."""
    low = text.casefold().replace("’", "'")
    return not _PAST.search(low) and _SCHEDULE.search(low) is not None
