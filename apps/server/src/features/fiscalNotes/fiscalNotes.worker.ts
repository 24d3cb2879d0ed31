import { cut } from '@balcao/contract/cut.rules.ts'
import { dayInBrazil, type NoteIssuer, type NoteState, ProviderRefused } from '../../payments/payments.ts'
import { databaseDate } from '../../platform/clock.ts'
import type { PlatformScope, Scope, Scopes } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { fromNow } from '../../platform/work/leases.ts'
import { patience, pauseAfter } from '../../platform/work/retries.ts'
import { type CollectorTools, openCollectors } from '../collectors/collectors.client.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { settleNote } from './fiscalNotes.actions.ts'
import {
  claimNote,
  fiscalSettings,
  noteNamed,
  notesDue,
  updateNote,
  wantNotes,
} from './fiscalNotes.queries.ts'

const AT_ONCE = 10
/** The lease (ms) of a note under way. */
const LEASE_MS = 120_000

/** The provider that issues notes of what it collected. */
const ISSUER = 'asaas'

/** Makes the rows of notes for payments that came since the operator switched them on. */
export async function wantAllNotes(scopes: Scopes): Promise<void> {
  const platform = scopes.platform()
  const { since } = await platform.transaction(fiscalSettings)
  if (since === null) return
  while ((await platform.transaction(sql => wantNotes(sql, ISSUER, since))) > 0);
}

type RunTools = Pick<DueTools, 'scopes' | 'memory' | 'config' | 'outbound' | 'secrets' | 'log' | 'stopping'>

/** Issues the notes that are wanted, and asks after those of which no event came. True when more may wait. */
export async function runNotes(tools: RunTools): Promise<boolean> {
  const { scopes, secrets } = tools
  const { settings } = await scopes.platform().transaction(fiscalSettings)
  if (!settings.isOn) return false
  const collectors = await openCollectors(tools)
  const billing = await billingNow(tools)
  return workOff(tools, {
    name: 'fiscalNotes',
    atOnce: AT_ONCE,
    find: notesDue,
    run: (scope, { id }) =>
      runNote(scope, id, { settings, billing, collectors, installation: secrets.installation }),
  })
}

interface Running {
  settings: Awaited<ReturnType<typeof fiscalSettings>>['settings']
  billing: Awaited<ReturnType<typeof billingNow>>
  collectors: Awaited<ReturnType<typeof openCollectors>>
  installation: string
}

async function runNote(scope: Scope, id: number, running: Running): Promise<void> {
  const claimed = await scope.transaction(tx => claimNote(tx, id, LEASE_MS))
  if (!claimed) return // another worker was faster
  const { note, payment } = claimed
  if (note.state === 'wanted' && payment.leftCents <= 0)
    return void (await scope.transaction(tx => updateNote(tx, id, { state: 'cancelled' })))
  try {
    const issuer = running.collectors.of(payment.provider)?.notes
    if (!issuer) throw new ProviderRefused('key', 'the payment provider is not set up any more')
    const state =
      note.state === 'asked' ? await issuer.find(note.noteId) : await issue(issuer, scope, claimed, running)
    await scope.transaction(tx => settleNote(tx, running.billing, id, state))
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    const pause = pauseAfter(patience.charge, 'network', { attempts: note.attempts, counted: 0 })!
    const problem = cut(error.message, 300)
    await scope.transaction(tx =>
      updateNote(tx, id, error.isForEver ? { state: 'failed', problem } : { dueAt: fromNow(pause) }),
    )
  }
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimNote>>>

const issue = (
  issuer: NoteIssuer,
  { companyId }: Scope,
  { note, payment }: Claimed,
  { settings, installation }: Running,
): Promise<NoteState> =>
  issuer.issue({
    reference: `${installation}:note:${companyId}:${note.id}`,
    chargeId: payment.providerId,
    cents: payment.leftCents,
    on: dayInBrazil(databaseDate()),
    settings,
  })

/**
 * The provider reported that a note changed: its state is queried, since events come in any order. One that cannot be read now or later
 * holds up no event of payments: what it is asked for every hour says the same.
 */
export async function receiveNote(
  platform: PlatformScope,
  tools: CollectorTools & Pick<DueTools, 'log'>,
  { provider, noteId }: { provider: string; noteId: string },
): Promise<void> {
  const known = await platform.transaction(sql => noteNamed(sql, noteId))
  if (!known) return
  const issuer = (await openCollectors(tools)).of(provider)?.notes
  if (!issuer) return
  const state = await issuer.find(noteId).catch(error => {
    if (!(error instanceof ProviderRefused && (error.isForEver || error.reason === 'nonsense'))) throw error
    tools.log.warn({ noteId, problem: error.message }, 'the state of a fiscal note cannot be read')
  })
  if (!state) return
  const billing = await billingNow(tools)
  await platform.inCompany(known.companyId).transaction(tx => settleNote(tx, billing, known.id, state))
}
