/** A dropped folder, checked as a site. Loaded when the first one is dropped. */

import { type Report, checkSite } from "../dist/readiness/index.js";
import { use } from "../dist/engine.js";
import wasm from "../dist/readiness.wasm?url";

const module = await WebAssembly.compileStreaming(fetch(wasm));
use("readiness", () => module);

/** The most files of a folder that are read, and the bytes of each. */
const [MOST_FILES, MOST_BYTES] = [5000, (1 << 20) + 1];
/** Folders that no host serves. */
const SKIPPED = new Set(["node_modules", ".git"]);

/** The files of a folder by their paths in it. */
async function filesOf(folder: FileSystemDirectoryEntry): Promise<{ [path: string]: Uint8Array }> {
  const files: { [path: string]: Uint8Array } = {};
  const waiting: [string, FileSystemDirectoryEntry][] = [["", folder]];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, entries] = next;
    const reader = entries.createReader();
    const read = () => new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    // A reader gives some entries at a time, and none at the end.
    for (let some = await read(); some.length > 0; some = await read()) {
      for (const entry of some) {
        if (entry.isDirectory && !SKIPPED.has(entry.name)) waiting.push([`${path}${entry.name}/`, entry as FileSystemDirectoryEntry]);
        if (!entry.isFile) continue;
        if (++count > MOST_FILES) throw new RangeError(`The folder has more than ${MOST_FILES} files.`);
        const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
        files[path + entry.name] = new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer());
      }
    }
  }
  return files;
}

/** Checks a folder. */
export async function checkFolder(folder: FileSystemDirectoryEntry): Promise<Report> {
  return checkSite(await filesOf(folder));
}
