import fastify from 'fastify'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { believed } from './proxies.ts'

/** Which address a call is of, that came from 10.0.0.1 and says that it passed through these. */
async function callerOf(TRUST_PROXY: string, forwarded: string, remoteAddress = '10.0.0.1') {
  const app = fastify({ trustProxy: believed(readConfig({ TRUST_PROXY }).trustProxy) })
  app.get('/', async ({ ip }) => ip)
  const { body } = await app.inject({ url: '/', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
  return body
}

test('without a proxy in front nothing of X-Forwarded-For is believed', async () => {
  expect(await callerOf('0', '203.0.113.7')).toBe('10.0.0.1')
})

test('of so many proxies each is believed, and not what the client wrote before them', async () => {
  const way = '198.51.100.1, 203.0.113.7, 10.0.0.2'
  expect(await callerOf('1', way)).toBe('10.0.0.2')
  expect(await callerOf('true', way)).toBe('10.0.0.2')
  expect(await callerOf('2', way)).toBe('203.0.113.7')
})

test('proxies at named addresses are believed, however many, and a call past them is not', async () => {
  const way = '198.51.100.1, 203.0.113.7, 10.0.0.2'
  expect(await callerOf('10.0.0.0/8', way)).toBe('203.0.113.7')
  expect(await callerOf('10.0.0.0/8,2001:db8::/32', way, '::ffff:10.0.0.1')).toBe('203.0.113.7')
  expect(await callerOf('10.0.0.1', way)).toBe('10.0.0.2')
  expect(await callerOf('10.0.0.0/8', way, '192.0.2.9')).toBe('192.0.2.9')
})
