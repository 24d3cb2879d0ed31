import { event } from '../../platform/events.ts'

/** Something happened on a simulated phone that its driver has to notice. */
export const simulatorMoved = event<{ whatsappId: number }>('simulator.moved')

export const simulatorTopic = (whatsappId: number) => `simulator:${whatsappId}`
