import type { Href } from '../app/paths.ts';

/** Returns the address of a conversation. Ids of sessions are free texts. */
export const conversationHref = (id: string): Href => `/conversations/${encodeURIComponent(id)}`;
