"""Keys: making, storing and reading them, and the two operations of cryptography."""

import base64
import hashlib
import json
import logging
import os
import tempfile
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, Self

from .._agentsdisc import _thumbprints
from .._arguments import must_be
from .._extras import needing

_log = logging.getLogger("agentsdisc.identity")

_EC = {"P-256": ("ecdsa-p256-sha256", 32), "P-384": ("ecdsa-p384-sha384", 48)}
"""The algorithm of each curve, and the length of a number in its signatures."""
_RSA = "rsa-pss-sha512"
_MOST_FILE = 64 << 10
_RSA_BITS = range(2048, 8193)
"""The lengths of RSA keys that are accepted: shorter ones are weak, longer ones take long."""


class Key:
    """A private key that signs requests: Ed25519, or one that `load` finds in a file. Its private part is never shown, and it is not pickled."""

    __slots__ = ("_private", "_public", "_thumbprint", "algorithm")

    algorithm: str
    """The name of its algorithm, such as `ed25519`."""

    def __init__(self, private: object) -> None:
        """`private` is a private key of the package cryptography: Ed25519, P-256, P-384, or RSA of 2048 to 8192 bits. Raises ValueError for another one."""
        self._private: Any = private
        self.algorithm, members = _described(private)
        self._thumbprint = thumbprint(members)
        self._public = {**members, "kid": self._thumbprint, "use": "sig"}

    @classmethod
    def generate(cls) -> Self:
        """Makes an Ed25519 key."""
        return cls(_crypto().ed25519.Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a key from a file: a JSON Web Key as `save` writes it, or PEM without a password.

        Raises OSError if the file cannot be read, ValueError if it has no usable private key. Logs a warning if other users can read the file.
        """
        with Path(path).open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                _log.warning("other users may read the key in %s", path)
            text = file.read(_MOST_FILE + 1)
        if len(text) > _MOST_FILE:
            raise ValueError(f"{os.fspath(path)} is too large for a key")
        try:
            return cls(_private(text))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            # The error of the parser may quote the key.
            message = f"{os.fspath(path)} has no private key that can sign requests"
        raise ValueError(message)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the key to a file that only its owner can read (0600), and replaces an older one as a whole."""
        to = Path(path).absolute()
        # mkstemp makes the file with the mode 0600.
        handle, temporary = tempfile.mkstemp(dir=to.parent, prefix=f".{to.name}.")
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                json.dump(self._written(), file)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(to)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _written(self) -> dict[str, str]:
        """Returns the JSON Web Key with its private part."""
        crypto, numbers = _crypto(), getattr(self._private, "private_numbers", None)
        if numbers is None:
            coding = crypto.serialization
            raw = self._private.private_bytes(
                coding.Encoding.Raw, coding.PrivateFormat.Raw, coding.NoEncryption()
            )
            return {**self._public, "d": _base64(raw)}
        own = numbers()
        if self.algorithm == _RSA:
            names = {"d": "d", "p": "p", "q": "q", "dp": "dmp1", "dq": "dmq1"}
            names["qi"] = "iqmp"
            secret = {name: _number(getattr(own, of)) for name, of in names.items()}
            return {**self._public, **secret}
        length = next(size for name, size in _EC.values() if name == self.algorithm)
        return {**self._public, "d": _number(own.private_value, length)}

    @property
    def public(self) -> dict[str, str]:
        """The public key as a JSON Web Key, for a directory; its `kid` is the thumbprint."""
        return dict(self._public)

    @property
    def thumbprint(self) -> str:
        """The thumbprint (RFC 7638) in base64url, which names the key in signatures."""
        return self._thumbprint

    def _sign(self, data: bytes) -> bytes:
        """Returns the signature in the form of RFC 9421."""
        crypto = _crypto()
        if self.algorithm == "ed25519":
            return bytes(self._private.sign(data))
        if self.algorithm == _RSA:
            return bytes(self._private.sign(data, *_rsa_form(self.algorithm)))
        hashing, length = _curve_form(self.algorithm)
        der = self._private.sign(data, crypto.ec.ECDSA(hashing))
        return b"".join(
            part.to_bytes(length) for part in crypto.utils.decode_dss_signature(der)
        )

    def __repr__(self) -> str:
        return f"<Key {self.algorithm} {self._thumbprint}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Key is not pickled or copied: it holds a secret")


def thumbprint(jwk: dict[str, str]) -> str:
    """Returns the thumbprint of a JSON Web Key (RFC 7638). Raises ValueError if it lacks a member."""
    must_be(dict, jwk, "jwk")
    digest = _thumbprints(json.dumps({"keys": [jwk]}).encode())[0]
    if digest is None:
        raise ValueError("the key lacks a member, or its type is not known")
    return _base64(digest)


def fits(
    members: tuple[tuple[str, str], ...],
    algorithm: str,
    signature: bytes,
    data: bytes,
) -> str:
    """Verifies a signature. Returns `valid`, or why it is not: `wrong-signature` or `key-unusable`."""
    crypto = _crypto()
    try:
        public = _public(members)
    except (ValueError, KeyError, crypto.UnsupportedAlgorithm):
        return "key-unusable"
    try:
        if algorithm == "ed25519":
            public.verify(signature, data)
        elif algorithm.startswith("rsa"):
            public.verify(signature, data, *_rsa_form(algorithm))
        else:
            hashing, length = _curve_form(algorithm)
            if len(signature) != 2 * length:
                return "wrong-signature"
            halves = signature[:length], signature[length:]
            der = crypto.utils.encode_dss_signature(*map(int.from_bytes, halves))
            public.verify(der, data, crypto.ec.ECDSA(hashing))
    except (crypto.InvalidSignature, ValueError):
        return "wrong-signature"
    return "valid"


