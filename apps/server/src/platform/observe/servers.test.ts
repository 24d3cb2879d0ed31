import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { watchServer } from './servers.ts'

test('a server that goes away and comes back is logged once each, without a stack, and its state says since when and why', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ logLevel: 'info' }, { write: line => void lines.push(JSON.parse(line)) })
  let answer: () => Promise<unknown> = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:465'))
  const server = watchServer({
    ...{ what: 'the mail server', place: 'smtp.loja.test:465', lacks: 'letters wait', everyMs: 60_000, log },
    ask: () => answer(),
  })
  expect(server.state()).toBeNull()
  await server.look()
  await server.look()
  server.note(new Error('535 wrong password'))
  expect(server.state()).toEqual({
    isUp: false,
    why: 'Error: 535 wrong password',
    since: expect.stringMatching(/^\d{4}-/),
  })
  answer = async () => {}
  await server.look()
  server.note(null)
  expect(server.state()).toMatchObject({ isUp: true, why: '' })
  expect(lines.map(({ msg, server, why }) => [msg, server, why])).toEqual([
    [
      'the mail server does not answer: letters wait',
      'smtp.loja.test:465',
      'Error: connect ECONNREFUSED 10.0.0.7:465',
    ],
    ['the mail server answers again', 'smtp.loja.test:465', undefined],
  ])
  expect(JSON.stringify(lines)).not.toContain('at ')
  server.close()
  server.note(new Error('late'))
  expect(lines).toHaveLength(2)
})
