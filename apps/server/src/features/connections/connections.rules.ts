import { randomBytes } from 'node:crypto'
import type { CloudInput, CloudView } from '@balcao/contract/cloud.ts'
import { greetingMissing } from '@balcao/contract/connections.rules.ts'
import type { Connection } from '@balcao/contract/connections.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { whatsappCloud } from './connections.table.ts'

/** Refuses a connection whose settings contradict each other: ERR_WAPP_GREETING_REQUIRED, ERR_BAD_REQUEST. */
export function refuseUnsound(
  connection: Pick<Connection, 'queueIds' | 'greetingMessage' | 'importOldMessages' | 'importRecentMessages'>,
) {
  if (greetingMissing(connection.queueIds, connection.greetingMessage))
    refuse('ERR_WAPP_GREETING_REQUIRED', { field: 'greetingMessage' })
  const { importOldMessages: old, importRecentMessages: recent } = connection
  if (old && Date.parse(old) > databaseNow())
    refuse('ERR_BAD_REQUEST', { field: 'importOldMessages', message: 'Must not be after now' })
  if (old && recent && recent < old)
    refuse('ERR_BAD_REQUEST', {
      field: 'importRecentMessages',
      message: 'Must not be before importOldMessages',
    })
}

/** The simulator needs demo data, another driver a closed session, the notification centre a master (CONN-022). */
export function refuseForeignConnection(
  viewer: () => Viewer,
  before: Connection | null,
  columns: Partial<Pick<Connection, 'lib' | 'saasNotificationCenter'>>,
  { demo }: { demo: boolean },
) {
  if (columns.lib === 'simulator' && before?.lib !== 'simulator' && !demo)
    refuse('ERR_BAD_REQUEST', { field: 'lib', message: 'Only where demo data is on' })
  if (
    before &&
    columns.lib &&
    columns.lib !== before.lib &&
    (before.status !== 'DISCONNECTED' || before.statusUntil)
  )
    refuse('ERR_BAD_REQUEST', { field: 'lib', message: 'Disconnect first' })
  const { saasNotificationCenter: wanted } = columns
  if (wanted !== undefined && wanted !== (before?.saasNotificationCenter ?? false))
    if (viewer().master !== 1) refuse('ERR_NO_PERMISSION', { field: 'saasNotificationCenter' })
}

interface Codes {
  qrcode: string
  pairingCode: string
}

/** A code pairs a phone with the number: only admins see one. */
export const codesShownTo = <T extends Codes>(viewer: Viewer, secrets: Secrets, sealed: T): T =>
  may(viewer, 'admin') ? opened(viewer.companyId, secrets, sealed) : hidden(sealed)

export function opened<T extends Codes>(companyId: number, secrets: Secrets, sealed: T): T {
  const open = (code: string) => (code ? secrets.open(companyId, code) : '')
  return { ...sealed, qrcode: open(sealed.qrcode), pairingCode: open(sealed.pairingCode) }
}

export const hidden = <T extends Codes>(sealed: T): T => ({
  ...sealed,
  qrcode: '',
  pairingCode: '',
  ...('cloud' in sealed && { cloud: null }),
})

export const WEBHOOK_PATH = '/webhooks/whatsapp'

/** What follows it: no other key is looked up. */
export const isWebhookKey = (key: string): boolean => /^[0-9a-f]{48}$/.test(key)
export const newWebhookKey = (): string => randomBytes(24).toString('hex')

const SECRETS = ['accessToken', 'appSecret', 'verifyToken'] as const
export const CLOUD_FIELDS = ['phoneNumberId', 'businessAccountId', ...SECRETS] as const

export type CloudRow = typeof whatsappCloud.$inferSelect

export function sealedCloud(secrets: Secrets, companyId: number, input: CloudInput): CloudInput {
  const sealed = { ...input }
  for (const name of SECRETS) if (input[name]) sealed[name] = secrets.seal(companyId, input[name])
  return sealed
}

/** The settings as admins see them: which secrets are set, without their values. */
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
    numberStatus: row.numberStatus,
    nameStatus: row.nameStatus,
    banState: row.banState,
    banDate: row.banDate,
    restrictions: row.restrictions,
    violation: row.violation,
    violatedAt: row.violatedAt,
    tokenExpiresAt: row.tokenExpiresAt,
    lastWebhookAt: row.lastWebhookAt,
    lastError: row.lastError,
    lastErrorAt: row.lastErrorAt,
    checkedAt: row.checkedAt,
  },
})

/** The type of key rows that hold whole messages of kinds which the library does not read yet. */
export const UNREAD_KIND = 'unread-kind'
