import { type Detector, matchesOf, type Place } from './finding.ts';

/** Forms of keys and tokens that their issuers document. */
const FORMS = [
  'sk-(?:proj-|svcacct-|admin-|ant-(?:api|admin)\\d\\d-|or-v1-)?[\\w-]{20,200}', // OpenAI, Anthropic, OpenRouter
  '(?:sk|rk|pk)_(?:live|test)_[A-Za-z\\d]{16,200}', // Stripe
  'sk_[A-Za-z\\d]{12}_[A-Za-z\\d]{43}', // Touchstone
  'whsec_[A-Za-z\\d+/=]{24,100}', // Standard Webhooks
  '(?:AKIA|ASIA)[A-Z\\d]{16}', // AWS
  'AIza[\\w-]{35}', // Google
  'gh[pousr]_[A-Za-z\\d]{36,255}', // GitHub
  'github_pat_\\w{22,255}',
  'glpat-[\\w-]{20,100}', // GitLab
  'xox[abeoprs]-[\\w-]{10,250}', // Slack
  'hf_[A-Za-z\\d]{30,100}', // Hugging Face
  'npm_[A-Za-z\\d]{36}',
  'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}', // SendGrid
  'eyJ[\\w-]{8,4000}\\.eyJ[\\w-]{8,4000}\\.[\\w-]{8,1000}', // JSON Web Tokens
];
const KNOWN = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${FORMS.join('|')})(?![\\p{L}\\p{N}_-])`, 'gu');
/** Ends before the next dashes, so that many beginnings without an end are not searched again and again. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z\d]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!-)){1,20000}-----END (?:[A-Z\d]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** Matches a value that is named as a secret, such as `password=…`, `"api_key": "…"` or `Bearer …`. */
const NAMED =
  /(?<![\p{L}\p{N}])(?:(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|client[_-]?secret)["']?\s?[:=]\s?["']?|bearer )([^\s"'`,;<>(){}[\]]{8,200})(?![(){}[\]])/giu;

export const secrets: Detector = function* (text): Generator<Place> {
  yield* matchesOf(text, KNOWN);
  if (text.includes('PRIVATE KEY')) yield* matchesOf(text, PRIVATE_KEY);
  for (const { end, match } of matchesOf(text, NAMED)) {
    const value = match[1] as string;
    if (isRandom(value)) yield { start: end - value.length, end };
  }
};

/** Reports whether a value mixes letters and digits, as words and numbers do not. */
const isRandom = (value: string): boolean =>
  /\p{L}/u.test(value) && /\d/.test(value) && /^[\p{L}\p{N}+/_.!-]/u.test(value);
