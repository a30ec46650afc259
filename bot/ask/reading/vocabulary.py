"""Words as tables: which are never a name unless they stand where only one can, and which are known despite a slip."""

from __future__ import annotations

from bot.month.calendar import NAMES
from bot.month.people import unaccented


def words_of(table: str) -> frozenset[str]:
    return frozenset(table.split())


# Words around a name that are never a name. A full name with one of them is still found.
FILLER = words_of(
    """
    a able about accomplish accomplished account accounts achieve achieved across active activity add added
    address addresses after again against ah all all-hands almanac also am an and any anybody anyone anything
    apart apologies arbeitet are as aside ask asked asking asks at attention auf aujourd'hui author autumn av
    avec aw awesome ayer back be because been before beginning behob behoben bei belong belongs besides best bet
    better between bis bit bitte bonjour boss bot both brag broke broken brief brought bug bugs build building builds
    built busy but by bye cadence can cancel career case catch ce change changed changes chart chat che checking
    cheers chore chores ci ciao co code coding colleague colleagues com coming commit commits compare compared
    comparison complete completely con contribute contributed contribution contributions cool correcciones cosa
    could curious current currently da daily dank danke dans das day days de dear deden deed del deliver
    delivered dem den deployed depuis der dernier des desde detail detailed details develop developed developer
    deze di dich did didn't die diese diesen dieser dieses differ digest digests dir display do doc docs
    documentation does doing don't done dos down du dumb during e each earlier early een eighth either el ela
    ele ella elle elles else em email emails en end entire er errores est est-ce et eu evening ever every
    everybody everyone everything exactly except excited exclude excluding experience expertise explain
    explained fait faits fall far fatto favour feature features file files feito fetch fez finally fine finish finished
    first fix fixed fixes fixing fiz fizeram focus folks for forgot format fortnight forward fourth friday
    friend from full fyi gave gearbeitet gedaan gemacht geschrieben gestern get getan gets getting git give
    gjorde gjort gli go going gonna good got gracias grazie great guess guten guy guys ha habe haben habt had
    haha half hallo han handled handling hanno happen happened happy har hard has hash hasn't hast hat have he
    he's heads heb hebben hecho heeft hello help her here hers het heute hey hi hice hicieron hier highlights
    hij him his history hiya hizo ho hoje hola hope hopefully hotfix how hoy human hva hvad i i'd i'm i've ich
    idea ieri if ignore ignoring ihr ik il ils im implement implemented in including info instead into is isn't
    issue issues ist it it's its j'ai je joined joining just keep kind kinda kinds knew know knows la land landed
    language languages largest las last late lately later latest le lead least leave leaving les let let's letzte
    letzten letzter like link list log login logins logs lol long look looks los lost lot lots love lunch maand
    macht made mail main major make man manager many may maybe me mean meeting merci merge merged mes mese met mich
    mid middle mine minus minutes mir missed mit moi moin mois moment monat monday month monthly months montre
    more morning most mostly mostre mr mrs ms mtd much muestra must my myself na ne need needed neither nel
    never new news newsletter next nice ninth no nobody nope nosotros not notes noticed nous now number numbers
    o obrigado och od oder of off offer og oggi oh ok okay ola on one ones only ont ontem onto open opinion or
    os other ought our ours out output over overall owe owner owners page pairing par para part pasada pasado
    passada passado past pause people per perf perfect performance period person pick picks please pls plus plz
    pm point por possible post pour pr prepare preparing prepping present presentation pretty previous prints
    probably product professional profile progress project projects prs pull pushed put putting qtd qu'a
    qu'est-ce quarter quarters que question questions qui quick quickly quite quoi ran rather reach read ready
    really recap recent recently refactor refactored refactoring refactorings release released releases remember
    remind repeat repeats repo report reports repos repositories repository requests rest result results resume
    retro revert reverted reverts review reviewed reviewing reviews right round- up roundup run rundown rush s'est-il
    said salut same saturday saved say schedule scheduled scorsa scorso second seconds see seen seit self
    semaine semana send servus set settimana settle seventh sha shall share she she's sheet ship shipped
    shipping short should show showing shows side sides sie since skill skills skip skipping slide slides so
    some somebody someone something soon sorry sort spend spent spring sprint sprints standup start started
    stats status still stop story stuck stuff such sum summarise summarize summary summer sunday sur sure sync
    ta tack tackle tackled tag tags tak takk talk talked team teams teki tell tenth test testing tests text than
    thank thanks thankyou that that's the their theirs them then there there's these they they're thing things
    think third this those through thursday thx till time title to today together told tomorrow tonight too
    total touch touched touches towards try trying tu tuesday twenty two ty type types ugh un und under une
    unlink uns unser until up update updates ur us use used user users usually vad van vergelijk version
    versions versus very via vielen vom von vorige vous vs w wait wanna want wanted wants was wasn't wat way we
    we're wednesday week weekend weekly weeks well went wer were wrong what what's whatever when where which while who
    who's whoever whole whom whose why wie wij will winter wir wish with within without woche wonder wondering
    woran work worked working works would wow write writes writing written wrote y yeah year years yep yes
    starting beginning onwards onward ending throughout inside outside ahead
    yesterday yet yo you you're your yours yourself ytd z zeig zeige zij zrobili zum zur dernière dzięki
    dziękuję für lands mitä muéstrame mês nós olá passé på qué qu’a trabajó travaillé yaptı zrobił zrobiła zrobiłam
    zrobiłem él в делал делала за и привет с сделал сделала спасибо что ありがとう が こんにちは は を
    你好 做了什么 的 谢谢 break breaks biggest important key notable significant major
    """
)
# What is known though it is mistyped, if only one letter is wrong, or two of a long word.
KEYWORDS = tuple(name.lower() for name in NAMES if len(name) > 5) + tuple(
    sorted(
        words_of(
            """
    april what show list month months week weeks yesterday today quarter quarters sprint monday tuesday
    wednesday thursday friday weekend shipped happened landed merged released release releases commits changes
    digest digests profile compare compared between explain schedule worked working morning every reverted
    reverts features feature fixes bugfixes refactoring refactorings performance documentation scheduled without
    except since everyone everybody address login whose pause resume thanks please hello latest version last
    fixed touched history different difference
    """
        )
    )
)
CONTRACTED = {
    "wat": "what", "wht": "what", "whats": "what's", "wats": "what's", "whos": "who's", "whos's": "who's",
    "whatd": "what did", "whod": "who did", "whatve": "what have", "wek": "week", "mnth": "month", "teh": "the",
    "fixs": "fixes", "bugfixs": "bugfixes", "bugfix": "bugfixes", "hte": "the", "didnt": "didn't", "isnt": "isn't",
    "whoes": "whose", "wich": "which", "shwo": "show", "comits": "commits", "comit": "commit", "cmpare": "compare",
    "profil": "profile", "profle": "profile", "digset": "digest", "helo": "hello", "whre": "where", "whos'": "who's",
    "al": "all", "adn": "and", "abuot": "about", "lst": "last", "hlep": "help", "wtf": "what", "u": "you",
    "compair": "compare", "copmare": "compare", "evry": "every", "adress": "address",
    "wk": "week", "yday": "yesterday",
}  # fmt: skip
# What somebody may be called, and is an ordinary word more often.
DOUBTFUL = words_of(
    """
    art bill chance chase drew faith frank gene guy heath hope jack joy lance mark max mike nick pat page ray
    rich rob rose ruby rusty sandy skip stone sunny summer tank trace ward will
    """
)
# What is said of times: months and weekdays, as "m8" and "d2", and English words for those of German, Dutch, Danish,
# Norwegian, Swedish, French, Spanish, Catalan, Portuguese, Italian, Romanian, Polish, Czech, Hungarian, Finnish,
# Turkish, Indonesian, Russian and Ukrainian, so that no month is taken for a name. Accents are left aside.
_TIMES = """
m1: january jan januar januari jänner janvier enero janeiro gennaio ianuarie styczeń stycznia styczniu leden lednu
m1: ledna január januárban tammikuu tammikuussa ocak январь января январе січень січня січні
m2: february feb februar februari feber février fevr febrero febrer fevereiro febbraio februarie luty lutego lutym
m2: únor února únoru február februárban helmikuu helmikuussa şubat февраль февраля феврале лютий лютого лютому
m3: march mar märz maerz mär mars maart marts mrt marzo març março martie marzec marca marcu březen března březnu
m3: március márciusban maaliskuu maaliskuussa mart maret март марта марте березень березня березні
m4: april apr avril abril aprile aprilie kwiecień kwietnia kwietniu duben dubna dubnu április áprilisban huhtikuu
m4: huhtikuussa nisan апрель апреля апреле квітень квітня квітні
m5: may mai mayo maio maggio mei maj maja maju maig květen května květnu május májusban toukokuu toukokuussa mayıs май
m5: мая мае травень травня травні
m6: june jun juni juin junio junho giugno juny iunie czerwiec czerwca czerwcu červen června červnu június júniusban
m6: kesäkuu kesäkuussa haziran июнь июня июне червень червня червні
m7: july jul juli juillet juil julio julho luglio juliol iulie lipiec lipca lipcu červenec července červenci július
m7: júliusban heinäkuu heinäkuussa temmuz июль июля июле липень липня липні
m8: august aug août agosto augusti augustus agost sierpień sierpnia sierpniu srpen srpna srpnu augusztus augusztusban
m8: elokuu elokuussa ağustos agustus август августа августе серпень серпня серпні
m9: september sep sept septembre septiembre setembro settembre setembre septembrie wrzesień września wrześniu září
m9: szeptember szeptemberben syyskuu syyskuussa eylül сентябрь сентября сентябре вересень вересня вересні
m10: october oct oktober okt octobre octubre outubro ottobre octombrie październik października październiku říjen
m10: října říjnu októberben október lokakuu lokakuussa ekim октябрь октября октябре жовтень жовтня жовтні
m11: november nov novembre noviembre novembro noiembrie listopad listopada listopadu novemberben marraskuu
m11: marraskuussa kasım ноябрь ноября ноябре
m12: december dec dezember dez décembre diciembre dezembro dicembre desember desembre decembrie grudzień grudnia
m12: grudniu prosinec prosince prosinci decemberben joulukuu joulukuussa aralık декабрь декабря декабре грудень грудня
m12: грудні
last: letzte letzten letzter letztem vergangene vergangenen vorige vorigen afgelopen forra sidste zeszlym ubieglym
last: прошлом прошлой past trailing recent
xlast: dernier derniere pasado pasada passado passada scorso scorsa
this: diese diesen dieser diesem ce cette este esta questo questa deze denna tym этом этой current
month: monat monats mois mes mese maand manaden manad miesiacu месяце
week: woche semaine semana settimana vecka veckan tygodniu неделе uge
quarter: quartal trimestre kwartaal kwartal
year: jahr jahres annee ano anno jaar
1 day ago: yesterday gestern hier ayer ontem ieri gisteren wczoraj igar вчера 昨天 昨日 어제
this day: today heute aujourd'hui hoy hoje oggi vandaag dzisiaj idag сегодня 今天 今日 오늘
since: seit depuis desde sinds sedan dal
to: bis hasta ate tot thru through –  —
between: zwischen entre
until: till til
ago: back
previous: prior
next: coming following
whole: entire full
this year: ytd year-to-date
this quarter: qtd quarter-to-date
this month: mtd month-to-date
d1: monday mondays mon montag lundi lunes lunedi maandag
d2: tuesday tuesdays tue tues dienstag mardi martes martedi dinsdag
d3: wednesday wednesdays mittwoch mercredi miercoles
d4: thursday thursdays thu thur thurs donnerstag jeudi jueves giovedi donderdag
d5: friday fridays fri freitag vendredi viernes venerdi vrijdag
d6: saturday saturdays samstag samedi sabado
d7: sunday sundays sonntag dimanche domingo zondag
2: couple
3: few
30: thirty
90: ninety
"""
_COUNTS = "one two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
MEANT = {
    **{word: str(number) for number, word in enumerate(_COUNTS.split(), 1)},
    **{word: f"{number}th" for number, word in enumerate(_ORDINALS.split(), 1)},
    **{
        unaccented(word): meant
        for meant, _, words in (line.partition(": ") for line in _TIMES.strip().splitlines())
        for word in words.split()
    },
}


def month_number(word: str) -> int | None:
    """Which month a word is, however it is accented and in whatever case; None where it is none."""
    meant = MEANT.get(unaccented(word.casefold()), "")
    return int(meant[1:]) if meant[:1] == "m" and meant[1:].isdigit() else None
