/** Bytes as base64url. */
export const base64url = (bytes: Uint8Array): string => base64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** Bytes as base64. */
export function base64(bytes: Uint8Array): string {
  let text = "";
  for (const each of bytes) text += String.fromCharCode(each);
  return btoa(text);
}
