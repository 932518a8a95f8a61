// The adapter of this project's npm package, built in `js/`.

import { readFileSync } from "node:fs";
import * as identity from "../../js/dist/identity.node.js";
import * as agentsdisc from "../../js/dist/index.node.js";
import { documentOf, serve } from "./lines.mjs";

function optionsOf({ options = {}, format }) {
    const { url, content_type: contentType, limits } = options;
    return { url, contentType, limits, format: options.format ?? format ?? undefined };
}

const parsed = (request) => agentsdisc.parse(documentOf(request), optionsOf(request));

function detect(request) {
    const { url, contentType } = optionsOf(request);
    return { format: agentsdisc.detect(documentOf(request), { url, contentType }) };
}

function parse(request) {
    try {
        return { model: JSON.parse(parsed(request).json()) };
    } catch (error) {
        if (!(error instanceof agentsdisc.ParseError)) throw error;
        const { kind, offset, line, column } = error;
        return { error: { kind, offset, line, column } };
    }
}

function check(request) {
    const found = parsed(request).check({ origin: request.options.origin });
    return { diagnostics: found.map(({ code, severity, line, column }) => ({ code, severity, line, column })) };
}

const rulesOf = (request) => agentsdisc.robots(documentOf(request), { limits: request.options?.limits });

function robots(request) {
    const { allowed, rule } = rulesOf(request).decide(request.agent, request.url);
    return { allowed, line: rule?.line ?? null };
}

function preferences(request) {
    const answer = rulesOf(request).preference(request.agent, request.url, request.purpose);
    return { preference: answer.preference, line: answer.statement?.line ?? null };
}

function policy(request) {
    const stated = request.robots;
    const robots = stated instanceof Object ? agentsdisc.robots(documentOf(stated)) : (stated ?? undefined);
    const { content_usage: contentUsage, ...asked } = request.question;
    return agentsdisc.decide(request.documents.map(parsed), { robots, contentUsage, ...asked });
}

async function signedRequest({ method, url, headers, keys, now, longest }) {
    const { valid, reason } = await identity.verify({ method, url, headers }, { keys, now, longest: longest ?? undefined });
    return { valid, reason };
}

const { version } = JSON.parse(readFileSync(new URL("../../js/package.json", import.meta.url), "utf8"));
await serve("agentsdisc (JavaScript)", version, { detect, parse, check, robots, preferences, policy, "signed-request": signedRequest }, undefined, {
    model: "whole",
});
