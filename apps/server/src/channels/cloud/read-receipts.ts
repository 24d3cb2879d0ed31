import { type Graph, GraphSilence } from '../../features/cloud/cloud.client.ts'

/** What customers see of the company reading and writing. */
export interface ReadReceipts {
  /** Meta marks everything before it too. */
  read(messageId: string): Promise<void>
  /** The same, and typing: shown for 25 seconds or until an answer. */
  typing(messageId: string): Promise<void>
}

/** `onSilence`: Meta did not answer. */
export function readReceipts(
  graph: Graph,
  phoneNumberId: string,
  onSilence: (error: GraphSilence) => void,
): ReadReceipts {
  async function post(messageId: string, more: object) {
    const call = { messaging_product: 'whatsapp', status: 'read', message_id: messageId, ...more }
    await graph.post(`${phoneNumberId}/messages`, call).catch(error => {
      if (error instanceof GraphSilence) onSilence(error)
      throw error
    })
  }
  return {
    read: messageId => post(messageId, {}),
    typing: messageId => post(messageId, { typing_indicator: { type: 'text' } }),
  }
}
