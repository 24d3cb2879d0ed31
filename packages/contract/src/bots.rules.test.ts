import { describe, expect, test } from 'vitest'
import { awaitsChoice, type BotEvent, newBotState, readBotState, step } from './bots.rules.ts'
import { type Script, type ScriptCommand, type ScriptSetup, scriptOf } from './bots.script.rules.ts'
import { botDefaults } from './bots.ts'
import { tapped, WORDS, writtenOut, writtenParts } from './bots.words.rules.ts'

const SALES = 10
const ANA = 5
const FLOW = 7
const PROMPT = 8

let nextId = 0
const command = (
  commandBot: string,
  commandType: number,
  more: Partial<ScriptCommand> = {},
): ScriptCommand => ({
  id: ++nextId,
  commandBot,
  commandType,
  descriptionBot: `Opção ${commandBot}`,
  showMessage: `Mensagem ${commandBot}`,
  mediaUrl: null,
  webhook: null,
  userId: null,
  queueId: null,
  typeMessage: 'singleMessage',
  flowId: null,
  botConfigId: null,
  forceNextFlow: '',
  logic: null,
  tagIds: [],
  categoryIds: [],
  ...more,
})
const script = (commands: ScriptCommand[], setup: Partial<ScriptSetup> = {}): Script =>
  scriptOf(
    { ...botDefaults, transferQueueId: null, botConfigId: null, messageOnErrorsBot: 'Digite #', ...setup },
    commands,
    {
      greeting: 'Olá, {{cliente}}!',
      queues: new Map([[SALES, 'Vendas já vem.']]),
      userIds: new Set([ANA]),
      flowIds: new Set([FLOW]),
      botConfigIds: new Set([PROMPT]),
      isOpen: null,
    },
  )

const MINUTE = 60_000
const pending = { status: 'pending' as const, isGroup: false, queueId: null, tags: [], categoryIds: [] }
const values = { cliente: 'Bia', atendente: '', protocolo: '1', data: '', horas: '' }

const line = (text: string, more: object = {}) => ({
  ...{ text, mediaType: null, choice: null, unread: false },
  ...more,
})

/** A customer in front of a bot. Each line is answered with what it does, words as they would be written. */
function talk(of: Script) {
  let state = newBotState()
  let at = 0
  const happen = (event: Pick<BotEvent, 'kind'> & Partial<BotEvent>, using = of) => {
    at += MINUTE
    const turn = step(using, state, { at, ticket: pending, values, ...event } as BotEvent)
    state = readBotState(JSON.parse(JSON.stringify(turn.state)))
    return turn.does.map(act => (act.kind === 'say' ? writtenOut(act) : act))
  }
  return {
    happen,
    say: (text: string, using = of) => happen({ kind: 'wrote', lines: [line(text)] }, using),
    /** Several lines as one input. */
    burst: (...texts: string[]) => happen({ kind: 'wrote', lines: texts.map(text => line(text)) }),
    tap: (...choices: number[]) =>
      happen({ kind: 'wrote', lines: choices.map(choice => line('Sim', { choice })) }),
    pass: (hours: number) => {
      at += hours * 60 * MINUTE
    },
    state: () => state,
  }
}

const shop = (setup: Partial<ScriptSetup> = {}) =>
  script(
    [
      command('1', 2, { descriptionBot: 'Vendas' }),
      command('1.1', 3, { queueId: SALES, descriptionBot: 'Comprar', tagIds: [3], categoryIds: [4] }),
      command('1.2', 1, { descriptionBot: 'Horário', showMessage: 'Das 9 às 18.' }),
      command('2', 7, { showMessage: 'Qual o pedido?', forceNextFlow: '3' }),
      command('3', 1, { showMessage: 'Pedido {{resposta_2}} anotado, {{cliente}}.' }),
      command('4', 8, { botConfigId: PROMPT, showMessage: '' }),
      command('5', 5, { showMessage: 'Até logo.' }),
      command('6', 4, { queueId: SALES, userId: ANA, showMessage: '' }),
    ],
    setup,
  )
const menu =
  'Olá, Bia!\n\n*1* - Vendas\n*2* - Opção 2\n*3* - Opção 3\n*4* - Opção 4\n*5* - Opção 5\n*6* - Opção 6'

