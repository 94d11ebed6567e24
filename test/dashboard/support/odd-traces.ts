/** Traces that go wrong in every way that a sender has: lost parents, loops, clocks, hostile texts, rich content. */
import { messages, TraceBuilder } from '../../../bench/agent-trace.ts';

/** Texts that would run code if a page took them for HTML, a URL or a script. */
export const HOSTILE_TEXTS = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '<svg/onload=window.hacked=1>',
  '"><iframe srcdoc="<script>parent.hacked=1</script>">',
  'javascript:window.hacked=1//\'"',
  '[click](javascript:window.hacked=1) ![x](http://evil.example/x.png)',
  '<a href="data:text/html,<script>window.hacked=1</script>">x</a>',
  '{{constructor.constructor("window.hacked=1")()}}',
  '</textarea></style></title><body onload=window.hacked=1>',
  '\u202Egnp.exe\u0000\u2028<b>',
];

/** Every hostile text as a name, as attributes and as messages. */
export function hostileTrace(at: number): TraceBuilder {
  const trace = new TraceBuilder(1_066, at);
  const root = trace.add({ name: HOSTILE_TEXTS[0] as string, start: 0, duration: 900 });
  for (const [index, text] of HOSTILE_TEXTS.entries())
    trace.add({
      name: text,
      parent: root,
      start: index * 50,
      duration: 45,
      ...(index % 3 === 0 && { error: text }),
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': text,
        'gen_ai.input.messages': messages(['user', text]),
        'gen_ai.output.messages': messages(['assistant', text]),
        [text]: text,
      },
    });
  return trace;
}

/** Lost parents, a loop of parents, and a span that starts before its parent. */
export function brokenTrace(at: number): TraceBuilder {
  const trace = new TraceBuilder(1_067, at);
  const root = trace.add({ name: 'answer', start: 0, duration: 400 });
  trace.add({ name: 'early child', parent: root, start: -120, duration: 60 });
  trace.add({ name: 'empty', parent: root, start: 10, duration: 0 });
  const lost = trace.newId();
  for (const index of [1, 2, 3])
    trace.add({ name: `orphan ${index}`, parent: lost, start: index * 20, duration: 15 });
  const [a, b] = [trace.newId(), trace.newId()];
  trace.add({ name: 'loop a', id: a, parent: b, start: 100, duration: 50 });
  trace.add({ name: 'loop b', id: b, parent: a, start: 110, duration: 30 });
  return trace;
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

const ANSWER = 'Parcel **4711** arrives today:\n\n- left the depot at `09:12`\n- on the van of *Ada*';

/** A conversation with earlier turns, a tool call with its result, an image, and retrieved documents. */
export function richTrace(at: number, { answer = ANSWER, seed = 1_068 } = {}): TraceBuilder {
  const trace = new TraceBuilder(seed, at);
  const root = trace.newId();
  const text = (content: string): object => ({ type: 'text', content });
  const call = { type: 'tool_call', id: 'call-1', name: 'find_parcel', arguments: { parcelId: 4_711 } };
  const input = [
    { role: 'system', parts: [text('You are the support bot of a parcel service. Be brief.')] },
    { role: 'user', parts: [text('Hello')] },
    { role: 'assistant', parts: [text('Hello! How can I help?')] },
    {
      role: 'user',
      parts: [
        text('Where is my parcel? Here is the label.'),
        { type: 'blob', modality: 'image', mime_type: 'image/png', content: PIXEL },
      ],
    },
    { role: 'assistant', parts: [call] },
    {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id: 'call-1', response: { status: 'in delivery' } }],
    },
  ];
  const output = [{ role: 'assistant', parts: [text(answer)], finish_reason: 'stop' }];
  trace.add({
    name: 'retrieve policies',
    parent: root,
    start: 10,
    duration: 70,
    attributes: {
      'gen_ai.operation.name': 'retrieval',
      'openinference.span.kind': 'RETRIEVER',
      'input.value': 'parcel delays',
      'retrieval.documents.0.document.id': 'policy-7',
      'retrieval.documents.0.document.content': 'Late parcels are refunded after 30 days.',
      'retrieval.documents.0.document.score': 0.92,
      'retrieval.documents.1.document.id': 'policy-9',
      'retrieval.documents.1.document.content': 'Drivers ring twice.',
      'retrieval.documents.1.document.score': 0.41,
    },
  });
  trace.add({
    name: 'execute_tool find_parcel',
    parent: root,
    start: 420,
    duration: 210,
    error: 'upstream answered 503',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'find_parcel',
      'gen_ai.tool.call.arguments': JSON.stringify({ parcelId: 4_711, carrier: 'dhl' }),
      'gen_ai.tool.call.result': '503 Service Unavailable',
    },
  });
  trace.add({
    name: 'chat gpt-5.4',
    parent: root,
    start: 640,
    duration: 820,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5.4',
      'gen_ai.request.temperature': 0.2,
      'gen_ai.usage.input_tokens': 812,
      'gen_ai.usage.output_tokens': 64,
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': JSON.stringify(output),
      'app.build': '2026-11-20',
    },
  });
  trace.add({
    name: 'answer a customer',
    id: root,
    start: 0,
    duration: 1_500,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'support bot',
      'gen_ai.input.messages': messages(['user', 'Where is my parcel? Here is the label.']),
      'gen_ai.output.messages': messages(['assistant', answer]),
    },
  });
  return trace;
}
