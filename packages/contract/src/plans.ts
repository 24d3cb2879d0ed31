import { z } from 'zod'
import { day, flag, id, listChannel, oneOf, page, pageQuery, route } from './kit.ts'

export const Recurrence = z.enum(['month1', 'months3', 'months6', 'months12'])
export const BillingType = z.enum(['PIX', 'BOLETO', 'CREDIT_CARD'])
/** 0 none, 1 biggest, 2 smaller. */
export const Highlight = z.union([z.literal(0), z.literal(1), z.literal(2)])

/** What a plan lets a company do; assigned, it becomes the company's own switches of the same names. */
export const PlanSwitches = z.object({
  enableReports: z.boolean(),
  enableDashboard: z.boolean(),
  enableCampaigns: z.boolean(),
  enableSchedules: z.boolean(),
  enableBots: z.boolean(),
  enableFlows: z.boolean(),
})
export type PlanSwitches = z.infer<typeof PlanSwitches>

const Shown = z.object({
  value1MonthBrl: z.string(),
  value1MonthTotal: z.int(),
  value1MonthTotalBrl: z.string(),
  value1MonthDiscount: z.int(),
  value3MonthsBrl: z.string(),
  value3MonthsTotal: z.int(),
  value3MonthsTotalBrl: z.string(),
  value3MonthsDiscount: z.int(),
  value6MonthsBrl: z.string(),
  value6MonthsTotal: z.int(),
  value6MonthsTotalBrl: z.string(),
  value6MonthsDiscount: z.int(),
  value12MonthsBrl: z.string(),
  value12MonthsTotal: z.int(),
  value12MonthsTotalBrl: z.string(),
  value12MonthsDiscount: z.int(),
})

/** What the platform sells, or what one company has of it. Values are cents a month, by the period paid at once. */
export const Plan = z
  .object({
    id: z.int(),
    name: z.string(),
    slogan: z.string(),
    description: z.string(),
    numberAttendants: z.int(),
    numberConnections: z.int(),
    /** Storage quota in MiB; 0: no limit. */
    storageLimitMb: z.int(),
    value1Month: z.int(),
    value3Months: z.int(),
    value6Months: z.int(),
    value12Months: z.int(),
    recurrence: Recurrence,
    billingType: BillingType,
    automaticInvoice: z.boolean(),
    /** After the trial the company rests until it takes the plan up and pays; else it gets its first invoice. */
    restsAfterTrial: z.boolean(),
    highlighted: Highlight,
    isStandard: z.boolean(),
    /** Whether it is offered. */
    status: z.boolean(),
    /** Null: one of the platform's, for any company. */
    companyId: z.int().nullable(),
    iaIntegrationEnabled: z.boolean(),
    enableApi: z.boolean(),
    campaignSendLimitPerHour: z.int(),
  })
  .extend(PlanSwitches.shape)
  .extend(Shown.shape)
export type Plan = z.infer<typeof Plan>

const REQUIRED = 'Nome é obrigatório'
const written = (most: number) => z.string().trim().max(most, 'Too Long!').optional()
const cents = z.int({ error: 'Required' }).min(0).max(100_000_000).optional()
const yesOrNo = flag.optional()

/** The name of a plan or of a company, with the messages of the documents. */
export const nameWithin = (most: number) =>
  z.string({ error: REQUIRED }).trim().min(1, REQUIRED).min(2, 'Too Short!').max(most, 'Too Long!')

/** Limit of users and connections of a plan or a company. */
export const seats = z.int({ error: 'Required' }).min(1).max(100_000)
export const lines = z.int({ error: 'Required' }).min(0).max(10_000)

/** Fields of a plan; omitted ones default as in the documents. */
export const PlanInput = z.object({
  name: nameWithin(50),
  slogan: written(150),
  description: written(2_000),
  numberAttendants: seats.optional(),
  numberConnections: lines.optional(),
  storageLimitMb: z.int({ error: 'Required' }).min(0).max(100_000_000).optional(),
  value1Month: cents,
  value3Months: cents,
  value6Months: cents,
  value12Months: cents,
  recurrence: Recurrence.optional(),
  billingType: BillingType.optional(),
  automaticInvoice: yesOrNo,
  restsAfterTrial: yesOrNo,
  highlighted: oneOf([0, 1, 2]).optional(),
  isStandard: yesOrNo,
  status: yesOrNo,
  iaIntegrationEnabled: yesOrNo,
  enableReports: yesOrNo,
  enableDashboard: yesOrNo,
  enableCampaigns: yesOrNo,
  enableSchedules: yesOrNo,
  enableApi: yesOrNo,
  enableBots: yesOrNo,
  enableFlows: yesOrNo,
  campaignSendLimitPerHour: z.int({ error: 'Required' }).min(0).max(1_000_000).optional(),
})
export type PlanInput = z.infer<typeof PlanInput>

export const PlanChanges = PlanInput.partial().extend({
  /** The first day that is billed, where the plan of a company was free or not billed automatically; by default today. */
  billedFrom: day.optional(),
})
export type PlanChanges = z.infer<typeof PlanChanges>

/** Events of plans: users who pay for a company receive those of its own plan, masters all. */
export const planChannel = listChannel('plan', Plan)

const planId = z.object({ planId: id })
const companyId = z.object({ companyId: id })

export const plans = {
  public: route('GET', '/publicplan', {
    needs: 'nobody',
    summary: 'The plans that the platform offers to anybody.',
    reply: z.object({ plans: z.array(Plan) }),
    limit: { counts: 'calls', caller: 60 },
  }),
  list: route('GET', '/plan', {
    needs: 'master',
    summary: 'Plans of the platform by name, a page at a time; those of single companies are not among them.',
    query: pageQuery,
    reply: page('plans', Plan),
  }),
  show: route('GET', '/plan/:planId', {
    needs: 'payPanel',
    summary: 'One plan: any for masters, the own one for those who pay for their company.',
    params: planId,
    reply: Plan,
  }),
  create: route('POST', '/plan', {
    needs: 'master',
    summary: 'Adds a plan to the platform, or with companyId the one plan of a company.',
    body: PlanInput.extend({ companyId: id.nullable().optional() }),
    reply: Plan,
  }),
  change: route('PUT', '/plan/:planId', {
    needs: 'payPanel',
    summary:
      'Changes a plan; what is left out stays. Who pays for a company changes recurrence and billingType of its plan: the rest is ignored. ERR_PLAN_UNPRICED for a recurrence that has no price in a plan that has one.',
    params: planId,
    body: PlanChanges,
    reply: Plan,
  }),
  remove: route('DELETE', '/plan/:planId', {
    needs: 'master',
    summary:
      'Deletes a plan, but not the one that new companies get. Companies keep what was copied to them.',
    params: planId,
  }),
  ofCompany: route('GET', '/companyPlan/:companyId', {
    needs: 'payPanel',
    summary: 'The plan of a company, in a list that is empty where it has none.',
    params: companyId,
    reply: z.array(Plan),
  }),
  assign: route('POST', '/savePlanInCompany/:companyId/:planId', {
    needs: 'payPanel',
    summary: 'Copies an offered plan to a company that has none, whose limits and switches follow it.',
    params: z.object({ companyId: id, planId: id }),
    reply: Plan,
  }),
}
