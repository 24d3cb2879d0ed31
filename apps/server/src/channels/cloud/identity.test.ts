import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'

/** People whose number the company does not see: a business-scoped user id, and perhaps a username, is all that is known. */

const SECONDS = 20_000
let scene: CloudScene
beforeAll(async () => {
  scene = await setCloudScene({
    webhooks: { backOff: [200], lanes: 4 },
    number: '551130000004',
    account: { parentUserIds: true },
  })
})
afterAll(() => scene.end())

let last = 0
const newNumber = () => `551197${String(1_000_000 + ++last)}`
const found = async (searchParam: string, person = scene.admin) =>
  (await person.get(contacts.list, { query: { searchParam } })).contacts
const hidden = (username: string) =>
  scene.meta.addCustomer(newNumber(), { name: `Pessoa ${username}`, username, showsNumber: false })

async function accepted(name: string) {
  const ticketId = await until(async () => (await found(name))[0]?.tickets[0]?.id, SECONDS)
  const body = { status: 'open', queueId: scene.admin.user.queues[0]!.id } as const
  await scene.admin.get(tickets.change, { params: { ticketId }, body })
  return ticketId
}

test('who hides the number is found by name and username, in lists and tickets, and answered by user id', async () => {
  const eva = hidden('Eva.Luz')
  eva.says('Oi')
  const ticketId = await accepted('Pessoa Eva')
  expect((await found('@eva.l'))[0]).toMatchObject({ number: '', username: 'eva.luz' })
  expect(await found('eva.luz')).toHaveLength(1)
  const query = { searchParam: '@eva.luz', showAll: true } as const
  const listed = await scene.admin.get(tickets.list, { query })
  expect(listed.tickets.map(({ id, contact }) => [id, contact.username])).toEqual([[ticketId, 'eva.luz']])
  await scene.send(ticketId, 'Bom dia')
  await until(() => eva.received().length === 1, SECONDS)
  expect(scene.meta.sent.at(-1)).toMatchObject({ by: 'user id', input: eva.userId() })
  eva.username = 'eva.nova'
  eva.says('Mudei de nome')
  await until(async () => (await found('@eva.nova')).length === 1, SECONDS)
  const stranger = await scene.world.as('admin@outra.test')
  expect(await found('@eva.nova', stranger)).toEqual([])
})

test('and is one with the contact of the number once WhatsApp names both, whatever comes first and however often', async () => {
  const rui = hidden('rui.mar')
  const { id: known } = await scene.admin.get(contacts.create, {
    body: { name: 'Rui da Feira', number: rui.number },
  })
  rui.says('Quem sou?')
  await until(async () => (await found('@rui.mar')).length === 1, SECONDS)
  rui.showsNumber = true
  const held = scene.meta.webhooks.hold()
  for (let nth = 0; nth < 6; nth++) rui.says(`Sou eu ${nth}`)
  held.release({ order: 'shuffled' })
  await until(async () => (await found('@rui.mar'))[0]?.id === known, SECONDS)
  await scene.meta.settled()
  const [one, ...others] = await found(rui.number)
  expect([one?.name, one?.id, others]).toEqual(['Rui da Feira', known, []])
  const received = async () => {
    const { tickets: theirs } = (await found(rui.number))[0]!
    return (await Promise.all(theirs.map(({ id }) => scene.said(id)))).flat().filter(({ fromMe }) => !fromMe)
  }
  await until(async () => (await received()).length >= 7, SECONDS)
  expect((await received()).map(({ body }) => body).toSorted()).toEqual([
    'Quem sou?',
    ...Array.from({ length: 6 }, (_, nth) => `Sou eu ${nth}`),
  ])
})

test('also by the status of a message to the number, and by the card in which the person shares it', async () => {
  const [status, card] = [hidden('por.status'), hidden('por.cartao')]
  for (const one of [status, card]) {
    one.says('Oi')
    await until(async () => (await found(`@${one.username}`)).length === 1, SECONDS)
  }
  await scene.admin.get(contacts.create, {
    body: { name: 'Pelo status', number: status.number },
  })
  scene.meta.account.addTemplate({ name: 'aviso', components: [{ type: 'BODY', text: 'Oi' }] })
  await fetch(`${scene.meta.url}/v24.0/${scene.meta.number.id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.meta.token.value}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      to: status.number,
      type: 'template',
      template: { name: 'aviso', language: { code: 'pt_BR' } },
    }),
  })
  await until(async () => (await found('@por.status'))[0]?.number === status.number, SECONDS)
  expect((await found(status.number)).map(({ name }) => name)).toEqual(['Pelo status'])
  card.sharesNumber()
  await until(async () => (await found('@por.cartao'))[0]?.number === card.number, SECONDS)
  expect(await found(card.number)).toHaveLength(1)
})

test('keeps what was known of either contact when both become one', async () => {
  const bia = hidden('bia.mel')
  const { id: known } = await scene.admin.get(contacts.create, { body: { name: 'Bia', number: bia.number } })
  bia.says('Oi')
  const { id: double } = await until(async () => (await found('@bia.mel'))[0], SECONDS)
  const body = { email: 'bia@exemplo.com.br' }
  await scene.admin.get(contacts.change, { params: { contactId: double }, body })
  bia.sharesNumber()
  await until(async () => (await found(bia.number))[0]?.tickets.length === 1, SECONDS)
  expect((await found(bia.number))[0]).toMatchObject({ id: known, username: 'bia.mel', ...body })
})

test('a card that a person forwards proves nothing', async () => {
  const zoe = hidden('zoe.sol')
  zoe.says({ contacts: [{ name: { formatted_name: 'Outra' }, phones: [{ phone: newNumber() }] }] })
  const ticketId = await accepted('Pessoa zoe')
  await until(
    async () => (await scene.said(ticketId)).some(({ mediaType }) => mediaType === 'vcard'),
    SECONDS,
  )
  expect((await found('@zoe.sol'))[0]?.number).toBe('')
})

test('an admin reads whom another connection would not reach, before this one is removed; a message to them says why it fails', async () => {
  const lia = hidden('lia.flor')
  lia.says('Oi')
  const ticketId = await accepted('Pessoa lia')
  const heir = await scene.admin.get(connections.create, { body: { name: 'Herdeira', lib: 'simulator' } })
  const params = { whatsappId: scene.whatsappId }
  const query = { heirId: heir.id }
  const { tickets: all, unreachable } = await scene.admin.get(connections.heir, { params, query })
  expect([unreachable > 0, unreachable < all]).toEqual([true, true])
  const stranger = await scene.world.as('admin@outra.test')
  expect((await stranger.call(connections.heir, { params, query })).status).toBe(404)
  const other = await stranger.get(connections.create, { body: { name: 'Deles', lib: 'simulator' } })
  const foreign = { params, query: { heirId: other.id } }
  expect((await scene.admin.call(connections.heir, foreign)).status).toBe(404)
  await scene.admin.get(connections.remove, { params, query })
  await scene.admin.get(connections.start, { params: { whatsappId: heir.id } })
  await scene.send(ticketId, 'Chega?')
  const failed = await until(async () => (await scene.said(ticketId)).find(({ ack }) => ack === 0), SECONDS)
  expect(failed.failReason).toBe('ERR_WAPP_OTHER_NETWORK')
})
