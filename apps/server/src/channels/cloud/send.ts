import { setTimeout as sleep } from 'node:timers/promises'
import { isFile, missingIn } from '@balcao/contract/cloud.templates.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { UNKNOWN_OUTCOME } from '@balcao/contract/messages.rules.ts'
import { LRUCache } from 'lru-cache'
import type { FileContent, OutgoingContent } from '../../driver.content.ts'
import {
  type Chat,
  type CheckLease,
  LeaseLost,
  type Operation,
  type Outcome,
  type Outgoing,
  type SessionHost,
} from '../../driver.ts'
import { fetchTemplates, type Graph, GraphRefusal, GraphSilence } from '../../features/cloud/cloud.client.ts'
import {
  componentsOf,
  type GraphTemplate,
  type HeaderFile,
  templateOf,
} from '../../features/cloud/cloud.rules.ts'
import { type Policy, policyOf, Unsendable } from './errors.ts'
import { createUploads, shapeOf, type Uploads } from './media.ts'
import { bodyOf, recipientOf } from './outgoing.ts'
import type { Pace } from './pace.ts'
import type { SessionStore } from './store.ts'

/** How long (ms) a status may still report a message whose answer was lost; then a user has to decide. */
const LOST_MS = 30_000
const TEMPLATES_MS = 10 * 60_000
const AGAIN_MS = 1_000
/** How long (ms) the end of a session waits for Meta's answers. */
const CLOSE_MS = 5_000
/** How many calls are remembered beside their rows. */
const KNOWN = 5_000

interface Deps {
  graph: Graph
  store: SessionStore
  pace: Pace
  phoneNumberId: string
  businessAccountId: string
  voiceNote: SessionHost['voiceNote']
  /** Meta did not answer, or refuses the account. */
  troubled(how: 'silent' | Policy, reason: string): void
}

const refused = (reason: string): Outcome => ({ is: 'refused', reason })
const unknown = (reason: string): Outcome => ({ is: 'unknown', reason })
const LOST = UNKNOWN_OUTCOME
/** A parameter that names nothing, or a file that could not be read. */
const OF_FILES = [100, 131008, 131009, 131052, 131053]

const TO_ADMINS: Policy[] = ['auth', 'denied', 'blocked', 'rest']
/** Nothing was carried out, and a later try may be. */
const LATER: Policy[] = ['again', 'slow', 'rest', 'pair']

