import type { JsonValue } from '../span-wire.ts';
import { jsonText } from './json.ts';
import { memberOf } from './members.ts';
import type { SpanView } from './span-view.ts';

/**
 * Returns a reader of what events or log records of these names say: the first of the attributes that each has, joined;
 * undefined if none has one. With `isWhole`, an event without them is read as the JSON of all of its attributes.
 */
function saidIn(
  names: readonly string[],
  keys: readonly string[],
  isWhole = false,
): (view: SpanView) => JsonValue | undefined {
  return (view) => {
    const said = view.happenings.flatMap(({ name, attributes }) => {
      if (!names.includes(name)) return [];
      return memberOf(attributes, ...keys) ?? (isWhole ? attributes : []);
    });
    const texts = said.filter((value) => value !== '').map(jsonText);
    return texts.length > 0 ? texts.join('\n') : undefined;
  };
}

/** Reads what a tool returned: the content of each event. */
export const toolOutputOfEvents = saidIn(['tool.output'], ['content', 'output', 'result'], true);

/** Reads what the user asked a coding agent. */
export const promptOfLogs = saidIn(
  ['claude_code.user_prompt', 'user_prompt', 'codex.user_prompt', 'gemini_cli.user_prompt'],
  ['prompt'],
);

/** Reads what a tool of a coding agent returned. */
export const toolResultOfLogs = saidIn(
  ['claude_code.tool_result', 'tool_result', 'codex.tool_result'],
  ['output', 'tool_result', 'result', 'error'],
);
