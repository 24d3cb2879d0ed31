import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Platform } from '../app.ts'
import { createLog } from '../observe/log.ts'
import { answerRefusal } from './error-answers.ts'

test('what broke is written down by its route, without what an address holds', async () => {
  const lines: string[] = []
  const log = createLog({ logLevel: 'info' }, { write: line => lines.push(line) })
  const app = fastify()
  app.setErrorHandler((error, request, reply) => answerRefusal({ log } as Platform, error, request, reply))
  app.get('/ApiSendMessage/:token', () => {
    throw new Error('out of order')
  })
  const answer = await app.inject('/ApiSendMessage/hush-hush?as=hush-hush')
  expect(answer.json()).toMatchObject({ error: 'ERR_INTERNAL', message: 'ERR_INTERNAL' })
  expect(JSON.parse(lines[0]!)).toMatchObject({ method: 'GET', route: '/ApiSendMessage/:token' })
  expect(lines.join() + answer.body).not.toContain('hush-hush')
})
