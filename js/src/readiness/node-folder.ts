/** The files of a folder of this machine. */

import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { getSystemErrorMap } from "node:util";
import type { Files } from "./hosts.js";

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Opens a folder, or of its `.well-known` the one around it; undefined if there is none of this name. */
export function openFolder(name: string): { readonly target: string; readonly files: Files } | undefined {
  const path = plain(name);
  if (name.includes("\0") || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const target = path === ".well-known" ? "." : path.endsWith(`${sep}.well-known`) ? plain(path.slice(0, -".well-known".length)) : path;
  return { target, files: filesOf(target) };
}

/** A path without what names no folder, as the Python package shows it. */
function plain(path: string): string {
  const parts = path.split(sep).filter((part) => part !== "" && part !== ".");
  const start = path.startsWith("//") && !path.startsWith("///") && sep === "/" ? "//" : path.startsWith(sep) ? sep : "";
  return start + parts.join(sep) || ".";
}

function filesOf(folder: string): Files {
  const root = realpathSync(folder);
  const inside = root.endsWith(sep) ? root : root + sep;
  return {
    has(path) {
      try {
        const file = realpathSync(join(root, path));
        return file.startsWith(inside) && isFile(file);
      } catch {
        return false;
      }
    },
    read(path, most) {
      const file = join(folder, path);
      try {
        return isFile(file) ? bytes(file, most) : undefined;
      } catch (problem) {
        const { errno = 0, message } = problem as NodeJS.ErrnoException;
        const said = getSystemErrorMap().get(errno)?.[1] ?? message;
        return said.charAt(0).toUpperCase() + said.slice(1);
      }
    },
  };
}

/** The first bytes of a file. */
function bytes(path: string, most: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const data = new Uint8Array(Math.min(most, statSync(path).size));
    let length = 0;
    while (length < data.length) {
      const read = readSync(file, data, length, data.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return data.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
