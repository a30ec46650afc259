"""Questions in other languages are read as in English or not at all. Asked on 30 July 2026 by Grace Hopper."""

# ruff: noqa: E501  (a question is one line)

from __future__ import annotations

from test_corpus import ROWS
from test_reading import CONDITIONS, KNOWN, THREAD, TODAY, reading
from values import somebody

from bot.ask.languages import in_english
from bot.ask.reading import ENGLISH, FRIENDLY, WHY_NOT, read
from bot.month.people import Directory

READ = {
    "Was hat Ann seit Juni so gemacht?": "month: Ann Field · June 2026 to July 2026 · read from German",
    "was ging bei matti letzte woche": "month: Matti Picus · 20 to 26 July 2026 · read from German",
    "Wer hat zuletzt etwas am Cache geändert?": "who: “Cache” · by the last change · read from German",
    "Wer hat an src/parser.py gearbeitet, ohne Bots?": "who: src/parser.py · without bots · read from German",
    "Warum wurde der Cache entfernt?": "explain: “Cache” · read from German",
    "was hat Ann im juni mit Ralf gemacht?": ENGLISH,
    "Wann kam die letzte Version raus?": "changes: tagged · the latest 1 · read from German",
    "Was hat Ann im Juni am Parser geändert?": "month: Ann Field · June 2026 · “Parser” · read from German",
    "Woran arbeitet Ann gerade?": "month: Ann Field · 1 to 30 July 2026 · now: the last 30 days · read from German",
    "qu'a fait Ann en mars": "month: Ann Field · March 2026 · read from French",
    "Qui a travaillé sur le parser en juillet, hors bots ?": "who: July 2026 · “parser” · without bots · read from French",
    "Quelles corrections ont été faites en juin ?": "changes: June 2026 · fixes · read from French",
    "Quoi de neuf depuis la 2.5.0 ?": "what_shipped: v2.5.0.. · read from French",
    "qui a touché à parser en juin, d'après Ralf ?": ENGLISH,
    "¿qué cambió en numpy/random en junio?": "changes: June 2026 · numpy/random · read from Spanish",
    "¿Cuándo salió la última versión y quién la publicó?": "changes: tagged · the latest 1 · read from Spanish",
    "cuantos commits hubo en junio sin contar los bots": "changes: June 2026 · counted · without bots · read from Spanish",
    "¿Qué hizo Ann de mayo a julio?": "month: Ann Field · May 2026 to July 2026 · read from Spanish",
    "o que a Ann Field fez em junho?": "month: Ann Field · June 2026 · read from Portuguese",
    "Quem adicionou o cache?": "who: “cache” · the earliest · read from Portuguese",
    "Cosa è cambiato nella 2.5.0?": "what_shipped: v2.5.0 · read from Italian",
    "Chi ha lavorato sul parser a giugno?": "who: June 2026 · “parser” · read from Italian",
    "wat heeft Ann vorige week gedaan?": "month: Ann Field · 20 to 26 July 2026 · read from Dutch",
    "Wie heeft er in juni aan de cache gewerkt?": "who: June 2026 · “cache” · read from Dutch",
    "was gab es vorletzte Woche?": "what_shipped: 13 to 19 July 2026 · read from German",
    "¿qué hubo hace dos semanas?": "what_shipped: 13 to 19 July 2026 · read from Spanish",
    "qu'a fait Ann il y a un mois ?": "month: Ann Field · June 2026 · read from French",
    "cosa c'è stato due mesi fa": "what_shipped: May 2026 · read from Italian",
    "wat was er vorige week": "what_shipped: 20 to 26 July 2026 · read from Dutch",
    "wat heeft ons team in juli gedaan": "what_shipped: July 2026 · read from Dutch",
    "Wat heeft Ann twee weken geleden gedaan?": "month: Ann Field · 13 to 19 July 2026 · read from Dutch",
    "wat deed Ann vorig jaar": "month: Ann Field · January 2025 to December 2025 · read from Dutch",
    "vad gjorde Ann i juli": "month: Ann Field · July 2026 · read from Swedish",
    "Vad har Ann gjort från maj till juli?": "month: Ann Field · May 2026 to July 2026 · read from Swedish",
    "vad har Ann sysslat med de senaste två veckorna": "month: Ann Field · 17 to 30 July 2026 · read from Swedish",
    "vad gjorde Ann för tre veckor sedan": "month: Ann Field · 6 to 12 July 2026 · read from Swedish",
    "vad gjorde Ann i fjol": "month: Ann Field · January 2025 to December 2025 · read from Swedish",
    "vad hande forra veckan": "what_shipped: 20 to 26 July 2026 · read from Swedish",
    "Vad gjorde vårt team i maj?": "what_shipped: May 2026 · read from Swedish",
    "Vem har jobbat på parsern i juni, utan bottar?": "who: June 2026 · “parser” · without bots · read from Swedish",
    "Varför togs cachen bort?": "explain: “cache” · read from Swedish",
    "När släpptes den senaste versionen?": "changes: tagged · the latest 1 · read from Swedish",
    "vad gjorde ann i juni med Ralf?": ENGLISH,
    "Что сделала Ann в июне?": "month: Ann Field · June 2026 · read from Russian",
    "Кто последним менял parser?": "who: “parser” · by the last change · read from Russian",
    "Co zrobiła Ann od maja do lipca?": "month: Ann Field · May 2026 to July 2026 · read from Polish",
    "Dlaczego usunięto cache?": "explain: “cache” · read from Polish",
    "6月からAnnがやったことを見せて": "month: Ann Field · June 2026 to July 2026 · read from Japanese",
    "parserを最後に変更したのは誰ですか": "who: “parser” · by the last change · read from Japanese",
    "Ann 6月做了什么？": "month: Ann Field · June 2026 · read from Chinese",
    "Ann在6月修复了什么": "changes: Ann Field · June 2026 · fixes · read from Chinese",
    "谁参与了 parser 的开发，不算机器人": "who: “parser” · without bots · read from Chinese",
    "캐시는 누가 추가했어요?": "who: “cache” · the earliest · read from Korean",
    "wanneer heeft Ann voor het laatst zelf iets gecommit?": "changes: Ann Field · the latest 1 · read from Dutch",
    "o que o Ann Field fez essa semana?": "month: Ann Field · 27 July to 2 August 2026 · read from Portuguese",
    "지난주에 뭐가 머지됐어?": "what_shipped: 20 to 26 July 2026 · read from Korean",
}
REFUSED = {
    "away": [
        "wer ist nächste woche im urlaub?",
        "Qui est en congé demain ?",
        "кто завтра в отпуске?",
        "明天谁休假？",
        "vem är på semester nästa vecka?",
    ],
    "future": [
        "wann kommt das nächste release?",
        "¿Cuándo saldrá la próxima versión?",
        "когда выйдет следующая версия?",
        "när kommer nästa version?",
    ],
    "rate": ["¿Quién es el más vago?", "chi è il più pigro?", "vem är latast?"],
}
THANKS = [
    "Danke, das hat mir sehr geholfen!",
    "merci beaucoup",
    "спасибо!",
    "ありがとうございます！",
    "고마워!",
    "tack så mycket!",
]


