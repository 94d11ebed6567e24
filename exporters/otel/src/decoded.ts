/** Decodes the `%` escapes of a text; a text with a broken one is returned unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
