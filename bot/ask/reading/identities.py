"""Whose address or login is it: the ways to ask, and to say that it is mine. Over the text with its finds in capitals. Pure."""

# ruff: noqa: E501  (a table of patterns reads best with few breaks)

from __future__ import annotations

import re

_WHAT = (
    r"(?:e-?mail(?: address)?|addresse?s?|logins?|accounts?|handles?|user ?names?|git ?hub(?: (?:login|account|handle|user|"
    r"user ?name|name|id))?|gitlab|git (?:name|address|author|e-?mail|identity)|identity)"
)
_IS = r"(?:is not|was not|isn't|wasn't|is|are|was|'s|aren't)"
_X = r"(?P<topic>ADDR|PERSON|@?[\w.+-]*\w)"
_SOMEBODY = r"(?P<whom>me|mine|PERSON|STRANGER)"
# What is asked about is <topic>, and who it is said to be <whom>.
LINKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:un)?link {_X}(?: (?:to|with|from|and) {_SOMEBODY})?(?: too| also| please| pls)*\W*$",
        rf"\badd {_X} to (?P<whom>my|PERSON's?)(?: {_WHAT})?",
        rf"\bwho(?:se|'s) (?:{_WHAT} )?{_IS} {_X}(?:\W|thx|thanks|please|pls|ty)*$",
        r"\bwho(?:'s| is) (?P<topic>ADDR)\W*$",
        r"\bwho does (?:the )?(?:" + _WHAT + r" )?(?P<topic>ADDR|PERSON|\w+) belong to\b",
        r"\bwho (?:owns|uses|has|commits as|signs as|is behind) (?P<topic>ADDR)",
        rf"\b(?P<topic>ADDR)\b.*\bwho(?:se|'s) {_WHAT} is (?:that|this|it)\b",
        rf"^\W*(?:is )?(?P<topic>ADDR) (?:{_IS} )?(?:also )?(?:belongs to )?{_SOMEBODY}(?: too| as well)*\W*$",
        rf"\bmy (?:other |second |old |new |work |private )*{_WHAT} {_IS} {_X}(?P<whom>)\W*$",
        rf"(?P<whom>PERSON)'s (?:other |old |new )*{_WHAT} {_IS} {_X}\W*$",
        r"\bi(?:'m| am) (?P<topic>ADDR)(?P<whom>)\W*$",
        rf"\bi(?:'m| am) {_X}(?P<whom>) (?:on|at|in) (?:git ?hub|gitlab|git)\b",
        r"\bi (?:also )?(?:use|commit as|sign as|write as) (?P<topic>ADDR|PERSON)(?P<whom>)",
        rf"^\W*{_X} (?:is|isn't|is not) (?:also )?(?P<whom>me|mine)(?: too)?\W*$",
    )
)
WITHOUT_TOPIC = re.compile(
    r"^\W*(?:un)?link(?: me)?\W*$|\blink my\b|\bam i linked\b|^\W*(?:that|this|these|those)(?:'s| is| are|isn't| isn't| aren't) "
    rf"?(?:not )?(?:me|my commits|mine)\W*$|^\W*(?:this|that) isn't me\W*$|^\W*(?:what (?:is|are) |which |show )*my {_WHAT}\W*$|"
    rf"\bwhich {_WHAT} (?:are mine|does (?:PERSON|ME) have|do i have)\b|"
    rf"^\W*(?:what(?:'s| is| are) )?(?P<whom>PERSON)'s {_WHAT}\W*$"
)
