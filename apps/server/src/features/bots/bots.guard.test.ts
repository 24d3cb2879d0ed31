import { bots } from '@balcao/contract/bots.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { receiveMessage } from '../messages/inbound/inbound.actions.ts'

let app: TestApp
const admins: Person[] = []
beforeAll(async () => {
  app = await openTestApp()
  for (const email of ['admin@balcao.test', 'admin@outra.test']) admins.push(await app.as(email))
})
afterAll(() => app.close())

interface Command {
  commandBot: string
  commandType: number
  descriptionBot?: string
  showMessage?: string
  forceNextFlow?: string
}

/** A connection of a company with a bot. */
async function shop(admin: Person, setup: { countErrorsBot: 0 | 2 }, commands: Command[]) {
  const { companyId } = admin.user
  const whatsappId = await rowsOf(app, admin).connection()
  const { id: botSetupId } = await admin.get(bots.addSetup, {
    body: { name: 'Loja', typingTime: '1', burstSeconds: 0, whatsapps: [whatsappId], ...setup },
  })
  for (const command of commands)
    await admin.get(bots.addCommand, { params: { companyId }, body: { botSetupId, ...command } })
  const known = new Set<string>()
  let ticketId = 0
  return {
    number: newNumber(),
    /** Receives the other's message, after its own have left. Answers what its bot replies. */
    async hears(number: string, body: string): Promise<string[]> {
      await app.database.script(
        `update messages set waits = false, outbox = null, due_at = null where ticket_id = ${ticketId} and outbox = 'queued'`,
      )
      const event = {
        ...{ kind: 'message' as const, chat: { kind: 'phone' as const, value: number }, fromMe: false },
        ...{ externalId: `GUARD${unique()}`, name: 'Loja', body, mediaType: null },
        at: new Date().toISOString(),
      }
      const scope = app.platform.scopes.inCompany(companyId)
      ticketId = (await scope.transaction(tx => receiveMessage(tx, whatsappId, event))) ?? ticketId
      const { messages: all } = await admin.get(messages.list, { params: { ticketId } })
      const fresh = all.filter(({ source, id }) => source === 'bot' && !known.has(id))
      for (const { id } of fresh) known.add(id)
      return fresh.map(one => one.body)
    },
    stands: async () => ({
      mode: (await admin.get(bots.showSession, { params: { ticketId } })).session!.mode,
      told: (await admin.get(tickets.story, { params: { ticketId } })).events.map(({ what }) => what),
    }),
  }
}

const menu = ['1', '2'].map(commandBot => ({
  commandBot,
  commandType: 1,
  descriptionBot: `Opção ${commandBot}`,
}))
/** Replies with a number, which the other accepts as a choice: a loop without errors. */
const chooses = [
  { commandBot: '1', commandType: 2, showMessage: '1' },
  { commandBot: '1.1', commandType: 1, showMessage: '1' },
  { commandBot: '1.2', commandType: 1, showMessage: '2' },
]
/** Whatever it receives is an answer. */
const asks = [{ commandBot: '1', commandType: 7, showMessage: 'Nome?', forceNextFlow: '1' }]

test.each<[string, { countErrorsBot: 0 | 2 }, Command[]]>([
  ['repeat their menus', { countErrorsBot: 0 }, menu],
  ['say that they did not understand', { countErrorsBot: 2 }, menu],
  ['choose what the other says', { countErrorsBot: 0 }, chooses],
  ['ask each other', { countErrorsBot: 0 }, asks],
])('the bots of two companies that %s stop within ten turns', async (_, setup, commands) => {
  const [ours, theirs] = [await shop(admins[0]!, setup, commands), await shop(admins[1]!, setup, commands)]
  let turns = 0
  let sent = ['oi']
  const pair = [ours, theirs]
  while (sent.length > 0 && turns < 40) {
    const [listener, speaker] = pair as [typeof ours, typeof ours]
    const answers = []
    for (const body of sent) answers.push(...(await listener.hears(speaker.number, body)))
    sent = answers
    if (sent.length > 0) turns += 1
    pair.reverse()
  }
  expect(sent).toEqual([])
  expect(turns / 2).toBeLessThanOrEqual(10)
  const ends = [await ours.stands(), await theirs.stands()]
  expect(ends.some(({ mode }) => mode === 'stopped' || mode === 'quiet')).toBe(true)
  expect(ends.some(({ told }) => told.includes('botGuarded') || told.includes('botLeft'))).toBe(true)
})
