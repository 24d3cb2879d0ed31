import { accounts } from '@balcao/contract/accounts.ts'
import { auth } from '@balcao/contract/auth.ts'
import { NO_NUMBER } from '@balcao/contract/billingNotices.ts'
import { clients } from '@balcao/contract/clients.ts'
import { companies } from '@balcao/contract/companies.ts'
import { LEAD_WAITING, leads } from '@balcao/contract/leads.ts'
import { plans } from '@balcao/contract/plans.ts'
import { terms } from '@balcao/contract/terms.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { acceptedTerms } from '../terms/terms.actions.ts'
import { settleTerms } from '../terms/terms.queries.ts'
import { dropOldLeads } from './leads.queries.ts'

let office: PostOffice
let app: TestApp
let master: Person
beforeAll(async () => {
  office = await openPostOffice()
  app = await openTestApp({ ...office.env, TRUST_PROXY: '1' })
  master = await app.as('master@balcao.test')
})
afterAll(async () => {
  await app.close()
  await office.close()
})

let last = 0
const newEmail = () => `cliente${++last}@loja.test`
/** Each call from another network, so that only what a test is about counts. */
let from = 0
function headers() {
  from += 1
  return { 'x-forwarded-for': `203.0.${Math.floor(from / 250)}.${from % 250}` }
}
const aLead = (given: object = {}) => ({
  ...{ name: 'Ana Prado', email: newEmail(), whatsAppNumber: '+55 (11) 99999-0000' },
  ...given,
})
const ask = (body: object, from: Record<string, string> = headers()) =>
  app.anonymous.call(leads.create, { body: body as ReturnType<typeof aLead>, headers: from })
const aCompany = (leadId: string, given: object = {}) => ({
  ...{ leadId, documentNumber: '11.222.333/0001-81', name: 'Loja da Ana', companyName: 'Ana Prado ME' },
  ...given,
})
const complete = (body: object) =>
  app.anonymous.call(leads.complete, { body: body as ReturnType<typeof aCompany>, headers: headers() })
const show = (leadId: string) => app.anonymous.call(leads.show, { params: { leadId }, headers: headers() })

/** The id in the letter to this address. */
async function linkTo(email: string, after = 0): Promise<string> {
  const { text } = await office.letterTo(email, after)
  return /https:\/\/balcao\.test\/subscription\/([\w.-]+)/.exec(text)![1]!
}
/** A lead who has the letter. */
async function aProspect(given: object = {}) {
  const lead = aLead(given)
  expect((await ask(lead)).status).toBe(200)
  return { ...lead, leadId: await linkTo(lead.email) }
}
const companiesOf = async (email: string) => {
  const { companies: listed } = await master.get(clients.list, { query: { searchParam: email } })
  return listed
}
const aPlan = (given: object = {}) =>
  master.get(plans.create, {
    body: {
      ...{ name: `Plano ${++last}`, numberAttendants: 4, numberConnections: 2, enableCampaigns: true },
      ...{ value1Month: 10_000, value3Months: 9_000, value6Months: 8_000, value12Months: 7_000 },
      ...given,
    },
  })

