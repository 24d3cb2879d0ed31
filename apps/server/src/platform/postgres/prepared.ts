import { PgArray, type PgTable } from 'drizzle-orm/pg-core'
import type { Sql } from './db.ts'
import { rawStatement } from './drizzle/session.ts'
import { getTableColumns, is, SQL, type SQLChunk, sql as tag } from './sql.ts'

type Values = Record<string, unknown>
interface Preparable<Row> {
  prepare(name: string): { execute(values?: Values): Promise<Row> }
}

/** The place of a value in a prepared statement. */
export const given = (name: string) => tag.placeholder(name)

/**
 * A statement that is the same every time but for its values (`given`): its text is made once a connection instead of
 * on every call, which is most of what a small statement costs here.
 */
export function prepared<Row>(
  make: (sql: Sql) => Preparable<Row>,
): (sql: Sql, values: Values) => Promise<Row> {
  const made = new WeakMap<Sql, ReturnType<Preparable<Row>['prepare']>>()
  return (sql, values) => {
    const known = made.get(sql) ?? make(sql).prepare('')
    made.set(sql, known)
    return known.execute(values)
  }
}

/** Whose rows a statement reads or writes: the open transaction of a company. */
interface OfCompany {
  sql: Sql
  companyId: number
}

/** A prepared statement of a company as a verb: `valuesOf` names what it is given beside `companyId`, `read` what it answers. */
export function statement<Given extends unknown[], Row>(
  make: (sql: Sql) => Preparable<Row>,
  valuesOf: (...given: Given) => Values,
): (tx: OfCompany, ...given: Given) => Promise<Row>
export function statement<Given extends unknown[], Row, Answer>(
  make: (sql: Sql) => Preparable<Row>,
  valuesOf: (...given: Given) => Values,
  read: (found: Row, ...given: Given) => Answer,
): (tx: OfCompany, ...given: Given) => Promise<Answer>
export function statement(
  make: (sql: Sql) => Preparable<unknown>,
  valuesOf: (...given: unknown[]) => Values,
  read: (found: unknown, ...given: unknown[]) => unknown = found => found,
) {
  const run = prepared(make)
  return async ({ sql, companyId }: OfCompany, ...given: unknown[]) =>
    read(await run(sql, { companyId, ...valuesOf(...given) }), ...given)
}

/** The same where a statement has a few shapes: one text for each of them. */
export function preparedFor<Shape, Row>(
  make: (sql: Sql, shape: Shape) => Preparable<Row>,
): (sql: Sql, shape: Shape, values: Values) => Promise<Row> {
  const made = new Map<string, ReturnType<typeof prepared<Row>>>()
  return (sql, shape, values) => {
    const key = JSON.stringify(shape)
    const known = made.get(key) ?? prepared(one => make(one, shape))
    made.set(key, known)
    return known(sql, values)
  }
}

type Insert<Table extends PgTable> = ReturnType<ReturnType<typeof insertInto<Table>>['values']>
const insertInto = <Table extends PgTable>(sql: Sql, table: Table) => sql.insert(table)

type Inserting<Table extends PgTable, Row> = (sql: Sql, row: Table['$inferInsert']) => Promise<Row>

/** Inserts one row, with a text for each set of columns. Null and missing values stay at the column's default. */
export function inserting<Table extends PgTable>(table: Table): Inserting<Table, unknown>
export function inserting<Table extends PgTable, Row>(
  table: Table,
  otherwise: (insert: Insert<Table>) => Preparable<Row>,
): Inserting<Table, Row>
export function inserting<Table extends PgTable>(
  table: Table,
  otherwise: (insert: Insert<Table>) => Preparable<unknown> = insert => insert,
): Inserting<Table, unknown> {
  const insert = preparedFor((sql, columns: string[]) => {
    const row = Object.fromEntries(columns.map(column => [column, given(column)]))
    return otherwise(sql.insert(table).values(row as Table['$inferInsert']))
  })
  return (sql, row) => {
    const set = Object.entries(row).filter(([, value]) => value !== null && value !== undefined)
    return insert(
      sql,
      set.map(([column]) => column),
      Object.fromEntries(set),
    )
  }
}

/** A statement that is written out, to be prepared; it answers its rows, whose shape is not checked. */
export const written =
  <Row>(text: () => SQL) =>
  (sql: Sql): Preparable<Row[]> => ({ prepare: () => rawStatement<Row>(sql, text()) })

export const preparedText = <Row>(text: () => SQL) => prepared(written<Row>(text))

/**
 * Inserts rows, in their order, by one statement, with a text for each set of columns. Null and missing values stay at the
 * column's default, which must not be computed where only some rows have a value. `tail` follows the values; with `returning`
 * in it the rows are answered as they are stored, as far as it names their columns.
 */
export function insertingAll<Table extends PgTable>(
  table: Table,
  tail: SQL = tag``,
): (sql: Sql, rows: Table['$inferInsert'][]) => Promise<Table['$inferSelect'][]> {
  const columns = new Map(Object.entries(getTableColumns(table)))
  const made = new Map<string, ReturnType<typeof preparedText<Values>>>()
  const statement = (names: string[]) =>
    preparedText<Values>(() => {
      const own = names.map(name => columns.get(name)!)
      const place = (at: number) => tag.raw(`r.v${at}`)
      return tag`insert into ${table} (${list(own.map(({ name }) => tag.identifier(name)))})
        select ${list(own.map((column, at) => (is(column, PgArray) ? tag`${place(at)}::${tag.raw(column.getSQLType())}` : place(at))))}
        from unnest(${list(own.map((column, at) => tag`${given(names[at]!)}::${tag.raw(elementOf(column))}[]`))})
        as r(${tag.raw(own.map((_, at) => `v${at}`).join(', '))}) ${tail}`
    })
  const valuesOf = (name: string, rows: Values[]) => {
    const column = columns.get(name)!
    const otherwise = is(column.default, SQL) ? null : (column.default ?? null)
    return rows.map(row => {
      const value = row[name] ?? otherwise
      return value === null ? null : column.mapToDriverValue(value)
    })
  }
  const readRow = (stored: Values) =>
    Object.fromEntries(
      [...columns].flatMap(([name, column]) => {
        const value = stored[column.name]
        if (value === undefined) return []
        return [[name, value === null ? null : column.mapFromDriverValue(value)]]
      }),
    )
  return async (sql, rows) => {
    if (rows.length === 0) return []
    const values = rows as Values[]
    const names = [...columns.keys()].filter(name => values.some(row => (row[name] ?? null) !== null))
    const key = names.join()
    const insert = made.get(key) ?? statement(names)
    made.set(key, insert)
    const stored = await insert(sql, Object.fromEntries(names.map(name => [name, valuesOf(name, values)])))
    return stored.map(readRow)
  }
}

const list = (parts: SQLChunk[]) => tag.join(parts, tag`, `)

/** Arrays of arrays would have to be of one length: each travels as its text. */
const elementOf = (column: { getSQLType(): string }) => (is(column, PgArray) ? 'text' : column.getSQLType())
