import type { ScopeName } from '../../contract/scope.ts';
import { bytes, type Column, nullable, number, text, time } from '../../storage/column.ts';
import { table } from '../../storage/record.ts';

/** Column of scopes, separated by spaces. */
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
  /** Expiry, in Unix milliseconds in records too, because it is compared and not shown. */
  expiresAt: nullable(number),
  revokedAt: nullable(number),
});
