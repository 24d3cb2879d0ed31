import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOutside } from '@balcao/contract/pages.rules.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import type { WebBuild } from './web-build.ts'
import { languageOf, type WordingLanguage } from './wording.ts'

/**
 * Paths and pages share an origin: a browser that navigates gets the web app, or the light page of those outside
 * (decision 033), anything else the API.
 */
export async function serveWeb(app: FastifyInstance, { root, lacks }: WebBuild, { worker = true } = {}) {
  const pages = lacks ? null : readPages(root)
  if (pages)
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
    const language = languageOf(request.headers['accept-language'])
    return reply.code(503).type('text/plain; charset=utf-8').send(LACKS[lacks!][language])
  })
  app.setNotFoundHandler(async () => {
    throw new Refusal('ERR_NOT_FOUND')
  })
}

/** Shown instead of pages that would not work. */
const LACKS: Record<'missing' | 'stale', Record<WordingLanguage, string>> = {
  missing: {
    pt: 'A aplicação web não foi construída: npm start a constrói.',
    en: 'The web app is not built: npm start builds it.',
    es: 'La aplicación web no está construida: npm start la construye.',
  },
  stale: {
    pt: 'A aplicação web é de outra versão: npm start a constrói de novo.',
    en: 'The web app was built from another version: npm start builds it again.',
    es: 'La aplicación web es de otra versión: npm start la construye de nuevo.',
  },
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
