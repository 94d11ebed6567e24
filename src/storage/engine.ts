/** Variables that choose PostgreSQL; the flag `--database-url` becomes the first of them. */
const CHOOSING = ['TOUCHSTONE_DATABASE_URL', 'TOUCHSTONE_DATABASE_URL_FILE'] as const;

/**
 * True if this process uses PostgreSQL. Modules compose their statements when they are loaded, so the engine is known
 * before: from the environment, which threads share (ADR 34).
 */
export const isPostgres: boolean =
  process.env['TOUCHSTONE_ENGINE'] === 'postgres' || CHOOSING.some((name) => Boolean(process.env[name]));