describe('who asks for a plan', () => {
  test('becomes a lead that waits, and gets its link by mail and nowhere else (API-032, ENTITY-034) [API-032, ENTITY-034, LEAD-009, LEAD-013, LEAD-014]', async () => {
    const { id: planId } = await aPlan()
    const given = aLead({ planId, origin: 'myStore', status: LEAD_WAITING, recurrence: 'months6' })
    const { status, body } = await ask(given)
    expect([status, body]).toEqual([
      200,
      {
        ...{ id: null, name: 'Ana Prado', email: given.email, whatsAppNumber: '5511999990000', planId },
        ...{ origin: 'myStore', status: 'aguardando completar o cadastro', recurrence: 'months6' },
      },
    ])
    const { subject, text } = await office.letterTo(given.email)
    expect(subject).toBe('Conclua seu cadastro')
    expect(text).toContain('https://balcao.test/subscription/')
    const leadId = await linkTo(given.email)
    expect((await show(leadId)).body).toMatchObject({
      ...{ ...body, id: leadId, asksPassword: false },
      plan: { id: planId, value3MonthsBrl: 'R$ 90,00' },
    })
  })

  test('without plan, origin and period has the usual ones [LEAD-009]', async () => {
    const { body } = await ask(aLead())
    expect(body).toMatchObject({
      planId: null,
      origin: 'myStore',
      recurrence: 'months3',
      status: LEAD_WAITING,
    })
  })

  test.each([
    [{ name: undefined }, 'name', 'Digite e Nome'],
    [{ name: '' }, 'name', 'Digite e Nome'],
    [{ name: 'A' }, 'name', 'Muito curto'],
    [{ name: 'A'.repeat(51) }, 'name', 'Muito Longo'],
    [{ email: undefined }, 'email', 'Digite um email'],
    [{ email: 'ana@' }, 'email', 'Email Invalido'],
    [{ whatsAppNumber: undefined }, 'whatsAppNumber', 'Required'],
    [{ whatsAppNumber: '99999-0000' }, 'whatsAppNumber', NO_NUMBER],
    [{ whatsAppNumber: '55119999900001' }, 'whatsAppNumber', NO_NUMBER],
    [{ whatsAppNumber: '55 11 vivo' }, 'whatsAppNumber', NO_NUMBER],
  ])('%o is told its field [LEAD-010 … LEAD-012]', async (given, field, message) => {
    const { status, body } = await ask(aLead(given))
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: 'ERR_BAD_REQUEST', field, message }),
    ])
  })

  test.each([
    ['(11) 99999-0000', '5511999990000'],
    ['011 99999.0000', '5511999990000'],
    ['11999990000', '5511999990000'],
    ['(+55) 11 99999-0000', '5511999990000'],
    ['00 351 912 345 678', '351912345678'],
    ['+1 (212) 555-0199', '12125550199'],
    // a fixed line
    ['11 3333-4444', '551133334444'],
  ])('writes a number as people do: %s', async (whatsAppNumber, full) => {
    expect((await ask(aLead({ whatsAppNumber }))).body).toMatchObject({ whatsAppNumber: full })
  })

  test('is offered nothing that is not sold: a hidden plan, one of a company, one that is gone', async () => {
    const hidden = await aPlan({ status: false })
    const { companyId } = (await app.as('admin@balcao.test')).user
    const [own] = await master.get(plans.ofCompany, { params: { companyId } })
    for (const planId of [hidden.id, own!.id, 2_000_000_000])
      expect((await ask(aLead({ planId }))).body).toMatchObject({
        error: 'ERR_NO_PLAN_FOUND',
        field: 'planId',
      })
  })

  test('is not changed by another request with the same address: the link is sent again, and leads to the first input', async () => {
    const { leadId, ...first } = await aProspect({ recurrence: 'month1' })
    const other = { ...first, name: 'Outro', whatsAppNumber: '5511888880000', recurrence: 'months12' }
    const { body } = await ask({ ...other, email: first.email.toUpperCase() })
    expect(body).toMatchObject({ id: null, name: 'Outro', whatsAppNumber: '5511888880000' })
    expect(await linkTo(first.email, 1)).toBe(leadId)
    expect((await show(leadId)).body).toMatchObject({
      ...{ name: 'Ana Prado', whatsAppNumber: '5511999990000', recurrence: 'month1' },
    })
  })

  test('is refused a period that has no price in a plan that has one, and gets one that has', async () => {
    const { id: planId } = await aPlan({ value3Months: 0, value12Months: 0 })
    expect((await ask(aLead({ planId, recurrence: 'months12' }))).body).toMatchObject({
      ...{ error: 'ERR_PLAN_UNPRICED', field: 'recurrence' },
    })
    expect((await ask(aLead({ planId }))).body).toMatchObject({ recurrence: 'month1' })
    const { leadId, email } = await aProspect({ planId, recurrence: 'months6' })
    await master.get(plans.change, { params: { planId }, body: { value6Months: 0 } })
    expect((await complete(aCompany(leadId))).body).toMatchObject({ error: 'ERR_PLAN_UNPRICED' })
    expect((await complete(aCompany(leadId, { recurrence: 'month1' }))).status).toBe(200)
    expect((await companiesOf(email))[0]!.plan).toMatchObject([{ recurrence: 'month1', value1Month: 10_000 }])
  })

  test('of many who ask at once with one address there is one lead', async () => {
    const lead = aLead()
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(lead)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await count(`email = '${lead.email}'`)).toBe(1)
  })

  test('has an account already: is told the same, and gets a letter that says so, without a link', async () => {
    const lead = aLead({ email: 'atendente@balcao.test' })
    const { status, body } = await ask(lead)
    expect([status, body.id, body.status]).toEqual([200, null, LEAD_WAITING])
    const { subject, text } = await office.letterTo(lead.email)
    expect(subject).toBe('Você já tem uma conta')
    expect(text).not.toContain('/subscription/')
  })

  test('finds the store closed where the operator closed sign-up', async () => {
    const setting = { params: { settingKey: 'userCreation' } }
    await master.get(companies.changeSetting, { ...setting, body: { value: 'disabled' } })
    expect((await ask(aLead())).body.error).toBe('ERR_USER_CREATION_DISABLED')
    await master.get(companies.changeSetting, { ...setting, body: { value: 'enabled' } })
    expect((await ask(aLead())).status).toBe(200)
  })
})

