import { bots } from '@balcao/contract/bots.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newNumber, rowsOf, unique } from '../../../testing/rows.ts'
import { openWorld, type Person, type World } from '../../../testing/world.ts'
import { receive } from '../messages/messages.receive.ts'

vi.setConfig({ testTimeout: 60_000 })

let world: World
const admins: Person[] = []
beforeAll(async () => {
  world = await openWorld()
  for (const email of ['admin@balcao.test', 'admin@outra.test']) admins.push(await world.as(email))
})
afterAll(() => world.close())

interface Command {
  commandBot: string
  commandType: number
  descriptionBot?: string
  showMessage?: string
  forceNextFlow?: string
}

/** A number of a company on which a bot speaks. */
async function shop(admin: Person, setup: { countErrorsBot: 0 | 2 }, commands: Command[]) {
  const { companyId } = admin.user
  const whatsappId = await rowsOf(world, admin).connection()
  const { id: botSetupId } = await admin.get(bots.addSetup, {
    body: { name: 'Loja', typingTime: '1', whatsapps: [whatsappId], ...setup },
  })
  for (const command of commands)
    await admin.get(bots.addCommand, { params: { companyId }, body: { botSetupId, ...command } })
  const known = new Set<string>()
  let ticketId = 0
  return {
    number: newNumber(),
    /** Hears what the other says. Answers what its bot says to it. */
    async hears(number: string, body: string): Promise<string[]> {
      const heard = {
        ...{ kind: 'message' as const, chat: { kind: 'phone' as const, value: number }, fromMe: false },
        ...{ externalId: `GUARD${unique()}`, name: 'Loja', body, mediaType: null },
        at: new Date().toISOString(),
      }
      const scope = world.platform.scopes.inCompany(companyId)
      ticketId = (await scope.transaction(tx => receive(tx, whatsappId, heard))) ?? ticketId
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
/** Says a number, which the other takes for a choice: a circle in which nobody ever errs. */
const chooses = [
  { commandBot: '1', commandType: 2, showMessage: '1' },
  { commandBot: '1.1', commandType: 1, showMessage: '1' },
  { commandBot: '1.2', commandType: 1, showMessage: '2' },
]
/** Whatever it hears is an answer. */
const asks = [{ commandBot: '1', commandType: 7, showMessage: 'Nome?', forceNextFlow: '1' }]

test.each<[string, { countErrorsBot: 0 | 2 }, Command[]]>([
  ['repeat their menus', { countErrorsBot: 0 }, menu],
  ['say that they did not understand', { countErrorsBot: 2 }, menu],
  ['choose what the other says', { countErrorsBot: 0 }, chooses],
  ['ask each other', { countErrorsBot: 0 }, asks],
])('the bots of two companies that %s stop within ten turns', async (_, setup, commands) => {
  const [ours, theirs] = [await shop(admins[0]!, setup, commands), await shop(admins[1]!, setup, commands)]
  let turns = 0
  let said = ['oi']
  const pair = [ours, theirs]
  while (said.length > 0 && turns < 40) {
    const [listener, speaker] = pair as [typeof ours, typeof ours]
    const answers = []
    for (const body of said) answers.push(...(await listener.hears(speaker.number, body)))
    said = answers
    if (said.length > 0) turns += 1
    pair.reverse()
  }
  expect(said).toEqual([])
  expect(turns / 2).toBeLessThanOrEqual(10)
  const ends = [await ours.stands(), await theirs.stands()]
  expect(ends.some(({ mode }) => mode === 'stopped' || mode === 'quiet')).toBe(true)
  expect(ends.some(({ told }) => told.includes('botGuarded') || told.includes('botLeft'))).toBe(true)
})
