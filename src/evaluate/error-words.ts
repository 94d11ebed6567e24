import { isObject } from '../contract/is-object.ts';

/** Most characters of a message that are read: what follows may be the request, which some endpoints repeat. */
const MAX_MESSAGE = 300;
const NAMES = ['__type', 'type', 'code', 'status'];

/** Error in the body of a response. */
export interface ErrorWords {
  /** Types and codes, separated by spaces. */
  names: string;
  /** Beginning of its message, or of a body that is no JSON. */
  message: string;
}

/** Reads the error in a body: `{ error: { code, message } }`, `{ error: 'message' }`, `{ __type, message }` or a text. */
export function errorWordsIn(body: string): ErrorWords {
  const parsed = jsonOfBody(body);
  if (!isObject(parsed)) return { names: '', message: body.slice(0, MAX_MESSAGE) };
  const { error } = parsed;
  const places = [parsed, ...(isObject(error) ? [error, error['innererror']] : [])].filter(isObject);
  const names = places.flatMap((place) => NAMES.map((name) => place[name]));
  const messages = [error, ...places.toReversed().map(({ message }) => message)];
  const message = messages.find((one) => typeof one === 'string') ?? '';
  return {
    names: names.filter((one) => typeof one === 'string').join(' '),
    message: message.slice(0, MAX_MESSAGE),
  };
}

/** Returns the JSON of a body; null for any other text. */
export function jsonOfBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