const count = async (where: string) => {
  const [row] = await app.platform.scopes
    .platform()
    .transaction(sql =>
      rowsFrom<{ many: number }>(sql, tag.raw(`select count(*)::int as many from leads where ${where}`)),
    )
  return row!.many
}

describe('a lead that is completed', () => {
  test('is a company with its admin, a copy of the plan and fifteen days of trial, and lets him in by a letter (LEAD-016) [OP-120, LEAD-016, LEAD-019, LEAD-020]', async () => {
    const { id: planId } = await aPlan()
    const { leadId, email } = await aProspect({ planId, recurrence: 'months12' })
    const contacts = [
      { contactName: 'Rita', email: 'rita@loja.test', whatsapp: '+55 11 98888-7777' },
      { contactName: 'Caio', email: 'caio@loja.test', whatsapp: '' },
    ]
    const address = { cep: '01310-100', street: 'Avenida Paulista', numberAddress: '1578', city: 'São Paulo' }
    const { status, body } = await complete(aCompany(leadId, { ...address, contacts, country: 'Brasil' }))
    expect([status, body.email]).toEqual([200, email])

    const [company, ...more] = await companiesOf(email)
    expect(more).toEqual([])
    expect(company).toMatchObject({
      ...{ ...address, cep: '01310100', name: 'Loja da Ana', companyName: 'Ana Prado ME', email },
      ...{ documentNumber: '11222333000181', country: 'Brasil', userName: 'Ana Prado', status: 1 },
      ...{ numberAttendants: 4, numberConections: 2, enableCampaigns: true, leadId: expect.any(Number) },
      emailsOfNotifications: 'rita@loja.test, caio@loja.test',
      whatsappsOfNotifications: '5511988887777',
      plan: [{ recurrence: 'months12', value1Month: 10_000, isStandard: false }],
    })
    expect(Date.parse(body.trialEndsAt) - Date.parse(company!.createdAt)).toBe(15 * 86_400_000)
    expect(body.token).toBeNull()

    const { subject, text, token } = await office.letterTo(email, 1)
    expect(subject).toBe('Seus dados de acesso')
    expect(text).toContain(email)
    const reset = await app.anonymous.call(accounts.reset, { body: { token, password: 'minha-senha' } })
    expect(reset.body).toEqual({ email })
    const login = await app.anonymous.call(auth.login, { body: { email, password: 'minha-senha' } })
    expect(login.body.user).toMatchObject({ name: 'Ana Prado', profile: 'admin', payPanelAccess: true })
  })

  test('is logged in where that is asked for, in the company under the name that was chosen, and nowhere else', async () => {
    const { leadId, email } = await aProspect()
    const { body, headers: sent } = await complete(aCompany(leadId, { logIn: true }))
    expect(sent.get('set-cookie')).toMatch(/balcao_refresh=[^;]+;.*HttpOnly/)
    const bearer = { authorization: `Bearer ${body.token}` }
    const [company] = await companiesOf(email)
    const own = await app.anonymous.call(companies.show, {
      params: { companyId: company!.id },
      headers: bearer,
    })
    expect(own.body).toMatchObject({ name: 'Loja da Ana', companyName: 'Loja da Ana' })
    const another = { companyId: master.user.companyId }
    const there = await app.anonymous.call(companies.show, { params: another, headers: bearer })
    expect(there.status).toBeGreaterThanOrEqual(400)
    // the link is spent: it opens no second session
    const again = await complete(aCompany(leadId, { logIn: true }))
    expect([again.body.error, again.headers.get('set-cookie')]).toEqual(['ERR_LEAD_COMPLETED', null])
  })

  test('is completed once: afterwards it is neither shown nor completed, and says so (LEAD-021) [LEAD-021]', async () => {
    const { leadId, email } = await aProspect()
    expect((await complete(aCompany(leadId))).status).toBe(200)
    expect((await show(leadId)).body).toMatchObject({ error: 'ERR_LEAD_COMPLETED' })
    expect((await complete(aCompany(leadId))).body).toMatchObject({ error: 'ERR_LEAD_COMPLETED' })
    expect(await companiesOf(email)).toHaveLength(1)
  })

  test('of five who complete it at once one does, and there is one company [LEAD-021]', async () => {
    const { leadId, email } = await aProspect()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => complete(aCompany(leadId))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(await companiesOf(email)).toHaveLength(1)
    await office.letterTo(email, 1)
    expect(office.letters.filter(({ to }) => to === email)).toHaveLength(2)
  })

  test('whose address got an account meanwhile makes nothing, and stays [LEAD-016]', async () => {
    const { leadId, email } = await aProspect()
    await app.anonymous.get(auth.signup, { body: { name: 'Ana', email, password: 'uma-senha-boa' } })
    expect((await complete(aCompany(leadId))).body).toMatchObject({
      error: 'ERR_EMAIL_EXISTS',
      field: 'email',
    })
    expect(await companiesOf(email)).toHaveLength(1)
    expect((await show(leadId)).status).toBe(200)
  })

  test('gets what it asked for, also where that is no longer sold; of a plan that is deleted it chooses anew', async () => {
    const { id: planId } = await aPlan()
    const one = await aProspect({ planId })
    const other = await aProspect({ planId })
    await master.get(plans.change, { params: { planId }, body: { status: false } })
    await complete(aCompany(one.leadId))
    expect((await companiesOf(one.email))[0]).toMatchObject({ numberAttendants: 4 })
    await master.get(plans.remove, { params: { planId } })
    expect((await show(other.leadId)).body).toMatchObject({ planId: null, plan: null })
    const chooses = async (more: object) => (await complete(aCompany(other.leadId, more))).body
    const refused = { error: 'ERR_NO_PLAN_FOUND', field: 'planId' }
    expect(await chooses({})).toMatchObject(refused)
    const hidden = await aPlan({ status: false })
    expect(await chooses({ planId: hidden.id })).toMatchObject(refused)
    const another = await aPlan({ numberAttendants: 9 })
    expect(await chooses({ planId: another.id, recurrence: 'month1' })).toMatchObject({ email: other.email })
    expect((await companiesOf(other.email))[0]).toMatchObject({
      ...{
        numberAttendants: 9,
        plan: [{ name: another.name, recurrence: 'month1', automaticInvoice: true }],
      },
    })
  })

  test.each([
    [{ documentNumber: undefined }, 'documentNumber', 'Required'],
    [{ documentNumber: '' }, 'documentNumber', 'Required'],
    [{ documentNumber: '11222333000182' }, 'documentNumber', 'CNPJ invalido'],
    [{ documentNumber: '52998224726' }, 'documentNumber', 'CPF invalido'],
    [{ name: '' }, 'name', 'Nome é obrigatório'],
    [{ cep: '123' }, 'cep', 'O CEP deve conter 8 dígitos'],
    [{ contacts: [{ contactName: 'R' }] }, 'contacts.0.contactName', 'Too Short!'],
    [{ contacts: [{ contactName: 'Rita', email: 'x' }] }, 'contacts.0.email', 'Email Invalido'],
    [{ contacts: Array.from({ length: 11 }, () => ({ contactName: 'Rita' })) }, 'contacts', 'Too Long!'],
  ])('of %o is told the field [LEAD-015]', async (given, field, message) => {
    const { status, body } = await complete(aCompany('x', given))
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: 'ERR_BAD_REQUEST', field, message }),
    ])
  })

  test('a week after its letter its link is over', async () => {
    const { leadId, email } = await aProspect()
    await app.database.script(
      `update leads set expires_at = now() - interval '1 second' where email = '${email}'`,
    )
    expect((await show(leadId)).body.error).toBe('ERR_NO_LEAD_FOUND')
    expect((await complete(aCompany(leadId))).body.error).toBe('ERR_NO_LEAD_FOUND')
    await ask(aLead({ email }))
    expect(await linkTo(email, 1)).toBe(leadId)
    expect((await complete(aCompany(leadId))).status).toBe(200)
  })

  test('is deleted after ninety days, but not while its link is valid', async () => {
    const [again, over] = [await aProspect(), await aProspect()]
    await app.database.script(`update leads set created_at = now() - interval '91 days',
      expires_at = now() - interval '84 days' where email in ('${again.email}', '${over.email}')`)
    await ask(aLead({ email: again.email }))
    await app.database.transaction('', dropOldLeads)
    expect((await show(again.leadId)).status).toBe(200)
    expect([await count(`email = '${again.email}'`), await count(`email = '${over.email}'`)]).toEqual([1, 0])
  })

  test('goes with its company', async () => {
    const { leadId, email } = await aProspect()
    await complete(aCompany(leadId))
    const [company] = await companiesOf(email)
    await master.get(clients.remove, { params: { companyId: company!.id } })
    await until(async () => (await count(`email = '${email}'`)) === 0, 20_000)
    expect((await show(leadId)).body.error).toBe('ERR_NO_LEAD_FOUND')
  })
})

