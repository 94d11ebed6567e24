import type { DerivedRows } from '../../storage/derived-rows.ts';

interface DefinitionKey {
  application: number;
  id: string;
}

const SCOPE = `(CASE WHEN EXISTS (SELECT 1 FROM definition_link WHERE definition_link.application = definition.application
  AND definition_id = definition.id AND kind = 'topic') THEN 'topic' ELSE 'application' END)`;

/** The scope in the row of a definition, which its links decide. */
const scopes: DerivedRows<DefinitionKey> = {
  what: 'scopes of definitions',
  find: (database, limit) =>
    database.all<DefinitionKey>(
      `SELECT application, id FROM definition WHERE scope <> ${SCOPE} LIMIT :limit`,
      { limit },
    ),
  describe: ({ id }) => ({ of: `definition ${id}`, fault: 'its scope is not that of its links' }),
  repair: (database, { application, id }) =>
    void database.run(
      `UPDATE definition SET scope = ${SCOPE} WHERE application = :application AND id = :id`,
      {
        application,
        id,
      },
    ),
};

export const DERIVED_OF_DEFINITIONS = [scopes] as DerivedRows[];
