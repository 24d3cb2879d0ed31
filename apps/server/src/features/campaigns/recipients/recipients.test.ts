import { bots } from '@balcao/contract/bots.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { categories } from '@balcao/contract/categories.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { flows } from '@balcao/contract/flows.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tags } from '@balcao/contract/tags.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../../../testing/campaigns.ts'
import { newNumber, type Rows, rowsOf, unique } from '../../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../../testing/test-app.ts'
import { lookUp } from '../../messages/inbound/lookups.queries.ts'
import { transfer } from '../../tickets/moves/moves.actions.ts'
import { loadTicket } from '../../tickets/tickets.queries.ts'
import { onCampaignAnswer } from '../run/outcome.actions.ts'

let app: TestApp
let admin: Person
let stranger: Person
let rows: Rows
let shop: Campaigns
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
  shop = await openCampaigns(app, admin, rows)
})
afterAll(() => app.close())

const forecast = (campaignId: number) => admin.get(campaigns.forecast, { params: { campaignId } })
const change = (campaignId: number, body: object, who = admin) =>
  who.call(campaigns.change, { params: { campaignId }, body })
const followUp = (campaignId: number, whom: 'failed' | 'silent' | 'both', who = admin) =>
  who.call(campaigns.followUp, { params: { campaignId }, body: { whom } })
const numbersOf = async (campaignId: number) =>
  (await shop.people(campaignId)).map(({ number }) => number).toSorted()
/** With a pace, which a forecast needs; `quickly` takes it away. */
const paced = async () => (await shop.setup({}, false)).id
const quickly = (setupId: string) =>
  app.database.script(
    `update campaign_setups set t_min = 0, t_max = 0, interval_seconds = 0 where id = '${setupId}'`,
  )
const run = async (campaignId: number) => {
  await shop.act(campaignId, 'start')
  return shop.stands(campaignId, 'finalized')
}

test('who has no value for a placeholder is counted before the start as when it is sent, and a word may stand for it', async () => {
  const [known, unknown, town] = numbers(3)
  await admin.get(contacts.create, { body: { name: 'Ana Souza', number: known! } })
  const sendList = [known!, unknown!, { number: town!, name: 'Caio', Cidade: 'Ouro Preto' }]
  const messages = [{ greeting: 'Oi {{primeiroNome}}', body: 'Lojas em {{cidade|Minas}}' }]
  const setupId = await paced()
  const made = await shop.make({ sendList, messages }, setupId)
  expect(await forecast(made.id)).toMatchObject({
    recipients: 3,
    reachable: 2,
    missing: 1,
    lacking: [{ name: 'primeiroNome', count: 1 }],
  })
  const shown = await admin.get(campaigns.preview, { params: { campaignId: made.id } })
  expect(shown.map(({ greeting, missing }) => [greeting, missing])).toEqual([
    ['Oi Ana', []],
    ['Oi ', ['primeiroNome']],
    ['Oi Caio', []],
  ])
  const standIns = { primeiroNome: 'cliente' }
  expect((await change(made.id, { standIns }, stranger)).body.error).toBe('ERR_NOT_FOUND')
  expect((await change(made.id, { standIns: { a: 'x'.repeat(101) } })).status).toBe(400)
  expect((await change(made.id, { standIns })).body).toMatchObject({ standIns })
  expect(await forecast(made.id)).toMatchObject({ reachable: 3, missing: 0, lacking: [] })
  await quickly(setupId)
  expect((await run(made.id)).counts).toMatchObject({ sent: 3, failed: 0 })
  expect(await shop.heard(unknown!)).toEqual(['Oi cliente', 'Lojas em Minas'])
})

test('of texts with a choice exactly those are counted whose text has the placeholder', async () => {
  const sendList = numbers(12)
  const setupId = await paced()
  const made = await shop.make({ sendList, messages: [{ body: '{Olá|Oi {{nome}}|Bom dia}' }] }, setupId)
  const { missing, reachable } = await forecast(made.id)
  expect(missing).toBeGreaterThan(0)
  await quickly(setupId)
  expect((await run(made.id)).counts).toMatchObject({ sent: reachable, failed: missing })
})

