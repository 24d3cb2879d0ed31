import type { Connection } from '@balcao/contract/connections.ts'
import { IMPORTING } from '@balcao/contract/imports.ts'
import type { OldMessage } from '../../driver.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { emitConnectionChanged, markImport } from '../connections/connections.actions.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { importStagedJob } from './imports.jobs.ts'
import { advance, hasStaged, wantedHistory, writeDown } from './imports.queries.ts'
import { isWithin } from './imports.rules.ts'
import { closeImportedOf } from './imports.worker.ts'

/**
 * Stages old messages of the network, as far as the connection imports them; the job is enqueued in the same commit. `isLast`: the
 * network has no more. Idempotent.
 */
export async function stage(
  tx: Tx,
  secrets: Secrets,
  whatsappId: number,
  old: OldMessage[],
  { isLast }: { isLast: boolean },
): Promise<void> {
  const wanted = await wantedHistory(tx, whatsappId)
  if (!wanted) return
  const selected = old.filter(message => isWithin(wanted, message))
  const total = await writeDown(tx, whatsappId, selected.map(sealed(tx, secrets)))
  if (total === 0 && !isLast) return
  await advance(tx, whatsappId, { total, ...(isLast && { isWhole: true }) })
  await markImport(tx, whatsappId, IMPORTING)
  await tx.enqueue(importStagedJob, { whatsappId })
}

/** Continues an import after a crash, if messages are staged. */
export const resume = (scope: Scope, whatsappId: number): Promise<void> =>
  scope.transaction(async tx => {
    if (await hasStaged(tx, whatsappId)) await tx.enqueue(importStagedJob, { whatsappId })
  })

/** The source of a file contains its key: it is stored sealed. */
const sealed =
  ({ companyId }: Tx, secrets: Secrets) =>
  (old: OldMessage): OldMessage =>
    old.file ? { ...old, file: { ...old.file, source: secrets.seal(companyId, old.file.source) } } : old

/** Closes tickets of an import that no user has accepted. Refuses with ERR_NO_WAPP_FOUND. */
export const closeImportedTickets = (scope: Scope, whatsappId: number): Promise<Connection> =>
  scope.transaction(async tx => {
    await findConnection(tx, whatsappId)
    await closeImportedOf(tx, whatsappId)
    return emitConnectionChanged(tx, whatsappId)
  })
