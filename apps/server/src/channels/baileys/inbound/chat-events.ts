import type { ChatEventData, Happening } from '@balcao/contract/kinds.ts'
import { proto, type WAMessage } from 'baileys'
import type { Mention } from '../../../driver.ts'
import { externalIdOf } from '../../../platform/external.ts'
import { chatOf } from './addresses.ts'
import { attempt, countFrom, lineFrom, textFrom } from './text.ts'

const { StubType } = proto.WebMessageInfo
const { PIN_FOR_ALL } = proto.Message.PinInChatMessage.Type
const MOST_PEOPLE = 100
const MAX_DESCRIPTION = 2_048

export interface ChatEvent {
  body: string
  mediaType: 'chat_event'
  data: ChatEventData
  /** Those whom it concerns; the product knows their names. */
  mentions?: Mention[]
  quotedExternalId?: string
}

/** The line that a notification about a group becomes (Baileys gives it as a stub); null for what is not shown. */
export function chatEventOf({
  messageStubType: type,
  messageStubParameters,
  key,
}: WAMessage): ChatEvent | null {
  const parameters = messageStubParameters ?? []
  const [first = ''] = parameters
  const isOn = first === 'on' || first === 'true'
  switch (type) {
    case StubType.GROUP_CREATE:
      return line('created', { body: lineFrom(first) })
    case StubType.GROUP_CHANGE_SUBJECT:
      return line('subject', { body: lineFrom(first) })
    case StubType.GROUP_CHANGE_DESCRIPTION:
      return line('description', { body: textFrom(first, MAX_DESCRIPTION) })
    case StubType.GROUP_CHANGE_ANNOUNCE:
      return line(isOn ? 'adminsOnly' : 'everyone')
    case StubType.GROUP_CHANGE_RESTRICT:
      return line(isOn ? 'editedByAdmins' : 'editedByEveryone')
    case StubType.GROUP_PARTICIPANT_ADD: {
      const people = peopleIn(parameters)
      const isOwn = people.length === 1 && people[0]!.value === chatOf(key.participant)?.value
      return line(isOwn ? 'joined' : 'added', { people })
    }
    case StubType.GROUP_PARTICIPANT_REMOVE:
      return line('removed', { people: peopleIn(parameters) })
    case StubType.GROUP_PARTICIPANT_LEAVE:
      return line('left', { people: peopleIn(parameters) })
    case StubType.GROUP_PARTICIPANT_PROMOTE:
      return line('promoted', { people: peopleIn(parameters) })
    case StubType.GROUP_PARTICIPANT_DEMOTE:
      return line('demoted', { people: peopleIn(parameters) })
    case StubType.GROUP_CHANGE_INVITE_LINK:
      return line('inviteLink')
    case StubType.GROUP_PARTICIPANT_CHANGE_NUMBER:
      return line('numberChanged')
    case StubType.GROUP_MEMBERSHIP_JOIN_APPROVAL_MODE:
      return line(isOn ? 'approvalOn' : 'approvalOff')
    case StubType.GROUP_MEMBERSHIP_JOIN_APPROVAL_REQUEST_NON_ADMIN_ADD:
      return line(parameters[1] === 'created' ? 'asksToJoin' : 'joinEnded', { people: requesterIn(first) })
    default:
      return null
  }
}

/** Somebody pinned a message of the chat, or took the pin off. */
export function pinOf({ key, type }: proto.Message.IPinInChatMessage): ChatEvent | null {
  const quotedExternalId = externalIdOf(key?.id)
  return quotedExternalId ? { ...line(type === PIN_FOR_ALL ? 'pinned' : 'unpinned'), quotedExternalId } : null
}

const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type
const [HOUR, DAY] = [3_600, 86_400]
/** The longest that phones offer is 90 days. */
const MAX_SECONDS = 31_536_000

/** Somebody set after how long messages of the chat disappear; null for any other content. */
export function timerEventOf(content: proto.IMessage | undefined): ChatEvent | null {
  const setting = content?.protocolMessage
  if (setting?.type !== EPHEMERAL_SETTING) return null
  const seconds = countFrom(setting.ephemeralExpiration, MAX_SECONDS) ?? 0
  if (seconds === 0) return line('timerOff')
  const span = seconds % DAY === 0 ? `${seconds / DAY} d` : `${Math.ceil(seconds / HOUR)} h`
  return line('timerOn', { body: span })
}

function line(what: Happening, { body = '', people = [] as Mention[] } = {}): ChatEvent {
  const mentions = people.length > 0 && { mentions: people }
  return { body, mediaType: 'chat_event', data: { what, people: [] }, ...mentions }
}

const peopleIn = (parameters: string[]): Mention[] =>
  parameters.flatMap((json, at) => (at < MOST_PEOPLE && personIn(json)) || [])

/** Whoever asks to join: `lid` and `pn` as Baileys names them. */
function requesterIn(json: string): Mention[] {
  const { lid, pn } = attempt(() => JSON.parse(json) as { lid?: unknown; pn?: unknown }) ?? {}
  const person = chatOf(lineFrom(lid), lineFrom(pn)) ?? chatOf(lineFrom(pn))
  return person ? [{ ...person, written: person.value }] : []
}

function personIn(json: string): Mention | null {
  try {
    const { id, phoneNumber } = JSON.parse(json) as { id?: unknown; phoneNumber?: unknown }
    const person = chatOf(lineFrom(id), lineFrom(phoneNumber))
    return person && { ...person, written: person.value }
  } catch {
    return null
  }
}
