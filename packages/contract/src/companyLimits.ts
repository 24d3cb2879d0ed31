import { z } from 'zod'
import { day, id, route } from './kit.ts'

/** So many users or connections are listed and chosen. */
const MOST = 2_000

const Limited = z.object({
  limit: z.int(),
  /** The oldest first. */
  rows: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      /** Of a user the e-mail, of a connection its number. */
      detail: z.string(),
      isResting: z.boolean(),
      /** A user who may choose: one of them does not rest. */
      isAdmin: z.boolean(),
    }),
  ),
})
export type Limited = z.infer<typeof Limited>

/** What a company has, and may have by its plan. */
export const CompanyLimits = z.object({
  companyId: z.int(),
  users: Limited,
  connections: Limited,
  /** The last day to choose; then the newest rest. Null: nothing is to be chosen. */
  chooseBy: day.nullable(),
  /** Names of admins who see what the company pays, where that is chosen; the first of them. */
  choosers: z.array(z.string()),
})
export type CompanyLimits = z.infer<typeof CompanyLimits>

const ids = z.array(id).max(MOST)

/** What goes on; everything else rests. */
export const LimitsChoice = z.object({ userIds: ids, connectionIds: ids })

const companyId = z.object({ companyId: id })

export const companyLimits = {
  show: route('GET', '/companyLimits/:companyId', {
    needs: 'administration',
    summary:
      'The users and connections of a company, which of them rest, and how many its plan allows: of any for masters, of the own one for its admins. ERR_NO_COMPANY_PLAN where it has none.',
    params: companyId,
    reply: CompanyLimits,
  }),
  choose: route('PUT', '/companyLimits/:companyId', {
    needs: 'administration',
    summary:
      'Chooses which users and connections go on; the others rest: resting users cannot log in, resting connections do not run. ERR_BAD_REQUEST for more than the plan allows, and for who would rest himself; ERR_LAST_ADMIN without an admin.',
    params: companyId,
    body: LimitsChoice,
    reply: CompanyLimits,
  }),
}
