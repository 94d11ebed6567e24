/** Writes a value for a field of JSON text; nothing for null. */
export const formatJson = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2));

/** Reads an object from a field of JSON text: null when the field is empty, and what is wrong with the text. */
export function parseJsonObject(text: string): { value: Record<string, unknown> | null; problem?: string } {
  const { value, problem } = parseAnyJson(text);
  if (problem !== undefined) return { value: null, problem };
  if (value === null && text.trim() === '') return { value: null };
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { value: value as Record<string, unknown> };
  return { value: null, problem: 'must be a JSON object, such as {"locale": "en"}' };
}

/** Reads any value from a field of JSON text: null when the field is empty, and what is wrong with the text. */
export function parseAnyJson(text: string): { value: unknown; problem?: string } {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { value: null, problem: `is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
