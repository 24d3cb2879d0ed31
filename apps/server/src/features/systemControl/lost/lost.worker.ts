import {
  hasColumn,
  nextSealed,
  type SealedColumn,
  type SealedText,
  type Stretch,
} from '../../../platform/access/sealed.ts'
import { type OpenedSecrets, SEALED } from '../../../platform/access/secrets.ts'
import type { Database } from '../../../platform/postgres/db.ts'

/** So few rows per transaction that others do not wait. */
const AT_ONCE = 500

interface Looking {
  database: Database
  secrets: OpenedSecrets
  columns: SealedColumn[]
  /** With what each transaction begins. */
  begin?: string
  /** How many rows of a column are looked at; all of them without it. */
  most?: number
}

/** What no known secret opens in a column. */
export interface Lost {
  column: SealedColumn
  /** How many rows, by company. */
  companies: Map<number, number>
}

/** Reads the columns in short transactions, and changes nothing. */
export const unreadableIn = (looking: Looking): Promise<Lost[]> => eachLost(looking, async () => {})

/**
 * Where the secret of before is gone: brings what it sealed into the state in which the screens ask for it again
 * (`WhenLost`), column by column, and answers what that was. What was interrupted is begun again.
 */
export const forgetLost = (looking: Looking): Promise<Lost[]> =>
  eachLost(looking, async ({ lost }, companyId, keys) => {
    const seal = (value: string) => looking.secrets.seal(companyId, value)
    await looking.database.transaction(
      '',
      async sql => void (await lost.forget?.(sql, { companyId, keys, seal })),
    )
  })

async function eachLost(
  { database, secrets, columns, begin = '', most = Number.POSITIVE_INFINITY }: Looking,
  found: (column: SealedColumn, companyId: number, keys: unknown[][]) => Promise<void>,
): Promise<Lost[]> {
  const all: Lost[] = []
  for (const column of columns) {
    if (!(await database.transaction(begin, sql => hasColumn(sql, column)))) continue
    const companies = new Map<number, number>()
    let after: unknown[] | null = null
    for (let rows = 0; rows < most; rows += AT_ONCE) {
      const from = after
      const stretch: Stretch = await database.transaction(begin, sql =>
        nextSealed(sql, column, from, AT_ONCE),
      )
      const lost = stretch.found.filter(row => isLost(secrets, row))
      for (const [companyId, its] of Map.groupBy(lost, row => row.companyId)) {
        companies.set(companyId, (companies.get(companyId) ?? 0) + its.length)
        await found(
          column,
          companyId,
          its.map(({ key }) => key),
        )
      }
      if (!stretch.last) break
      after = stretch.last
    }
    if (companies.size > 0) all.push({ column, companies })
  }
  return all
}

const isLost = (secrets: OpenedSecrets, { companyId, text }: SealedText) =>
  (text.match(SEALED) ?? []).some(sealed => secrets.keyIdOf(companyId, sealed) === null)
