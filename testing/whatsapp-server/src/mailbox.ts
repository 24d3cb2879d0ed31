import { attr, type BinaryNode } from './nodes.ts'

/**
 * What the server still owes one device. A stanza stays here until the device has acknowledged it; whatever was
 * sent into a socket that closed first is therefore sent again at the next login, marked `offline`.
 */
export class Mailbox {
  readonly owed: BinaryNode[] = []
  readonly opened: Promise<void>
  #send: ((stanza: BinaryNode) => void) | undefined
  #markOpened: () => void = () => {}

  constructor() {
    this.opened = new Promise(resolve => {
      this.#markOpened = resolve
    })
  }

  get isOpen(): boolean {
    return this.#send !== undefined
  }

  put(stanza: BinaryNode): void {
    this.owed.push(stanza)
    this.#send?.(stanza)
  }

  /** The device is ready: sends what it missed. Returns how many stanzas that were. */
  open(send: (stanza: BinaryNode) => void): number {
    const missed = [...this.owed]
    for (const stanza of missed) send({ ...stanza, attrs: { ...stanza.attrs, offline: '0' } })
    this.#send = send
    this.#markOpened()
    return missed.length
  }

  shut(): void {
    this.#send = undefined
  }

  /** The device has it. A resend has the id of its original, so only the oldest stanza of that id is settled. */
  settle(tag: string, id: string): void {
    const at = this.owed.findIndex(stanza => stanza.tag === tag && attr(stanza, 'id') === id)
    if (at >= 0) this.owed.splice(at, 1)
  }
}
