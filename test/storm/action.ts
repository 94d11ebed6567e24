import type { Body, Reply, Fixture } from './fixture.ts';

/** Result of an action: the status of its last call, or why it did nothing. */
export type Done = number | 'skipped';

/** One kind of what people, apps and operators do. */
export interface Action {
  name: string;
  /** How often it is chosen, compared with others. */
  weight: number;
  run: (fixture: Fixture) => Promise<Done>;
}

export const statusOf = async (reply: Promise<Reply>): Promise<Done> => (await reply).status;

/** A verdict of a person; one that something failed says why. */
export const judgement = (fixture: Fixture): Body =>
  fixture.random() < 0.5
    ? { verdict: true }
    : { verdict: false, critique: 'It names another city than the right one.' };