test('a finished campaign is followed by one for who did not get it, or did not answer: one, however often it is asked for', async () => {
  const [answers, silent, nameless] = numbers(3)
  const sendList = [
    { number: answers!, name: 'Ana' },
    { number: silent!, name: 'Bia' },
    { number: nameless! },
  ]
  const made = await shop.make({ name: 'Natal', sendList, messages: [{ body: 'Oi {{nome}}' }] })
  expect((await followUp(made.id, 'both')).body.error).toBe('ERR_CAMPAIGN_NOT_FINALIZED')
  await run(made.id)
  await shop.writes(answers!, 'Quero')
  await until(async () => (await shop.show(made.id)).counts.answered === 1)

  const asked = await Promise.all([1, 2, 3].map(() => followUp(made.id, 'failed')))
  const ids = new Set(asked.map(({ body }) => body.id))
  expect(ids.size).toBe(1)
  const again = asked[0]!.body
  expect(again).toMatchObject({
    name: 'Natal (2)',
    status: 'created',
    followsId: made.id,
    counts: { total: 1, pending: 1 },
    campaignMessages: [{ body: 'Oi {{nome}}' }],
  })
  expect(await numbersOf(again.id)).toEqual([nameless])
  expect(await numbersOf((await followUp(made.id, 'silent')).body.id)).toEqual([silent])
  expect(await numbersOf((await followUp(made.id, 'both')).body.id)).toEqual([silent, nameless].toSorted())
  expect((await followUp(made.id, 'both', stranger)).body.error).toBe('ERR_NOT_FOUND')

  await change(again.id, { standIns: { nome: 'você' } })
  expect((await run(again.id)).counts.sent).toBe(1)
  expect(await shop.heard(nameless!)).toEqual(['Oi você'])
  expect((await followUp(again.id, 'failed')).body.error).toBe('ERR_CAMPAIGN_EMPTY')

  // whom a follow-up reached, the next one leaves alone, and one that is planned is not made twice
  expect((await followUp(made.id, 'failed')).body.error).toBe('ERR_CAMPAIGN_EMPTY')
  const planned = (await followUp(made.id, 'silent')).body
  await change(planned.id, { schedule: new Date(Date.now() + 3_600_000).toISOString() })
  const second = (await followUp(made.id, 'silent')).body
  expect([second.id, second.status]).toEqual([planned.id, 'scheduled'])

  // who still waits in one that has begun is not chosen by a second one
  await shop.fault('slow')
  await shop.act(planned.id, 'start')
  await shop.act(planned.id, 'pause')
  expect((await followUp(made.id, 'silent')).body.error).toBe('ERR_CAMPAIGN_EMPTY')
  await shop.fault('none')
})

test('a number that failed is corrected and written to, and one that got it or is there twice is not', async () => {
  const [right, other, wrong] = numbers(3)
  await shop.fault('reject')
  // the second one is not written to before the pause
  const setup = await shop.setup({ tMin: 1, tMax: 10, interval: 5 }, false)
  const made = await shop.make({ sendList: [wrong!, other!] }, setup.id)
  await shop.act(made.id, 'start')
  await until(async () => (await shop.show(made.id)).counts.failed === 1)
  await shop.act(made.id, 'pause')
  await shop.fault('none')
  await app.database.script(`update campaign_setups set t_min = 0, t_max = 0, interval_seconds = 0 where id = '${setup.id}';
    update campaign_clocks set free_at = now() where free_at > now()`)
  const mend = (dispatchId: number, number: string, who = admin) =>
    who.call(campaigns.mendDispatch, { params: { dispatchId }, body: { number } })
  const [failed] = await shop.people(made.id, { status: 'sentFail' })
  expect((await mend(failed!.id, right!, stranger)).body.error).toBe('ERR_NOT_FOUND')
  expect((await mend(failed!.id, other!)).body.error).toBe('ERR_DISPATCH_TWICE')
  expect((await mend(failed!.id, '0000000000')).body).toMatchObject({ field: 'number' })
  expect((await mend(failed!.id, right!)).body.counts).toMatchObject({ total: 2, pending: 2, failed: 0 })
  const [person] = await shop.people((await run(made.id)).id)
  expect((await mend(person!.id, newNumber())).body.error).toBe('ERR_CAMPAIGN_FINALIZED')
  expect(await shop.heard(right!)).toEqual(['Novidades da loja'])
  expect(await shop.heard(wrong!)).toEqual([])
})

