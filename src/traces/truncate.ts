/** Returns the first `length` UTF-16 units, without splitting a character. */
export function truncate(text: string, length: number): string {
  return text.length <= length
    ? text
    : text
        .slice(0, length)
        .toWellFormed()
        .replace(/\uFFFD$/, '');
}
