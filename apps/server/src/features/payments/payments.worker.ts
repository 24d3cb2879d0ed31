import { cut } from '@balcao/contract/cut.rules.ts'
import type { RefundProblem } from '@balcao/contract/ledger.rules.ts'
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
  type OfProvider,
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
    async run(_scope, { id }) {
      await runRefund(tools.scopes.platform(), collectors, id)
    },
  })
}

/**
 * Queries the refunds that providers accepted and have not carried out yet, of one payment or all: of one that they cancel no event
 * may come, and daily listings hold only charges that are known here. Those of a provider that does not answer wait for the next run.
 */
export async function askForRefunds(tools: CollectorTools, of: OfProvider | null = null): Promise<void> {
  const platform = tools.scopes.platform()
  const asked = await platform.transaction(sql => refundsAsked(sql, of))
  if (asked.length === 0) return
  const collectors = await openCollectors(tools)
  const away = new Set<string>()
  const query = async ({ id, provider }: (typeof asked)[number]) => {
    if (away.has(provider)) return
    const refused = await runRefund(platform, collectors, id)
    if (refused && AWAY.includes(refused.reason)) away.add(provider)
  }
  await eachByItself(asked, query, 'to query a refund')
}

/** Why a provider refuses whatever it is asked at the moment. */
const AWAY: ProviderRefused['reason'][] = ['silent', 'busy', 'key']

/** The provider gives a payment back once, however often it is asked. Answers why it did not. */
async function runRefund(
  platform: PlatformScope,
  collectors: Collectors,
  id: number,
): Promise<ProviderRefused | null> {
  const claimed = await platform.transaction(sql => claimRefund(sql, id, LEASE_MS))
  if (!claimed) return null // another worker was faster
  try {
    const { provider, providerId, reason, state, upTo } = claimed
    if (providerId === '') throw new ProviderRefused('unknown', ELSEWHERE)
    const collector = collectors.of(provider)
    if (!collector) throw new ProviderRefused('key', 'the payment provider is not set up any more')
    const reached = await collector.refund(providerId, { id, reason, upTo, isAsked: state === 'asked' })
    await platform.transaction(sql => refundAccepted(sql, claimed, reached))
    return null
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    const pause = pauseAfter(patience.charge, 'network', { attempts: claimed.attempts, counted: 0 })!
    await platform.transaction(sql =>
      error.isForEver
        ? refundRefused(sql, claimed, problemOf(error))
        : putOffRefund(sql, claimed, fromNow(pause)),
    )
    return error
  }
}

const ELSEWHERE: RefundProblem = 'refundElsewhere'
const CANCELLED: RefundProblem = 'refundCancelled'

const problemOf = ({ reason, message }: ProviderRefused) =>
  reason === 'cancelled' ? CANCELLED : cut(message, 300)
