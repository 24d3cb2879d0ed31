import { randomBytes } from 'node:crypto'
import type { CloudInput, CloudView } from '@balcao/contract/cloud.ts'
import type { Lib } from '@balcao/contract/connections.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { and, eq } from '../../platform/sql.ts'
import { whatsappCloud } from './connections.table.ts'

export type CloudRow = typeof whatsappCloud.$inferSelect

export const WEBHOOK_PATH = '/webhooks/whatsapp'

const SECRETS = ['accessToken', 'appSecret', 'verifyToken'] as const
const FIELDS = ['phoneNumberId', 'businessAccountId', ...SECRETS] as const

/** The input with its secrets sealed. */
export function sealedCloud(secrets: Secrets, companyId: number, input: CloudInput): CloudInput {
  const sealed = { ...input }
  for (const name of SECRETS) if (input[name]) sealed[name] = secrets.seal(companyId, input[name])
  return sealed
}

/** What admins see of it: which secrets there are, none of them. */
export const cloudView = (row: CloudRow): CloudView => ({
  phoneNumberId: row.phoneNumberId,
  businessAccountId: row.businessAccountId,
  secrets: {
    accessToken: row.accessToken !== '',
    appSecret: row.appSecret !== '',
    verifyToken: row.verifyToken !== '',
  },
  webhookPath: `${WEBHOOK_PATH}/${row.webhookKey}`,
  health: {
    name: row.name,
    quality: row.quality,
    messagingLimit: row.messagingLimit,
    throughput: row.throughput,
    tokenExpiresAt: row.tokenExpiresAt,
    lastWebhookAt: row.lastWebhookAt,
    lastError: row.lastError,
    lastErrorAt: row.lastErrorAt,
    checkedAt: row.checkedAt,
  },
})

/**
 * Keeps the settings of the official API; secrets come sealed. Refuses ERR_BAD_REQUEST when one is missing, when the
 * number is another connection's, and for any other kind of connection. True when something is new.
 */
export async function keepCloud(
  tx: Tx,
  whatsappId: number,
  lib: Lib,
  input: CloudInput | undefined,
): Promise<boolean> {
  if (lib !== 'cloud') {
    if (input) refuse('ERR_BAD_REQUEST', { field: 'cloud', message: 'Only for the official API' })
    return false
  }
  const known = await cloudOf(tx, whatsappId)
  if (known && (!input || FIELDS.every(name => !input[name]))) return false
  const given = Object.fromEntries(FIELDS.flatMap(name => (input?.[name] ? [[name, input[name]]] : [])))
  const standing = { ...known, ...given } as Partial<CloudRow>
  const missing = FIELDS.find(name => !standing[name])
  if (missing) refuse('ERR_BAD_REQUEST', { field: `cloud.${missing}`, message: 'Required' })
  const fields = { ...given, lastError: '', lastErrorAt: null }
  const row = { ...fields, companyId: tx.companyId, whatsappId, webhookKey: randomBytes(24).toString('hex') }
  const saving = tx.sql
    .insert(whatsappCloud)
    .values(row)
    .onConflictDoUpdate({ target: [whatsappCloud.companyId, whatsappCloud.whatsappId], set: fields })
  await saving.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'whatsapp_cloud_number')) throw error
    refuse('ERR_BAD_REQUEST', { field: 'cloud.phoneNumberId', message: 'Another connection has this number' })
  })
  return true
}

export const forgetCloud = (tx: Tx, whatsappId: number) =>
  tx.sql.delete(whatsappCloud).where(own(tx, whatsappId))

/** The settings as they are stored, secrets sealed; null for another kind of connection. */
export async function cloudOf(tx: Tx, whatsappId: number): Promise<CloudRow | null> {
  const [row] = await tx.sql.select().from(whatsappCloud).where(own(tx, whatsappId))
  return row ?? null
}

/** What was learnt of the number: written down where there is one. */
export const learnCloud = (tx: Tx, whatsappId: number, learnt: Partial<CloudRow>) =>
  tx.sql.update(whatsappCloud).set(learnt).where(own(tx, whatsappId))

const own = (tx: Tx, whatsappId: number) =>
  and(eq(whatsappCloud.companyId, tx.companyId), eq(whatsappCloud.whatsappId, whatsappId))
