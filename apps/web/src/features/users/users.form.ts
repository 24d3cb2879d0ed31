import type { Connection } from '@balcao/contract/connections.ts'
import type { UserAuthorization } from '@balcao/contract/permissions.ts'
import type { Queue } from '@balcao/contract/queues.ts'
import { incomplete, type Profile, UserInput } from '@balcao/contract/users.ts'
import type { FormErrors, UseFormReturnType } from '@mantine/form'
import type { z } from 'zod'
import { notify } from '../../platform/notify.tsx'

/** What there is to choose from. */
export interface UserOptions {
  groups: UserAuthorization[]
  queues: Queue[]
  connections: Connection[]
}

/** A user as the dialog has him. */
export interface UserValues extends Record<string, unknown> {
  name: string
  email: string
  password: string
  profile: z.infer<typeof Profile>
  userAuthorizationId: number | null
  whatsappId: number | null
  queueIds: number[]
  greetingMessage: string
  enableGreeting: boolean
  signMessage: boolean
  showAllTickets: boolean
  payPanelAccess: boolean
  master: boolean
  volume: number
}

export type UserForm = UseFormReturnType<UserValues>

/**
 * What the dialog asks for: a new user has a password, and what a creator who is no master must give him as far as the
 * company has any; the first user brings the usual ones (OP-71).
 */
export function schemaOf(isNew: boolean, isMaster: boolean, { groups, queues, connections }: UserOptions) {
  if (!isNew) return UserInput
  const { password, userAuthorizationId, whatsappId, queueIds } = UserInput.shape
  const asked = (exists: boolean) => exists && !isMaster
  return UserInput.extend({
    password: password.refine(Boolean, 'Required'),
    userAuthorizationId: userAuthorizationId.refine(
      id => id || !asked(groups.length > 0),
      incomplete.userAuthorizationId,
    ),
    whatsappId: whatsappId.refine(id => id || !asked(connections.length > 0), incomplete.whatsappId),
    queueIds: queueIds.refine(ids => ids?.length || !asked(queues.length > 0), incomplete.queueIds),
  })
}

const warned = Object.keys(incomplete) as (keyof typeof incomplete)[]

/** What the documents say as warnings is said as one too; it may stand further down than one looks. */
export function warnOf(errors: FormErrors) {
  const missing = warned.find(field => errors[field])
  if (missing) notify.warn(incomplete[missing], { id: 'incomplete' })
}
