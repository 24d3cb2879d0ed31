import { accounts } from '@balcao/contract/accounts.ts'
import { auth } from '@balcao/contract/auth.ts'
import { connections } from '@balcao/contract/connections.ts'
import { LEAD_WAITING, leads } from '@balcao/contract/leads.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

/** What strangers and robots try, and what holds while mail and WhatsApp are away. */
let office: PostOffice
let app: TestApp
beforeAll(async () => {
  office = await openPostOffice()
  app = await openTestApp({ ...office.env, TRUST_PROXY: '1' })
})
afterAll(async () => {
  await app.close()
  await office.close()
})

let last = 0
const newEmail = () => `estranho${++last}@loja.test`
let from = 0
/** Each call from another network, so that only what a test is about counts. */
const elsewhere = () => ({ 'x-forwarded-for': `198.18.${Math.floor(++from / 250)}.${from % 250}` })
const aLead = (given: object = {}) => ({
  ...{ name: 'Ana Prado', email: newEmail(), whatsAppNumber: '5511999990000' },
  ...given,
})
const ask = (body: ReturnType<typeof aLead>, headers = elsewhere(), where = app) =>
  where.anonymous.call(leads.create, { body, headers })
const complete = (leadId: string, given: object = {}, where = app) =>
  where.anonymous.call(leads.complete, {
    body: { leadId, documentNumber: '529.982.247-25', name: 'Loja', ...given },
    headers: elsewhere(),
  })
const show = (leadId: string, where = app) =>
  where.anonymous.call(leads.show, { params: { leadId }, headers: elsewhere() })
const lettersTo = (email: string) => office.letters.filter(({ to }) => to === email)
const idIn = (text: string) => /\/subscription\/([\w.-]+)/.exec(text)![1]!
async function aProspect(given: object = {}) {
  const lead = aLead(given)
  await ask(lead)
  return { ...lead, leadId: idIn((await office.letterTo(lead.email)).text) }
}
const countLeads = (email: string) =>
  app.platform.scopes.platform().transaction(async sql => {
    const found = tag`select count(*)::int as many from leads where email = ${email}`
    return (await rowsFrom<{ many: number }>(sql, found))[0]!.many
  })

