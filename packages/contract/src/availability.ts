import { z } from 'zod'
import { BusinessHours } from './businessHours.ts'
import { channel, id, idOrNone, instant, route } from './kit.ts'
import { PauseReason } from './pauseReasons.ts'

export const AvailabilityState = z.enum(['available', 'pause', 'away'])
export type AvailabilityState = z.infer<typeof AvailabilityState>

/** Why a state is what it is: chosen by hand, outside the user's working hours, without input for long, or no screen open. */
export const AvailabilityCause = z.enum(['hand', 'hours', 'silence', 'screen'])
export type AvailabilityCause = z.infer<typeof AvailabilityCause>

/** Whether a user takes conversations now. */
export const Availability = z.object({
  id: z.int(),
  name: z.string(),
  state: AvailabilityState,
  cause: AvailabilityCause,
  /** Of a pause; null without one. */
  reason: PauseReason.nullable(),
  /** Null for who never logged in. */
  since: instant.nullable(),
  /** A screen is open anywhere, or a program called in the user's name a moment ago. */
  online: z.boolean(),
})
export type Availability = z.infer<typeof Availability>

export const AvailabilityInput = z.object({
  state: AvailabilityState,
  /** Of a pause, from the company's list. */
  reasonId: idOrNone.optional(),
})
export type AvailabilityInput = z.infer<typeof AvailabilityInput>

const hours = BusinessHours.shape.hours

/** Of one user, by the company's clock. Without hours there is no bound. */
export const UserHours = z.object({
  /** Away outside them. */
  working: hours,
  /** Outside them the user cannot log in, and sessions end; never an administrator. */
  login: hours,
})
export type UserHours = z.infer<typeof UserHours>

export const AvailabilitySettings = z.object({
  /** After so many minutes without input an available user is away; null: never. */
  silenceMinutes: z.int().min(1).max(1_440).nullable(),
})
export type AvailabilitySettings = z.infer<typeof AvailabilitySettings>

/** Of the caller: with the minutes of the company. */
export const OwnAvailability = Availability.extend(AvailabilitySettings.shape)

const userId = z.object({ userId: id })

export const availability = {
  set: route('PUT', '/users/availability', {
    needs: 'session',
    summary:
      'The caller is available, on a pause with a reason of the company, or away. Available needs an open screen to count.',
    body: AvailabilityInput,
    reply: Availability,
  }),
  own: route('GET', '/users/availability/own', {
    needs: 'session',
    summary: 'Whether the caller is available, and after how many minutes without input no longer.',
    reply: OwnAvailability,
  }),
  here: route('POST', '/users/availability/here', {
    needs: 'session',
    summary:
      'There was input on a screen: who is away by silence is available again. Once a minute is enough.',
    limit: { counts: 'calls', caller: 60 },
  }),
  setOf: route('PUT', '/users/:userId/availability', {
    needs: 'team',
    summary: 'The same of a colleague.',
    params: userId,
    body: AvailabilityInput,
    reply: Availability,
  }),
  hours: route('GET', '/users/:userId/hours', {
    needs: 'administration',
    summary: 'When a user works, and when the user may log in.',
    params: userId,
    reply: UserHours,
  }),
  changeHours: route('PUT', '/users/:userId/hours', {
    edits: '/users/:userId/hours',
    needs: 'administration',
    summary:
      'Says both anew. Sessions outside the hours to log in end within a minute; administrators are not bound.',
    params: userId,
    body: UserHours,
    reply: UserHours,
  }),
  settings: route('GET', '/availability/settings', {
    needs: 'administration',
    summary: 'After how many minutes without input a user is away.',
    reply: AvailabilitySettings,
  }),
  changeSettings: route('PUT', '/availability/settings', {
    edits: '/availability/settings',
    needs: 'administration',
    summary: 'Sets it anew; null for never.',
    body: AvailabilitySettings,
    reply: AvailabilitySettings,
  }),
}

/** For who may see the user on the board. */
export const availabilityChannel = channel(
  'availability-{companyId}',
  z.object({ action: z.literal('update'), userId: z.int(), availability: Availability }),
)
