import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { receiveInbound } from '../../src/channels/inbound.ts'
import { connectionOf } from '../../testing/connection.ts'
import { openTestApp, type TestApp } from '../../testing/test-app.ts'
import { type InboundEvent, LeaseLost } from '../driver.ts'
import { rowsFrom, sql as tag } from '../platform/postgres/sql.ts'

describe('somebody new writes to two numbers of a company at once', () => {
  let app: TestApp | undefined
  afterAll(() => app?.close())

  test('and is one contact with a ticket on each, and every message once', async () => {
    app = await openTestApp()
    const { platform } = app
    const marina = await app.as('atendente@balcao.test')
    const scope = platform.scopes.inCompany(marina.user.companyId)
    const rows = (query: string) =>
      platform.scopes.platform().transaction(sql => rowsFrom<Record<string, number>>(sql, tag.raw(query)))
    const [second] = await rows(
      `insert into whatsapps (company_id, name, lib) values (${scope.companyId}, 'Loja Norte', 'simulator') returning id`,
    )
    const lines = [marina.user.whatsappId!, second!.id!]
    for (let round = 0; round < 5; round++) {
      const number = `551198910000${round}`
      const heard = (place: number): InboundEvent => ({
        kind: 'message',
        chat: { kind: 'phone', value: number },
        externalId: `T${randomBytes(8).toString('hex')}`,
        fromMe: false,
        name: 'Renata',
        body: `mensagem ${place}`,
        mediaType: null,
        at: new Date().toISOString(),
      })
      await Promise.all(
        Array.from({ length: 20 }, (_, place) =>
          receiveInbound(
            connectionOf(platform, { companyId: scope.companyId, whatsappId: lines[place % 2]! }),
            [[heard(place)]],
          ),
        ),
      )
      const [figures] =
        await rows(`select count(distinct c.id)::int as contacts, count(distinct t.id)::int as tickets,
        count(distinct m.id)::int as messages, count(distinct m.body)::int as bodies
        from contacts c join tickets t on t.contact_id = c.id join messages m on m.ticket_id = t.id
        where c.number = '${number}'`)
      expect(figures).toEqual({ contacts: 1, tickets: 2, messages: 20, bodies: 20 })
    }
  })

  test('who is found to have lost the number meanwhile disturbs nobody else', async () => {
    const { platform } = app!
    const marina = await app!.as('atendente@balcao.test')
    const stranger = await app!.as('admin@outra.test')
    const scope = platform.scopes.inCompany(marina.user.companyId)
    const elsewhere = platform.scopes.inCompany(stranger.user.companyId)
    const lost = async () => {
      throw new LeaseLost()
    }
    const heard = (place: number): InboundEvent => ({
      kind: 'message',
      chat: { kind: 'phone', value: `55119892${String(place).padStart(5, '0')}` },
      externalId: `T${randomBytes(8).toString('hex')}`,
      fromMe: false,
      name: 'Renata',
      body: 'oi',
      mediaType: null,
      at: new Date().toISOString(),
    })
    const write = () =>
      elsewhere.transaction(async tx => {
        for (let step = 0; step < 20; step++) await tx.sql.execute(tag`select ${step}::int`)
      })
    for (let round = 0; round < 5; round++) {
      const pieces = Array.from({ length: 8 }, (_, place) => [heard(round * 8 + place)])
      const of = { companyId: scope.companyId, whatsappId: marina.user.whatsappId! }
      const taken = receiveInbound(connectionOf(platform, of, { fence: lost }), pieces)
      await Promise.all([expect(taken).rejects.toThrow(LeaseLost), ...Array.from({ length: 12 }, write)])
    }
  })
})
