import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { memberOf, objectMember } from './members.ts';
import { asList, pickMemberIn } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/** Vocabulary of Genkit, in JavaScript, Go and Python. Inputs and outputs are the JSON of an action's arguments and result. */
export const GENKIT: Vocabulary = {
  name: 'genkit',
  rules: [
    {
      key: 'genkit:metadata:subtype',
      field: 'kind',
      kinds: {
        model: 'LLM',
        'background-model': 'LLM',
        tool: 'TOOL',
        'tool.v2': 'TOOL',
        embedder: 'EMBEDDING',
        retriever: 'RETRIEVER',
        reranker: 'RERANKER',
        evaluator: 'EVALUATOR',
        agent: 'AGENT',
        flow: 'CHAIN',
        prompt: 'CHAIN',
        'executable-prompt': 'CHAIN',
      },
    },
    { key: 'genkit:type', field: 'kind', kinds: { flow: 'CHAIN', promptTemplate: 'CHAIN' } },
    { key: 'genkit:input', field: 'input', json: true },
    { key: 'genkit:output', field: 'output', json: true },
    { key: 'genkit:input', field: 'inputMessages' },
    { key: 'genkit:output', field: 'outputMessages' },
    { key: 'genkit:output', field: 'documents' },
    { key: 'genkit:name', field: 'model', pick: modelOfName },
    { key: 'genkit:name', field: 'provider', pick: providerOfName },
    { key: 'genkit:name', field: 'toolName' },
    { key: 'genkit:output', field: 'inputTokens', pick: pickMemberIn('usage', 'inputTokens') },
    { key: 'genkit:output', field: 'outputTokens', pick: pickMemberIn('usage', 'outputTokens') },
    { key: 'genkit:output', field: 'totalTokens', pick: pickMemberIn('usage', 'totalTokens') },
    { key: 'genkit:output', field: 'cacheReadTokens', pick: cachedTokens },
    { key: 'genkit:output', field: 'reasoningTokens', pick: thoughtTokens },
    { key: 'genkit:output', field: 'finishReasons', pick: finishReason },
    { key: 'genkit:sessionId', field: 'sessionId' },
    { key: 'genkit:metadata:flow:name', field: 'agentName' },
  ],
};

/** Plugins of models, the names of which stand before that of the model: `googleai/gemini-2.5-flash`. */
const MODEL =
  /^(googleai|google-genai|vertexai|vertex-model-garden|modelgarden|ollama|openai|openrouter|github|anthropic|mistral|cohere|deepseek|groq|xai|together|fireworks|perplexity|cerebras|nvidia|watsonx|cloudflare|qwen|azure-openai|azureopenai|azure|aws-bedrock|amazon-bedrock|bedrock)\/(.+)$/i;

function modelOfName(name: JsonValue): JsonValue | undefined {
  return typeof name === 'string' ? MODEL.exec(name)?.[2] : undefined;
}

function providerOfName(name: JsonValue): JsonValue | undefined {
  return typeof name === 'string' ? MODEL.exec(name)?.[1]?.toLowerCase() : undefined;
}

/** Returns why a model stopped; outputs of other actions may have a member of that name too. */
function finishReason(output: JsonValue): JsonValue | undefined {
  const reason = isObject(output) ? memberOf(output, 'finishReason') : undefined;
  return typeof reason === 'string' ? asList(reason) : undefined;
}

const cachedContent = pickMemberIn('usage', 'cachedContentTokens');
const thoughts = pickMemberIn('usage', 'thoughtsTokens');

/** Returns the tokens that were read from a cache; plugins for APIs like OpenAI's have them in the raw response alone. */
function cachedTokens(output: JsonValue): JsonValue | undefined {
  return cachedContent(output) ?? pickMemberIn('prompt_tokens_details', 'cached_tokens')(rawUsage(output));
}

/** Returns the tokens of reasoning, likewise. */
function thoughtTokens(output: JsonValue): JsonValue | undefined {
  return thoughts(output) ?? pickMemberIn('completion_tokens_details', 'reasoning_tokens')(rawUsage(output));
}

function rawUsage(output: JsonValue): JsonValue {
  const raw = isObject(output) ? objectMember(output, 'raw') : undefined;
  return (raw && objectMember(raw, 'usage')) ?? null;
}
