import type { Size } from './dataset.ts'
import { type Driver, run } from './load.ts'
import { type Judged, slowSearch } from './paths.ts'

export const NEIGHBOUR = 'GET /tickets, 20/s'
const CALLERS = 60

/** How a quiet company fares alone, and while sixty callers of a busy one search, or fetch its shortest list, as fast as they are answered. */
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
  const busy = headers(await driver.as(1, 1))
  const besides = async (crowdCalls: Parameters<typeof run>[2]) => {
    const crowd = run(url, busy, crowdCalls, driver.seconds + 2, { connections: CALLERS })
    const beside = await ask()
    await crowd
    return beside
  }
  await ask()
  const alone = await ask()
  const searched = await besides(slowSearch(size))
  const listed = await besides(() => ({ path: '/quickAnswers' }))
  const target = 'p99 within 3 × of alone'
  const ofMedian = 'p50 within 3 × of alone'
  return [
    { ...figureOf(`${NEIGHBOUR}, a company alone`, alone), target, met: true },
    {
      ...figureOf(`${NEIGHBOUR}, beside ${CALLERS} callers of another`, searched),
      target,
      met: searched.latency.p99 <= alone.latency.p99 * 3,
    },
    {
      ...figureOf(`${NEIGHBOUR}, beside ${CALLERS} callers of another's shortest list`, listed),
      target: ofMedian,
      met: listed.latency.p50 <= alone.latency.p50 * 3,
    },
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
