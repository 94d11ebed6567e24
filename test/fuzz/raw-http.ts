/** Requests that no client would send: odd methods, paths and headers, and bytes that are hardly HTTP. */
import { apiCalls } from '../support/api-calls.ts';
import { connect } from 'node:net';
import { Dice, seedOf } from './dice.ts';
import { restErrorFaults } from './error-shape.ts';
import { type Kind, type Outcome, showBytes } from './kind.ts';
import { mutateBytes } from './mutate-bytes.ts';
import type { Site } from './site.ts';

/** A connection that the server neither answers nor ends for so long is hung. */
const HANG_MS = 40_000;

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'M-SEARCH',
  'PURGE',
  'SOURCE',
  'QUERY',
  'get',
  'XYZ',
  'G T',
  '',
];
const PATH_PARTS = [
  '',
  '/',
  '//',
  '..',
  '.',
  '%2e%2e',
  '%2f',
  '%',
  '%zz',
  '%00',
  '%ff',
  '*',
  '?',
  '#',
  '?a=%',
  '?a[]=1&a=2',
  '?__proto__=x',
  ';x',
  '\\',
  'ä',
  'x'.repeat(600),
  'y'.repeat(20_000),
  'http://127.0.0.1/',
  '/v0/',
  'null',
  '{id}',
  ':id',
  '[',
  '1',
];
const HEADER_NAMES = [
  'Content-Type',
  'Content-Encoding',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
  'Connection',
  'Upgrade',
  'Host',
  'Accept',
  'Accept-Encoding',
  'X-Request-Id',
  'X-Api-Key',
  'X-Application-Id',
  'Authorization',
  'Idempotency-Key',
  'Prefer',
  'X-Explain',
  'Via',
  'Forwarded',
  'X-Forwarded-For',
  'Origin',
  'Access-Control-Request-Method',
  'Range',
  'If-Match',
  'Cookie',
  'TE',
  'Trailer',
  'traceparent',
  'X-HTTP-Method-Override',
  '__proto__',
  'constructor',
  ':',
  '',
  'A b',
  'X-É',
];
const HEADER_VALUES = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '5',
  '99999999999999999999',
  '0x10',
  '1, 2',
  'chunked',
  'chunked, chunked',
  'gzip, chunked',
  'identity',
  'gzip',
  'br',
  'zstd',
  'deflate, gzip',
  '100-continue',
  'x',
  'close',
  'keep-alive',
  'upgrade',
  'websocket',
  'h2c',
  '127.0.0.1',
  'localhost',
  'a.example',
  'Bearer x',
  'Bearer ',
  'application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON;a="b;c"',
  'application/x-protobuf',
  'text/plain',
  'application/*',
  'multipart/form-data; boundary=x',
  'application/json, text/html',
  '"',
  ';',
  '*',
  '\u00e9',
  '\t',
  'x'.repeat(9_000),
  'y'.repeat(20_000),
  'for=1;host=[::',
  'null',
  '__proto__',
  '00-00-00-00',
];
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '{"a":1}',
  'x',
  '0\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\n',
  'fffffffff\r\nx',
  '1;a=b\r\nx\r\n0\r\nT: v\r\n\r\n',
  '-1\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  '\0\0\0',
];
const REALS = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/',
  '/v0/traces',
  '/v1/traces',
  '/v0/ingest',
  '/v0/tags',
  '/v0/definitions',
];
/** Matches the path of a stream, whose response never ends. */
const ENDLESS = /\/(?:listen|stream|events)\b/;
const EXAMPLE_ID = '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10';
const PATHS = [
  ...REALS,
  ...apiCalls
    .map(({ path }) => path.replaceAll(/\{\w+\}/g, EXAMPLE_ID))
    .filter((path) => !ENDLESS.test(path)),
];

type Headers = Readonly<Record<string, string>>;

