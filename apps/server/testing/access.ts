import { randomUUID } from 'node:crypto'
import { autopay } from '@balcao/contract/autopay.ts'
import { billing } from '@balcao/contract/billing.ts'
import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { businessHours } from '@balcao/contract/businessHours.ts'
import { clients } from '@balcao/contract/clients.ts'
import { collectors } from '@balcao/contract/collectors.ts'
import { companyExports } from '@balcao/contract/companyExports.ts'
import { companyLimits } from '@balcao/contract/companyLimits.ts'
import { fiscalNotes } from '@balcao/contract/fiscalNotes.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { leads } from '@balcao/contract/leads.ts'
import { payments } from '@balcao/contract/payments.ts'
import { plans } from '@balcao/contract/plans.ts'
import { pricing } from '@balcao/contract/pricing.ts'
import { reports } from '@balcao/contract/reports.ts'
import { revenue } from '@balcao/contract/revenue.ts'
import { systemControl } from '@balcao/contract/systemControl.ts'
import { terms } from '@balcao/contract/terms.ts'
import { visits } from '@balcao/contract/visits.ts'
import { type Rows, unique } from './rows.ts'

/** Anonymous, attendant, admin, the other company's admin, master. */
export type Statuses = [number, number, number, number, number]
export type CallInput = { params?: object; query?: object; body?: object }
export type Line = [route: Route, statuses: Statuses, given?: (rows: Rows) => Promise<CallInput> | CallInput]

export const everyoneIn: Statuses = [401, 200, 200, 200, 200]
export const adminsIn: Statuses = [401, 403, 200, 200, 200]
export const mastersOnly: Statuses = [401, 403, 403, 403, 200]
export const ours: Statuses = [401, 200, 200, 404, 404]
export const oursForAdmins: Statuses = [401, 403, 200, 404, 404]

const paying: Statuses = [401, 403, 200, 404, 200]
const gone: Statuses = [401, 403, 403, 403, 404]

function termsLines(): Line[] {
  const stale = { version: 'nunca' }
  return [
    [terms.show, mastersOnly],
    [terms.publish, [401, 403, 403, 403, 400], () => ({ body: stale })],
    [terms.withdraw, mastersOnly],
    [terms.acceptances, mastersOnly],
    [terms.own, adminsIn],
    [terms.accept, adminsIn, () => ({ body: stale })],
  ]
}

function fiscalLines(): Line[] {
  const params = { companyId: 2_000_000_000, noteId: 1 }
  return [
    [fiscalNotes.settings, mastersOnly],
    [fiscalNotes.save, mastersOnly, () => ({ body: { isOn: false } })],
    [fiscalNotes.failed, mastersOnly],
    [fiscalNotes.again, gone, () => ({ params })],
    [fiscalNotes.dismiss, gone, () => ({ params })],
  ]
}

