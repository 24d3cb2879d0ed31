import { setImmediate } from 'node:timers/promises'
import type { Added } from '@balcao/contract/campaignPeople.ts'
import { type Campaign, MAX_RECIPIENTS, type Recipients } from '@balcao/contract/campaignShapes.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { refuse } from '../../../platform/errors.ts'
import type { SQL } from '../../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { requireCampaigns } from '../../campaignSetups/campaignSetups.queries.ts'
import { phoneCountryOf } from '../../companies/companies.queries.ts'
import { readingsOf, readRow } from '../../contactSheets/contactSheets.rules.ts'
import { clockSet, publishCampaign } from '../campaigns.events.ts'
import { countPeople, findCampaignRow, lockManagedCampaign } from '../campaigns.queries.ts'
import { wakeClocks } from '../run/outcome.queries.ts'
import { finishIfOver } from '../run/status.actions.ts'
import { deletePending } from './pending.queries.ts'
import {
  type Counted,
  countPeopleFrom,
  fromSheet,
  insertFrom,
  ofCategories,
  ofTags,
  rowsGiven,
} from './recipients.queries.ts'

/**
 * Adds recipients, each number once however it is written. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION,
 * ERR_CAMPAIGN_FINALIZED, ERR_SHEET_NOT_READY, and ERR_BAD_REQUEST above the maximum of a campaign.
 */
export async function addRecipients(scope: Scope, campaignId: number, input: Recipients): Promise<Added> {
  const list = await readList(scope, input)
  return scope.transaction(async tx => {
    const { status } = await lockManagedCampaign(tx, campaignId)
    if (status === 'finalized') return refuse('ERR_CAMPAIGN_FINALIZED')
    const added = await addPeople(tx, campaignId, input, list)
    if (status === 'start') {
      await wakeClocks(tx, campaignId)
      tx.emit(clockSet, {})
    }
    await publishCampaign(tx, campaignId)
    return added
  })
}

/** Removes all pending recipients. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export const clearRecipients = (scope: Scope, campaignId: number): Promise<Campaign> =>
  scope.transaction(async tx => {
    await lockManagedCampaign(tx, campaignId)
    const deleted = await deletePending(tx, campaignId)
    await finishIfOver(tx, await countPeople(tx, campaignId, { total: -deleted }))
    return publishCampaign(tx, campaignId)
  })

/** How many people would be added, without a write. Refuses with ERR_NOT_FOUND, ERR_SHEET_NOT_READY. */
export async function countRecipients(
  scope: Scope,
  { campaignId = null, ...input }: Recipients & { campaignId?: number | null | undefined },
) {
  await scope.read(requireCampaigns)
  const { rows } = await readList(scope, input)
  return scope.read(async tx => {
    if (campaignId !== null) await findCampaignRow(tx, campaignId)
    return countPeopleFrom(tx, campaignId, await sourcesOf(tx, input, rows), input.without)
  })
}

/** The same as `addRecipients` in a transaction that holds the campaign. */
export async function addPeople(
  tx: Tx,
  campaignId: number,
  input: Recipients,
  { rows, faults, refused }: List,
): Promise<Added> {
  const all: Counted = { added: 0, doubled: 0, optedOut: 0, excluded: 0 }
  for (const source of await sourcesOf(tx, input, rows)) {
    const some = await insertFrom(tx, campaignId, source, input.without)
    for (const name of ['added', 'doubled', 'optedOut', 'excluded'] as const) all[name] += some[name]
  }
  await countPeople(tx, campaignId, { total: all.added, failed: all.optedOut })
  await checkTotal(tx, campaignId)
  return { ...all, refused, faults }
}

async function sourcesOf(tx: Tx, input: Recipients, rows: object[]): Promise<SQL[]> {
  const { categoryIds = [], tagIds = [], sheetId } = input
  return [
    ...(rows.length > 0 ? [rowsGiven(rows)] : []),
    ...(sheetId ? await fromSheet(tx, sheetId) : []),
    ...(categoryIds.length > 0 ? [ofCategories(tx, categoryIds)] : []),
    ...(tagIds.length > 0 ? [ofTags(tx, tagIds, input)] : []),
  ]
}

async function checkTotal(tx: Tx, campaignId: number) {
  const { total } = await findCampaignRow(tx, campaignId)
  if (total > MAX_RECIPIENTS)
    refuse('ERR_BAD_REQUEST', { field: 'sendList', message: `At most ${MAX_RECIPIENTS}` })
}

const FAULTS_SHOWN = 100

const columns = { name: null, number: 0, email: null, owner: null }

type List = Awaited<ReturnType<typeof readList>>

/** Numbers that are read before others are served again. */
const AT_ONCE = 50

/**
 * Reads the numbers like a sheet of contacts; `faults` are the first invalid ones. Many take seconds: it is done before a
 * transaction, which would be ended meanwhile.
 */
export async function readList(scope: Scope, { sendList = [] }: Recipients) {
  const country = await scope.read(phoneCountryOf)
  const rows: { name: string; number: string; key: string; row_values: object }[] = []
  const faults: Added['faults'] = []
  let refused = 0
  for (const [at, { number: written, values }] of sendList.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate()
    const { number, key, fault } = readRow([written], columns, { country, twoReadings: 'refuse' })
    const name = cut((values.name_opcional ?? values.name ?? values.nome ?? '').trim(), 50)
    if (!fault) rows.push({ name, number, key, row_values: { ...values, ...emailOf(values) } })
    else {
      refused++
      const numbers = fault === 'ambiguous' ? readingsOf(written, country) : undefined
      if (faults.length < FAULTS_SHOWN)
        faults.push({ row: at + 1, number: written, fault, ...(numbers && { numbers }) })
    }
  }
  return { rows, faults, refused }
}

const emailOf = (values: Record<string, string>) =>
  values.email_opcional ? { email: values.email_opcional } : {}
