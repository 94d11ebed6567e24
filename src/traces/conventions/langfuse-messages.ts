import { messagesAt } from './messages-at.ts';

/** Reads the input of a Langfuse observation, which may be any value, if it consists of messages. */
export const langfuseInputMessages = messagesAt('langfuse.observation.input');

/** Reads the output of a Langfuse observation if it consists of messages. */
export const langfuseOutputMessages = messagesAt('langfuse.observation.output');
