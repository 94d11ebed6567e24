import { createHash } from 'node:crypto';
import { inForm, nfc } from '../contract/text-forms.ts';

/**
 * Returns the hash that stands for the id of a user or a session where the id itself must not be kept: SHA-256 in hex. Spellings
 * of the same characters have the same hash.
 */
export const hashOfId = (id: string): string => createHash('sha256').update(nfc(id)).digest('hex');

/** Returns the spellings of an id by which rows are found: as given, composed (NFC) and decomposed (NFD). */
export const spellingsOf = (id: string): string[] => [...new Set([id, nfc(id), inForm(id, 'NFD')])];
