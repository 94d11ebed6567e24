import { type Column, json, nullable, number, text, time } from '../storage/column.ts';
import { table } from '../storage/record.ts';

const counts = json<Record<string, number>>();
const serial: Column<number, string> = { encode: (value) => value, decode: String };

/** Requests of each hour and API key. */
export const ledgerRows = table(
  'ledger',
  'entry of the ledger',
  {
    hour: time,
    keyId: text,
    requests: number,
    received: number,
    stored: number,
    duplicate: number,
    replaced: number,
    rejected: number,
    reasons: counts,
    notices: counts,
  },
  'hour',
);

export const rejections = table('rejection', 'rejection', {
  id: serial,
  at: time,
  keyId: text,
  source: text,
  reason: text,
  message: text,
  spans: number,
  traceId: nullable(text),
  spanId: nullable(text),
});
/** Columns for inserts: the engine gives each row its id. */
export const newRejections = rejections.omit('id');
