import { event } from '../../platform/events.ts'

/** Meta called, and it is written down; whoever runs the connection works it off. */
export const deliveryKept = event<{ whatsappId: number }>('cloud.delivered')

export const cloudTopic = (whatsappId: number) => `cloud:${whatsappId}`
