import { randomUUID } from 'node:crypto'
import type { Driver } from './load.ts'
import { evenly, type Phone, type Screens, until, write } from './screens.ts'

/** What a stretch of live traffic came to. */
export interface Stretch {
  name: string
  target: string
  met: boolean
  sent: number
  /** Calls that the product refused; what it took must not be lost. */
  refused: number
  /** InboundEvent a second, until the last one arrived. */
  perSecond: number
  lost: number
  doubled: number
  p50: number
  p95: number
  p99: number
}

/**
 * Customers write through the simulator at an even pace; a user's screen shows it. Timed from before the customer's
 * call to the push. Lost is what no screen showed within twenty seconds of the last.
 */
export async function inboundToScreen(
  driver: Driver,
  screens: Screens,
  name: string,
  phones: Phone[],
  pace: { perSecond: number; seconds: number },
): Promise<Stretch> {
  const started = new Map<string, number>()
  const took = new Map<string, number>()
  let doubled = 0
  let last = 0
  screens.listen((push, at) => {
    if (push.action !== 'create') return
    const { body } = push.message
    const start = started.get(body)
    if (start === undefined) return
    if (took.has(body)) doubled++
    else took.set(body, at - start)
    last = at
  })
  const start = performance.now()
  const refused = await evenly(pace.perSecond, pace.seconds, async n => {
    const body = `Bom dia, preciso de ajuda com o meu pedido ${randomUUID()}`
    started.set(body, performance.now())
    await write(driver, phones[n % phones.length]!, body)
  })
  await until(() => took.size >= started.size - refused, 20)
  const at = sharesOf([...took.values()])
  const lost = Math.max(0, started.size - refused - took.size)
  return {
    name,
    target: 'p95 ≤ 100 ms, none lost',
    met: at(0.95) <= 100 && lost + doubled + refused === 0,
    sent: started.size,
    refused,
    perSecond: Math.round((took.size / (last - start)) * 1000),
    lost,
    doubled,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  }
}

/** Which time so large a share of all stayed below. */
export function sharesOf(times: number[]): (share: number) => number {
  const sorted = times.toSorted((a, b) => a - b)
  return share => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
}
