import { randomUUID } from 'node:crypto'
import { barePaths, JOINED, KEPT, POSTED, pageOfLong, TEN } from './bare.ts'
import { emailOf, PASSWORD, QUIET, type Size } from './dataset.ts'
import { RARE } from './dataset.words.ts'
import { type Driver, drive, type Figure, type Lap, openCourse, type Request, run } from './load.ts'
import type { Place } from './place.ts'

/** One row of the table: the request, and its target in the design. */
export interface Path {
  name: string
  /** What it must reach, in words; the judge answers whether it did. */
  target: string
  met(figure: Judged): boolean
  /** The row that it is a share of. */
  of?: string
  /** Which of the first company's people asks; 1 is its admin. */
  user: number
  /** `random` in place of Math.random: the costs of a path are counted for the same request each time. */
  next(size: Size, random?: () => number): () => Request
  /** So many first requests are not measured: a slower machine would read fewer pages again than it reads for the first time. */
  first?(size: Size): number
}

const list = (query: Record<string, string | number>) =>
  `/tickets?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])))}`
const always = (path: string) => () => () => ({ path })
const below = (most: number, random = Math.random) => Math.floor(random() * most)

const ADMIN = 1
const ATTENDANT = 2

const page = {
  of: JOINED,
  target: '≥ 1.6 × bare, p99 ≤ 20 ms, ≤ 3 SQL',
  met: ({ share = 0, p99, statements }: Judged) => share >= 1.6 && p99 <= 20 && statements <= 3.2,
}
const atLeast = (share: number, of: string) => ({
  of,
  target: `≥ ${share} × ${of.startsWith('bare') ? 'bare' : 'without'}`,
  met: (figure: Judged) => (figure.share ?? 0) >= share,
})
const search = {
  target: '≥ 150/s, p99 ≤ 150 ms',
  met: ({ requestsPerSecond, p99 }: Judged) => requestsPerSecond >= 150 && p99 <= 150,
}

const EVERYONES = 'GET /tickets open, admin, everyone’s'

const closed = { status: 'closed', showAll: 'true' }

const searching = (name: string, words: string[]): Path => ({
  ...search,
  name: `GET /tickets search, ${name}`,
  user: ADMIN,
  next: (_size, random) => () => ({
    path: list({ tab: 'search', showAll: 'true', searchParam: words[below(words.length, random)]! }),
  }),
})

const COMMON = searching('a common word (a quarter of all)', ['pedido', 'entrega'])
export const slowSearch = COMMON.next

export const paths: Path[] = [
  {
    ...page,
    name: 'GET /tickets open, attendant’s own',
    user: ATTENDANT,
    next: always(list({ status: 'open' })),
  },
  {
    ...page,
    name: EVERYONES,
    user: ADMIN,
    next: always(list({ status: 'open', showAll: 'true' })),
  },
  {
    ...atLeast(0.8, EVERYONES),
    name: `${EVERYONES}, with gzip`,
    user: ADMIN,
    next: () => () => ({
      path: list({ status: 'open', showAll: 'true' }),
      headers: { 'accept-encoding': 'gzip' },
    }),
  },
  {
    ...page,
    name: 'GET /tickets pending, attendant',
    user: ATTENDANT,
    next: always(list({ status: 'pending' })),
  },
  {
    ...page,
    name: 'GET /tickets closed, attendant',
    user: ATTENDANT,
    next: always(list({ status: 'closed' })),
  },
  { ...page, name: 'GET /tickets closed, admin, everyone’s', user: ADMIN, next: always(list(closed)) },
  {
    ...page,
    name: 'GET /tickets closed, read on page by page to 1,000',
    user: ADMIN,
    next: size => walk(pagesOf(size)),
    first: size => pagesOf(size),
  },
  {
    ...page,
    name: 'GET /tickets closed, any page to 1,000',
    user: ADMIN,
    next: (size, random) => () => ({
      path: list({ ...closed, pageNumber: 1 + below(pagesOf(size), random) }),
    }),
    first: size => pagesOf(size),
  },
  searching(`a rare word (20 messages)`, [RARE]),
  searching('a product', ['cristaleira', 'cooktop', 'biombo', 'beliche', 'penteadeira']),
  searching('two words', ['sofá Campinas', 'orçamento futon', 'garantia divã']),
  COMMON,
  searching('a contact’s name', ['Heloísa Vasconcelos', 'Igor', 'yasmin nog', 'teixeira']),
  searching('a number', ['60001234', '6000777', '5511960004321']),
  searching('nothing found', ['hipopótamo', 'zzz', 'Wolfgang']),
  {
    ...atLeast(0.75, TEN),
    name: 'GET /messages/:id, 10 rows',
    user: ADMIN,
    next: (_size, random) => () => ({ path: `/messages/${2 + below(QUIET - 2, random)}` }),
  },
  ...[1, 60, 125].map(
    (page): Path => ({
      ...atLeast(0.75, pageOfLong(page)),
      name: `GET /messages/:id of 5,000, page ${page}`,
      user: ADMIN,
      next: always(`/messages/1${page === 1 ? '' : `?pageNumber=${page}`}`),
    }),
  ),
  {
    ...atLeast(0.5, POSTED),
    name: 'POST /messages, simulator',
    user: ADMIN,
    next:
      ({ open }, random) =>
      () => ({
        method: 'POST',
        path: `/messages/${QUIET + 1 + below(open - QUIET, random)}/1`,
        body: { id: randomUUID(), body: 'Bom dia! Seu pedido sai para entrega amanhã cedo.' },
      }),
  },
]

