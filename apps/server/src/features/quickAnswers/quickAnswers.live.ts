import type { AnswerOwner } from '@balcao/contract/quickAnswers.rules.ts'
import { quickAnswerChannel } from '@balcao/contract/quickAnswers.ts'
import { admins, allMembers, everyone, oneUser, publish, type Room } from '../../platform/live/live.ts'
import { quickAnswerChanged } from './quickAnswers.events.ts'

/** To those who see it; for those who do not see it any more it is deleted. */
export const live = [
  publish(quickAnswerChanged, (companyId, { before, ...change }, push) => {
    const rooms = change.action === 'delete' ? [] : roomsOf(companyId, change.quickAnswer)
    const quickAnswerId = change.action === 'delete' ? change.quickAnswerId : change.quickAnswer.id
    if (change.action !== 'delete') push(quickAnswerChannel, rooms, change)
    const left = before ? roomsOf(companyId, before).filter(room => !rooms.includes(room)) : []
    if (left.length > 0) push(quickAnswerChannel, left, { action: 'delete', quickAnswerId }, rooms)
  }),
]

function roomsOf(companyId: number, { queueId, userId }: AnswerOwner): Room[] {
  if (userId !== null) return [oneUser(companyId, userId)]
  return queueId === null ? [everyone(companyId)] : [...allMembers(companyId, queueId), admins(companyId)]
}