function ledgerLines(): Line[] {
  const missing = { companyId: 2_000_000_000, paymentId: 2_000_000_000, newsId: 1, pauseId: 1 }
  const ours = async (rows: Rows) => ({ params: { companyId: await rows.company() } })
  const other = { planId: 2_000_000_000, recurrence: 'month1', when: 'now' }
  return [
    [collectors.list, mastersOnly],
    [collectors.save, [401, 403, 403, 403, 400], () => ({ params: { name: 'mercadopago' }, body: {} })],
    [collectors.choose, mastersOnly, () => ({ body: { name: null } })],
    [collectors.test, [401, 403, 403, 403, 409], () => ({ params: { name: 'mercadopago' } })],
    [payments.toReview, mastersOnly],
    [payments.news, mastersOnly],
    [payments.readNews, gone, () => ({ params: missing })],
    [payments.assign, gone, () => ({ params: missing, body: { invoiceId: 2_000_000_000 } })],
    [payments.credit, gone, () => ({ params: missing })],
    [payments.refund, gone, () => ({ params: missing, body: { reason: 'Em dobro' } })],
    [payments.credits, mastersOnly, ours],
    [payments.answer, gone, () => ({ params: missing, body: { isGift: true } })],
    [payments.applyCredit, gone, () => ({ params: missing, body: { invoiceId: 2_000_000_000 } })],
    [
      payments.refundInvoice,
      gone,
      () => ({ params: { invoiceId: 2_000_000_000 }, body: { reason: 'Cortesia', isGift: true } }),
    ],
    [payments.undo, gone, () => ({ params: missing })],
    [payments.statement, paying, ours],
    [billing.show, paying, ours],
    [
      billing.change,
      mastersOnly,
      async rows => ({ ...(await ours(rows)), body: { billedFrom: '2026-11-01' } }),
    ],
    [
      billing.pause,
      mastersOnly,
      async rows => ({ ...(await ours(rows)), body: { from: '2040-01-01', reason: 'Reforma' } }),
    ],
    [billing.resume, gone, () => ({ params: missing, body: { until: '2040-02-01' } })],
    [billing.takeUp, [401, 403, 409, 404, 409], ours],
    [billing.quote, [401, 403, 404, 404, 404], async rows => ({ ...(await ours(rows)), query: other })],
    [
      billing.changePlan,
      [401, 403, 404, 404, 404],
      async rows => ({ ...(await ours(rows)), body: { ...other, due: 0 } }),
    ],
    [billing.keepPlan, paying, ours],
    [
      billing.start,
      mastersOnly,
      async rows => ({ ...(await ours(rows)), query: { billedFrom: '2026-11-01' } }),
    ],
    [billing.goOn, [401, 403, 403, 404, 409], ours],
    [pricing.show, paying, ours],
    [
      pricing.charge,
      [401, 403, 403, 403, 400],
      async rows => ({
        ...(await ours(rows)),
        body: { description: 'Visita', valueBrl: '1,00', dueDate: '2020-01-01' },
      }),
    ],
    [
      pricing.discount,
      mastersOnly,
      async rows => ({ ...(await ours(rows)), body: { percent: 1, periods: 1, reason: 'Cortesia' } }),
    ],
    [
      pricing.endDiscount,
      gone,
      async rows => ({ params: { ...(await ours(rows)).params, discountId: 2e9 } }),
    ],
    [
      pricing.readjust,
      [401, 403, 403, 403, 400],
      async rows => ({ ...(await ours(rows)), body: { percent: '5', from: '2020-01-01', reason: 'IPCA' } }),
    ],
    [pricing.withdraw, gone, ours],
    [pricing.coupons, mastersOnly],
    [
      pricing.addCoupon,
      mastersOnly,
      () => ({ body: { code: unique().replaceAll(/[^A-Za-z0-9-]/g, ''), percent: 1, periods: 1 } }),
    ],
    [pricing.closeCoupon, gone, () => ({ params: { couponId: 2_000_000_000 } })],
    [pricing.offered, [409, 409, 409, 409, 409], () => ({ params: { code: 'nenhum' } })],
    [companyLimits.show, [401, 403, 200, 404, 200], ours],
    [
      companyLimits.choose,
      [401, 403, 400, 404, 400],
      async rows => ({ ...(await ours(rows)), body: { userIds: [2_000_000_000], connectionIds: [] } }),
    ],
    [
      billing.end,
      [401, 403, 403, 404, 200],
      async rows => ({ ...(await ours(rows)), body: { reason: 'Mudança' } }),
    ],
  ]
}

/** Figures of all companies. */
function revenueLines(): Line[] {
  const month = { query: { month: '2026-11' } }
  const sheet = { query: { ...month.query, decimals: 'comma' } }
  const { rows, receipts, exportInvoices, exportReceipts } = revenue
  const { months, plans, subscribers, funnel, leads, invoices, invoiceTotals } = revenue
  return [
    ...[months, plans, subscribers, funnel, leads, invoices, invoiceTotals].map(
      (route): Line => [route, mastersOnly],
    ),
    ...[rows, receipts].map((route): Line => [route, mastersOnly, () => month]),
    ...[exportInvoices, exportReceipts].map((route): Line => [route, mastersOnly, () => sheet]),
  ]
}

