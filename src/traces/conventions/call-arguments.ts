import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { parseJson } from './json.ts';

/** Members in which decorators of Python functions send a call; the last one is a switch of smolagents. */
const CALL_KEYS: ReadonlySet<string> = new Set(['args', 'kwargs', 'sanitize_inputs_outputs']);

/** Types of objects that are calls of tools. */
const CALL_TYPES: ReadonlySet<unknown> = new Set([
  'tool_call',
  'tool-call',
  'tool_use',
  'function_call',
  'function',
]);
/** Members that hold a call. */
const HOLDERS = ['tool_call', 'toolUse', 'tool_use', 'functionCall', 'function_call', 'function'];
const ARGUMENTS = ['arguments', 'args', 'input'];

/**
 * Returns the arguments of a tool that were sent as the complete call: `{ type: 'tool_call', name, args }`, or a list with such
 * an object or with its holder, `[{ toolUse: { name, input } }]`. Other values are returned as they are.
 */
export function argumentsOfCall(sent: JsonValue): JsonValue {
  const one = Array.isArray(sent) && sent.length === 1 ? (sent[0] ?? null) : sent;
  if (!isObject(one)) return sent;
  const isHolder = Object.keys(one).length === 1 || CALL_TYPES.has(one['type']);
  const held = isHolder ? HOLDERS.map((key) => one[key]).find((value) => isObject(value)) : undefined;
  const call = isObject(held) ? held : one;
  const isNamed = typeof call['name'] === 'string' || typeof call['toolName'] === 'string';
  const isBare = typeof call['tool_name'] === 'string' && Object.keys(call).length === 2;
  const isCall = isBare || (isNamed && (isObject(held) || CALL_TYPES.has(call['type'])));
  const key = isCall ? ARGUMENTS.find((name) => Object.hasOwn(call, name)) : undefined;
  const value = key === undefined ? undefined : call[key];
  if (value === undefined) return sent;
  return typeof value === 'string' ? parseJson(value) : value;
}

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
