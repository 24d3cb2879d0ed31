import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../testing/test-app.ts'
import { sql as tag } from '../postgres/sql.ts'
import { due, dueTopic, type Find, lookForDue } from './due.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('create table waits (kind text primary key)')
})
afterAll(() => app.close())

const waiting =
  (kind: string): Find =>
  sql =>
    sql.select({ kind: tag`kind` }).from(tag`(select kind from waits where kind = ${kind}) rows`)

test('kinds of work are asked for by one statement, and looked at where something waits: also what another process wrote', async () => {
  const looked = { one: 0, other: 0, third: 0 }
  let asked = 0
  const { scopes, signals } = app.platform
  const platform = scopes.platform()
  const counting: typeof platform = {
    ...platform,
    list: work => {
      asked++
      return platform.list(work)
    },
  }
  const kind = (name: keyof typeof looked, ...kinds: [Find, ...Find[]]) =>
    due(
      name,
      async () => {
        looked[name]++
        return false
      },
      ...kinds,
    )
  const { stop } = lookForDue(
    [
      kind('one', waiting('one')),
      kind('other', waiting('nobody'), waiting('other')),
      kind('third', waiting('third')),
    ],
    {
      ...app.platform,
      scopes: { ...scopes, platform: () => counting },
      log: pino({ level: 'silent' }),
      stopping: () => false,
    },
    signals,
  )
  // at a start at once
  expect(asked).toBe(1)

  await app.database.script(`insert into waits values ('other')`)
  const before = asked
  await expect.poll(() => looked.other, { timeout: 3_000 }).toBeGreaterThan(1)
  expect(asked - before).toBeLessThanOrEqual(looked.other + 1)
  expect(looked).toMatchObject({ one: 0, third: 0 })

  signals.notify(dueTopic('third'))
  expect(looked.third).toBe(1)
  await stop()
})

test('a kind that cannot be asked for keeps no other from its work', async () => {
  let looked = 0
  const broken: Find = sql =>
    sql.select({ kind: tag`kind` }).from(tag`(select kind from waits where kind::int = 1) rows`)
  const { stop } = lookForDue(
    [
      due('broken', () => Promise.reject(new Error('broken')), broken),
      due(
        'other',
        async () => {
          looked++
          return false
        },
        waiting('other'),
      ),
    ],
    { ...app.platform, log: pino({ level: 'silent' }), stopping: () => false },
    app.platform.signals,
  )
  await expect.poll(() => looked, { timeout: 4_000 }).toBeGreaterThan(2)
  await stop()
})
