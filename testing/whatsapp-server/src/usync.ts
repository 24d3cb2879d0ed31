import { type Account, jidOf } from './directory.ts'
import { allChildren, attr, type BinaryNode, child, children, node, seconds } from './nodes.ts'
import type { State } from './state.ts'

/** Protocols that clients ask about a user; what is not listed here makes the query unknown. */
const DETAILS: Record<string, (account: Account | undefined) => BinaryNode | undefined> = {
  devices: account => account && node('devices', {}, [deviceList(account)]),
  lid: account => account && node('lid', { val: jidOf(account, 'lid') }),
  contact: account => node('contact', { type: account ? 'in' : 'out' }),
  status: account => account && node('status', { t: seconds() }),
  disappearing_mode: account => account && node('disappearing_mode', { duration: '0', t: '0' }),
}

/** Who is behind numbers and jids: devices, LIDs, and whether there is an account at all. */
export function answerUsync(state: State, stanza: BinaryNode): BinaryNode[] | undefined {
  const usync = child(stanza, 'usync')!
  const protocols = tagsIn(child(usync, 'query'))
  if (protocols.includes('contact') && state.faults.checkFails())
    return [node('error', { code: '429', text: 'rate-overlimit' })]
  if (protocols.some(name => !DETAILS[name])) return undefined
  const users = children(child(usync, 'list'), 'user').map(user => describe(state, user, protocols))
  const { sid, mode, context } = usync.attrs
  const attrs = { sid, mode, context, index: '0', last: 'true' }
  return [node('usync', attrs, [node('result'), node('list', {}, users)])]
}

const tagsIn = (of: BinaryNode | undefined): string[] => (of ? allChildren(of).map(({ tag }) => tag) : [])

/** Shorter input is no number. */
const SHORTEST = 8

function describe(state: State, user: BinaryNode, protocols: string[]): BinaryNode {
  const phone = child(user, 'contact')?.content?.toString().replace(/\D/g, '')
  const asked = phone || attr(user, 'jid')
  const account = phone ? state.directory.dialled(phone) : state.directory.account(asked)
  // A number that leads to the account by another spelling is answered with the account's own.
  const jid = phone ? (account ? jidOf(account, 'pn') : `${phone}@s.whatsapp.net`) : asked
  if (phone && phone.length < SHORTEST) return node('user', { jid }, [node('contact', { type: 'invalid' })])
  const details = protocols.map(name => DETAILS[name]!(account)).filter(detail => detail !== undefined)
  return node('user', { jid }, details)
}

function deviceList(account: Account): BinaryNode {
  const devices = [...account.devices.keys()].map(id =>
    node('device', { id: `${id}`, 'key-index': id === 0 ? undefined : `${id}` }),
  )
  return node('device-list', {}, devices)
}