describe('a walk through the tree', () => {
  test('the first word meets the greeting and the first menu; a number leads down, # back', () => {
    const { say, state } = talk(shop())
    expect(say('oi')).toEqual([menu])
    expect(say('1')).toEqual(['Mensagem 1\n\n*1* - Comprar\n*2* - Horário'])
    expect(say('2')).toEqual(['Das 9 às 18.'])
    expect(state()).toMatchObject({ mode: 'menu', number: '1' })
    expect(say(' # ')).toEqual([menu])
  })

  test.each(['1', '1)', '1.', 'opção 1', 'Opcao 1', '1️⃣', 'um', 'vendas', '1 - Vendas'])(
    'the first choice may be written as %s',
    text => {
      const { say } = talk(shop())
      say('oi')
      expect(say(text)).toEqual(['Mensagem 1\n\n*1* - Comprar\n*2* - Horário'])
    },
  )

  test('a sector gets the ticket with what the command puts on; after that only # is heard', () => {
    const { say } = talk(shop())
    for (const text of ['oi', '1']) say(text)
    expect(say('1')).toEqual([
      { kind: 'tag', tagIds: [3] },
      { kind: 'categorize', categoryIds: [4] },
      'Mensagem 1.1',
      { kind: 'move', queueId: SALES, userId: null },
    ])
    expect(say('tem alguém aí?')).toEqual([])
    expect(say('#')).toEqual([menu])
  })

  test('an attendant gets it with the words of his queue where the command has none; resolving says its word first', () => {
    const { say } = talk(shop())
    say('oi')
    expect(say('6')).toEqual(['Vendas já vem.', { kind: 'move', queueId: SALES, userId: ANA }])
    const other = talk(shop())
    other.say('oi')
    expect(other.say('5')).toEqual(['Até logo.', { kind: 'close' }])
    expect(other.say('#')).toEqual([])
  })

  test('a question keeps its answer, which later words may say, and leads on', () => {
    const { say, state } = talk(shop())
    say('oi')
    expect(say('2')).toEqual(['Qual o pedido?'])
    expect(say('0042')).toEqual(['Pedido 0042 anotado, Bia.'])
    expect(state().answers).toMatchObject([{ number: '2', question: 'Qual o pedido?', text: '0042' }])
  })

  test('a file answers a question by its kind', () => {
    const { say, happen, state } = talk(shop())
    for (const text of ['oi', '2']) say(text)
    happen({ kind: 'wrote', lines: [line('', { mediaType: 'image' })] })
    expect(state().answers).toMatchObject([{ text: '[image]' }])
  })

  test('a voice note at a menu is answered that it cannot be heard, and with the menu', () => {
    const { say, happen } = talk(shop())
    say('oi')
    const spoken = happen({ kind: 'wrote', lines: [line('', { mediaType: 'audio' })] })
    expect(spoken).toEqual(['Não consigo ouvir áudios por aqui. Escreva o número da opção.', menu])
  })

  test('a prompt has the word until #', () => {
    const { say } = talk(shop())
    say('oi')
    expect(say('4')).toEqual([{ kind: 'prompt', botConfigId: PROMPT, begins: true, withText: false }])
    expect(say('quanto custa?')).toEqual([
      { kind: 'prompt', botConfigId: PROMPT, begins: false, withText: true },
    ])
    expect(say('#')).toEqual([{ kind: 'endPrompt' }, menu])
  })

  test('a tree with one trunk begins there, and a bot of the other kind with its prompt', () => {
    const one = script([command('1', 2), command('1.1', 1)])
    expect(talk(one).say('oi')).toEqual(['Olá, Bia!', 'Mensagem 1\n\n*1* - Opção 1.1'])
    const gpt = talk(script([], { botType: 'gpt', botConfigId: PROMPT }))
    expect(gpt.say('oi')).toEqual([{ kind: 'prompt', botConfigId: PROMPT, begins: true, withText: true }])
    expect(gpt.say('#')).toEqual([{ kind: 'prompt', botConfigId: PROMPT, begins: false, withText: true }])
  })

  test('a flow speaks instead of the message; a webhook hears what was written [BOTCMD-015]', () => {
    const of = script([
      command('1', 1, { typeMessage: 'flow', flowId: FLOW, webhook: 'https://a.test/x' }),
      command('2', 1, { typeMessage: 'flow', flowId: 99 }),
    ])
    const { say, state } = talk(of)
    say('oi')
    const [first, second] = of.commands
    expect(say('1')).toEqual([
      { kind: 'webhook', url: 'https://a.test/x', commandId: first!.id, number: '1', answer: '1' },
      { kind: 'flow', flowId: FLOW, commandId: first!.id },
    ])
    expect([say('2'), state().number, second!.id]).toEqual([['Mensagem 2'], '', second!.id])
  })
})