@lru_cache(maxsize=1)
def _crypto() -> ModuleType:
    """Returns what is used of the package cryptography, which is imported when it is needed."""
    made = ModuleType("cryptography in use")
    with needing("signatures need cryptography", "identity", "cryptography"):
        import cryptography  # noqa: F401
        from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import (
            ec,
            ed25519,
            padding,
            rsa,
            utils,
        )
    made.__dict__.update(
        InvalidSignature=InvalidSignature,
        UnsupportedAlgorithm=UnsupportedAlgorithm,
        ec=ec,
        ed25519=ed25519,
        hashes=hashes,
        padding=padding,
        rsa=rsa,
        serialization=serialization,
        utils=utils,
    )
    return made


def check_installed() -> None:
    """Raises ImportError with what to install, if the cryptography is missing."""
    _crypto()


def _described(private: object) -> tuple[str, dict[str, str]]:
    """Returns the algorithm of a private key, and the members of its public key."""
    crypto = _crypto()
    if isinstance(private, crypto.ed25519.Ed25519PrivateKey):
        raw = private.public_key().public_bytes_raw()
        return "ed25519", {"kty": "OKP", "crv": "Ed25519", "x": _base64(raw)}
    if isinstance(private, crypto.ec.EllipticCurvePrivateKey):
        numbers = private.public_key().public_numbers()
        name = {"secp256r1": "P-256", "secp384r1": "P-384"}.get(private.curve.name)
        if name is not None:
            algorithm, length = _EC[name]
            x, y = (_number(each, length) for each in (numbers.x, numbers.y))
            return algorithm, {"kty": "EC", "crv": name, "x": x, "y": y}
    if isinstance(private, crypto.rsa.RSAPrivateKey) and private.key_size in _RSA_BITS:
        numbers = private.public_key().public_numbers()
        n, e = _number(numbers.n), _number(numbers.e)
        return _RSA, {"kty": "RSA", "n": n, "e": e, "alg": _RSA}
    raise ValueError("a key is Ed25519, P-256, P-384, or RSA of 2048 to 8192 bits")


def _private(text: bytes) -> object:
    """Reads a private key: PEM, or a JSON Web Key."""
    crypto = _crypto()
    if text.lstrip().startswith(b"-----"):
        return crypto.serialization.load_pem_private_key(text, None)
    jwk = json.loads(text)
    secret = {name: _bytes(value) for name, value in jwk.items() if name in _SECRET}
    if jwk["kty"] == "OKP" and jwk["crv"] == "Ed25519":
        return crypto.ed25519.Ed25519PrivateKey.from_private_bytes(secret["d"])
    members = tuple((name, jwk[name]) for name in _NAMES if name in jwk)
    numbers = _public(members).public_numbers()
    value = {name: int.from_bytes(part) for name, part in secret.items()}
    if jwk["kty"] == "EC":
        return crypto.ec.EllipticCurvePrivateNumbers(value["d"], numbers).private_key()
    names = ("p", "q", "d", "dp", "dq", "qi")
    own = crypto.rsa.RSAPrivateNumbers(*(value[name] for name in names), numbers)
    return own.private_key()


_NAMES = ("kty", "crv", "x", "y", "n", "e")
_SECRET = ("d", "p", "q", "dp", "dq", "qi")


@lru_cache(maxsize=256)
def _public(members: tuple[tuple[str, str], ...]) -> Any:
    """Returns the public key with these members of a JSON Web Key."""
    crypto, jwk = _crypto(), dict(members)
    if jwk["kty"] == "OKP":
        return crypto.ed25519.Ed25519PublicKey.from_public_bytes(_bytes(jwk["x"]))
    if jwk["kty"] == "EC":
        curve = {"P-256": crypto.ec.SECP256R1, "P-384": crypto.ec.SECP384R1}[jwk["crv"]]
        x, y = (int.from_bytes(_bytes(jwk[name])) for name in "xy")
        return crypto.ec.EllipticCurvePublicNumbers(x, y, curve()).public_key()
    e, n = (int.from_bytes(_bytes(jwk[name])) for name in "en")
    if n.bit_length() not in _RSA_BITS:
        raise ValueError("the length of the key is not accepted")
    return crypto.rsa.RSAPublicNumbers(e, n).public_key()


def _rsa_form(algorithm: str) -> tuple[Any, Any]:
    """Returns padding and hash of an RSA algorithm."""
    crypto = _crypto()
    if algorithm == _RSA:
        hashing = crypto.hashes.SHA512()
        masking = crypto.padding.MGF1(hashing)
        return crypto.padding.PSS(masking, hashing.digest_size), hashing
    return crypto.padding.PKCS1v15(), crypto.hashes.SHA256()


def _curve_form(algorithm: str) -> tuple[Any, int]:
    """Returns the hash of an algorithm with a curve, and the length of a number in its signatures."""
    hashes = _crypto().hashes
    if algorithm == "ecdsa-p256-sha256":
        return hashes.SHA256(), 32
    return hashes.SHA384(), 48


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _number(value: int, length: int | None = None) -> str:
    return _base64(value.to_bytes(length or (value.bit_length() + 7) // 8))


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


def digest(data: bytes) -> bytes:
    """Returns the SHA-256 digest."""
    return hashlib.sha256(data).digest()
