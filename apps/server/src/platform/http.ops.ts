import type { FastifyInstance } from 'fastify'
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
    if (!platform.metrics.mayRead(request.ip, request.headers.authorization))
      throw new Refusal('ERR_NOT_FOUND')
    return reply.type('text/plain; version=0.0.4').send(await platform.metrics.render())
  })
}
