import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOutside } from '@balcao/contract/pages.rules.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'

/**
 * Paths and pages share an origin: a browser that navigates gets the web app, or the light page of those outside
 * (decision 033), anything else the API.
 */
export async function serveWeb(app: FastifyInstance, root: string | null, { worker = true } = {}) {
  const pages = root && existsSync(join(root, 'index.html')) ? readPages(root) : null
  if (root && pages)
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      // files that the build compressed
      preCompressed: true,
      // it is served at the addresses of its pages
      globIgnore: ['outside.html', ...(worker ? [] : ['sw.js'])],
      setHeaders: (reply, path) =>
        void reply.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
    })

  app.addHook('onRequest', async (request, reply) => {
    if (!isNavigation(request)) return
    if (pages)
      return reply
        .type('text/html')
        .header('cache-control', 'no-cache')
        .send(isOutside(request.url) ? pages.outside : pages.app)
    return reply.code(503).type('text/plain').send('The web app is not built: npm start builds it.')
  })
  app.setNotFoundHandler(async () => {
    throw new Refusal('ERR_NOT_FOUND')
  })
}

const readPages = (root: string) => ({
  app: readFileSync(join(root, 'index.html'), 'utf8'),
  outside: readFileSync(join(root, 'outside.html'), 'utf8'),
})

/** The API description is a page at /api, and calls lie under /api/. */
const NOT_PAGES = /^\/(api\/[^?]|(media|socket\.io|assets|health|live|ready|metrics)(\/|$|\?))/i

function isNavigation(request: FastifyRequest) {
  if (request.method !== 'GET' || NOT_PAGES.test(request.url) || /\.[a-z0-9]+(\?|$)/i.test(request.url))
    return false
  const { 'sec-fetch-dest': destination, accept } = request.headers
  return destination === 'document' || (accept?.includes('text/html') ?? false)
}
