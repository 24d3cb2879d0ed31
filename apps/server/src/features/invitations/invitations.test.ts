import { auth } from '@balcao/contract/auth.ts'
import { type InvitationInput, invitationChannel, invitations } from '@balcao/contract/invitations.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { queues } from '@balcao/contract/queues.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { eq } from '../../platform/postgres/sql.ts'
import { deliverMail } from '../mails/mails.jobs.ts'
import { mails } from '../mails/mails.table.ts'

let office: PostOffice
let app: TestApp
let admin: Person
let stranger: Person
beforeAll(async () => {
  office = await openPostOffice()
  app = await openTestApp(office.env)
  await room(500)
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(async () => {
  await app.close()
  await office.close()
})

const room = (users: number) =>
  app.database.script(`update companies set number_attendants = ${users} where name = 'Lume Móveis'`)

let last = 0
const given = (over: Partial<InvitationInput> = {}): InvitationInput => ({
  email: `convidada${++last}@balcao.test`,
  userAuthorizationId: admin.user.userAuthorizationId,
  whatsappId: admin.user.whatsappId,
  queueIds: [admin.user.queues[0]!.id],
  ...over,
})
const invite = (over: Partial<InvitationInput> = {}, by = admin) =>
  by.call(invitations.create, { body: given(over) })
async function invited(over: Partial<InvitationInput> = {}) {
  const { invitation } = await admin.get(invitations.create, { body: given(over) })
  return { ...invitation, token: (await office.letterTo(invitation.email)).token }
}
const accept = (token: string, name = 'Nina Prates') =>
  app.anonymous.call(invitations.accept, { body: { token, name, password: 'minha-senha' } })
/** What sends the letter to this address, when its turn has come. */
async function jobOf(email: string) {
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const [row] = await scope.read(tx =>
    tx.sql.select({ mailId: mails.id }).from(mails).where(eq(mails.recipient, email)),
  )
  return () => deliverMail.run(scope, row!, app.platform)
}
const listed = async () => (await admin.get(invitations.list)).map(({ email }) => email)

describe('an invitation', () => {
  test('goes by mail, shows who invites, and makes its reader a user with what he was to get', async () => {
    const pushes = await admin.subscribe(invitationChannel)
    const { email, token, id } = await invited({ name: 'Nina' })
    const { subject, text } = await office.letterTo(email)
    expect(subject).toBe('Convite para a equipe de Lume Móveis')
    expect(text).toContain('https://balcao.test/invitation#')
    expect(text).not.toMatch(/<img|https?:\/\/(?!balcao\.test)/)
    expect(await app.anonymous.get(invitations.look, { body: { token } })).toEqual({
      companyName: 'Lume Móveis',
      email,
      name: 'Nina',
      invitedBy: 'Helena Prado',
    })
    await until(() => pushes.some(push => push.action === 'update' && push.invitation.delivery === 'sent'))

    const { status, body, headers } = await accept(token)
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ name: 'Nina Prates', email, profile: 'user' })
    expect(body.user.queueIds).toEqual([admin.user.queues[0]!.id])
    expect(headers.get('set-cookie')).toMatch(/balcao_refresh=.*HttpOnly/i)
    expect(await listed()).not.toContain(email)
    await until(() => pushes.some(push => push.action === 'delete' && push.invitationId === id))
    const login = { email, password: 'minha-senha' }
    expect((await app.anonymous.call(auth.login, { body: login })).status).toBe(200)
  })

  test.each([
    ['en', 'Invitation to the team of Lume Móveis'],
    ['es', 'Invitación al equipo de Lume Móveis'],
  ] as const)('is written in the language that was chosen: %s', async (language, subject) => {
    const { email } = await invited({ language })
    expect((await office.letterTo(email)).subject).toBe(subject)
  })

  test('is good once, also for twenty who accept it at once', async () => {
    const { token } = await invited()
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await accept(token)).body.error).toBe('ERR_LINK_OVER')
  })

  test('ends after seven days, and can be sent anew with another link', async () => {
    const { id, email, token } = await invited()
    await app.database.script(
      `update invitations set expires_at = now() - interval '1 second' where id = ${id}`,
    )
    expect((await accept(token)).status).toBe(410)
    const again = await admin.get(invitations.resend, { params: { invitationId: id } })
    const days = (Date.parse(again.invitation.expiresAt) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(7)
    const second = await office.letterTo(email, 1)
    expect((await accept(token)).status).toBe(410)
    expect((await accept(second.token)).status).toBe(200)
  })

  test('that is withdrawn ends, and its letter does not leave any more', async () => {
    const { id, token } = await invited()
    await admin.get(invitations.withdraw, { params: { invitationId: id } })
    expect((await accept(token)).status).toBe(410)
    office.isClosed = true
    const { invitation } = await admin.get(invitations.create, { body: given() })
    const send = await jobOf(invitation.email)
    await expect(send()).rejects.toThrow(/come again later/)
    await admin.get(invitations.withdraw, { params: { invitationId: invitation.id } })
    // it does not even ask the server, which would refuse
    await send()
    office.isClosed = false
  })

  test('fills nobody’s mailbox: an address gets three letters an hour, however they are asked for', async () => {
    const { id: invitationId, email } = await invited()
    const again = async () => (await admin.call(invitations.resend, { params: { invitationId } })).status
    expect([await again(), await again(), await again()]).toEqual([200, 200, 429])
    await admin.get(invitations.withdraw, { params: { invitationId } })
    expect((await invite({ email: email.toUpperCase() })).status).toBe(429)
  })

  test('to an address that is refused says so in the list', async () => {
    office.refused.add('ninguem@balcao.test')
    const { body } = await invite({ email: 'ninguem@balcao.test' })
    expect(body.invitation.delivery).toBe('waiting')
    await until(async () =>
      (await admin.get(invitations.list)).find(
        one => one.email === 'ninguem@balcao.test' && one.delivery === 'failed',
      ),
    )
  })

  test('is not written to somebody who is a user anywhere, nor twice to one', async () => {
    const { email } = await invited()
    const refusals = [
      await invite({ email: 'ADMIN@outra.test' }),
      await invite({ email: email.toUpperCase() }),
    ]
    expect(refusals.map(({ body }) => [body.error, body.field])).toEqual([
      ['ERR_EMAIL_EXISTS', 'email'],
      ['ERR_EMAIL_EXISTS', 'email'],
    ])
  })

  test.each([
    ['userAuthorizationId', { userAuthorizationId: null }],
    ['whatsappId', { whatsappId: null }],
    ['queueIds', { queueIds: [] }],
    ['email', { email: 'a@b, outra@c.test' }],
  ])('without a good %s is refused with its field', async (field, over) => {
    const { status, body } = await invite(over)
    expect([status, body.error, body.field]).toEqual([400, 'ERR_BAD_REQUEST', field])
  })

  test('keeps no word of a name as a header or as a mark-up of its letter', async () => {
    await app.database.script(`update companies set name = 'Lume <b>&"' where name = 'Lume Móveis'`)
    const { email } = await invited()
    const { text, subject } = await office.letterTo(email)
    await app.database.script(`update companies set name = 'Lume Móveis' where name = 'Lume <b>&"'`)
    expect(subject).toContain('Lume <b>&"')
    expect(text).toContain('Lume &lt;b&gt;&amp;&quot;')
  })
})

