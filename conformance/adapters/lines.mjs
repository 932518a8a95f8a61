// What the adapters in JavaScript share: reads requests, and writes the answers of their functions.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// What a library prints is no answer.
console.log = console.info = console.debug = console.error;

const require = createRequire(`${process.cwd()}/`);

/** Returns the bytes of the document of a request. */
export function documentOf(request) {
    return request.path === undefined
        ? Buffer.from(request.document, "base64")
        : readFileSync(request.path);
}

/** Loads a package that is installed in the current folder. */
export function load(name) {
    return require(name);
}

/** Returns the version of a package that is installed in the current folder. */
export function versionOf(name) {
    return JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
}

/**
 * Answers requests until the input ends. A function returns the result of its task; undefined leaves the case
 * out.
 */
export async function serve(name, version, functions, formats, claims = {}) {
    const hello = { name, version, tasks: Object.keys(functions), formats, ...claims };
    for await (const line of createInterface({ input: process.stdin })) {
        const request = JSON.parse(line);
        let said;
        if (request.task === "hello") {
            said = { result: hello };
        } else {
            try {
                const result = await functions[request.task](request);
                said = result === undefined ? { skip: "not offered" } : { result };
            } catch (error) {
                said = { error: String(error) };
            }
        }
        process.stdout.write(`${JSON.stringify({ id: request.id, ...said })}\n`);
    }
}
