import { companies } from '@balcao/contract/companies.ts'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { userChannel, users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const change = (by: Person, companyId: number, timeZone: string | null) =>
  by.call(companies.change, { params: { companyId }, body: { timeZone } })
const live = async (timeZone: string | null) =>
  expect((await change(admin, admin.user.companyId, timeZone)).status).toBe(200)

/** A ticket that a customer has just opened. */
async function opened() {
  const number = newNumber()
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body: 'Oi' } })
  return until(async () => {
    const query = { status: 'pending' as const, showAll: true }
    const { tickets: found } = await admin.get(tickets.list, { query })
    return found.find(one => one.contact.number === number)
  })
}

/** What clocks show there now, by another engine than the product's. */
const wall = (timeZone: string) => new Date().toLocaleString('sv-SE', { timeZone })

/** Two zones whose days are never the same: one of them is not the day of UTC either. */
const ends = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']

describe('the time zone of a company', () => {
  test.each(ends)('dates the protocol and the greeting of a ticket: %s [OP-59, OP-68]', async zone => {
    await live(zone)
    const greetingMessage = '{{protocolo}} {{data}} {{horas}}'
    await admin.get(users.change, {
      params: { userId: admin.user.id },
      body: { greetingMessage, enableGreeting: true },
    })
    const ticket = await opened()
    const [queue] = admin.user.queues
    await admin.get(tickets.change, {
      params: { ticketId: ticket.id },
      body: { status: 'open', queueId: queue!.id },
    })
    const [year, month, day] = wall(zone).slice(0, 10).split('-')
    expect(ticket.protocol).toMatch(new RegExp(`^${year}${month}${day}\\d{4}$`))
    const said = await until(async () => {
      const page = await admin.get(messages.list, { params: { ticketId: ticket.id } })
      return page.messages.find(one => one.fromMe)?.body
    })
    expect(said).toContain(`${ticket.protocol} ${day}/${month}/${year} `)
    const [, hour, minute] = / (\d\d):(\d\d)$/.exec(said)!
    const [hours, minutes] = wall(zone).slice(11, 16).split(':')
    const late = (Number(hours) - Number(hour)) * 60 + Number(minutes) - Number(minute)
    expect((late + 1440) % 1440).toBeLessThan(3)
  })

  test('says on which day a ticket of 21:47 was opened, also in the summer times of the past [OP-32]', async () => {
    const late = await opened()
    const summer = await opened()
    await app.database.script(`
      update tickets set created_at = '2026-03-02T00:47:00Z' where id = ${late.id};
      update tickets set created_at = '2018-11-11T02:30:00Z' where id = ${summer.id}`)
    const on = async (date: string) => {
      const query = { tab: 'search' as const, searchTicketStatus: 'all' as const, showAll: true, date }
      return (await admin.get(tickets.list, { query })).tickets.map(({ id }) => id)
    }
    const between = async (initialDate: string, finalDate: string) =>
      (await admin.get(tickets.query, { query: { initialDate, finalDate } })).tickets.map(({ id }) => id)
    await live('America/Sao_Paulo')
    expect([await on('2026-03-01'), await on('2026-03-02')]).toEqual([[late.id], []])
    expect([await on('2018-11-10'), await on('2018-11-11')]).toEqual([[], [summer.id]])
    expect(await between('2026-03-01T21:47', '2026-03-01T21:47')).toEqual([late.id])
    expect(await between('2026-03-02T00:47:00Z', '2026-03-01T21:47:00-03:00')).toEqual([late.id])
    await live('Asia/Tokyo')
    expect([await on('2026-03-01'), await on('2026-03-02')]).toEqual([[], [late.id]])
    // none was chosen: the server's, São Paulo
    await live(null)
    expect(await on('2026-03-01')).toEqual([late.id])
  })

  test('gives a time without a zone its moment', async () => {
    await live('Asia/Kathmandu')
    const body = { importOldMessages: '2026-01-01', importRecentMessages: '2026-01-02T10:00' }
    const saved = await admin.get(connections.change, { params: { whatsappId }, body })
    expect([saved.importOldMessages, saved.importRecentMessages]).toEqual([
      '2025-12-31T18:15:00.000Z',
      '2026-01-02T04:15:00.000Z',
    ])
  })

  test('is heard of by its people, and only theirs [API-013]', async () => {
    const marina = await app.as('atendente@balcao.test')
    const stranger = await app.as('admin@outra.test')
    const [ours, theirs] = [await marina.subscribe(userChannel), await stranger.subscribe(userChannel)]
    await live('America/Manaus')
    const push = await until(() => ours.at(-1))
    expect(push.user.company.timeZone).toBe('America/Manaus')
    expect((await stranger.get(users.show, { params: { userId: stranger.user.id } })).company.timeZone).toBe(
      null,
    )
    expect(theirs).toEqual([])
  })

  test('is not a word that nobody knows, and not for strangers or attendants to set', async () => {
    const { companyId } = admin.user
    const unknown = await change(admin, companyId, 'America/Balcao')
    expect([unknown.status, unknown.body.field]).toEqual([400, 'timeZone'])
    const stranger = await app.as('admin@outra.test')
    expect((await change(stranger, companyId, 'Asia/Tokyo')).body.error).toBe('ERR_NO_COMPANY_FOUND')
    const marina = await app.as('atendente@balcao.test')
    expect((await change(marina, companyId, 'Asia/Tokyo')).status).toBe(403)
  })
})
