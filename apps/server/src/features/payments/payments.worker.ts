import { cut } from '@balcao/contract/cut.rules.ts'
import { ProviderRefused } from '../../payments/payments.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { fromNow } from '../../platform/work/leases.ts'
import { patience, pauseAfter } from '../../platform/work/retries.ts'
import { type Collectors, openCollectors } from '../collectors/collectors.client.ts'
import {
  claimRefund,
  putOffRefund,
  refundDone,
  refundRefused,
  refundsDue,
} from './payments.refunds.queries.ts'

const AT_ONCE = 10
/** The lease (ms) of a refund under way. */
const LEASE_MS = 120_000

type RunTools = Pick<DueTools, 'scopes' | 'memory' | 'config' | 'outbound' | 'secrets' | 'log' | 'stopping'>

/** Requests the refunds that masters want from the providers that collected the payments. True when more may wait. */
export async function runRefunds(tools: RunTools): Promise<boolean> {
  const collectors = await openCollectors(tools)
  return workOff(tools, {
    name: 'payments.refunds',
    atOnce: AT_ONCE,
    find: refundsDue,
    run: (_scope, { id }) => runRefund(tools.scopes.platform(), collectors, id),
  })
}

/** The provider gives a payment back once, however often it is asked. */
async function runRefund(platform: PlatformScope, collectors: Collectors, id: number): Promise<void> {
  const claimed = await platform.transaction(sql => claimRefund(sql, id, LEASE_MS))
  if (!claimed) return // another worker was faster
  try {
    if (claimed.providerId === '')
      throw new ProviderRefused('unknown', 'another installation collected it; its charge is not known here')
    const collector = collectors.of(claimed.provider)
    if (!collector) throw new ProviderRefused('key', 'the payment provider is not set up any more')
    const { providerId, reason, value, paid } = claimed
    await collector.refund(providerId, { reason, rest: value < paid ? value : null })
    await platform.transaction(sql => refundDone(sql, claimed))
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    if (error.isForEver)
      return platform.transaction(sql => refundRefused(sql, claimed, cut(error.message, 300)))
    const pause = pauseAfter(patience.charge, 'network', { attempts: claimed.attempts, counted: 0 })!
    await platform.transaction(sql => putOffRefund(sql, claimed, fromNow(pause)))
  }
}
