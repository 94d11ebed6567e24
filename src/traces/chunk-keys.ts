/** Chunks of a trace have the keys tkey·2^20 … tkey·2^20 + 2^20 − 1. */
export const CHUNKS_PER_TRACE = 2 ** 20;
