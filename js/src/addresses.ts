/** Hosts and addresses: which of them are on the public Internet. */

/** IPv4 networks that are not public (RFC 6890), and the platform service of Azure. */
const SPECIAL = (
  [
    ...([["0.0.0.0", 8], ["10.0.0.0", 8], ["100.64.0.0", 10], ["127.0.0.0", 8], ["168.63.129.16", 32], ["169.254.0.0", 16], ["172.16.0.0", 12]] as const),
    ...([["192.0.0.0", 24], ["192.0.2.0", 24], ["192.88.99.0", 24], ["192.168.0.0", 16], ["198.18.0.0", 15], ["198.51.100.0", 24]] as const),
    ...([["203.0.113.0", 24], ["224.0.0.0", 4], ["240.0.0.0", 4]] as const),
  ] as const
).map(([network, length]) => [numberOf(network)!, 2 ** (32 - length)] as const);

/** Last labels of names for one machine or network, or of names that are not in the public DNS. */
const LOCAL = new Set(["alt", "corp", "home", "internal", "intranet", "lan", "local", "localdomain", "localhost", "onion", "private", "test"]);

/** An IPv4 address as a number; undefined for any other text. */
function numberOf(address: string): number | undefined {
  const all = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number);
  return all?.every((part) => part < 256) ? all.reduce((sum, part) => sum * 256 + part, 0) : undefined;
}

/** The eight parts of an IPv6 address; undefined for any other text. */
function partsOf(address: string): number[] | undefined {
  if (!address.includes(":") || !URL.canParse(`http://[${address}]`)) return undefined;
  // In its usual spelling, without a dotted end.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const read = (side: string) => (side === "" ? [] : side.split(":").map((part) => parseInt(part, 16)));
  const [first, last] = [read(head), read(tail ?? "")];
  return tail === undefined ? first : [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** Whether an address is on the public Internet. One that contains an IPv4 address is public only if that is. */
export function isPublic(given: string): boolean {
  const address = given.split("%")[0]!;
  const number = numberOf(address);
  if (number !== undefined) return !SPECIAL.some(([network, size]) => Math.floor(number / size) === network / size);
  const all = partsOf(address);
  if (all === undefined) return false;
  const inside = (high: number, low: number) => isPublic([high >> 8, high & 255, low >> 8, low & 255].join("."));
  const begins = (...prefix: number[]) => prefix.every((part, at) => all[at] === part);
  if (begins(0, 0, 0, 0, 0, 0xffff) || begins(0x64, 0xff9b, 0, 0, 0, 0)) return inside(all[6]!, all[7]!);
  const [first, second] = all as [number, number];
  // Protocols, documentation.
  const isSpecial = (first === 0x2001 && (second < 0x200 || second === 0xdb8)) || (first === 0x3fff && second < 0x1000);
  if ((first & 0xe000) !== 0x2000 || isSpecial) return false;
  return first !== 0x2002 || inside(second, all[2]!);
}

/** The host of a URL, without brackets. */
export const hostOf = (url: string | URL): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

/** Whether a host itself shows that it is not on the public Internet: a private address, or a name for local networks. Other names may resolve to private addresses as well. */
export function isLocal(host: string): boolean {
  if (host.includes(":") || numberOf(host) !== undefined) return !isPublic(host);
  const labels = host.replace(/\.+$/, "").split(".");
  return labels.length < 2 || LOCAL.has(labels.at(-1)!) || labels.slice(-2).join(".") === "home.arpa";
}

const SAME_MACHINE = new Set(["localhost", "127.0.0.1", "::1"]);

/** Whether secrets may go to a URL without TLS: only to the usual names of this machine. A name below `localhost` may resolve to another one. */
export const isSameMachine = (url: string): boolean => URL.canParse(url) && SAME_MACHINE.has(hostOf(url));
