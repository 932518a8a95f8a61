// The adapter of @a2a-js/sdk, the official SDK of the Agent2Agent Protocol for JavaScript.

import { documentOf, load, serve, versionOf } from "./lines.mjs";

const { AgentCard, canonicalizeAgentCard } = load("@a2a-js/sdk");

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

await serve("@a2a-js/sdk", versionOf("@a2a-js/sdk"), { parse, canonical }, ["a2a-agent-card"]);
