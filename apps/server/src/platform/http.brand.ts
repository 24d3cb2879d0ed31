import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { brandPictures } from '@balcao/contract/companies.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

const TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

/** The installation's own icon and logo, to everybody: they stand on the login screen. */
export function serveBrand(app: FastifyInstance, { platformIcon, logoFile }: Config) {
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
