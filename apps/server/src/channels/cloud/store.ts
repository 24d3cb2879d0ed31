import type { SessionHost } from '../../driver.ts'
import { hearOfAccount, publishHealth } from '../../features/cloud/cloud.actions.ts'
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
import { cloudOf } from '../../features/connections/connections.cloud.queries.ts'
import type { CloudRow } from '../../features/connections/connections.rules.ts'
import type { Platform } from '../../platform/app.ts'

/** What a session keeps in the database. Every write holds the lease: it throws LeaseLost once another process owns the connection. */
export interface SessionStore {
  /** The settings with their secrets opened; null when there are none. */
  settings(): Promise<CloudRow | null>
  waiting(limit: number): Promise<{ id: number; body: string; receivedAt: string }[]>
  settle(ids: number[], strange: Map<number, string>): Promise<void>
  sentUnder(names: { wamids?: string[]; externalIds?: string[] }): Promise<SentRow[]>
  markAsked(externalId: string): Promise<unknown>
  unmark(externalId: string): Promise<unknown>
  learn(named: { externalId: string; wamid: string }[]): Promise<unknown>
  publishHealth(learnt: Partial<CloudRow>): Promise<unknown>
  hearOfAccount(news: AccountNews[]): Promise<unknown>
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
      if (!row) return null
      const open = (sealed: string) => secrets.open(companyId, sealed)
      return { ...row, accessToken: open(row.accessToken), appSecret: '', verifyToken: '' }
    },
    waiting: limit => scope.list(tx => waitingDeliveries(tx, whatsappId, limit)),
    settle: (ids, strange) => write(tx => settleDeliveries(tx, ids, strange)),
    sentUnder: names => scope.read(tx => sentUnder(tx, whatsappId, names)),
    markAsked: externalId => write(tx => markAsked(tx, whatsappId, externalId)),
    unmark: externalId => write(tx => unmark(tx, whatsappId, externalId)),
    learn: named => write(tx => learnNames(tx, whatsappId, named)),
    hearOfAccount: news => write(tx => hearOfAccount(tx, whatsappId, news)),
    banState: async () => (await scope.read(tx => cloudOf(tx, whatsappId)))?.banState ?? '',
    publishHealth: learnt => write(tx => publishHealth(tx, whatsappId, learnt)),
  }
}
