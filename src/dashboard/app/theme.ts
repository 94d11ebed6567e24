import { stored } from './stored.ts';

export const theme = stored('theme', ['system', 'light', 'dark']);

/** Gives the page the chosen theme, now and whenever the choice or the system changes. */
export function applyTheme(): void {
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const choice = theme.read();
    const isDark = choice === 'dark' || (choice === 'system' && prefersDark.matches);
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  };
  theme.subscribe(apply);
  prefersDark.addEventListener('change', apply);
  apply();
}
