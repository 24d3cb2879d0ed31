import type { ActionType, FlowAction } from './flows.ts'

/** Limits of a flow: actions, and seconds in total. */
export const MAX_ACTIONS = 100
export const LONGEST_WAIT = 3_600

/** Seconds of one action (automation §9). */
export const MAX_PARAM = 240

/** Text length limit of the official API. */
export const MAX_TEXT = 4_096

/** The kinds of files that the documents name: png, jpg, jpeg, pdf, mp4, mp3, ogg, docx (automation §5). */
export const flowFileTypes = [
  'image/png',
  'image/jpeg',
  'application/pdf',
  'video/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/ogg; codecs=opus',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]
export const FLOW_FILES = '.png,.jpg,.jpeg,.pdf,.mp4,.mp3,.ogg,.docx'

interface Action {
  actionType: ActionType
  body: string
  param: number
  mediaFileName: string
  media?: string | null | undefined
  mediaUrl?: string | null | undefined
}

/** Actions that last some seconds and send nothing. */
export const isPause = (type: ActionType) => type !== 'SendText' && type !== 'SendMedia'

/** Why an action cannot be added, at which of its fields (automation §5); null when it can. */
export function problemOf(action: Action): { field: 'body' | 'param' | 'mediaUrl'; message: string } | null {
  if (isPause(action.actionType))
    return action.param < 1 ? { field: 'param', message: 'At least 1 second' } : null
  if (action.actionType === 'SendText')
    return action.body.trim().length < 2 ? { field: 'body', message: 'Too Short!' } : null
  return action.mediaUrl || action.media || action.mediaFileName
    ? null
    : { field: 'mediaUrl', message: 'Required' }
}

/** Duration of a flow. */
export const flowSeconds = (actions: Pick<Action, 'actionType' | 'param'>[]) =>
  actions.reduce((sum, { actionType, param }) => sum + (isPause(actionType) ? param : 0), 0)

/** One message of a flow and its time in milliseconds from the start. */
export interface TimedMessage<A> {
  action: A
  at: number
  /** The indicator the customer sees from `typingFrom` until it is sent; null when none. */
  typing: 'composing' | 'recording' | null
  typingFrom: number
}

/**
 * The messages of a flow with their times. Typing and recording are shown from their own start until the next message;
 * of several before it the last counts, and those after the last message are not shown.
 */
export function timetable<A extends Pick<FlowAction, 'actionType' | 'param'>>(
  actions: A[],
): TimedMessage<A>[] {
  const messages: TimedMessage<A>[] = []
  let at = 0
  let shown: Pick<TimedMessage<A>, 'typing' | 'typingFrom'> = { typing: null, typingFrom: 0 }
  for (const action of actions) {
    if (!isPause(action.actionType)) {
      messages.push({ action, at, ...shown })
      shown = { typing: null, typingFrom: at }
      continue
    }
    if (action.actionType !== 'Delay')
      shown = { typing: action.actionType === 'Composing' ? 'composing' : 'recording', typingFrom: at }
    at += action.param * 1_000
  }
  return messages
}

/** The actions with the one at `from` moved to position `to`, which is limited to the list. */
export function moved<A>(actions: A[], from: number, to: number): A[] {
  const rest = actions.toSpliced(from, 1)
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, actions[from]!)
}
