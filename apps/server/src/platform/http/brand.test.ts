import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { serveBrand } from './brand.ts'
import { serveWeb } from './web-app.ts'

const root = mkdtempSync(join(tmpdir(), 'balcao-brand-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
for (const name of ['index.html', 'outside.html', 'sw.js'])
  writeFileSync(join(root, name), `the built ${name}`)

async function open(env: Record<string, string>) {
  const app = fastify()
  const config = readConfig(env)
  serveBrand(app, config)
  await serveWeb(app, { root, lacks: null }, { worker: config.serviceWorker })
  return app
}

test('the manifest names the installation, its entries in the language of the browser, and what it is shared', async () => {
  const app = await open({ PLATFORM_NAME: 'Minha mesa', PRIMARY_COLOR: '#0f6175', INTERNAL_CHAT: '0' })
  const manifest = async (language: string) => {
    const answer = await app.inject({
      url: '/manifest.webmanifest',
      headers: { 'accept-language': language },
    })
    return answer.json()
  }
  const spanish = await manifest('es-MX')
  expect(spanish).toMatchObject({
    ...{ name: 'Minha mesa', display: 'standalone', theme_color: '#0f6175', id: '/' },
    share_target: { action: '/share', method: 'POST', enctype: 'multipart/form-data' },
  })
  const names = ({ shortcuts }: { shortcuts: { name: string }[] }) => shortcuts.map(({ name }) => name)
  expect([names(spanish), names(await manifest('pt-BR'))]).toEqual([
    ['Atenciones', 'Contactos'],
    ['Atendimentos', 'Contatos'],
  ])
  expect(spanish.icons.map(({ purpose = 'any' }: { purpose?: string }) => purpose)).toContain('maskable')
})

test('the worker is asked for at each start, and can be taken away from every browser', async () => {
  const built = await (await open({})).inject({ url: '/sw.js' })
  expect([built.body, built.headers['cache-control']]).toEqual(['the built sw.js', 'no-cache'])
  const app = await open({ SERVICE_WORKER: '0' })
  const removal = await app.inject({ url: '/sw.js' })
  expect(removal.body).toContain('unregister')
  expect(removal.headers['cache-control']).toBe('no-cache')
  expect((await app.inject({ url: '/manifest.webmanifest' })).json()).not.toHaveProperty('share_target')
})

test('what is shared with an app that has lost its worker opens the app', async () => {
  const { statusCode, headers } = await (await open({})).inject({ method: 'POST', url: '/share' })
  expect([statusCode, headers.location]).toEqual([303, '/tickets'])
})
