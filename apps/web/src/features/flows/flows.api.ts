import type { Seen } from '@balcao/contract/edits.rules.ts'
import { type Flow, type FlowType, flows } from '@balcao/contract/flows.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { newId } from '../../platform/ids.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import type { DraftAction } from './drafts.ts'
import { FLOWS, flowRunKey, knowFlowOn } from './flows.live.ts'

export const flowList = pagedList(flows.list, 'flows')

/** Those that an attendant plays. */
export const chatFlows = (searchParam: string) => flowList(searchParam, { type: 'Chat' })

export const oneFlow = oneRow('flows', flowId => call(flows.show, { params: { flowId } }))

interface Draft {
  name: string
  type: FlowType
  actions: DraftAction[]
}

/** Adds a flow, or changes one; files not yet stored are uploaded with it. Throws ApiError. */
export async function saveFlow(
  flowId: number | null,
  { name, type, actions }: Draft,
  seen?: Seen,
): Promise<Flow> {
  const files = filesOf(actions)
  const flowActions = actions.map(({ actionType, body, param, mediaUrl, mediaFileName }, at) => {
    return { actionType, body, param, mediaUrl, mediaFileName, order: at + 1 }
  })
  const given = {
    body: { name, type, flowActions },
    ...(files.length > 0 && { files: { mediaFile: files } }),
  }
  const saved = await (flowId === null
    ? call(flows.create, given)
    : call(flows.change, { params: { flowId }, ...given, seen }))
  await askAgain({ queryKey: FLOWS })
  return saved
}

/** Throws ApiError. */
export async function removeFlow(flowId: number, evenIfUsed: boolean): Promise<void> {
  await call(flows.remove, { params: { flowId }, query: { evenIfUsed } })
  await askAgain({ queryKey: FLOWS })
}

/** One for each action that needs it, in their order; a file shared by all actions that use its name is uploaded once. */
function filesOf(actions: DraftAction[]): File[] {
  const waiting = actions.flatMap(({ mediaUrl, local }) => (mediaUrl === null && local ? local : []))
  return [...Map.groupBy(waiting, ({ name }) => name).values()].flatMap(same =>
    new Set(same).size === 1 ? same.slice(0, 1) : same,
  )
}

/** The flow being played on a ticket. */
export const flowOn = (ticketId: number) =>
  queryOptions({
    queryKey: flowRunKey(ticketId),
    queryFn: async () => (await call(flows.running, { params: { ticketId } })).run,
  })

/** Throws ApiError. */
export async function playFlow(ticketId: number, flowId: number): Promise<void> {
  const { run } = await call(flows.start, { params: { ticketId }, body: { flowId, id: newId() } })
  knowFlowOn(ticketId, run)
}

/** Throws ApiError. */
export async function stopFlow(ticketId: number): Promise<void> {
  await call(flows.stop, { params: { ticketId } })
  knowFlowOn(ticketId, null)
}
