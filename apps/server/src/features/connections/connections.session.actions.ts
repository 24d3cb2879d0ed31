import type { ConnectionSession } from '@balcao/contract/connections.ts'
import { wholeNumber } from '@balcao/contract/numbers.rules.ts'
import type { SessionReport } from '../../driver.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { phoneCountryOf } from '../companies/companies.queries.ts'
import { connectionRestricted, connectionWanted, sessionChanged } from './connections.events.ts'
import { endFalls, endRestriction, RESTRICTION, recordFall } from './connections.falls.queries.ts'
import { findConnection, hasKeys, lockConnections, sessionOf } from './connections.queries.ts'
import { isResting, type SessionFields, setDesired, updateSession } from './connections.session.queries.ts'

const opening = {
  status: 'OPENING',
  statusReason: '',
  statusUntil: null,
  qrcode: '',
  pairingCode: '',
  retries: 0,
} as const

/** Requests that the session is opened with the stored keys. Its progress is pushed on the session's channel. */
export const startSession = (scope: Scope, whatsappId: number) =>
  request(scope, whatsappId, { ...opening, wanted: 'on', wantedNumber: '' })

/**
 * Requests new keys: by a QR code, or by a code to type on the phone of the number that is written. Refuses with
 * ERR_BAD_REQUEST what is no number.
 */
export async function renewSession(scope: Scope, whatsappId: number, written = '') {
  const number = written && wholeNumber(written, await scope.read(phoneCountryOf))
  if (number === null) return refuse('ERR_BAD_REQUEST', { field: 'number', message: 'Not a number' })
  return request(scope, whatsappId, { ...opening, wanted: 'renew', wantedNumber: number })
}

/** Requests a logout. ERR_WAPP_NOT_INITIALIZED without a session and keys. */
export const endSession = (scope: Scope, whatsappId: number) =>
  request(scope, whatsappId, { wanted: 'logout', wantedNumber: '' }, async tx => {
    const { status } = await findConnection(tx, whatsappId)
    if (status === 'DISCONNECTED' && !(await hasKeys(tx, whatsappId))) refuse('ERR_WAPP_NOT_INITIALIZED')
  })

/** Stores the desired state with the next order number; the process that holds the lease applies each order once. */
const request = (
  scope: Scope,
  whatsappId: number,
  desired: SessionFields,
  check?: (tx: Tx) => Promise<void>,
): Promise<ConnectionSession> =>
  scope.transaction(async tx => {
    await lockConnections(tx)
    const { status } = await findConnection(tx, whatsappId)
    if (status === 'REMOVING') refuse('ERR_NO_WAPP_FOUND')
    if (desired.wanted !== 'logout' && (await isResting(tx, whatsappId))) refuse('ERR_NO_LIMIT_WHATSAPP')
    await check?.(tx)
    await setDesired(tx, whatsappId, desired)
    const session = sessionOf(await findConnection(tx, whatsappId))
    tx.emit(sessionChanged, session)
    tx.emit(connectionWanted, { whatsappId })
    return session
  })

const NOT_RECORDING = 'ERR_WAPP_NOT_RECORDING'
const ENDED = new Set(['DISCONNECTED', 'TIMEOUT'])

/** Stores and publishes the state of a session, and the history of its falls; codes are encrypted. */
export async function reportSession(
  tx: Tx,
  secrets: Secrets,
  whatsappId: number,
  { fall, ...state }: SessionReport,
): Promise<void> {
  const { qrcode, pairingCode, ...plain } = state
  const sealed = (code: string) => (code ? secrets.seal(tx.companyId, code) : '')
  await updateSession(tx, whatsappId, {
    ...plain,
    ...(qrcode !== undefined && { qrcode: sealed(qrcode) }),
    ...(pairingCode !== undefined && { pairingCode: sealed(pairingCode) }),
    ...(endsSession(state) && { wanted: 'off' as const }),
  })
  await keepFalls(tx, whatsappId, { fall, ...state })
  tx.emit(sessionChanged, sessionOf(await findConnection(tx, whatsappId)))
}

/** It stays closed until an admin orders otherwise. */
export const endsSession = ({ status, statusUntil }: SessionReport): boolean =>
  status !== undefined && ENDED.has(status) && !statusUntil

async function keepFalls(tx: Tx, whatsappId: number, { fall, status, ...state }: SessionReport) {
  const { reason, code } = fall ?? { reason: state.statusReason ?? '', code: '' }
  if (reason) await recordFall(tx, whatsappId, { reason, code, until: state.statusUntil ?? null })
  if (status === 'CONNECTED') await endFalls(tx, whatsappId)
}

/** A connected number cannot record what it receives, or can again (an empty reason): its screen and its history say so. */
export async function reportRecording(
  tx: Tx,
  whatsappId: number,
  reason: '' | typeof NOT_RECORDING,
): Promise<void> {
  const { status, statusReason } = await findConnection(tx, whatsappId)
  if (status !== 'CONNECTED' || statusReason !== (reason ? '' : NOT_RECORDING)) return
  await updateSession(tx, whatsappId, { statusReason: reason })
  if (reason) await recordFall(tx, whatsappId, { reason, code: '', until: null })
  else await endFalls(tx, whatsappId)
  tx.emit(sessionChanged, sessionOf(await findConnection(tx, whatsappId)))
}

/** WhatsApp refuses the number first messages until a time, or no longer (null). */
export async function restrictConnection(tx: Tx, whatsappId: number, until: string | null): Promise<void> {
  const { restrictedUntil } = await findConnection(tx, whatsappId)
  if (restrictedUntil === until) return
  await updateSession(tx, whatsappId, { restrictedUntil: until })
  if (until) await recordFall(tx, whatsappId, { reason: RESTRICTION, code: '463', until })
  else await endRestriction(tx, whatsappId)
  tx.note('WhatsApp restricted a number, or lifted it', { whatsappId, until })
  tx.emit(sessionChanged, sessionOf(await findConnection(tx, whatsappId)))
  await tx.involve(connectionRestricted, { whatsappId, until })
}