test('a letter that left does not leave again, however often its job runs; one that found no server does', async () => {
  office.isClosed = true
  const { invitation } = await admin.get(invitations.create, { body: given() })
  const run = await jobOf(invitation.email)
  await expect(run()).rejects.toThrow(/come again later/)
  office.isClosed = false
  await office.letterTo(invitation.email)
  await until(async () => (await admin.get(invitations.list))[0]?.delivery === 'sent')
  await run()
  expect(office.letters.filter(({ to }) => to === invitation.email)).toHaveLength(1)
})

describe('what he was to get', () => {
  test('and is gone meanwhile falls to the defaults', async () => {
    const group = await admin.get(permissions.create, { body: { name: 'Passageiro' } })
    const queue = await admin.get(queues.create, { body: { name: 'Passageira', color: '#123457' } })
    const { token } = await invited({ userAuthorizationId: group.id, queueIds: [queue.id] })
    await admin.get(permissions.remove, { params: { authorizationId: group.id } })
    await admin.get(queues.remove, { params: { queueId: queue.id } })
    const { body } = await accept(token)
    expect(body.user).toMatchObject({ userAuthorizationId: null, queueIds: [] })
  })

  test('is of his company, or does not exist', async () => {
    const foreign = [
      await invite({ queueIds: [stranger.user.queues[0]!.id] }),
      await invite({ whatsappId: stranger.user.whatsappId }),
    ]
    expect(foreign.map(({ body }) => body.error)).toEqual(['ERR_NO_QUEUE_FOUND', 'ERR_NO_WAPP_FOUND'])
  })
})

describe('the plan', () => {
  test('has room for three: of fifty who are invited at once three are [USER-018]', async () => {
    const used = (await admin.get(users.all)).length + (await admin.get(invitations.list)).length
    await room(used + 3)
    const answers = await Promise.all(Array.from({ length: 50 }, () => invite()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(new Set(answers.flatMap(({ body }) => body.error ?? []))).toEqual(new Set(['ERR_NO_LIMIT_USER']))
    await room(500)
  })

  test('shrank meanwhile: of those who accept at once as many come in as it has room for, and the others may later', async () => {
    const three = [await invited(), await invited(), await invited()]
    await room((await admin.get(users.all)).length + 1)
    const answers = await Promise.all(three.map(({ token }) => accept(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402])
    await room(500)
    const later = three.filter((_, at) => answers[at]!.status === 402)
    for (const { token } of later) expect((await accept(token)).status).toBe(200)
  })
})

test('another company sees, sends and withdraws nothing of it', async () => {
  const overheard = await stranger.subscribe(invitationChannel)
  const { id } = await invited()
  const params = { invitationId: id }
  expect(await stranger.get(invitations.list)).toEqual([])
  expect((await stranger.call(invitations.resend, { params })).status).toBe(404)
  expect((await stranger.call(invitations.withdraw, { params })).status).toBe(404)
  expect(overheard).toEqual([])
})

test('without a mail server the admin gets the link to hand over', async () => {
  const silent = await openTestApp()
  try {
    const boss = await silent.as('admin@balcao.test')
    const { link, invitation } = await boss.get(invitations.create, { body: given() })
    expect(invitation.delivery).toBe('none')
    const token = link!.split('#')[1]!
    const body = { token, name: 'Nina', password: 'minha-senha' }
    expect((await silent.anonymous.call(invitations.accept, { body })).status).toBe(200)
  } finally {
    await silent.close()
  }
})
