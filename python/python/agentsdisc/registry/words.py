"""Splits texts and queries into words, in two levels for every store: in the singular, and stemmed.

`Send_e-mail`, `sendEMail` and "sending emails" give the same words, so a query need not know how a document writes its names.
"""

import re
import unicodedata
from functools import lru_cache

MOST_CHARACTERS = 1_000
"""Longer queries are cut."""
MOST_WORDS = 12
"""Further words of a query are ignored."""
MOST_WORDS_OF_TEXT = 200
"""Further words of a text are not searched."""
_LONGEST_WORD = 40

_ASCII_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINED = {
    "e": {"mail", "mails", "mailing", "sign", "commerce", "book"},
    "check": {"out", "outs", "in"},
    "log": {"in", "out"},
    "sign": {"in", "up", "out"},
    "web": {"hook", "hooks", "site", "sites", "page", "pages"},
    "on": {"line"},
    "off": {"line"},
    "wi": {"fi"},
    "data": {"base", "bases", "set", "sets"},
    "time": {"zone", "zones", "stamp", "stamps"},
    "user": {"name", "names"},
    "file": {"name", "names"},
}
"""Words that are also written as two words."""

# Scripts without spaces between words: each pair of letters is a word.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)

_IGNORED = (
    "a about also am an and any anybody are as at be been but by can could did do",
    "does for from give had has have help her him his how i if in into is it its",
    "just kindly let like may me might must my need of on or our out please shall",
    "she should so some somebody someone something than that the their them then",
    "there these they this those to us using via want was we were what when where",
    "which who why will wish with would you your api agent agents able",
)
STOP_WORDS = frozenset(" ".join(_IGNORED).split())
"""Words that are ignored in a query that has others."""

_SYNONYMS = (
    "email mail",
    "create add new make generate",
    "delete remove erase cancel drop",
    "get fetch retrieve read show view",
    "update edit modify change set",
    "search find lookup query look",
    "list enumerate all",
    "buy purchase order checkout",
    "pay payment charge bill",
    "refund reimburse",
    "picture photo image",
    "send deliver dispatch",
    "sms text",
    "message chat",
    "transcribe transcript transcription speech",
    "translate translation",
    "book reserve reservation booking appointment schedule",
    "job vacancy position hire",
    "employee staff worker",
    "customer client",
    "user account member",
    "file document attachment",
    "store save upload put",
    "download export",
    "weather forecast",
    "map geocode address location",
    "ship shipment parcel package delivery",
    "track follow monitor",
    "company organization business firm",
    "contact lead person",
    "bug issue ticket",
    "invoice bill",
    "convert transform",
    "test check verify validate",
    "summary summarize",
    "video movie film clip",
    "sound audio voice",
    "price cost quote rate",
    "product item article",
    "sign signature esign",
    "website webpage page url",
    "log event",
    "chart graph plot",
    "currency money exchange",
    "sell sale",
    "start run trigger launch execute",
    "stop pause halt",
)


STEMMED = "~"
"""Begins the stem of the word before it."""


def words(text: str) -> list[str]:
    """Returns the words of a text in the singular, in order, repeated as often as they occur; at most 200. A word with another stem has it behind it: `ordering ~order`."""
    return [*map(_spelled, plain(text))]


@lru_cache(maxsize=1 << 17)
def _spelled(word: str) -> str:
    one, root = singular(word), stem(word)
    return one if one == root else f"{one} {STEMMED}{root}"


def plain(text: str) -> list[str]:
    """Returns the folded words of a text without stemming."""
    text = text[: 16 * MOST_CHARACTERS]
    if text.isascii():
        found = " ".join(_ASCII_WORD.findall(text)).lower().split()
    else:
        found = _unicode_words(text)
    if not _JOINED.keys().isdisjoint(found):
        found = _joined(found)
    return found[:MOST_WORDS_OF_TEXT]


