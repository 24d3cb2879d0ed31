import { type Branding, companies } from '@balcao/contract/companies.ts'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'

export const chooseZone = (companyId: number, timeZone: string | null) =>
  call(companies.change, { params: { companyId }, body: { timeZone } })

/** Opens or closes sign-up; the login screen reads it with the rest of the branding. */
export async function chooseSignUp(value: Branding['userCreation']) {
  await call(companies.changeSetting, { params: { settingKey: 'userCreation' }, body: { value } })
  await queryClient.invalidateQueries({ queryKey: ['branding'] })
}
