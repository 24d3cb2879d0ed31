import { createServer } from 'node:http'
import { botConfigs } from '@balcao/contract/botConfigs.ts'
import { bots } from '@balcao/contract/bots.ts'
import { flows } from '@balcao/contract/flows.ts'
import { integrations } from '@balcao/contract/integrations.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { type OpenAiServer, startOpenAiServer } from '@balcao/openai-server/server.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { integrationOf } from '../../testing/models.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { sample } from '../../testing/sample.ts'
import { picture } from '../../testing/samples.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

/** Number of whole conversations; the first dies at steps from the list, the others anywhere. */
const ROUNDS = Number(process.env.BOT_ROUNDS ?? 1)
const START_MS = 200_000

const MENU = '*1* - Pedido\n*2* - Pessoas'
/** The customer's messages, the replies, and where the process dies meanwhile. */
const DIALOG = [
  ['oi', [MENU], 'features/bots/bots.turn.queries.ts#keepSession:after', 0],
  [
    '1',
    ['Qual?\n\n*1* - Novo\n*2* - Antigo'],
    'features/messages/outbox/outbox.queries.ts#beginSending:after',
    0,
  ],
  ['1', ['Seu nome?'], 'features/simulator/simulator.actions.ts#deliver:after', 0],
  [
    'Rita',
    ['Olá!', 'a foto', 'Até já.', 'Pergunte.', 'Você disse: Rita'],
    'features/messages/outbox/outbox.queries.ts#beginSending:before',
    1,
  ],
  [
    'Quanto?',
    ['Você disse: Quanto?'],
    'features/botConfigs/botConfigs.settle.actions.ts#settleReply:before',
    0,
  ],
  ['#', [MENU], 'channels/inbound.ts#receiveInbound:after', 0],
] as const
const DEADLY = sample(
  DIALOG.map((_, step) => step),
  1,
)
const POINTS = [
  ...DIALOG.map(([, , point]) => point),
  'features/messages/messages.queries.ts#insertMessages:after',
  'features/messages/outbox/receipts.actions.ts#acknowledge:before',
  'features/simulator/simulator.actions.ts#deliver:before',
  'features/botConfigs/botConfigs.dialogs.queries.ts#claimDialogs:after',
  'features/botConfigs/botConfigs.settle.actions.ts#settleReply:after',
  'features/bots/bots.calls.queries.ts#claimCall:after',
  'features/bots/bots.calls.queries.ts#settleCall:before',
]

