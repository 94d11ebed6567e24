/** A person with a browser. Whatever the browser reports as wrong on the way is kept, and fails the test at the end. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Person } from '../../support/people.ts';

export type Theme = 'light' | 'dark';

export interface VisitorOptions {
  url: string;
  theme?: Theme;
  width?: number;
  height?: number;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Parts of a page that wait for the server. */
const BUSY = '[aria-busy="true"], [role="status"][aria-label="Loading"]';
/** Console messages of the browser itself about responses that a test provokes. */
const EXPECTED =
  /^Failed to load resource: the server responded with a status of (?:401|403|404|409|421|422|429|503)/;
/** Longer than a busy machine takes: only what never happens reaches it. */
const TIMEOUT_MS = 60_000;
/** Invisible ends of open menus and dialogs, which pass the focus on at once and are hidden from screen readers for that. */
const FOCUS_GUARDS = ['[data-base-ui-focus-guard]'];
/** A document of the server without scripts, at which a window waits for its next visit. */
const LOBBY = '/healthz';

export class Visitor {
  readonly page: Page;
  private readonly context: BrowserContext;
  private readonly origin: string;
  private problems: string[] = [];

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    this.origin = origin;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text()))
        this.problems.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.problems.push(`exception: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      const isLocal = url.origin === origin || ['data:', 'blob:'].includes(url.protocol);
      if (!isLocal) this.problems.push(`foreign request: ${request.url()}`);
    });
  }

  /** Opens a window without a history. */
  static async arrive(browser: Browser, options: VisitorOptions): Promise<Visitor> {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    const visitor = new Visitor(context, await context.newPage(), new URL(options.url).origin);
    await visitor.page.goto(visitor.origin + LOBBY);
    await visitor.adopt(options);
    return visitor;
  }

  /** Takes the theme and the size of a visit. */
  async adopt({ theme = 'light', width = 1440, height = 900 }: Omit<VisitorOptions, 'url'>): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme });
    await this.page.setViewportSize({ width, height });
  }

  /**
   * Forgets the login, everything stored and everything reported, so that another visit can use the window. A new
   * window would start a process of the browser and compile the dashboard again.
   */
  async forget(): Promise<void> {
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.goto(this.origin + LOBBY);
    await this.page.mouse.move(0, 0);
    await this.page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await this.context.clearCookies();
    this.problems = [];
  }

  /** Takes the login of a person, as the browser that signed in has it. Called before a page is opened. */
  async become({ headers }: Pick<Person, 'headers'>): Promise<void> {
    const [name = '', value = ''] = (headers['cookie'] ?? '').split('=', 2);
    await this.context.addCookies([{ name, value, url: this.origin, httpOnly: true, sameSite: 'Strict' }]);
    await this.page.evaluate(`localStorage.setItem('touchstone.csrf', '${headers['x-csrf']}')`);
  }

  /** Opens a page of the dashboard, and waits until it shows its content. */
  async open(path: string): Promise<void> {
    await this.page.goto(this.origin + path);
    await this.settle();
  }

  /** Waits until nothing loads any more. */
  async settle(): Promise<void> {
    await this.page.waitForSelector('h1');
    await this.page.waitForSelector(`body:not(:has(${BUSY}))`);
  }

  /** Changes the theme of the system. */
  async useTheme(theme: Theme): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme });
    await this.page.waitForSelector(`html[data-theme="${theme}"]`);
    await this.painted();
  }

  /** Changes the size of the window. */
  async useSize(size: { width: number; height: number }): Promise<void> {
    await this.page.setViewportSize(size);
    await this.painted();
    await this.settle();
  }

  /** Waits two frames, after which everything is painted as it is now. */
  private async painted(): Promise<void> {
    await this.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
  }

  /** Returns what is wrong with the accessibility of the page, a line each; with `only`, by that rule alone. */
  async accessibilityProblems(only?: 'color-contrast'): Promise<string[]> {
    // Evaluated through the debugger, to which the page's policy does not apply.
    if (await this.page.evaluate<boolean>("typeof axe === 'undefined'")) await this.page.evaluate(AXE);
    const context = JSON.stringify({ exclude: FOCUS_GUARDS });
    // An open menu stands at the end of the document, and belongs to its button all the same.
    const options = only
      ? JSON.stringify({ runOnly: [only] })
      : "{ rules: { region: { enabled: document.querySelector('[role=menu]') === null } } }";
    const violations = await this.page.evaluate<Result[]>(
      `axe.run(${context}, ${options}).then((result) => result.violations)`,
    );
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary ?? ''}`,
      ),
    );
  }

  /** Returns everything that the browser reported as wrong until now. */
  get reported(): readonly string[] {
    return this.problems;
  }

  /** Returns what the browser reported and forgets it: the test expects it. */
  takeReported(): readonly string[] {
    const taken = this.problems;
    this.problems = [];
    return taken;
  }

  leave(): Promise<void> {
    return this.context.close();
  }
}
