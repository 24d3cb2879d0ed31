import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, until, type World } from '../../testing/world.ts'
import { house } from '../house.ts'
import { job } from './jobs.ts'
import { sql as tag } from './sql.ts'

const done: { companyId: number; word: string }[] = []
let failures = 0
const remember = job<{ word: string }>('test.remember', async ({ companyId }, { word }) => {
  if (word === 'twice' && failures++ === 0) throw new Error('not the first time')
  done.push({ companyId, word })
})

let world: World
beforeAll(async () => {
  const feature = { name: 'test', jobs: [remember] }
  world = await openWorld({}, { house: { ...house, features: [...house.features, feature] } })
})
afterAll(() => world.close())

test('a job is done in its company when its transaction commits, and never when it does not', async () => {
  const scope = world.platform.scopes.inCompany(2)
  await scope.transaction(tx => tx.enqueue(remember, { word: 'kept' }))
  const lost = scope.transaction(async tx => {
    await tx.enqueue(remember, { word: 'lost' })
    await tx.sql.execute(tag`select 1 / 0`)
  })
  await expect(lost).rejects.toThrow()
  await until(() => done.some(({ word }) => word === 'kept'), 10_000)
  expect(done).toEqual([{ companyId: 2, word: 'kept' }])
})

test('a job that fails is tried again', async () => {
  await world.platform.scopes.inCompany(3).transaction(tx => tx.enqueue(remember, { word: 'twice' }))
  await until(() => done.some(({ word }) => word === 'twice'), 20_000)
  expect(failures).toBe(2)
})