/** What belongs to the operator, and what those see of it who pay for their company; its figures. */
export function operatorRows(): Line[] {
  const missing = { companyId: 2_000_000_000, planId: 2_000_000_000, invoiceId: 2_000_000_000 }
  const ours = async (rows: Rows) => ({ params: { companyId: await rows.company() } })
  const plan = async (rows: Rows) => ({ params: { planId: await rows.plan() } })
  const anInvoice = {
    ...{ startInvoicePeriod: '2026-11-01', endInvoicePeriod: '2026-11-30', dueDate: '2026-11-10' },
    ...{ valueBrl: '99,90', billingType: 'PIX', recurrence: 1 },
  }
  const aCompany = () => ({ name: 'Cliente', email: `${unique()}@cliente.test` })
  return [
    [plans.public, [200, 200, 200, 200, 200]],
    [plans.list, mastersOnly],
    [plans.create, mastersOnly, () => ({ body: { name: 'Básico' } })],
    [plans.show, paying, plan],
    [plans.change, paying, async rows => ({ ...(await plan(rows)), body: { recurrence: 'months3' } })],
    [plans.remove, gone, () => ({ params: missing })],
    [plans.ofCompany, paying, ours],
    [
      plans.assign,
      [401, 403, 404, 404, 404],
      async rows => ({ params: { ...missing, companyId: await rows.company() } }),
    ],
    [clients.list, mastersOnly],
    [
      clients.create,
      mastersOnly,
      () => ({ body: { ...aCompany(), userName: 'Dona', passwordDefault: 'uma-senha-boa' } }),
    ],
    [clients.show, paying, ours],
    [clients.storage, paying, ours],
    [companyExports.show, paying, ours],
    [companyExports.make, paying, async rows => ({ ...(await ours(rows)), body: {} })],
    [clients.change, paying, async rows => ({ ...(await ours(rows)), body: { slogan: 'Novo' } })],
    [clients.remove, gone, () => ({ params: missing })],
    [
      visits.start,
      mastersOnly,
      async rows => ({ ...(await ours(rows)), body: { reason: 'Chamado', minutes: 15 } }),
    ],
    [visits.end, gone, () => ({ params: { ...missing, visitId: randomUUID() } })],
    [visits.list, [401, 403, 200, 404, 200], ours],
    ...leadLines(),
    ...noticeLines(),
    [invoices.list, paying, plan],
    [invoices.create, gone, () => ({ params: missing, body: anInvoice })],
    [invoices.pay, gone, () => ({ params: missing, body: { payDate: '2026-11-20' } })],
    [invoices.remove, gone, () => ({ params: missing })],
    [invoices.cancel, gone, () => ({ params: missing, body: { reason: 'Cortesia' } })],
    [invoices.ask, [401, 403, 404, 404, 404], () => ({ params: missing })],
    ...termsLines(),
    ...fiscalLines(),
    [autopay.companies, mastersOnly],
    [autopay.show, paying, ours],
    // no provider collects here
    [
      autopay.choose,
      [401, 403, 409, 404, 409],
      async rows => ({ ...(await ours(rows)), body: { kind: 'pix' } }),
    ],
    [autopay.end, paying, ours],
    ...ledgerLines(),
    ...revenueLines(),
    [reports.dash, adminsIn],
    [reports.attendances, adminsIn],
    [reports.hours, adminsIn],
    [reports.online, adminsIn],
    [reports.targets, adminsIn],
    [
      reports.changeTargets,
      adminsIn,
      () => ({ body: { waitMinutes: 5, serveMinutes: null, closedPerDay: null } }),
    ],
    [reports.showMail, adminsIn],
    // no mail server is set up here
    [
      reports.changeMail,
      [401, 403, 409, 409, 409],
      () => ({ body: { selectedQueueIds: [], selectedUserIds: [] } }),
    ],
    [reports.stopMail, [401, 200, 200, 200, 200]],
    [reports.services, adminsIn],
    [reports.export, adminsIn, () => ({ query: { what: 'figures', format: 'csv' } })],
    [businessHours.show, adminsIn],
    [businessHours.change, adminsIn, () => ({ body: { hours: [], holidays: [] } })],
    [systemControl.act, mastersOnly, () => ({ body: { action: 'getPm2Info' } })],
    [systemControl.adjustDb, mastersOnly],
    [systemControl.overview, mastersOnly],
    [systemControl.companies, mastersOnly],
    [systemControl.queues, mastersOnly],
    [systemControl.servers, mastersOnly],
    // no mail server is set up here
    [systemControl.testMail, [401, 403, 403, 403, 409]],
    [systemControl.retryFailed, mastersOnly, () => ({ params: { name: 'messageLogs.reprocessRecent' } })],
  ]
}

/** What strangers call who want to become a company. Where no mail is set up; no connection is there to ask. */
function leadLines(): Line[] {
  const all = (status: number): Statuses => [status, status, status, status, status]
  const aLead = () => ({ name: 'Ana', email: `${unique()}@loja.test`, whatsAppNumber: '5511999990000' })
  const aCompany = { leadId: 'x', documentNumber: '52998224725', name: 'Loja' }
  return [
    [leads.create, all(200), () => ({ body: aLead() })],
    [leads.show, all(404), () => ({ params: { leadId: 'x' } })],
    [leads.complete, all(404), () => ({ body: aCompany })],
    [leads.findWhatsapp, all(409), () => ({ params: { number: '5511999990000' } })],
  ]
}

/** Notices of invoices, and their recipients. */
function noticeLines(): Line[] {
  const body = { contactName: 'Rute' }
  const ours = async (rows: Rows) => ({ params: { companyId: await rows.company() } })
  const contact = async (rows: Rows) => ({
    params: { id: await rows.added(billingNotices.addContact, body) },
  })
  const missing = { params: { id: 2_000_000_000 } }
  const template = { name: 'Modelo' }
  return [
    [billingNotices.listContacts, paying, ours],
    [
      billingNotices.addContact,
      paying,
      async rows => ({ body: { ...body, companyId: await rows.company() } }),
    ],
    [billingNotices.showContact, paying, contact],
    [billingNotices.changeContact, paying, async rows => ({ ...(await contact(rows)), body })],
    [billingNotices.removeContact, [401, 403, 404, 404, 404], () => missing],
    [billingNotices.listNotices, paying, ours],
    [billingNotices.listTemplates, mastersOnly],
    [billingNotices.addTemplate, mastersOnly, () => ({ body: template })],
    [billingNotices.showTemplate, gone, () => missing],
    [billingNotices.changeTemplate, gone, () => ({ ...missing, body: template })],
    [billingNotices.removeTemplate, gone, () => missing],
    [billingNotices.tryTemplate, gone, () => ({ ...missing, body: { email: 'ana@loja.test' } })],
    [
      billingNotices.open,
      [404, 404, 404, 404, 404],
      () => ({ params: { platform: 'wpp', id: '00000000-0000-4000-8000-000000000000' } }),
    ],
  ]
}
