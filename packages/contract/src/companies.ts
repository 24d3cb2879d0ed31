import { z } from 'zod'
import { route } from './kit.ts'

/** What the menus read of a company's plan (OP-25). */
export const PlanFlags = z.object({
  id: z.int(),
  name: z.string(),
  iaIntegrationEnabled: z.boolean(),
  enableFlows: z.boolean(),
})

/** The company as its own users see it. */
export const SessionCompany = z.object({
  id: z.int(),
  companyName: z.string(),
  slogan: z.string(),
  logoUrl: z.string(),
  enableCampaigns: z.boolean(),
  enableBots: z.boolean(),
  enableFlows: z.boolean(),
  plan: z.array(PlanFlags).max(1),
})
export type SessionCompany = z.infer<typeof SessionCompany>

/** Values of the environment that the web app needs, read at run time. */
export const Branding = z.object({
  platformName: z.string(),
  platformIcon: z.string(),
  primaryColor: z.string(),
  logoFile: z.string(),
  internalChat: z.boolean(),
  mapsKey: z.string(),
  userCreation: z.enum(['enabled', 'disabled']),
  /** With demo data on, the simulator is offered as a kind of connection. */
  demo: z.boolean(),
  /** Where others reach this installation; empty when its operator did not say. */
  backendUrl: z.string(),
})
export type Branding = z.infer<typeof Branding>

export const companies = {
  branding: route('GET', '/branding', {
    needs: 'nobody',
    says: 'Name, colours and switches of this installation.',
    reply: Branding,
  }),
}
