"""Text for people: without secrets, control characters and invisible characters.

Masking is a step of the output: what is stored or compared is never masked. What a text itself shows decides, and where the text is from a document or
an answer, also the private keys in that one (`keys_in`), whose lines may be separate texts. No other document counts.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ._agentsdisc import Limits, ParseError, _key_words, _Keys, _whole, parse
from ._agentsdisc import masked as _masked

__all__ = [
    "HIDDEN",
    "Keys",
    "beginning",
    "hidden",
    "keys_in",
    "masked",
    "shown",
    "starred",
    "unmasked_beginning",
    "visible",
    "without_secrets",
]

T = TypeVar("T")
Keys = _Keys

_RANGES = (
    (0x00, 0x1F),  # controls
    (0x7F, 0x9F),  # controls
    (0xAD, 0xAD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x0600, 0x0605),  # format characters of Arabic
    (0x061C, 0x061C),  # Arabic letter mark, which changes direction
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x115F, 0x1160),  # Hangul fillers: letters without a shape
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors and vowel separator
    (0x200B, 0x200F),  # zero width spaces and joiners, direction marks
    (0x2028, 0x202E),  # line and paragraph separators, embeddings and overrides
    (0x2060, 0x206F),  # invisible operators, isolates
    (0x2800, 0x2800),  # Braille pattern without dots
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # surrogates
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFFC),  # interlinear annotation, object replacement
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x13455),  # format characters of hieroglyphs, and blanks among them
    (0x16FE4, 0x16FE4),  # Khitan filler
    (0x1BCA0, 0x1BCA3),  # format characters of shorthand
    (0x1D159, 0x1D159),  # musical note without a head
    (0x1D173, 0x1D17A),  # format characters of music
    (0xE0000, 0xE0FFF),  # tags and variation selectors
)
"""Unicode's Default_Ignorable_Code_Point, the categories Cc, Cf, Cs, Zl and Zp, and letters and
symbols without a visible glyph.
"""

HIDDEN = "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in _RANGES)
"""All of these as the content of a character class of a regular expression."""


def keys_in(*given: Any) -> Keys:
    """Returns the words of the private keys in documents (bytes), or in the texts of values; for texts about these only."""
    return Keys(
        *(
            each
            if isinstance(each, bytes)
            else "\n".join(_texts(each)).encode("utf-8", "replace")
            for each in given
        )
    )


def _texts(value: Any) -> Iterator[str]:
    """Yields all texts in a value, in order."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as members:
                for name, item in reversed(members.items()):
                    waiting += [item, name]
            case list() | tuple() as items:
                waiting += reversed(items)
            case each if is_dataclass(each):
                waiting += [getattr(each, f.name) for f in reversed(fields(each))]


def masked(text: str, keys: Keys | None = None) -> str:
    """Returns the text with each secret in it replaced by its first characters and `…`. `keys` are those of the document that it is from."""
    try:
        return _masked(text, keys)
    except UnicodeEncodeError:
        # Unpaired surrogates, such as bytes of file names that are not UTF-8.
        halves = {ord(c): _escaped(c) for c in text if 0xD800 <= ord(c) <= 0xDFFF}
        return _masked(text.translate(halves), keys)


def beginning(text: str, most: int) -> str:
    """Returns the first characters of a text for people, and `…` if there are more.

    Secrets in a text that is cut are masked before: the first characters of a secret may not look like one.
    """
    if len(text) <= most:
        return text
    text = masked(text)
    return text if len(text) <= most else f"{text[:most]}…"


def unmasked_beginning(text: str, most: int) -> str:
    """Returns the first characters of a text, to be stored: as they are, but without the first characters of a secret that continues behind them."""
    if len(text) <= most:
        return text
    try:
        return text[: _whole(text, most)]
    except UnicodeEncodeError:
        # An unpaired surrogate cannot be in a secret, and `?` takes its place.
        return text[: _whole(text.encode("utf-8", "replace").decode(), most)]


def without_secrets(value: Any, keys: Keys | None = None) -> Any:
    """Returns values (dicts, lists, dataclasses, strings, numbers) with secrets masked in every string."""
    match value:
        case str():
            return masked(value, keys)
        case dict():
            return {name: without_secrets(item, keys) for name, item in value.items()}
        case list():
            return [without_secrets(item, keys) for item in value]
        case tuple():
            return tuple(without_secrets(item, keys) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        members = {f.name: getattr(value, f.name) for f in fields(value)}
        return replace(value, **without_secrets(members, keys))
    return value


def shown(cls: type[T]) -> type[T]:
    """Masks secrets in the repr of a class."""
    plain = cls.__repr__

    def __repr__(self: T) -> str:
        return masked(plain(self))

    setattr(cls, "__repr__", __repr__)  # noqa: B010
    return cls


def starred(data: bytes, format: str | None) -> bytes:
    """Returns the bytes of a document with `*` for every byte of a secret; offsets do not change. `format` is None if it cannot be parsed."""
    spans = _key_words(data)
    try:
        found = parse(data, format=format, limits=_ANY_SIZE).check() if format else []
        spans += [(d.offset, d.end) for d in found if d.code == _CREDENTIAL]
    except ParseError:
        pass
    if not spans:
        return data
    kept = bytearray(data)
    for start, end in spans:
        kept[start:end] = bytes(
            b if b in b"\r\n" else ord("*") for b in kept[start:end]
        )
    return bytes(kept)


_CREDENTIAL = "credential-in-document"
_ANY_SIZE = Limits(document=2**32 - 1, robots=2**32 - 1)


def visible(text: str, keys: Keys | None = None) -> str:
    """Returns the text with secrets masked and hidden characters escaped. `keys` are those of the document that it is from.

    All text that the package writes for people passes through here. A second call changes nothing.
    """
    text = masked(text, keys)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(c) if hidden(c) else c for c in text)


def hidden(c: str) -> bool:
    """Whether a character has no visible form, or changes how others are shown."""
    if c.isascii():
        return not c.isprintable()
    if not c.isprintable():
        return True
    code = ord(c)
    return any(first <= code <= last for first, last in _RANGES)


def _escaped(c: str) -> str:
    code = ord(c)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def whole_lines(start: bytes) -> bytes:
    """Returns the start of a text without its last line, of which a part may be missing."""
    return start[: line_start(start, len(start))]


def line_start(data: bytes, offset: int) -> int:
    """Returns the offset at which the line of an offset begins."""
    return max(data.rfind(b"\n", 0, offset), data.rfind(b"\r", 0, offset)) + 1
