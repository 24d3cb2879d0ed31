/**
 * How the rows of one table are carried into another installation, beside what its foreign keys say. A feature declares in
 * `jobs` each table that holds ids without a foreign key, JSON, secrets, or work under way; a test finds what is not declared.
 * The names are those of SQL.
 */
export interface Carried {
  kind: 'carried'
  table: string
  /** Columns that hold ids (one, or an array) without a foreign key, with the table of the ids. 0 and null stay. */
  refers?: Record<string, string>
  /** JSON that holds ids; `idOf` answers the new one. */
  inside?: Record<string, (value: unknown, idOf: IdOf) => unknown>
  /** Columns of JSON, or with the name of an id, that hold no id of a row. */
  plain?: string[]
  /** SQL for a column of the row `r`. */
  set?: Record<string, string>
  /** A value of its own in each row, for what a package does not hold; of small tables. */
  fresh?: Record<string, (seal: Seal) => string | Promise<string>>
  /** Tables whose triggers write or mark rows of this one: they are filled before, and what they wrote is replaced. */
  after?: string[]
  /** Sequences that number rows of all companies in their order: they go on behind what was carried. */
  rising?: string[]
  /** Figures of all companies are read from it: its rows come in the commit with which the company is complete. */
  withCompany?: boolean
  /** The rows stay behind, because … */
  leftBecause?: string
}

export type IdOf = (table: string, id: number) => number
/** Of the company that is imported. */
export type Seal = (value: string) => string

export const carried = (table: string, how: Omit<Carried, 'kind' | 'table'>): Carried => ({
  kind: 'carried',
  table,
  ...how,
})

export const leftBehind = (table: string, leftBecause: string): Carried => carried(table, { leftBecause })
