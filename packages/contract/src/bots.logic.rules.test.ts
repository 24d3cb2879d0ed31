import { describe, expect, test } from 'vitest'
import { commandTypes } from './bots.commands.ts'
import { checkedAnswer, filledBy, filledUrl, holds } from './bots.logic.rules.ts'
import { BotLogic, type Condition, VariableName } from './bots.logic.ts'
import { type BotEvent, minutesAwaited, newBotState, readBotState, step } from './bots.rules.ts'
import { type ScriptCommand, scriptOf } from './bots.script.rules.ts'
import { botDefaults } from './bots.ts'
import { writtenOut } from './bots.words.rules.ts'

const logic = (given: object = {}) => BotLogic.parse(given)

describe('an answer is checked and kept as it is written best', () => {
  test.each([
    ['name', 'Ana  d’Ávila Souza', 'Ana d’Ávila Souza'],
    ['name', '12345', null],
    ['email', ' Ana@Lume.com.br ', 'ana@lume.com.br'],
    ['email', 'ana@lume', null],
    ['cpf', '52998224725', '529.982.247-25'],
    ['cpf', '529.982.247-24', null],
    ['cpf', '111.111.111-11', null],
    ['cpf', '11.222.333/0001-81', null],
    ['date', '1/2/26', '01/02/2026'],
    ['date', '2026-02-28', '28/02/2026'],
    ['date', '30.02.2026', null],
    ['date', '29/02/2028', '29/02/2028'],
    ['number', 'R$ 1.234,50', '1234,5'],
    ['number', '1.5', '1,5'],
    ['number', 'dois', null],
    ['oneOf', '2', 'Não'],
    ['oneOf', 'nao', 'Não'],
    ['oneOf', 'talvez', null],
    ['any', ' qualquer coisa ', ' qualquer coisa '],
  ] as const)('%s: %s', (check, given, kept) => {
    expect(checkedAnswer(logic({ check, choices: ['Sim', 'Não'] }), given)).toBe(kept)
  })

  test('a variable has a name of its own', () => {
    expect(VariableName.parse(' Pedido_2 ')).toBe('pedido_2')
    for (const name of ['cliente', 'resposta', 'resposta_1', '2x', 'a b'])
      expect(VariableName.safeParse(name).success).toBe(false)
  })
})

describe('conditions', () => {
  const facts = {
    ...{ isOpen: false, day: '04/01/2027', time: '21:30', tagIds: [3], categoryIds: [] },
    ...{ variables: { pedido: '0042' }, answer: 'Quero CANCELAR' },
  }
  const monday = { kind: 'time' as const, weekdays: [1] }
  const sunday = { kind: 'time' as const, weekdays: [0] }
  const all: [Condition, boolean][] = [
    [{ kind: 'hours', open: true }, false],
    [{ kind: 'hours', open: false }, true],
    [{ ...monday, from: 1_200, to: 1_320 }, true],
    [{ ...monday, from: 1_300, to: 1_320 }, false],
    [{ ...monday, from: 1_200, to: 360 }, true],
    [{ ...sunday, from: 1_200, to: 360 }, false],
    [{ kind: 'tag', id: 3, has: true }, true],
    [{ kind: 'tag', id: 4, has: false }, true],
    [{ kind: 'category', id: 3, has: true }, false],
    [{ kind: 'variable', name: 'pedido', how: 'equals', value: '0042' }, true],
    [{ kind: 'variable', name: 'nome', how: 'empty', value: '' }, true],
    [{ kind: 'variable', name: 'pedido', how: 'differs', value: '0042' }, false],
    [{ kind: 'answer', how: 'contains', value: 'cancelar' }, true],
    [{ kind: 'answer', how: 'filled', value: '' }, true],
  ]
  test.each(all)('%j is %s', (condition, isHolding) => {
    expect(holds(logic({ conditions: [condition] }), facts)).toBe(isHolding)
  })

  test('all of them, or any; none always holds; a company without hours is always open', () => {
    const conditions = [
      { kind: 'tag', id: 3, has: true },
      { kind: 'tag', id: 4, has: true },
    ]
    expect(holds(logic({ conditions }), facts)).toBe(false)
    expect(holds(logic({ conditions, match: 'any' }), facts)).toBe(true)
    expect(holds(logic(), facts)).toBe(true)
    const open = logic({ conditions: [{ kind: 'hours', open: true }] })
    expect(holds(open, { ...facts, isOpen: null })).toBe(true)
  })

  test('a span past midnight belongs to the day on which it begins', () => {
    const night = logic({ conditions: [{ ...sunday, from: 1_200, to: 360 }] })
    expect(holds(night, { ...facts, time: '05:59' })).toBe(true)
    expect(holds(night, { ...facts, time: '06:00' })).toBe(false)
  })
})

test('parts of an answer fill variables; what is not there, or no plain value, is empty', () => {
  const fills = [
    { variable: 'status', path: 'pedido.status' },
    { variable: 'primeiro', path: 'itens.0.nome' },
    { variable: 'nada', path: 'pedido.__proto__.x' },
    { variable: 'objeto', path: 'pedido' },
  ]
  const answer = { pedido: { status: 'enviado' }, itens: [{ nome: 'Sofá' }] }
  expect(filledBy(logic({ fills }), answer)).toEqual({
    ...{ status: 'enviado', primeiro: 'Sofá', nada: '', objeto: '' },
  })
})

