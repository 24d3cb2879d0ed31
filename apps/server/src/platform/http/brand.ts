import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { brandPictures } from '@balcao/contract/companies.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { languageOf, type WordingLanguage } from './wording.ts'

const TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

/** As the page itself says it (index.html). */
const FRAME = '#15303a'

/** The entries of the icon's menu on the phone, in the language that the browser asks for. */
const SHORTCUTS: [path: string, names: Record<WordingLanguage, string>][] = [
  ['/tickets', { pt: 'Atendimentos', en: 'Tickets', es: 'Atenciones' }],
  ['/contacts', { pt: 'Contatos', en: 'Contacts', es: 'Contactos' }],
  ['/chat', { pt: 'Chat interno', en: 'Internal chat', es: 'Chat interno' }],
]

/** What other apps may share; a file that the composer does not take is refused there, with the reason. */
const SHARE_TARGET = {
  ...{ action: '/share', method: 'POST', enctype: 'multipart/form-data' },
  params: {
    ...{ title: 'title', text: 'text', url: 'url' },
    files: [{ name: 'files', accept: ['image/*', 'video/*', 'audio/*', 'text/*', 'application/*'] }],
  },
}

const OWN_ICONS = [
  { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
  { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
  { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
  { src: '/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
]

/** Takes itself away, with what it kept; instead of the one that the build made (SERVICE_WORKER=0). */
const NO_WORKER = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(
  caches.keys().then(names => Promise.all(names.map(name => caches.delete(name))))
    .then(() => self.registration.unregister())))
`

/**
 * The installation's own icon and logo, to everybody: they stand on the login screen. With the manifest a phone installs
 * the product under the installation's name (decision 128).
 */
export function serveBrand(
  app: FastifyInstance,
  { platformIcon, logoFile, platformName, primaryColor, internalChat, serviceWorker }: Config,
) {
  const icons = platformIcon
    ? [{ src: brandPictures.icon, type: TYPES[extname(platformIcon).toLowerCase()]!, sizes: 'any' }]
    : OWN_ICONS
  const colour = primaryColor || FRAME
  const shortcuts = SHORTCUTS.filter(([path]) => internalChat || path !== '/chat')
  const manifestIn = (language: WordingLanguage) => ({
    ...{ name: platformName, short_name: platformName, id: '/', start_url: '/', scope: '/' },
    ...{ display: 'standalone', theme_color: colour, background_color: colour, icons },
    shortcuts: shortcuts.map(([url, names]) => ({ name: names[language], url, icons: icons.slice(-1) })),
    ...(serviceWorker && { share_target: SHARE_TARGET }),
  })
  const manifest = (request: FastifyRequest, reply: FastifyReply) =>
    reply
      .type('application/manifest+json')
      .headers({ 'cache-control': 'public, max-age=3600', vary: 'accept-language' })
      .send(JSON.stringify(manifestIn(languageOf(request.headers['accept-language']))))
  app.get('/manifest.webmanifest', manifest)
  // as pages of an earlier version name it
  app.get('/branding/manifest', manifest)
  // only where no worker takes what is shared (a browser that lost it): the app opens without it
  app.post('/share', (_request, reply) => reply.redirect('/tickets', 303))
  if (!serviceWorker)
    app.get('/sw.js', (_request, reply) =>
      reply.type('text/javascript').header('cache-control', 'no-cache').send(NO_WORKER),
    )
  for (const [path, file] of [
    [brandPictures.icon, platformIcon],
    [brandPictures.logoFile, logoFile],
  ] as const)
    if (file)
      app.get(path, (_request, reply) =>
        reply
          .type(TYPES[extname(file).toLowerCase()]!)
          .header('cache-control', 'public, max-age=3600')
          .send(createReadStream(file)),
      )
}
