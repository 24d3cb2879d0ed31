import { cloud } from '@balcao/contract/cloud.ts'
import { messages } from '@balcao/contract/messages.ts'
import { referrals } from '@balcao/contract/referrals.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'
import { keepPrices } from '../../features/cloud/cloud.prices.queries.ts'
import { externalIdOf } from '../../platform/external.ts'

const SECONDS = 20_000
let scene: CloudScene
beforeAll(async () => {
  scene = await setCloudScene({ webhooks: { backOff: [200] }, number: '551130000021' })
})
afterAll(() => scene.end())

let last = 0
const newNumber = () => `551197${String(1_000_000 + ++last)}`
const said = (ticketId: number, body: string) =>
  until(async () => (await scene.said(ticketId)).find(message => message.body === body), SECONDS)

const ad = {
  source_url: 'https://fb.me/bolos',
  source_id: '120226305854810726',
  source_type: 'ad' as const,
  headline: 'Bolos de festa',
  body: 'Encomende hoje',
  media_type: 'image' as const,
  image_url: 'https://scontent.xx.fbcdn.net/bolo.jpg',
  ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj9e',
}
const shown = {
  ...{ type: 'ad', sourceId: ad.source_id, sourceUrl: ad.source_url, headline: ad.headline, body: ad.body },
  ...{
    mediaType: 'image',
    mediaUrl: ad.image_url,
    thumbnail: '',
    clickId: ad.ctwa_clid,
    app: '',
    catalogId: '',
  },
}

describe('a customer who comes by an ad', () => {
  test('brings it with the message of any kind, and a product with its catalogue', async () => {
    const number = newNumber()
    const customer = scene.meta.addCustomer(number)
    customer.says('Vi o anúncio', { referral: ad })
    const ticketId = await scene.pending(number)
    customer.says({ location: { latitude: 1, longitude: 2, name: 'Aqui' } }, { referral: ad })
    customer.says('Tem deste?', { product: { catalog_id: '7', product_retailer_id: 'sonho' } })
    customer.says('Só isso')
    await said(ticketId, 'Só isso')
    const found = (await scene.said(ticketId)).map(({ referral }) => referral)
    const product = { ...shown, type: 'product', sourceId: 'sonho', catalogId: '7' }
    const bare = { sourceUrl: '', headline: '', body: '', mediaType: '', mediaUrl: '', clickId: '' }
    expect(found).toEqual([shown, shown, { ...product, ...bare }, null])
  })

  test('counts once for its ad however often that is delivered, and the report leads to the ticket', async () => {
    const referral = { ...ad, source_id: '42', headline: 'Pães' }
    const [first, second] = [newNumber(), newNumber()]
    scene.meta.faults.deliveries.next({ copies: 3 })
    scene.meta.addCustomer(first).says('Um', { referral })
    const ticketId = await scene.pending(first)
    scene.meta.customer(first).says('Um de novo', { referral: { ...referral, headline: 'Pães quentes' } })
    scene.meta.addCustomer(second).says('Dois', { referral })
    await scene.pending(second)
    await said(ticketId, 'Um de novo')
    await scene.admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
    const { sources } = await scene.admin.get(referrals.list)
    const row = sources.find(({ sourceId }) => sourceId === '42')
    expect(row).toMatchObject({ type: 'ad', tickets: 2, pending: 1, open: 0, closed: 1 })
    const behind = (query: object = {}, who = scene.admin) =>
      who.get(referrals.tickets, { query: { key: row!.key, ...query } })
    expect((await behind()).tickets).toHaveLength(2)
    expect((await behind({ status: 'closed' })).tickets).toMatchObject([{ id: ticketId, status: 'closed' }])
    const past = { initialDate: '2020-01-01', finalDate: '2020-01-31' }
    expect(await behind(past)).toEqual({ tickets: [], hasMore: false })
    expect((await scene.admin.get(referrals.list, { query: past })).sources).toEqual([])
    const stranger = await scene.world.as('admin@outra.test')
    expect((await behind({}, stranger)).tickets).toEqual([])
    expect((await stranger.get(referrals.list)).sources).toEqual([])
  })
})

describe('what Meta charges', () => {
  const sums = async (query: object = {}, who = scene.admin) =>
    (await who.get(cloud.prices, { query })).sums.filter(one => one.whatsappId === scene.whatsappId)

  test('is kept once a message, whatever is repeated, and counted when it is delivered', async () => {
    scene.meta.account.addTemplate({
      name: 'oferta',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Bolo a 10' }],
    })
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    scene.meta.customer(number).goesOffline()
    scene.meta.faults.deliveries.next({ copies: 2, times: 4 })
    const template = { name: 'oferta', language: 'pt_BR', variables: [] }
    const params = { ticketId, companyId: scene.admin.user.companyId }
    const { id } = await scene.admin.get(messages.send, { params, body: { body: 'Bolo a 10', template } })
    const acked = (ack: number) =>
      until(async () => (await scene.said(ticketId)).find(one => one.id === id && one.ack === ack), SECONDS)
    await acked(2)
    expect(await sums()).toEqual([])
    scene.meta.customer(number).goesOnline()
    await acked(3)
    const [sent] = scene.meta.sent.slice(-1)
    scene.meta.customer(number).reads(sent!.id)
    await acked(4)
    const month = new Intl.DateTimeFormat('sv', { timeZone: 'America/Sao_Paulo' }).format().slice(0, 7)
    const sum = {
      month,
      whatsappId: scene.whatsappId,
      category: 'marketing',
      type: 'regular',
      billable: true,
    }
    expect(await sums()).toEqual([{ ...sum, connection: expect.any(String), messages: 1 }])
    expect(await sums({}, await scene.world.as('admin@outra.test'))).toEqual([])
  })

  test('is of the month of the company’s clock; a delivery replaces what "sent" reported, and nothing replaces that', async () => {
    const scope = scene.world.platform.scopes.inCompany(scene.admin.user.companyId)
    const row = { category: 'utility', type: 'regular', model: 'PMP', billable: true }
    const keep = (rows: object[]) =>
      scope.transaction(tx =>
        keepPrices(
          tx,
          scene.whatsappId,
          rows.map(one => ({ ...row, wamid: externalIdOf(''), deliveredAt: null, ...one })),
        ),
      )
    const late = '2026-02-01T02:30:00Z' // 23:30 of 31 January in São Paulo
    const free = { category: 'service', type: 'free_customer_service', billable: false }
    await keep([
      { wamid: 'a', deliveredAt: late },
      { wamid: 'a', ...free },
      { wamid: 'b', deliveredAt: '2026-02-01T03:30:00Z' },
      { wamid: 'c' },
    ])
    await keep([
      { wamid: 'a', ...free, deliveredAt: '2026-03-01T12:00:00Z' },
      { wamid: 'c', ...free, deliveredAt: late },
    ])
    const query = { initialDate: '2026-01-01', finalDate: '2026-03-31' }
    expect((await sums(query)).map(one => [one.month, one.category, one.messages])).toEqual([
      ['2026-02', 'utility', 1],
      ['2026-01', 'service', 1],
      ['2026-01', 'utility', 1],
    ])
  })
})
