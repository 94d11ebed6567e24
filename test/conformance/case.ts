import type { PieceName } from './pieces.ts';
import type { Shape } from './shapes.ts';
import type { ToSign } from './signing.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

/** In every text of it `{{name.field}}` stands for what an earlier answer said. */
export interface Request {
  request: `${Method} /${string}`;
  /** Beside the two of the application of the case; null = none of this name. */
  headers?: Readonly<Record<string, string | null>>;
  /** Text goes as it is, all else as JSON. */
  body?: unknown;
  /** A form with these fields, of which `file` is a file. */
  form?: Readonly<Record<string, string>>;
}

export type Step =
  /** A call that must succeed; `as` names its record, or its complete answer; `until` repeats it. */
  | (Request & { as?: string; whole?: boolean; until?: Shape })
  /** What the webhook of the application was sent last. */
  | { as: string; received: true }
  /** Listens at the webhook and makes a call, which continues: what the listener is sent of it. */
  | { as: string; relayed: Request }
  /** Signs a body as the service does, now or so many milliseconds later. */
  | { as: string; sign: ToSign }
  /** Makes a link with which the user of this email address chooses a new password. */
  | { as: string; linkFor: string };

export interface Case extends Request {
  name: string;
  /** The lines that it covers; `Tag.*` stands for all fields of the record that `contains` or `received` names. */
  line?: string | readonly string[];
  /** What the application of the case has before: pieces of the world, and calls. */
  given?: readonly (PieceName | Step)[];
  /** The server that is asked. Default: `usual`. */
  on?: 'usual' | 'limited' | 'broken' | 'impatient';
  status: number;
  /** The content type of the answer, JSON if not said. */
  type?: RegExp;
  /** What the text of the answer must be like; of a stream its first event. */
  says?: RegExp;
  /** What the JSON of the answer must be like. */
  contains?: Shape;
  /** Texts that must not stand in the answer. */
  containsNot?: readonly string[];
  answerHeaders?: Readonly<Record<string, Shape>>;
  /** `data` is sorted by this field, ties by id; pages of two together are the same list. */
  sorted?: readonly [field: string, direction: 'asc' | 'desc'];
  /** What the webhook was sent by the call. */
  received?: Shape;
  /** What another call answers afterwards. */
  after?: Request & { status?: number; contains?: Shape; until?: true };
}