describe('a robot', () => {
  test('that fills in what nobody sees is told what people are told; nothing is kept, and no letter leaves', async () => {
    const lead = aLead({ website: 'https://spam.test' })
    const { status, body } = await ask(lead)
    expect([status, body]).toMatchObject([200, { id: null, email: lead.email, status: LEAD_WAITING }])
    const after = await aProspect()
    expect(await countLeads(lead.email)).toBe(0)
    expect(await countLeads(after.email)).toBe(1)
    expect(lettersTo(lead.email)).toEqual([])
  })

  test('fills nobody’s mailbox: three letters a day to one address, wherever it asks from [LEAD-013]', async () => {
    const lead = aLead()
    for (let time = 0; time < 6; time++) expect((await ask(lead)).status).toBe(200)
    await office.letterTo(lead.email, 2)
    await aProspect()
    expect(lettersTo(lead.email)).toHaveLength(3)
    await app.database.script(
      `update leads set letters_since = now() - interval '25 hours' where email = '${lead.email}'`,
    )
    await ask(lead)
    await office.letterTo(lead.email, 3)
  })

  test('writes to thirty strangers an hour from its network and to no more; others are heard', async () => {
    const network = (at: number) => ({ 'x-forwarded-for': `2001:db8:7:7::${at}` })
    await ask(aLead(), network(1))
    await app.database.script(
      `insert into leads (name, email, whatsapp_number, origin, recurrence, language, network, expires_at)
       select name, n || email, whatsapp_number, origin, recurrence, language, network, expires_at
       from leads, generate_series(1, 29) n where network = '8193:3512:7:7'`,
    )
    const { status, body, headers } = await ask(aLead(), network(2))
    expect([status, body.error]).toEqual([429, 'ERR_TOO_MANY_REQUESTS'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await ask(aLead())).status).toBe(200)
  })

  test('with many networks writes to three hundred strangers an hour, and then to one from each; a person gets in', async () => {
    const { email } = await aProspect()
    await app.database.script(
      `insert into leads (name, email, whatsapp_number, origin, recurrence, language, network, expires_at)
       select name, 'crowd' || n || email, whatsapp_number, origin, recurrence, language, 'n' || n, expires_at
       from leads, generate_series(1, 300) n where email = '${email}'`,
    )
    const person = { 'x-forwarded-for': '2001:db8:9:9::1' }
    expect((await ask(aLead(), person)).status).toBe(200)
    expect((await ask(aLead(), person)).body.error).toBe('ERR_TOO_MANY_REQUESTS')
    await app.database.script("delete from leads where network like 'n%'")
    expect((await ask(aLead())).status).toBe(200)
  })

  test('is counted by the minute: by its address and by the one that it writes to', async () => {
    const here = elsewhere()
    const lead = aLead()
    const one = await Promise.all([1, 2, 3, 4].map(() => ask(lead, here)))
    expect(one.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429])
    const many = await Promise.all(Array.from({ length: 9 }, () => ask(aLead(), here)))
    expect(many.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(2)
  })

  test('finds no lead by an id that is made up, changed, of something else or not one at all [API-032, LEAD-014]', async () => {
    const { leadId, email } = await aProspect()
    const [key, signed] = [leadId.slice(0, 36), leadId.slice(37)]
    await complete((await aProspect()).leadId)
    await app.anonymous.call(accounts.forgot, {
      body: { email: 'atendente@balcao.test' },
      headers: elsewhere(),
    })
    const { token } = await office.letterTo('atendente@balcao.test')
    const wrong = [key, `${key}-${signed.slice(0, -3)}AAA`, `${crypto.randomUUID()}-${signed}`, token]
    for (const one of [...wrong, '1', '%00', "' or 1=1 --", '../lead', 'ç'.repeat(50)]) {
      expect([one, (await show(one)).body.error]).toEqual([one, 'ERR_NO_LEAD_FOUND'])
      expect([one, (await complete(one)).body.error]).toEqual([one, 'ERR_NO_LEAD_FOUND'])
    }
    // nor does a lead's id set a password
    const reset = await app.anonymous.call(accounts.reset, {
      body: { token: leadId, password: 'uma-senha-boa' },
    })
    expect(reset.body.error).toBe('ERR_LINK_OVER')
    expect((await show(leadId)).body.email).toBe(email)
  })

  test('chooses no password where mail is set up: the letter does [LEAD-019]', async () => {
    const { leadId, email } = await aProspect()
    expect((await complete(leadId, { password: 'senha-do-robo' })).status).toBe(200)
    const login = await app.anonymous.call(auth.login, { body: { email, password: 'senha-do-robo' } })
    expect(login.status).toBe(401)
  })
})

describe('a letter', () => {
  test('to a stranger holds not a word that its asker chose [LEAD-013]', async () => {
    const name = 'Ganhe em https://golpe.test <b>já</b>'
    const { email } = await aProspect({ name, origin: 'golpe' })
    const { text } = lettersTo(email)[0]!
    for (const word of ['golpe', 'Ganhe', '<b>']) expect(text).not.toContain(word)
  })

  test('of access writes a name as text, in one line: no mark-up, no header, no placeholder', async () => {
    const name = '<img src=x onerror=1> {{email}} <%= 7 %>'
    const { leadId, email } = await aProspect({ name })
    await complete(leadId)
    const { text, subject } = await office.letterTo(email, 1)
    const html = text.slice(text.indexOf('<!doctype'))
    expect(html).toContain('&lt;img src=x onerror=1&gt; {{email}} &lt;%= 7 %&gt;')
    expect(html).not.toContain('<img')
    expect(subject).toBe('Seus dados de acesso')
    const broken = await ask(aLead({ name: 'Ana\r\nBcc: todos@x.test' }))
    expect(broken.body).toMatchObject({ error: 'ERR_BAD_REQUEST', field: 'name' })
  })

  test('waits while the mail server is away, and is not written twice [LEAD-013]', async () => {
    office.isClosed = true
    const lead = aLead()
    expect((await ask(lead)).status).toBe(200)
    expect(await countLeads(lead.email)).toBe(1)
    office.isClosed = false
    const { text } = await office.letterTo(lead.email)
    expect((await complete(idIn(text))).status).toBe(200)
    await office.letterTo(lead.email, 1)
    expect(lettersTo(lead.email)).toHaveLength(2)
  })

  test('to a mailbox that does not exist loses nothing: the lead stays, and others get theirs', async () => {
    const lead = aLead()
    office.refused.add(lead.email)
    expect((await ask(lead)).status).toBe(200)
    await aProspect()
    expect(await countLeads(lead.email)).toBe(1)
    office.refused.delete(lead.email)
    await ask(lead)
    await office.letterTo(lead.email)
  })
})

