import { setTimeout as pause } from 'node:timers/promises'
import type { Size } from './dataset.ts'
import { type Driver, drive, type Request, run } from './load.ts'
import type { Judged } from './paths.ts'
import type { Place } from './place.ts'
import type { Single } from './report.ts'

export const CONTACTS = 'GET /contacts'
const ADMIN = 1
/** Not the company of the other rows, whose searches would find these contacts too. */
export const CONTACTS_COMPANY = 3
const NEIGHBOUR = 2
const BLOCKS = 10

/** The lists that an admin keeps, beside ten times the contacts of the data set, which come in as a spreadsheet. */
export async function driveContacts(
  driver: Driver,
  place: Place,
  size: Size,
): Promise<{ paths: Judged[]; upload: Single[] }> {
  const token = await driver.as(CONTACTS_COMPANY, ADMIN)
  const upload = await importSheet(driver, token, size.contacts * BLOCKS)
  // until then a search reads what its indexes have not sorted yet
  await place.sweep('contacts')
  const paths: Judged[] = []
  for (const [name, next] of contactPaths(size)) {
    const figure = await drive(driver, name, token, next)
    paths.push({ ...figure, target: 'p99 ≤ 50 ms', met: figure.p99 <= 50 })
  }
  return { paths, upload }
}

const get = (path: string) => (): Request => ({ path })

/** The paths; `random` in place of Math.random, as in paths.ts. */
export function contactPaths(
  { contacts }: Size,
  random = Math.random,
): [name: string, next: () => Request][] {
  const search = (words: string[]) => () => ({
    path: `/contacts?searchParam=${encodeURIComponent(words[Math.floor(random() * words.length)]!)}`,
  })
  return [
    [`${CONTACTS}, first page of ${contacts * BLOCKS}`, get('/contacts')],
    [`${CONTACTS}, page 500`, get('/contacts?pageNumber=500')],
    [`${CONTACTS} search, a common word`, search(['cliente', 'planilha'])],
    [`${CONTACTS} search, one of all`, search(['00042', '07777', '09001'].map(one => `planilha ${one}`))],
    [`${CONTACTS} search, a number`, search(['551198000', '7190000', '(11) 98001'])],
    [`${CONTACTS} search, nothing found`, search(['hipopótamo', 'zzz'])],
    ['GET /users', get('/users')],
    ['GET /tags', get('/tags')],
  ]
}

const PATIENCE_MS = 600_000

/** From the file to its last row, and how a neighbour fares meanwhile. */
async function importSheet(driver: Driver, token: string, rows: number): Promise<Single[]> {
  const alone = await neighbour(driver)
  const began = performance.now()
  const id = await uploadSheet(driver, token, sheetOf(rows))
  await call(driver, token, 'POST', `/contacts/sheets/${id}/start`)
  const over = reached(driver, token, 'done')
  const beside = await neighbour(driver)
  await over
  const seconds = (performance.now() - began) / 1000
  return [
    {
      name: `a spreadsheet of ${rows} contacts, from the file to the last`,
      value: `${seconds.toFixed(1)} s`,
      target: `≤ ${(rows / 100_000) * 60} s`,
      met: seconds <= (rows / 100_000) * 60,
    },
    {
      name: 'p95 of another company’s tickets while it is taken',
      value: `${beside} ms, alone ${alone} ms`,
      target: '≤ 1.2 × of alone',
      met: beside <= alone * 1.2,
    },
  ]
}

/** A spreadsheet, until all its rows are read. */
export async function uploadSheet(driver: Driver, token: string, sheet: string): Promise<number> {
  const form = new FormData()
  form.append('file', new File([sheet], 'lista.csv', { type: 'text/csv' }))
  const { id } = await call<{ id: number }>(driver, token, 'POST', '/contacts/sheets', form)
  await reached(driver, token, 'ready')
  return id
}

export const sheetOf = (rows: number) =>
  [
    'nome;numero;email',
    ...Array.from({ length: rows }, (_, at) => {
      const n = String(at).padStart(5, '0')
      return `Cliente planilha ${n};551198${String(at).padStart(7, '0')};cliente${n}@lista.test`
    }),
  ].join('\n')

/** The 97.5th of a hundred, the nearest to the 95th that is measured. */
async function neighbour(driver: Driver): Promise<number> {
  const headers = { authorization: `Bearer ${await driver.as(NEIGHBOUR, ADMIN)}` }
  const paced = { connections: 2, perSecond: 20 }
  const next = get('/tickets?status=open')
  const { latency } = await run(driver.product.url, headers, next, driver.seconds, paced)
  return latency.p97_5
}

async function reached(driver: Driver, token: string, state: string) {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const { sheet } = await call<{ sheet: { state: string } | null }>(
      driver,
      token,
      'GET',
      '/contacts/sheets',
    )
    if (sheet?.state === state) return
    if (sheet?.state === 'failed' || performance.now() > until)
      throw new Error(`the spreadsheet is ${sheet?.state}, not ${state}`)
    await pause(200)
  }
}

async function call<Reply>(driver: Driver, token: string, method: string, path: string, body?: FormData) {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(driver.product.url + path, { method, headers, ...(body && { body }) })
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Reply
}
