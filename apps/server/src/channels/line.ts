import { and, eq } from 'drizzle-orm'
import { reportSession } from '../features/connections/connections.session.ts'
import { whatsapps } from '../features/connections/connections.table.ts'
import { chatOf } from '../features/contacts/contacts.queries.ts'
import { outboxTopic } from '../features/messages/messages.events.ts'
import { type ReadNotice, readTopic } from '../features/messages/messages.read.ts'
import type { Platform } from '../platform/app.ts'
import { type Driver, LeaseLost, type Session, type SessionDoor } from './driver.ts'
import { catchUp, takeIn } from './inbox.ts'
import { keyRows } from './keys.ts'
import { fenceOf, type Lease } from './lease.ts'
import { failWaiting, sendWaiting, sentMessage } from './outbox.ts'

/** How often a line looks after what waits by itself. */
const LOOK_MS = 2_000

/** One connection as the process that owns it runs it. What is asked of it happens one after the other. */
export interface Line {
  lease: Lease
  /** The last order of its admin that was carried out. */
  order: number
  carryOut(order: { number: number; wanted: Wanted; pairNumber: string }): Promise<void>
  /** Ends it here without a word to the network: the lease is gone or the process stops. */
  drop(): Promise<void>
}

export type Wanted = 'on' | 'renew' | 'logout' | 'off'

export function openLine(platform: Platform, driver: Driver, owner: string, lease: Lease): Line {
  const { companyId, whatsappId } = lease
  const scope = platform.scopes.inCompany(companyId)
  const fence = fenceOf(owner, lease)
  const log = platform.log.child({ companyId, whatsappId })
  let session: Session | null = null
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch(error => {
      if (!(error instanceof LeaseLost)) log.error({ err: error }, 'a line stumbled')
    })
    return turn
  }

  const door = (pairNumber: string): SessionDoor => ({
    companyId,
    whatsappId,
    pairNumber,
    hear: news => takeIn(scope, whatsappId, news, fence, log),
    report: state =>
      scope.transaction(async tx => {
        await fence(tx)
        await reportSession(tx, platform.secrets, whatsappId, state)
        if (state.status === 'DISCONNECTED') await failWaiting(tx, whatsappId, 'ERR_WAPP_NOT_INITIALIZED')
        if (state.status === 'CONNECTED') setImmediate(look)
      }),
    sent: externalId => scope.transaction(tx => sentMessage(tx, whatsappId, externalId)),
    keys: keyRows(platform, companyId, whatsappId, fence),
  })

  async function close(logout: boolean) {
    const closing = session
    session = null
    await closing?.close({ logout })
  }

  let sending = false
  let wake = false
  async function look() {
    wake = true
    if (sending) return
    sending = true
    try {
      while (wake && session) {
        wake = false
        await catchUp(scope, whatsappId, fence, log)
        await sendWaiting({ scope, whatsappId, session, fence, log })
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) log.warn({ err: error }, 'the outbox will look again')
    } finally {
      sending = false
    }
  }

  const timer = setInterval(look, LOOK_MS)
  const deafen = [
    platform.signals.listen(outboxTopic(whatsappId), look),
    platform.signals.listen(readTopic(whatsappId), notice => void tellRead(notice as ReadNotice)),
  ]

  async function tellRead({ contactId, externalIds }: ReadNotice) {
    const chat = await scope.transaction(tx => chatOf(tx, contactId))
    if (chat && session?.ready())
      await session.markRead(chat, externalIds).catch(error => log.warn({ err: error }, 'read was not told'))
  }

  const line: Line = {
    lease,
    order: -1,
    carryOut: ({ number, wanted, pairNumber }) =>
      inTurn(async () => {
        line.order = number
        await close(wanted === 'logout')
        if (wanted === 'renew' || wanted === 'logout') await door('').keys.clear()
        if (wanted === 'renew') await settled(number, 'on')
        if (wanted === 'logout') {
          await door('').report({
            status: 'DISCONNECTED',
            statusReason: '',
            qrcode: '',
            pairingCode: '',
            number: '',
            retries: 0,
          })
          await settled(number, 'off')
        }
        if (wanted === 'on' || wanted === 'renew') session = await driver.open(door(pairNumber))
        void look()
      }),
    drop: () =>
      inTurn(async () => {
        clearInterval(timer)
        for (const stop of deafen) stop()
        await close(false)
      }),
  }

  /** A wish that must not be carried out twice is replaced by what it led to, unless a newer one came. */
  const settled = (order: number, wanted: Wanted) =>
    scope.transaction(tx =>
      tx.sql
        .update(whatsapps)
        .set({ wanted })
        .where(
          and(
            eq(whatsapps.companyId, companyId),
            eq(whatsapps.id, whatsappId),
            eq(whatsapps.wantedOrder, order),
          ),
        ),
    )

  return line
}