describe('without a mail server', () => {
  let quiet: TestApp
  beforeAll(async () => {
    quiet = await openTestApp({ TRUST_PROXY: '1' })
  })
  afterAll(() => quiet.close())

  test('the answer leads to the sign-up, where the password is chosen (OP-122) [OP-122]', async () => {
    const lead = aLead()
    const { body } = await ask(lead, elsewhere(), quiet)
    expect((await show(body.id!, quiet)).body).toMatchObject({ email: lead.email, asksPassword: true })
    expect((await complete(body.id!, {}, quiet)).body).toMatchObject({
      ...{ error: 'ERR_BAD_REQUEST', field: 'password' },
    })
    expect((await complete(body.id!, { password: 'minha-senha' }, quiet)).status).toBe(200)
    const login = await quiet.anonymous.call(auth.login, {
      body: { email: lead.email, password: 'minha-senha' },
    })
    expect(login.body.user).toMatchObject({ profile: 'admin' })
  })

  test('nobody is answered the lead of another, and a known address says so at once', async () => {
    const lead = aLead()
    const [first, second] = [await ask(lead, elsewhere(), quiet), await ask(lead, elsewhere(), quiet)]
    expect(first.body.id).not.toBe(second.body.id)
    const known = await ask(aLead({ email: 'admin@balcao.test' }), elsewhere(), quiet)
    expect(known.body).toMatchObject({ error: 'ERR_EMAIL_EXISTS', field: 'email' })
  })
})

describe('whether a number has WhatsApp (API-034, OP-118)', () => {
  let master: Person
  let admin: Person
  const find = (number: string) =>
    app.anonymous.call(leads.findWhatsapp, { params: { number }, headers: elsewhere() })
  const connect = async (who: Person, given: object = {}) => {
    const { id: whatsappId } = await who.get(connections.create, {
      body: { name: `Linha ${++last}`, lib: 'simulator', ...given },
    })
    await until(
      async () => (await who.get(connections.show, { params: { whatsappId } })).status === 'CONNECTED',
    )
    return whatsappId
  }
  beforeAll(async () => {
    master = await app.as('master@balcao.test')
    admin = await app.as('admin@balcao.test')
  })

  test('is asked of nobody while only a customer is connected [OP-118]', async () => {
    await connect(admin)
    expect((await find('5511999990001')).body.error).toBe('ERR_NO_DEF_WAPP_FOUND')
  })

  test('is asked of the platform’s own connection, once for each number, also by strangers [API-034, OP-118, OP-128]', async () => {
    await app.database.script('update companies set number_conections = 20')
    const whatsappId = await connect(master)
    const stands = async () => (await master.get(connections.show, { params: { whatsappId } })).status
    expect((await find('+55 (11) 99999-0001')).body).toEqual({ exists: true, number: '5511999990001' })
    expect((await find('5511999990000')).body).toEqual({ exists: false, number: '5511999990000' })
    // cached answers are served while the service is down; others report the outage within seconds
    await master.get(simulator.fault, { params: { whatsappId }, body: { kind: 'offline' } })
    await until(async () => (await stands()) === 'OPENING')
    expect((await find('5511999990001')).status).toBe(200)
    const start = performance.now()
    const unknown = await find('5511999990002')
    expect(['ERR_WAPP_CHECK_CONTACT', 'ERR_NO_DEF_WAPP_FOUND']).toContain(unknown.body.error)
    expect(performance.now() - start).toBeLessThan(8_000)
    await master.get(simulator.fault, { params: { whatsappId }, body: { kind: 'none' } })
  })

  test('names the field of what is no number, and is limited', async () => {
    expect((await find('abc')).body).toMatchObject({ error: 'ERR_BAD_REQUEST', field: 'number' })
    const here = elsewhere()
    const many = await Promise.all(
      Array.from({ length: 6 }, () =>
        app.anonymous.call(leads.findWhatsapp, { params: { number: '5511999990001' }, headers: here }),
      ),
    )
    expect(many.map(({ status }) => status)).toContain(429)
  })
})
