import { type Detector, matchesOf, type TextRange } from './finding.ts';

/** Forms of keys and tokens that their issuers document. */
const FORMS = [
  'sk-(?:proj-|svcacct-|admin-|ant-(?:api|admin)\\d\\d-|or-v1-)?[\\w-]{20,200}', // OpenAI, Anthropic, OpenRouter
  '(?:sk|rk|pk)_(?:live|test)_[A-Za-z\\d]{16,200}', // Stripe
  'sk_[A-Za-z\\d]{12}_[A-Za-z\\d]{43}', // Touchstone
  'whsec_[A-Za-z\\d+/=]{24,100}', // Standard Webhooks
  '(?:AKIA|ASIA)[A-Z\\d]{16}', // AWS
  'AIza[\\w-]{35}', // Google
  'ya29\\.[\\w-]{20,400}',
  'gh[pousr]_[A-Za-z\\d]{36,255}', // GitHub
  'github_pat_\\w{22,255}',
  'glpat-[\\w-]{20,100}', // GitLab
  'xox[abeoprs]-[\\w-]{10,250}', // Slack
  'xapp-\\d-[\\w-]{20,250}',
  'hf_[A-Za-z\\d]{30,100}', // Hugging Face
  'gsk_[A-Za-z\\d]{40,100}', // Groq
  'r8_[A-Za-z\\d]{30,60}', // Replicate
  'pplx-[A-Za-z\\d]{40,100}', // Perplexity
  'npm_[A-Za-z\\d]{36}',
  'pypi-[\\w-]{50,400}',
  'dop_v1_[a-f\\d]{64}', // DigitalOcean
  'shp(?:at|ca|pa|ss)_[a-fA-F\\d]{32}', // Shopify
  'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}', // SendGrid
  'eyJ[\\w-]{8,4000}\\.eyJ[\\w-]{8,4000}\\.[\\w-]{8,1000}', // JSON Web Tokens
];
const KNOWN = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${FORMS.join('|')})(?![\\p{L}\\p{N}_-])`, 'gu');
/**
 * Ends before the next dashes, so that many beginnings without an end are not searched again and again. A key that is
 * truncated by the end of the text counts too.
 */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z\d]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!-)){1,20000}(?:-----END (?:[A-Z\d]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|-{0,5}$)/g;
/** Matches a value that is named as a secret, such as `password=…`, `"api_key": "…"` or `Bearer …`. */
const NAMED =
  /(?<![\p{L}\p{N}<])(?:(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|client[_-]?secret)["']?\s?[:=]\s?["']?|bearer )([^\s"'`,;<>(){}[\]]{8,200}?)(?=[\s"'`,;<>]|&[\w.-]{1,40}=|$)/giu;
/** Matches the credentials of a header, such as `Authorization: Basic …`. */
const HEADER =
  /(?<![\p{L}\p{N}])authorization["']?\s?[:=]\s?["']?(?:basic|digest|token|apikey) ([^\s"'`,;<>(){}[\]]{4,400})/giu;
/** Matches the password in a URL, such as `postgres://user:password@host`. */
const IN_URL = /(?<=[a-z\d]:\/\/[^\s:/@<>"']{0,64}:)[^\s:/@<>"']{3,200}(?=@[\p{L}\p{N}[])/gu;

export const secrets: Detector = function* (text): Generator<TextRange> {
  yield* matchesOf(text, KNOWN);
  if (text.includes('PRIVATE KEY')) yield* matchesOf(text, PRIVATE_KEY);
  for (const { end, match } of matchesOf(text, NAMED)) {
    const value = match[1] as string;
    if (isRandom(value)) yield { start: end - value.length, end };
  }
  for (const { end, match } of matchesOf(text, HEADER))
    yield { start: end - (match[1] as string).length, end };
  if (text.includes('://')) yield* matchesOf(text, IN_URL);
};

/** Reports whether a value mixes letters and digits, as words and numbers do not. */
const isRandom = (value: string): boolean =>
  /\p{L}/u.test(value) && /\d/.test(value) && /^[\p{L}\p{N}+/_.!-]/u.test(value);

const SECRET_NAME =
  /(?:^|[._-])(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|client[_-]?secret|(?:proxy-)?authorization|(?:set-)?cookie)$/i;
const CAMEL = /([a-z])([A-Z])/g;

/** Reports whether a field of this name contains a secret: `apiKey`, `http.request.header.authorization`. */
export const isSecretName = (name: string): boolean =>
  name.length <= 200 && SECRET_NAME.test(name.replace(CAMEL, '$1_$2'));
