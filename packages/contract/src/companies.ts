import { z } from 'zod'
import { id, route } from './kit.ts'

/** What the menus read of a company's plan (OP-25). */
export const PlanFlags = z.object({
  id: z.int(),
  name: z.string(),
  iaIntegrationEnabled: z.boolean(),
  enableFlows: z.boolean(),
})

/** A zone of the time zone database by its name, which both sides know. */
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
  enableCampaigns: z.boolean(),
  enableBots: z.boolean(),
  enableFlows: z.boolean(),
  plan: z.array(PlanFlags).max(1),
})
export type SessionCompany = z.infer<typeof SessionCompany>

/** Whether strangers may sign up, each with a company of their own. */
export const UserCreation = z.enum(['enabled', 'disabled'])

/** What a company decides for itself; what is left out stays. */
export const CompanyInput = z.object({ timeZone: TimeZone.nullable().optional() })
export type CompanyInput = z.infer<typeof CompanyInput>

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
  /** Where others reach this installation; empty when its operator did not say. */
  backendUrl: z.string(),
})
export type Branding = z.infer<typeof Branding>

/** What the operator decides for the whole platform: a key and its value, as the documents name them. */
export const Setting = z.object({ key: z.literal('userCreation'), value: UserCreation })
export type Setting = z.infer<typeof Setting>

/** Where the installation's own pictures stand. */
export const brandPictures = { icon: '/branding/icon', logoFile: '/branding/logo' } as const

export const companies = {
  change: route('PUT', '/companyByCompany/:companyId', {
    needs: 'administration',
    says: 'Changes the own company: the time zone that its clocks, protocols and filters follow.',
    params: z.object({ companyId: id }),
    body: CompanyInput,
    reply: SessionCompany,
  }),
  settings: route('GET', '/settings', {
    needs: 'master',
    says: 'Settings of the platform.',
    reply: z.array(Setting),
  }),
  changeSetting: route('PUT', '/settings/:settingKey', {
    needs: 'master',
    says: 'Changes a setting of the platform. Sign-up: userCreation is enabled or disabled.',
    params: z.object({ settingKey: z.string().max(50) }),
    body: z.object({ value: UserCreation }),
    reply: Setting,
  }),
  branding: route('GET', '/branding', {
    needs: 'nobody',
    says: 'Name, colours and switches of this installation.',
    reply: Branding,
  }),
}
