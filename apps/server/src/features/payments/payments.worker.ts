import { cut } from '@balcao/contract/cut.rules.ts'
import { ProviderRefused } from '../../payments/payments.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import { fromNow } from '../../platform/work/leases.ts'
import { patience, pauseAfter } from '../../platform/work/retries.ts'
import { type Collectors, type CollectorTools, openCollectors } from '../collectors/collectors.client.ts'
import {
  claimRefund,
  putOffRefund,
  refundAccepted,
  refundRefused,
  refundsAsked,
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

/**
 * Queries the refunds that providers accepted and have not carried out yet: of one that they cancel no event may come, and daily
 * listings hold only charges that are known here.
 */
export async function askForRefunds(tools: CollectorTools): Promise<void> {
  const platform = tools.scopes.platform()
  const asked = await platform.transaction(refundsAsked)
  if (asked.length === 0) return
  const collectors = await openCollectors(tools)
  await eachByItself(asked, ({ id }) => runRefund(platform, collectors, id), 'to query a refund')
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
    const { providerId, reason, state } = claimed
    const reached = await collector.refund(providerId, { reason, isAsked: state === 'asked' })
    await platform.transaction(sql => refundAccepted(sql, claimed, reached))
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    if (error.isForEver)
      return platform.transaction(sql => refundRefused(sql, claimed, cut(error.message, 300)))
    const pause = pauseAfter(patience.charge, 'network', { attempts: claimed.attempts, counted: 0 })!
    await platform.transaction(sql => putOffRefund(sql, claimed, fromNow(pause)))
  }
}
