import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { brandPictures } from '@balcao/contract/companies.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

const TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

/** As the page itself says it (index.html). */
const FRAME = '#15303a'

/**
 * The installation's own icon and logo, to everybody: they stand on the login screen. With the manifest a phone installs
 * the product under the installation's name.
 */
export function serveBrand(app: FastifyInstance, { platformIcon, logoFile, platformName }: Config) {
  const icon = platformIcon
    ? { src: brandPictures.icon, type: TYPES[extname(platformIcon).toLowerCase()]! }
    : { src: '/favicon.svg', type: 'image/svg+xml' }
  const manifest = JSON.stringify({
    ...{ name: platformName, short_name: platformName, id: '/', start_url: '/', display: 'standalone' },
    ...{ theme_color: FRAME, background_color: FRAME, icons: [{ ...icon, sizes: 'any' }] },
  })
  app.get('/branding/manifest', (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', 'public, max-age=3600').send(manifest),
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
