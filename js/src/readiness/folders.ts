/** What opens folders: only Node has some. */

import type { Files } from "./hosts.js";

/** Opens a folder; undefined if there is none of this name. */
type Open = (name: string) => { readonly target: string; readonly files: Files } | undefined;

let open: Open = () => undefined;

/** Sets what opens folders. */
export function useFolders(own: Open): void {
  open = own;
}

export const opened: Open = (name) => open(name);