test('people of another campaign, who answered it, of a tag or a category stay out, and the counts say so', async () => {
  const [first, second, tagged, sorted, free] = numbers(5)
  const before = await shop.make({ sendList: [first!, second!] })
  await run(before.id)
  await shop.writes(first!, 'Quero')
  await until(async () => (await shop.show(before.id)).counts.answered === 1)
  await shop.writes(tagged!, 'Oi')
  const { id: ticketId } = await until(async () => {
    const { tickets: found } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return found.find(one => one.contact.number === tagged)
  })
  const tag = await admin.get(tags.create, { body: { name: `Não ${unique()}`, color: '#aa0000' } })
  await admin.get(tickets.syncTags, { body: { ticketId, tags: [tag] } })
  const category = await admin.get(categories.create, {
    body: { name: `Fora ${unique()}`, color: '#aa0000' },
  })
  const { id: contactId } = await admin.get(contacts.create, { body: { name: 'Fora', number: sorted! } })
  await admin.get(contacts.categorize, { body: { contactId, categoryContacts: [category] } })

  const sendList = [first!, second!, tagged!, sorted!, free!, free!]
  const without = { answeredIds: [before.id], tagIds: [tag.id], categoryIds: [category.id] }
  const count = (body: object, who = admin) => who.get(campaigns.countRecipients, { body })
  expect(await count({ sendList, without })).toEqual({ added: 2, optedOut: 0, excluded: 3 })
  expect(await count({ sendList, without: { campaignIds: [before.id] } })).toMatchObject({
    added: 3,
    excluded: 2,
  })
  const made = await shop.make({ sendList, without })
  expect(await numbersOf(made.id)).toEqual([second, free].toSorted())
  const { body } = await admin.call(campaigns.addRecipients, {
    params: { campaignId: made.id },
    body: { sendList, without: { campaignIds: [before.id] } },
  })
  expect(body).toMatchObject({ added: 2, excluded: 1, doubled: 3 })
  expect(await count({ sendList, campaignId: made.id })).toMatchObject({ added: 1 })

  await app.database.script('update companies set enable_campaigns = true')
  expect(await count({ sendList, without: { campaignIds: [before.id] } }, stranger)).toMatchObject({
    added: 5,
    excluded: 0,
  })
})

test('answers are counted by button, and a button tags the ticket and the contact and moves it to a queue', async () => {
  const queueId = await rows.queue()
  const tag = await admin.get(tags.create, { body: { name: `Quer ${unique()}`, color: '#00aa00' } })
  const category = await admin.get(categories.create, {
    body: { name: `Lead ${unique()}`, color: '#00aa00' },
  })
  const button = (displayText: string, more: object = {}) => ({
    buttonId: displayText,
    buttonText: { displayText },
    ...more,
  })
  const buttons = [
    button('Sim', { tagId: tag.id, categoryId: category.id, queueId }),
    button('Não', { tagId: 999_999 }),
  ]
  const offer = (some: object[]) => ({
    messageFooterType: 'buttons',
    jsonButtonOrList: { text: 'Você tem interesse?', buttons: some },
  })
  await expect(shop.setup(offer(buttons))).rejects.toThrow('ERR_NO_TAG_FOUND')
  const setup = await shop.setup(offer([buttons[0]!, button('Não')]))
  const [yes, no, words] = numbers(3)
  const made = await shop.make({ sendList: [yes!, no!, words!] }, setup.id)
  await run(made.id)
  await shop.writes(yes!, ' sim ')
  await shop.writes(no!, '2')
  await shop.writes(words!, 'Quanto custa?')
  await until(async () => (await shop.show(made.id)).counts.answered === 3)
  const report = await admin.get(campaigns.report, { params: { campaignId: made.id } })
  expect(report.buttons).toEqual([
    { button: 'Não', count: 1 },
    { button: 'Sim', count: 1 },
  ])
  const person = (await shop.people(made.id)).find(({ number }) => number === yes)!
  expect(person.answerButton).toBe('Sim')
  const { tickets: found } = await admin.get(tickets.list, {
    query: { status: 'pending', showAll: true, queueIds: [queueId] },
  })
  expect(found).toMatchObject([{ contactId: person.contactId, queueId, tags: [{ id: tag.id }] }])
  const contact = await admin.get(contacts.show, { params: { contactId: person.contactId! } })
  expect(contact.categoryContacts.map(({ id }) => id)).toEqual([category.id])
  expect(await shop.heard(yes!)).toHaveLength(1)

  await shop.writes(words!, 'Sim')
  await until(async () => (await shop.people(made.id)).every(({ answerButton }) => answerButton))
})

