import { type Channel, channelName } from '@balcao/contract/kit.ts'
import type { z } from 'zod'

type Handler = (...given: unknown[]) => void

/** Replaces socket.io-client: the socket of the page, whose server is the test. */
export class Socket {
  connected = false
  recovered = false
  active = true
  io = { engine: { close: () => this.breaks() } }
  /** Events emitted by the page, oldest first. */
  emitted: unknown[][] = []
  company = 0
  private handlers = new Map<string, Handler>()
  private any: Handler = () => {}

  on(name: string, handle: Handler) {
    this.handlers.set(name, handle)
  }
  onAny(handle: Handler) {
    this.any = handle
  }
  emit(...given: unknown[]) {
    this.emitted.push(given)
  }
  connect() {
    this.connected = true
    this.handlers.get('connect')?.()
  }
  disconnect() {
    this.connected = false
  }
  /** The connection is lost, or is back. */
  breaks() {
    this.connected = false
    this.handlers.get('disconnect')?.('transport close')
  }
  push<C extends Channel>(channel: C, payload: z.input<C['payload']>) {
    this.any(channelName(channel, this.company), channel.payload.parse(payload))
  }
  forget() {
    this.handlers.clear()
    this.any = () => {}
    this.emitted = []
    this.connected = false
  }
}

export const liveSocket = new Socket()

/** Under the name by which the page calls for it. */
export function io() {
  queueMicrotask(() => liveSocket.connect())
  return liveSocket
}
