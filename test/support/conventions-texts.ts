/** Texts of docs/conventions.md. */
import type { Field } from '../../src/traces/conventions/rule.ts';

export function introduction(ruleSet: number, pricesDate: string): string {
  return `# What becomes of the attributes of your spans

Whatever names your instrumentation has for things, they are read into one model. This page says which keys are read, what wins
where several say the same, and what that makes of the spans of real packages. It is generated and tested; rule set ${ruleSet}.

Nothing is lost on the way: a span is stored as it was sent, and the fields below are read from it.
\`GET /v0/traces/{id}/spans?include=payload\` answers all attributes and, under \`mapped\`, what was made of them:

\`\`\`json
{
  "ruleSet": ${ruleSet},
  "fields": { "model": { "value": "gpt-5-mini", "vocabulary": "gen_ai", "from": "gen_ai.request.model" } },
  "unmapped": ["my.own.key"],
  "redacted": [],
  "truncated": [],
  "warnings": []
}
\`\`\`

- **Each field says where it came from**: the vocabulary and the key. The name of the span and the table of prices count as keys
  where a field is taken from there.
- **Input and output are one thing, messages another.** \`input\` and \`output\` are what a person would read: what the user said last,
  what the model answered, the arguments and the result of a tool. \`inputMessages\` and \`outputMessages\` are the complete conversation, in
  one form whatever API it was held with. A model that only calls a tool says no text: its output is then the messages.
- **An empty text is no value**, whatever the key: many senders write one for a field that they do not have.
- **\`unmapped\`** names the attributes that no rule reads. A step of a trace shows them as its metadata, and they stay with the span.
- **\`redacted\`** names the attributes that hold \`__REDACTED__\`, as instrumentations write when they are configured to hide content. The trace
  has the flag \`redacted\`.
- **\`truncated\`** names those that hold JSON without its end: a limit of the sender truncated it. It is shown as the text it is.
- **\`warnings\`** report attributes, events or links that the sender dropped (flag \`dropped\`), odd token counts, and tokens that
  are counted elsewhere in the trace.
- **Tokens**: input includes those of the cache, output those of reasoning. Some senders count cached tokens apart from the input: where the
  total shows it, or there are more of them than input tokens, they are added to it. In the second case the trace has the flag \`oddTokens\`. Frameworks often report the usage of a call on the call and, summed
  up, on the agent around it: a span counts towards its trace only what no span below it reports. A call that two instrumentations report beside each
  other counts once: they have the same response id, or the same parent, model, time and usage.
- **Cost** is what the sender says. Where it says none, it is estimated from the tokens and a table of prices as of ${pricesDate}
  (\`costEstimated\` on the trace), with the prices of service tiers, of what a cache keeps for an hour, of long requests, and of the day of the call ([prices](prices.md)). Of a
  total alone, of a tier whose price is not in the table, or of audio tokens of a model without a price for them, the cost is unknown. \`TOUCHSTONE_PRICES_FILE\` names a file of your own prices, see [settings](settings.md).
- **A new version may have new rules.** New spans are read by them, and so is \`mapped\`; \`touchstone remap\` brings the kinds, sums, lists
  and filters of stored traces up to date, see [operations](operations.md).

## Own rules

A framework that no rule reads needs no release. \`PUT /v0/mappings\` sets rules of the application, which precede all others:

\`\`\`json
{
  "rules": [
    { "key": "acme.llm.request", "field": "input", "path": "body.prompt", "kind": "LLM" },
    { "key": "acme.llm.tokens_in", "field": "inputTokens", "type": "number" },
    { "key": "acme.type", "field": "kind", "kinds": { "completion": "LLM", "lookup": "RETRIEVER" } },
    { "key": "acme.meta.*", "field": "metadata" }
  ]
}
\`\`\`

\`POST /v0/mappings/preview\` tries rules on stored spans, and lists the frequent keys that no rule reads, with the field that each probably means. The response of
\`GET /v0/mappings\` is the file for another application. New spans are read by the new rules; \`touchstone remap\` applies them to what is stored.
\`touchstone mappings > FILE\`
and \`touchstone mappings import FILE\` do the same on a data folder. The tab *Where from* of the trace page proposes, tries and sets rules.`;
}

