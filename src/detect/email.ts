import { type Detector, matchesOf } from './finding.ts';

/** Matches addresses of the usual form, without quoted local parts and addresses of hosts without a domain. */
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}-])/gu;

export const emails: Detector = (text) => (text.includes('@') ? matchesOf(text, EMAIL) : []);
