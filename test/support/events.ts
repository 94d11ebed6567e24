/** A reader of Server-Sent Events over fetch. */
export interface ServerEvent {
  name: string;
  data: unknown;
}

export interface EventStream {
  status: number;
  headers: Headers;
  /** The body, where it is no stream of events. */
  text: () => Promise<string>;
  /** The next event; null = the stream has ended. */
  next: () => Promise<ServerEvent | null>;
  /** Goes away, as a page that is closed does. */
  leave: () => void;
}

export async function openEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const gone = new AbortController();
  const response = await fetch(url, { headers, signal: gone.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let waiting = '';
  const block = async (): Promise<string | null> => {
    for (;;) {
      const end = waiting.indexOf('\n\n');
      if (end >= 0) {
        const text = waiting.slice(0, end);
        waiting = waiting.slice(end + 2);
        return text;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      waiting += decoder.decode(value, { stream: true });
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    text: async () => {
      let [text, part] = [waiting, await reader.read()];
      for (; !part.done; part = await reader.read()) text += decoder.decode(part.value, { stream: true });
      return text;
    },
    next: async () => {
      for (let text = await block(); text !== null; text = await block()) {
        const lines = text.split('\n').filter((line) => !line.startsWith(':'));
        const valueOf = (field: string): string =>
          lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2) ?? '';
        if (lines.some((line) => line.startsWith('data: ')))
          return { name: valueOf('event'), data: JSON.parse(valueOf('data')) as unknown };
      }
      return null;
    },
    leave: () => gone.abort(),
  };
}
