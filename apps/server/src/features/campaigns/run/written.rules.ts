import type { ButtonsMessage, CampaignSetup } from '@balcao/contract/campaignSetups.ts'
import type { CampaignMessage } from '@balcao/contract/campaignShapes.ts'
import {
  filledText,
  hasChoice,
  placeholdersIn,
  plainName,
  readText,
  seeded,
} from '@balcao/contract/campaigns.words.rules.ts'

/** The buttons of a setup; null where none are sent. */
export const buttonsOffered = ({ messageFooterType, jsonButtonOrList }: Offering): ButtonsMessage | null =>
  messageFooterType === 'buttons' ? jsonButtonOrList : null

type Offering = Pick<CampaignSetup, 'messageFooterType' | 'jsonButtonOrList'>
type Message = Pick<CampaignMessage, 'greeting' | 'body' | 'template'>

/**
 * The texts that a recipient gets, in the order in which their choices are drawn: the variables of a template, or greeting,
 * body, question and footer.
 */
export function writtenFor(setup: Offering, { greeting, body, template }: Message, templateOnly: boolean) {
  if (templateOnly && template) return template.variables
  const offer = buttonsOffered(setup)
  return [greeting, body, ...(offer ? [offer.text, offer.footer] : [])]
}

/** Of everybody; what `nome` and its other spellings lack is a name. */
const ALWAYS = ['numero', 'number', 'data', 'horas']
export const NAME_PLACES = ['nome', 'name', 'cliente', 'primeironome']

/** Pending recipients that the same is known of. */
export interface PendingGroup {
  /** Of the messages. */
  turn: number
  isOptedOut: boolean
  templateOnly: boolean
  /** Which of the asked placeholders have no value, in their order. */
  lacks: boolean[]
  ids: number[]
}

interface Sending {
  setup: Offering
  messages: Message[]
  standIns: Record<string, string>
  hasOwner: boolean
}

/** Plain names of the placeholders that some recipient may have no value for. */
export function placesAsked({ setup, messages, standIns, hasOwner }: Sending, isOfficial: boolean): string[] {
  const written = messages.flatMap(message => [
    ...writtenFor(setup, message, false),
    ...(isOfficial ? writtenFor(setup, message, true) : []),
  ])
  const always = new Set(hasOwner ? [...ALWAYS, 'atendente'] : ALWAYS)
  const asked = written.flatMap(text => placeholdersIn(readText(text), standIns)).map(plainName)
  return [...new Set(asked)].filter(name => !always.has(name))
}

/** Who gets nothing, by the first reason that applies, in the order of sending. */
export interface LeftOut {
  optedOut: number
  missing: number
  needTemplate: number
  /** Recipients without a value by placeholder, as it is written. */
  lacking: { name: string; count: number }[]
}

export function leftOutOf(sending: Sending, places: string[], groups: PendingGroup[]): LeftOut {
  const found = { optedOut: 0, missing: 0, needTemplate: 0 }
  const lacking = new Map<string, { name: string; count: number }>()
  for (const group of groups) {
    const message = sending.messages[group.turn]
    if (group.isOptedOut) found.optedOut += group.ids.length
    else if (message)
      for (const { names, count } of lackingIn(sending, message, places, group)) {
        for (const [key, name] of names)
          lacking.set(key, { name, ...lacking.get(key), count: (lacking.get(key)?.count ?? 0) + count })
        if (names.size > 0) found.missing += count
        else if (group.templateOnly && !message.template) found.needTemplate += count
      }
  }
  return { ...found, lacking: [...lacking.values()] }
}

/** Texts with a choice differ by recipient: each is drawn as when it is sent. */
function lackingIn(sending: Sending, message: Message, places: string[], group: PendingGroup) {
  const { templateOnly, lacks, ids } = group
  const texts = writtenFor(sending.setup, message, templateOnly).map(text => readText(text))
  const has = (name: string) => !lacks[places.indexOf(name)]
  const values = Object.fromEntries([...ALWAYS, ...places.filter(has)].map(name => [name, name]))
  if (sending.hasOwner) values.atendente = 'atendente'
  const namesFor = (id: number) => {
    const random = seeded(id)
    const missing = texts.flatMap(text => filledText(text, values, random, sending.standIns).missing)
    return new Map(missing.map(name => [plainName(name), name]))
  }
  if (!lacks.includes(true)) return [{ names: new Map<string, string>(), count: ids.length }]
  return texts.some(hasChoice)
    ? ids.map(id => ({ names: namesFor(id), count: 1 }))
    : [{ names: namesFor(0), count: ids.length }]
}
