import type { UserInput } from '@balcao/contract/users.ts'
import type { Tx } from '../../platform/scope.ts'
import { addAuthorization } from '../permissions/permissions.actions.ts'
import { hasAuthorizations } from '../permissions/permissions.queries.ts'
import { addQueue } from '../queues/queues.actions.ts'
import { selectQueues } from '../queues/queues.queries.ts'
import { connectionNeeded } from './users.events.ts'
import { defaultConnectionId } from './users.queries.ts'

const QUEUES = [
  { name: 'Financeiro', color: '#008b02' },
  { name: 'Vendas', color: '#1273de' },
  { name: 'Suporte', color: '#fe9200' },
]

/**
 * Adds default queues, groups and connection where the company has none (OP-71), and gives them to the user. Existing ones
 * are not assigned.
 */
export async function withDefaults(tx: Tx, user: UserInput): Promise<UserInput> {
  const queueIds = await makeQueues(tx)
  const groupId = await makeGroups(tx, user.profile === 'admin')
  const whatsappId = await makeConnection(tx)
  return {
    ...user,
    ...(queueIds.length > 0 && !user.queueIds?.length && { queueIds }),
    ...(groupId && !user.userAuthorizationId && { userAuthorizationId: groupId }),
    ...(whatsappId && !user.whatsappId && { whatsappId }),
  }
}

async function makeQueues(tx: Tx): Promise<number[]> {
  if ((await selectQueues(tx)).length > 0) return []
  const made: number[] = []
  for (const queue of QUEUES) made.push((await addQueue(tx, queue)).id)
  return made
}

async function makeGroups(tx: Tx, forAdmin: boolean): Promise<number | null> {
  if (await hasAuthorizations(tx)) return null
  const admins = await addAuthorization(tx, { name: 'Administradores' })
  await addAuthorization(tx, { name: 'Gerentes' })
  const rest = await addAuthorization(tx, { name: 'Operacionais', enableAdministration: 0, enableDash: 0 })
  return forAdmin ? admins.id : rest.id
}

async function makeConnection(tx: Tx): Promise<number | null> {
  if (await defaultConnectionId(tx)) return null
  await tx.involve(connectionNeeded, {})
  return defaultConnectionId(tx)
}
