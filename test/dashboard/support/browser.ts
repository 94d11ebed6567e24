/** The browser that all tests of the dashboard share, and the server that most of them look at. */
import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { withStore } from '../../../src/cli/data-folder.ts';
import type { Role } from '../../../src/people/roles.ts';
import { addMember } from '../../../src/people/setup-store.ts';
import { applicationKey } from '../../support/stored-tests.ts';
import { addPerson, type Person } from '../../support/people.ts';
import { type Overrides, startServer, type Tenant, type TestServer } from '../../support/server.ts';
import { Visitor, type VisitorOptions } from './visitor.ts';

interface Stage {
  server: TestServer;
  /** A member of the first application with this role, who is signed in. */
  person: (role: Role) => Person;
  /** Makes a person a viewer of another application too. */
  join: (person: Person, tenant: Pick<Tenant, 'applicationId'>) => void;
  /** Opens a browser window; with a role, signed in. Whatever the browser reports as wrong fails the test. */
  visit: (options?: Partial<VisitorOptions> & { role?: Role }) => Promise<Visitor>;
}

/** Starts a server for the tests of a file; `prepare` fills it. */
export function useStage(
  prepare: (server: TestServer) => Promise<unknown> = async () => undefined,
  overrides: Overrides = {},
): Stage {
  const visitors: Visitor[] = [];
  let browser: Browser;
  const stage = {} as Stage;
  beforeAll(async () => {
    browser = await chromium.connect(inject('browserEndpoint'));
    stage.server = await startServer(overrides);
    await prepare(stage.server);
    stage.person = (role) => addPerson(stage.server, stage.server, { role, name: 'Ada Lovelace' });
    stage.join = ({ id: userId }, { applicationId }) =>
      withStore(stage.server.folder, (database) => {
        const application = applicationKey(database, applicationId);
        addMember(database, { application, userId, role: 'viewer', at: Date.now() });
      });
    stage.visit = async ({ role, ...options } = {}) => {
      const visitor = await Visitor.arrive(browser, { url: stage.server.url, ...options });
      visitors.push(visitor);
      if (role) await visitor.become(stage.person(role));
      return visitor;
    };
  });
  afterEach(async () => {
    const left = visitors.splice(0);
    await Promise.all(left.map((visitor) => visitor.leave()));
    expect(left.flatMap(({ reported }) => reported)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await stage.server.close();
  });
  return stage;
}
