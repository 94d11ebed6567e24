import { useLanguageDetector } from './measures/language.ts';

let loading: Promise<void> | null = null;

/**
 * Loads the detector of languages, which takes up to two seconds and some 35 MB. It is imported here and nowhere else, so that only
 * threads that need it have it. A check fails with the reason if it cannot be loaded; a later call tries again.
 */
export const loadLanguageDetector = (): Promise<void> =>
  (loading ??= import('eld/extrasmall').then(
    ({ eld }) => useLanguageDetector(eld),
    () => {
      loading = null;
    },
  ));
