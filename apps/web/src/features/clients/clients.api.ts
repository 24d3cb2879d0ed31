import { type ClientChanges, clients } from '@balcao/contract/clients.ts'
import { call } from '../../platform/call.ts'
import { askAgain, queryClient } from '../../platform/query.ts'
import { oneClient } from '../companies/companies.api.ts'
import { type ClientValues, changesOf } from './clients.values.ts'

const CLIENTS = ['companies']

/** Creates a company; answers its id. Throws ApiError. */
export async function addClient({ userName, passwordDefault, ...values }: ClientValues): Promise<number> {
  const body = { ...changesOf({ userName, passwordDefault, ...values }), userName, passwordDefault }
  const { company } = await call(clients.create, { body })
  await askAgain({ queryKey: CLIENTS })
  return company.id
}

/** Throws ApiError. */
export async function changeClient(companyId: number, body: ClientChanges) {
  const saved = await call(clients.change, { params: { companyId }, body })
  queryClient.setQueryData(oneClient(companyId).queryKey, saved)
  await askAgain({ queryKey: [...CLIENTS, 'list'] })
  return saved
}

/** Throws ApiError. */
export async function removeClient(companyId: number): Promise<void> {
  await call(clients.remove, { params: { companyId } })
  await askAgain({ queryKey: [...CLIENTS, 'list'] })
}
