import type { ClientCompany } from '@balcao/contract/clients.ts'
import { shownDocument } from '@balcao/contract/companies.rules.ts'
import { shownPostalCode } from '../companies/companies.values.ts'

/** What a company may use. */
export const switches = [
  ...(['enableReports', 'enableDashboard', 'enableCampaigns'] as const),
  ...(['enableSchedules', 'enableBots', 'enableFlows'] as const),
]

/** Values of the operator's form of a company; a new one is active, in Brazil, and otherwise empty. */
export const clientValues = (client: ClientCompany | null) => ({
  name: client?.name ?? '',
  email: client?.email ?? '',
  companyName: client?.companyName ?? '',
  slogan: client?.slogan ?? '',
  documentNumber: shownDocument(client?.documentNumber ?? ''),
  inscrMunicipal: client?.inscrMunicipal ?? '',
  inscrEstadual: client?.inscrEstadual ?? '',
  emailsOfNotifications: client?.emailsOfNotifications ?? '',
  whatsappsOfNotifications: client?.whatsappsOfNotifications ?? '',
  cep: shownPostalCode(client?.cep ?? ''),
  street: client?.street ?? '',
  numberAddress: client?.numberAddress ?? '',
  complement: client?.complement ?? '',
  district: client?.district ?? '',
  city: client?.city ?? '',
  state: client?.state ?? '',
  country: client?.country ?? '',
  observation: client?.observation ?? '',
  status: (client?.status ?? 1) === 1,
  numberAttendants: client?.numberAttendants ?? 1,
  numberConections: client?.numberConections ?? 1,
  enableReports: client?.enableReports ?? true,
  enableDashboard: client?.enableDashboard ?? true,
  enableCampaigns: client?.enableCampaigns ?? false,
  enableSchedules: client?.enableSchedules ?? true,
  enableBots: client?.enableBots ?? true,
  enableFlows: client?.enableFlows ?? true,
  userName: '',
  passwordDefault: '',
})
export type ClientValues = ReturnType<typeof clientValues>

/** The form without what only a new company has. */
export const changesOf = ({ userName: _first, passwordDefault: _its, status, ...values }: ClientValues) => ({
  ...values,
  status: status ? (1 as const) : (0 as const),
})

/** The same for non-masters: fields they may not change are omitted. */
export function ownChangesOf(values: ClientValues) {
  const {
    status: _on,
    numberAttendants: _a,
    numberConections: _c,
    observation: _o,
    ...own
  } = changesOf(values)
  return Object.fromEntries(
    Object.entries(own).filter(([field]) => !switches.includes(field as (typeof switches)[number])),
  )
}
