/** A response to a request. */
export interface HttpResponse {
  status: number;
  /** Values by the name in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** A request to send: always a POST. */
export interface HttpRequest {
  headers: Record<string, string>;
  body: Uint8Array;
  signal: AbortSignal;
}

/** Sends requests in one runtime. */
export interface Transport {
  /** Resolves with the response to a request. Rejects with the error of the connection, or the reason of the signal. */
  send(url: URL, request: HttpRequest): Promise<HttpResponse>;
  /** Compresses a body with gzip; null in a runtime that cannot. */
  gzip: ((pieces: readonly Uint8Array[]) => Promise<Uint8Array>) | null;
  /** Closes what is kept for later requests. */
  close(): void;
}

/** Longest response that is read; more of it is discarded. */
export const MAX_RESPONSE_BYTES = 65_536;
