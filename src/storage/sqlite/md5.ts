import { hash } from 'node:crypto';

/** Returns the MD5 of a text in hex, as PostgreSQL's function of the same name does; null for NULL. */
export const md5 = (text: unknown): string | null => (typeof text === 'string' ? hash('md5', text) : null);
