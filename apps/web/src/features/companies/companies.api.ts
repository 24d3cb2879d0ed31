import { clients } from '@balcao/contract/clients.ts'
import { type Branding, type CompanyInput, companies, type Setting } from '@balcao/contract/companies.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain, queryClient } from '../../platform/query.ts'

export const chooseZone = (companyId: number, timeZone: string | null) =>
  call(companies.change, { params: { companyId }, body: { timeZone } })

export const choosePhoneCountry = (companyId: number, phoneCountry: string) =>
  call(companies.change, { params: { companyId }, body: { phoneCountry } })

/** Opens or closes sign-up; the login screen reads it with the rest of the branding. */
export async function chooseSignUp(value: Branding['userCreation']) {
  await chooseSetting('userCreation', value)
  await queryClient.invalidateQueries({ queryKey: ['branding'] })
}

/** What the operator decided for the whole platform, by key. */
export const platformSettings = queryOptions({
  queryKey: ['companies', 'settings'],
  queryFn: async () => {
    const all = await call(companies.settings)
    return new Map<string, Setting>(all.map(one => [one.key, one]))
  },
})

/** Throws ApiError. */
export async function chooseSetting(settingKey: Setting['key'], value: string) {
  await call(companies.changeSetting, { params: { settingKey }, body: { value } })
  await askAgain({ queryKey: platformSettings.queryKey })
}

const own = (companyId: number) => ({ params: { companyId } })

/** The own company with its document number and address, as it is now. */
export const ownCompany = (companyId: number) =>
  queryOptions({
    queryKey: ['companies', 'own', companyId],
    queryFn: () => call(companies.show, own(companyId)),
    staleTime: 0,
    gcTime: 0,
  })

/** Throws ApiError. */
export async function chooseOfMessages(
  companyId: number,
  body: { keepsDeleted: boolean } | { readsOnPhone: boolean } | { pushShowsTexts: boolean },
) {
  const saved = await call(companies.change, { ...own(companyId), body })
  queryClient.setQueryData(ownCompany(companyId).queryKey, saved)
}

/** Throws ApiError. */
export async function chooseReplies(
  companyId: number,
  body: Pick<CompanyInput, 'thanksMinutes' | 'reopensOnThanks' | 'outOfHoursEvery'>,
) {
  const saved = await call(companies.change, { ...own(companyId), body })
  queryClient.setQueryData(ownCompany(companyId).queryKey, saved)
}

/** Saves the company's form as documented: JSON in a field, the logo beside it. Throws ApiError. */
export async function saveCompany(companyId: number, input: CompanyInput, logo: File | null, seen?: Seen) {
  const body = { body: JSON.stringify(input), ...(logo && { mediaName: logo.name }) }
  const saved = await call(companies.change, {
    ...own(companyId),
    body,
    seen,
    files: logo ? { media: logo } : {},
  })
  queryClient.setQueryData(ownCompany(companyId).queryKey, saved)
  return saved
}

/** All companies, as the operator of the platform sees them. */
const allClients = pagedList(clients.list, 'companies')

export const clientsBy =
  (limits: 'exceeded' | null = null) =>
  (text: string) =>
    allClients(text, limits ? { limits } : {})

export const clientList = clientsBy()

/** A company as the operator sees it. */
export const oneClient = (companyId: number) =>
  queryOptions({
    queryKey: ['companies', 'client', companyId],
    queryFn: () => call(clients.show, { params: { companyId } }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** Storage used by the company's files. */
export const storageOf = (companyId: number) =>
  queryOptions({
    queryKey: ['companies', 'storage', companyId],
    queryFn: () => call(clients.storage, { params: { companyId } }),
  })
