/** Waits for all promises even if one rejects; then rejects with the reason of the first that did. */
export async function allOf<const T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
