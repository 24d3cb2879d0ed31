import { randomBytes } from 'node:crypto'
import { jidDecode, jidEncode } from 'baileys'
import { type Account, type Device, deviceJid, jidOf } from './directory.ts'
import { type Attrs, attr, type BinaryNode, children, node, seconds } from './nodes.ts'
import type { Picture } from './pictures.ts'
import type { State } from './state.ts'

/** The chat of all statuses; it has no members: each status names its audience. */
export const STATUS = 'status@broadcast'

/** A group, addressed by LID as all new ones are. Its first member made it and changes it. */
export class Group {
  readonly id = `120363${BigInt(`0x${randomBytes(5).toString('hex')}`)}`
  subject: string
  members: Account[]
  /** Beside the first member, who is one too. */
  readonly admins = new Set<Account>()
  picture?: Picture
  readonly #madeAt = seconds()

  constructor(subject: string, members: Account[]) {
    this.subject = subject
    this.members = members
  }

  /** Notifies the members of its creation. */
  announce(): void {
    this.#tell(node('create', { type: 'new' }, [this.describe()]))
  }

  rename(subject: string): void {
    this.subject = subject
    this.#tell(node('subject', { subject, s_t: seconds(), s_o: jidOf(this.members[0]!, 'lid') }))
  }

  /** Adds this phone. */
  add({ account }: { account: Account }): void {
    this.members = [...this.members, account]
    this.#tell(node('add', {}, [participant(account)]))
  }

  /** Makes this phone an admin. */
  promote({ account }: { account: Account }): void {
    this.admins.add(account)
    this.#tell(node('promote', {}, [participant(account)]))
  }

  /** Lets only admins write, or everyone. */
  restrict(toAdmins: boolean): void {
    this.#tell(node(toAdmins ? 'announcement' : 'not_announcement'))
  }

  /** Another change of the group, by its tag in the protocol: `invite`, `ephemeral` … */
  change(tag: string, attrs: Record<string, string> = {}): void {
    this.#tell(node(tag, attrs))
  }

  /** Changes the description. */
  explain(text: string): void {
    this.#tell(
      node('description', { id: randomBytes(4).toString('hex') }, [node('body', {}, Buffer.from(text))]),
    )
  }

  /** This phone leaves; those who stay are notified. */
  leave({ account }: { account: Account }): void {
    this.#tell(node('remove', {}, [participant(account)]), account)
    this.members = this.members.filter(member => member !== account)
  }

  /** Removes this phone; it is notified, and receives nothing that comes after. */
  remove({ account }: { account: Account }): void {
    this.#tell(node('remove', {}, [participant(account)]))
    this.members = this.members.filter(member => member !== account)
  }

  /** Metadata from the server. */
  describe(): BinaryNode {
    const { id, subject, members } = this
    const [creator] = members
    const attrs = {
      id,
      subject,
      creation: this.#madeAt,
      s_t: this.#madeAt,
      creator: creator && jidOf(creator, 'lid'),
      addressing_mode: 'lid',
    }
    return node(
      'group',
      attrs,
      members.map(member => participant(member, this.#rankOf(member))),
    )
  }

  #rankOf(member: Account): string | undefined {
    return member === this.members[0] ? 'superadmin' : this.admins.has(member) ? 'admin' : undefined
  }

  #tell(change: BinaryNode, by = this.members[0]): void {
    const from = groupJid(this)
    const names = by && { participant: jidOf(by, 'lid'), participant_pn: pnOf(by) }
    const attrs = { from, type: 'w:gp2', t: seconds(), ...names }
    for (const device of devicesIn(this)) {
      device.mailbox.put(node('notification', { ...attrs, id: randomBytes(6).toString('hex') }, [change]))
    }
  }
}

const participant = (account: Account, type?: string): BinaryNode =>
  node('participant', { jid: jidOf(account, 'lid'), phone_number: pnOf(account), type })

const pnOf = (account: Account) => (account.isHidden ? undefined : jidOf(account, 'pn'))

/** The group behind a jid or an id; undefined when it is none. */
export const groupOf = (state: State, jidOrId: string): Group | undefined =>
  state.groups.get(jidDecode(jidOrId)?.user ?? jidOrId)

export const groupJid = ({ id }: Group): string => jidEncode(id, 'g.us')

/** Whether an address is a phone's own list of recipients. */
export const isList = (jid: string): boolean => jid !== STATUS && jid.endsWith('@broadcast')

/** Whether many share a chat, so that its messages and receipts name a participant. */
export const isShared = (state: State, jid: string): boolean =>
  jid === STATUS || isList(jid) || groupOf(state, jid) !== undefined

export const devicesIn = ({ members }: Group): Device[] =>
  members.flatMap(({ devices }) => [...devices.values()])

/** Answers a member's question about a group. */
export function describeGroup(state: State, asking: Account, stanza: BinaryNode): BinaryNode[] {
  const group = groupOf(state, attr(stanza, 'to'))
  if (!group) return [node('error', { code: '404', text: 'item-not-found' })]
  const isMember = group.members.includes(asking)
  return [isMember ? group.describe() : node('error', { code: '403', text: 'forbidden' })]
}

/** All groups of a user. */
export function describeGroups(state: State, asking: Account): BinaryNode[] {
  const own = [...state.groups.values()].filter(({ members }) => members.includes(asking))
  return [
    node(
      'groups',
      {},
      own.map(group => group.describe()),
    ),
  ]
}

/**
 * What each device gets of a message to a group or of a status: its own copy of the sender's key, when there is one,
 * and the common part. A resend names the device that requested it; a status names its audience.
 */
export function sharedCopies(state: State, sender: Device, message: BinaryNode) {
  const own = [...children(message, 'enc'), ...children(message, 'plaintext')]
  const identity = children(message, 'device-identity')
  const fanout = children(children(message, 'participants')[0], 'to')
  const named = fanout.flatMap(to => state.directory.device(attr(to, 'jid')) ?? [])
  const { participant } = message.attrs
  const asking = participant ? state.directory.device(participant) : undefined
  const group = groupOf(state, attr(message, 'to'))
  const receivers = asking ? [asking] : group ? devicesIn(group).filter(device => device !== sender) : named
  return receivers.map(device => {
    const keys = fanout.filter(to => state.directory.device(attr(to, 'jid')) === device)
    return { device, parts: [...keys.flatMap(to => to.content as BinaryNode[]), ...own, ...identity] }
  })
}

/** The sender in a shared chat, as receivers see it. */
export const sharedSender = (chat: string, sender: Device): Attrs => ({
  from: chat,
  participant: deviceJid(sender, 'lid'),
  participant_pn: pnOf(sender.account),
  addressing_mode: 'lid',
})
