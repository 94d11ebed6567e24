import type { Pagination } from '../../contract/paging.ts';
import { oneOf } from '../../storage/sql.ts';
import type { Owner } from '../../contract/owner.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { listRows } from '../../storage/list-rows.ts';
import type { Conversation, ConversationsQuery } from './conversation-contract.ts';
import type { Turn } from './materials.ts';
import { statusOf } from './move.ts';

interface Row extends Pick<Conversation, 'id' | 'quickstartId' | 'uploadId' | 'externalId' | 'taskId'> {
  createdAt: number;
}
const COLUMNS = `id, quickstart_id AS quickstartId, upload_id AS uploadId, external_id AS externalId, task_id AS taskId,
  created_at AS createdAt`;
const ORDER = { createdAt: 'created_at', id: 'id' };

/** The conversations that were handed in to a quickstart. Throws `not_found`. */
export function listConversations(
  database: Database,
  {
    owner,
    quickstartId,
    query: { taskId, ...page },
  }: { owner: Owner; quickstartId: string; query: ConversationsQuery },
): { data: Conversation[]; pagination: Pagination } {
  const { application, orgId, applicationId } = owner;
  statusOf(database, application, quickstartId);
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application,
    table: 'conversation',
    columns: COLUMNS,
    within: { sql: 'quickstart_id = ?', values: [quickstartId] },
    where: taskId ? [oneOf('task_id', taskId)] : [],
    order: ORDER,
    page,
  });
  const turnsOf = turnsById(
    database,
    application,
    rows.map(({ id }) => id),
  );
  const data = rows.map(({ createdAt, ...row }) => ({
    ...row,
    orgId,
    applicationId,
    createdAt: isoTime(createdAt),
    turns: turnsOf(row.id),
  }));
  return { data, pagination };
}

function turnsById(
  database: Database,
  application: number,
  ids: readonly string[],
): (conversationId: string) => Turn[] {
  const turns = database.all<Turn & { conversationId: string }>(
    `SELECT conversation_id AS conversationId, role, content FROM conversation_turn
     WHERE application = ? AND conversation_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    application,
    JSON.stringify(ids),
  );
  const byId = Map.groupBy(turns, ({ conversationId }) => conversationId);
  return (id) => (byId.get(id) ?? []).map(({ role, content }) => ({ role, content }));
}
