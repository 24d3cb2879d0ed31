import { flowFileTypes, takesTime } from '@balcao/contract/flows.rules.ts'
import type { FlowActionInput } from '@balcao/contract/flows.ts'
import { refuse } from '../../platform/errors.ts'
import { addressOf } from '../../platform/files.served.ts'
import type { StoredFile } from '../../platform/files.ts'
import type { StoredAction } from './flows.table.ts'

/**
 * Actions as they are kept, in their order, each with its file: one that the flow has, or one that came along under the
 * action's name for it. Of several with the same name each action takes the next, and the last one again when there are
 * no more. Refuses with ERR_FILE_TYPE, and with ERR_BAD_REQUEST where a file is missing.
 */
export function storedActions(
  actions: FlowActionInput[],
  files: StoredFile[],
  before: StoredAction[],
): StoredAction[] {
  if (files.some(({ type }) => !flowFileTypes.includes(type))) refuse('ERR_FILE_TYPE', { field: 'mediaFile' })
  const brought = Map.groupBy(files, ({ name }) => name)
  const kept = new Map(before.map(action => [action.mediaUrl, action]))
  const fileOf = (action: FlowActionInput, at: number): StoredAction => {
    const address = action.mediaUrl || action.media
    const former = address ? kept.get(address) : undefined
    if (former) return { ...former, body: action.body, actionType: 'SendMedia' }
    const waiting = brought.get(action.mediaFileName) ?? []
    const file = waiting.length > 1 ? waiting.shift() : waiting[0]
    const missing = { field: `flowActions.${at}.mediaUrl`, message: 'This file did not come along' }
    return file ? withFile(action, file) : refuse('ERR_BAD_REQUEST', missing)
  }
  return inOrder(actions).map((action, at) => {
    const { actionType, body, param } = action
    if (actionType === 'SendMedia') return fileOf(action, at)
    return takesTime(actionType) ? { ...none, actionType, param } : { ...none, actionType, body }
  })
}

/** Those that came along and no action names. */
export function unnamed(files: StoredFile[], stored: StoredAction[]): string[] {
  const named = new Set(stored.map(({ mediaUrl }) => mediaUrl))
  return files.map(({ key }) => addressOf(key)).filter(address => !named.has(address))
}

/** Those that say their place stand in it; without places, as they came. */
const inOrder = (actions: FlowActionInput[]) =>
  actions.every(({ order }) => order !== undefined)
    ? actions.toSorted((a, b) => a.order! - b.order!)
    : actions

const none = { body: '', param: 0, mediaUrl: null, mediaFileName: '', mediaType: null, file: null }

const withFile = ({ body }: FlowActionInput, { key, kind, sha256, ...about }: StoredFile): StoredAction => ({
  actionType: 'SendMedia',
  body,
  param: 0,
  mediaUrl: addressOf(key),
  mediaFileName: about.name,
  mediaType: kind,
  file: { state: 'ready', ...about, isVoice: false },
  sha256,
})
