import { randomBytes } from 'node:crypto'
import type { Connection } from '@balcao/contract/connections.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import { databaseNow } from '../../platform/clock.ts'
import type { Scope, Scopes, Tx } from '../../platform/scope.ts'
import { addConnection, changeConnection, emitConnectionChanged } from '../connections/connections.actions.ts'
import { updateCloud } from '../connections/connections.cloud.queries.ts'
import { hasConnectionNamed } from '../connections/connections.queries.ts'
import { sealedCloud } from '../connections/connections.rules.ts'
import { connectionsOfNumbers, numbersInUse } from './cloud.queries.ts'
import type { SignedUp } from './cloud.signup.client.ts'

/** As far back as the Business app hands its history over (Meta: "history webhook reference"). */
const HISTORY_MS = 180 * 24 * 3_600_000

/**
 * Of the numbers that a sign-up gives access to: the first without a connection, else the first of the company. An account
 * may be shared with another company of this installation, whose numbers are left alone. Undefined where none is left.
 */
export async function numberToConnect(
  { scope, scopes }: { scope: Scope; scopes: Scopes },
  phoneNumberIds: string[],
): Promise<string | undefined> {
  if (phoneNumberIds.length === 0) return undefined
  const inUse = await scopes.platform().transaction(sql => numbersInUse(sql, phoneNumberIds))
  const own = await scope.read(connectionsOfNumbers)
  return phoneNumberIds.find(id => !inUse.has(id)) ?? phoneNumberIds.find(id => own.has(id))
}

/**
 * Adds a connection for a number that was signed up, or gives the one that has it the new access. Its session then asks the
 * phone's app for names and history. Refuses as `addConnection`.
 */
export const connectSignedUp = (
  scope: Scope,
  signedUp: SignedUp,
  { appSecret, importsHistory, secrets }: { appSecret: string; importsHistory: boolean; secrets: Secrets },
): Promise<Connection> =>
  scope.transaction(async tx => {
    const { phoneNumberId, businessAccountId, accessToken, isOnApp } = signedUp
    const verifyToken = randomBytes(24).toString('hex')
    const given = { phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken }
    const cloud = sealedCloud(secrets, tx.companyId, given)
    const known = (await connectionsOfNumbers(tx)).get(phoneNumberId)
    const imports = {
      importOldMessages: new Date(databaseNow() - HISTORY_MS).toISOString(),
      closedTicketsPostImported: 1,
    } as const
    const settings = { cloud, ...(isOnApp && importsHistory && imports) }
    const { id } =
      known === undefined
        ? await addConnection(
            tx,
            { name: await nameFor(tx, signedUp), lib: 'cloud', ...settings },
            { demo: false },
          )
        : await changeConnection(tx, known, settings, { demo: false })
    await updateCloud(tx, id, { signUp: isOnApp ? 'contacts' : 'done' })
    tx.note('a number was signed up at Meta', { whatsappId: id, isOnApp })
    return emitConnectionChanged(tx, id)
  })

/** As Meta shows the number, with its last digits where the name is in use. */
async function nameFor(tx: Tx, { name, digits }: SignedUp): Promise<string> {
  const plain = cut(name.trim(), 40)
  const usual = plain.length < 2 ? `+${digits}` : plain
  return (await hasConnectionNamed(tx, usual)) ? `${usual} ${digits.slice(-4)}` : usual
}