describe('what is not understood', () => {
  test('so many wrong answers are borne, then the message comes once, and a right answer is still one [OP-99 … OP-100, BOTSETUP-018]', () => {
    const { say } = talk(shop({ countErrorsBot: 1 }))
    say('oi')
    expect(say('quê?')).toEqual([menu])
    expect(say('quê?')).toEqual(['Digite #', { kind: 'note', why: 'errors' }])
    expect(say('quê?')).toEqual([])
    expect(say('1')).toEqual(['Mensagem 1\n\n*1* - Comprar\n*2* - Horário'])
    expect(say('quê?')).toEqual(['Mensagem 1\n\n*1* - Comprar\n*2* - Horário'])
  })

  test('without a limit of errors wrong answers are borne, but not for ever', () => {
    const { say, state } = talk(shop({ countErrorsBot: 0 }))
    const turns = Array.from({ length: 35 }, (_, at) => say(`resposta ${at}`))
    expect(turns.slice(0, 30).flat()).toEqual(Array.from({ length: 30 }, () => menu))
    expect(state()).toMatchObject({ mode: 'stopped', guard: { caught: true } })
    expect(
      turns
        .slice(31)
        .flat()
        .filter(act => act !== menu),
    ).toEqual([WORDS.guarded, { kind: 'note', why: 'machine' }])
  })

  test('the same long text three times is a machine, which is told and moved to the queue; # is still heard', () => {
    const { say } = talk(shop({ transferQueueId: SALES }))
    const text = 'Olá! Escolha uma das opções abaixo'
    expect([say(text), say(text)].flat()).not.toContainEqual({ kind: 'note', why: 'machine' })
    expect(say(text)).toEqual([
      WORDS.guarded,
      { kind: 'note', why: 'machine' },
      { kind: 'move', queueId: SALES, userId: null },
    ])
    expect([say('alô?'), say('#'), say('5')]).toEqual([[], [menu], ['Até logo.', { kind: 'close' }]])
  })

  test('who walks through menus, reads one again and again or taps the same long title is no machine', () => {
    const person = talk(shop())
    for (let at = 0; at < 20; at++) expect(person.say('#')).toEqual([menu])
    for (let at = 0; at < 20; at++) {
      expect(person.say('1')).toEqual(['Mensagem 1\n\n*1* - Comprar\n*2* - Horário'])
      expect(person.say('2')).toEqual(['Das 9 às 18.'])
      expect(person.say('#')).toEqual([menu])
    }
    const title = 'Segunda via de boleto e outras cobranças'
    const reader = talk(script([command('1', 1, { descriptionBot: title }), command('2', 1)]))
    reader.say('oi')
    for (let at = 0; at < 5; at++) expect(reader.say(title)).toEqual(['Mensagem 1'])
  })

  test('the same choice again and again and again is a machine', () => {
    const { say, state } = talk(script([command('1', 1), command('2', 1)]))
    say('oi')
    for (let at = 0; at < 8; at++) say('1')
    expect(state().mode).toBe('stopped')
  })

  test('commands that follow each other in a circle say each word once', () => {
    const { say } = talk(
      script([command('1', 1, { forceNextFlow: '2' }), command('2', 1, { forceNextFlow: '1' })]),
    )
    say('oi')
    expect(say('1')).toEqual(['Mensagem 1', 'Mensagem 2'])
  })
})

describe('a burst', () => {
  test('is one input: one menu for four lines, one error, the last choice, all of an answer', () => {
    const { burst, state } = talk(shop())
    expect(burst('oi', 'bom dia', 'tudo bem?', 'queria saber o preço')).toEqual([menu])
    expect(burst('quê?', 'como assim?')).toEqual([menu])
    expect(state().errors).toBe(1)
    expect(burst('quero comprar', '1')).toEqual(['Mensagem 1\n\n*1* - Comprar\n*2* - Horário'])
    expect(burst('nada', '#')).toEqual([menu])
    expect(burst('2')).toEqual(['Qual o pedido?'])
    expect(burst('é o', '0042')).toEqual(['Pedido é o\n0042 anotado, Bia.'])
  })

  test('what comes before the menu has left is no answer to it', () => {
    const { say, happen, state } = talk(shop())
    say('oi')
    const unread = { unread: true }
    expect(happen({ kind: 'wrote', lines: [line('bom dia', unread)] })).toEqual([])
    expect(state().errors).toBe(0)
    expect(happen({ kind: 'wrote', lines: [line('5', unread)] })).toEqual(['Até logo.', { kind: 'close' }])
  })

  test('nor to a question: the lines after it are its answer', () => {
    const { say, happen, state } = talk(shop())
    say('oi')
    say('2')
    const unread = { unread: true }
    expect(happen({ kind: 'wrote', lines: [line('obrigada', unread)] })).toEqual([])
    expect(state().mode).toBe('question')
    happen({ kind: 'wrote', lines: [line('oi?', unread), line('0042')] })
    expect(state().answers.at(-1)?.text).toBe('0042')
  })
})

