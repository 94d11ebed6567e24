import { z } from 'zod';
import { path, setting, wholeNumber } from './setting.ts';

/** Settings of a database that takes the place of the data folder, and of servers that share one. */
export const DATABASE_SETTINGS = {
  databaseUrl: setting<string | null>({
    meaning:
      'Address of a PostgreSQL database (16 or later) that stores all data instead of the data folder; requires a secret key. See docs/operations.md.',
    default: null,
    example: 'postgres://touchstone:password@db.example.com:5432/touchstone?sslmode=verify-full',
    allowed: 'an address that begins with postgres:// or postgresql://',
    parse: z.string().regex(/^postgres(?:ql)?:\/\//),
    secret: true,
  }),
  databaseUrlFile: setting<string | null>({
    meaning: 'File that contains the address of the database, in place of the setting itself.',
    default: null,
    example: '/run/secrets/database-url',
    allowed: 'the path of a file',
    parse: path,
  }),
  stopDelayMs: setting<number | null>({
    meaning:
      'Time for which a server that is asked to stop still accepts requests, in milliseconds: `/readyz` responds 503 and responses end their connections, so that a proxy turns to other servers. Default: 3000 with a database, 0 with a data folder.',
    default: null,
    example: '10000',
    allowed: 'a whole number from 0 to 20000',
    parse: wholeNumber(0, 20_000),
  }),
} as const;
