import { botConfigs } from '@balcao/contract/botConfigs.ts'
import { messages } from '@balcao/contract/messages.ts'
import { privateNotes } from '@balcao/contract/notes.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelScene, setModelScene } from '../../../testing/models.ts'
import { newNumber } from '../../../testing/rows.ts'
import { type Person, until } from '../../../testing/test-app.ts'
import { product } from '../../product.ts'
import { firstDay } from '../../seed/first-start.ts'
import { responds } from '../messages/inbound/responders.actions.ts'
import { continueDialog, openDialog } from './botConfigs.dialogs.actions.ts'

/** Assigns a prompt to a ticket, which a bot decides in the product. */
let botConfigId = 0
const speaker = {
  name: 'speaker',
  reacts: [
    responds('speaker', async (tx, { ticket, message }) => {
      if (!(await continueDialog(tx, ticket.id, message)))
        await openDialog(tx, ticket, botConfigId, { message })
      return true
    }),
  ],
}

let scene: ModelScene
let admin: Person
beforeAll(async () => {
  scene = await setModelScene({
    product: { ...product, seed: firstDay, features: [...product.features, speaker] },
  })
  admin = await scene.app.as('admin@balcao.test')
})
afterAll(() => scene.end())

test('a note never reaches a model, unless its prompt reads notes; then apart from the conversation, and without deleted ones', async () => {
  const quick = { firstDelay: 0, lastDelay: 0, typingSpeed: 0 }
  const body = { name: 'Lua', context: 'Somos a Lume.', model: 'gpt-4o', ...quick }
  const prompt = await admin.get(botConfigs.create, { body })
  botConfigId = prompt.id
  const [whatsappId, number] = [admin.user.whatsappId!, newNumber()]
  const params = { whatsappId, number }
  /** What the model was asked with, after an answer to these words. */
  const askedWith = async (words: string, times: number) => {
    await admin.get(simulator.write, {
      params: { whatsappId },
      body: { number, name: 'Ana', body: words },
    })
    await until(
      async () =>
        (await admin.get(simulator.chat, { params })).filter(({ fromMe }) => fromMe).length === times,
    )
    return scene.model.calls.at(-1)!.asked.messages
  }
  await askedWith('Oi', 1)
  const { tickets: found } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
  const { id: ticketId } = found.find(one => one.contact.number === number)!
  const note = (text: string) =>
    admin.get(messages.send, {
      params: { ticketId, companyId: admin.user.companyId },
      body: { body: text, isPrivate: true },
    })
  const gone = await note('Deve duas parcelas')
  await note('Cliente antiga:\ncinco por cento')
  const closed = await askedWith('Tem sofá?', 2)
  expect(JSON.stringify(closed)).not.toMatch(/parcelas|Cliente antiga/)
  await admin.get(privateNotes.remove, { params: { messageId: gone.id } })
  await admin.get(botConfigs.change, { params: { botConfigId }, body: { ...body, readsNotes: true } })
  const [system, ...turns] = await askedWith('E o preço?', 3)
  expect(system!.content).toContain('- Cliente antiga: cinco por cento')
  expect(system!.content).not.toContain('parcelas')
  expect(JSON.stringify(turns)).not.toContain('Cliente antiga')
})
