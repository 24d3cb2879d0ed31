import type { Flow, FlowType } from '@balcao/contract/flows.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { namesFiles } from '../../platform/files/orphans.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import { and, eq, inArray, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { flows, type StoredAction } from './flows.table.ts'

type Row = typeof flows.$inferSelect
type Saved = Pick<Row, 'name' | 'type' | 'flowActions'>

/** One page by name, of one type when it is asked for. */
export async function listFlows(tx: Tx, asked: PageQuery & { type?: FlowType | undefined }) {
  const found = tx.sql
    .select()
    .from(flows)
    .where(
      and(
        eq(flows.companyId, tx.companyId),
        asked.type && eq(flows.type, asked.type),
        containing(asked.searchParam, flows.name),
      ),
    )
    .orderBy(firstIn(flows.name, asked.searchParam), tag`folded(${flows.name})`, flows.id)
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { flows: rows.map(shownFlow), hasMore }
}

/** Refuses with ERR_NOT_FOUND. */
export async function findFlow(tx: Tx, flowId: number): Promise<Flow> {
  const [row] = await tx.sql.select().from(flows).where(own(tx, flowId))
  return row ? shownFlow(row) : refuse('ERR_NOT_FOUND', { field: 'flowId' })
}

/** A flow, locked. Refuses with ERR_NOT_FOUND. */
export async function lockFlow(tx: Tx, flowId: number, strength: 'share' | 'update'): Promise<Row> {
  return (await lockFlowOrNull(tx, flowId, strength)) ?? refuse('ERR_NOT_FOUND', { field: 'flowId' })
}

export async function lockFlowOrNull(tx: Tx, flowId: number, strength: 'share' | 'update') {
  const [row] = await tx.sql.select().from(flows).where(own(tx, flowId)).for(strength)
  return row ?? null
}

export async function insertFlow(tx: Tx, values: Saved): Promise<Flow> {
  const [row] = await tx.sql
    .insert(flows)
    .values({ ...values, companyId: tx.companyId })
    .returning()
  return shownFlow(row!)
}

export async function updateFlow(tx: Tx, flowId: number, values: Saved): Promise<Flow> {
  const [row] = await tx.sql
    .update(flows)
    .set({ ...values, updatedAt: tag`now()` })
    .where(own(tx, flowId))
    .returning()
  return shownFlow(row!)
}

export const deleteFlow = (tx: Tx, flowId: number) => tx.sql.delete(flows).where(own(tx, flowId))

/** Which of these flows of bots exist. */
export async function knownFlows(tx: Tx, flowIds: number[]): Promise<number[]> {
  if (flowIds.length === 0) return []
  const rows = await tx.sql
    .select({ id: flows.id })
    .from(flows)
    .where(and(eq(flows.companyId, tx.companyId), eq(flows.type, 'Bot'), inArray(flows.id, flowIds)))
  return rows.map(({ id }) => id)
}

/** Which of these addresses actions of flows name. */
export async function filesInFlows(tx: Tx, addresses: string[]): Promise<string[]> {
  const action = tag`jsonb_array_elements(${flows.flowActions}) action`
  const names = tag`exists (select from ${action} where action ->> 'mediaUrl' = any(${`{${addresses}}`}::text[]))`
  const found = await tx.sql
    .select({ flowActions: flows.flowActions })
    .from(flows)
    .where(and(eq(flows.companyId, tx.companyId), names))
  const named = new Set(found.flatMap(({ flowActions }) => flowActions.map(({ mediaUrl }) => mediaUrl)))
  return addresses.filter(address => named.has(address))
}

const shownFlow = ({ id, name, type, flowActions }: Row): Flow => ({
  id,
  name,
  type,
  flowActions: flowActions.map(shownAction),
})

const shownAction = ({ sha256: _kept, ...action }: StoredAction, at: number) => ({
  ...action,
  media: action.mediaUrl,
  order: at + 1,
})

const own = (tx: Tx, flowId: number) => and(eq(flows.companyId, tx.companyId), eq(flows.id, flowId))

/** Files that flows name. */
export const flowFiles = namesFiles(
  flows,
  tag`(select array_agg(action->>'mediaUrl') from jsonb_array_elements(${flows.flowActions}) action)`,
)
