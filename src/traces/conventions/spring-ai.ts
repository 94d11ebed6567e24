import type { Vocabulary } from './rule.ts';

/** Vocabulary that Spring AI adds to that of GenAI. Micrometer writes each value as text, lists and numbers as JSON. */
export const SPRING_AI: Vocabulary = {
  name: 'spring_ai',
  rules: [
    {
      key: 'spring.ai.kind',
      field: 'kind',
      kinds: {
        chat_client: 'CHAIN',
        advisor: 'CHAIN',
        tool_call: 'TOOL',
        vector_store: 'RETRIEVER',
      },
    },
    { key: 'spring.ai.tool.definition.name', field: 'toolName' },
    { key: 'spring.ai.tool.definition.description', field: 'toolDescription' },
    { key: 'spring.ai.tool.call.arguments', field: 'input', json: true },
    { key: 'spring.ai.tool.call.result', field: 'output', json: true },
    { key: 'spring.ai.chat.client.user.text', field: 'input' },
    { key: 'spring.ai.chat.client.system.text', field: 'systemInstructions' },
    { key: 'spring.ai.chat.client.conversation.id', field: 'sessionId' },
    { key: 'spring.ai.model.request.tool.names', field: 'toolDefinitions' },
    { key: 'db.vector.query.content', field: 'input' },
    { key: 'db.vector.query.response.documents', field: 'documents' },
  ],
};
