import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemControl } from '@balcao/contract/systemControl.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../../testing/test-app.ts'
import { VERSION } from '../../platform/observe/version.ts'

let answer = ''
let asked = 0
const host = createServer((_request, reply) => {
  asked++
  reply.setHeader('content-type', 'application/json').end(answer)
})
await new Promise<void>(done => host.listen(0, '127.0.0.1', done))
const VERSION_URL = `http://127.0.0.1:${(host.address() as AddressInfo).port}/latest`
afterAll(() => new Promise(done => host.close(done)))

/** What the installation's page names as newer, twice. */
async function shown(env: Record<string, string>) {
  const app = await openTestApp(env)
  const master = await app.as('master@balcao.test')
  const [one, two] = [await master.get(systemControl.overview), await master.get(systemControl.overview)]
  await app.close()
  expect(one).toMatchObject({
    version: VERSION,
    migration: expect.stringMatching(/^\d{4}_/),
    newer: two.newer,
  })
  return one.newer
}

test('a newer version is asked for where the operator says, once, and what is not newer or no answer is not shown', async () => {
  answer = '{"version": "99.10.0"}'
  expect(await shown({ OUTBOUND_ALLOW: '127.0.0.1' })).toBe(null)
  expect(asked).toBe(0)
  const env = { VERSION_URL, OUTBOUND_ALLOW: '127.0.0.1' }
  expect([await shown(env), asked]).toEqual(['99.10.0', 1])
  answer = `{"tag_name": "v${VERSION}"}`
  expect(await shown(env)).toBe(null)
  answer = '{"tag_name": "<script>"}'
  expect(await shown(env)).toBe(null)
  // a private address is asked only where it is allowed
  answer = '{"version": "99.10.0"}'
  expect([await shown({ VERSION_URL }), asked]).toEqual([null, 3])
})
