import { useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';

const PREFIX = 'touchstone.draft.';
/** Longest draft that is kept, in characters. */
const MAX_DRAFT = 500_000;

/** Returns the name under which a draft of this page is kept. Each account, application and page with its tab has one of its own; `part` stands for a tab. */
export function useDraftKey(part?: string): string {
  const { login, application } = useSession();
  const [place] = useState(() => [
    location.pathname,
    part ?? new URLSearchParams(location.search).get('tab') ?? '',
  ]);
  return [PREFIX, login.user?.id ?? '', application.id, ...place].join('|');
}

/** Returns the draft that was kept; null if there is none. */
export function keptDraft<T>(key: string): T | null {
  const text = sessionStorage.getItem(key);
  return text === null ? null : (JSON.parse(text) as T);
}

/**
 * Keeps a draft for as long as the tab is open, so that neither `Esc`, the way back, a reload nor an expired login loses it;
 * null removes it.
 */
export function useKeepDraft(key: string, draft: unknown): void {
  const text = draft === null ? null : JSON.stringify(draft);
  useEffect(() => {
    if (text === null || text.length > MAX_DRAFT) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  }, [key, text]);
}

/** Removes all drafts, when the person signs out. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
