/** Headers that a proxy adds to what it passes on. */
const FORWARDING = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;

/** Whether a request came through a proxy, by headers whose names are in lower case: then loopback is not ours alone. */
export function isForwarded(headers: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(headers).some((name) => FORWARDING.test(name));
}
