import type { ActionType, FlowAction } from './flows.ts'

/** So many actions a flow has at most, and so long (s) it may take. */
export const MAX_ACTIONS = 100
export const LONGEST_WAIT = 3_600

/** Seconds of one action (automation §9). */
export const MAX_PARAM = 240

/** What the official API takes in one text. */
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

/** What takes its seconds and says nothing. */
export const takesTime = (type: ActionType) => type !== 'SendText' && type !== 'SendMedia'

/** Why an action cannot be added, at which of its fields (automation §5); null when it can. */
export function problemOf(action: Action): { field: 'body' | 'param' | 'mediaUrl'; message: string } | null {
  if (takesTime(action.actionType))
    return action.param < 1 ? { field: 'param', message: 'At least 1 second' } : null
  if (action.actionType === 'SendText')
    return action.body.trim().length < 2 ? { field: 'body', message: 'Too Short!' } : null
  return action.mediaUrl || action.media || action.mediaFileName
    ? null
    : { field: 'mediaUrl', message: 'Required' }
}

/** How long a flow takes. */
export const flowSeconds = (actions: Pick<Action, 'actionType' | 'param'>[]) =>
  actions.reduce((sum, { actionType, param }) => sum + (takesTime(actionType) ? param : 0), 0)

/** Something that is said, and when, in milliseconds from the beginning of its flow. */
export interface Spoken<A> {
  action: A
  at: number
  /** What the customer sees from `typingFrom` until it is said; null when nothing. */
  typing: 'composing' | 'recording' | null
  typingFrom: number
}

/**
 * What a flow says at which time. Typing and recording are shown from their own beginning until the next thing is said;
 * of several before it the last counts, and after the last thing said there is nobody to see them.
 */
export function timetable<A extends Pick<FlowAction, 'actionType' | 'param'>>(actions: A[]): Spoken<A>[] {
  const said: Spoken<A>[] = []
  let at = 0
  let shown: Pick<Spoken<A>, 'typing' | 'typingFrom'> = { typing: null, typingFrom: 0 }
  for (const action of actions) {
    if (!takesTime(action.actionType)) {
      said.push({ action, at, ...shown })
      shown = { typing: null, typingFrom: at }
      continue
    }
    if (action.actionType !== 'Delay')
      shown = { typing: action.actionType === 'Composing' ? 'composing' : 'recording', typingFrom: at }
    at += action.param * 1_000
  }
  return said
}

/** The actions with the one at `from` put in the place `to`; places outside leave it at the end nearest to them. */
export function moved<A>(actions: A[], from: number, to: number): A[] {
  const rest = actions.toSpliced(from, 1)
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, actions[from]!)
}
