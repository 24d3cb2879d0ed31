import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { connections } from '@balcao/contract/connections.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../../testing/campaigns.ts'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

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

const spreadsheetOf = async (who: Person, content: string | Uint8Array<ArrayBuffer>) => {
  const form = new FormData()
  form.append('file', new Blob([content]), 'lista.csv')
  const headers = { authorization: `Bearer ${who.token}` }
  const answer = await fetch(`${app.url}/contacts/sheets`, { method: 'POST', body: form, headers })
  expect(answer.status).toBe(200)
  const { id } = (await answer.json()) as { id: number }
  return id
}
/** Accepted when its rows are read. */
const takenFrom = (campaignId: number, sheetId: number) =>
  until(async () => {
    const answer = await admin.call(campaigns.addRecipients, { params: { campaignId }, body: { sheetId } })
    return answer.body.error === 'ERR_SHEET_NOT_READY' ? null : answer
  })
const empty = async (body: string) => {
  const { id: campaignSetupId } = await shop.setup()
  return (
    await admin.get(campaigns.create, { body: { name: 'Vazia', campaignSetupId, messages: [{ body }] } })
  ).id
}

describe('a spreadsheet', () => {
  test('and a list with an emoji where texts are cut are taken, the emoji left out whole', async () => {
    const [one, two] = numbers(2)
    const id = await empty('Oi {{nome}}')
    const long = (most: number) => `${'a'.repeat(most - 1)}😀`
    const sheetId = await spreadsheetOf(admin, `number;nome\n${one};${long(50)}`)
    expect((await takenFrom(id, sheetId)).body).toMatchObject({ added: 1 })
    const sendList = [{ number: two!, nome: long(50), cidade: long(500), [long(100)]: 'x' }]
    const { body } = await admin.call(campaigns.addRecipients, {
      params: { campaignId: id },
      body: { sendList },
    })
    expect(body).toMatchObject({ added: 1, refused: 0 })
    expect((await shop.people(id)).map(({ name }) => name)).toEqual(['a'.repeat(49), 'a'.repeat(49)])
  })

  test('with formulas is words: a number that is one is refused, a name that is one is written as it stands', async () => {
    const number = newNumber()
    const id = await empty('Oi {{nome}}')
    const formula = '=HYPERLINK("http://x.test","clique")'
    const sheet = `number;name_opcional\n${number};"${formula.replaceAll('"', '""')}"\n=1+1;Soma\n@SUM(A1);Outra`
    const { body } = await takenFrom(id, await spreadsheetOf(admin, sheet))
    expect(body).toMatchObject({ added: 1, refused: 0 })
    expect(await shop.people(id)).toMatchObject([{ number, name: formula }])
    await shop.act(id, 'start')
    await shop.stands(id, 'finalized')
    expect(await shop.heard(number)).toEqual([`Oi ${formula}`])
    const { url } = await admin.get(campaigns.export, { params: { campaignId: id } })
    expect((await admin.fetch(url)).status).toBe(200)
  })

  test('of another encoding, without a head, and with a number in three spellings, is each person once', async () => {
    const one = '5511976540001'
    const lines = [`${one};José`, `+55 (11) 97654-0001;José`, `(11) 7654-0001;José`, `${newNumber()};Érica`]
    const id = await empty('Olá {{nome}}')
    const latin = new Uint8Array(Buffer.from(lines.join('\n'), 'latin1'))
    expect((await takenFrom(id, await spreadsheetOf(admin, latin))).body).toMatchObject({ added: 2 })
    expect((await shop.people(id)).map(({ name }) => name)).toEqual(['José', 'Érica'])
  })
})

test('one whose setup lost its connections rests with the reason, and goes on over another', async () => {
  const line = await rows.connection()
  const setup = await shop.setup({ whatsapps: [line], tMin: 10, interval: 60 }, false)
  const sendList = numbers(2)
  const made = await shop.make({ sendList }, setup.id)
  await shop.act(made.id, 'start')
  await until(async () => (await shop.show(made.id)).counts.sent === 1)
  await admin.get(connections.remove, { params: { whatsappId: line } })
  expect(await shop.stands(made.id, 'pause')).toMatchObject({
    pauseReason: 'disconnected',
    counts: { sent: 1, pending: 1, failed: 0 },
  })
  expect((await shop.act(made.id, 'start')).body.error).toBe('ERR_WAPP_NOT_INITIALIZED')
  const params = { setupId: setup.id }
  await admin.get(campaignSetups.change, { params, body: { whatsapps: [shop.line] } })
  await shop.act(made.id, 'start')
  expect((await shop.stands(made.id, 'finalized')).counts).toMatchObject({ sent: 2, failed: 0 })
  expect(await shop.heard(sendList[1]!)).toEqual(['Novidades da loja'])
})

test('what is another company’s is not found, and its token makes campaigns of its own alone', async () => {
  await app.database.script('update companies set enable_campaigns = true')
  const sheetId = await spreadsheetOf(stranger, `${newNumber()};Alheia`)
  const id = await empty('Oi')
  const params = { campaignId: id }
  expect((await admin.call(campaigns.addRecipients, { params, body: { sheetId } })).body.error).toBe(
    'ERR_NOT_FOUND',
  )
  const theirs = await rowsOf(app, stranger).connection()
  const { id: token } = await stranger.get(campaignSetups.create, {
    body: { name: 'Alheia', whatsapps: [theirs], autoStart: false },
  })
  const made = await app.anonymous.get(campaigns.createWhole, {
    headers: { authorization: `Bearer ${token}` },
    body: { name: 'Alheia', messages: [{ body: 'Oi' }], sendList: numbers(1) },
  })
  expect((await admin.call(campaigns.show, { params: { campaignId: made.id } })).body.error).toBe(
    'ERR_NOT_FOUND',
  )
  const body = { name: 'Minha', campaignSetupId: token, messages: [{ body: 'Oi' }] }
  expect((await admin.call(campaigns.create, { body })).body.error).toBe('ERR_NOT_FOUND')
})
