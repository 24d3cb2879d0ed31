import type { SessionHost } from '../../driver.ts'
import { hearOfAccount, publishHealth } from '../../features/cloud/cloud.actions.ts'
import { keepPrices, type PriceRow } from '../../features/cloud/cloud.prices.queries.ts'
import {
  learnNames,
  markAsked,
  type SentRow,
  sentUnder,
  settleDeliveries,
  unmark,
  waitingDeliveries,
} from '../../features/cloud/cloud.queries.ts'
import type { AccountNews } from '../../features/cloud/cloud.rules.ts'
import { cloudOf, updateCloud } from '../../features/connections/connections.cloud.queries.ts'
import type { CloudRow } from '../../features/connections/connections.rules.ts'
import { writtenByCompany } from '../../features/messages/inbound/inbound.queries.ts'
import type { Platform } from '../../platform/app.ts'

/** What a session keeps in the database. Every write holds the lease: it throws LeaseLost once another process owns the connection. */
export interface SessionStore {
  /** The settings with their secrets opened; null without any, or without a token. */
  settings(): Promise<CloudRow | null>
  waiting(limit: number): Promise<{ id: number; body: string; receivedAt: string }[]>
  settle(ids: number[], strange: Map<number, string>): Promise<void>
  sentUnder(names: { wamids?: string[]; externalIds?: string[] }): Promise<SentRow[]>
  /** Those of these ids under which the company wrote something. */
  writtenByCompany(externalIds: string[]): Promise<string[]>
  markAsked(externalId: string): Promise<unknown>
  unmark(externalId: string): Promise<unknown>
  learn(named: { externalId: string; wamid: string }[]): Promise<unknown>
  publishHealth(learnt: Partial<CloudRow>): Promise<unknown>
  hearOfAccount(news: AccountNews[]): Promise<unknown>
  setSignUp(next: CloudRow['signUp']): Promise<unknown>
  keepPrices(prices: PriceRow[]): Promise<unknown>
  /** Of the account, as Meta last reported it. */
  banState(): Promise<string>
}

export function openStore(
  { scopes, secrets }: Pick<Platform, 'scopes' | 'secrets'>,
  { companyId, whatsappId, write }: Pick<SessionHost, 'companyId' | 'whatsappId' | 'write'>,
): SessionStore {
  const scope = scopes.promised(companyId)
  return {
    async settings() {
      const row = await scope.read(tx => cloudOf(tx, whatsappId))
      if (!row?.accessToken) return null
      const open = (sealed: string) => secrets.open(companyId, sealed)
      const verifyToken = row.signUp ? open(row.verifyToken) : ''
      return { ...row, accessToken: open(row.accessToken), appSecret: '', verifyToken }
    },
    waiting: limit => scope.list(tx => waitingDeliveries(tx, whatsappId, limit)),
    settle: (ids, strange) => write(tx => settleDeliveries(tx, ids, strange)),
    sentUnder: names => scope.read(tx => sentUnder(tx, whatsappId, names)),
    writtenByCompany: ids => scope.read(tx => writtenByCompany(tx, whatsappId, ids)),
    markAsked: externalId => write(tx => markAsked(tx, whatsappId, externalId)),
    unmark: externalId => write(tx => unmark(tx, whatsappId, externalId)),
    learn: named => write(tx => learnNames(tx, whatsappId, named)),
    hearOfAccount: news => write(tx => hearOfAccount(tx, whatsappId, news)),
    setSignUp: signUp => write(tx => updateCloud(tx, whatsappId, { signUp })),
    keepPrices: prices => write(tx => keepPrices(tx, whatsappId, prices)),
    banState: async () => (await scope.read(tx => cloudOf(tx, whatsappId)))?.banState ?? '',
    publishHealth: learnt => write(tx => publishHealth(tx, whatsappId, learnt)),
  }
}
