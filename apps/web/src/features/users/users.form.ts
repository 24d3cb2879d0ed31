import type { Connection } from '@balcao/contract/connections.ts'
import type { UserAuthorization } from '@balcao/contract/permissions.ts'
import type { Queue } from '@balcao/contract/queues.ts'
import { DEFAULT_VOLUME, incomplete, type Profile, UserInput } from '@balcao/contract/users.ts'
import type { FormErrors, UseFormReturnType } from '@mantine/form'
import { z } from 'zod'
import { notify } from '../../platform/notify.tsx'

/** What there is to choose from. */
export interface UserOptions {
  groups: UserAuthorization[]
  queues: Queue[]
  connections: Connection[]
}

export interface UserValues extends Record<string, unknown> {
  name: string
  email: string
  password: string
  /** Whether a new password ends API tokens and ids of campaign setups. */
  endSecrets: boolean
  profile: z.infer<typeof Profile>
  userAuthorizationId: number | null
  whatsappId: number | null
  queueIds: number[]
  greetingMessage: string
  farewellMessage: string
  enableGreeting: boolean
  signMessage: boolean
  showAllTickets: boolean
  payPanelAccess: boolean
  master: boolean
  volume: number
}

export type UserForm = UseFormReturnType<UserValues>

/**
 * Required fields: a new user has a password, and what a creator who is no master must assign as far as the
 * company has any; the first user creates the usual ones (OP-71).
 */
export function schemaOf(isNew: boolean, isMaster: boolean, options: UserOptions, password: z.ZodString) {
  if (!isNew) return UserInput.extend({ password: password.or(z.literal('')) })
  return UserInput.extend({ password, ...asked(isMaster, options) })
}

/** Required fields for a creator who is no master, as far as the company has any. */
export function asked(isMaster: boolean, { groups, queues, connections }: UserOptions) {
  const { userAuthorizationId, whatsappId, queueIds } = UserInput.shape
  const isAsked = (exists: boolean) => exists && !isMaster
  return {
    userAuthorizationId: userAuthorizationId.refine(
      id => id || !isAsked(groups.length > 0),
      incomplete.userAuthorizationId,
    ),
    whatsappId: whatsappId.refine(id => id || !isAsked(connections.length > 0), incomplete.whatsappId),
    queueIds: queueIds.refine(ids => ids?.length || !isAsked(queues.length > 0), incomplete.queueIds),
  }
}

/** A new user. */
export const noUser: UserValues = {
  name: '',
  email: '',
  password: '',
  endSecrets: true,
  profile: 'user',
  userAuthorizationId: null,
  whatsappId: null,
  queueIds: [],
  greetingMessage: '',
  farewellMessage: '',
  enableGreeting: false,
  signMessage: false,
  showAllTickets: false,
  payPanelAccess: false,
  master: false,
  volume: DEFAULT_VOLUME,
}

const warned = Object.keys(incomplete) as (keyof typeof incomplete)[]

/** Shows as a notice what the documents give as a warning; its field may be outside the viewport. */
export function warnOf(errors: FormErrors) {
  const missing = warned.find(field => errors[field])
  if (missing) notify.warn(incomplete[missing], { id: 'incomplete' })
}
