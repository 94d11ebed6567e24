/** Progress of `clearRemains`. */
export interface Clearing {
  begun: number | null;
  /** `blocked` if someone still reads an earlier state; call again later. */
  state: 'more' | 'blocked' | 'done';
}

/** Result where the engine itself leaves nothing that a file shows, or nothing is deleted. */
export const CLEARED: Clearing = { begun: 0, state: 'done' };
