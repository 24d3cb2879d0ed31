import type { SessionState } from '../../driver.ts'
import type { Tx } from '../../platform/scope.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { and, eq } from '../../platform/sql.ts'
import { sessionChanged } from './connections.events.ts'
import { findConnection, sessionOf } from './connections.queries.ts'
import { whatsapps } from './connections.table.ts'

/** States in which nothing goes on by itself: only a new wish of the admin does. */
const ENDED = new Set(['DISCONNECTED', 'TIMEOUT'])

/** Writes down how a session stands and tells the screens. Codes that pair a phone are sealed before they are stored. */
export async function reportSession(
  tx: Tx,
  secrets: Secrets,
  whatsappId: number,
  state: Partial<SessionState>,
): Promise<void> {
  const { qrcode, pairingCode, ...plain } = state
  const sealed = (code: string) => (code ? secrets.seal(tx.companyId, code) : '')
  await tx.sql
    .update(whatsapps)
    .set({
      ...plain,
      ...(qrcode !== undefined && { qrcode: sealed(qrcode) }),
      ...(pairingCode !== undefined && { pairingCode: sealed(pairingCode) }),
      ...(state.status && ENDED.has(state.status) && { wanted: 'off' as const }),
      updatedAt: new Date().toISOString(),
    })
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  tx.emit(sessionChanged, sessionOf(await findConnection(tx, whatsappId)))
}

/** Whether groups are heard on a connection. */
export async function acceptsGroups(tx: Tx, whatsappId: number): Promise<boolean> {
  const [row] = await tx.sql
    .select({ disabled: whatsapps.disableGroupMessages })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  return row?.disabled === false
}