export const VOCABULARY_NAMES: Readonly<Record<string, string>> = {
  touchstone: 'The link to a test, and what events of `POST /v0/ingest` are stored with',
  langfuse: 'Langfuse’s OpenTelemetry SDKs',
  gen_ai:
    'OpenTelemetry’s semantic conventions for generative AI, of all versions, and what vendors add to them',
  openinference: 'OpenInference, by Arize Phoenix',
  openllmetry: 'OpenLLMetry, by Traceloop',
  vercel: 'The AI SDK of Vercel, versions 4 to 6; version 7 sends `gen_ai`',
  langsmith: 'LangSmith’s OpenTelemetry exporter',
  mlflow: 'MLflow Tracing',
  mastra: 'Mastra’s exporters, beside `gen_ai`',
  logfire: 'Pydantic Logfire, beside `gen_ai`',
  claude_code: 'Claude Code and agents of its SDK, and log records of it, of Codex, Gemini CLI and Qwen Code',
  spring_ai: 'Spring AI, beside `gen_ai`',
  genkit: 'Genkit',
  laminar: 'Laminar, beside `gen_ai` and `openllmetry`',
  langwatch: 'LangWatch',
  braintrust: 'Braintrust',
  livekit: 'LiveKit Agents, beside `gen_ai`',
  google_adk: 'Google’s Agent Development Kit, beside `gen_ai`',
  mcp: 'The Model Context Protocol, beside `gen_ai`',
  sentry: 'Sentry’s SDKs, beside `gen_ai`',
  agentops: 'AgentOps, beside `gen_ai`',
  haystack: 'Haystack',
  voltagent: 'VoltAgent',
  pipecat: 'Pipecat, beside `gen_ai`',
  langtrace: 'Langtrace, beside `gen_ai`',
  opik: 'Opik',
  weave: 'W&B Weave, beside others',
  otel: 'OpenTelemetry’s general semantic conventions',
};

export const FIELD_MEANINGS: Readonly<Record<Field, string>> = {
  kind: 'What the span is for; see [kinds](#kinds)',
  input: 'What went in',
  inputMimeType: 'Whether the input is JSON',
  output: 'What came out',
  outputMimeType: 'Whether the output is JSON',
  inputMessages: 'The conversation that a model was given',
  outputMessages: 'The messages it answered with',
  systemInstructions: 'Instructions that were given apart from the conversation; its first message too',
  toolDefinitions: 'Tools that the model was offered: name, description, JSON Schema',
  documents: 'What a search found: id, content, score, metadata',
  model: 'The model that answered, else the requested one',
  provider: 'Who serves it',
  parameters: 'How it was called: `temperature`, `maxTokens`, `topP`, `stop` …',
  responseId: 'The id the provider gave its answer',
  finishReasons: 'Why the model stopped',
  inputTokens: 'Tokens of the input, with those of the cache',
  outputTokens: 'Tokens of the output, with those of reasoning',
  totalTokens: 'All tokens, where it is more than the two',
  cacheReadTokens: 'Input tokens that were read from a cache',
  cacheWriteHourTokens: 'Those of them that the cache keeps for an hour',
  audioInputTokens: 'Those of the input that are audio',
  audioCacheReadTokens: 'Those of them that were read from a cache',
  audioOutputTokens: 'Those of the output that are audio',
  serviceTier: 'Tier of the provider: its price may be another one',
  cacheWriteTokens: 'Input tokens that were written to a cache',
  reasoningTokens: 'Output tokens that were spent on reasoning',
  cost: 'US dollars; the sum of the next two, or estimated (`price table`), where nothing gives it',
  inputCost: 'Cost of the input',
  outputCost: 'Cost of the output',
  toolName: 'Of a tool: its name, else that of the span',
  toolCallId: 'The call of the model that it answers',
  toolDescription: 'What the tool is for',
  agentName: 'The agent, workflow or function',
  promptName: 'The managed prompt that was used',
  promptVersion: 'Its version',
  promptTemplate: 'The text of the prompt with its gaps',
  promptVariables: 'What was filled in',
  firstTokenMs: 'Milliseconds until the first part of the answer',
  evaluations: 'How well it did, as its sender says: name, score, label, explanation',
  errorType: 'The kind of error',
  level: 'How grave it is; `ERROR`, `FATAL` and `CRITICAL` make the span an error',
  statusMessage: 'What went wrong, in words',
  sessionId: 'The conversation that the trace belongs to',
  userId: 'The person it was for',
  tags: 'Labels, at most 64: a list, JSON of one, or text with commas',
  environment: 'Production, staging …; also taken from the resource',
  version: 'Version of the application, as its sender says',
  metadata: 'Whatever the sender calls so, at most 64 entries in filters',
  displayName: 'Name that is shown instead of that of the span',
  traceName: 'Name of the complete trace',
  traceInput: 'Input of the complete trace',
  traceOutput: 'Output of the complete trace',
  testId: 'The test that the span belongs to, a uuid',
  event: 'Of `POST /v0/ingest`: the type of the event',
  group: 'Its group',
  key: 'The key of a group',
  params: 'Its params',
  stepId: 'Its id, when that is no span id',
  stepParentId: 'The id of its parent, likewise',
  open: 'An `llm` start whose end has not come',
  unpaired: 'An `llm` end without its start',
  delivery: 'A span of the service itself: an attempt to deliver a test',
  stepStatus: 'The status of the step: `success`, `error`, `timeout` or `pending`',
  stepError: 'Its error',
  statusCode: 'Its status code',
  sentOrder: 'Its place among steps of the same time, by which its start is stored later, in nanoseconds',
  guardrailAction: 'What a guardrail did',
  guardrailTriggered: 'True if a guardrail was triggered',
  guardrailType: 'The type of a guardrail',
  evaluatorName: 'The name of an evaluator',
  evaluationScore: 'The score that it gave',
  evaluationLabel: 'The label that it gave',
  evaluationExplanation: 'Its explanation',
};

