import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Platform } from '../app.ts'
import type { Bodies } from './bodies.ts'
import type { CallTurns } from './call-turns.ts'
import { bytesAsked, sendFile } from './files.ts'
import type { Raw } from './routes.ts'

const RAW_LIMIT = 4 * 1_048_576

/** Mounts calls whose bytes must not be touched: a signature over JSON that was parsed and written again fails. */
export async function mountRaw(
  app: FastifyInstance,
  platform: Platform,
  raw: Raw[],
  { bodies, turns }: { bodies: Bodies; turns: CallTurns },
): Promise<void> {
  await app.register(async inside => {
    inside.removeAllContentTypeParsers()
    inside.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
      bodies.whole(request, payload),
    )
    for (const { method, path, companyOf, handle } of raw)
      inside.route({
        method,
        url: path,
        bodyLimit: RAW_LIMIT,
        onRequest: async (request, reply) => {
          const company = await companyOf?.(platform, request.params as Record<string, string>)
          if (company) await turns.ofWebhook(company, reply)
        },
        handler: async (request, reply) => {
          const answer = await handle(platform, {
            params: request.params as Record<string, string>,
            query: request.query as Record<string, unknown>,
            headers: request.headers,
            body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          })
          if ('open' in answer) {
            const range = bytesAsked(request.headers.range)
            return sendFile(reply, await answer.open(range), range)
          }
          const { status, text = '' } = answer
          return reply.code(status).type('text/plain; charset=utf-8').send(text)
        },
      })
  })
}
