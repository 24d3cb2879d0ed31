import { missingIn } from '@balcao/contract/cloud.rules.ts'
import { UNKNOWN_OUTCOME } from '@balcao/contract/messages.rules.ts'
import type { Chat, Operation, Outcome, Outgoing, OutgoingContent } from '../../driver.ts'
import { type Graph, GraphRefusal, GraphSilence } from '../../features/cloud/cloud.graph.ts'
import {
  componentsOf,
  fetchTemplates,
  type GraphTemplate,
  templateOf,
} from '../../features/cloud/cloud.templates.ts'
import { type Policy, policyOf, Unsendable } from './errors.ts'
import { createUploads } from './media.ts'
import { recipientOf, saidOf } from './outgoing.ts'
import type { Pace } from './pace.ts'
import type { SessionStore } from './store.ts'

/** So long a status may still tell that a message arrived whose answer was lost; then a person has to look. */
const LOST_MS = 60_000
const TEMPLATES_MS = 10 * 60_000
const AGAIN_MS = 1_000

export interface CloudSender {
  send(message: Outgoing): Promise<Outcome>
  act(operation: Operation): Promise<Outcome>
  /** Meta changed a template: it is asked for again. */
  forgetTemplates(): void
}

interface Deps {
  graph: Graph
  store: SessionStore
  pace: Pace
  phoneNumberId: string
  businessAccountId: string
  /** Meta did not answer, or does not want us any more. */
  troubled(how: 'silent' | Policy, reason: string): void
}

const refused = (reason: string): Outcome => ({ is: 'refused', reason })
const unknown = (reason: string): Outcome => ({ is: 'unknown', reason })
const LOST = UNKNOWN_OUTCOME
/** A parameter that names nothing, or a file that could not be read. */
const OF_FILES = [100, 131008, 131009, 131052, 131053]

