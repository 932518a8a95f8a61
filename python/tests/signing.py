"""A signed A2A card, for the tests of `agentsdisc.verify`."""

import json

from agentsdisc import verify
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.api_jws import PyJWS

# The card that the A2A SDK for Python signs in its own tests, and the bytes that it expects.
CARD = {
    "name": "Test Agent",
    "description": "A test agent",
    "supportedInterfaces": [
        {"url": "http://localhost", "protocolBinding": "HTTP+JSON"}
    ],
    "version": "1.0.0",
    "capabilities": {"pushNotifications": True},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "iconUrl": "",
    "skills": [
        {
            "id": "skill1",
            "name": "Test Skill",
            "description": "A test skill",
            "tags": ["test"],
        }
    ],
}
SDK_BYTES = (
    b'{"capabilities":{"pushNotifications":true},'
    b'"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],'
    b'"description":"A test agent","name":"Test Agent",'
    b'"skills":[{"description":"A test skill","id":"skill1","name":"Test Skill","tags":["test"]}],'
    b'"supportedInterfaces":[{"protocolBinding":"HTTP+JSON","url":"http://localhost"}],'
    b'"version":"1.0.0"}'
)
KEY = ec.generate_private_key(ec.SECP256R1())


def signed(covered: bytes, key=KEY, algorithm="ES256", **header) -> dict[str, str]:
    """Signs bytes, and returns the object for `signatures`."""
    token = PyJWS().encode(
        covered, key, algorithm, {"typ": "JOSE", "kid": "key-1", **header}
    )
    protected, _, signature = token.split(".")
    return {"protected": protected, "signature": signature}


def with_signatures(*signatures: dict[str, str], **members) -> bytes:
    return json.dumps({**CARD, **members, "signatures": list(signatures)}).encode()


def public(kid: str | None, jku: str | None):
    return KEY.public_key() if kid == "key-1" else None


def only(card: bytes, keys=public, **options) -> verify.SignatureCheck:
    (check,) = verify.verify_card(card, keys, **options).signatures
    return check


def sdk_card(**members) -> dict:
    """Returns a card as the A2A SDK for Python signs and writes it."""
    from a2a.types import AgentCard
    from a2a.utils.signing import create_agent_card_signer
    from google.protobuf.json_format import MessageToDict, ParseDict

    header = {"alg": "ES256", "kid": "key-1", "typ": "JOSE", "jku": None}
    sign = create_agent_card_signer(KEY, header)
    return MessageToDict(sign(ParseDict({**CARD, **members}, AgentCard())))


def scheme(kind: str, **members) -> dict:
    return {kind: members}


def flow(kind: str, **members) -> dict:
    return scheme("oauth2SecurityScheme", flows={kind: members})


TOKEN = "https://a.example/token"
SCHEMES = {
    "key in a header": scheme("apiKeySecurityScheme", location="header", name="X-Key"),
    "key in the query": scheme("apiKeySecurityScheme", location="query", name="key"),
    "key in a cookie": scheme("apiKeySecurityScheme", location="cookie", name="key"),
    "bearer": scheme("httpAuthSecurityScheme", scheme="Bearer"),
    "basic": scheme("httpAuthSecurityScheme", scheme="Basic"),
    "http without a scheme": scheme("httpAuthSecurityScheme", scheme=""),
    "code": flow("authorizationCode", authorizationUrl=TOKEN, tokenUrl=TOKEN),
    "client": flow("clientCredentials", tokenUrl=TOKEN, scopes={}),
    "device": flow("deviceCode", deviceAuthorizationUrl=TOKEN, tokenUrl=TOKEN),
    "implicit": flow("implicit", authorizationUrl=TOKEN),
    "password": flow("password", tokenUrl=TOKEN),
    "flow without members": flow("clientCredentials"),
    "openid": scheme("openIdConnectSecurityScheme", openIdConnectUrl=TOKEN),
    "tls": scheme("mtlsSecurityScheme"),
}
EMPTY = {"schemes": {"o": {"list": []}}}
