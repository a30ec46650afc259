"""What months are called, here and in other languages. Pure.

Other languages are there so that no month is taken for a name, and none for another month: what means one month in one
language and another in the next is asked about.
"""

from __future__ import annotations

from bot.month.calendar import NAMES
from bot.month.people import unaccented

_ENGLISH = {name[:length].lower(): number for number, name in enumerate(NAMES, 1) for length in (3, len(name))}
_ENGLISH |= {"sept": 9}
# German, Dutch, Danish, Norwegian, Swedish, French, Spanish, Catalan, Portuguese, Italian, Romanian, Polish, Czech,
# Hungarian, Finnish, Turkish, Indonesian, Russian and Ukrainian, in the cases that stand in "in October".
_ELSEWHERE = """
januar januari jänner janvier enero janeiro gennaio ianuarie styczeń stycznia styczniu leden lednu ledna január
    januárban tammikuu tammikuussa ocak январь января январе січень січня січні
februar februari feber février fevr febrero febrer fevereiro febbraio februarie luty lutego lutym únor února únoru
    február februárban helmikuu helmikuussa şubat февраль февраля феврале лютий лютого лютому
märz maerz mär mars maart marts mrt marzo març março martie marzec marca marcu březen března březnu március
    márciusban maaliskuu maaliskuussa mart maret март марта марте березень березня березні
avril abril aprile aprilie kwiecień kwietnia kwietniu duben dubna dubnu április áprilisban huhtikuu huhtikuussa
    nisan апрель апреля апреле квітень квітня квітні
mai mayo maio maggio mei maj maja maju maig květen května květnu május májusban toukokuu toukokuussa mayıs май мая
    мае травень травня травні
juni juin junio junho giugno juny iunie czerwiec czerwca czerwcu červen června červnu június júniusban kesäkuu
    kesäkuussa haziran июнь июня июне червень червня червні
juli juillet juil julio julho luglio juliol iulie lipiec lipca lipcu červenec července červenci július júliusban
    heinäkuu heinäkuussa temmuz июль июля июле липень липня липні
août agosto augusti augustus agost sierpień sierpnia sierpniu srpen srpna srpnu augusztus augusztusban elokuu
    elokuussa ağustos agustus август августа августе серпень серпня серпні
septembre septiembre setembro settembre setembre septembrie wrzesień września wrześniu září szeptember szeptemberben
    syyskuu syyskuussa eylül сентябрь сентября сентябре вересень вересня вересні
oktober okt octobre octubre outubro ottobre octombrie październik października październiku říjen října říjnu
    októberben október lokakuu lokakuussa ekim октябрь октября октябре жовтень жовтня жовтні
novembre noviembre novembro noiembrie listopad listopada listopadu
    novemberben marraskuu marraskuussa kasım ноябрь ноября
    ноябре
dezember dez décembre diciembre dezembro dicembre desember desembre decembrie grudzień grudnia grudniu prosinec
    prosince prosinci decemberben joulukuu joulukuussa aralık декабрь декабря декабре грудень грудня грудні
"""


def _elsewhere() -> dict[str, int]:
    words: dict[str, int] = {}
    number = 0
    for line in _ELSEWHERE.strip().splitlines():
        number += not line.startswith(" ")
        words |= dict.fromkeys(line.split(), number)
    return words


_FOREIGN = _elsewhere()
WRITTEN = _FOREIGN | _ENGLISH  # as people write them, in small letters
MONTH_WORDS = {unaccented(word): number for word, number in WRITTEN.items()}  # as they are looked up: see month_number
# These are words, or people, as well: a month only behind one of the words that lead to a time, with a year, or alone.
_DOUBTFUL = """
 may mar march mars mai mei maj maja maju mayo marzo marca marcu mart marts abril avril enero leden juni juli
junio julio juin agosto agost agustus augustus augusti ocak nisan ekim haziran temmuz eylül luty aprile juny
мая мае май märz mär mrt maig maret kasım augusztus június július
"""
DOUBTFUL = frozenset(map(unaccented, _DOUBTFUL.split()))
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # their first months, in the north


def month_number(word: str) -> int | None:
    """Which month a word is, however it is accented and in whatever case; None where it is none."""
    return MONTH_WORDS.get(unaccented(word.casefold()))


ENGLISH_MONTHS = frozenset(_ENGLISH)
