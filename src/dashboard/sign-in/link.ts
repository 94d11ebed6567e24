/** Link that makes an account: for the first person, or for an invited one. */
export interface Link {
  kind: 'setup' | 'invitation';
  token: string;
}

/** Reads the link from the fragment, which reaches no server and no log, and removes it from the address. */
export function takeLink(): Link | null {
  const [, kind, token] = /^#(setup|invitation)=(.+)$/.exec(location.hash) ?? [];
  if (kind === undefined || token === undefined) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return { kind: kind as Link['kind'], token };
}
