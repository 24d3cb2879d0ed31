import type { Size } from './dataset.ts'
import { type Driver, run } from './load.ts'
import { type Judged, slowSearch } from './paths.ts'

export const NEIGHBOUR = 'GET /tickets, 20/s'
const CALLERS = 60

/** How a quiet company fares alone, and while sixty callers of a busy one search as fast as they are answered. */
export async function driveNeighbour(driver: Driver, size: Size): Promise<Judged[]> {
  const { url } = driver.product
  const headers = (token: string) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  })
  const quiet = headers(await driver.as(2, 2))
  const ask = () =>
    run(url, quiet, () => ({ path: '/tickets?status=open' }), driver.seconds, {
      connections: 2,
      perSecond: 20,
    })
  await ask()
  const alone = await ask()
  const crowd = run(url, headers(await driver.as(1, 1)), slowSearch(size), driver.seconds + 2, {
    connections: CALLERS,
  })
  const beside = await ask()
  await crowd
  const target = 'p99 within 3 × of alone'
  const met = beside.latency.p99 <= alone.latency.p99 * 3
  return [
    { ...figureOf(`${NEIGHBOUR}, a company alone`, alone), target, met: true },
    { ...figureOf(`${NEIGHBOUR}, beside ${CALLERS} callers of another`, beside), target, met },
  ]
}

const figureOf = (
  path: string,
  { requests, duration, latency, non2xx, errors }: Awaited<ReturnType<typeof run>>,
) => ({
  path,
  requestsPerSecond: Math.round(requests.total / duration),
  p50: latency.p50,
  p99: latency.p99,
  statements: 0,
  cpu: 0,
  bytes: 0,
  failures: non2xx + errors,
})
