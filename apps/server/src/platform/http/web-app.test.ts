import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { serveWeb } from './web-app.ts'

const root = mkdtempSync(join(tmpdir(), 'balcao-web-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
writeFileSync(join(root, 'index.html'), 'the web app')
writeFileSync(join(root, 'outside.html'), 'the light page')
writeFileSync(join(root, 'start.js'), 'the script')
writeFileSync(join(root, 'start.js.br'), 'the packed script')
const app = fastify()
app.get('/tickets', async () => ({ tickets: [] }))
app.get('/health', async () => ({ status: 'ok' }))
await serveWeb(app, { root, lacks: null })

const page = async (url: string, headers: Record<string, string>) =>
  (await app.inject({ url, headers })).body === 'the web app'
const opening = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-dest': 'document' }

test.each([
  '/',
  '/tickets',
  '/tickets/7?x=1',
  '/api',
  '/API/',
  '/api?x=1',
  '/apisendmessage',
  '/healthy',
  '/stores',
])('who opens %s in a browser gets the web app', async url => expect(await page(url, opening)).toBe(true))

test.each(['/store', '/STORE/7/', '/subscription/a-b?x=1', '/n/email/4'])(
  'who opens %s in a browser gets the light page, without the app',
  async url => expect((await app.inject({ url, headers: opening })).body).toBe('the light page'),
)

test.each(['/api/internalDocs', '/media/1/x.png', '/socket.io/', '/assets/x.js', '/health', '/metrics/'])(
  'who opens %s in a browser gets what stands there',
  async url => expect(await page(url, opening)).toBe(false),
)

test.each(['/tickets', '/api', '/nothing'])('a program that asks for %s never gets the web app', async url =>
  expect(await page(url, { accept: 'application/json' })).toBe(false),
)

test('a file that the build has packed goes out packed to who can read it', async () => {
  const ask = (encoding: string) => app.inject({ url: '/start.js', headers: { 'accept-encoding': encoding } })
  const packed = await ask('gzip, br')
  expect([packed.body, packed.headers['content-encoding']]).toEqual(['the packed script', 'br'])
  expect((await ask('gzip')).body).toBe('the script')
})
