import { availabilityChannel } from '@balcao/contract/availability.ts'
import { followList } from '../../platform/lists.ts'

export const TEAM = ['team']

/** Who is there: refetched when somebody's state changes. */
export const followTeam = () => followList(availabilityChannel, TEAM)