describe('a tap', () => {
  const of = script([
    command('1', 6, { descriptionBot: 'Visita', showMessage: 'Confirma a visita?' }),
    command('1.1', 6, { descriptionBot: 'Sim', showMessage: 'Cancelar o pedido?' }),
    command('1.1.1', 1, { descriptionBot: 'Sim', showMessage: 'Pedido cancelado.' }),
    command('1.1.2', 1, { descriptionBot: 'Não', showMessage: 'Certo.' }),
    command('2', 7, { showMessage: 'Nome?' }),
  ])
  const [visit, yes, cancel] = of.commands.map(({ id }) => id)

  test('belongs to its menu: of an older one it changes nothing, and that is said once', () => {
    const { say, tap, state } = talk(of)
    say('oi')
    say('1')
    expect(tap(yes!, yes!)).toEqual(['Cancelar o pedido?\n\n*1* - Sim\n*2* - Não'])
    expect(tap(yes!)).toEqual([WORDS.olderMenu])
    expect(tap(visit!)).toEqual([])
    expect(state().number).toBe('1.1')
    expect(tap(cancel!)).toEqual(['Pedido cancelado.'])
  })

  test('is no answer to a question', () => {
    const { say, tap, state } = talk(of)
    say('oi')
    say('2')
    expect(tap(yes!)).toEqual([WORDS.olderMenu])
    expect(state()).toMatchObject({ mode: 'question', answers: [] })
  })
})

describe('people come first', () => {
  test('nothing is said on an open or closed ticket, nor in a group', () => {
    for (const ticket of [
      { ...pending, status: 'open' as const },
      { ...pending, status: 'closed' as const },
      { ...pending, isGroup: true },
    ])
      expect(talk(shop()).happen({ kind: 'wrote', lines: [line('oi')], ticket })).toEqual([])
  })

  test('who was talked to by a person hears the bot again when it is given back, where it stood', () => {
    const { say, happen } = talk(shop())
    for (const text of ['oi', '1']) say(text)
    expect(happen({ kind: 'taken' })).toEqual([])
    expect([say('1'), say('#')]).toEqual([[], []])
    expect(happen({ kind: 'given' })).toEqual(['Mensagem 1\n\n*1* - Comprar\n*2* - Horário'])
  })

  test('nor does a bot begin that had not yet when a person took over; given to it, it offers its menu', () => {
    const { say, happen } = talk(shop())
    happen({ kind: 'taken' })
    expect(say('oi')).toEqual([])
    expect(happen({ kind: 'given' })).toEqual([menu])
    expect(say('5')).toEqual(['Até logo.', { kind: 'close' }])
  })

  test('given to a bot that never spoke, the conversation begins: with the only trunk of its tree', () => {
    const { say, happen } = talk(
      script([command('1', 7, { showMessage: 'Qual o pedido?' }), command('1.1', 1)]),
    )
    expect(happen({ kind: 'given' })).toEqual(['Olá, Bia!', 'Qual o pedido?'])
    expect(say('0042')).toEqual(['Mensagem 1.1'])
  })

  test('or after so many hours [BOTSETUP-019]', () => {
    const { say, happen, pass } = talk(shop({ reopenBotAfterHours: 2 }))
    say('oi')
    happen({ kind: 'taken' })
    pass(1.9)
    expect(say('oi')).toEqual([])
    pass(0.2)
    expect(say('oi')).toEqual([menu])
  })

  test('a prompt ends when a person takes over', () => {
    const { say, happen } = talk(shop())
    for (const text of ['oi', '4']) say(text)
    expect(happen({ kind: 'taken' })).toEqual([{ kind: 'endPrompt' }])
  })
})

