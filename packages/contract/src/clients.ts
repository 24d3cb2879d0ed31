import { z } from 'zod'
import { newPassword } from './accounts.ts'
import { Address, addressInput, documentNumber, line } from './companies.ts'
import { bit, day, flag, id, oneOf, page, pageQuery, route } from './kit.ts'
import { lines, nameWithin, Plan, PlanSwitches, seats } from './plans.ts'

/** A company, for the operator of the platform and for users who pay for it. */
export const ClientCompany = z
  .object({
    id: z.int(),
    logoUrl: z.string(),
    name: z.string(),
    email: z.string(),
    slogan: z.string(),
    companyName: z.string(),
    inscrMunicipal: z.string(),
    inscrEstadual: z.string(),
    documentNumber: z.string(),
    emailsOfNotifications: z.string(),
    whatsappsOfNotifications: z.string(),
    observation: z.string(),
    /** 1 active. */
    status: z.union([z.literal(0), z.literal(1)]),
    /** Since when nothing of it is sent, because it does not pay; null: it is not so. */
    suspendedAt: z.string().nullable(),
    /** The last day to choose what rests, where it has more users or connections than its plan. */
    limitsBy: day.nullable(),
    /** Users and connections that rest. */
    resting: z.int(),
    createdAt: z.string(),
    leadId: z.int().nullable(),
    /** Of its first user. */
    userName: z.string(),
    /** Accepted and never returned: a password. */
    passwordDefault: z.literal(''),
    numberAttendants: z.int(),
    numberConections: z.int(),
    /** At most one. */
    plan: z.array(Plan).max(1),
    /** Number of its users and connections. */
    usedAttendants: z.int(),
    usedConnections: z.int(),
    /** Recipients of its campaigns within the last hour. */
    usedSends: z.int(),
  })
  .extend(PlanSwitches.shape)
  .extend(Address.shape)
export type ClientCompany = z.infer<typeof ClientCompany>

/** exceeded: with more users or connections than its plan, also where some of them rest. */
export const CLIENT_LIMITS = ['exceeded'] as const

const EMAIL = 'E-mail é obrigatório'
const NO_EMAIL = 'Email é inválido'
const notes = z.string().trim().max(2_000, 'Too Long!').optional()
const yesOrNo = flag.optional()

/** Data of a company, by the names of the documents. */
export const ClientFields = z.object({
  name: nameWithin(150),
  email: z.string({ error: EMAIL }).trim().min(1, EMAIL).max(200, 'Too Long!').pipe(z.email(NO_EMAIL)),
  companyName: line,
  slogan: line,
  documentNumber: documentNumber.optional(),
  inscrMunicipal: line,
  inscrEstadual: line,
  emailsOfNotifications: notes,
  whatsappsOfNotifications: notes,
  ...addressInput,
  observation: notes,
  status: bit.optional(),
  numberAttendants: seats.optional(),
  numberConections: lines.optional(),
  enableReports: yesOrNo,
  enableDashboard: yesOrNo,
  enableCampaigns: yesOrNo,
  enableSchedules: yesOrNo,
  enableBots: yesOrNo,
  enableFlows: yesOrNo,
})

/** Omitted fields are kept. */
export const ClientChanges = ClientFields.partial()
export type ClientChanges = z.infer<typeof ClientChanges>

const USER_NAME = 'Required'

/** A new company with its first admin, whose login is the company's e-mail and `passwordDefault`. */
export const ClientInput = ClientFields.extend({
  name: nameWithin(50),
  userName: z.string({ error: USER_NAME }).trim().min(2, 'Too Short!').max(50, 'Too Long!'),
  passwordDefault: newPassword,
  leadId: id.nullable().optional(),
})
export type ClientInput = z.infer<typeof ClientInput>

const companyId = z.object({ companyId: id })

export const clients = {
  list: route('GET', '/company', {
    needs: 'master',
    summary: 'All companies by name, a page at a time, with their plan and how much of it they use.',
    query: pageQuery.extend({ limits: oneOf(CLIENT_LIMITS).optional() }),
    reply: page('companies', ClientCompany),
  }),
  show: route('GET', '/company/:companyId', {
    needs: 'payPanel',
    summary: 'One company: any for masters, the own one for those who pay for it.',
    params: companyId,
    reply: ClientCompany,
  }),
  storage: route('GET', '/company/:companyId/storage', {
    needs: 'administration',
    summary:
      'How much room the files of a company take, and how many MiB its plan gives it (0: no limit): any for masters, the own one for its admins.',
    params: companyId,
    reply: z.object({ files: z.int(), bytes: z.int(), limitMb: z.int() }),
  }),
  create: route('POST', '/company', {
    needs: 'master',
    summary: 'Founds a company with its first admin. It has no plan until it is given one.',
    body: ClientInput,
    reply: z.object({ company: ClientCompany }),
  }),
  change: route('PUT', '/company/:companyId', {
    needs: 'payPanel',
    summary:
      'Changes a company; what is left out stays. Status, limits and switches are a master’s to change.',
    params: companyId,
    body: ClientChanges,
    reply: ClientCompany,
  }),
  remove: route('DELETE', '/company/:companyId', {
    needs: 'master',
    summary:
      'Switches a company off and deletes everything of it, never the own one. It is off at once; its rows and files are gone moments later.',
    params: companyId,
  }),
}
