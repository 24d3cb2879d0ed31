import { visitChannel } from '@balcao/contract/visits.ts'
import { followList } from '../../platform/lists.ts'

const VISITS = ['visits']

export const followVisits = () => followList(visitChannel, VISITS)
