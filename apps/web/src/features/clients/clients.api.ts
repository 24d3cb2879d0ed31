import { type ClientChanges, clients } from '@balcao/contract/clients.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain, queryClient } from '../../platform/query.ts'
import { type ClientValues, changesOf } from './clients.values.ts'

const CLIENTS = ['companies']

export const clientList = pagedList(clients.list, 'companies')

export const oneClient = (companyId: number) =>
  queryOptions({
    queryKey: [...CLIENTS, 'client', companyId],
    queryFn: () => call(clients.show, { params: { companyId } }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** Storage used by the company's files. */
export const storageOf = (companyId: number) =>
  queryOptions({
    queryKey: [...CLIENTS, 'storage', companyId],
    queryFn: () => call(clients.storage, { params: { companyId } }),
  })

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
