/**
 * Labelled texts for the detectors: `[[kind:…]]` marks what is to be found. They were written for this purpose, in the
 * styles of answers, logs, e-mails and tables; the detectors were written beside them, so they show what is known to
 * work rather than what share of unknown texts does.
 */
import type { Finding } from '../../src/detect/finding.ts';

/** Letters and digits that are part of no real key. */
const FILLER = '0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T';
const filler = (length: number): string => FILLER.slice(0, length);

const EMAILS = [
  'Write to [[email:anna@example.com]] today.',
  'Contact: [[email:max.mustermann+test@mail.example.co.uk]]; she answers soon',
  '<[[email:support@shop-24.example.org]]>',
  '"[[email:o_neil%sales@example.museum]]"',
  'mailto:[[email:info@example.de]]?subject=Hi',
  'Отправьте письмо на [[email:иван@пример.рф]] сегодня',
  '{"to":"[[email:a@b.io]]","cc":null}',
  'Both [[email:x1@example.com]] and [[email:x2@example.com]].',
  '[[email:first.last@sub.domain.example.com]], who is on leave',
  '| Name | Mail |\n| Bo | [[email:bo@example.se]] |',
  'from=[[email:no-reply@accounts.example.com]] size=1024',
  'e-mail:[[email:UPPER@EXAMPLE.COM]]',
];
const NO_EMAILS = [
  'Meet me @home at 5.',
  'The handle @touchstone is taken.',
  'npm install @touchstone/otel@1.2.3',
  'user@localhost has no domain',
  'a @ b . com',
  'git@ is not complete',
  'f(x)@y',
  '5 kg @ 3.50 each',
  'https://example.com/@anna/posts',
  '@media (min-width: 40em) { }',
];
const PHONES = [
  'Call [[phone:+49 30 901820]] now.',
  'Tel. [[phone:+1 (555) 010-9999]]',
  'From abroad [[phone:0049 30 5550123]].',
  'My number is [[phone:(555) 010-4477]].',
  'fax [[phone:555-010-4477]], ask for Jo',
  'Mobile: [[phone:0171/5550123]]',
  'Büro [[phone:030 901820]] oder [[phone:+49-170-5550123]]',
  'WhatsApp [[phone:+447700900123]]!',
  'tel:[[phone:+33123456789]]',
  '[[phone:+81 3-5550-0123]] (Tokyo)',
  'Ring [[phone:020 7946 0958]] before noon',
  'Téléphone : [[phone:+33 1 99 00 12 34]].',
  'Chiamare [[phone:+39 06 5550 1234]]',
  '{"phone":"[[phone:+14155550123]]"}',
  'dial [[phone:415.555.0123]] today',
  'Appelez le [[phone:01 99 00 12 34]] svp',
];
const NO_PHONES = [
  'On 2024-05-06 at 10:30:00.',
  'Version 1.20.300.4000',
  'It costs 1,234,567.89 dollars.',
  'The server is 192.168.100.200.',
  'Order 4711081508 has shipped.',
  'It took 0.123456789 seconds.',
  'Between 1990-2000 there were 12345678 visitors.',
  'uuid 7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
  'ISBN 978-3-16-148410-0',
  'pi is 3.14159265358979',
  '+5 points, +10 more',
  'Room 030 is on floor 3',
  'timestamp 1769860800000 ms',
  '2024-05-06T10:30:00+02:00',
  '12:30:45 - 13:30:45',
  'The range 100-200-3000 is odd',
  'id 00112233-4455-8677-8899-aabbccddeeff',
  'in the year +2999-01-31',
];
const CARDS = [
  'Paid with [[card:4111 1111 1111 1111]].',
  'card=[[card:5555555555554444]]&cvc=123',
  'Amex [[card:3782 822463 10005]]',
  '[[card:6011-1111-1111-1117]] was declined',
  'JCB [[card:3530111333300000]].',
  'Diners: [[card:30569309025904]]',
  'new Mastercard [[card:2223 0031 2200 3222]]',
  'UnionPay [[card:6200000000000005]]',
  '{"pan":"[[card:4242424242424242]]","exp":"12/30"}',
  'old Visa [[card:4222222222222]]',
];
const NO_CARDS = [
  'Order 4111 1111 1111 1112 is late.',
  'Tracking 1234567890123456',
  'id 9999999999999995',
  'trace 5b8aa5a2d2c872e8321cf37308d69df2',
  'at 1769860800000 and 1769860800001',
  '4.111111111111111',
  'digits 41111111111111111111111111111111',
  'number 5555-5555',
  'account 0000 0000 0000 0000',
  '3141592653589793 is pi without its point',
];
const IBANS = [
  'Pay to [[iban:DE89 3704 0044 0532 0130 00]], please.',
  'IBAN: [[iban:GB29NWBK60161331926819]]',
  '[[iban:FR14 2004 1010 0505 0001 3M02 606]] is ours',
  'iban [[iban:nl91abna0417164300]] ok',
  'ES: [[iban:ES9121000418450200051332]].',
  'Konto [[iban:CH93 0076 2011 6238 5295 7]] bei der Bank',
  '[[iban:AT611904300234573201]]; [[iban:BE68539007547034]]',
  'Norge [[iban:NO93 8601 1117 947]] takk',
  '"[[iban:IT60X0542811101000000123456]]"',
  'przelew: [[iban:PL61109010140000071219812874]]',
];
const NO_IBANS = [
  'DE89 3704 0044 0532 0130 01 has a wrong digit.',
  'Part AB12CDEFGHIJKLMNOP',
  'Flight LH12 3456789 0123456 leaves',
  'XX89370400440532013000',
  'commit de89370400440532013000aabbcc',
  'GB29 is short',
  'The VAT id DE123456789',
  'room at20 with people 12345',
];
const SECRETS = [
  `OPENAI_API_KEY=[[secret:sk-proj-${filler(40)}]]`,
  `key [[secret:sk-ant-api03-${filler(40)}]] leaked`,
  `The access key is [[secret:AKIAIOSFODNN7EXAMPLE]].`,
  `token: [[secret:ghp_${filler(36)}]]`,
  `[[secret:github_pat_${filler(30)}]]`,
  `slack [[secret:xoxb-${filler(30)}]]`,
  `[[secret:AIza${filler(35)}]] for maps`,
  `[[secret:sk_live_${filler(24)}]]`,
  `secret [[secret:whsec_${filler(40)}]]`,
  `[[secret:glpat-${filler(20)}]]`,
  `Authorization: Bearer [[secret:${filler(32)}]]`,
  'jwt [[secret:eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLW9mLW5vdGhpbmc]] end',
  '[[secret:-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAKj34Gkx\n-----END RSA PRIVATE KEY-----]]',
  'password=[[secret:hunter2hunter2]] in the log',
  '{"api_key": "[[secret:q7w8e9r0t1]]"}',
  `client_secret: '[[secret:${filler(20)}]]'`,
  `HF_TOKEN [[secret:hf_${filler(34)}]]`,
  `[[secret:npm_${filler(36)}]]`,
  `[[secret:sk_${filler(12)}_${filler(40)}abc]] of Touchstone`,
];
const NO_SECRETS = [
  'The password: change it every year.',
  'Enter your password and press return.',
  'api_key: your-key-here',
  'sk-learn is a library',
  'Bearer bonds are securities.',
  'eyJ is how they begin',
  'secret: the recipe',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  'commit 5b8aa5a2d2c872e8321cf37308d69df2aabbccdd',
  'password: ********',
  'const password = readPassword2(stdin);',
  'secret: z.string().min(12).max(64),',
  'id 7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
  'task-based and risk-free, desk-top',
];
const ORDINARY = [
  'Within 30 days you can return a chair for 45.50 euros.',
  'The capital of France is Paris; it has 2,102,650 inhabitants (2023).',
  '| 2024 | 1,000 | 12 % |\n| 2025 | 1,200 | 14 % |',
  'function add(a: number, b: number) { return a + b; } // 1 + 2 = 3',
  'Call me Ishmael. Some years ago – never mind how long precisely –',
  '日本の首都は東京です。人口は約1400万人です。',
  'See https://example.com/a/b?id=123456789012&page=2#top',
  'HTTP/1.1 200 OK\ncontent-length: 1234567890',
];

/** Texts without their marks, with what is to be found. */
export const LABELLED: readonly { text: string; expected: Finding[] }[] = [
  ...EMAILS,
  ...NO_EMAILS,
  ...PHONES,
  ...NO_PHONES,
  ...CARDS,
  ...NO_CARDS,
  ...IBANS,
  ...NO_IBANS,
  ...SECRETS,
  ...NO_SECRETS,
  ...ORDINARY,
].map(unmarked);

function unmarked(marked: string): { text: string; expected: Finding[] } {
  let text = '';
  const expected: Finding[] = [];
  for (const [, before = '', kind, value = ''] of marked.matchAll(/([^]*?)(?:\[\[(\w+):([^]*?)\]\]|$)/g)) {
    text += before;
    if (kind !== undefined)
      expected.push({ kind: kind as Finding['kind'], start: text.length, end: text.length + value.length });
    text += value;
  }
  return { text, expected };
}
