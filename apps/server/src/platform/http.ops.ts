import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Platform } from './app.ts'
import { Refusal } from './errors.ts'

/** The operator's pages: is it serving, and how much. */
export function serveOps(app: FastifyInstance, platform: Platform) {
  app.get('/health', { logLevel: 'silent' }, async (_request, reply) => {
    const database = await platform.database.ping().then(
      () => 'up',
      () => 'down',
    )
    const serving = database === 'up' && !platform.stopping()
    return reply.code(serving ? 200 : 503).send({ status: serving ? 'ok' : 'unavailable', database })
  })

  app.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    if (!mayRead(platform, request)) throw new Refusal('ERR_NOT_FOUND')
    return reply.type('text/plain; version=0.0.4').send(await platform.metrics.render())
  })
}

/** A proxy on this machine speaks for somebody else: what it passes on does not count as this machine. */
const mayRead = ({ metrics }: Platform, { ip, headers }: FastifyRequest) =>
  metrics.mayRead(ip, headers.authorization, Boolean(headers['x-forwarded-for'] ?? headers.forwarded))
