import { accounts } from '@balcao/contract/accounts.ts'
import { auth } from '@balcao/contract/auth.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let office: PostOffice
let app: TestApp
let admin: Person
beforeAll(async () => {
  office = await openPostOffice()
  app = await openTestApp({ ...office.env, TRUST_PROXY: '1' })
  await app.database.script('update companies set number_attendants = 500')
  admin = await app.as('admin@balcao.test')
})
afterAll(async () => {
  await app.close()
  await office.close()
})

const PASSWORD = 'balcao-demo'
let last = 0
/** A new user, so that no test receives the letters of another. */
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
  return app.as(email)
}
/** Each call from another address, so that only the account’s own limit counts. */
let from = 0
function forgot(email: string, at?: string) {
  from += 1
  const headers = { 'x-forwarded-for': at ?? `203.0.113.${from % 250}` }
  return app.anonymous.call(accounts.forgot, { body: { email }, headers })
}
const reset = (token: string, password = 'outra-senha') =>
  app.anonymous.call(accounts.reset, { body: { token, password } })
const logIn = (email: string, password: string) =>
  app.anonymous.call(auth.login, { body: { email, password } })
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
    await app.database.script(
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
    const recipients = office.letters.map(letter => letter.to)
    expect(recipients.filter(to => to.startsWith('nobody'))).toEqual([])
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
    const silent = await openTestApp()
    try {
      const answers = [
        await silent.anonymous.call(accounts.forgot, { body: { email: 'admin@balcao.test' } }),
        await silent.anonymous.call(accounts.forgot, { body: { email: 'nobody@balcao.test' } }),
      ]
      expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
        [409, 'ERR_NO_MAIL'],
        [409, 'ERR_NO_MAIL'],
      ])
      const boss = await silent.as('admin@balcao.test')
      expect(await askEmail(boss, 'chefe@balcao.test')).toMatchObject({ body: { isChanged: true } })
      expect(
        (
          await silent.anonymous.call(auth.login, {
            body: { email: 'chefe@balcao.test', password: PASSWORD },
          })
        ).status,
      ).toBe(200)
    } finally {
      await silent.close()
    }
  })
})

/** An e-mail with an account, and one without. */
const somebodyElse = async () => {
  const userId = await rowsOf(app, admin).user()
  return admin.get(users.show, { params: { userId } })
}

