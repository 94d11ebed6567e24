/** Writes a value for a field of JSON text; nothing for null. */
export const formatJson = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2));

/** Reads an object from a field of JSON text: null when the field is empty, and what is wrong with the text. */
export function parseJson(text: string): { value: Record<string, unknown> | null; problem?: string } {
  if (text.trim() === '') return { value: null };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Record<string, unknown> };
    return { value: null, problem: 'must be a JSON object, such as {"locale": "en"}' };
  } catch (error) {
    return { value: null, problem: `is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
