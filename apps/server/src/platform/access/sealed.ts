import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Sql } from '../postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../postgres/sql.ts'

/**
 * A column whose texts hold sealed values, alone or within other text (JSON): a feature declares each in `jobs`, or its
 * values are lost when the secret is rotated (`npm run reseal`).
 */
export interface SealedColumn {
  kind: 'sealed'
  table: PgTable & { companyId: PgColumn }
  column: PgColumn
  lost: WhenLost
}

/** What becomes of values whose secret is gone (`npm run reseal -- --lost`). */
export interface WhenLost {
  /** What they are, for the operator. */
  what: string
  /** What has to be done for them; empty where nothing has to. */
  todo: string
  /**
   * Brings rows into the state in which the screens ask for the value again. Without it they stay, and what needs one fails
   * by itself. `keys` are those of the rows: the columns of the primary key.
   */
  forget?(
    sql: Sql,
    lost: { companyId: number; keys: unknown[][]; seal: (value: string) => string },
  ): Promise<unknown>
}

export const sealedIn = (
  table: SealedColumn['table'],
  lost: WhenLost,
  ...columns: PgColumn[]
): SealedColumn[] => columns.map(column => ({ kind: 'sealed', table, column, lost }))

/** The values of one place of the keys, for `any()`. */
export const keysAt = (keys: unknown[][], at = 1): SQL => {
  const ids = [...new Set(keys.map(key => key[at]))]
  return tag`(${tag.join(
    ids.map(id => tag`${id}`),
    tag`, `,
  )})`
}

export const nameOfSealed = ({ table, column }: SealedColumn) =>
  `${getTableConfig(table).name}.${column.name}`

/** False where the database does not have the column yet: the migration that adds it is pending. */
export async function hasColumn(sql: Sql, { table, column }: SealedColumn): Promise<boolean> {
  const found = await rowsFrom(
    sql,
    tag`select from pg_attribute where attrelid = to_regclass(${`public.${getTableConfig(table).name}`})
      and attname = ${column.name} and not attisdropped`,
  )
  return found.length > 0
}

/** A text with sealed values, and the key of its row. */
export interface SealedText {
  companyId: number
  key: unknown[]
  text: string
}

/** The rows after a key, in the order of the primary key, a limited number at a time. */
export interface Stretch {
  found: SealedText[]
  /** Where the next stretch begins; null at the end. */
  last: unknown[] | null
}

/** Reads the next `rows` rows of the table, whatever is in them: a table may have few sealed values, and no index of them. */
export async function nextSealed(
  sql: Sql,
  { table, column }: SealedColumn,
  after: unknown[] | null,
  rows: number,
): Promise<Stretch> {
  const keys = primaryKeyOf(table)
  const order = tag.join(keys, tag`, `)
  const from = after
    ? tag`where (${order}) > (${tag.join(
        after.map(value => tag`${value}`),
        tag`, `,
      )})`
    : tag``
  const found = await rowsFrom<{ companyId: number; key: string; text: string | null }>(
    sql,
    tag`select ${table.companyId} as "companyId", jsonb_build_array(${order})::text as key,
      case when strpos(${column}, 'v1.') > 0 then ${column} end as text
      from ${table} ${from} order by ${order} limit ${rows}`,
  )
  const read = found.map(({ companyId, key, text }) => ({
    companyId,
    key: JSON.parse(key) as unknown[],
    text,
  }))
  return {
    found: read.flatMap(({ text, ...row }) => (text === null ? [] : [{ ...row, text }])),
    last: read.length < rows ? null : (read.at(-1)?.key ?? null),
  }
}

/** Replaces the text of a row, unless it has changed since it was read. Answers whether it did. */
export async function replaceSealed(
  sql: Sql,
  { table, column }: SealedColumn,
  { key, text }: SealedText,
  fresh: string,
): Promise<boolean> {
  const isRow = tag.join(
    primaryKeyOf(table).map((one, at): SQL => tag`${one} = ${key[at]}`),
    tag` and `,
  )
  const changed = await rowsFrom(
    sql,
    tag`update ${table} set ${tag.identifier(column.name)} = ${fresh} where ${isRow} and ${column} = ${text} returning 1`,
  )
  return changed.length > 0
}

/** The columns of the primary key; the company is the first of each. */
function primaryKeyOf(table: PgTable): PgColumn[] {
  const { primaryKeys, columns } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}

/** Made with the migrations, and where a database of before is given a secret. */
export const SEALING_KEYS = tag`create table if not exists sealing_keys (
  key_id text primary key, installation text not null, made_at timestamptz not null default now())`
