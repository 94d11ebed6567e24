import { concat, utf8 } from './bytes.ts';
import type { Batch } from './spool.ts';

const FIRST_LINE = 'touchstone-spool 1';
const NEWLINE = 10;
const MAX_HEAD_BYTES = 1_024;

/** Members of the second line of a file. The Python package writes the same form. */
interface Head {
  headers: Batch['headers'];
  spans: number;
  bytes: number;
  sha256: string;
}

/** Returns the contents of a file of the spool: two lines, then the body. */
export async function contentOf({ body, headers, spans }: Batch): Promise<Uint8Array> {
  const head: Head = { headers, spans, bytes: body.length, sha256: await sha256(body) };
  return concat([utf8(`${FIRST_LINE}\n${JSON.stringify(head)}\n`), body]);
}

/** Reads the contents of a file; returns undefined if they are damaged. */
export async function batchOf(content: Uint8Array): Promise<Batch | undefined> {
  try {
    const firstEnd = content.indexOf(NEWLINE);
    const headEnd = content.indexOf(NEWLINE, firstEnd + 1);
    if (firstEnd < 0 || headEnd < 0 || headEnd > MAX_HEAD_BYTES) return undefined;
    const [first, second] = new TextDecoder().decode(content.subarray(0, headEnd)).split('\n');
    if (first !== FIRST_LINE) return undefined;
    const { headers, spans, bytes, sha256: expected } = JSON.parse(second ?? '') as Head;
    const body = content.subarray(headEnd + 1);
    const type = headers['content-type'];
    const encoding = headers['content-encoding'];
    const isIntact =
      body.length === bytes && Number.isInteger(spans) && spans > 0 && (await sha256(body)) === expected;
    if (!isIntact || typeof type !== 'string') return undefined;
    return {
      body,
      spans,
      headers: { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) },
    };
  } catch {
    return undefined;
  }
}

async function sha256(body: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