describe('the own password', () => {
  test('is changed by the old one, and the other sessions end [USER-008]', async () => {
    const nina = await somebody()
    const elsewhere = await app.as(nina.user.email)
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
    const confirm = () => app.anonymous.call(accounts.confirmEmail, { body: { token } })
    expect(await confirm()).toMatchObject({ status: 200, body: { email: next } })
    const told = await office.letterTo(former)
    expect(told.subject).toBe('O e-mail da sua conta mudou')
    expect(told.text).toContain(next)
    expect((await logIn(next, PASSWORD)).status).toBe(200)
    expect((await logIn(former, PASSWORD)).status).toBe(401)
    expect((await confirm()).status).toBe(410)
  })

  test('is no longer taken by its link when the password was set anew meanwhile: by an admin, or by oneself', async () => {
    const confirm = (token: string) => app.anonymous.call(accounts.confirmEmail, { body: { token } })
    for (const [at, setAnew] of [
      (of: Person) =>
        admin.get(users.change, { params: { userId: of.user.id }, body: { password: 'do-chefe' } }),
      (of: Person) =>
        of.get(accounts.changePassword, { body: { oldPassword: PASSWORD, password: 'minha-senha' } }),
    ].entries()) {
      const nina = await somebody()
      const stolen = `ladrao${at}@balcao.test`
      await askEmail(nina, stolen)
      const { token } = await office.letterTo(stolen)
      await forgot(nina.user.email)
      const reminder = await office.letterTo(nina.user.email)
      await setAnew(nina)
      expect((await confirm(token)).body.error).toBe('ERR_LINK_OVER')
      expect((await reset(reminder.token)).body.error).toBe('ERR_LINK_OVER')
      expect((await logIn(stolen, PASSWORD)).status).toBe(401)
    }
  })

  test('set by an admin ends the sessions and the links that went to the former mailbox, also those that wait', async () => {
    const nina = await somebody()
    const { id: userId, email } = nina.user
    await forgot(email)
    const { token } = await office.letterTo(email)
    office.isClosed = true
    await forgot(email)
    const waiting = () =>
      app.database.transaction('', sql =>
        rowsFrom(sql, tag`select 1 from mails where recipient = ${email} and state = 'waiting'`),
      )
    await until(async () => (await waiting()).length === 1)
    await admin.get(users.change, { params: { userId }, body: { email: `certa-${email}` } })
    expect(await waiting()).toEqual([])
    office.isClosed = false
    expect((await reset(token)).body.error).toBe('ERR_LINK_OVER')
    expect(await isIn(nina)).toBe(false)
  })

  test('confirmed from a letter ends the sessions but the one that asked for it', async () => {
    const nina = await somebody()
    const elsewhere = await app.as(nina.user.email)
    const next = `nova-${nina.user.email}`
    await askEmail(nina, next)
    const { token } = await office.letterTo(next)
    await app.anonymous.get(accounts.confirmEmail, { body: { token } })
    expect([await isIn(nina), await isIn(elsewhere)]).toEqual([true, false])
  })

  test('a deleted user’s letters that wait do not leave any more', async () => {
    const nina = await somebody()
    office.isClosed = true
    await askEmail(nina, 'longe@balcao.test')
    await admin.get(users.remove, { params: { userId: nina.user.id } })
    office.isClosed = false
    const left = await app.database.transaction('', sql =>
      rowsFrom(sql, tag`select 1 from mails where recipient = 'longe@balcao.test' and state = 'waiting'`),
    )
    expect(left).toEqual([])
  })

  test('is asked for a few times an hour, by user and by address; the newest link alone is good, and the letter carries no name', async () => {
    const nina = await somebody()
    await nina.get(users.change, {
      params: { userId: nina.user.id },
      body: { name: 'Ganhe um prêmio em premio.test' },
    })
    const asked = (who: Person, to: string) => askEmail(who, to)
    const letters: string[] = []
    for (let at = 0; at < 5; at++) {
      expect((await asked(nina, `alvo${at}@balcao.test`)).status).toBe(200)
      const letter = await office.letterTo(`alvo${at}@balcao.test`)
      expect(letter.text).not.toContain('premio')
      letters.push(letter.token)
    }
    const sixth = await asked(nina, 'alvo5@balcao.test')
    expect([sixth.status, sixth.body.error]).toEqual([429, 'ERR_TOO_MANY_REQUESTS'])
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(60)
    const confirm = (token: string) => app.anonymous.call(accounts.confirmEmail, { body: { token } })
    expect((await confirm(letters[3]!)).body.error).toBe('ERR_LINK_OVER')
    expect((await confirm(letters[4]!)).status).toBe(200)

    const target = 'vizinho@balcao.test'
    const statuses: number[] = []
    for (let at = 0; at < 4; at++) statuses.push((await asked(await somebody(), target.toUpperCase())).status)
    statuses.push((await asked(await app.as('admin@outra.test'), target)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  test('that somebody of any company has is refused, also when he came first meanwhile', async () => {
    const nina = await somebody()
    const { status, body } = await askEmail(nina, 'ADMIN@outra.test')
    expect([status, body.error, body.field]).toEqual([409, 'ERR_EMAIL_EXISTS', 'email'])
    const wanted = 'disputado@balcao.test'
    await askEmail(nina, wanted)
    const { token } = await office.letterTo(wanted)
    await app.anonymous.get(auth.signup, { body: { name: 'Outra loja', email: wanted, password: PASSWORD } })
    const late = await app.anonymous.call(accounts.confirmEmail, { body: { token } })
    expect([late.status, late.body.error]).toEqual([409, 'ERR_EMAIL_EXISTS'])
  })
})

describe('the own sessions', () => {
  test('are listed with what holds them; one is ended, then all others', async () => {
    const nina = await somebody()
    const second = await app.as(nina.user.email)
    const third = await app.as(nina.user.email)
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
    for (const other of [admin, await app.as('admin@outra.test')]) {
      const { status } = await other.call(accounts.endSession, { params: { sessionId: own.id } })
      expect(status).toBe(404)
      expect((await other.get(accounts.sessions)).map(({ id }) => id)).not.toContain(own.id)
    }
    expect(await isIn(nina)).toBe(true)
  })
})