describe('kill -9 while a bot leads a customer', () => {
  let store: Store
  let product: Process
  let admin: Person
  let model: OpenAiServer
  const calls: unknown[] = []
  const listener = createServer((request, response) => {
    calls.push(request.headers['webhook-id'])
    request.resume().on('end', () => response.writeHead(204).end())
  })

  async function start(env: Record<string, string> = {}) {
    product = await startProcess(
      { ...store.env, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'error', ...env },
      START_MS,
    )
    admin = await enter(product.url, 'admin@balcao.test')
  }
  /** The lease of the dead process runs out by itself; that is not waited for here. */
  async function startAgain() {
    await store.endLeases()
    await start()
  }

  beforeAll(async () => {
    store = await freshStore()
    model = await startOpenAiServer()
    await new Promise<void>(done => listener.listen(0, '127.0.0.1', done))
    await start()
    await furnish()
  })
  afterAll(async () => {
    await product?.stop()
    listener.close()
    await model?.close()
    await store?.remove()
  })

  /** A tree with menus, a question, a flow with a picture and a prompt, and a webhook to another system. */
  async function furnish() {
    const master = await enter(product.url, 'master@balcao.test')
    await master.get(integrations.create, { body: integrationOf(model) })
    const { companyId, whatsappId } = admin.user
    const prompt = {
      name: 'Lua',
      context: 'x',
      model: 'gpt-4o',
      firstDelay: 0,
      lastDelay: 0,
      typingSpeed: 0,
    }
    const { id: botConfigId } = await admin.get(botConfigs.create, { body: prompt })
    const flowActions = [
      { actionType: 'SendText', body: 'Olá!' },
      { actionType: 'SendMedia', body: 'a foto', mediaFileName: 'foto.png' },
      { actionType: 'SendText', body: 'Até já.' },
    ]
    const { id: flowId } = await admin.get(flows.create, {
      body: { name: 'Boas-vindas', type: 'Bot', flowActions: JSON.stringify(flowActions) },
      files: [picture('foto.png')],
    })
    const { id: botSetupId } = await admin.get(bots.addSetup, {
      body: {
        ...{ name: 'Loja', typingTime: '1', burstSeconds: 1, whatsapps: [whatsappId!], countErrorsBot: 0 },
        ...{ actionWithoutQueue: 'sendMessageAndClosed', messageOnWithoutQueue: 'Ainda aí?' },
      },
    })
    const { port } = listener.address() as { port: number }
    const webhook = `http://127.0.0.1:${port}/aviso`
    const commands = [
      { commandBot: '1', commandType: 2, descriptionBot: 'Pedido', showMessage: 'Qual?' },
      {
        commandBot: '1.1',
        commandType: 7,
        descriptionBot: 'Novo',
        showMessage: 'Seu nome?',
        forceNextFlow: '3',
        webhook,
      },
      { commandBot: '1.2', commandType: 1, descriptionBot: 'Antigo', showMessage: 'Já vem.' },
      { commandBot: '2', commandType: 3, descriptionBot: 'Pessoas', queueId: admin.user.queues[0]!.id },
      { commandBot: '3', commandType: 1, typeMessage: 'flow', flowId, forceNextFlow: '4' },
      { commandBot: '4', commandType: 8, showMessage: 'Pergunte.', botConfigId },
    ] as const
    for (const command of commands)
      await admin.get(bots.addCommand, { params: { companyId }, body: { botSetupId, ...command } })
  }

  const whatsapp = () => ({ whatsappId: admin.user.whatsappId! })
  const onPhone = (number: string) => admin.get(simulator.chat, { params: { ...whatsapp(), number } })
  const heardBy = async (number: string) =>
    (await onPhone(number)).flatMap(({ fromMe, body }) => (fromMe ? [body] : []))

  const write = (number: string, body: string) =>
    admin.call(simulator.write, { params: whatsapp(), body: { number, name: 'Rita', body } })
  /** Only the phone knows whether it was written when the process died meanwhile. */
  async function writeIfLost(number: string, body: string, before: number) {
    const written = (await onPhone(number)).filter(({ fromMe }) => !fromMe).length
    if (written === before) await write(number, body)
  }

  test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'conversation %s: every answer is there once, in its order, and who falls silent is asked once [BOTCMD-015]',
    async round => {
      const number = `5511983${100_000 + round}`
      const expected: string[] = []
      for (const [step, [body, answers, planned, passes]] of DIALOG.entries()) {
        const drawn = POINTS[(round * 5 + step) % POINTS.length]!
        const isPlanned = round === 0
        if (isPlanned && !DEADLY.includes(step)) {
          await write(number, body)
          expected.push(...answers)
          await until(async () => (await heardBy(number)).length >= expected.length, 60_000)
          continue
        }
        await product.dieAt(isPlanned ? planned : drawn, isPlanned ? passes : round % 2)
        let isDead = false
        void product.ended.then(() => {
          isDead = true
        })
        await write(number, body).catch(() => {})
        expected.push(...answers)
        // not every point is passed in every step
        const isSaid = async () => (await heardBy(number).catch(() => [])).length >= expected.length
        await until(async () => isDead || (!isPlanned && (await isSaid())), 60_000)
        await product.kill()
        await startAgain()
        await writeIfLost(number, body, step)
        const began = Date.now()
        await until(isSaid, 60_000)
        console.log(`${body}: ${isPlanned ? planned : drawn}, said ${Date.now() - began} ms after the start`)
        expect(await heardBy(number)).toEqual(expected)
      }
      await product.stop()
      await store.rows(`update bot_sessions set due_at = now() where due_at is not null`)
      // the last reply left long ago
      await store.rows(`update messages set created_at = created_at - interval '1 hour' where from_me`)
      const end = start({ DIE_AT: 'features/bots/bots.turn.actions.ts#endWait:before' }).then(
        () => product.ended,
        // it may die before it serves, or during a login
        (error: Error) => (error.message.includes('SIGKILL') ? 'SIGKILL' : product.ended),
      )
      expect(await end).toBe('SIGKILL')
      await startAgain()
      expected.push('Ainda aí?')
      await until(async () => (await heardBy(number)).length >= expected.length, 30_000)
      expect(await heardBy(number)).toEqual(expected)
      await until(() => new Set(calls).size > round, 60_000)
      expect(new Set(calls).size).toBe(round + 1)
    },
  )
})
