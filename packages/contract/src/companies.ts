import { z } from 'zod'
import { documentProblem, plainDocument } from './companies.rules.ts'
import { country, id, jsonForm, route, text } from './kit.ts'

/** What the menus read of a company's plan (OP-25). */
export const PlanFlags = z.object({
  id: z.int(),
  name: z.string(),
  iaIntegrationEnabled: z.boolean(),
  enableFlows: z.boolean(),
})

/** A name of the time zone database, known to PostgreSQL and to Intl. */
export const TimeZone = z.string().max(64).refine(isTimeZone, 'No such time zone')

function isTimeZone(name: string) {
  try {
    return name.includes('/') && new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

/** The company as its own users see it. */
export const SessionCompany = z.object({
  id: z.int(),
  companyName: z.string(),
  slogan: z.string(),
  logoUrl: z.string(),
  /** Null: the installation's. */
  timeZone: z.string().nullable(),
  /** The country of numbers that are written without one. */
  phoneCountry: z.string(),
  enableReports: z.boolean(),
  enableDashboard: z.boolean(),
  enableCampaigns: z.boolean(),
  enableSchedules: z.boolean(),
  enableBots: z.boolean(),
  enableFlows: z.boolean(),
  /** Owes since longer than the operator's grace, or its service rests: nothing of it is sent. */
  suspended: z.boolean(),
  /** A pause in which the service rests, which is a suspension, too; `until` is the day on which it is back, null: until further notice. */
  servicePause: z.object({ until: z.iso.date().nullable(), reason: z.string() }).nullable(),
  /** The last day to pay overdue invoices before the suspension; null where nothing is overdue, and for non-payers. */
  payBy: z.iso.date().nullable(),
  /** The last day to choose which users and connections rest; null: the plan's limits are kept. */
  limitsBy: z.iso.date().nullable(),
  /** Its admins are asked to accept the terms of the operator. */
  termsDue: z.boolean(),
  plan: z.array(PlanFlags).max(1),
})
export type SessionCompany = z.infer<typeof SessionCompany>

/** Whether strangers may sign up, each with a company of their own. */
export const UserCreation = z.enum(['enabled', 'disabled'])

/** Days overdue before the company is suspended; 0: never. */
/** Periods of which a company pays nothing before it is not billed any more, unless the operator chose others. */
export const UNPAID_PERIODS = 2

/** 0: it is billed for ever. */
export const UnpaidPeriods = z.string().regex(/^([0-9]|1[0-2])$/, 'De 0 a 12 períodos')

export const GraceDays = z.string().regex(/^([1-5]?[0-9]|60)$/, 'De 0 a 60 dias')

/** Days in which a company chooses what rests, after a change to a smaller plan. */
export const LIMIT_DAYS = 7
export const LimitDays = z.string().regex(/^([1-9]|[1-5][0-9]|60)$/, 'De 1 a 60 dias')

/** Percent, to the hundredth. */
export const LatePercent = z.string().regex(/^(10|[0-9](\.[0-9]{1,2})?)$/, 'De 0 a 10 %')

/** Reais that a company may owe for a dearer plan which works at once; empty: any sum. */
export const UpgradeTrust = z.string().regex(/^[0-9]{0,6}$/, 'De 0 a 999999 reais')

/** Where a company is, as an address in Brazil is written. */
export const Address = z.object({
  cep: z.string(),
  street: z.string(),
  numberAddress: z.string(),
  complement: z.string(),
  district: z.string(),
  city: z.string(),
  state: z.string(),
  country: z.string(),
})
export type Address = z.infer<typeof Address>

/** The company as its administrators see it. */
export const OwnCompany = SessionCompany.extend({
  name: z.string(),
  documentNumber: z.string(),
  /** Whether its admins still see what was deleted for everyone. */
  keepsDeleted: z.boolean(),
  /** What is read on the phone counts as read here. */
  readsOnPhone: z.boolean(),
  thanksMinutes: z.int(),
  reopensOnThanks: z.boolean(),
  outOfHoursEvery: z.int(),
  /** Whether notifications on devices show what customers and colleagues wrote. */
  pushShowsTexts: z.boolean(),
}).extend(Address.shape)
export type OwnCompany = z.infer<typeof OwnCompany>

/** A line of what is known of a company. */
export const line = z.string().trim().max(150, 'Too Long!').optional()

/** A postal code of Brazil, or none; what is written between its digits does not matter. */
export const postalCode = z
  .string()
  .max(20, 'Too Long!')
  .transform(written => written.replace(/\D/g, ''))
  .refine(digits => digits === '' || digits.length === 8, 'O CEP deve conter 8 dígitos')

/** A CPF, a CNPJ or nothing; otherwise with the message of the documents. */
export const documentNumber = z
  .string()
  .max(30, 'Too Long!')
  .superRefine((written, check) => {
    const problem = documentProblem(written)
    if (problem) check.addIssue(problem)
  })

/** Address of a company; omitted fields are kept. */
export const addressInput = {
  cep: postalCode.optional(),
  street: line,
  numberAddress: line,
  complement: line,
  district: line,
  city: line,
  state: line,
  country: line,
}

/** Settings of a company; omitted fields are kept. */
export const CompanyInput = z.object({
  /** Also the name that its people see. */
  name: text(2, 150).optional(),
  slogan: line,
  documentNumber: documentNumber.optional(),
  ...addressInput,
  /** Empty: the logo is removed. A new one is uploaded as a file. */
  logoUrl: z.string().max(500).optional(),
  timeZone: TimeZone.nullable().optional(),
  phoneCountry: country.optional(),
  keepsDeleted: z.boolean().optional(),
  readsOnPhone: z.boolean().optional(),
  /** Whether notifications on devices show what was written, or only that something was. */
  pushShowsTexts: z.boolean().optional(),
  /** Minutes after a closing in which thanks join the closed ticket instead of opening another; 0: never. */
  thanksMinutes: z.int().min(0).max(1_440).optional(),
  /** Such thanks reopen the ticket for its attendant, instead of joining it as it is. */
  reopensOnThanks: z.boolean().optional(),
  /** Hours after which a contact may be sent the message for the time outside the hours again. */
  outOfHoursEvery: z.int().min(1).max(168).optional(),
})
export type CompanyInput = z.infer<typeof CompanyInput>

/** What a logo may be, and how large. */
export const logoTypes = ['image/png', 'image/jpeg']
export const LOGO_BYTES = 2 * 1024 * 1024

/** Where a postal code is. */
export const FoundPostalCode = Address.pick({
  street: true,
  district: true,
  city: true,
  state: true,
  country: true,
})
export type FoundPostalCode = z.infer<typeof FoundPostalCode>

/** Data of the company register for a CNPJ, under the names of the documents. */
export const FoundCnpj = z.object({
  nome: z.string(),
  fantasia: z.string(),
  cep: z.string(),
  logradouro: z.string(),
  numero: z.string(),
  complemento: z.string(),
  bairro: z.string(),
  municipio: z.string(),
  uf: z.string(),
})
export type FoundCnpj = z.infer<typeof FoundCnpj>

/** Values of the environment that the web app needs, read at run time, under the names of the documents. */
export const Branding = z.object({
  platformName: z.string(),
  /** Addresses of pictures; empty for Balcão's own. */
  icon: z.string(),
  logoFile: z.string(),
  primaryColour: z.string(),
  internalChatFlag: z.boolean(),
  /** Null: never. */
  hoursToAutoCloseTickets: z.int().nullable(),
  mapsKey: z.string(),
  userCreation: UserCreation,
  /** Of companies that chose none. */
  timeZone: z.string(),
  /** With demo data on, the simulator is offered as a kind of connection. */
  demo: z.boolean(),
  /** A restored copy that is tried out: nothing leaves it. */
  drill: z.boolean(),
  /** Public address of this installation; empty when not configured. */
  backendUrl: z.string(),
  /** Characters that a new password has at least. */
  passwordLength: z.int(),
  /** Whether this installation can send letters. */
  mail: z.boolean(),
  /** Whether a payment provider collects what companies owe. */
  payments: z.boolean(),
  /** The operator's app at Meta, for the embedded sign-up of the official API; null where there is none. */
  meta: z.object({ appId: z.string(), configId: z.string() }).nullable(),
  /** Where the operator sells the product, and where it is used; empty for the front page of this installation. */
  marketingUrl: z.string(),
  productUrl: z.string(),
})
export type Branding = z.infer<typeof Branding>

const setting = <Key extends string, Value extends z.ZodType<string>>(key: Key, value: Value) =>
  z.object({
    key: z.literal(key),
    value,
    /** A master decided about it, also for what is usual; in the list of settings only. */
    isChosen: z.boolean().optional(),
  })

/** What the operator decides for the whole platform: a key and its value, as the documents name them. */
export const Setting = z.discriminatedUnion('key', [
  setting('userCreation', UserCreation),
  setting('graceDays', GraceDays),
  setting('customersEnd', UserCreation),
  setting('unpaidPeriods', UnpaidPeriods),
  setting('limitDays', LimitDays),
  setting('lateFine', LatePercent),
  setting('lateInterest', LatePercent),
  setting('upgradeTrust', UpgradeTrust),
  setting('oneTrial', UserCreation),
])
export type Setting = z.infer<typeof Setting>

/** Folder of the installation's own pictures. */
export const brandPictures = { icon: '/branding/icon', logoFile: '/branding/logo' } as const

export const companies = {
  change: route('PUT', '/companyByCompany/:companyId', {
    edits: '/companyByCompany/:companyId',
    needs: 'administration',
    summary:
      'Changes the own company: name, slogan, logo, document number, address, and the time zone that its clocks follow.',
    params: z.object({ companyId: id }),
    files: 'also',
    fileBytes: LOGO_BYTES,
    body: jsonForm(CompanyInput),
    reply: OwnCompany,
  }),
  show: route('GET', '/companyByCompany/:companyId', {
    needs: 'administration',
    summary: 'The own company with its document number and address.',
    params: z.object({ companyId: id }),
    reply: OwnCompany,
  }),
  findPostalCode: route('GET', '/helper/cep/:cep', {
    needs: 'nobody',
    summary: 'Street, district, city and state of a postal code, asked of the service of CEP_URL.',
    params: z.object({ cep: postalCode.refine(Boolean, 'Required') }),
    reply: FoundPostalCode,
    limit: { counts: 'calls', caller: 30, outside: 300 },
  }),
  findCnpj: route('GET', '/helper/cnpj/:cnpj', {
    needs: 'nobody',
    summary: 'Name and address of a company by its CNPJ, asked of the service of CNPJ_URL.',
    params: z.object({
      cnpj: z
        .string()
        .max(30)
        .transform(plainDocument)
        .refine(plain => plain.length === 14 && documentProblem(plain) === null, 'CNPJ invalido'),
    }),
    reply: FoundCnpj,
    limit: { counts: 'calls', caller: 10, outside: 300 },
  }),
  settings: route('GET', '/settings', {
    needs: 'master',
    summary: 'Settings of the platform.',
    reply: z.array(Setting),
  }),
  changeSetting: route('PUT', '/settings/:settingKey', {
    needs: 'master',
    summary:
      'Changes a setting of the platform. Sign-up: userCreation is enabled or disabled. Blocking: graceDays, 0 (never) to 60, are the days that a company may be overdue before nothing of it is sent. Billing: unpaidPeriods, 0 (never) to 12, are the periods of which a company pays nothing before it is billed no more; limitDays, 1 to 60, are the days in which a company chooses what rests after a change to a smaller plan; lateFine and lateInterest, 0 (none) to 10, are the percent that who pays late is asked for, once and for each 30 days; customersEnd, enabled or disabled: whether those who pay for a company may end its subscription; upgradeTrust, 0 to 999999 reais or empty (any sum): for so much a dearer plan works before it is paid; oneTrial, enabled or disabled: whether a CPF or CNPJ has one trial.',
    params: z.object({ settingKey: z.string().max(50) }),
    body: z.object({
      value: z.union([UserCreation, GraceDays, UnpaidPeriods, LimitDays, LatePercent, UpgradeTrust]),
    }),
    reply: Setting,
  }),
  branding: route('GET', '/branding', {
    needs: 'nobody',
    summary: 'Name, colours and switches of this installation.',
    reply: Branding,
  }),
}