test('a button plays a flow while no user has the ticket, or starts the bot where it is silent', async () => {
  const flowOf = (type: 'Bot' | 'Chat', who = admin) => {
    const says = { actionType: 'SendText' as const, body: 'Segue a tabela.', param: 0, mediaFileName: '' }
    return who.get(flows.create, { body: { name: `Fluxo ${unique()}`, type, flowActions: [says] } })
  }
  const [flow, chat, foreign] = [await flowOf('Bot'), await flowOf('Chat'), await flowOf('Bot', stranger)]
  const button = (displayText: string, more: object) => ({
    ...{ buttonId: displayText, buttonText: { displayText } },
    ...more,
  })
  const offer = (...buttons: object[]) => ({
    messageFooterType: 'buttons',
    jsonButtonOrList: { text: 'Você tem interesse?', buttons },
  })
  for (const flowId of [chat.id, foreign.id, 2_000_000_000])
    await expect(shop.setup(offer(button('Sim', { flowId })))).rejects.toThrow('ERR_NOT_FOUND')
  const setup = await shop.setup(
    offer(button('Sim', { flowId: flow.id }), button('Robô', { startsBot: true })),
  )
  const [yes, robot] = numbers(2)
  const made = await shop.make({ sendList: [yes!, robot!] }, setup.id)
  await run(made.id)
  await shop.writes(yes!, 'Sim')
  await until(async () => (await shop.heard(yes!)).includes('Segue a tabela.'))
  // the connection has no bot: nothing speaks
  await shop.writes(robot!, 'Robô')
  await until(async () => (await shop.people(made.id)).every(({ answerButton }) => answerButton))
  const whatsappId = setup.whatsapps[0]!.id
  const { id: botSetupId } = await admin.get(bots.addSetup, {
    body: { name: `Loja ${unique()}`, typingTime: '1', burstSeconds: 0, whatsapps: [whatsappId] },
  })
  for (const [commandBot, descriptionBot] of [
    ['1', 'Preços'],
    ['2', 'Entrega'],
  ] as const)
    await admin.get(bots.addCommand, {
      params: { companyId: admin.user.companyId },
      body: { botSetupId, commandBot, commandType: 1, descriptionBot, showMessage: descriptionBot },
    })
  const [again] = numbers(1)
  await shop.writes(again!, 'Oi')
  const menus = async () => (await shop.heard(again!)).filter(body => body.includes('*1* - Preços')).length
  await until(async () => (await menus()) === 1)
  // it handed the conversation over before the campaign came
  await app.database.script(`update bot_sessions set state = state || '{"mode": "handed"}'`)
  await run((await shop.make({ sendList: [again!] }, setup.id)).id)
  await shop.writes(again!, 'Robô')
  await until(async () => (await menus()) === 2)
  // the bot is silent behind a flow also where it had not begun
  const [late] = numbers(1)
  await run((await shop.make({ sendList: [late!] }, setup.id)).id)
  await shop.writes(late!, 'Sim')
  await until(async () => (await shop.heard(late!)).includes('Segue a tabela.'))
  const query = { searchParam: late!, showAll: true }
  const ticketId = (await admin.get(tickets.list, { query })).tickets[0]!.id
  expect((await admin.get(bots.showSession, { params: { ticketId } })).session?.mode).toBe('stopped')
  await admin.get(bots.removeSetup, { params: { botSetupId } })
})

