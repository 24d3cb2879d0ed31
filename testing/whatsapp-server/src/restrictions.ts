import { randomBytes } from 'node:crypto'
import { QueryIds, S_WHATSAPP_NET } from 'baileys'
import type { Account, Device } from './directory.ts'
import { groupOf } from './groups.ts'
import { attr, type BinaryNode, node, seconds } from './nodes.ts'
import type { State } from './state.ts'

/** WhatsApp's refusal of messages that begin a conversation ("reach-out time-lock"). */
const REFUSED = '463'

/** Restricts an account, or lifts it with null; its companions are notified unless it is to be found out. */
export function restrict(account: Account, until: Date | null, { isQuiet = false } = {}): void {
  account.restrictedUntil = until
  if (isQuiet) return
  const data = { xwa2_notify_account_reachout_timelock: lockOf(account) }
  const update = node(
    'update',
    { op_name: 'NotificationUserReachoutTimelockUpdate' },
    Buffer.from(JSON.stringify({ data })),
  )
  const attrs = { from: S_WHATSAPP_NET, type: 'mex', t: seconds() }
  for (const device of account.devices.values())
    if (device.noiseKey)
      device.mailbox.put(node('notification', { ...attrs, id: randomBytes(6).toString('hex') }, [update]))
}

/** The error for a message of a restricted account to somebody who never wrote to it. */
export function errorOfStranger(state: State, { account }: Device, message: BinaryNode): string | undefined {
  const to = attr(message, 'to')
  const peer = groupOf(state, to) ? undefined : state.directory.account(to)
  if (!peer || peer === account) return undefined
  if (isRestricted(account) && !account.wroteTo.has(peer)) return REFUSED
  peer.wroteTo.add(account)
  return undefined
}

/** The answers to the GraphQL questions about restrictions, by query id. */
export const standingsOf = (account: Account): Record<string, object> => ({
  [QueryIds.REACHOUT_TIMELOCK]: { xwa2_fetch_account_reachout_timelock: lockOf(account) },
  [QueryIds.MESSAGE_CAPPING_INFO]: { xwa2_message_capping_info: { total_quota: -1, used_quota: 0 } },
})

const isRestricted = ({ restrictedUntil }: Account) =>
  restrictedUntil !== null && restrictedUntil > new Date()

const lockOf = (account: Account) =>
  isRestricted(account)
    ? {
        is_active: true,
        time_enforcement_ends: `${Math.ceil(account.restrictedUntil!.getTime() / 1000)}`,
        enforcement_type: 'DEFAULT',
      }
    : { is_active: false }
