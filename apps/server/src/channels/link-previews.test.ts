import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openOutbound } from '../platform/outbound/outbound.ts'
import { describedIn, openLinkPreviews } from './link-previews.ts'

const opened: { close(): unknown }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

/** A site on this machine, and previews by a client that may or may not reach it. */
async function site(answer: RequestListener, { allow = ['127.0.0.1'], patienceMs = 5_000 } = {}) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const outbound = openOutbound({ outboundAllow: allow })
  opened.push(outbound, {
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    preview: openLinkPreviews({ outbound: outbound.by({ target: 'pages', companyId: null }), patienceMs }),
  }
}

const html = (page: string): RequestListener => {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }
}

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a link is described by its page and a small picture, once for all who get it', async () => {
  const page =
    '<head><title>x</title><meta property="og:title" content="Sof&#225; &amp; cama"><meta name="description" content=" De \n couro "><meta property="og:image" content="/foto.png"></head>'
  const { origin, asked, preview } = await site((request, response) =>
    request.url === '/foto.png' ? response.end(PIXEL) : html(page)(request, response),
  )
  const found = await preview(`Veja (${origin}/sofa).`)
  expect(found).toMatchObject({ matched: `${origin}/sofa`, title: 'Sofá & cama', description: 'De couro' })
  expect(found!.thumbnail).toMatch(/^\/9j\//)
  expect(await preview(`De novo: ${origin}/sofa`)).toEqual(found)
  expect(asked).toEqual(['/sofa', '/foto.png'])
  expect(await preview('sem link')).toBe(null)
})

test('private addresses are not reached, and what does not answer, is no page or has no title has no preview', async () => {
  const forbidden = await site(html('<title>segredo</title>'), { allow: [] })
  expect(await forbidden.preview(forbidden.origin)).toBe(null)
  expect(forbidden.asked).toEqual([])
  const answers: RequestListener[] = [
    (_request, response) => response.writeHead(500).end('<title>x</title>'),
    (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL),
    html('<p>nada'),
    () => {},
  ]
  for (const answer of answers) {
    const { origin, preview } = await site(answer, { patienceMs: 300 })
    expect(await preview(origin)).toBe(null)
  }
})

test('a page that never ends is read at its beginning only', async () => {
  const { origin, preview } = await site((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const more = () => {
      while (!response.destroyed && response.write('<p>mais'.repeat(2_000)));
    }
    response.write('<title>Longa</title>')
    response.on('drain', more)
    more()
  })
  expect(await preview(origin)).toMatchObject({ title: 'Longa', thumbnail: '' })
})

test.each([
  ['<TITLE>Um</TITLE>', 'Um', ''],
  ["<meta content='Dois' property='og:title'>", 'Dois', ''],
  ['<meta property="og:title" content="">', '', ''],
  [`<title>${'a'.repeat(900)}</title>`, 'a'.repeat(200), ''],
  // a tag ends where the next one begins: a page of beginnings is read once
  ['<meta property="og:description" <meta property="og:title" content="Três">', 'Três', ''],
  ['<meta property="og:title" content="5 < 6">', '5 < 6', ''],
  ['<meta property="og:image" content="//x.test/a?b=1&amp;c=2">', '', '//x.test/a?b=1&c=2'],
  ['<title>&#x110000; &nada;</title>', '&nada;', ''],
])('%s', (page, title, picture) => {
  expect(describedIn(page)).toMatchObject({ title, picture })
})
