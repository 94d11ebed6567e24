/**
 * True if this process uses PostgreSQL. Modules compose their statements when they are loaded, so the engine is known
 * before: from the environment, which threads share. Tests alone set it until the server can be started so (ADR 34).
 */
export const isPostgres: boolean = process.env['TOUCHSTONE_ENGINE'] === 'postgres';