/** The sending half of one number. */
export class CloudSender {
  readonly #deps: Deps
  readonly #uploads: Uploads
  /**
   * What is known of a call and is not in the rows: Meta's id, or null where nothing left yet. Without it a failure
   * between the mark and the call would count as a lost answer.
   */
  readonly #known = new LRUCache<string, { wamid: string | null }>({ max: KNOWN })
  #templates = new Map<string, { until: number; found: GraphTemplate[] }>()
  /** Calls from before their mark until their answer is written. */
  readonly #leaving = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#uploads = createUploads(deps.graph, deps.phoneNumberId)
  }

  async send(message: Outgoing, leave: CheckLease): Promise<Outcome> {
    const before = await this.#outcomeBefore(message)
    if (before) return before
    const file = fileIn(message.content)
    const isOld = file !== undefined && this.#uploads.knows(file)
    const outcome = await this.#attempt(message, leave)
    // What was uploaded days ago may be gone at Meta: a file that is refused is uploaded once more.
    const isForgotten = isOld && !this.#uploads.knows(file)
    return outcome.is === 'refused' && isForgotten ? this.#attempt(message, leave) : outcome
  }

  async act(operation: Operation, leave: CheckLease): Promise<Outcome> {
    if (operation.what !== 'react') return refused('ERR_WAPP_UNSUPPORTED')
    const of = await this.#wamidOf(operation.target)
    if (!of) return refused('ERR_FETCH_WAPP_MSG')
    const { graph, pace, phoneNumberId } = this.#deps
    try {
      await pace.turn()
      const reaction = {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...recipientOf(operation.chat),
        type: 'reaction',
        reaction: { message_id: of, emoji: operation.emoji },
      }
      await graph.post(`${phoneNumberId}/messages`, reaction, leave)
      return { is: 'sent' }
    } catch (error) {
      // a reaction is idempotent: without an answer it is sent again
      const outcome = await this.#outcomeOf(error, nameOf(operation.chat), operation.externalId)
      return outcome.is === 'unknown' ? unknown('ERR_WAPP_CLOUD_CALL') : outcome
    }
  }

  /**
   * Nothing begins to leave any more. What leaves gets its answer first: a call that is cut off has an unknown outcome, which
   * a user has to decide about.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.race([Promise.allSettled(this.#leaving), sleep(CLOSE_MS, null, { ref: false })])
  }

  /** Meta changed a template: it is fetched again. */
  forgetTemplates(): void {
    this.#templates = new Map()
  }

  /**
   * A later try of what may have left. Meta has no idempotency key: a message whose answer was lost is never sent again
   * automatically. Its statuses bring back our id; when none comes a user decides.
   */
  async #outcomeBefore({ externalId, again }: Outgoing): Promise<Outcome | null> {
    if (!again) return null
    const unwritten = this.#known.get(externalId)
    if (unwritten) await this.#write(externalId, unwritten.wamid)
    const [row] = await this.#deps.store.sentUnder({ externalIds: [externalId] })
    if (!row) return null
    if (row.wamid) return { is: 'sent', earlier: true }
    return row.askedMsAgo < LOST_MS ? unknown(LOST) : refused(LOST)
  }

  async #attempt(message: Outgoing, leave: CheckLease): Promise<Outcome> {
    const { pace } = this.#deps
    const { chat, externalId } = message
    const to = nameOf(chat)
    let isAsked = false
    try {
      const call = await this.#prepare(message)
      await pace.free(to)
      await pace.turn()
      // whoever opens the connection next sends it: nothing of it was marked
      if (this.#isClosed) throw new LeaseLost()
      isAsked = true
      const leaving = this.#post(to, externalId, call, leave)
      this.#leaving.add(leaving)
      return await leaving.finally(() => this.#leaving.delete(leaving))
    } catch (error) {
      const file = fileIn(message.content)
      if (file && error instanceof GraphRefusal && OF_FILES.includes(error.code)) {
        this.#uploads.forget(file)
        // Graph's own complaint about a parameter: the upload has no other that could be wrong
        if (error.code === 100 && !error.isOfStranger && !isAsked) return refused('ERR_FILE_TYPE')
      }
      const isBefore = error instanceof GraphSilence && !isAsked
      return this.#outcomeOf(isBefore ? new GraphSilence(error.message, false) : error, to, externalId)
    }
  }

  /** The whole call, made before anything is marked: what fails here has certainly not left. */
  async #prepare(message: Outgoing) {
    const { chat, externalId, quoted } = message
    const { voiceNote } = this.#deps
    const fill = this.#fill.bind(this)
    const body = await bodyOf(message, { upload: this.#uploads.idOf, fill, voiceNote })
    const context = quoted && (await this.#wamidOf(quoted))
    return {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...recipientOf(chat),
      ...body,
      ...(context && { context: { message_id: context } }),
      biz_opaque_callback_data: externalId,
    }
  }

  async #fill({ name, language, variables, file }: Extract<OutgoingContent, { kind: 'template' }>) {
    const named = await this.#templatesNamed(name)
    const found = named.find(one => one.name === name && one.language === language)
    if (!found || !fits(found, variables, { hasFile: file !== undefined }))
      throw new Unsendable('ERR_WAPP_TEMPLATE')
    return componentsOf(found, variables, { file: file && (await this.#headerOf(found, file)) })
  }

  /** Uploads the file of a header. Throws Unsendable where it is none that this template shows. */
  async #headerOf(template: GraphTemplate, file: FileContent): Promise<HeaderFile> {
    const place = templateOf(template).placeholders.find(
      ({ part, kind }) => part === 'header' && isFile(kind),
    )
    if (!place || !isFile(place.kind)) throw new Unsendable('ERR_WAPP_TEMPLATE')
    const { kind, type } = shapeOf({ ...file, as: place.kind }, '')
    if (kind !== place.kind) throw new Unsendable('ERR_FILE_TYPE')
    return { id: await this.#uploads.idOf(file, type), name: cut(file.media.name, 240) }
  }

  async #templatesNamed(name: string): Promise<GraphTemplate[]> {
    const known = this.#templates.get(name)
    if (known && known.until > performance.now()) return known.found
    const { graph, businessAccountId } = this.#deps
    const found = await fetchTemplates(graph, businessAccountId, name).catch(error => {
      // the account, not the number: the token still sends everything else
      if (error instanceof GraphRefusal && error.isOfStranger) throw new Unsendable('ERR_WAPP_CLOUD_DENIED')
      throw error
    })
    this.#templates.set(name, { until: performance.now() + TEMPLATES_MS, found })
    return found
  }

  /** Meta's id of a message of either side; undefined when it never had one. */
  async #wamidOf({ externalId, fromMe }: { externalId: string; fromMe: boolean }) {
    if (externalId.startsWith('wamid.')) return externalId
    if (!fromMe) return undefined
    const [row] = await this.#deps.store.sentUnder({ externalIds: [externalId] })
    return row?.wamid ?? undefined
  }

  async #post(to: string, externalId: string, call: object, leave: CheckLease): Promise<Outcome> {
    const { graph, store, pace, phoneNumberId } = this.#deps
    this.#known.set(externalId, { wamid: null })
    await store.markAsked(externalId)
    const path = `${phoneNumberId}/messages`
    const answer = await graph.post<{ messages?: { id?: string }[] }>(path, call, async () => {
      await leave()
      this.#known.delete(externalId)
    })
    const wamid = answer.messages?.[0]?.id
    if (!wamid) throw new GraphSilence('no id of the message', true)
    await this.#write(externalId, wamid)
    pace.accepted(to)
    return { is: 'sent' }
  }

  /** Writes what is known of a call; until that succeeded it is kept in memory. */
  async #write(externalId: string, wamid: string | null): Promise<void> {
    const { store } = this.#deps
    this.#known.set(externalId, { wamid })
    await (wamid === null ? store.unmark(externalId) : store.learn([{ externalId, wamid }]))
    this.#known.delete(externalId)
  }

  /** What a failure before or in the call means. */
  async #outcomeOf(error: unknown, to: string, externalId: string): Promise<Outcome> {
    const { pace, troubled } = this.#deps
    if (error instanceof Unsendable) return refused(error.reason)
    if (error instanceof GraphSilence) {
      if (!error.reached) await this.#write(externalId, null)
      troubled('silent', error.message)
      return unknown(error.reached ? LOST : error.message)
    }
    if (!(error instanceof GraphRefusal)) throw error
    await this.#write(externalId, null)
    const { policy, reason } = policyOf(error)
    if (policy === 'slow') pace.tooFast()
    if (policy === 'rest') pace.rest(error.waitMs)
    if (policy === 'pair') pace.hold(to)
    if (policy === 'again') pace.hold(to, AGAIN_MS * (1 + Math.random()))
    if (reason === 'ERR_WAPP_TEMPLATE') this.forgetTemplates()
    if (TO_ADMINS.includes(policy)) troubled(policy, reason)
    return LATER.includes(policy) ? unknown(reason) : refused(reason)
  }
}

/** Every placeholder is filled, and no variable is left over: the user may have seen another version. */
function fits(template: GraphTemplate, variables: string[], { hasFile }: { hasFile: boolean }) {
  const shown = templateOf(template)
  const isWhole = shown.unfilled === '' && missingIn(shown, variables, { hasFile }).length === 0
  return isWhole && variables.length <= shown.placeholders.length
}

/** The file that goes with a message. */
const fileIn = (content: OutgoingContent): FileContent | undefined =>
  content.kind === 'file' ? content : content.kind === 'template' ? content.file : undefined

const nameOf = ({ value, also }: Chat) => (also?.kind === 'phone' ? also.value : value)
