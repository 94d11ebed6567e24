import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { Tool, ToolRequest } from './tools.ts';

/** Longest result, in characters; an agent reads a longer one in parts. */
const MAX_RESULT = 100_000;

const INSTRUCTIONS =
  'Touchstone tests an application that is built on a language model: a task has examples, a run sends tests to the ' +
  'application, and evals are verdicts on the trace of each test. To find out why a test failed, read it with getTest, ' +
  'its cause with diagnoseTest, and its spans with getTraceByTest and listSpans. Lists have pages: use limit and skip.';

export interface Answer {
  status: number;
  text: string;
}

/** Creates a server of the Model Context Protocol whose tools are calls of the API. */
export function createAgentServer(
  tools: readonly Tool[],
  { version, call }: { version: string; call: (request: ToolRequest) => Promise<Answer> },
): McpServer {
  const server = new McpServer({ name: 'touchstone', version }, { instructions: INSTRUCTIONS });
  for (const tool of tools) {
    const { name, title, description, inputSchema, isReadOnly, request } = tool;
    const settings = {
      title,
      description,
      inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema),
      annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
    };
    server.registerTool(name, settings, async (args) => {
      const { status, text } = await call(request(args));
      return { content: [{ type: 'text', text: shortened(text) }], isError: status >= 300 };
    });
  }
  return server;
}

const shortened = (text: string): string =>
  text.length <= MAX_RESULT
    ? text
    : `${text.slice(0, MAX_RESULT)}\n… ${text.length - MAX_RESULT} more characters. Use limit, or read one record.`;