/** The sending half of one number. */
export function createCloudSender(deps: Deps): CloudSender {
  const { graph, store, pace, phoneNumberId, businessAccountId, troubled } = deps
  const uploads = createUploads(graph, phoneNumberId)
  let templates = new Map<string, { until: number; found: GraphTemplate[] }>()

  async function templateNamed(name: string): Promise<GraphTemplate[]> {
    const known = templates.get(name)
    if (known && known.until > Date.now()) return known.found
    const found = await fetchTemplates(graph, businessAccountId, name)
    templates.set(name, { until: Date.now() + TEMPLATES_MS, found })
    return found
  }

  async function fill({ name, language, variables }: Extract<OutgoingContent, { kind: 'template' }>) {
    const found = (await templateNamed(name)).find(one => one.name === name && one.language === language)
    if (!found || !fits(found, variables)) throw new Unsendable('ERR_WAPP_TEMPLATE')
    return componentsOf(found, variables)
  }

  /** The whole call, made before anything is marked: what fails here has surely not left. */
  async function prepare(message: Outgoing) {
    const { chat, externalId, quoted } = message
    const said = await saidOf(message, { upload: uploads.idOf, fill })
    const context = quoted && (await wamidOf(quoted))
    return {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...recipientOf(chat),
      ...said,
      ...(context && { context: { message_id: context } }),
      biz_opaque_callback_data: externalId,
    }
  }

  /** Meta's name of a message of either side; undefined when it never had one. */
  async function wamidOf({ externalId, fromMe }: { externalId: string; fromMe: boolean }) {
    if (externalId.startsWith('wamid.')) return externalId
    if (!fromMe) return undefined
    const [row] = await store.sentUnder({ externalIds: [externalId] })
    return row?.wamid ?? undefined
  }

  /**
   * A later try of what may have left. Meta has no key under which it would take a message once only: one whose
   * answer was lost is never sent again by itself. Its statuses bring back our id; when none comes a person decides.
   */
  async function whatBecameOf({ externalId, again }: Outgoing): Promise<Outcome | null> {
    if (!again) return null
    const [row] = await store.sentUnder({ externalIds: [externalId] })
    if (!row) return null
    if (row.wamid) return { is: 'sent' }
    return Date.now() - Date.parse(row.askedAt) < LOST_MS ? unknown(LOST) : refused(LOST)
  }

  async function post(to: string, externalId: string, call: object): Promise<Outcome> {
    await store.markAsked(externalId)
    const answer = await graph.post<{ messages?: { id?: string }[] }>(`${phoneNumberId}/messages`, call)
    const wamid = answer.messages?.[0]?.id
    if (!wamid) throw new GraphSilence('no id of the message', true)
    await store.learn([{ externalId, wamid }])
    pace.taken(to)
    return { is: 'sent' }
  }

  /** What a failure before or in the call means. */
  async function outcomeOf(error: unknown, to: string, externalId: string): Promise<Outcome> {
    if (error instanceof Unsendable) return refused(error.reason)
    if (error instanceof GraphSilence) {
      if (!error.reached) await store.unmark(externalId)
      troubled('silent', error.message)
      return unknown(error.reached ? LOST : error.message)
    }
    if (!(error instanceof GraphRefusal)) throw error
    await store.unmark(externalId)
    const { policy, reason } = policyOf(error)
    if (policy === 'slow') pace.tooFast()
    if (policy === 'pair') pace.hold(to)
    if (policy === 'again') pace.hold(to, AGAIN_MS * (1 + Math.random()))
    if (reason === 'ERR_WAPP_TEMPLATE') templates = new Map()
    if (policy === 'auth' || policy === 'blocked') troubled(policy, reason)
    return policy === 'again' || policy === 'slow' || policy === 'pair' ? unknown(reason) : refused(reason)
  }

  async function attempt(message: Outgoing): Promise<Outcome> {
    const { chat, externalId, content } = message
    const to = nameOf(chat)
    let isAsked = false
    try {
      const call = await prepare(message)
      await pace.free(to)
      await pace.turn()
      isAsked = true
      return await post(to, externalId, call)
    } catch (error) {
      if (content.kind === 'file' && error instanceof GraphRefusal && OF_FILES.includes(error.code)) {
        uploads.forget(content)
        // Graph's own complaint about a parameter: the upload has no other that could be wrong
        if (error.code === 100 && !isAsked) return refused('ERR_FILE_TYPE')
      }
      const isBefore = error instanceof GraphSilence && !isAsked
      return outcomeOf(isBefore ? new GraphSilence(error.message, false) : error, to, externalId)
    }
  }

  return {
    async send(message) {
      const before = await whatBecameOf(message)
      if (before) return before
      const { content } = message
      const isOld = content.kind === 'file' && uploads.knows(content)
      const outcome = await attempt(message)
      // What went up days ago may be gone at Meta: a file that is refused goes up once more.
      const isForgotten = isOld && content.kind === 'file' && !uploads.knows(content)
      return outcome.is === 'refused' && isForgotten ? attempt(message) : outcome
    },
    async act(operation) {
      if (operation.what !== 'react') return refused('ERR_WAPP_UNSUPPORTED')
      const of = await wamidOf(operation.target)
      if (!of) return refused('ERR_FETCH_WAPP_MSG')
      try {
        await pace.turn()
        await graph.post(`${phoneNumberId}/messages`, {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          ...recipientOf(operation.chat),
          type: 'reaction',
          reaction: { message_id: of, emoji: operation.emoji },
        })
        return { is: 'sent' }
      } catch (error) {
        // done twice it is done once: what nobody answered is simply done again
        const outcome = await outcomeOf(error, nameOf(operation.chat), operation.externalId)
        return outcome.is === 'unknown' ? unknown('ERR_WAPP_CLOUD_CALL') : outcome
      }
    },
    forgetTemplates() {
      templates = new Map()
    },
  }
}

/** Every place is filled, and nothing is left over: who asked for it may have seen another version. */
function fits(template: GraphTemplate, variables: string[]) {
  const shown = templateOf(template)
  return missingIn(shown, variables).length === 0 && variables.length <= shown.placeholders.length
}

const nameOf = ({ value, also }: Chat) => (also?.kind === 'phone' ? also.value : value)
