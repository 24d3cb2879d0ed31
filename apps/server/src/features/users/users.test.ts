import { auth } from '@balcao/contract/auth.ts'
import { connections } from '@balcao/contract/connections.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { companyUserChannel, type UserInput, userChannel, users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let admin: Person
let marina: Person
let master: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  master = await app.as('master@balcao.test')
})
afterAll(() => app.close())

let last = 0
const complete = (over: Partial<UserInput> = {}): UserInput => ({
  name: 'Nova Pessoa',
  email: `pessoa${++last}@balcao.test`,
  password: 'balcao-demo',
  userAuthorizationId: marina.user.userAuthorizationId,
  whatsappId: marina.user.whatsappId,
  queueIds: [marina.user.queues[0]!.id],
  ...over,
})
const add = (over: Partial<UserInput> = {}) => admin.call(users.create, { body: complete(over) })
const added = async (over: Partial<UserInput> = {}) => {
  const user = await admin.get(users.create, { body: complete(over) })
  return app.as(user.email)
}
const change = (who: Person, userId: number, body: Partial<UserInput>) =>
  who.call(users.change, { params: { userId }, body })
async function aTicket(number: string) {
  const whatsappId = admin.user.whatsappId!
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body: 'Oi' } })
  const ticket = await until(async () =>
    (await admin.get(tickets.list)).tickets.find(({ contact }) => contact.number === number),
  )
  return ticket.id
}

describe('the list', () => {
  test('is by name, searched in name and e-mail, and shows no password [AUTH-019]', async () => {
    const all = await admin.get(users.list)
    expect(all.users.map(user => user.name)).toEqual([
      'Bianca Souza',
      'Caio Ribeiro',
      'Helena Prado',
      'Marina Duarte',
    ])
    expect(JSON.stringify(all)).not.toMatch(/argon2|password/i)
    const found = await admin.get(users.list, { query: { searchParam: 'ATENDENTE@' } })
    expect(found.users.map(user => user.name)).toEqual(['Marina Duarte'])
  })

  test('for pickers holds every user [CONST-010, OP-34]', async () => {
    expect((await marina.get(users.all)).length).toBe((await admin.get(users.list)).users.length)
  })
})

describe('adding a user', () => {
  test('answers the user whom everyone hears of and who can log in [SHELL-014, USER-013, USER-024, EVENT-002, OP-05]', async () => {
    const pushes = await marina.subscribe(companyUserChannel)
    const { body: user } = await add({ email: 'Rosa@Balcao.test' })
    expect(user).toMatchObject({ profile: 'user', volume: 50, master: 0, payPanelAccess: false })
    await until(() => pushes.length > 0)
    expect(pushes).toEqual([{ action: 'create', user }])
    expect((await app.as('rosa@balcao.test')).user.id).toBe(user.id)
  })

  test.each([
    ['userAuthorizationId', { userAuthorizationId: null }, 'Defina o grupo de permissões'],
    ['whatsappId', { whatsappId: null }, 'Não foi definido há conexão padrão para este usuário'],
    ['queueIds', { queueIds: [] }, 'Não foi definido nenhum setor padrão para este usuário'],
    ['password', { password: '' }, 'Required'],
  ])(
    'without %s is refused in the documents’ words [USER-005, USER-006, USER-007, OP-52]',
    async (field, over, text) => {
      const { status, body } = await add(over)
      expect([status, body.error, body.field]).toEqual([400, 'ERR_BAD_REQUEST', field])
      expect((body as { message?: string }).message).toBe(text)
    },
  )

  test('with things of another company is refused as if they did not exist', async () => {
    const stranger = await app.as('admin@outra.test')
    const foreign = [
      await add({ queueIds: [stranger.user.queues[0]!.id] }),
      await add({ whatsappId: stranger.user.whatsappId }),
    ]
    expect(foreign.map(({ body }) => body.error)).toEqual(['ERR_NO_QUEUE_FOUND', 'ERR_NO_WAPP_FOUND'])
  })

  test('with an e-mail that anybody on the platform has is refused', async () => {
    const { status, body } = await add({ email: 'ADMIN@outra.test' })
    expect([status, body.error, body.field]).toEqual([409, 'ERR_EMAIL_EXISTS', 'email'])
  })

  test('with the flags of the platform is for those who have them [USER-010, USER-011, USER-012]', async () => {
    const asMaster = await add({ master: 1 })
    expect([asMaster.status, asMaster.body.field]).toEqual([403, 'master'])
    const boss = await added({ profile: 'admin', userAuthorizationId: admin.user.userAuthorizationId })
    const refused = await boss.call(users.create, { body: complete({ payPanelAccess: true }) })
    expect([refused.status, refused.body.field]).toEqual([403, 'payPanelAccess'])
    expect((await add({ payPanelAccess: true })).body.payPanelAccess).toBe(true)
    const operator = await master.call(users.create, {
      body: { name: 'Operadora', email: 'op2@balcao.test', password: 'balcao-demo', master: 1 },
    })
    expect(operator.body).toMatchObject({ master: 1 })
  })

  test('beyond the plan, or without one, is refused [USER-018, USER-019, ERR-027, COMPANY-024]', async () => {
    const limit = (set: string) =>
      app.database.script(`update companies set ${set} where name = 'Lume Móveis'`)
    await limit('number_attendants = 1')
    const full = await add()
    await limit('number_attendants = 25')
    await app.database.script(
      `update plans set company_id = null, name = 'Guardado' where company_id = ${admin.user.companyId}`,
    )
    const planless = await add()
    await app.database.script(`update plans set company_id = ${admin.user.companyId} where name = 'Guardado'`)
    expect([full.status, full.body.error]).toEqual([402, 'ERR_NO_LIMIT_USER'])
    expect([planless.status, planless.body.error]).toEqual([402, 'ERR_NO_COMPANY_PLAN'])
  })
})

