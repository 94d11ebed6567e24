import type { Write } from './calls.ts';

/** Work that runs until it is stopped. */
export interface Stoppable {
  stop: () => Promise<void>;
}

/** Starts work of the leader; `given` replaces calls of the store by those that only the leader may make. */
export type StartLeading = (given: { write?: Write }) => Stoppable;

/** Agreement of the processes that share a store. */
export interface Replicas {
  /** Runs work in one of all processes: it starts when this one becomes the leader, and stops when it no longer is. */
  whileLeading: (start: StartLeading) => Stoppable;
  /** Reports something to all other processes. They get it within a second, unless one of both loses its connection. */
  publish: (topic: NoticeTopic, text: string) => void;
  /** Calls `listener` with what other processes publish. */
  subscribe: (topic: NoticeTopic, listener: (text: string) => void) => void;
  /** Number of processes that use the store now, at least 1. */
  count: () => number;
}

export type NoticeTopic =
  | 'key'
  | 'members'
  | 'masking'
  | 'own rules'
  | 'cancelled'
  | 'erasure'
  | 'retention'
  | 'calls';

/** Replicas of a store that no other process uses. */
export const ALONE: Replicas = {
  whileLeading: (start) => start({}),
  publish: () => undefined,
  subscribe: () => undefined,
  count: () => 1,
};
