import { randomBytes } from 'node:crypto'
import { jidDecode, jidEncode } from 'baileys'
import { type Account, type Device, deviceJid, jidOf } from './directory.ts'
import { type Attrs, attr, type BinaryNode, children, node, seconds } from './nodes.ts'
import type { World } from './world.ts'

/** A group, addressed by LID as all new ones are. */
export interface Group {
  id: string
  subject: string
  members: Account[]
}

/** Makes a group of these accounts; everybody is simply in it. */
export function addGroup(world: World, subject: string, members: Account[]): Group {
  const id = `120363${BigInt(`0x${randomBytes(5).toString('hex')}`)}`
  const group = { id, subject, members }
  world.groups.set(id, group)
  return group
}

/** The group behind a jid or an id; undefined when it is none. */
export const groupOf = (world: World, jidOrId: string): Group | undefined =>
  world.groups.get(jidDecode(jidOrId)?.user ?? jidOrId)

export const groupJid = ({ id }: Group): string => jidEncode(id, 'g.us')

export const devicesIn = ({ members }: Group): Device[] =>
  members.flatMap(({ devices }) => [...devices.values()])

/** Answers a member's question about a group. */
export function describeGroup(world: World, stanza: BinaryNode): BinaryNode[] | undefined {
  const group = groupOf(world, attr(stanza, 'to'))
  if (!group) return undefined
  const { id, subject, members } = group
  const t = seconds()
  const participants = members.map(member =>
    node('participant', { jid: jidOf(member, 'lid'), phone_number: jidOf(member, 'pn') }),
  )
  return [node('group', { id, subject, creation: t, s_t: t, addressing_mode: 'lid' }, participants)]
}

/**
 * What each device gets of a message to a group: its own copy of the sender's key, when there is one, and the part
 * for all. A repetition names the device that asked for it.
 */
export function groupCopies(world: World, group: Group, sender: Device, message: BinaryNode) {
  const own = children(message, 'enc')
  const identity = children(message, 'device-identity')
  const { participant } = message.attrs
  const asking = participant ? world.directory.device(participant) : undefined
  const receivers = asking ? [asking] : devicesIn(group).filter(device => device !== sender)
  const fanout = children(children(message, 'participants')[0], 'to')
  return receivers.map(device => {
    const keys = fanout.filter(to => world.directory.device(attr(to, 'jid')) === device)
    return { device, parts: [...keys.flatMap(to => to.content as BinaryNode[]), ...own, ...identity] }
  })
}

/** Who wrote, as the members' devices are told. */
export const groupSender = (group: Group, sender: Device): Attrs => ({
  from: groupJid(group),
  participant: deviceJid(sender, 'lid'),
  participant_pn: jidOf(sender.account, 'pn'),
  addressing_mode: 'lid',
})