describe('nobody chose', () => {
  const waited = { kind: 'waited' as const }
  const message = { messageOnWithoutQueue: 'Ainda aí?' }

  test('the ticket is told and closed, or handed to the queue; without an action nothing happens [BOTSETUP-017]', () => {
    const closing = talk(shop({ ...message, actionWithoutQueue: 'sendMessageAndClosed' }))
    closing.say('oi')
    expect(closing.happen(waited)).toEqual(['Ainda aí?', { kind: 'close' }])
    const action = { ...message, actionWithoutQueue: 'transferQueueDefault' as const }
    const moving = talk(shop({ ...action, transferQueueId: SALES }))
    moving.say('oi')
    expect(moving.happen(waited)).toEqual(['Ainda aí?', { kind: 'move', queueId: SALES, userId: null }])
    const idle = talk(shop(message))
    idle.say('oi')
    expect(idle.happen(waited)).toEqual([])
  })

  test('who has a queue or a person waits for people', () => {
    const of = shop({ actionWithoutQueue: 'sendMessageAndClosed' })
    const { say, happen, state } = talk(of)
    say('oi')
    expect(awaitsChoice(of, state(), pending)).toBe(true)
    expect(happen({ ...waited, ticket: { ...pending, queueId: SALES } })).toEqual([])
    happen({ kind: 'taken' })
    expect([happen(waited), awaitsChoice(of, state(), pending)]).toEqual([[], false])
  })
})

describe('a script that changes meanwhile', () => {
  const tree = [command('1', 2), command('1.1', 2), command('1.1.1', 1), command('2', 1)]

  test('a command that is gone leads to the nearest that is left above it [BOTCMD-005]', () => {
    const { say, state } = talk(script(tree))
    for (const text of ['oi', '1', '1']) say(text)
    expect(state().number).toBe('1.1')
    const left = script(tree.filter(({ commandBot }) => commandBot !== '1.1'))
    expect(say('quê?', left)).toEqual(['Mensagem 1\n\n*1.1* - Opção 1.1.1'])
    expect(say('1.1', left)).toEqual(['Mensagem 1.1.1'])
  })

  test('one that was moved is stood at where it is now', () => {
    const { say } = talk(script(tree))
    for (const text of ['oi', '1', '1']) say(text)
    const moved = tree.map(one => ({ ...one, commandBot: one.commandBot.replace(/^1\.1/, '3') }))
    expect(say('1', script(moved))).toEqual(['Mensagem 1.1.1'])
  })

  test('a queue that is gone leaves the ticket to people; so does an empty script', () => {
    const { say } = talk(script([command('1', 3, { queueId: 99 }), command('2', 1)]))
    say('oi')
    expect(say('1')).toEqual(['Mensagem 1', { kind: 'note', why: 'gone' }])
    expect(talk(script([])).say('oi')).toEqual(['Olá, Bia!', { kind: 'note', why: 'empty' }])
  })

  test('a state that cannot be read begins anew', () => {
    expect(readBotState({ mode: 'dancing' })).toEqual(newBotState())
  })
})

describe('real lists and buttons', () => {
  const said = (titles: string[], style: 'list' | 'buttons') => ({
    commandId: 1,
    text: 'Escolha',
    mediaUrl: null,
    options: titles.map((title, at) => ({ commandId: at + 1, number: String(at + 1), title })),
    style,
  })
  const many = (count: number) => Array.from({ length: count }, (_, at) => `Opção ${at + 1}`)

  test('three are buttons, ten a list, more are written', () => {
    expect(tapped(said(many(3), 'buttons'), 'Ver')).toEqual({ kind: 'buttons', buttons: many(3) })
    expect(tapped(said(many(4), 'buttons'), 'Ver')?.kind).toBe('list')
    expect(tapped(said(many(10), 'list'), 'Ver')?.kind).toBe('list')
    expect(tapped(said(many(11), 'list'), 'Ver')).toBeNull()
  })

  test('a menu longer than a message may be is split between its lines, and a caption stands below its file', () => {
    const long = {
      ...said(
        many(60).map(title => `${title} ${'x'.repeat(80)}`),
        'list',
      ),
      text: 'a'.repeat(600),
    }
    const parts = writtenParts(long)
    expect(parts.map(({ length }) => length <= 4_096)).toEqual([true, true])
    expect(parts.join('\n')).toBe(writtenOut(long))
    expect(parts[1]).toMatch(/^\*\d+\* - /)
    const caption = { ...said([], 'list'), text: 'a'.repeat(1_025), mediaUrl: '/media/1/a.png' }
    expect(writtenParts(caption)).toEqual(['', caption.text])
  })

  test('what is long is cut, and still understood when it is tapped', () => {
    const long = 'Financeiro, cobranças e segunda via 🧾 de boletos'
    const list = tapped(said([long, 'Outro'], 'list'), 'Ver')
    const title = list?.kind === 'list' ? list.sections[0]!.rows[0]!.title : ''
    expect(title.length).toBeLessThanOrEqual(24)
    const { say } = talk(script([command('1', 1, { descriptionBot: long }), command('2', 1)]))
    say('oi')
    expect(say(title)).toEqual(['Mensagem 1'])
  })
})