const pagesOf = (size: Size) => Math.min(1_000, Math.floor(size.closed / 45))

/** The screen's way down a list: page after page, from the start again at the end. */
function walk(pages: number) {
  let page = 0
  return () => ({ path: list({ ...closed, pageNumber: (page++ % pages) + 1 }) })
}

/** A figure with what was wanted of it. */
export interface Judged extends Figure {
  target: string
  met: boolean
  /** Of the rate of another row of this run, `of`. */
  share?: number
  of?: string
}

/** A product row and the one that it is a share of are driven in turn, so often: both meet the same machine. */
const TURNS = 3
/** A new process is slower than a warm one: the first requests are not counted. */
const WARM_SECONDS = 1

export async function drivePaths(
  driver: Driver,
  place: Place,
  size: Size,
  wants: (name: string) => boolean,
): Promise<Judged[]> {
  const rows: Judged[] = []
  const keep = (row: Judged) => {
    rows.push(row)
    console.log(
      `  ${row.path}: ${row.requestsPerSecond}/s, p50 ${row.p50}, p99 ${row.p99} ms, ${row.statements} SQL, ${row.cpu} ms CPU${row.share ? `, ${row.share} × ${row.of}` : ''}`,
    )
  }
  for (const name of [KEPT, JOINED, POSTED].filter(wants)) {
    const bare = await courseNamed(driver, place, size, name)
    if (bare) keep({ ...bare.figure([await bare.lap(driver.seconds)]), target: '', met: true })
  }
  for (const path of paths.filter(path => wants(path.name))) {
    const course = await courseOf(driver, size, path)
    const other = path.of && (await courseNamed(driver, place, size, path.of))
    const laps: Lap[] = []
    const others: Lap[] = []
    for (const one of [other, course]) if (one) await one.lap(WARM_SECONDS)
    for (let turn = 0; turn < TURNS; turn++) {
      if (other) others.push(await other.lap(driver.seconds / TURNS))
      laps.push(await course.lap(driver.seconds / TURNS))
    }
    const figure = course.figure(laps)
    const judged: Judged = { ...figure, target: path.target, met: true }
    if (other) {
      const against = other.figure(others)
      judged.of = against.path
      judged.share = Math.round((figure.requestsPerSecond / against.requestsPerSecond) * 100) / 100
      const isTold = rows.some(({ path }) => path === against.path)
      if (!isTold) keep({ ...against, target: '', met: true })
    }
    keep({ ...judged, met: path.met(judged) })
  }
  return rows
}

async function courseOf(driver: Driver, size: Size, { name, user, next, first }: Path) {
  const [token, request] = [await driver.as(1, user), next(size)]
  const headers = { authorization: `Bearer ${token}` }
  for (let left = first?.(size) ?? 0; left > 0; left--)
    await (await fetch(driver.product.url + request().path, { headers })).arrayBuffer()
  return openCourse(driver, name, token, request)
}

/** A row of the bare server, or another of the product. */
async function courseNamed(driver: Driver, place: Place, size: Size, name: string) {
  const path = paths.find(one => one.name === name)
  if (path) return courseOf(driver, size, path)
  const bare = barePaths.find(one => one.name === name)
  if (!bare || !driver.bare) return null
  return openCourse(
    { ...driver, product: driver.bare, idleStatements: 0 },
    name,
    '',
    await bare.next(place, size),
  )
}

/** Another path's figures alone, and again while eight connections log in: accounts of all companies, so that no limit steps in. */
export async function driveUnderLogins(driver: Driver, size: Size): Promise<Judged[]> {
  const open = paths.find(path => path.name.startsWith('GET /tickets open, attendant'))!
  const token = await driver.as(1, open.user)
  const alone = await drive(driver, `${open.name}, alone`, token, open.next(size))
  let account = 0
  const logins = run(
    driver.product.url,
    { 'content-type': 'application/json' },
    () => {
      account++
      const email = emailOf(
        2 + (account % (size.companies - 1)),
        1 + (Math.floor(account / size.companies) % size.users),
      )
      return { method: 'POST', path: '/auth/login', body: { email, password: PASSWORD } }
    },
    driver.seconds + 3,
  )
  const under = await drive(driver, `${open.name}, under login load`, token, open.next(size))
  const result = await logins
  const login: Figure = {
    path: 'POST /auth/login, all at once',
    requestsPerSecond: Math.round(result.requests.total / result.duration),
    p50: result.latency.p50,
    p99: result.latency.p99,
    statements: 0,
    cpu: 0,
    bytes: 0,
    failures: result.non2xx + result.errors,
  }
  return [
    { ...alone, target: '', met: true },
    { ...under, target: 'p99 as without logins (within 1.3 ×)', met: under.p99 <= alone.p99 * 1.3 + 2 },
    { ...login, target: 'answers', met: login.requestsPerSecond > 0 && login.failures === 0 },
  ]
}
