import { type FlowRun, flowChannel, flowRunChannel } from '@balcao/contract/flows.ts'
import { followList } from '../../platform/lists.ts'
import { listen } from '../../platform/live.ts'
import { patchByPush } from '../../platform/query.ts'

export const FLOWS = ['flows']

export const flowRunKey = (ticketId: number) => ['flowRun', ticketId]

export const knowFlowOn = (ticketId: number, run: FlowRun | null) =>
  patchByPush<FlowRun | null>(flowRunKey(ticketId), () => run)

export function followFlows() {
  const stops = [
    followList(flowChannel, FLOWS),
    listen(flowRunChannel, ({ ticketId, run }) => knowFlowOn(ticketId, run)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
