import { accounts } from '@balcao/contract/accounts.ts'
import { auth } from '@balcao/contract/auth.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openWorld, type Person, until, type World } from '../../../testing/world.ts'

let office: PostOffice
let world: World
let admin: Person
beforeAll(async () => {
  office = await openPostOffice()
  world = await openWorld({ ...office.env, TRUST_PROXY: '1' })
  await world.database.script('update companies set number_attendants = 500')
  admin = await world.as('admin@balcao.test')
})
afterAll(async () => {
  await world.close()
  await office.close()
})

const PASSWORD = 'balcao-demo'
let last = 0
/** Somebody new, so that no test meets the letters of another. */
async function somebody(): Promise<Person> {
  const email = `conta${++last}@balcao.test`
  await admin.get(users.create, {
    body: {
      name: `Conta ${last}`,
      email,
      password: PASSWORD,
      userAuthorizationId: admin.user.userAuthorizationId,
      whatsappId: admin.user.whatsappId,
      queueIds: [admin.user.queues[0]!.id],
    },
  })
  return world.as(email)
}
/** Each call from another address, so that only the account’s own limit counts. */
let from = 0
function forgot(email: string, at?: string) {
  from += 1
  const headers = { 'x-forwarded-for': at ?? `203.0.113.${from % 250}` }
  return world.nobody.call(accounts.forgot, { body: { email }, headers })
}
const reset = (token: string, password = 'outra-senha') =>
  world.nobody.call(accounts.reset, { body: { token, password } })
const logIn = (email: string, password: string) =>
  world.nobody.call(auth.login, { body: { email, password } })
const isIn = async (who: Person) => (await who.call(users.all)).status === 200
const askEmail = (who: Person, email: string, oldPassword = PASSWORD) =>
  who.call(accounts.changeEmail, { body: { email, oldPassword } })

describe('a forgotten password', () => {
  test('is set anew by the link of a letter, once, and every session ends', async () => {
    const nina = await somebody()
    const { email } = nina.user
    const socket = await nina.socket()
    expect((await forgot(email.toUpperCase())).status).toBe(200)
    const { token, subject, text } = await office.letterTo(email)
    expect(subject).toBe('Crie uma nova senha')
    expect(text).toContain('https://balcao.test/reset#')
    expect(await reset(token)).toMatchObject({ status: 200, body: { email } })
    await until(() => !socket.connected)
    expect(await isIn(nina)).toBe(false)
    expect((await logIn(email, PASSWORD)).status).toBe(401)
    expect((await logIn(email, 'outra-senha')).status).toBe(200)
    expect((await reset(token, 'terceira-senha')).body.error).toBe('ERR_LINK_OVER')
  })

  test('of two who follow the link at once one sets it', async () => {
    const { email } = (await somebody()).user
    await forgot(email)
    const { token } = await office.letterTo(email)
    const answers = await Promise.all([reset(token, 'senha-um'), reset(token, 'senha-dois')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  test('ends after an hour, with its user’s next letter followed, and with another password', async () => {
    const nina = await somebody()
    const { email } = nina.user
    const tokens: string[] = []
    for (let at = 0; at < 3; at++) {
      await forgot(email)
      tokens.push((await office.letterTo(email, at)).token)
    }
    await world.database.script(
      `update account_links set expires_at = now() - interval '1 second' where user_id = ${nina.user.id} and created_at = (select min(created_at) from account_links where user_id = ${nina.user.id})`,
    )
    expect((await reset(tokens[0]!)).status).toBe(410)
    const body = { oldPassword: PASSWORD, password: 'minha-senha' }
    await nina.get(accounts.changePassword, { body })
    expect((await reset(tokens[1]!)).status).toBe(410)
    expect((await reset(tokens[2]!)).status).toBe(410)
  })

  test('is answered alike whether somebody has the address, and in the same time', async () => {
    const { email } = (await somebody()).user
    await forgot(email)
    const timed = async (who: string) => {
      const start = performance.now()
      const { status, body } = await forgot(who)
      expect([status, body]).toEqual([200, {}])
      return performance.now() - start
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let at = 0; at < 15; at++) {
      const other = (await somebodyElse()).email
      known.push(await timed(other))
      unknown.push(await timed(`nobody${at}@balcao.test`))
    }
    const middle = (times: number[]) => times.sort((a, b) => a - b)[7]!
    expect(middle(known) / middle(unknown)).toBeGreaterThan(0.5)
    expect(middle(known) / middle(unknown)).toBeLessThan(2)
    const heard = office.letters.map(letter => letter.to)
    expect(heard.filter(to => to.startsWith('nobody'))).toEqual([])
  })

  test('is asked for three times a minute for one account, and sends five letters an hour', async () => {
    const { user } = await somebody()
    const near = '198.51.100.7'
    const answers = [1, 2, 3, 4].map(() => forgot(user.email, near))
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 429])
    for (let at = 0; at < 4; at++) await forgot(user.email)
    await office.letterTo(user.email, 4)
    const { email } = (await somebody()).user
    await forgot(email)
    await office.letterTo(email)
    expect(office.letters.filter(letter => letter.to === user.email)).toHaveLength(5)
  })

  test('is set by no link that is made up, changed, or for something else', async () => {
    const nina = await somebody()
    const next = `nova-${nina.user.email}`
    await forgot(nina.user.email)
    await askEmail(nina, next)
    const { token } = await office.letterTo(nina.user.email)
    const { token: forAddress } = await office.letterTo(next)
    const signed = token.split('.')[1]
    const wrong = ['x', `${token.slice(0, -3)}AAA`, forAddress, `${forAddress.split('.')[0]}.${signed}`]
    for (const one of wrong) expect((await reset(one)).body.error).toBe('ERR_LINK_OVER')
    expect((await reset(token)).status).toBe(200)
  })

  test('a password that is too short is refused with its field', async () => {
    expect((await reset('x', 'abc')).body).toMatchObject({ error: 'ERR_BAD_REQUEST', field: 'password' })
  })

  test('is said to be the admin’s to set where no mail is set up', async () => {
    const silent = await openWorld()
    try {
      const answers = [
        await silent.nobody.call(accounts.forgot, { body: { email: 'admin@balcao.test' } }),
        await silent.nobody.call(accounts.forgot, { body: { email: 'nobody@balcao.test' } }),
      ]
      expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
        [409, 'ERR_NO_MAIL'],
        [409, 'ERR_NO_MAIL'],
      ])
      const boss = await silent.as('admin@balcao.test')
      expect(await askEmail(boss, 'chefe@balcao.test')).toMatchObject({ body: { isChanged: true } })
      expect(
        (await silent.nobody.call(auth.login, { body: { email: 'chefe@balcao.test', password: PASSWORD } }))
          .status,
      ).toBe(200)
    } finally {
      await silent.close()
    }
  })
})

