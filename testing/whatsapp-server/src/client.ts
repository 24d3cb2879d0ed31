import {
  type AuthenticationState,
  initAuthCreds,
  makeWASocket,
  type proto,
  type UserFacingSocketConfig,
  type WAMessage,
} from 'baileys'
import { memoryKeys } from './memory-keys.ts'
import { noLogger, quietLibsignal } from './quiet.ts'
import { textOf } from './shown.ts'
import { type Trusted, trust } from './trust.ts'
import { until } from './wait.ts'

type Target = Trusted & { url: string }

/** A real Baileys client that does the least a program must: it keeps its keys, and comes back after 515. */
export interface Client {
  auth: AuthenticationState
  /** The present socket; another one after each restart. */
  readonly sock: ReturnType<typeof makeWASocket>
  /** Every message that came in an upsert, stubs and echoes included. */
  messages: WAMessage[]
  /** The highest status seen of an own message, by id. */
  statuses: Map<string, number>
  /** Status codes with which sockets closed, oldest first. */
  closes: number[]
  calls: { id: string; status: string }[]
  /** The QR code on show. */
  qr(): Promise<string>
  opened(): Promise<void>
  /** Sends a text. Resolves with its id once Baileys has written it, which is before the server has it. */
  say(jid: string, text: string, id?: string): Promise<string>
  /** The texts of the messages that others wrote, in the order they came. */
  texts(): string[]
  /** Opens a new socket with the same keys. */
  restart(): void
  stop(): Promise<void>
}

interface ClientOptions {
  /** An identity from before. */
  auth?: AuthenticationState
  config?: Partial<UserFacingSocketConfig>
  /** Comes back when the connection is lost. */
  reconnect?: boolean
  /** Sees every socket before its first event. */
  onSocket?(sock: Client['sock']): void
}

/** Starts a client against a server; it waits to be paired unless it brings an identity. */
export function startClient(server: Target, options: ClientOptions = {}): Client {
  trust(server)
  quietLibsignal()
  const auth = options.auth ?? { creds: initAuthCreds(), keys: memoryKeys() }
  const sent = new Map<string, proto.IMessage>()
  let qr: string | undefined
  let isOpen = false
  let isStopped = false
  const received: Pick<Client, 'messages' | 'statuses' | 'closes' | 'calls'> = {
    messages: [],
    statuses: new Map(),
    closes: [],
    calls: [],
  }
  let sock = connect()

  function connect() {
    const made = makeWASocket({
      auth,
      waWebSocketUrl: server.url,
      logger: noLogger,
      markOnlineOnConnect: false,
      getMessage: async key => sent.get(key.id!),
      ...options.config,
    })
    options.onSocket?.(made)
    made.ev.on('connection.update', update => {
      if (made !== sock && sock) return
      if (update.qr) qr = update.qr
      if (update.connection === 'open') isOpen = true
      if (update.connection === 'close') closed(update.lastDisconnect?.error)
    })
    made.ev.on('messages.upsert', ({ messages }) => {
      received.messages.push(...messages)
      for (const { key, status } of messages) if (key.fromMe && status != null) advance(key.id!, status)
    })
    made.ev.on('messages.update', updates => {
      for (const { key, update } of updates) {
        if (key.fromMe && update.status != null) advance(key.id!, update.status)
      }
    })
    made.ev.on('call', events => received.calls.push(...events.map(({ id, status }) => ({ id, status }))))
    made.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Record<string, string> }) => {
      if (attrs.error) received.statuses.set(attrs.id!, 0)
      else advance(attrs.id!, 2)
    })
    return made
  }

  function closed(error: unknown) {
    sock.ev.flush()
    isOpen = false
    qr = undefined
    const code = (error as { output?: { statusCode: number } })?.output?.statusCode ?? 500
    received.closes.push(code)
    const isLost = code === 428 || code === 408
    if (!isStopped && (code === 515 || (options.reconnect && isLost))) sock = connect()
  }

  function advance(id: string, status: number) {
    received.statuses.set(id, Math.max(status, received.statuses.get(id) ?? 0))
  }

  return {
    ...received,
    auth,
    get sock() {
      return sock
    },
    qr: () => until('a QR code', () => qr),
    opened: async () => void (await until('the client to be open', () => isOpen)),
    async say(jid, text, id) {
      const message = await sock.sendMessage(jid, { text, linkPreview: null }, { messageId: id })
      sent.set(message!.key.id!, message!.message!)
      return message!.key.id!
    },
    texts: () =>
      received.messages
        .filter(({ key, message }) => !key.fromMe && message)
        .flatMap(({ message }) => textOf(message!) ?? []),
    restart() {
      sock = connect()
    },
    async stop() {
      isStopped = true
      await sock.end(undefined)
    },
  }
}
