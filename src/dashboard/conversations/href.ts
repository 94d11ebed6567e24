/** Returns the address of a conversation. Ids of sessions are free texts. */
export const conversationHref = (id: string): string => `/conversations/${encodeURIComponent(id)}`;