test('ten thousand people with their names are one call, in which no transaction waits for them', async () => {
  const sendList = Array.from({ length: 10_000 }, (_, at) => ({
    number: `55219${String(80_000_000 + at)}`,
    name_opcional: 'Maria Aparecida da Conceição',
    email_opcional: `maria.aparecida.${at}@exemplo.com.br`,
    cidade: 'São José dos Campos',
  }))
  const made = await shop.make({ sendList: numbers(1) }, await paced())
  const params = { campaignId: made.id }
  const twice = [...sendList, sendList[0]!, { number: '123' }]
  expect((await admin.get(campaigns.countRecipients, { body: { sendList: twice } })).added).toBe(10_000)
  const { body } = await admin.call(campaigns.addRecipients, { params, body: { sendList: twice } })
  expect(body).toMatchObject({
    added: 10_000,
    doubled: 1,
    refused: 1,
    faults: [{ row: 10_002, fault: 'short' }],
  })
  await admin.get(campaigns.clearRecipients, { params })
})

test('what answers something else than the campaign is no button of it, and a ticket that moved meanwhile stays', async () => {
  const [queueId, elsewhere] = [await rows.queue(), await rows.queue()]
  const button = { buttonId: '1', buttonText: { displayText: 'Sim' }, queueId }
  const setup = await shop.setup({
    messageFooterType: 'buttons',
    jsonButtonOrList: { text: 'Você tem interesse?', buttons: [button] },
  })
  const [asked, moved] = numbers(2)
  const made = await shop.make({ sendList: [asked!, moved!] }, setup.id)
  await run(made.id)
  const personOf = async (number: string) => (await shop.people(made.id)).find(one => one.number === number)!
  const answered = (number: string) =>
    until(async () => {
      if (!(await personOf(number)).answeredAt) return null
      const { tickets: found } = await admin.get(tickets.list, {
        query: { status: 'pending', showAll: true },
      })
      return found.find(one => one.contact.number === number)?.id
    })
  await shop.writes(asked!, 'Oi')
  const ticketId = await answered(asked!)
  const params = { ticketId, companyId: admin.user.companyId }
  await admin.get(tickets.change, { params: { ticketId }, body: { status: 'open' } })
  await admin.get(messages.send, { params, body: { body: 'Retira na loja?' } })
  await until(async () => (await shop.heard(asked!)).length === 2)
  await shop.writes(asked!, 'Sim')
  await until(async () => (await admin.get(tickets.show, { params: { ticketId } })).lastMessage === 'Sim')
  expect((await personOf(asked!)).answerButton).toBeNull()
  const chat = await admin.get(simulator.chat, { params: { whatsappId: shop.line, number: asked! } })
  const body = { number: asked!, body: 'Sim', quotedId: chat.find(({ fromMe }) => fromMe)!.id }
  await admin.get(simulator.write, { params: { whatsappId: shop.line }, body })
  await until(async () => (await personOf(asked!)).answerButton === 'Sim')

  await shop.writes(moved!, 'Quero')
  const id = await answered(moved!)
  const { messages: said } = await admin.get(messages.list, { params: { ticketId: id } })
  const message = { ...said.find(one => one.body === 'Quero')!, body: 'Sim' }
  const queue = await app.platform.scopes.inCompany(admin.user.companyId).transaction(async tx => {
    const ticket = (await loadTicket(tx, id))!
    await transfer(tx, id, { queueId: elsewhere })
    const [received] = await lookUp(tx, [{ ticket, message, isNew: false }])
    await onCampaignAnswer(tx, received)
    return (await loadTicket(tx, id))!.queueId
  })
  expect([(await personOf(moved!)).answerButton, queue]).toEqual(['Sim', elsewhere])
})
