import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp, until } from '../../testing/test-app.ts'
import { companyCache } from './company-cache.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('what an idle process knew before is not believed: the signal of a change may have been lost', async () => {
  let reads = 0
  const known = companyCache('test.kept', 'who has any', async () => [[1, ++reads] as const])
  const tools = { ...app.platform, backendUrl: '' }
  expect(known(tools)).toBeNull()
  await until(() => known(tools)?.get(1) === 1)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000)
  expect(known(tools)).toBeNull()
  await until(() => known(tools)?.get(1) === 2)
  clock.mockRestore()
})

test('what could not be read is unknown', async () => {
  let isBroken = false
  const known = companyCache('test.broken', 'who has any', async () => {
    if (isBroken) throw new Error('no answer')
    return [[1, true] as const]
  })
  const tools = { ...app.platform, backendUrl: '' }
  await until(() => known(tools)?.has(1))
  isBroken = true
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 15_000)
  expect(known(tools)?.has(1)).toBe(true)
  await until(() => known(tools) === null)
  clock.mockRestore()
})
