import { type AvailabilityInput, availability, type UserHours } from '@balcao/contract/availability.ts'
import { pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { team } from '@balcao/contract/team.ts'
import { queryOptions } from '@tanstack/react-query'
import { bytesOptions, saveBytes } from '../../platform/bytes.ts'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain, queryClient } from '../../platform/query.ts'
import { language } from '../../platform/text.ts'
import { TEAM } from './team.live.ts'

/** Conversations of colleagues are not pushed: the figures are fetched anew. */
const BOARD_MS = 15_000

export const teamBoard = queryOptions({
  queryKey: [...TEAM, 'board'],
  queryFn: async () => (await call(team.board)).users,
  refetchInterval: BOARD_MS,
  staleTime: 0,
})

export const ownAvailability = queryOptions({
  queryKey: [...TEAM, 'own'],
  queryFn: () => call(availability.own),
})

/** The first page: so many fit into a menu. */
export const reasonChoices = queryOptions({
  queryKey: ['pauseReasons', 'choices'],
  queryFn: async () => (await call(pauseReasons.list)).pauseReasons,
})

/** Reports a failure. */
export async function setAvailability(body: AvailabilityInput): Promise<void> {
  try {
    const own = await call(availability.set, { body })
    const known = queryClient.getQueryData(ownAvailability.queryKey)
    if (known) queryClient.setQueryData(ownAvailability.queryKey, { ...known, ...own })
    await askAgain({ queryKey: TEAM })
  } catch (error) {
    notify.failed(error)
  }
}

export const hoursOf = (userId: number) =>
  queryOptions({
    queryKey: ['userHours', userId],
    queryFn: () => call(availability.hours, { params: { userId } }),
    staleTime: 0,
  })

/** Throws ApiError. */
export async function saveUserHours(userId: number, body: UserHours, seen: UserHours): Promise<UserHours> {
  const saved = await call(availability.changeHours, { params: { userId }, body, seen })
  queryClient.setQueryData(hoursOf(userId).queryKey, saved)
  return saved
}

export const silenceSettings = queryOptions({
  queryKey: ['silenceSettings'],
  queryFn: () => call(availability.settings),
  staleTime: 0,
})

/** Throws ApiError. */
export async function saveSilence(silenceMinutes: number | null): Promise<void> {
  const saved = await call(availability.changeSettings, { body: { silenceMinutes } })
  queryClient.setQueryData(silenceSettings.queryKey, saved)
}

interface Asked {
  initialDate?: string
  finalDate?: string
  selectedUserIds: number[]
}

export const pausesFor = (query: Asked) =>
  queryOptions({
    queryKey: ['reports', 'pauses', query],
    queryFn: () => call(team.pauses, { query }),
    staleTime: 0,
  })

/** Saves the report as a file; reports a failure. */
export async function savePauses(query: Asked, format: 'xlsx' | 'csv', name: string): Promise<void> {
  try {
    const { url } = await call(team.exportPauses, { query: { ...query, format, language: language() } })
    saveBytes(await queryClient.fetchQuery(bytesOptions(url)), `${name}.${format}`)
  } catch (error) {
    notify.failed(error)
  }
}
