import { z } from 'zod';
import { path, setting } from './setting.ts';

/** Settings of a database that takes the place of the data folder. */
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
} as const;
