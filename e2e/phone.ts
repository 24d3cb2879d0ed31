import { connections } from '@balcao/contract/connections.ts'
import { type SimulatedMessage, simulator } from '@balcao/contract/simulator.ts'
import { type Calls, callsOf } from './call.ts'
import type { Sample } from './samples.ts'

/** Customers' phones on a simulator connection. */
export interface Phone {
  whatsappId: number
  /** A customer writes; a name is given the first time. Answers the message's id. */
  write(number: string, body: string, name?: string): Promise<string>
  /** A customer sends anything else: files (one message each), a place, cards. Answers the id of the first. */
  send(number: string, what: Sent, files?: Sample[]): Promise<string>
  edit(number: string, messageId: string, body: string): Promise<void>
  remove(number: string, messageId: string): Promise<void>
  react(number: string, messageId: string, emoji: string): Promise<void>
  type(number: string, state: 'composing' | 'recording' | 'paused'): Promise<void>
  /** What that customer's screen shows, oldest first. */
  chat(number: string): Promise<SimulatedMessage[]>
  /** That phone received (3), read (4) or played (5) everything it was sent. */
  receipt(number: string, ack: number): Promise<void>
  fault(kind: 'offline' | 'slow' | 'reject' | 'none'): Promise<void>
}

type Sent = Omit<(typeof simulator.write.body)['_input'], 'number'>

/** Of the demo company's own number; what a test adds may have a bot, or be out of order. */
export async function simulatedPhone(url: string): Promise<Phone> {
  const calls = await callsOf(url)
  const own = (await calls.call(connections.list)).find(({ name }) => name === 'Loja Centro')
  if (!own) throw new Error('The demo company has no connection Loja Centro')
  return phoneOf({ ...calls, whatsappId: own.id })
}

/** Of the simulator connection that these calls may use. */
export function phoneOf({ call, whatsappId }: Pick<Calls, 'call'> & { whatsappId: number }): Phone {
  const params = { whatsappId }
  return {
    ...params,
    write: async (number, body, name) =>
      (await call(simulator.write, { params, body: { number, body, ...(name && { name }) } })).id,
    send: async (number, what, files) =>
      (await call(simulator.write, { params, body: { number, ...what }, files })).id,
    edit: async (number, messageId, body) =>
      void (await call(simulator.edit, {
        params: { ...params, messageId },
        body: { number, body },
      })),
    remove: async (number, messageId) =>
      void (await call(simulator.remove, {
        params: { ...params, messageId },
        query: { number },
      })),
    react: async (number, messageId, emoji) =>
      void (await call(simulator.react, {
        params: { ...params, messageId },
        body: { number, emoji },
      })),
    type: async (number, state) => void (await call(simulator.type, { params, body: { number, state } })),
    chat: number => call(simulator.chat, { params: { ...params, number } }),
    receipt: async (number, ack) => void (await call(simulator.receipt, { params, body: { number, ack } })),
    fault: async kind => void (await call(simulator.fault, { params, body: { kind } })),
  }
}
