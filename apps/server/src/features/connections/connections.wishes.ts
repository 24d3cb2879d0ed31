import type { ConnectionSession } from '@balcao/contract/connections.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Scope, Tx } from '../../platform/scope.ts'
import { and, eq, ne, sql as tag } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { connectionWanted, sessionChanged } from './connections.events.ts'
import { findConnection, hasKeys, lockConnections, sessionOf } from './connections.queries.ts'
import { whatsapps } from './connections.table.ts'

export type Wanted = 'on' | 'renew' | 'logout' | 'off'

type Change = Partial<typeof whatsapps.$inferInsert>

const opening = { status: 'OPENING', statusReason: '', qrcode: '', pairingCode: '', retries: 0 } as const

/** Asks for the session to be opened with the keys at hand. What happens then is told on the session's channel. */
export const startSession = (scope: Scope, whatsappId: number) =>
  wish(scope, whatsappId, { ...opening, wanted: 'on', wantedNumber: '' })

/** Asks for new keys: a QR code to scan, or a code to type on the phone of `number`. */
export const renewSession = (scope: Scope, whatsappId: number, number = '') =>
  wish(scope, whatsappId, { ...opening, wanted: 'renew', wantedNumber: number })

/** Asks for the number to be logged out. ERR_WAPP_NOT_INITIALIZED when nothing was ever opened. */
export const endSession = (scope: Scope, whatsappId: number) =>
  wish(scope, whatsappId, { wanted: 'logout', wantedNumber: '' }, async tx => {
    const { status } = await findConnection(tx, whatsappId)
    if (status === 'DISCONNECTED' && !(await hasKeys(tx, whatsappId))) refuse('ERR_WAPP_NOT_INITIALIZED')
  })

/** Writes down what is wanted, counted, and wakes the process that holds the connection: it carries it out once. */
const wish = (
  scope: Scope,
  whatsappId: number,
  wanted: Change,
  check?: (tx: Tx) => Promise<void>,
): Promise<ConnectionSession> =>
  scope.transaction(async tx => {
    await lockConnections(tx)
    await findConnection(tx, whatsappId)
    await check?.(tx)
    await tx.sql
      .update(whatsapps)
      .set({ ...wanted, wantedOrder: tag`${whatsapps.wantedOrder} + 1`, updatedAt: new Date().toISOString() })
      .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
    const session = sessionOf(await findConnection(tx, whatsappId))
    tx.emit(sessionChanged, session)
    tx.emit(connectionWanted, { whatsappId })
    return session
  })

export type Wish = Awaited<ReturnType<typeof wishes>>[number]

/** What the admins of all active companies want of their connections. */
export const wishes = (platform: PlatformScope) =>
  platform.transaction(sql =>
    sql
      .select({
        companyId: whatsapps.companyId,
        whatsappId: whatsapps.id,
        lib: whatsapps.lib,
        wanted: whatsapps.wanted,
        number: whatsapps.wantedOrder,
        pairNumber: whatsapps.wantedNumber,
      })
      .from(whatsapps)
      .innerJoin(companies, eq(companies.id, whatsapps.companyId))
      .where(and(eq(companies.status, 1), ne(whatsapps.wanted, 'off'))),
  )

/** A wish that must not be carried out twice is replaced by what it led to, unless a newer one came. */
export const replaceWish = (tx: Tx, whatsappId: number, order: number, wanted: Wanted) =>
  tx.sql
    .update(whatsapps)
    .set({ wanted })
    .where(
      and(
        eq(whatsapps.companyId, tx.companyId),
        eq(whatsapps.id, whatsappId),
        eq(whatsapps.wantedOrder, order),
      ),
    )
