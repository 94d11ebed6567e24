import type { ListOf } from '../../contract/paging.ts';
import { isOneOf } from '../../storage/sql.ts';
import type { Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import type { Conversation, ConversationsQuery } from './conversation-contract.ts';
import { conversations, turns } from './conversation-record.ts';
import { statusOf } from './move.ts';

const listed = conversations.omit('turnCount', 'characters');

/** Returns the conversations that were uploaded to a quickstart. Throws `not_found`. */
export function listConversations(
  database: Database,
  {
    owner,
    quickstartId,
    query: { taskId, ...page },
  }: { owner: Owner; quickstartId: string; query: ConversationsQuery },
): ListOf<Conversation> {
  statusOf(database, owner.application, quickstartId);
  const { data, pagination } = listed.list(database, owner, {
    within: { sql: 'quickstart_id = ?', values: [quickstartId] },
    where: taskId ? [isOneOf('task_id', taskId)] : [],
    page,
  });
  const turnsOf = turnsById(
    database,
    owner.application,
    data.map(({ id }) => id),
  );
  return { data: data.map((one) => ({ ...one, turns: turnsOf.get(one.id) ?? [] })), pagination };
}

function turnsById(database: Database, application: number, ids: readonly string[]) {
  const condition = `conversation_id IN ${valuesOf(':ids')} ORDER BY id`;
  const found = turns.all(database, application, condition, { ids: JSON.stringify(ids) });
  return Map.groupBy(found, ({ conversationId }) => conversationId);
}