export interface Sender {
  title: string;
  /** Names of packages in test/instrumentations/package.json. */
  packages: string[];
}

/** Senders by the name of the application. */
export const SENDERS: Readonly<Record<string, Sender>> = {
  'ai-sdk-6': { title: 'Vercel AI SDK 6', packages: ['ai-v6'] },
  'ai-sdk-7': { title: 'Vercel AI SDK 7', packages: ['ai', '@ai-sdk/otel'] },
  'genai-1.27': { title: 'OpenTelemetry GenAI 1.27: content as two events', packages: [] },
  'genai-1.28': { title: 'OpenTelemetry GenAI 1.28: an event for each message', packages: [] },
  'genai-1.36': { title: 'OpenTelemetry GenAI 1.36: agents and tools', packages: [] },
  'genai-1.41': { title: 'OpenTelemetry GenAI 1.41: content as attributes', packages: [] },
  langfuse: { title: 'Langfuse', packages: ['@langfuse/tracing', '@langfuse/otel'] },
  langsmith: { title: 'LangSmith', packages: ['langsmith'] },
  'openinference-ai-sdk-7': {
    title: 'OpenInference for the Vercel AI SDK 7',
    packages: ['@arizeai/openinference-vercel', '@arizeai/openinference-core', '@ai-sdk/otel'],
  },
  'openinference-openai': {
    title: 'OpenInference for OpenAI',
    packages: ['@arizeai/openinference-instrumentation-openai', '@arizeai/openinference-core'],
  },
  'openllmetry-anthropic': { title: 'OpenLLMetry for Anthropic', packages: ['@traceloop/node-server-sdk'] },
  'openllmetry-openai': { title: 'OpenLLMetry for OpenAI', packages: ['@traceloop/node-server-sdk'] },
  'openllmetry-openai-0.22': {
    title: 'OpenLLMetry for OpenAI, before it took up GenAI',
    packages: ['@traceloop/instrumentation-openai-v0.22'],
  },
  'opentelemetry-openai': {
    title: 'OpenTelemetry’s own instrumentation of OpenAI: content as log records',
    packages: ['@opentelemetry/instrumentation-openai'],
  },
};
