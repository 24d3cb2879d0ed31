import { flowChannel, flowRunChannel } from '@balcao/contract/flows.ts'
import { followList } from '../../platform/lists.ts'
import { listen } from '../../platform/live.ts'
import { FLOWS, knowFlowOn } from './flows.api.ts'

export function followFlows() {
  const stops = [
    followList(flowChannel, FLOWS),
    listen(flowRunChannel, ({ ticketId, run }) => knowFlowOn(ticketId, run)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
