import { HIDDEN, type Integration } from '@balcao/contract/integrations.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { integrations } from './integrations.table.ts'

export type IntegrationRow = typeof integrations.$inferSelect

/** One page by name; the search looks at name and address. */
export async function listIntegrations(tx: Tx, asked: PageQuery) {
  const found = tx.sql
    .select()
    .from(integrations)
    .where(
      and(
        eq(integrations.companyId, tx.companyId),
        containing(asked.searchParam, integrations.name, integrations.apiUrl),
      ),
    )
    .orderBy(
      firstIn(integrations.name, asked.searchParam),
      tag`folded(${integrations.name})`,
      integrations.id,
    )
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { integrations: rows.map(shownIntegration), hasMore }
}

/** The row with its sealed key. Refuses with ERR_NOT_FOUND. */
export async function findIntegration(tx: Tx, integrationId: number): Promise<IntegrationRow> {
  const [row] = await tx.sql.select().from(integrations).where(own(tx, integrationId))
  return row ?? noIntegration()
}

export async function insertIntegration(tx: Tx, fields: Kept & { apiToken: string }): Promise<Integration> {
  const [row] = await tx.sql
    .insert(integrations)
    .values({ ...fields, companyId: tx.companyId })
    .returning()
  return shownIntegration(row!)
}

/** Refuses with ERR_NOT_FOUND. */
export async function updateIntegration(tx: Tx, integrationId: number, fields: Kept): Promise<Integration> {
  const [row] = await tx.sql.update(integrations).set(fields).where(own(tx, integrationId)).returning()
  return row ? shownIntegration(row) : noIntegration()
}

/** Refuses with ERR_NOT_FOUND. */
export async function deleteIntegration(tx: Tx, integrationId: number): Promise<void> {
  const deleted = await tx.sql.delete(integrations).where(own(tx, integrationId)).returning()
  if (deleted.length === 0) noIntegration()
}

type Kept = Omit<typeof integrations.$inferInsert, 'id' | 'companyId' | 'apiToken'> & { apiToken?: string }

/** As a master sees it: of the key its end. */
export const shownIntegration = ({
  companyId: _company,
  refused: _refused,
  tokenEnd,
  ...row
}: IntegrationRow): Integration => ({ ...row, apiToken: HIDDEN + tokenEnd })

const own = (tx: Tx, integrationId: number) =>
  and(eq(integrations.companyId, tx.companyId), eq(integrations.id, integrationId))

const noIntegration = () => refuse('ERR_NOT_FOUND', { field: 'integrationId' })

/** Adds what the model refused one of the companies, and removes what is over. */
export const setRefused = (tx: Tx, integrationId: number, key: string, names: string[], days: number) =>
  tx.sql
    .update(integrations)
    .set({
      refused: tag`(select coalesce(jsonb_object_agg(k, v), '{}') from jsonb_each(${integrations.refused}) as kept(k, v)
          where v->>'until' > to_char(now() at time zone 'utc', 'YYYY-MM-DD'))
        || jsonb_build_object(${key}::text, jsonb_build_object('names', ${JSON.stringify(names)}::jsonb,
          'until', to_char(now() at time zone 'utc' + ${days} * interval '1 day', 'YYYY-MM-DD')))`,
    })
    .where(own(tx, integrationId))

/** A company's own integration, else the platform's first (OP-131); null when there is none. */
export async function integrationFor(sql: Sql, companyId: number): Promise<IntegrationRow | null> {
  const [row] = await sql
    .select()
    .from(integrations)
    .where(eq(integrations.integrationType, 'openai'))
    .orderBy(tag`${integrations.companyId} <> ${companyId}`, integrations.id)
    .limit(1)
  return row ?? null
}
