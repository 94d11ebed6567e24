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

interface VisitOptions extends Omit<VisitorOptions, 'url'> {
  role?: Role;
  /** True for a visit that leaves traces in its window, which is closed afterwards. */
  usesUpWindow?: boolean;
}

interface Stage {
  server: TestServer;
  /** A member of the first application with this role, who is signed in. */
  person: (role: Role) => Person;
  /** Makes a person a viewer of another application too. */
  join: (person: Person, tenant: Pick<Tenant, 'applicationId'>) => void;
  /** Begins a visit; with a role, signed in. Whatever the browser reports as wrong fails the test. */
  visit: (options?: VisitOptions) => Promise<Visitor>;
}

/** Starts a server for the tests of a file; `prepare` fills it. */
export function useStage(
  prepare: (server: TestServer) => Promise<unknown> = async () => undefined,
  overrides: Overrides = {},
): Stage {
  const visits: { visitor: Visitor; usesUpWindow: boolean }[] = [];
  /** Windows of earlier visits, which know nothing of them any more. */
  const free: Visitor[] = [];
  const people = new Map<Role, Person>();
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
    stage.visit = async ({ role, usesUpWindow = false, ...options } = {}) => {
      const visitor = free.pop() ?? (await Visitor.arrive(browser, { url: stage.server.url }));
      visits.push({ visitor, usesUpWindow });
      await visitor.adopt(options);
      if (role) {
        const person = people.get(role) ?? stage.person(role);
        people.set(role, person);
        await visitor.become(person);
      }
      return visitor;
    };
  });
  afterEach(async () => {
    const over = visits.splice(0);
    const reported = over.flatMap(({ visitor }) => visitor.reported);
    for (const { visitor, usesUpWindow } of over) {
      if (usesUpWindow) await visitor.leave();
      else {
        await visitor.forget();
        free.push(visitor);
      }
    }
    expect(reported).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await stage.server.close();
  });
  return stage;
}
