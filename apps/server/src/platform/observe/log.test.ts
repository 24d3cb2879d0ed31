import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Config } from '../config.ts'
import { NotSealedHere, Refusal } from '../errors.ts'
import { createLog } from './log.ts'
import { whyItFailed } from './log-errors.ts'

function listening(logLevel: Config['logLevel'] = 'info') {
  const lines: string[] = []
  const log = createLog({ logLevel }, { write: line => lines.push(line) })
  return { log, lines, last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown> }
}

it('a line is JSON with a time, and a child names its subject', () => {
  const { log, last } = listening()
  log.child({ subject: 'line 7' }).info({ companyId: 3 }, 'connected')
  expect(last()).toMatchObject({ level: 30, subject: 'line 7', companyId: 3, msg: 'connected' })
  expect(Date.parse(String(last().time))).toBeGreaterThan(0)
})

it('nothing below the level is written', () => {
  const { log, lines } = listening('warn')
  log.info('quiet')
  expect(lines).toEqual([])
})

it.each(['authorization', 'cookie', 'set-cookie', 'password', 'token', 'refreshToken', 'qrcode', 'creds'])(
  '%s never reaches the log, however deep',
  name => {
    const { log, lines } = listening()
    const holder = { [name]: 'hush-hush' }
    log.info(holder)
    log.info({ request: holder })
    log.info({ request: { headers: holder } })
    log.info({ requests: [{ headers: { [name.toUpperCase()]: 'hush-hush' } }] })
    log.child({ request: holder }).info('from a child')
    log.error(Object.assign(new Error('refused'), { response: { config: holder } }))
    expect(lines).toHaveLength(6)
    expect(lines.join()).not.toContain('hush-hush')
  },
)

it('secrets inside a text are blanked, the rest of it stays', () => {
  const { log, lines, last } = listening()
  log.info({ url: '/socket.io/?EIO=4&token=hush-hush&transport=polling' })
  expect(last().url).toBe('/socket.io/?EIO=4&token=…&transport=polling')
  log.error(new Error('cannot reach redis://app:hush-hush@cache.test:6379 with Bearer hush.hush'))
  expect(JSON.stringify(last().err)).toContain('redis://app:…@cache.test:6379 with Bearer …')
  log.warn(`could not read ${JSON.stringify({ name: 'Ana', password: 'hush-hush' })}`)
  expect(last().msg).toBe('could not read {"name":"Ana","password":"…"}')
  expect(lines.join()).not.toContain('hush')
})

it('an ordinary address, e-mail or sentence is left alone', () => {
  const { log, last } = listening()
  const said = 'http://localhost:8080/tickets?pageNumber=2 asked by ana@loja.test: "a token of thanks"'
  log.info(said)
  expect(last().msg).toBe(said)
})

it('errors, dates and circles are still written', () => {
  const { log, last } = listening()
  const circle: Record<string, unknown> = { at: new Date(0) }
  circle.self = circle
  log.warn({ circle, err: new TypeError('odd') }, 'round')
  expect(last()).toMatchObject({ circle: { at: '1970-01-01T00:00:00.000Z' }, err: { type: 'TypeError' } })
})

it('of an error of the database its code, constraint and way are told, and nothing that it says of a row', () => {
  const { log, lines, last } = listening()
  const refused = Object.assign(new Error('invalid input: "Dona Zilda"\n of 5511987654321'), {
    ...{ severity: 'ERROR', code: '23505', constraint: 'contacts_number', routine: '_bt_check_unique' },
    ...{
      detail: 'Key (number)=(5511987654321) already exists.',
      where: 'Dona Zilda',
      internalQuery: 'Zilda',
    },
  })
  const failed = new Error('could not be saved', { cause: refused })
  log.error({ err: Object.assign(failed, { parameters: ['Dona Zilda'], query: 'select' }) }, 'a job failed')
  expect(last().err).toEqual({
    type: 'Error',
    message: 'could not be saved',
    stack: expect.stringMatching(/^ +at /),
    cause: {
      ...{ type: 'Error', code: '23505', constraint: 'contacts_number', routine: '_bt_check_unique' },
      stack: expect.stringMatching(/^ +at /),
    },
  })
  log.error({ err: new AggregateError([refused, 'Dona Zilda'], 'two of 5') }, 'both')
  log.warn({ err: new Error('550 <zilda@rua.test> of 5511987654321@s.whatsapp.net is unknown') }, 'a letter')
  log.warn({ err: grasp(() => JSON.parse('Dona Zilda')) }, 'no JSON')
  log.error(Object.assign(new Error('server closed'), { severity: 'FATAL', code: '57P01', detail: 'Zilda' }))
  expect(lines).toHaveLength(5)
  expect(lines.join()).not.toMatch(/zilda|98765/i)
})

it('what is expected has no stack, and a value that cannot be opened is logged once a minute', () => {
  const { log, lines, last } = listening()
  const expected: [Error, string][] = [
    [new Refusal('ERR_NOT_FOUND'), 'Refusal'],
    [Object.assign(new Error('canceling statement'), { severity: 'ERROR', code: '57014' }), 'Error'],
    [Object.assign(new Error('no space'), { code: 'ENOSPC' }), 'Error'],
    [Object.assign(new Error('Invalid login: 535'), { code: 'EAUTH' }), 'Error'],
    [new Error('outer', { cause: new Refusal('ERR_NOT_FOUND') }), 'Error'],
  ]
  for (const [err, type] of expected) {
    log.warn({ err }, 'it failed')
    expect(last().err).toMatchObject({ type })
    expect(lines.at(-1)).not.toContain(' at ')
  }
  lines.length = 0
  for (let times = 0; times < 3; times++)
    log.warn({ err: new NotSealedHere('not sealed here for this company') }, 'a session was not opened')
  expect(lines).toHaveLength(1)
  expect(last()).toMatchObject({ why: 'Error: not sealed here for this company' })
  log.error({ err: new TypeError('a defect') }, 'it failed')
  expect(lines.at(-1)).toContain(' at ')
})

it.skipIf(process.platform !== 'linux')(
  'a log that finds no room, as in a file on a full disk, ends no process and keeps none from ending',
  async () => {
    const program = `
      import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)}
      const log = createLog({ logLevel: 'info' })
      log.info('one')
      setTimeout(() => { log.info('two'); process.exit(7) }, 50)`
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
      timeout: 20_000,
    })
    expect(await once(child, 'exit')).toEqual([7, null])
  },
)

function grasp(work: () => unknown) {
  try {
    return work()
  } catch (error) {
    return error
  }
}

it('a failure without a message names what it consists of, or its code', () => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' })
  expect(whyItFailed(refused)).toBe('Error: ECONNREFUSED')
  expect(whyItFailed(new AggregateError([refused]))).toBe('AggregateError: ECONNREFUSED')
  expect(whyItFailed(new Error(''))).toBe('Error: without a message')
})
