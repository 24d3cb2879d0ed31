import { flowFileTypes, isPause } from '@balcao/contract/flows.rules.ts'
import type { Flow, FlowActionInput, FlowInput } from '@balcao/contract/flows.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { addressOf, removeFiles } from '../../platform/files/served.ts'
import type { Scope } from '../../platform/scope.ts'
import { refuseUsed } from '../../platform/uses.ts'
import { askPlan } from '../companies/companies.queries.ts'
import { flowChanged } from './flows.events.ts'
import { deleteFlow, insertFlow, lockFlow, updateFlow } from './flows.queries.ts'
import type { StoredAction } from './flows.table.ts'

/** Refuses with ERR_NOT_IN_PLAN, ERR_FILE_TYPE, and ERR_BAD_REQUEST for a missing file. */
export const addFlow = (scope: Scope, { name, type, flowActions }: FlowInput, files: StoredFile[]) =>
  scope.transaction(async (tx): Promise<Flow> => {
    await askPlan(tx, 'enableFlows')
    const stored = storedActions(flowActions, files, [])
    const flow = await insertFlow(tx, { name, type, flowActions: stored })
    await removeFiles(tx, unusedFiles(files, stored))
    tx.emit(flowChanged, { action: 'create', flow })
    return flow
  })

/** Deletes files that its actions do not use any more. Refuses as `addFlow` does, and with ERR_NOT_FOUND. */
export const changeFlow = (
  scope: Scope,
  flowId: number,
  { name, type, flowActions }: FlowInput,
  files: StoredFile[],
): Promise<Flow> =>
  scope.transaction(async tx => {
    const before = (await lockFlow(tx, flowId, 'update')).flowActions
    await askPlan(tx, 'enableFlows')
    const stored = storedActions(flowActions, files, before)
    const flow = await updateFlow(tx, flowId, { name, type, flowActions: stored })
    const named = new Set(stored.map(({ mediaUrl }) => mediaUrl))
    const gone = before.flatMap(({ mediaUrl }) => (mediaUrl && !named.has(mediaUrl) ? mediaUrl : []))
    await removeFiles(tx, [...new Set(gone), ...unusedFiles(files, stored)])
    tx.emit(flowChanged, { action: 'update', flow })
    return flow
  })

/** Allowed without flows in the plan. Refuses with ERR_NOT_FOUND, ERR_USED_BY_BOTS. */
export const removeFlow = (scope: Scope, flowId: number, evenIfUsed: boolean): Promise<void> =>
  scope.transaction(async tx => {
    const { flowActions } = await lockFlow(tx, flowId, 'update')
    await refuseUsed(tx, 'flow', flowId, evenIfUsed)
    await deleteFlow(tx, flowId)
    await removeFiles(tx, [...new Set(flowActions.flatMap(({ mediaUrl }) => mediaUrl ?? []))])
    tx.emit(flowChanged, { action: 'delete', flowId })
  })

/**
 * Actions as they are stored, in order, each with its file: one of the flow, or the uploaded one of its name. Of several files
 * with one name each action takes the next, then the last again. Refuses with ERR_FILE_TYPE, and with ERR_BAD_REQUEST for a
 * missing file.
 */
function storedActions(
  actions: FlowActionInput[],
  files: StoredFile[],
  before: StoredAction[],
): StoredAction[] {
  if (files.some(({ type }) => !flowFileTypes.includes(type))) refuse('ERR_FILE_TYPE', { field: 'mediaFile' })
  const uploaded = Map.groupBy(files, ({ name }) => name)
  const kept = new Map(before.map(action => [action.mediaUrl, action]))
  const fileOf = (action: FlowActionInput, at: number): StoredAction => {
    const address = action.mediaUrl || action.media
    const previous = address ? kept.get(address) : undefined
    if (previous) return { ...previous, body: action.body, actionType: 'SendMedia' }
    const candidates = uploaded.get(action.mediaFileName) ?? []
    const file = candidates.length > 1 ? candidates.shift() : candidates[0]
    const missing = { field: `flowActions.${at}.mediaUrl`, message: 'This file did not come along' }
    return file ? withFile(action, file) : refuse('ERR_BAD_REQUEST', missing)
  }
  return inOrder(actions).map((action, at) => {
    const { actionType, body, param } = action
    if (actionType === 'SendMedia') return fileOf(action, at)
    return isPause(actionType) ? { ...none, actionType, param } : { ...none, actionType, body }
  })
}

/** Uploaded files that no action uses. */
function unusedFiles(files: StoredFile[], stored: StoredAction[]): string[] {
  const named = new Set(stored.map(({ mediaUrl }) => mediaUrl))
  return files.map(({ key }) => addressOf(key)).filter(address => !named.has(address))
}

/** By `order` where all have one, else as given. */
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
