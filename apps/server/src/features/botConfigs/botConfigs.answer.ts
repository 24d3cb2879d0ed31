import { CANNOT_TAKE } from '@balcao/contract/botConfigs.rules.ts'
import type { BotConfig } from '@balcao/contract/botConfigs.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { DueTools } from '../../platform/due.ts'
import type { Tx } from '../../platform/scope.ts'
import { clockOf, modelsAreOn, ownCompany } from '../companies/companies.queries.ts'
import { endpointFor } from '../integrations/integrations.endpoint.ts'
import { selectQueues } from '../queues/queues.queries.ts'
import { allTags } from '../tags/tags.queries.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { converse, nothingSaid, type Reply } from './botConfigs.converse.ts'
import { type Around, isBeyond, questionOf, type Word } from './botConfigs.prompt.ts'
import { botConfigOr } from './botConfigs.queries.ts'
import { breakSilence, settleLater, settleReply, settleWithout } from './botConfigs.settle.ts'
import { type Claim, type DialogRow, dialogOr, wordsOf } from './botConfigs.store.ts'
import { settleTrial, trialWords } from './botConfigs.trials.ts'

/** A dialog that is due, with everything that decides what happens now. */
interface Due {
  dialog: DialogRow
  config: BotConfig | null
  ticket: Ticket | null
  words: (Word & { createdAt: string })[]
  isOn: boolean
  around: Around
}

/** Works a claimed dialog off: reads, asks the model outside of any transaction, and writes what came of it in one commit. */
export async function answerDialog(tools: DueTools, claim: Claim): Promise<void> {
  const scope = tools.scopes.inCompany(claim.companyId)
  const due = await scope.read(tx => gather(tx, claim))
  if (!due) return
  const { dialog, config, ticket, words } = due
  if (!config) return settleWithout(scope, claim, 'gone', null)
  if (dialog.ticketId !== null && !maySpeak(ticket)) return settleWithout(scope, claim, 'closed', null)
  if (claim.dueFor === 'silence') return breakSilence(scope, claim, config)
  if (dialog.ticketId !== null && dialog.answers >= config.maxMessagesForDialog)
    return settleWithout(scope, claim, 'limit', config)
  if (words.some(isLoading)) return settleLater(scope, claim)
  const reply = await replyTo(tools, due, config)
  if (tools.stopping()) return
  return dialog.ticketId === null
    ? settleTrial(scope, claim, config, reply, due.around)
    : settleReply(scope, claim, config, reply)
}

async function gather(tx: Tx, { id, turn }: Claim): Promise<Due | null> {
  const dialog = await dialogOr(tx, id)
  if (!dialog || dialog.endedAt !== null || dialog.turn !== turn) return null
  const { ticketId, botConfigId, fromPosition } = dialog
  const { companyName } = await ownCompany(tx)
  return {
    dialog,
    config: await botConfigOr(tx, botConfigId),
    ticket: ticketId === null ? null : await loadTicket(tx, ticketId),
    words: ticketId === null ? await trialWords(tx, botConfigId) : await wordsOf(tx, ticketId, fromPosition),
    isOn: await modelsAreOn(tx),
    around: {
      company: companyName,
      clock: await clockOf(tx),
      queues: await selectQueues(tx),
      tags: await allTags(tx),
    },
  }
}

/** A model speaks where nobody else does. */
const maySpeak = (ticket: Ticket | null) =>
  ticket !== null && ticket.status === 'pending' && ticket.userId === null && !ticket.isGroup

/** A picture that comes in at this moment is waited for a little. */
const FETCH_MS = 30_000
const isLoading = ({ mediaType, media, createdAt, fromMe }: Due['words'][number]) =>
  !fromMe &&
  mediaType === 'image' &&
  media?.state === 'loading' &&
  Date.now() - Date.parse(createdAt) < FETCH_MS

async function replyTo(
  tools: DueTools,
  { words, around, isOn, dialog }: Due,
  config: BotConfig,
): Promise<Reply> {
  const unanswered = words.slice(words.findLastIndex(({ fromMe }) => fromMe) + 1)
  if (unanswered.length > 0 && unanswered.every(word => isBeyond(word, config.model)))
    return { ...nothingSaid('empty'), failure: null, text: CANNOT_TAKE }
  if (!isOn) return nothingSaid('plan')
  const endpoint = await endpointFor(tools, dialog.companyId)
  if (!endpoint) return nothingSaid('none')
  const question = await questionOf(config, around, words, {
    files: tools.files,
    companyId: dialog.companyId,
  })
  return converse(tools, endpoint, question, around)
}
