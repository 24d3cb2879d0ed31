import { IMPORTING } from '@balcao/contract/imports.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { markImport } from '../connections/connections.actions.ts'
import { importStagedJob } from './imports.jobs.ts'
import { advance, isWaiting, type OldMessage, wantedHistory, writeDown } from './imports.queries.ts'

/**
 * Writes down what the network hands over of the past, as far as the connection wants it; the work itself is a job
 * of the same commit. `isLast`: the network has nothing more. Safe once it resolves; the same again changes nothing.
 */
export async function stage(
  tx: Tx,
  secrets: Secrets,
  whatsappId: number,
  old: OldMessage[],
  isLast: boolean,
): Promise<void> {
  const wanted = await wantedHistory(tx, whatsappId)
  if (!wanted) return
  const fitting = old.filter(
    ({ at, chat }) => at >= wanted.from && at <= wanted.until && (wanted.groups || chat.kind !== 'group'),
  )
  const total = await writeDown(tx, whatsappId, fitting.map(sealed(tx, secrets)))
  if (total === 0 && !isLast) return
  await advance(tx, whatsappId, { total, ...(isLast && { isWhole: true }) })
  await markImport(tx, whatsappId, IMPORTING)
  await tx.enqueue(importStagedJob, { whatsappId })
}

/** Goes on with what a process that died left half done; does nothing where nothing waits. */
export const resume = (scope: Scope, whatsappId: number): Promise<void> =>
  scope.transaction(async tx => {
    if (await isWaiting(tx, whatsappId)) await tx.enqueue(importStagedJob, { whatsappId })
  })

/** What fetches a file is a key: it is never at rest in the open. */
const sealed =
  ({ companyId }: Tx, secrets: Secrets) =>
  (old: OldMessage): OldMessage =>
    old.file ? { ...old, file: { ...old.file, source: secrets.seal(companyId, old.file.source) } } : old
