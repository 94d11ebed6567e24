import { applicationInUrl } from './url.tsx';

/** Key of this origin's storage that remembers the application looked at last. */
const KEY = 'touchstone.application';

/** Chooses the application that the URL names, else the one looked at last. */
export function chooseFirst(applications: readonly { id: string }[]): string | undefined {
  const wanted = [applicationInUrl(location.search), localStorage.getItem(KEY)];
  return wanted.find((id) => applications.some((one) => one.id === id)) ?? applications[0]?.id;
}

export const rememberApplication = (id: string): void => localStorage.setItem(KEY, id);
