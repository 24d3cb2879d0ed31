import type { Typing } from '@balcao/contract/messages.ts'
import { event } from '../../platform/events.ts'

/** Something changed on a simulated phone that its driver has to report. */
export const simulatorMoved = event<{ whatsappId: number }>('simulator.moved')

export const simulatorTopic = (whatsappId: number) => `simulator:${whatsappId}`

/** A customer is typing or recording; nothing is stored. */
export interface PhoneTypes {
  whatsappId: number
  number: string
  state: Typing
}
export const phoneTypes = event<PhoneTypes>('simulator.types')

export const phoneTypesTopic = (whatsappId: number) => `simulator-types:${whatsappId}`