test('a variable in an address is one part of it and never its host', () => {
  const values = { pedido: '4/2?x', acima: '..' }
  expect(filledUrl('https://a.test/p/{{Pedido}}?q={{ pedido }}', values)).toBe(
    'https://a.test/p/4%2F2%3Fx?q=4%2F2%3Fx',
  )
  expect(filledUrl('https://a.test/p/{{acima}}/x', values)).toBe('https://a.test/p//x')
  expect(filledUrl('https://{{pedido}}.a.test/', values)).toBe('https://{{pedido}}.a.test/')
})

let nextId = 0
const command = (commandBot: string, kind: keyof typeof commandTypes, more: object = {}): ScriptCommand => ({
  ...{ id: ++nextId, commandBot, commandType: commandTypes[kind], descriptionBot: '', showMessage: '' },
  ...{ mediaUrl: null, webhook: null, userId: null, queueId: null, typeMessage: 'singleMessage' },
  ...{ flowId: null, botConfigId: null, forceNextFlow: '', logic: null, tagIds: [], categoryIds: [] },
  ...more,
})
const says = (commandBot: string, showMessage: string, more: object = {}) =>
  command(commandBot, 'informative', { showMessage, ...more })

function talk(commands: ScriptCommand[], isOpen: boolean | null = null) {
  const script = scriptOf({ ...botDefaults, transferQueueId: null, botConfigId: null }, commands, {
    ...{ greeting: 'Olá!', queues: new Map([[10, '']]), userIds: new Set<number>() },
    ...{ flowIds: new Set<number>(), botConfigIds: new Set<number>(), isOpen },
  })
  let state = newBotState()
  let at = 0
  const ticket = { status: 'pending' as const, isGroup: false, queueId: null, tags: [], categoryIds: [] }
  const values = { cliente: 'Bia', atendente: '', protocolo: '1', data: '04/01/2027', horas: '21:00' }
  const happen = (event: { kind: BotEvent['kind'] }) => {
    at += 60_000
    const turn = step(script, state, { at, ticket, values, ...event } as BotEvent)
    state = readBotState(JSON.parse(JSON.stringify(turn.state)))
    return turn.does.map(act => (act.kind === 'say' ? writtenOut(act) : act))
  }
  return {
    happen,
    say: (text: string) =>
      happen({ kind: 'wrote', ...{ lines: [{ text, mediaType: null, choice: null, unread: false }] } }),
    state: () => state,
    minutes: () => minutesAwaited(script, state, ticket, 5),
  }
}

describe('outside the hours', () => {
  const tree = [
    says('1', 'Preços', { descriptionBot: 'Preços' }),
    says('2', 'Entrega', { descriptionBot: 'Entrega' }),
    command('9', 'condition', { logic: logic({ conditions: [{ kind: 'hours', open: false }] }) }),
    says('9.1', 'Estamos fechados.'),
  ]
  test('a condition without a name stands before the first menu, and again at each word and at #', () => {
    const closed = talk(tree, false)
    expect(closed.say('oi')).toEqual(['Estamos fechados.'])
    expect([closed.say('alô?'), closed.say('#')]).toEqual([['Estamos fechados.'], ['Estamos fechados.']])
  })
  test('while the company is open, or has no hours, the menu comes without it', () => {
    const menu = 'Olá!\n\n*1* - Preços\n*2* - Entrega'
    expect([talk(tree, true).say('oi'), talk(tree).say('oi')]).toEqual([[menu], [menu]])
  })
  test('as the only trunk it leads to what stands below it: first where it holds, else the second', () => {
    const trunk = [
      command('1', 'condition', { logic: logic({ conditions: [{ kind: 'hours', open: true }] }) }),
      command('1.1', 'menu', { showMessage: 'O quê?' }),
      says('1.1.1', 'Sofás', { descriptionBot: 'Sofás' }),
      says('1.2', 'Fechado.'),
    ]
    expect(talk(trunk, true).say('oi')).toEqual(['Olá!', 'O quê?\n\n*1* - Sofás'])
    expect(talk(trunk, false).say('oi')).toEqual(['Olá!', 'Fechado.'])
  })
})