describe('at the same time', () => {
  test('fifty are added where the plan has room for three: three are, and the others are told why [USER-018]', async () => {
    const second = await added({ profile: 'admin', userAuthorizationId: admin.user.userAuthorizationId })
    const { length } = await admin.get(users.all)
    await app.database.script(
      `update companies set number_attendants = ${length + 3} where name = 'Lume Móveis'`,
    )
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        (at % 2 ? admin : second).call(users.create, { body: complete() }),
      ),
    )
    const { length: after } = await admin.get(users.all)
    await app.database.script(`update companies set number_attendants = 99 where name = 'Lume Móveis'`)
    const codes = answers.map(({ status, body }) => `${status} ${body.error ?? ''}`.trim())
    expect([after - length, codes.filter(code => code === '200').length]).toEqual([3, 3])
    expect(new Set(codes)).toEqual(new Set(['200', '402 ERR_NO_LIMIT_USER']))
  })

  test('a group, a queue or a connection goes while users are given it: they are without it, or are told that it is gone [OP-70]', async () => {
    for (let round = 0; round < 4; round++) {
      const rows = rowsOf(app, admin)
      const [group, queue, connection] = [
        await rows.authorization(),
        await rows.queue(),
        await rows.connection(),
      ]
      const given = [{ userAuthorizationId: group }, { queueIds: [queue] }, { whatsappId: connection }]
      const adding = given.flatMap(over => [add(over), add(over)])
      const removing = [
        admin.call(permissions.remove, { params: { authorizationId: group } }),
        admin.call(queues.remove, { params: { queueId: queue } }),
        admin.call(connections.remove, { params: { whatsappId: connection } }),
      ]
      for (const { status } of await Promise.all(removing)) expect(status).toBe(200)
      const gone = ['userAuthorizationId', 'queueIds', 'whatsappId']
      for (const [at, { status, body }] of (await Promise.all(adding)).entries()) {
        if (status !== 200) expect([status, body.field]).toEqual([404, gone[Math.floor(at / 2)]])
        else {
          const user = await admin.get(users.show, { params: { userId: body.id } })
          expect(user.userAuthorizationId).not.toBe(group)
          expect(user.queueIds).not.toContain(queue)
          expect(user.whatsappId).not.toBe(connection)
        }
      }
    }
  })
})

