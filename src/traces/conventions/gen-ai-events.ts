import { messageOf } from './chat-messages.ts';
import {
  genAiInputMessages,
  genAiOutputMessages,
  genAiSystemInstructions,
  messagesOrText,
  withSystem,
} from './gen-ai-messages.ts';
import { isObject } from '../../contract/is-object.ts';
import { type JsonObject, parseJson } from './json.ts';
import { defined, numberMember, textMember } from './members.ts';
import type { ReportedEvaluation, Message } from './message.ts';
import {
  type AttributeView,
  parsedOfKey,
  type SpanHappening,
  type SpanView,
  under,
  viewOf,
} from './span-view.ts';

/** Events of GenAI 1.28 to 1.36, one for each input message, and the default role of each. */
const MESSAGE_ROLES: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
]);

/** Reads the input messages of a model from events of GenAI conventions 1.27 to 1.41; newer ones take precedence. */
export function genAiEventInput(view: SpanView): Message[] | undefined {
  return (
    fromDetails(view, (details) => {
      const messages = genAiInputMessages(details);
      return messages && withSystem(messages, genAiSystemInstructions(details));
    }) ??
    fromEach(view, (happening) => {
      const role = MESSAGE_ROLES.get(happening.name);
      return role === undefined ? [] : said(fieldsOf(happening), role);
    }) ??
    fromEach(view, ({ name, attributes }) =>
      name === 'gen_ai.content.prompt'
        ? messagesOrText(parsedOfKey(viewOf(attributes), 'gen_ai.prompt'), 'user')
        : [],
    )
  );
}

/** Reads the output messages of a model, one for each choice. */
export function genAiEventOutput(view: SpanView): Message[] | undefined {
  return (
    fromDetails(view, genAiOutputMessages) ??
    fromEach(view, (happening) => (happening.name === 'gen_ai.choice' ? choiceOf(happening) : [])) ??
    fromEach(view, ({ name, attributes }) =>
      name === 'gen_ai.content.completion'
        ? messagesOrText(parsedOfKey(viewOf(attributes), 'gen_ai.completion'), 'assistant')
        : [],
    )
  );
}

/** Reads evaluations; undefined when the span has none. */
export function genAiEvaluations(view: SpanView): ReportedEvaluation[] | undefined {
  const evaluations = view.happenings.flatMap((happening) =>
    happening.name === 'gen_ai.evaluation.result' ? evaluationIn(fieldsOf(happening)) : [],
  );
  return evaluations.length > 0 ? evaluations : undefined;
}

/** Reads the evaluation that a span is, as its attributes report it. */
export function genAiEvaluationOfSpan(view: SpanView): ReportedEvaluation[] | undefined {
  const evaluations = evaluationIn(Object.fromEntries(under(view, '')));
  return evaluations.length > 0 ? evaluations : undefined;
}

function evaluationIn(fields: JsonObject): ReportedEvaluation[] {
  const name = textMember(fields, 'gen_ai.evaluation.name');
  if (name === undefined) return [];
  const reported = defined<Omit<ReportedEvaluation, 'name'>>({
    score: numberMember(fields, 'gen_ai.evaluation.score.value'),
    label: textMember(fields, 'gen_ai.evaluation.score.label'),
    explanation: textMember(fields, 'gen_ai.evaluation.explanation'),
  });
  return [{ name, ...reported }];
}

/** Reads the details of model calls. Of several calls, the last one has the complete conversation. */
function fromDetails(
  view: SpanView,
  read: (details: AttributeView) => Message[] | undefined,
): Message[] | undefined {
  for (const happening of view.happenings.toReversed()) {
    if (happening.name !== 'gen_ai.client.inference.operation.details') continue;
    const messages = read(viewOf(fieldsOf(happening)));
    if (messages) return messages;
  }
  return undefined;
}

function fromEach(
  view: SpanView,
  read: (happening: SpanHappening) => Message[] | undefined,
): Message[] | undefined {
  const messages = view.happenings.flatMap((happening) => read(happening) ?? []);
  return messages.length > 0 ? messages : undefined;
}

/** Reads a choice. `message` is an object, its JSON, or only its content; further fields are next to it. */
function choiceOf(happening: SpanHappening): Message[] {
  const { message: sent, ...fields } = fieldsOf(happening);
  const message = typeof sent === 'string' ? parseJson(sent) : (sent ?? {});
  return said({ ...fields, ...(isObject(message) ? message : { content: message }) }, 'assistant');
}

/** Reads a message; one without parts shows only that there was a message. */
function said(fields: JsonObject, role: string): Message[] {
  const message = messageOf(textMember(fields, 'role') ?? role, fields);
  return message.parts.length > 0 ? [message] : [];
}

/**
 * Returns the fields of a log record, which are in its body, or of a span event, which are attributes or the JSON of
 * one.
 */
function fieldsOf({ attributes, body }: SpanHappening): JsonObject {
  const sent = body ?? attributes['gen_ai.event.content'] ?? {};
  const content = typeof sent === 'string' ? parseJson(sent) : sent;
  return { ...attributes, ...(isObject(content) ? content : { content }) };
}