const headLines = (headers: Headers): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** A request of a real path with odd headers. */
function headersRequest(dice: Dice, own: Headers): Buffer {
  const method = dice.pick(['GET', 'POST', 'PUT', 'DELETE', 'POST', 'HEAD', 'OPTIONS']);
  const body = dice.pick(BODIES);
  const length = dice.oneIn(6) ? dice.pick(HEADER_VALUES) : String(Buffer.byteLength(body));
  const odd = Array.from(
    { length: 1 + dice.below(4) },
    () => `${dice.pick(HEADER_NAMES)}: ${dice.pick(HEADER_VALUES)}\r\n`,
  );
  const lines = [
    'Host: 127.0.0.1\r\n',
    dice.oneIn(4) ? '' : headLines(own),
    dice.oneIn(5) ? '' : 'Content-Type: application/json\r\n',
    dice.oneIn(5) ? '' : `Content-Length: ${length}\r\n`,
    ...odd,
  ];
  const encoding = dice.oneIn(2) ? 'latin1' : 'utf8';
  return Buffer.from(`${method} ${dice.pick(PATHS)} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, encoding);
}

/** An odd method on an odd path. */
function methodRequest(dice: Dice, own: Headers): Buffer {
  const path = dice.oneIn(3)
    ? dice.pick(PATHS)
    : Array.from({ length: 1 + dice.below(4) }, () => dice.pick([...PATH_PARTS, dice.pick(PATHS)])).join(
        dice.pick(['/', '']),
      );
  const version = dice.oneIn(12)
    ? dice.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTP/1.1', ''])
    : 'HTTP/1.1';
  const lines = dice.oneIn(8) ? '' : `Host: 127.0.0.1\r\n${dice.oneIn(2) ? headLines(own) : ''}`;
  const body = dice.oneIn(2) ? dice.pick(BODIES) : '';
  const size =
    body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${dice.pick(METHODS)} ${path} ${version}\r\n${lines}${size}\r\n${body}`);
}

/** Bytes that began as a request. */
function bytesRequest(dice: Dice, own: Headers): Buffer {
  const bytes = mutateBytes(dice, [headersRequest(dice, own), methodRequest(dice, own)]);
  return dice.oneIn(10) ? Buffer.concat([bytes, headersRequest(dice, own)]) : bytes;
}

export function rawKinds({ server, own, other, check }: Site): Kind[] {
  const { hostname, port } = new URL(server.url);
  const exchange = (bytes: Buffer): Promise<Buffer | null> =>
    new Promise((resolve) => {
      const received: Buffer[] = [];
      const socket = connect({ host: hostname, port: Number(port) });
      const timer = setTimeout(() => {
        socket.destroy();
        resolve(null);
      }, HANG_MS);
      socket.on('data', (part: Buffer) => received.push(part));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearTimeout(timer);
        resolve(Buffer.concat(received));
      });
      // Nothing more comes: what is unfinished stays unfinished.
      socket.end(bytes);
    });
  const kind = (name: string, make: (dice: Dice, headers: Headers) => Buffer): Kind => ({
    name,
    share: 2,
    concurrency: 8,
    run: async (seed, index): Promise<Outcome> => {
      const bytes = make(new Dice(seedOf(seed, name, index)), own.headers);
      const show = (): string => showBytes(bytes);
      const received = await exchange(bytes);
      if (received === null) return { answer: 'hang', faults: ['neither answered nor closed'], show };
      if (received.length === 0) return { answer: 'closed', faults: [], show };
      const isHead = bytes.toString('latin1', 0, 5) === 'HEAD ';
      const { answer, faults } = judged(received.toString('utf8'), isHead);
      if (received.includes(other.marker)) faults.push('it shows a text of another application');
      return { answer, faults, show };
    },
    check,
  });
  return [
    kind('raw headers', headersRequest),
    kind('raw methods and paths', methodRequest),
    kind('raw bytes', bytesRequest),
  ];
}

/** What is wrong with the first response on a connection. */
function judged(text: string, isHead: boolean): Pick<Outcome, 'answer' | 'faults'> {
  const rest = text.replace(/^HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n/, '');
  // Asked to continue, the client had closed its end.
  if (rest === '') return { answer: 'closed', faults: [] };
  const [, code, head = '', body = ''] =
    /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n([^]*)$/.exec(rest) ?? [];
  if (code === undefined)
    return { answer: 'no HTTP', faults: [`the response is no HTTP: ${text.slice(0, 300)}`] };
  const status = Number(code);
  if (status >= 500 && status !== 503)
    return { answer: code, faults: [`an answer of ${text.slice(0, 600)}`] };
  if (status < 400 || isHead) return { answer: code, faults: [] };
  const header = (name: string): string => new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(head)?.[1] ?? '';
  const own = body.slice(0, Number(header('content-length')));
  // OTLP answers in its own form.
  if (/"code":\d+/.test(own) || header('content-type').includes('protobuf'))
    return { answer: code, faults: [] };
  const faults = restErrorFaults(status, header('content-type'), own);
  return { answer: code, faults: faults.map((fault) => `${code} ${fault}`) };
}