describe('the first user of a company', () => {
  test('brings the usual queues, groups and connection, and gets them [USER-014, USER-015, USER-016, USER-017, OP-71]', async () => {
    const account = { name: 'Loja Nova', email: 'dona@nova.test', password: 'balcao-demo' }
    await app.anonymous.get(auth.signup, { body: account })
    const owner = await app.as(account.email)
    const user = await owner.get(users.create, {
      body: { name: 'Primeira', email: 'primeira@nova.test', password: 'balcao-demo' },
    })
    expect((await owner.get(queues.list)).map(({ name, color }) => [name, color])).toEqual([
      ['Financeiro', '#008b02'],
      ['Suporte', '#fe9200'],
      ['Vendas', '#1273de'],
    ])
    const { userAuthorizations: groups } = await owner.get(permissions.list)
    expect(groups.map(({ name, enableAdministration }) => [name, enableAdministration])).toEqual([
      ['Administradores', 1],
      ['Gerentes', 1],
      ['Operacionais', 0],
    ])
    expect(user).toMatchObject({
      whatsapp: { name: 'Principal' },
      userAuthorization: { name: 'Operacionais', enableDash: 0 },
    })
    expect(user.queues).toHaveLength(3)
  })

  test('of a refused creation leaves nothing behind [OP-71]', async () => {
    const account = { name: 'Loja Falha', email: 'dona@falha.test', password: 'balcao-demo' }
    await app.anonymous.get(auth.signup, { body: account })
    const owner = await app.as(account.email)
    const twice = await owner.call(users.create, { body: { ...account, name: 'Outra' } })
    expect(twice.body.error).toBe('ERR_EMAIL_EXISTS')
    expect(await owner.get(queues.list)).toEqual([])
  })
})

