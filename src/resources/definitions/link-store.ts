import type { Database } from '../../storage/database.ts';
import type { Owner } from '../../contract/owner.ts';
import { checkLinks, linkDefinitions, unlinkDefinitions } from './definition-links.ts';
import type { LinkBody } from './contract.ts';
import { tasks } from '../tasks/record.ts';
import { topics } from '../topics/record.ts';

/** Links all definitions to all targets, or none. Throws `not_found` and `conflict`. */
function linkToTargets(
  database: Database,
  { application, evalIds, taskIds, topicIds, config, at }: LinkBody & { application: number; at: number },
): void {
  requireTargets(database, application, { taskIds, topicIds });
  const links = { application, definitionIds: evalIds, config, at };
  linkDefinitions(database, { ...links, kind: 'task', targetIds: taskIds });
  linkDefinitions(database, { ...links, kind: 'topic', targetIds: topicIds });
}

/** Throws the errors of `linkToTargets` without linking. */
function checkLinkToTargets(
  database: Database,
  { application, evalIds, taskIds, topicIds }: Omit<LinkBody, 'config'> & { application: number },
): void {
  requireTargets(database, application, { taskIds, topicIds });
  const links = { application, definitionIds: evalIds };
  checkLinks(database, { ...links, kind: 'task', targetIds: taskIds });
  checkLinks(database, { ...links, kind: 'topic', targetIds: topicIds });
}

/** Unlinks all definitions from all targets, or none. Throws `not_found`. */
function unlinkFromTargets(
  database: Database,
  { application, evalIds, taskIds, topicIds }: Omit<LinkBody, 'config'> & { application: number },
): void {
  requireTargets(database, application, { taskIds, topicIds });
  unlinkDefinitions(database, { application, definitionIds: evalIds, kind: 'task', targetIds: taskIds });
  unlinkDefinitions(database, { application, definitionIds: evalIds, kind: 'topic', targetIds: topicIds });
}

function requireTargets(
  database: Database,
  application: number,
  { taskIds, topicIds }: Pick<LinkBody, 'taskIds' | 'topicIds'>,
): void {
  tasks.requireAll(database, application, taskIds);
  topics.requireAll(database, application, topicIds);
}

function linkToApplication(
  database: Database,
  { owner, evalIds, at }: { owner: Owner; evalIds: string[]; at: number },
): void {
  linkDefinitions(database, { ...ofApplication(owner, evalIds), config: undefined, at });
}

function unlinkFromApplication(
  database: Database,
  { owner, evalIds }: { owner: Owner; evalIds: string[] },
): void {
  unlinkDefinitions(database, ofApplication(owner, evalIds));
}

const ofApplication = ({ application, applicationId }: Owner, definitionIds: string[]) =>
  ({ application, definitionIds, kind: 'application', targetIds: [applicationId] }) as const;

export const definitionLinkCommands = {
  linkDefinitionsToTargets: linkToTargets,
  checkDefinitionLinks: checkLinkToTargets,
  unlinkDefinitionsFromTargets: unlinkFromTargets,
  linkDefinitionsToApplication: linkToApplication,
  unlinkDefinitionsFromApplication: unlinkFromApplication,
};