def test_a_plain_question_is_read_and_says_from_which_language() -> None:
    assert {text: reading(text) for text in READ} == READ


def test_a_follow_up_changes_the_time() -> None:
    for text in [
        "und im Mai?",
        "et en mai ?",
        "¿y en mayo?",
        "e a maggio?",
        "а в мае?",
        "5月は？",
        "en in mei?",
        "och i maj?",
    ]:
        assert reading(text, THREAD).startswith("month: Grace Hopper · May 2026 · read from "), text


def test_what_git_does_not_know_is_refused_for_its_reason_and_thanks_are_answered() -> None:
    wanted = {text: WHY_NOT[why] for why, some in REFUSED.items() for text in some} | dict.fromkeys(THANKS, FRIENDLY)
    assert {text: reading(text) for text in wanted} == wanted


def test_a_word_that_no_table_has_is_named_or_shown_or_stops_the_answer() -> None:
    """Of two such words nothing is answered but in a topic, which histories must hold."""
    for text in (text for text, read_so in READ.items() if "read from" in read_so):
        for said in (f"{text} zorblax", f"zorblax {text}"):
            question = read(said, KNOWN, TODAY)
            assert question.intent == "unknown" or "zorblax" in f"{question.topic} {question.unread}", said


def test_an_english_question_is_never_taken_for_another_language() -> None:
    """Whoever is called "Die", whatever is called "der encoding"."""
    directory = Directory([somebody("Die Hard"), somebody("Per Sur"), somebody("Ana de la Cruz")])
    odd = [
        "what did Die and Per do in may", "Per Sur in august", "Ana de la Cruz", "who changed der encoding in the el capitan build",
        "why was c'est la vie removed", "what did Sur do with la and les in march", "die tests in june", "show me que and por fixes",
    ]  # fmt: skip
    english = {"what", "who", "did", "the", "how", "which", "show", "why", "when", "is", "does", "was", "his", "in"}
    rows = [row[2] for row in ROWS if len(english.intersection(row[2].lower().split()) - {"was", "in"}) > 0]
    asked = [*odd, *rows, *(f"what did grace do in june {one}" for one in CONDITIONS)]
    assert {text: said for text in asked if (said := in_english(text, directory))} == {}


def test_no_names_and_nothing_quoted_are_translated() -> None:
    directory = Directory([somebody("Mai Danke")])
    assert in_english("Was hat Mai Danke an `die wurde` und “und oder” gemacht?", directory) == (
        "what did Mai Danke do on `die wurde` and “und oder”?",
        "German",
    )
