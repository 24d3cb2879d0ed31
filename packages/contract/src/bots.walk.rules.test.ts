import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BotAct } from './bots.acts.ts'
import { BotLogic, type Condition } from './bots.logic.ts'
import { type BotEvent, newBotState, readBotState, step } from './bots.rules.ts'
import { type ScriptCommand, type ScriptSetup, scriptOf } from './bots.script.rules.ts'
import type { BotState } from './bots.talk.ts'
import { botOptions } from './bots.ts'

/** Scripts as people leave them behind, good and broken, in front of customers who do anything. */

const CUSTOMERS = 1_000
const TURNS = 100

const some = <T>(...values: T[]) => fc.constantFrom(...values)
const number = fc
  .array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 })
  .map(all => all.join('.'))
const known = some<number | null>(null, 1, 2, 99)
const words = some('', ' ', 'Olá {{cliente}} {{resposta}} {{resposta_1}} {{nada}}', 'Vendas', '# {{')

const next = fc.oneof(some('', '9.9'), number)
const condition = some<Condition>(
  { kind: 'hours', open: true },
  { kind: 'time', weekdays: [1, 2], from: 1_200, to: 60 },
  { kind: 'tag', id: 1, has: true },
  { kind: 'variable', name: 'x', how: 'filled', value: '' },
  { kind: 'answer', how: 'contains', value: 'o' },
)
const logic = fc.record({
  conditions: fc.array(condition, { maxLength: 2 }),
  match: some('all' as const, 'any' as const),
  otherwise: next,
  check: some('any' as const, 'oneOf' as const, 'number' as const),
  choices: some([], ['Sim', 'Não']),
  tries: some(1, 3),
  wrong: words,
  variable: some('', 'x'),
  keepIn: some('' as const, 'email' as const),
  waitMinutes: some(0, 5),
  silent: next,
  fills: some([], [{ variable: 'x', path: 'a' }]),
})

const command = fc.record<Omit<ScriptCommand, 'id'>>({
  commandBot: number,
  commandType: fc.integer({ min: 0, max: 11 }),
  descriptionBot: words,
  showMessage: words,
  mediaUrl: some(null, null, '/media/1/a.png'),
  webhook: some(null, null, 'https://a.test/'),
  userId: known,
  queueId: known,
  typeMessage: some('singleMessage', 'flow'),
  flowId: known,
  botConfigId: known,
  forceNextFlow: next,
  logic: fc.option(logic.map(given => BotLogic.parse(given))),
  tagIds: some([], [1]),
  categoryIds: some([], [1]),
})
const commands = fc
  .array(command, { maxLength: 14 })
  .map(all => all.map((one, at): ScriptCommand => ({ ...one, id: at + 1 })))
