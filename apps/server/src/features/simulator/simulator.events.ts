import type { Typing } from '@balcao/contract/messages.ts'
import { event } from '../../platform/events.ts'

/** Something happened on a simulated phone that its driver has to notice. */
export const simulatorMoved = event<{ whatsappId: number }>('simulator.moved')

export const simulatorTopic = (whatsappId: number) => `simulator:${whatsappId}`

/** What a customer does at this moment; nothing is written down. */
export interface PhoneTypes {
  whatsappId: number
  number: string
  state: Typing
}
export const phoneTypes = event<PhoneTypes>('simulator.types')

export const phoneTypesTopic = (whatsappId: number) => `simulator-types:${whatsappId}`
