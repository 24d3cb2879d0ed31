import { randomUUID } from 'node:crypto'
import { emailOf, PASSWORD, QUIET, type Size } from './dataset.ts'
import { RARE } from './dataset.words.ts'
import { type Driver, drive, type Figure, type Request, run } from './load.ts'

/** One row of the table: what is asked, and what the design wants of it. */
interface Path {
  name: string
  /** What it must reach, in words; the judge answers whether it did. */
  target: string
  met(figure: Figure, all: Figure[]): boolean
  /** Which of the first company's people asks; 1 is its admin. */
  user: number
  next(size: Size): () => Request
}

const list = (query: Record<string, string | number>) =>
  `/tickets?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
const always = (path: string) => () => () => ({ path })
const oneOf = <T>(values: T[]) => values[Math.floor(Math.random() * values.length)]!

const ADMIN = 1
const ATTENDANT = 2

const page1 = {
  target: '≥ 1,500/s, p99 ≤ 20 ms, ≤ 3 SQL',
  met: ({ requestsPerSecond, p99, statements }: Figure) =>
    requestsPerSecond >= 1_500 && p99 <= 20 && statements <= 3.2,
}
const flat = {
  target: 'within 1.3 × of closed page 1',
  met: ({ requestsPerSecond }: Figure, all: Figure[]) =>
    requestsPerSecond * 1.3 >= (named(all, CLOSED)?.requestsPerSecond ?? 0),
}
const search = {
  target: '≥ 150/s, p99 ≤ 150 ms',
  met: ({ requestsPerSecond, p99 }: Figure) => requestsPerSecond >= 150 && p99 <= 150,
}

const CLOSED = 'GET /tickets closed, admin, everyone’s'
const QUIET_ROWS = 'GET /messages/:id, 10 rows'
const named = (all: Figure[], path: string) => all.find(figure => figure.path === path)

const closed = { status: 'closed', showAll: 'true' }

const searching = (name: string, words: string[]): Path => ({
  ...search,
  name: `GET /tickets search, ${name}`,
  user: ADMIN,
  next: () => () => ({ path: list({ tab: 'search', showAll: 'true', searchParam: oneOf(words) }) }),
})

const COMMON = searching('a common word (a quarter of all)', ['pedido', 'entrega'])
export const slowSearch = COMMON.next

const paths: Path[] = [
  {
    ...page1,
    name: 'GET /tickets open, attendant’s own',
    user: ATTENDANT,
    next: always(list({ status: 'open' })),
  },
  {
    ...page1,
    name: 'GET /tickets open, admin, everyone’s',
    user: ADMIN,
    next: always(list({ status: 'open', showAll: 'true' })),
  },
  {
    ...page1,
    name: 'GET /tickets pending, attendant',
    user: ATTENDANT,
    next: always(list({ status: 'pending' })),
  },
  {
    ...page1,
    name: 'GET /tickets closed, attendant',
    user: ATTENDANT,
    next: always(list({ status: 'closed' })),
  },
  { ...page1, name: CLOSED, user: ADMIN, next: always(list(closed)) },
  {
    ...flat,
    name: 'GET /tickets closed, read on page by page to 1,000',
    user: ADMIN,
    next: size => walk(pagesOf(size)),
  },
  {
    ...flat,
    name: 'GET /tickets closed, any page to 1,000',
    user: ADMIN,
    next: size => () => ({
      path: list({ ...closed, pageNumber: 1 + Math.floor(Math.random() * pagesOf(size)) }),
    }),
  },
  searching(`a rare word (20 messages)`, [RARE]),
  searching('a product', ['cristaleira', 'cooktop', 'biombo', 'beliche', 'penteadeira']),
  searching('two words', ['sofá Campinas', 'orçamento futon', 'garantia divã']),
  COMMON,
  searching('a contact’s name', ['Heloísa Vasconcelos', 'Igor', 'yasmin nog', 'teixeira']),
  searching('a number', ['60001234', '6000777', '5511960004321']),
  searching('nothing found', ['hipopótamo', 'zzz', 'Wolfgang']),
  {
    name: QUIET_ROWS,
    target: '≥ 2,000/s',
    met: ({ requestsPerSecond }) => requestsPerSecond >= 2_000,
    user: ADMIN,
    next: () => () => ({ path: `/messages/${2 + Math.floor(Math.random() * (QUIET - 2))}` }),
  },
  ...['', '?pageNumber=60', '?pageNumber=125'].map(
    (page): Path => ({
      name: `GET /messages/:id of 5,000, ${page === '' ? 'page 1' : `page ${page.split('=')[1]}`}`,
      target: page === '' ? '≥ 2,000/s' : 'flat: within 1.3 × of page 1',
      met: ({ requestsPerSecond }, all) =>
        page === ''
          ? requestsPerSecond >= 2_000
          : requestsPerSecond * 1.3 >=
            (named(all, 'GET /messages/:id of 5,000, page 1')?.requestsPerSecond ?? 0),
      user: ADMIN,
      next: always(`/messages/1${page}`),
    }),
  ),
  {
    name: 'POST /messages, simulator',
    target: '≥ 1,000/s',
    met: ({ requestsPerSecond }) => requestsPerSecond >= 1_000,
    user: ADMIN,
    next:
      ({ open }) =>
      () => ({
        method: 'POST',
        path: `/messages/${QUIET + 1 + Math.floor(Math.random() * (open - QUIET))}/1`,
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
}

export async function drivePaths(
  driver: Driver,
  size: Size,
  wants: (name: string) => boolean,
): Promise<Judged[]> {
  const figures: Figure[] = []
  const chosen = paths.filter(path => wants(path.name))
  for (const path of chosen) {
    const figure = await drive(driver, path.name, await driver.as(1, path.user), path.next(size))
    console.log(
      `  ${path.name}: ${figure.requestsPerSecond}/s, p50 ${figure.p50}, p99 ${figure.p99} ms, ${figure.statements} SQL, ${figure.cpu} ms CPU`,
    )
    figures.push(figure)
  }
  return figures.map((figure, index) => {
    const { target, met } = chosen[index]!
    return { ...figure, target, met: figure.failures === 0 && met(figure, figures) }
  })
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
