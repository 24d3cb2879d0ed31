import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { companies } from '@balcao/contract/companies.ts'
import { locations } from '@balcao/contract/locations.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'

const KEY = 'maps-key-of-the-operator'
const found = (formatted_address: string, lat: number, lng: number) => ({
  formatted_address,
  geometry: { location: { lat, lng } },
})

/** Google's geocoder on this machine: its requests, and its next answer. */
let google: Server
let asked: URL[]
let answer: () => [status: number, body: string]
const answers = (body: object, status = 200) => {
  answer = () => [status, JSON.stringify(body)]
}

let app: TestApp
let keyless: TestApp
let marina: Person
beforeAll(async () => {
  google = createServer((request, response) => {
    asked.push(new URL(request.url!, 'http://google.test'))
    const [status, body] = answer()
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise(listening => google.once('listening', listening))
  const { port } = google.address() as AddressInfo
  const MAPS_API_URL = `http://127.0.0.1:${port}`
  app = await openTestApp({ MAPS_KEY: KEY, MAPS_API_URL, OUTBOUND_ALLOW: '127.0.0.1' })
  keyless = await openTestApp({ MAPS_API_URL, OUTBOUND_ALLOW: '127.0.0.1' })
  marina = await app.as('atendente@balcao.test')
})
afterAll(async () => {
  await Promise.all([app?.close(), keyless?.close()])
  google.close()
})
beforeEach(() => {
  asked = []
  answers({ status: 'ZERO_RESULTS', results: [] })
})

const search = (searchParam: string, who = marina) =>
  who.call(locations.search, { query: { searchParam, language: 'es' } })

test('an address is looked up with the key of the operator, in the language of who asks', async () => {
  const place = 'Av. Paulista, 1578 - Bela Vista, São Paulo'
  answers({ status: 'OK', results: [found(place, -23.5614, -46.6559)] })
  const { body } = await search('MASP, São Paulo')
  expect(body).toEqual({ addresses: [{ address: place, latitude: -23.5614, longitude: -46.6559 }] })
  expect(asked.map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)])).toEqual([
    ['/maps/api/geocode/json', { address: 'MASP, São Paulo', language: 'es', region: 'br', key: KEY }],
  ])
})

test('of many places the first five are answered, of none none', async () => {
  answers({ status: 'OK', results: Array.from({ length: 9 }, (_, at) => found(`Rua ${at}`, at, at)) })
  expect((await search('Rua')).body.addresses?.map(({ address }) => address)).toEqual([
    'Rua 0',
    'Rua 1',
    'Rua 2',
    'Rua 3',
    'Rua 4',
  ])
  answers({ status: 'ZERO_RESULTS', results: [] })
  expect((await search('nada')).body).toEqual({ addresses: [] })
})

test.each([
  [
    'refuses the key',
    { status: 'REQUEST_DENIED', error_message: 'API keys with referer restrictions cannot…' },
    200,
  ],
  ['has had enough', { status: 'OVER_QUERY_LIMIT', results: [] }, 200],
  ['fails', { oops: true }, 500],
])('a map that %s is told as such, without its key', async (_what, body, status) => {
  answers(body, status)
  const refused = await search('Rua do Sol')
  expect([refused.status, refused.body.error]).toEqual([502, 'ERR_MAPS_SEARCH'])
  expect(JSON.stringify(refused.body)).not.toContain(KEY)
})

test('a page of another kind, or too large a one, is no answer', async () => {
  answer = () => [200, '<html>']
  expect((await search('Rua do Sol')).status).toBe(502)
  answer = () => [200, JSON.stringify({ status: 'OK', results: [], filler: 'x'.repeat(2_000_000) })]
  expect((await search('Rua do Sol')).status).toBe(502)
})

test('without a key nobody is asked', async () => {
  const refused = await search('Rua do Sol', await keyless.as('atendente@balcao.test'))
  expect([refused.status, refused.body.error]).toEqual([409, 'ERR_NO_MAPS_KEY'])
  expect(asked).toEqual([])
})

test('too few letters are refused before anybody is asked', async () => {
  const refused = await search('ab')
  expect([refused.status, refused.body.field, asked]).toEqual([400, 'searchParam', []])
})

test('maps may be framed where there is a key, nothing at all where there is none', async () => {
  const framed = async ({ url }: TestApp) =>
    /frame-src ([^;]*)/.exec((await fetch(`${url}/branding`)).headers.get('content-security-policy')!)?.[1]
  expect([await framed(app), await framed(keyless)]).toEqual(['https://www.google.com', "'none'"])
  expect((await app.anonymous.get(companies.branding)).mapsKey).toBe(KEY)
  expect((await keyless.anonymous.get(companies.branding)).mapsKey).toBe('')
})
