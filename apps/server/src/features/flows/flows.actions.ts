import type { Flow, FlowInput } from '@balcao/contract/flows.ts'
import { removeFiles } from '../../platform/files.served.ts'
import type { StoredFile } from '../../platform/files.ts'
import type { Scope } from '../../platform/scope.ts'
import { askPlan } from '../companies/companies.queries.ts'
import { flowChanged } from './flows.events.ts'
import { storedActions, unnamed } from './flows.files.ts'
import { deleteFlow, insertFlow, lockFlow, updateFlow } from './flows.queries.ts'

/** Refuses with ERR_NOT_IN_PLAN, ERR_FILE_TYPE, and ERR_BAD_REQUEST for a file that did not come along. */
export const addFlow = (scope: Scope, { name, type, flowActions }: FlowInput, files: StoredFile[]) =>
  scope.transaction(async (tx): Promise<Flow> => {
    await askPlan(tx, 'enableFlows')
    const stored = storedActions(flowActions, files, [])
    const flow = await insertFlow(tx, { name, type, flowActions: stored })
    await removeFiles(tx, unnamed(files, stored))
    tx.emit(flowChanged, { action: 'create', flow })
    return flow
  })

/** Files that its actions name no more go. Refuses as `addFlow` does, and with ERR_NOT_FOUND. */
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
    await removeFiles(tx, [...new Set(gone), ...unnamed(files, stored)])
    tx.emit(flowChanged, { action: 'update', flow })
    return flow
  })

/** Refuses with ERR_NOT_FOUND. A company whose plan has no flows any more may still clear up. */
export const removeFlow = (scope: Scope, flowId: number): Promise<void> =>
  scope.transaction(async tx => {
    const { flowActions } = await lockFlow(tx, flowId, 'update')
    await deleteFlow(tx, flowId)
    await removeFiles(tx, [...new Set(flowActions.flatMap(({ mediaUrl }) => mediaUrl ?? []))])
    tx.emit(flowChanged, { action: 'delete', flowId })
  })
