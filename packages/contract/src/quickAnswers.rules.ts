import { may, type Viewer } from './permissions.rules.ts'
import type { QuickAnswer } from './quickAnswers.ts'

/** Whose a quick answer is: a queue's, a user's, or the company's where both are null. */
export type AnswerOwner = Pick<QuickAnswer, 'queueId' | 'userId'>

/** Whether the quick answers of a queue are seen, added to and changed. */
export const answersForQueue = (viewer: Viewer, queueId: number): boolean =>
  may(viewer, 'tickets:showAll') || viewer.queueIds.includes(queueId)

/** Whether a quick answer may be deleted, or moved away from those who share it. */
export const mayTakeAway = (viewer: Viewer, { userId }: Pick<AnswerOwner, 'userId'>): boolean =>
  userId === viewer.id || may(viewer, 'shared:delete')
