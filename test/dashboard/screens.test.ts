import { expect, it } from 'vitest';
import { SCREENS_TO_LOOK_AT } from './support/screen-list.ts';
import { openShop } from './support/shop.ts';
import { useStage } from './support/browser.ts';

const stage = useStage(openShop);
const DAY_MS = 86_400_000;

const SIZES = {
  'in a narrow window': { width: 1024, height: 700 },
  'on a tablet': { width: 768, height: 1024 },
  'at 200 % zoom': { width: 720, height: 450 },
  'on a phone': { width: 390, height: 844 },
  'on a small phone': { width: 360, height: 740 },
};

it.each(SCREENS_TO_LOOK_AT)(
  '%s is accessible in both themes, and never wider than the window',
  async (_name, path, shows) => {
    const visitor = await stage.visit({ role: 'admin' });
    await visitor.open(path);
    await visitor.page.getByText(shows).first().waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await visitor.useTheme('dark');
    expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
    for (const [name, size] of Object.entries(SIZES)) {
      await visitor.useSize(size);
      const overflow = await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, name).toBeLessThanOrEqual(0);
    }
  },
);

it('Home counts the newest verdicts, also where the clock of the browser is slow', async () => {
  const visitor = await stage.visit({ role: 'viewer', usesUpWindow: true });
  await visitor.page.clock.setFixedTime(Date.now() - 10 * DAY_MS);
  await visitor.open('/');
  const rates = visitor.page.getByRole('table', { name: 'Pass rate by topic' });
  await rates.waitFor();
  expect(await rates.getByRole('row').count()).toBeGreaterThan(1);
});
