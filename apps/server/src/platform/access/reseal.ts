import type { PlatformScope } from '../scope.ts'
import { nextSealed, replaceSealed, type SealedColumn, type SealedText } from './sealed.ts'
import { type OpenedSecrets, SEALED } from './secrets.ts'

/** So few rows per transaction that others do not wait. */
const AT_ONCE = 500

export interface Resealed {
  /** Rows that were read and hold sealed values. */
  sealed: number
  /** Rows whose values another secret had sealed. */
  changed: number
  /** Values that no known secret opens. */
  unreadable: number
}

/**
 * Seals every value of a column with the current secret that an older one sealed. A row that changes meanwhile is left:
 * whoever wrote it sealed it anew. Idempotent, so an interrupted run is repeated; reports after each stretch of rows.
 */
export async function resealColumn(
  platform: PlatformScope,
  secrets: OpenedSecrets,
  column: SealedColumn,
  report: (so: Resealed) => void,
): Promise<Resealed> {
  const so: Resealed = { sealed: 0, changed: 0, unreadable: 0 }
  for (let after: unknown[] | null = null; ; ) {
    const { found, last } = await platform.transaction(sql => nextSealed(sql, column, after, AT_ONCE))
    const fresh = found.map(row => ({ ...row, ...resealed(secrets, row) }))
    so.sealed += found.length
    for (const { unreadable } of fresh) so.unreadable += unreadable
    const old = fresh.filter(({ text, now }) => now !== text)
    for (const [companyId, rows] of Map.groupBy(old, row => row.companyId))
      so.changed += await platform.inCompany(companyId).transaction(async tx => {
        let changed = 0
        for (const row of rows) if (await replaceSealed(tx.sql, column, row, row.now)) changed++
        return changed
      })
    report(so)
    if (!last) return so
    after = last
  }
}

/** The text with its values sealed by the current secret. */
function resealed(secrets: OpenedSecrets, { companyId, text }: SealedText) {
  let unreadable = 0
  const now = text.replace(SEALED, sealed => {
    const keyId = secrets.keyIdOf(companyId, sealed)
    if (!keyId) unreadable++
    return keyId && keyId !== secrets.keyId
      ? secrets.seal(companyId, secrets.openBytes(companyId, sealed))
      : sealed
  })
  return { now, unreadable }
}