describe('what the operator asks of a sign-up', () => {
  const chooseTrials = (value: 'enabled' | 'disabled') =>
    master.get(companies.changeSetting, { params: { settingKey: 'oneTrial' }, body: { value } })

  test('a document has one trial where the operator wants it, also of two at once and of a company that is deleted since', async () => {
    const documentNumber = '529.982.247-25'
    const first = await aProspect()
    expect((await complete(aCompany(first.leadId, { documentNumber }))).status).toBe(200)
    const second = await aProspect()
    await chooseTrials('enabled')
    expect((await complete(aCompany(second.leadId, { documentNumber }))).body).toMatchObject({
      ...{ error: 'ERR_TRIAL_USED', field: 'documentNumber' },
    })
    const [made] = await companiesOf(first.email)
    await app.database.script(`delete from companies where id = ${made!.id}`)
    expect((await complete(aCompany(second.leadId, { documentNumber }))).body.error).toBe('ERR_TRIAL_USED')
    const other = '390.533.447-05'
    const both = [await aProspect(), await aProspect()]
    const answers = await Promise.all(
      both.map(({ leadId }) => complete(aCompany(leadId, { documentNumber: other }))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await chooseTrials('disabled')
    expect((await complete(aCompany(second.leadId, { documentNumber }))).status).toBe(200)
  })

  test('the terms are accepted with a sign-up, and once by an admin of each other company; masters see which version, who and when', async () => {
    const admin = await app.as('admin@outra.test')
    const due = async (who: Person) =>
      (await who.get(users.show, { params: { userId: who.user.id } })).company.termsDue
    const publish = (version: string, text: string) => master.call(terms.publish, { body: { version, text } })
    expect((await publish('', 'x')).status).toBe(400)
    expect((await publish('2026-1', '')).body.field).toBe('url')
    expect((await publish('2026-1', 'Seja gentil.')).body.terms).toMatchObject({ version: '2026-1' })
    expect([await due(admin), await due(master)]).toEqual([true, false])
    expect((await publish('2026-1', 'Outro texto')).body.field).toBe('version')

    const { leadId, email } = await aProspect()
    expect((await show(leadId)).body.terms).toMatchObject({ version: '2026-1', text: 'Seja gentil.' })
    for (const termsVersion of [undefined, '2025-9'])
      expect((await complete(aCompany(leadId, { termsVersion }))).body).toMatchObject({
        ...{ error: 'ERR_TERMS_OPEN', field: 'termsVersion' },
      })
    expect((await complete(aCompany(leadId, { termsVersion: '2026-1' }))).status).toBe(200)
    const [made] = await companiesOf(email)
    const acceptedBy = async (companyId: number) => {
      const { acceptances } = await master.get(terms.acceptances, { query: { companyId } })
      return acceptances.map(one => [one.version, one.name])
    }
    expect(await acceptedBy(made!.id)).toEqual([['2026-1', 'Ana Prado']])

    const accept = (version: string) => admin.call(terms.accept, { body: { version } })
    expect((await accept('2025-9')).body.error).toBe('ERR_TERMS_OPEN')
    expect((await admin.get(terms.own)).terms).toMatchObject({ version: '2026-1' })
    await accept('2026-1')
    await accept('2026-1')
    expect([await due(admin), (await admin.get(terms.own)).terms]).toEqual([false, null])
    expect(await acceptedBy(admin.user.companyId)).toEqual([['2026-1', admin.user.name]])

    // a version that is published while one is accepted is asked for
    let publishing: Promise<unknown> = Promise.resolve()
    await app.platform.scopes.platform().transaction(async sql => {
      await acceptedTerms(sql, '2026-1')
      publishing = publish('2026-2', 'Seja mais gentil.')
      await until(async () => {
        const waiting = await rowsFrom(
          sql,
          tag`select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
        )
        return waiting.length > 0
      })
      await settleTerms(sql, admin.user.companyId)
    })
    await publishing
    expect(await due(admin)).toBe(true)
    await master.get(terms.withdraw)
    expect([await due(admin), (await master.get(terms.show)).terms]).toEqual([false, null])
    const late = await aProspect()
    expect((await complete(aCompany(late.leadId))).status).toBe(200)
  })
})
