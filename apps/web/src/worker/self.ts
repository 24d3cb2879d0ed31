/** What the service worker uses of its surroundings; the types of a page do not have them. */
export interface WorkerSelf {
  addEventListener<Name extends keyof WorkerEvents>(
    name: Name,
    listener: (event: WorkerEvents[Name]) => void,
  ): void
  clients: Clients
  registration: ServiceWorkerRegistration
  location: Location
  navigator: Navigator
}

interface WorkerEvents {
  install: Extendable
  activate: Extendable
  fetch: FetchEvent
  push: Extendable & { data: { json(): unknown } | null }
  notificationclick: Extendable & { notification: Notification }
}

export interface Extendable {
  /** The worker is not ended before. */
  waitUntil(work: Promise<unknown>): void
}

export interface FetchEvent extends Extendable {
  request: Request
  clientId: string
  respondWith(answer: Promise<Response>): void
}

/** A window of the app. */
export interface Client {
  focused: boolean
  url: string
  focus(): Promise<Client>
  navigate(url: string): Promise<Client | null>
  postMessage(message: WorkerMessage, ports: MessagePort[]): void
}

interface Clients {
  claim(): Promise<void>
  matchAll(which: { type: 'window'; includeUncontrolled: true }): Promise<Client[]>
  openWindow(url: string): Promise<Client | null>
}

/** What the worker asks of a window; it answers by the port. */
export interface WorkerMessage {
  open: string
}
