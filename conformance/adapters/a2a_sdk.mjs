// The adapter of @a2a-js/sdk, the official SDK of the Agent2Agent Protocol for JavaScript.

import { documentOf, load, serve, versionOf } from "./lines.mjs";

const { AgentCard, canonicalizeAgentCard, verifyAgentCardSignature } = load("@a2a-js/sdk");

function cardOf(request) {
    return AgentCard.fromJSON(JSON.parse(documentOf(request)));
}

function parse(request) {
    let card;
    try {
        card = cardOf(request);
    } catch {
        return { error: {} };
    }
    const skills = card.skills.map((skill) => ({ id: skill.id }));
    return { model: skills.length > 0 ? { capabilities: skills } : {} };
}

function canonical(request) {
    return { text: canonicalizeAgentCard(cardOf(request)) };
}

async function signedCard(request) {
    const verify = verifyAgentCardSignature(async (kid) => {
        const key = request.keys.keys.find((each) => each.kid === kid);
        if (key === undefined) throw new Error(`unknown key ${kid}`);
        return key;
    });
    try {
        await verify(cardOf(request));
    } catch {
        return { valid: false };
    }
    return { valid: true };
}

const functions = { parse, canonical, "signed-card": signedCard };
await serve("@a2a-js/sdk", versionOf("@a2a-js/sdk"), functions, ["a2a-agent-card"]);
