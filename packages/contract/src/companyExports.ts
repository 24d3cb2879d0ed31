import { z } from 'zod'
import { id, instant, localeTag, route } from './kit.ts'

/** Days for which the link to an export is valid. */
export const EXPORT_DAYS = 7

/** A package of everything that a company has, as `npm run data -- export FILE --company ID` writes it. */
export const CompanyExport = z.object({
  state: z.enum(['making', 'ready', 'failed']),
  requestedAt: instant,
  /** Until when its link is valid; null while there is none. */
  expiresAt: instant.nullable(),
  bytes: z.int(),
  /** Whoever has it downloads the package without a login. */
  link: z.string().nullable(),
})
export type CompanyExport = z.infer<typeof CompanyExport>

const params = z.object({ companyId: id })
const reply = z.object({ export: CompanyExport.nullable() })

export const companyExports = {
  show: route('GET', '/company/:companyId/export', {
    needs: 'admin',
    summary:
      'The newest package of a company’s data with its link; null without one, or when its link has expired. Of any company for masters, of the own one for its admins.',
    params,
    reply,
  }),
  make: route('POST', '/company/:companyId/export', {
    needs: 'admin',
    summary: `Makes a package of a company’s data in the background and e-mails the link, valid for ${EXPORT_DAYS} days, to its first admins. The package before is removed; one that is being made is not begun again. Of any company for masters, of the own one for its admins.`,
    params,
    body: z.object({ language: localeTag.optional() }),
    reply,
  }),
}
