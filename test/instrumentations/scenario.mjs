import { setTimeout as sleep } from 'node:timers/promises';

/** What all applications have in common: the scenario they tell, its tool, and whose scenario it is. */
export const SESSION = 'session-1';
export const USER = 'user-1';

export const SYSTEM = 'You answer questions about the weather.';
export const QUESTION = 'What is the weather in Paris?';
export const THANKS = 'Thank you!';
export const CHAT_MODEL = 'gpt-5-mini';
export const CLAUDE_MODEL = 'claude-sonnet-5';
export const EMBEDDING_MODEL = 'text-embedding-3-small';

export const TOOL = {
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** Takes long enough that no later step starts in the same millisecond: some packages count time no finer. */
export async function getWeather({ city }) {
  await sleep(5);
  return city === 'Paris' ? '18 degrees, sunny' : 'unknown';
}

/** The question, the tool call and the answer with OpenAI's client; returns the conversation. */
export async function askOpenAi(client, callTool = getWeather) {
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: QUESTION },
  ];
  for (;;) {
    const { choices } = await client.chat.completions.create({
      model: CHAT_MODEL,
      // A copy: LangSmith's package serializes the list later, when more may have been added to it.
      messages: [...messages],
      tools: [{ type: 'function', function: TOOL }],
      max_completion_tokens: 1000,
    });
    const { content, tool_calls: calls } = choices[0].message;
    messages.push({ role: 'assistant', content, ...(calls && { tool_calls: calls }) });
    if (!calls) return messages;
    for (const { id, function: call } of calls) {
      const result = await callTool(JSON.parse(call.arguments));
      messages.push({ role: 'tool', tool_call_id: id, content: result });
    }
  }
}

/** The second turn, streamed. */
export async function thankOpenAi(client, messages) {
  const stream = await client.chat.completions.create({
    model: CHAT_MODEL,
    messages: [...messages, { role: 'user', content: THANKS }],
    temperature: 0.5,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = '';
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
  return text;
}

export const embedWithOpenAi = (client) =>
  client.embeddings.create({ model: EMBEDDING_MODEL, input: [QUESTION] });

/** The same with Anthropic's client; thinking is on while the tool is offered. */
export async function askAnthropic(client, callTool = getWeather) {
  const messages = [{ role: 'user', content: QUESTION }];
  for (;;) {
    const { content } = await client.messages.create({
      model: CLAUDE_MODEL,
      max_tokens: 2000,
      system: SYSTEM,
      messages: [...messages],
      tools: [{ name: TOOL.name, description: TOOL.description, input_schema: TOOL.parameters }],
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
    messages.push({ role: 'assistant', content });
    const calls = content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return messages;
    const results = [];
    for (const { id, input } of calls)
      results.push({ type: 'tool_result', tool_use_id: id, content: await callTool(input) });
    messages.push({ role: 'user', content: results });
  }
}

export async function thankAnthropic(client, messages) {
  const stream = await client.messages.create({
    model: CLAUDE_MODEL,
    max_tokens: 100,
    system: SYSTEM,
    messages: [...messages, { role: 'user', content: THANKS }],
    stream: true,
  });
  let text = '';
  for await (const event of stream) if (event.type === 'content_block_delta') text += event.delta.text ?? '';
  return text;
}