describe('preferences', () => {
  test('are everyone’s own, and the unchanged rest of the user may come along [SHELL-007, SHELL-013, USER-008, USER-023, EVENT-001]', async () => {
    const pushes = await marina.subscribe(userChannel)
    const { id, queues: own, ...rest } = marina.user
    const { status, body } = await change(marina, id, {
      ...rest,
      queueIds: own.map(queue => queue.id),
      volume: 10,
      signMessage: true,
      greetingMessage: 'Oi, sou a Marina',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ volume: 10, signMessage: true, company: { companyName: 'Lume Móveis' } })
    await until(() => pushes.length > 0)
    expect(pushes).toEqual([{ action: 'update', user: body }])
  })

  test.each([
    ['profile', { profile: 'admin' }],
    ['queueIds', { queueIds: [] }],
    ['userAuthorizationId', { userAuthorizationId: null }],
    ['email', { email: 'outra@balcao.test' }],
    ['whatsappId', { whatsappId: null }],
    ['payPanelAccess', { payPanelAccess: true }],
    ['master', { master: 1 }],
  ] as [string, Partial<UserInput>][])(
    'do not include %s [USER-009, USER-012, ERR-020]',
    async (field, body) => {
      const answer = await change(marina, marina.user.id, { volume: 11, ...body })
      expect([answer.status, answer.body.error, answer.body.field]).toEqual([403, 'ERR_NO_PERMISSION', field])
      expect((await marina.get(users.show, { params: { userId: marina.user.id } })).volume).toBe(10)
    },
  )

  test('of somebody else are not to be touched', async () => {
    const answer = await change(marina, admin.user.id, { volume: 0 })
    expect([answer.status, answer.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  })
})

describe('administration', () => {
  test('changes profile, queues, group and connection of a user [GEN-004, USER-008, USER-009]', async () => {
    const person = await added()
    const { body } = await change(admin, person.user.id, {
      profile: 'admin',
      queueIds: admin.user.queues.map(({ id }) => id),
      userAuthorizationId: null,
    })
    expect(body).toMatchObject({ profile: 'admin', userAuthorization: null })
    expect(body.queues).toHaveLength(3)
    expect((await person.call(queues.create, { body: { name: 'Dela', color: '#111222' } })).status).toBe(200)
  })

  test('gives neither mastership nor one’s own demotion [USER-011]', async () => {
    const asMaster = await change(admin, marina.user.id, { master: 1 })
    expect([asMaster.status, asMaster.body.field]).toEqual([403, 'master'])
    const demoted = await change(admin, admin.user.id, { profile: 'user' })
    expect([demoted.status, demoted.body.field]).toEqual([403, 'profile'])
  })

  test('of a company does not reach a master in it', async () => {
    await app.database.script(`update users set master = 1 where email = 'bianca@balcao.test'`)
    const { users: found } = await admin.get(users.list, { query: { searchParam: 'bianca' } })
    const answer = await change(admin, found[0]!.id, { name: 'Tomada' })
    const removal = await admin.call(users.remove, { params: { userId: found[0]!.id } })
    expect([answer.body.error, removal.body.error]).toEqual(['ERR_NO_PERMISSION', 'ERR_NO_PERMISSION'])
  })
})

describe('a new password', () => {
  test('left empty keeps the old one [OP-52]', async () => {
    const person = await added()
    const answer = await change(admin, person.user.id, { name: 'Outro Nome', password: '' })
    expect([answer.status, answer.body.name]).toEqual([200, 'Outro Nome'])
    expect((await person.call(users.list)).status).toBe(200)
    expect((await app.as(person.user.email)).user.name).toBe('Outro Nome')
  })

  test('and another e-mail of one’s own are not set here, where nobody asks for the old password [USER-008]', async () => {
    for (const who of [await added(), admin]) {
      const answers = [
        await change(who, who.user.id, { password: 'another-one' }),
        await change(who, who.user.id, { email: 'outro@balcao.test' }),
      ]
      expect(answers.map(({ status, body }) => [status, body.field])).toEqual([
        [403, 'password'],
        [403, 'email'],
      ])
    }
  })

  test('set by an admin ends all of them', async () => {
    const person = await added()
    await change(admin, person.user.id, { password: 'another-one' })
    expect((await person.call(users.list)).status).toBe(401)
  })
})

describe('a user who is removed', () => {
  test('is off at once, and the open tickets wait again where they were [USER-022, OP-70]', async () => {
    const person = await added()
    const line = await person.socket()
    const params = { ticketId: await aTicket('5511981230077') }
    const queueId = person.user.queues[0]!.id
    await person.get(tickets.change, { params, body: { status: 'open', queueId } })
    await admin.get(users.remove, { params: { userId: person.user.id } })
    expect(await admin.get(tickets.show, { params })).toMatchObject({
      status: 'pending',
      userId: null,
      queueId,
    })
    await until(() => !line.connected, 5_000)
    expect((await person.call(tickets.list)).status).toBe(401)
    const gone = await admin.call(users.show, { params: { userId: person.user.id } })
    expect([gone.status, gone.body.error]).toEqual([404, 'ERR_NO_USER_FOUND'])
  })

  test('leaves many tickets by several commits, which wait again', async () => {
    const person = await added()
    const { companyId } = admin.user
    await app.database.script(`
      insert into contacts (company_id, id, name, number)
        select ${companyId}, 900000 + n, 'C' || n, (5511900000000 + n)::text from generate_series(1, 250) n;
      insert into tickets (company_id, id, uuid, protocol, contact_id, user_id, status)
        select ${companyId}, 900000 + n, gen_random_uuid(), 'p' || n, 900000 + n, ${person.user.id},
          case n % 10 when 0 then 'closed' else 'open' end from generate_series(1, 250) n`)
    await admin.get(users.remove, { params: { userId: person.user.id } })
    const left = tag`select user_id, status, count(*)::int as many, count(distinct xmin::text)::int as commits from tickets
      where id > 900000 and id <= 900250 group by user_id, status order by status`
    expect(await app.database.transaction('', sql => rowsFrom(sql, left))).toEqual([
      { user_id: null, status: 'closed', many: 25, commits: 1 },
      { user_id: null, status: 'pending', many: 225, commits: 3 },
    ])
  })

  test('is never oneself', async () => {
    const { status, body } = await admin.call(users.remove, { params: { userId: admin.user.id } })
    expect([status, body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  })
})

test('an admin who is demoted stops hearing of queues that are not his', async () => {
  const [own, foreign] = admin.user.queues
  const person = await added({ profile: 'admin', queueIds: [own!.id] })
  const pushes = await person.subscribe(ticketChannel)
  const ours = await admin.subscribe(ticketChannel)
  const params = { ticketId: await aTicket('5511981230078') }
  await admin.get(tickets.change, { params, body: { status: 'open', queueId: foreign!.id } })
  await until(() => pushes.some(one => one.action === 'update' && one.ticket.status === 'open'))
  await change(admin, person.user.id, { profile: 'user' })
  expect((await person.call(tickets.show, { params })).status).toBe(404)
  await admin.get(tickets.change, { params, body: { status: 'closed' } })
  await until(() => ours.some(one => one.action === 'update' && one.ticket.status === 'closed'))
  expect(pushes.filter(one => one.action === 'update' && one.ticket.status === 'closed')).toEqual([])
})

test('who loses a queue because it was removed hears of it', async () => {
  const queue = await admin.get(queues.create, { body: { name: 'Breve', color: '#0a0b0c' } })
  const person = await added({ queueIds: [queue.id] })
  const pushes = await person.subscribe(userChannel)
  await admin.get(queues.remove, { params: { queueId: queue.id } })
  expect((await until(() => pushes[0])).user.queues).toEqual([])
})
