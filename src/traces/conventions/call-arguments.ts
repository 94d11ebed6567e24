import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';

/** Members in which decorators of Python functions send a call; the last one is a switch of smolagents. */
const CALL_KEYS: ReadonlySet<string> = new Set(['args', 'kwargs', 'sanitize_inputs_outputs']);

/** Returns the arguments of a call, sent as `{ args, kwargs }`, in plain form; undefined when there are none. */
export function callArguments(call: JsonValue): JsonValue | undefined {
  if (!isObject(call) || !Object.keys(call).every((key) => CALL_KEYS.has(key))) return call;
  const { args = [], kwargs = {} } = call;
  // Gemini CLI writes the arguments as an object.
  if (isObject(args) && Object.keys(call).length === 1) return args;
  if (!Array.isArray(args) || !isObject(kwargs) || Object.keys(call).length === 0) return call;
  const hasNames = Object.keys(kwargs).length > 0;
  if (args.length === 0) return hasNames ? kwargs : undefined;
  return args.length === 1 && !hasNames ? args[0] : call;
}