def _joined(found: list[str]) -> list[str]:
    joined: list[str] = []
    for word in found:
        if joined and word in _JOINED.get(joined[-1], ()):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _unicode_words(text: str) -> list[str]:
    found: list[str] = []
    letters = unicodedata.normalize("NFKD", text)
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    for part in _WORD.findall(_CAMEL.sub(" ", letters)):
        word = part.casefold()
        if _UNSPACED.search(word):
            for run in _UNSPACED.findall(word):
                found += [run[i : i + 2] for i in range(max(1, len(run) - 1))]
            word = _UNSPACED.sub("", word)
        if word:
            found.append(word)
    return found


def query_words(text: str) -> list[str]:
    """Returns the words of a query without stop words, not stemmed, each once."""
    found = list(dict.fromkeys(plain(text[:MOST_CHARACTERS])))
    telling = [word for word in found if word not in STOP_WORDS]
    return (telling or found)[:MOST_WORDS]


def singular(word: str) -> str:
    """Returns a folded word without the ending of an English plural."""
    word = word[:_LONGEST_WORD]
    if len(word) < 4 or not word.endswith("s") or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


def synonyms(stemmed: str) -> tuple[str, ...]:
    """Returns the stems of words with a similar meaning."""
    return _RELATED.get(stemmed, ())


def fold(text: str) -> str:
    """Returns a name in the form in which names are compared: of a domain, a category, a tag."""
    return " ".join(text.casefold().replace("_", "-").split())


# The stemmer is Porter's (1980): suffixes are replaced if what remains is long enough. The measure of a
# word is the number of its changes from a vowel to a consonant.

_HAS_VOWEL = re.compile(r"[aeiou]|(?<=.)y")
_DOUBLE = re.compile(r"([^aeioulsz])\1$")
_SHORT = re.compile(r"^[^aeiou]+[aeiouy][^aeiouwxy]$")

_STEP_2 = (
    ("ational", "ate"),
    ("ization", "ize"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("entli", "ent"),
    ("ousli", "ous"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("ator", "ate"),
    ("eli", "e"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
)
_STEP_4 = re.compile(
    "(ement|ance|ence|able|ible|ment|(?<=[st])ion|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$"
)


def _measure(word: str) -> int:
    count, before = 0, False
    for index, letter in enumerate(word):
        vowel = letter in "aeiou" or (
            letter == "y" and index > 0 and word[index - 1] not in "aeiou"
        )
        count += before and not vowel
        before = vowel
    return count


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """Returns the stem of a folded word; a word with characters other than ASCII letters stays as it is."""
    word = word[:_LONGEST_WORD]
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _endings(word)
    for table in (_STEP_2, _STEP_3):
        for suffix, other in table:
            if word.endswith(suffix):
                rest = word[: -len(suffix)]
                word = rest + other if _measure(rest) > 0 else word
                break
    if found := _STEP_4.search(word):
        rest = word[: found.start()]
        word = rest if _measure(rest) > 1 else word
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _SHORT.search(rest)):
            word = rest
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


def _endings(word: str) -> str:
    """Removes plurals, `-ed` and `-ing`."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        word = word[:-1] if _measure(word[:-3]) > 0 else word
    else:
        for suffix in ("ed", "ing"):
            rest = word[: -len(suffix)]
            if word.endswith(suffix) and _HAS_VOWEL.search(rest):
                if rest.endswith(("at", "bl", "iz")):
                    word = rest + "e"
                elif _DOUBLE.search(rest):
                    word = rest[:-1]
                elif _measure(rest) == 1 and _SHORT.search(rest):
                    word = rest + "e"
                else:
                    word = rest
                break
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    return word


def _related() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for group in _SYNONYMS:
        stems = [stem(word) for word in group.split()]
        for one in stems:
            found.setdefault(one, []).extend(s for s in stems if s != one)
    return {one: tuple(dict.fromkeys(others)) for one, others in found.items()}


_RELATED = _related()
