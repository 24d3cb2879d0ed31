import { defaultFlags } from '@balcao/contract/permissions.rules.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { queues } from '@balcao/contract/queues.ts'
import { reports } from '@balcao/contract/reports.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { mailReports } from './reports.mails.worker.ts'

let office: PostOffice
let app: TestApp
let admin: Person
let stranger: Person
let rows: Rows
beforeAll(async () => {
  office = await openPostOffice()
  app = await openTestApp(office.env)
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
})
afterAll(async () => {
  await app.close()
  await office.close()
})

const PASSWORD = 'balcao-demo'
/** A manager of their own address, whose group may or may not see figures. */
async function manager() {
  const flags = { ...defaultFlags, enableDash: 1 as const }
  const group = await admin.get(permissions.create, { body: { name: `Gestão ${unique()}`, ...flags } })
  const email = `${unique()}@balcao.test`
  const { id: userId } = await admin.get(users.create, {
    body: {
      name: 'Gil',
      email,
      password: PASSWORD,
      userAuthorizationId: group.id,
      whatsappId: admin.user.whatsappId,
      queueIds: [admin.user.queues[0]!.id],
    },
  })
  return { who: await app.as(email), email, userId, group, flags }
}
const lettersTo = (email: string) => office.letters.filter(({ to }) => to === email)
/** It was due `ago`: as after so long without a running process. */
const makeDue = (userId: number, ago = '1 second') =>
  app.database.script(`update report_mails set due_at = now() - interval '${ago}' where user_id = ${userId}`)
const settled = (who: Person) =>
  until(async () => {
    const { mail } = await who.get(reports.showMail)
    return mail !== null && Date.parse(mail.dueAt) > Date.now() && mail
  })

