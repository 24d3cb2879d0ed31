import type { PageQuery } from '@balcao/contract/kit.ts'
import type { Tag, TagChoice } from '@balcao/contract/tags.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import { and, eq, getTableColumns, inArray, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { tags } from './tags.table.ts'

const { companyId: _company, ...chosen } = getTableColumns(tags)

const shown = {
  ...chosen,
  ticketsCount: tag<number>`(select count(*)::int from ticket_tags tt
    where tt.company_id = ${tags}.company_id and tt.tag_id = ${tags}.id)`,
}

const byName = [tag`folded(${tags.name})`, tags.id]

export async function listTags(tx: Tx, query: PageQuery) {
  const found = tx.sql
    .select(shown)
    .from(tags)
    .where(and(eq(tags.companyId, tx.companyId), containing(query.searchParam, tags.name)))
    .orderBy(firstIn(tags.name, query.searchParam), ...byName)
  const { rows, hasMore } = await onePage(query, (limit, offset) => found.limit(limit).offset(offset))
  return { tags: rows, hasMore }
}

export const allTags = async (tx: Tx): Promise<TagChoice[]> =>
  await tx.sql
    .select(chosen)
    .from(tags)
    .where(eq(tags.companyId, tx.companyId))
    .orderBy(...byName)

export const laneTags = async (tx: Tx): Promise<TagChoice[]> =>
  await tx.sql
    .select(chosen)
    .from(tags)
    .where(and(eq(tags.companyId, tx.companyId), eq(tags.kanban, 1)))
    .orderBy(tag`${tags.position} nulls last`, ...byName)

/** Locks every lane: of two who put them in order at once, the second sees what the first did. */
export const lockLanes = (tx: Tx) =>
  tx.sql
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.companyId, tx.companyId), eq(tags.kanban, 1)))
    .orderBy(tags.id)
    .for('no key update')

/** Gives lanes their positions, from 1. Answers those whose position changed. */
export async function placeLanes(tx: Tx, tagIds: number[]): Promise<number[]> {
  const rows = await rowsFrom<{ id: number }>(
    tx.sql,
    tag`update tags t set position = placed.at
      from unnest(${`{${tagIds}}`}::int[]) with ordinality as placed (id, at)
      where t.company_id = ${tx.companyId} and t.id = placed.id and t.position is distinct from placed.at
      returning t.id`,
  )
  return rows.map(({ id }) => id)
}

export const selectTags = (tx: Tx, tagIds: number[]): PromiseLike<Tag[]> =>
  tx.sql
    .select(shown)
    .from(tags)
    .where(and(eq(tags.companyId, tx.companyId), inArray(tags.id, tagIds)))
    .orderBy(tags.id)

/** Refuses with ERR_NO_TAG_FOUND. */
export async function findTag(tx: Tx, tagId: number): Promise<Tag> {
  const [found] = await selectTags(tx, [tagId])
  return found ?? noTag()
}

/** Locks a tag. Refuses with ERR_NO_TAG_FOUND. */
export async function lockTag(tx: Tx, tagId: number): Promise<void> {
  const rows = await tx.sql.select({ id: tags.id }).from(tags).where(own(tx, tagId)).for('update')
  if (rows.length === 0) noTag()
}

/** The tag of a name, ignoring case; null when there is none. */
export async function tagNamed(tx: Tx, name: string): Promise<number | null> {
  const [row] = await tx.sql
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.companyId, tx.companyId), tag`lower(${tags.name}) = lower(${name})`))
  return row?.id ?? null
}

/** The existing ones of these ids, locked against deletion. */
export async function heldTags(tx: Tx, tagIds: number[]): Promise<number[]> {
  if (tagIds.length === 0) return []
  const rows = await tx.sql
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.companyId, tx.companyId), inArray(tags.id, tagIds)))
    .orderBy(tags.id)
    .for('key share')
  return rows.map(({ id }) => id)
}

type Row = typeof tags.$inferInsert

export async function insertTag(tx: Tx, values: Omit<Row, 'companyId'>): Promise<Tag> {
  const [added] = await tx.sql
    .insert(tags)
    .values({ ...values, companyId: tx.companyId })
    .returning({ id: tags.id })
  return findTag(tx, added!.id)
}

/** Refuses with ERR_NO_TAG_FOUND. */
export async function updateTag(tx: Tx, tagId: number, values: Partial<Row>): Promise<Tag> {
  if (Object.keys(values).length > 0) await tx.sql.update(tags).set(values).where(own(tx, tagId))
  return findTag(tx, tagId)
}

/** Refuses with ERR_NO_TAG_FOUND. */
export async function deleteTag(tx: Tx, tagId: number): Promise<void> {
  const deleted = await tx.sql.delete(tags).where(own(tx, tagId)).returning({ id: tags.id })
  if (deleted.length === 0) noTag()
}

/** Tags of a deleted user stay without a user. */
export async function disownTags(tx: Tx, userId: number): Promise<void> {
  await tx.sql
    .update(tags)
    .set({ userId: null })
    .where(and(eq(tags.companyId, tx.companyId), eq(tags.userId, userId)))
}

const own = (tx: Tx, tagId: number) => and(eq(tags.companyId, tx.companyId), eq(tags.id, tagId))

const noTag = (): never => refuse('ERR_NO_TAG_FOUND', { field: 'tagId' })
