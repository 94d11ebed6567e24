/** Bodies over HTTP: ingest in all its formats, and forms with files. */
import { Pool } from 'undici';
import { type IngestBody, eventsBody, jsonBody, protobufBody } from './bodies.ts';
import { Dice, seedOf } from './dice.ts';
import { otlpFaults, restErrorFaults } from './error-shape.ts';
import { type Kind, type Outcome, showBytes } from './kind.ts';
import { mutateBytes } from './mutate-bytes.ts';
import type { Site } from './site.ts';

interface Sent {
  method: 'POST';
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}
type Judge = (status: number, contentType: string, text: string) => string[];

const PATHS = {
  traces: ['/v1/traces', '/v0/otel/traces', '/v0/otel/v1/traces'],
  logs: ['/v1/logs'],
  metrics: ['/v1/metrics'],
  events: ['/v0/ingest'],
} as const;
const CONCURRENCY = 8;

export function httpKinds(site: Site): { kinds: Kind[]; close: () => Promise<void> } {
  const pool = new Pool(site.server.url, { connections: CONCURRENCY, pipelining: 1 });

  const send = async (
    { method, path, headers, body }: Sent,
    judge: Judge,
  ): Promise<Omit<Outcome, 'show'>> => {
    const response = await pool.request({
      method,
      path,
      headers: { ...site.own.headers, ...headers },
      body,
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const status = response.statusCode;
    const faults = judge(status, String(response.headers['content-type']), bytes.toString('utf8'));
    if (status >= 500 && status !== 503) faults.push(`an answer of ${status}`);
    if (bytes.includes(site.other.marker)) faults.push('it shows a text of another application');
    return { answer: String(status), faults };
  };

  const kind = (name: string, share: number, make: (dice: Dice) => { sent: Sent; judge: Judge }): Kind => ({
    name,
    share,
    concurrency: CONCURRENCY,
    run: async (seed, index) => {
      const { sent, judge } = make(new Dice(seedOf(seed, name, index)));
      const show = (): string =>
        `${sent.method} ${sent.path} ${JSON.stringify(sent.headers)} ${showBytes(sent.body)}`;
      try {
        return { ...(await send(sent, judge)), show };
      } catch (error) {
        return { answer: 'error', faults: [String(error)], show };
      }
    },
    check: site.check,
  });

  const kinds = [
    kind('HTTP protobuf', 8, (dice) => ingest(protobufBody(dice), dice)),
    kind('HTTP JSON', 4, (dice) => ingest(jsonBody(dice), dice)),
    kind('HTTP events', 4, (dice) => ingest(eventsBody(dice), dice)),
    kind('HTTP forms', 2, (dice) => ({ sent: form(dice, site.own.ids.quickstart), judge: rest })),
  ];
  return { kinds, close: () => pool.close() };
}

const rest: Judge = (status, contentType, text) =>
  status < 400 ? [] : restErrorFaults(status, contentType, text);

const ACCEPTED = new Set([200, 400, 413, 422]);

function ingest({ target, format, encoding, bytes }: IngestBody, dice: Dice): { sent: Sent; judge: Judge } {
  const contentType = format === 'json' ? 'application/json' : 'application/x-protobuf';
  const headers: Record<string, string> = { 'content-type': contentType };
  if (encoding !== 'identity' || dice.oneIn(4)) headers['content-encoding'] = encoding;
  if (target === 'events' && dice.oneIn(10)) headers['idempotency-key'] = `key-${dice.below(5)}`;
  const judge: Judge = (status, type, text) => {
    const isKnown = ACCEPTED.has(status) || (status === 409 && headers['idempotency-key'] !== undefined);
    const faults = isKnown ? [] : [`an answer of ${status}: ${text.slice(0, 300)}`];
    if (target === 'events') return [...faults, ...rest(status, type, text)];
    if (!type.startsWith(contentType)) faults.push(`a ${contentType} was answered as ${type}`);
    return format === 'json' ? [...faults, ...otlpFaults(status, text)] : faults;
  };
  return { sent: { method: 'POST', path: dice.pick(PATHS[target]), headers, body: bytes }, judge };
}

const FILES = [
  'title,content,input\nA,B,C\n',
  'input,output\n"How, long?","30\ndays"\n',
  '# A title\n\nSome text.\n',
  '\ufefftitle;content\r\n"a""b";c\r\n',
  '',
  'x'.repeat(20_000),
];
const FILE_NAMES = [
  'a.csv',
  'a.txt',
  'a.md',
  'a.exe',
  '',
  '../../a.csv',
  'a\u0000.csv',
  'ä😀.csv',
  `${'x'.repeat(400)}.csv`,
  'a".csv',
  'a.CSV',
];

/** A form for one of the uploads, mostly with something that no browser would send. */
function form(dice: Dice, quickstartId: string): Sent {
  const isDocument = dice.oneIn(2);
  const boundary = dice.pick(['----x', 'b', '-', 'a b', 'y'.repeat(70)]);
  const line = dice.oneIn(20) ? '\n' : '\r\n';
  const fields: [name: string, value: string][] = isDocument
    ? [
        ['type', dice.pick(['KNOWLEDGE', 'POLICY', 'x', ''])],
        ['title', 'T'],
        ['topicId', ''],
      ]
    : [
        ['quickstartId', dice.pick([quickstartId, 'x', ''])],
        ['materialType', dice.pick(['conversations', 'policy', 'x'])],
      ];
  if (dice.oneIn(5))
    fields.push([
      dice.pick(['__proto__', 'file', '', 'title', 'a[b]', 'constructor']),
      dice.pick(['', 'x', 'y'.repeat(17_000)]),
    ]);
  if (dice.oneIn(30)) for (let i = 0; i < 25; i++) fields.push([`f${i}`, 'x']);
  const parts = fields.map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"${line}${line}${value}`,
  );
  const file = [
    `Content-Disposition: form-data; name="${dice.pick(['file', 'file', 'file', 'other'])}"; filename="${dice.pick(FILE_NAMES)}"`,
    ...(dice.oneIn(2)
      ? [
          `Content-Type: ${dice.pick(['text/csv', 'text/csv; charset=utf-16', 'x', 'multipart/mixed; boundary=q', ''])}`,
        ]
      : []),
    ...(dice.oneIn(20)
      ? [`Content-Transfer-Encoding: ${dice.pick(['base64', 'quoted-printable', 'x'])}`]
      : []),
    ...(dice.oneIn(40) ? [`X: ${'z'.repeat(9_000)}`] : []),
  ].join(line);
  for (let files = dice.pick([1, 1, 1, 0, 2]); files > 0; files--)
    parts.splice(dice.below(parts.length + 1), 0, `${file}${line}${line}${dice.pick(FILES)}`);
  const text = [
    ...parts.map((part) => `--${boundary}${line}${part}${line}`),
    dice.oneIn(15) ? '' : `--${boundary}--${line}`,
  ].join('');
  const whole = Buffer.from(text);
  const type = dice.pick([
    'multipart/form-data',
    'multipart/form-data',
    'multipart/form-data',
    'Multipart/Form-Data',
    'multipart/mixed',
  ]);
  const named = dice.pick([
    `; boundary=${boundary}`,
    `; boundary="${boundary}"`,
    `;boundary=${boundary}; charset=utf-8`,
    dice.pick(['', '; boundary=', '; boundary=other']),
  ]);
  return {
    method: 'POST',
    path: isDocument ? '/v0/documents/upload' : '/v1/quickstarts/uploads',
    headers: { 'content-type': `${type}${named}` },
    body: dice.oneIn(4) ? mutateBytes(dice, [whole]) : whole,
  };
}