/** Known to the platform, and never heard of before. */
const somebodyElse = async () => {
  const userId = await rowsOf(world, admin).user()
  return admin.get(users.show, { params: { userId } })
}

describe('the own password', () => {
  test('is changed by the old one, and the other sessions end', async () => {
    const nina = await somebody()
    const elsewhere = await world.as(nina.user.email)
    const socket = await elsewhere.socket()
    const wrong = await nina.call(accounts.changePassword, {
      body: { oldPassword: 'errada', password: 'minha-senha' },
    })
    expect([wrong.status, wrong.body.error, wrong.body.field]).toEqual([
      400,
      'ERR_WRONG_PASSWORD',
      'oldPassword',
    ])
    await nina.get(accounts.changePassword, { body: { oldPassword: PASSWORD, password: 'minha-senha' } })
    await until(() => !socket.connected)
    expect([await isIn(nina), await isIn(elsewhere)]).toEqual([true, false])
    expect((await logIn(nina.user.email, 'minha-senha')).status).toBe(200)
  })

  test('is not guessed by whoever sits at an open screen', async () => {
    const nina = await somebody()
    const guesses = Array.from({ length: 12 }, () =>
      nina.call(accounts.changePassword, { body: { oldPassword: 'errada', password: 'minha-senha' } }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter(status => status === 429)).toHaveLength(2)
  })
})

describe('another e-mail', () => {
  test('is taken when it is confirmed there, and the former one is told', async () => {
    const nina = await somebody()
    const former = nina.user.email
    const next = `nova-${former}`
    expect((await askEmail(nina, next, 'errada')).body.error).toBe('ERR_WRONG_PASSWORD')
    expect(await askEmail(nina, next)).toMatchObject({ status: 200, body: { isChanged: false } })
    const { token } = await office.letterTo(next)
    expect((await logIn(next, PASSWORD)).status).toBe(401)
    const confirm = () => world.nobody.call(accounts.confirmEmail, { body: { token } })
    expect(await confirm()).toMatchObject({ status: 200, body: { email: next } })
    const told = await office.letterTo(former)
    expect(told.subject).toBe('O e-mail da sua conta mudou')
    expect(told.text).toContain(next)
    expect((await logIn(next, PASSWORD)).status).toBe(200)
    expect((await logIn(former, PASSWORD)).status).toBe(401)
    expect((await confirm()).status).toBe(410)
  })

  test('that somebody of any company has is refused, also when he came first meanwhile', async () => {
    const nina = await somebody()
    const { status, body } = await askEmail(nina, 'ADMIN@outra.test')
    expect([status, body.error, body.field]).toEqual([409, 'ERR_EMAIL_EXISTS', 'email'])
    const wanted = 'disputado@balcao.test'
    await askEmail(nina, wanted)
    const { token } = await office.letterTo(wanted)
    await world.nobody.get(auth.signup, { body: { name: 'Outra loja', email: wanted, password: PASSWORD } })
    const late = await world.nobody.call(accounts.confirmEmail, { body: { token } })
    expect([late.status, late.body.error]).toEqual([409, 'ERR_EMAIL_EXISTS'])
  })
})

describe('the own sessions', () => {
  test('are listed with what holds them; one is ended, then all others', async () => {
    const nina = await somebody()
    const second = await world.as(nina.user.email)
    const third = await world.as(nina.user.email)
    const all = await nina.get(accounts.sessions)
    expect(all.map(({ isCurrent }) => isCurrent).filter(Boolean)).toHaveLength(1)
    expect(all).toHaveLength(3)
    expect(all[0]).toMatchObject({ userAgent: expect.any(String), ip: expect.stringMatching(/127\.0\.0\.1/) })
    const socket = await second.socket()
    const ofSecond = (await second.get(accounts.sessions)).find(({ isCurrent }) => isCurrent)!
    await nina.get(accounts.endSession, { params: { sessionId: ofSecond.id } })
    await until(() => !socket.connected)
    expect([await isIn(nina), await isIn(second), await isIn(third)]).toEqual([true, false, true])
    await nina.get(accounts.endOtherSessions)
    expect([await isIn(nina), await isIn(third)]).toEqual([true, false])
  })

  test('of somebody else, of whatever company, do not exist', async () => {
    const nina = await somebody()
    const own = (await nina.get(accounts.sessions))[0]!
    for (const other of [admin, await world.as('admin@outra.test')]) {
      const { status } = await other.call(accounts.endSession, { params: { sessionId: own.id } })
      expect(status).toBe(404)
      expect((await other.get(accounts.sessions)).map(({ id }) => id)).not.toContain(own.id)
    }
    expect(await isIn(nina)).toBe(true)
  })
})
