import type { ScopeName } from '../../contract/scope.ts';
import { bytes, type Column, nullable, number, text, time } from '../../storage/column.ts';
import { table } from '../../storage/record.ts';

/** Scopes, separated by spaces. */
const scopes: Column<readonly ScopeName[], ScopeName[]> = {
  encode: (names) => names.join(' '),
  decode: (value) => (value as string).split(' ').filter(Boolean) as ScopeName[],
};

export const apiKeys = table('api_key', 'API key', {
  id: text,
  keyId: text,
  /** SHA-256 of the complete key. */
  hash: bytes,
  name: text,
  scopes,
  createdAt: time,
  updatedAt: time,
  /** Unix milliseconds in records too: it is compared, not shown. */
  expiresAt: nullable(number),
  revokedAt: nullable(number),
});
