import { spellingsOf } from '../../traces/subject-ids.ts';

/** Returns the other forms in which the id of a user or a session may be stored: other spellings, and the masked form of each. */
export async function otherFormsOf(
  id: string,
  maskedFormsOf: (id: string) => Promise<readonly string[]>,
): Promise<string[]> {
  const spellings = spellingsOf(id);
  const masked = await Promise.all(spellings.map(maskedFormsOf));
  const forms = new Set([...spellings, ...masked.flat()]);
  forms.delete(id);
  return [...forms];
}
