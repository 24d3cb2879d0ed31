import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../postgres/sql.ts'
import { outside, PutOffs, workOff } from './due-rows.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

interface Line {
  companyId: number
  id: number
  msg: string
}

type Due = { companyId: number; id: number }

/** Rows of two companies are due; one fails. */
function dueRows(failing: () => Promise<unknown>, which = 2) {
  const lines: Line[] = []
  const log = pino({ level: 'error' }, { write: line => void lines.push(JSON.parse(line)) })
  const tried: number[] = []
  const rows = {
    find: (sql: Parameters<typeof rowsFrom>[0], most: number, passed: number[]) =>
      rowsFrom<{ companyId: number; id: number }>(
        sql,
        tag`select company as "companyId", id from (values (1, 1), (1, 2), (2, 3)) as due (company, id)
          where ${outside(tag`company`, passed) ?? tag`true`} order by id limit ${most}`,
      ),
    async run(scope: { companyId: number }, { companyId, id }: { companyId: number; id: number }) {
      expect(scope.companyId).toBe(companyId)
      tried.push(id)
      if (id === which) await failing()
    },
  }
  const { scopes, memory } = app.platform
  const again = (name: string, atOnce = 100) =>
    workOff({ scopes, memory, log, stopping: () => false }, { name, atOnce, ...rows })
  return { lines, tried, again }
}

test('a row that fails holds up no other of any company, is told once with its ids, and is put off', async () => {
  const { lines, tried, again } = dueRows(() => Promise.reject(new Error('broken')))
  for (let look = 0; look < 3; look++) expect(await again('a')).toBe(false)
  expect(tried).toEqual([1, 3, 2, 3, 1, 3, 1])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ companyId: 1, id: 2 })
})

test('what is put off takes no place of what comes behind it', async () => {
  const { tried, again } = dueRows(() => Promise.reject(new Error('broken')), 1)
  for (let look = 0; look < 3; look++) await again('b', 1)
  expect(tried).toEqual([1, 3, 2])
})

test('a company with more due rows than are looked for delays no other: its first row comes behind one of theirs', async () => {
  const tried: number[] = []
  const all = [...Array.from({ length: 500 }, () => 1), 2]
  let clock = 0
  const find = async (_sql: unknown, most: number, passed: number[]): Promise<Due[]> =>
    all
      .flatMap((companyId, id) => (passed.includes(companyId) || tried.includes(id) ? [] : { companyId, id }))
      .slice(0, most)
  const run = async (_scope: unknown, { id }: Due) => void tried.push(id)
  const { scopes, memory, log } = app.platform
  const look = (atOnce: number) =>
    workOff({ scopes, memory, log, stopping: () => false }, { name: 'flood', atOnce, find, run })
  expect(await look(100)).toBe(true)
  expect(tried.indexOf(500)).toBe(1)
  // rows that take long: what becomes due of another company meanwhile comes next
  tried.length = 0
  const slow = async (_scope: unknown, { id }: Due) => {
    tried.push(id)
    clock += 150
  }
  const rows = { name: 'slow', atOnce: 100, find, run: slow }
  expect(await workOff({ scopes, memory, log, stopping: () => false }, rows, () => clock)).toBe(true)
  expect(tried.length).toBe(2)
})

test('rows of a company are run together, and each by itself where that fails; companies beside each other', async () => {
  const { scopes, memory } = app.platform
  const all: Due[] = [1, 1, 1, 2, 2].map((companyId, id) => ({ companyId, id }))
  const ran: number[][] = []
  let [under, most] = [0, 0]
  const run = async (_scope: unknown, { id }: Due) => {
    ran.push([id])
    if (id === 1) throw new Error('broken')
  }
  const runAll = async (_scope: unknown, rows: Due[]) => {
    most = Math.max(most, ++under)
    await new Promise(setImmediate)
    under--
    ran.push(rows.map(({ id }) => id))
    if (rows.some(({ id }) => id === 1)) throw new Error('broken')
  }
  const look = () =>
    workOff(
      { scopes, memory, log: pino({ level: 'silent' }), stopping: () => false },
      { name: 'together', atOnce: 100, find: async () => all, run, runAll, companies: 2 },
    )
  expect(await look()).toBe(false)
  expect(most).toBe(2)
  expect(ran).toEqual(expect.arrayContaining([[0, 1, 2], [3, 4], [0], [1], [2]]))
  ran.length = 0
  // the one that failed is put off
  await look()
  expect(ran.toSorted((one, other) => one[0]! - other[0]!)).toEqual([
    [0, 2],
    [3, 4],
  ])
})

test('that the database is away is no fault of a row', async () => {
  const lost = Object.assign(new Error('terminating connection'), { code: '57P01' })
  const { lines, again } = dueRows(() => Promise.reject(lost))
  await expect(again('c')).rejects.toThrow('terminating connection')
  expect(lines).toEqual([])
})

test('the pauses grow up to an hour, and end with a success', () => {
  const putOffs = new PutOffs()
  const ids = { companyId: 1, id: 7 }
  const log = pino({ level: 'silent' })
  const pauses: number[] = []
  let now = 0
  for (let failure = 0; failure < 12; failure++) {
    putOffs.failed(ids, new Error('broken'), log, now)
    let end = now
    while (putOffs.has(ids, end)) end += 1_000
    pauses.push((end - now) / 1_000)
    now = end
  }
  expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600])
  putOffs.forget(ids)
  putOffs.failed(ids, new Error('broken'), log, now)
  expect(putOffs.has(ids, now + 10_000)).toBe(false)
})
