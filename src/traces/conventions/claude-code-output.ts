import { jsonText } from './json.ts';
import { memberOf } from './members.ts';
import type { SpanView } from './span-view.ts';

/** Reads what a tool returned from the events of its span: the content of each, or all of its attributes. */
export function claudeCodeToolOutput(view: SpanView): string | undefined {
  const outputs = view.happenings.flatMap(({ name, attributes }) =>
    name === 'tool.output' ? (memberOf(attributes, 'content', 'output', 'result') ?? attributes) : [],
  );
  return outputs.length > 0 ? outputs.map(jsonText).join('\n') : undefined;
}
