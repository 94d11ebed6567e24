/** What became of one input. */
export interface Outcome {
  /** Status of the response, or another word that inputs are counted by. */
  answer: string;
  /** What is not as it should be. */
  faults: string[];
  /** The input, for the report of a fault. */
  show: () => string;
}

/** One way of making inputs and of judging what becomes of them. */
export interface Kind {
  name: string;
  /** Relative number of inputs in a mixed run. */
  share: number;
  /** How many inputs may be in progress at the same time. */
  concurrency: number;
  /** Makes input `index` of the run and sends it. Depends on nothing but the seed and the index. */
  run: (seed: number, index: number) => Promise<Outcome>;
  /** Checks what must hold after any number of inputs. */
  check?: () => Promise<string[]>;
}

/** Shows bytes as text where they are, and in full as hexadecimal digits where they are few. */
export const showBytes = (bytes: Uint8Array): string => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return `${buffer.length} bytes ${JSON.stringify(buffer.toString('latin1', 0, 600))} hex ${buffer.toString('hex', 0, 4_000)}`;
};
