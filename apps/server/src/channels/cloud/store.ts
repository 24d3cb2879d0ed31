import {
  learnNames,
  markAsked,
  settleDeliveries,
  tellHealth,
  unmark,
} from '../../features/cloud/cloud.actions.ts'
import { type SentRow, sentUnder, waitingDeliveries } from '../../features/cloud/cloud.queries.ts'
import { type CloudRow, cloudOf } from '../../features/connections/connections.cloud.ts'
import type { Platform } from '../../platform/app.ts'

/** What a session keeps in the database. */
export interface SessionStore {
  /** The settings with their secrets opened; null when there are none. */
  settings(): Promise<CloudRow | null>
  waiting(limit: number): Promise<{ id: number; body: string; receivedAt: string }[]>
  settle(ids: number[], strange: Map<number, string>): Promise<void>
  sentUnder(names: { wamids?: string[]; externalIds?: string[] }): Promise<SentRow[]>
  markAsked(externalId: string): Promise<unknown>
  unmark(externalId: string): Promise<unknown>
  learn(named: { externalId: string; wamid: string }[]): Promise<unknown>
  tell(learnt: Partial<CloudRow>): Promise<unknown>
}

export function openStore(
  { scopes, secrets }: Pick<Platform, 'scopes' | 'secrets'>,
  companyId: number,
  whatsappId: number,
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
    settle: (ids, strange) => settleDeliveries(scope, ids, strange),
    sentUnder: names => scope.read(tx => sentUnder(tx, whatsappId, names)),
    markAsked: externalId => markAsked(scope, whatsappId, externalId),
    unmark: externalId => unmark(scope, whatsappId, externalId),
    learn: named => learnNames(scope, whatsappId, named),
    tell: learnt => tellHealth(scope, whatsappId, learnt),
  }
}
