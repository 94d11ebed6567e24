/**
 * Frees the memory of typed arrays that are no longer used, and ignores all other values. Many megabytes of them would make
 * V8 collect all garbage after every call, which costs more than filling them.
 */
export function releaseMemory(values: Iterable<unknown>): void {
  for (const value of values) {
    if (!ArrayBuffer.isView(value)) continue;
    const { buffer, byteLength } = value;
    // Other arrays may share a buffer that is larger.
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  }
}