describe('a question with a check', () => {
  const given = { check: 'cpf', variable: 'cpf', wrong: 'CPF inválido.', tries: 2, otherwise: '3' }
  const kept = { keepIn: 'field', field: 'CPF', waitMinutes: 30, silent: '4' }
  const tree = [
    command('1', 'question', {
      showMessage: 'Seu CPF?',
      forceNextFlow: '2',
      logic: logic({ ...given, ...kept }),
    }),
    says('2', 'Obrigada, {{CPF}}.'),
    command('3', 'sector', { queueId: 10, showMessage: 'Chamo alguém.' }),
    says('4', 'Ainda está aí?'),
  ]
  // the trunk is the question alone
  const trunk = [
    ...tree.slice(0, 1),
    ...tree.slice(1).map(one => ({ ...one, commandBot: `1.${one.commandBot}` })),
  ]
  trunk[0] = {
    ...trunk[0]!,
    forceNextFlow: '1.2',
    logic: logic({ ...given, ...kept, otherwise: '1.3', silent: '1.4' }),
  }

  test('keeps a right answer in its variable, for texts, and in the field of the contact', () => {
    const { say, state } = talk(trunk)
    expect(say('oi')).toEqual(['Olá!', 'Seu CPF?'])
    expect(say('529 982 247 25')).toEqual([
      { kind: 'keep', keepIn: 'field', field: 'CPF', value: '529.982.247-25' },
      'Obrigada, 529.982.247-25.',
    ])
    expect(state().variables).toEqual({ cpf: '529.982.247-25' })
  })
  test('asks again after a wrong one, and goes another way after the last try', () => {
    const { say } = talk(trunk)
    say('oi')
    expect(say('123')).toEqual(['CPF inválido.'])
    expect(say('123')).toEqual(['Chamo alguém.', { kind: 'move', queueId: 10, userId: null }])
  })
  test('without another way people get it', () => {
    const { say, state } = talk([{ ...trunk[0]!, logic: logic({ ...given, otherwise: '', tries: 1 }) }])
    say('oi')
    expect(say('123')).toEqual([{ kind: 'note', why: 'errors' }])
    expect(state().mode).toBe('handed')
  })
  test('waits as long as it says, and goes on where no answer comes', () => {
    const { say, happen, minutes } = talk(trunk)
    say('oi')
    expect(minutes()).toBe(30)
    expect(happen({ kind: 'waited' })).toEqual(['Ainda está aí?'])
    expect(minutes()).toBeNull()
  })
  test('one of some choices is offered as a menu is', () => {
    const one = logic({ check: 'oneOf', choices: ['Sim', 'Não'], variable: 'sim' })
    const { say, state, happen } = talk([
      command('1', 'question', { showMessage: 'Confirma?', forceNextFlow: '1.1', logic: one }),
      says('1.1', 'Ok: {{sim}}'),
    ])
    expect(say('oi')).toEqual(['Olá!', 'Confirma?\n\n*1* - Sim\n*2* - Não'])
    expect(say('talvez')).toEqual(['Confirma?\n\n*1* - Sim\n*2* - Não'])
    const tap = (words: string) =>
      happen({
        kind: 'wrote',
        ...{ lines: [{ text: words, mediaType: null, choice: state().commandId, unread: false }] },
      })
    expect(tap('Não')).toEqual(['Ok: Não'])
    expect(state().variables).toEqual({ sim: 'Não' })
  })
})

describe('a request to another system', () => {
  const fills = [{ variable: 'status', path: 'status' }]
  const tree = [
    command('1', 'question', { showMessage: 'Pedido?', logic: logic({ variable: 'pedido' }) }),
    command('1.1', 'request', {
      webhook: 'https://loja.test/p/{{pedido}}',
      showMessage: 'Um momento…',
      logic: logic({ fills, otherwise: '1.1.2' }),
    }),
    command('1.1.1', 'condition', {
      logic: logic({ conditions: [{ kind: 'variable', name: 'status', how: 'equals', value: 'enviado' }] }),
    }),
    says('1.1.1.1', 'Está a caminho.'),
    says('1.1.1.2', 'Ainda aqui: {{status}}.'),
    says('1.1.2', 'O sistema não respondeu.'),
  ]
  function begun() {
    const phone = talk(tree)
    phone.say('oi')
    const [said, asked] = phone.say('0042')
    const commandId = phone.state().commandId
    return {
      ...phone,
      said,
      asked,
      answers: (event: object) => phone.happen({ kind: 'called', ...{ commandId, ...event } }),
    }
  }

  test('fills its address; the answer fills variables and decides where it goes on', () => {
    const { said, asked, answers, state } = begun()
    expect([said, asked]).toMatchObject([
      'Um momento…',
      { kind: 'ask', url: 'https://loja.test/p/0042', number: '1.1', answer: '0042' },
    ])
    expect(state().mode).toBe('calling')
    expect(answers({ isOk: true, filled: { status: 'enviado' } })).toEqual(['Está a caminho.'])
    expect(begun().answers({ isOk: true, filled: { status: 'na fila' } })).toEqual(['Ainda aqui: na fila.'])
  })
  test('without an answer it goes the other way, also when the time is over', () => {
    const { answers, minutes, happen } = begun()
    expect(minutes()).toBe(2)
    expect(answers({ isOk: false, filled: {} })).toEqual(['O sistema não respondeu.'])
    expect([minutes(), happen({ kind: 'waited' })]).toEqual([null, []])
    expect(begun().happen({ kind: 'waited' })).toEqual(['O sistema não respondeu.'])
  })
  test('what the customer writes meanwhile waits; # leads away, and the answer comes too late', () => {
    const { say, answers } = begun()
    expect(say('alô?')).toEqual([])
    expect(say('#')).toEqual(['Pedido?'])
    expect(answers({ isOk: true, filled: { status: 'enviado' } })).toEqual([])
  })
})
