import { hash } from 'node:crypto';

export const sha256 = (text: string): Uint8Array => hash('sha256', text, 'buffer');

/** Returns the SHA-256 of a text in hexadecimal digits. */
export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');