const setup = fc.record<ScriptSetup>({
  countErrorsBot: some(...botOptions.countErrorsBot),
  messageOnErrorsBot: words,
  typeMenu: some(...botOptions.typeMenu),
  reopenBotAfterHours: some(0, 1),
  actionWithoutQueue: some(...botOptions.actionWithoutQueue),
  messageOnWithoutQueue: words,
  transferQueueId: known,
  botType: some('common', 'common', 'common', 'gpt'),
  botConfigId: known,
})
const text = fc.oneof(
  some(
    '1',
    '2',
    '3',
    '1.1',
    '#',
    '#',
    'oi',
    '',
    '2️⃣',
    'vendas',
    '{{protocolo}}',
    'a mesma frase comprida de sempre',
  ),
  fc.string({ maxLength: 40 }),
)
const happening = fc.record({
  kind: some<BotEvent['kind']>(
    'wrote',
    'wrote',
    'wrote',
    'wrote',
    'wrote',
    'wrote',
    'waited',
    'called',
    'called',
    'taken',
    'given',
  ),
  commandId: fc.integer({ min: 1, max: 14 }),
  isOk: fc.boolean(),
  filled: some({}, { x: '1' }),
  lines: fc.array(
    fc.record({
      text,
      mediaType: some(null, null, 'audio'),
      choice: some(null, null, 1, 2, 99),
      unread: some(false),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  isNew: fc.integer({ min: 0, max: 19 }).map(at => at === 0),
  minutes: some(0, 0.01, 1, 5, 90),
  status: some(
    'pending' as const,
    'pending' as const,
    'pending' as const,
    'open' as const,
    'closed' as const,
  ),
  isGroup: fc.integer({ min: 0, max: 19 }).map(at => at === 0),
  queueId: known,
  /** Another author was here meanwhile: which of the two scripts counts now. */
  script: some(0, 0, 0, 1),
})

const people = new Set<BotAct['kind']>(['move', 'close', 'note'])
const silent = new Set<BotState['mode']>(['handed', 'quiet', 'stopped', 'over', 'calling'])
const values = { cliente: 'Bia', atendente: '', protocolo: '1', data: '04/01/2027', horas: '21:00' }

test('100,000 turns: every word is answered or left to people, none is said to an open ticket, and every state can be read', () => {
  let turns = 0
  const around = {
    greeting: 'Olá!',
    queues: new Map([[1, 'Já vem.']]),
    userIds: new Set([1]),
    flowIds: new Set([1]),
    botConfigIds: new Set([1]),
    isOpen: null,
  }
  const customer = fc.property(
    setup,
    commands,
    commands,
    fc.array(happening, { minLength: TURNS, maxLength: TURNS }),
    (given, before, after, happenings) => {
      const scripts = [scriptOf(given, before, around), scriptOf(given, after, around)]
      let state = newBotState()
      let at = 0
      for (const one of happenings) {
        at += one.minutes * 60_000
        const { status, isGroup, queueId } = one
        const ticket = { status, isGroup, queueId, tags: [], categoryIds: [] }
        if (one.isNew) state = newBotState()
        const event = { ...one, at, ticket, values } as BotEvent
        const next = step(scripts[one.script]!, state, event)
        check(state, event, next.state, next.does)
        state = next.state
        turns += 1
      }
    },
  )
  fc.assert(customer, { numRuns: CUSTOMERS, seed: 11 })
  expect(turns).toBe(CUSTOMERS * TURNS)
}, 60_000)

function check(before: BotState, event: BotEvent, state: BotState, does: BotAct[]) {
  const kept = JSON.parse(JSON.stringify(state))
  if (JSON.stringify(readBotState(kept)) !== JSON.stringify(state)) throw new Error('cannot be read again')
  const spoken = does.filter(({ kind }) => kind !== 'endPrompt')
  const isOurs = event.ticket.status === 'pending' && !event.ticket.isGroup
  if ((!isOurs || event.kind === 'taken') && spoken.length > 0) throw new Error('spoke where people do')
  if (does.length > 200) throw new Error('went on and on')
  const leaves = does.findIndex(({ kind }) => people.has(kind))
  if (leaves >= 0 && does.slice(leaves + 1).some(({ kind }) => kind === 'say' || kind === 'flow'))
    throw new Error('spoke after it had left')
  for (const act of does)
    if (act.kind === 'say' && !act.text.trim() && !act.mediaUrl && act.options.length === 0)
      throw new Error('said nothing')
  if (state.mode === 'calling' && before.mode !== 'calling' && !does.some(({ kind }) => kind === 'ask'))
    throw new Error('waits for a call that nobody made')
  if (event.kind !== 'wrote' || !isOurs) return
  const answered = spoken.some(
    ({ kind }) => people.has(kind) || ['say', 'flow', 'prompt', 'ask'].includes(kind),
  )
  const isLeft = silent.has(before.mode) && silent.has(state.mode)
  // reported once
  if (state.warned && event.lines.every(({ choice }) => choice !== null)) return
  if (!answered && !isLeft) throw new Error(`left hanging in ${before.mode}`)
}

test('a bot of 2,000 commands is read and walked in no time', () => {
  const all = Array.from(
    { length: 2_000 },
    (_, at): ScriptCommand => ({
      ...fc.sample(command, { numRuns: 1, seed: at })[0]!,
      id: at + 1,
      commandBot: `${1 + (at % 20)}.${1 + Math.floor(at / 20)}`,
      commandType: 1,
      forceNextFlow: `${1 + ((at + 1) % 20)}.${1 + Math.floor(at / 20)}`,
    }),
  )
  const [given] = fc.sample(setup, { numRuns: 1, seed: 3 })
  const around = {
    greeting: 'Oi',
    queues: new Map(),
    userIds: new Set<number>(),
    flowIds: new Set<number>(),
    botConfigIds: new Set<number>(),
    isOpen: null,
  }
  const began = performance.now()
  const script = scriptOf({ ...given!, botType: 'common' }, all, around)
  const ticket = { status: 'pending' as const, isGroup: false, queueId: null, tags: [], categoryIds: [] }
  const base = { kind: 'wrote' as const, ticket, values }
  const lines = (text: string) => [{ text, mediaType: null, choice: null, unread: false }]
  const first = step(script, newBotState(), { ...base, lines: lines('oi'), at: 0 })
  const second = step(script, first.state, { ...base, lines: lines('1.1'), at: 1 })
  expect(second.does.length).toBeGreaterThan(0)
  expect(second.does.length).toBeLessThan(200)
  expect(performance.now() - began).toBeLessThan(2_000)
})
