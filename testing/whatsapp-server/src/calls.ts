import { randomBytes } from 'node:crypto'
import { addressingOf, type Device, deviceJid, jidOf } from './directory.ts'
import { type Attrs, attr, type BinaryNode, firstChild, node, seconds } from './nodes.ts'
import type { PhoneLine } from './phone-line.ts'
import type { State } from './state.ts'

/** How an unanswered call ends: the caller hangs up, or it times out. */
export type CallEnd = 'terminate' | 'timeout'

/** A call that a phone makes. */
export interface Call {
  id: string
  end(how: CallEnd): void
}

/** What a phone noticed of a call. */
export interface CallEvent {
  id: string
  from: string
  /** offer, accept, reject, terminate. */
  event: string
  reason: string | undefined
}

/** A device sends a call stanza: the other side's devices receive it, and the own devices that need not ring on. */
export function passCall(state: State, device: Device, stanza: BinaryNode): void {
  const to = attr(stanza, 'to')
  const from = jidOf(device.account, addressingOf(to))
  for (const peer of state.directory.account(to)?.devices.values() ?? []) {
    peer.mailbox.put(node('call', { ...stanza.attrs, to: undefined, from }, stanza.content))
  }
  stopRingingElsewhere(device, stanza)
  device.say?.(node('ack', { class: 'call', id: attr(stanza, 'id'), from: to }))
}

const ELSEWHERE: Record<string, string> = { accept: 'accepted_elsewhere', reject: 'rejected_elsewhere' }

function stopRingingElsewhere(device: Device, stanza: BinaryNode): void {
  const answer = firstChild(stanza)
  const reason = ELSEWHERE[answer?.tag ?? '']
  if (!answer || !reason) return
  const { 'call-id': id, 'call-creator': creator } = answer.attrs
  const end = node('terminate', { 'call-id': id, 'call-creator': creator, reason })
  for (const other of device.account.devices.values()) {
    if (other !== device) other.mailbox.put(callStanza({ from: attr(stanza, 'to') }, end))
  }
}

/** Calls a number. */
export function startCall(line: PhoneLine, to: string, { video = false } = {}): Call {
  const id = randomBytes(16).toString('hex').toUpperCase()
  const chat = line.chat(to)
  const attrs = { 'call-id': id, 'call-creator': deviceJid(line.device, line.addressing) }
  const callerPn = line.account.isHidden ? undefined : jidOf(line.account, 'pn')
  const media = [node('audio', { enc: 'opus', rate: '16000' }), ...(video ? [node('video')] : [])]
  line.tell(callStanza({ to: chat }, node('offer', { ...attrs, caller_pn: callerPn }, media)))
  return {
    id,
    end(how) {
      const reason = how === 'timeout' ? 'timeout' : undefined
      line.tell(callStanza({ to: chat }, node('terminate', { ...attrs, reason })))
    },
  }
}

/** Answers a call that rang on this phone. Throws when none rang under that id. */
export function answerCall(line: PhoneLine, calls: CallEvent[], id: string, how: 'accept' | 'reject'): void {
  const offer = calls.find(call => call.id === id && call.event === 'offer')
  if (!offer) throw new Error(`no call ${id} rang at ${line.account.number}`)
  const to = line.chat(offer.from)
  line.tell(callStanza({ to }, node(how, { 'call-id': id, 'call-creator': to })))
}

const callStanza = (attrs: Attrs, part: BinaryNode): BinaryNode =>
  node('call', { id: randomBytes(8).toString('hex'), t: seconds(), ...attrs }, [part])