test('a manager receives the figures of each week on Monday, of the chosen queues, with a sheet, until they are stopped', async () => {
  const { who, email, userId } = await manager()
  expect(await who.get(reports.showMail)).toEqual({ isSetUp: true, email, mail: null })
  const queueId = await rows.queue()
  const { name } = await admin.get(queues.show, { params: { queueId } })
  const { mail } = await who.get(reports.changeMail, { body: { selectedQueueIds: [queueId] } })
  expect(mail).toMatchObject({ selectedQueueIds: [queueId], selectedUserIds: [] })
  const [monday] = await app.platform.scopes
    .platform()
    .transaction(sql =>
      rowsFrom<{ at: string }>(
        sql,
        tag`select to_char(${mail!.dueAt}::timestamptz at time zone 'America/Sao_Paulo', 'ID HH24:MI') as at`,
      ),
    )
  expect(monday!.at).toBe('1 07:00')
  await makeDue(userId)
  const letter = await office.letterTo(email)
  expect(letter.subject).toMatch(/^Relatório da semana \d\d\/\d\d\/\d{4} – \d\d\/\d\d\/\d{4}$/)
  for (const words of [`Filas: ${name}`, 'Usuários: todos', 'Finalizados: 0', '.csv', 'Receber toda semana'])
    expect(letter.text).toContain(words)
  await settled(who)
  expect(letter.text).not.toContain('atrasado')
  // the link ends it without a session, and what a mail program sends (RFC 8058) is the same link
  const address = /List-Unsubscribe: <https:\/\/balcao\.test(\/report\/mail\/end\/[^>]+)>/.exec(
    letter.text.replace(/\r?\n[ \t]+/g, ' '),
  )![1]!
  expect(letter.text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const token = address.split('/').at(-1)!
  expect(letter.text).toContain(`/reportMail#${token}`)
  const ends = (given: string) => stranger.call(reports.endMail, { body: { token: given } })
  expect((await ends(`${token}x`)).body.error).toBe('ERR_LINK_OVER')
  const body = 'List-Unsubscribe=One-Click'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const clicked = await fetch(app.url + address, { method: 'POST', headers, body })
  expect([clicked.status, (await who.get(reports.showMail)).mail]).toEqual([200, null])
  expect((await ends(token)).body.error).toBe('ERR_LINK_OVER')
  await who.get(reports.changeMail, { body: {} })
  await makeDue(userId)
  const { token: another } = await office.letterTo(email, 1)
  expect((await ends(another)).status).toBe(200)
  expect((await who.get(reports.showMail)).mail).toBeNull()
  await who.get(reports.changeMail, { body: {} })
  await who.get(reports.stopMail)
  expect((await who.get(reports.showMail)).mail).toBeNull()
})

test('a report that was missed for weeks, and that two processes find at once, leaves once', async () => {
  const { who, email, userId } = await manager()
  await who.get(reports.changeMail, { body: { language: 'en' } })
  await makeDue(userId, '30 days')
  const { scopes, memory, log, mail, config } = app.platform
  const tools = { scopes, memory, log, mail, config, stopping: () => false }
  await Promise.all([mailReports(tools), mailReports(tools)])
  await settled(who)
  const late = await office.letterTo(email)
  expect(late.subject).toMatch(/^Report of the week/)
  // the newest of those that were missed, and it says so
  expect(late.text).toContain('This report comes late')
  const sunday = /– (\d\d)\/(\d\d)\/(\d{4})$/.exec(late.subject)!
  const until = Date.parse(`${sunday[3]}-${sunday[1]}-${sunday[2]}T00:00Z`)
  expect(Date.now() - until).toBeLessThan(9 * 86_400_000)
  await mailReports(tools)
  const [row] = await app.platform.scopes
    .inCompany(admin.user.companyId)
    .read(tx =>
      rowsFrom<{ letters: number }>(
        tx.sql,
        tag`select count(*)::int as letters from mails where recipient = ${email}`,
      ),
    )
  expect(row!.letters).toBe(1)
})

test('who may not see the figures any more receives none, and again when the right is back; deleted filters are told', async () => {
  const { who, email, userId, group, flags } = await manager()
  const queueId = await rows.queue()
  await who.get(reports.changeMail, { body: { selectedQueueIds: [queueId] } })
  const grant = (enableDash: 0 | 1) =>
    admin.get(permissions.change, {
      params: { authorizationId: group.id },
      body: { name: group.name, ...flags, enableDash },
    })
  const dueAt = async () => {
    const [row] = await app.platform.scopes
      .inCompany(admin.user.companyId)
      .read(tx =>
        rowsFrom<{ waits: boolean }>(
          tx.sql,
          tag`select due_at > now() as waits from report_mails where user_id = ${userId}`,
        ),
      )
    return row!.waits
  }
  await grant(0)
  expect((await who.call(reports.changeMail, { body: {} })).status).toBe(403)
  await makeDue(userId)
  await until(dueAt)
  expect(lettersTo(email)).toEqual([])
  await grant(1)
  await admin.get(queues.remove, { params: { queueId } })
  await makeDue(userId)
  expect((await office.letterTo(email)).text).toContain('foi excluído')
})

test('queues and users of another company are refused, and nobody sees what another company receives', async () => {
  const { who } = await manager()
  const theirs = await rowsOf(app, stranger).queue()
  const refused = await who.call(reports.changeMail, { body: { selectedQueueIds: [theirs] } })
  expect([refused.status, refused.body.error]).toEqual([404, 'ERR_NO_QUEUE_FOUND'])
  await who.get(reports.changeMail, { body: {} })
  expect((await stranger.get(reports.showMail)).mail).toBeNull()
  await stranger.get(reports.stopMail)
  expect((await who.get(reports.showMail)).mail).not.toBeNull()
})

test('an installation without a mail server says so', async () => {
  const { isSetUp } = app.platform.mail
  app.platform.mail.isSetUp = false
  const state = await admin.get(reports.showMail)
  const refused = await admin.call(reports.changeMail, { body: {} })
  app.platform.mail.isSetUp = isSetUp
  expect([state.isSetUp, refused.status, refused.body.error]).toEqual([false, 409, 'ERR_NO_MAIL'])
})
