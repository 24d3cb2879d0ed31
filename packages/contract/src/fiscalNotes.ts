import { z } from 'zod'
import { day, id, pageNumber, route } from './kit.ts'

/** Percent, to the hundredth. */
const rate = z
  .number()
  .min(0, 'De 0 a 100 %')
  .max(100, 'De 0 a 100 %')
  .multipleOf(0.01, 'De 0 a 100 %')
  .default(0)
const words = (most: number) => z.string().trim().max(most, 'Too Long!').default('')

/** How fiscal notes (NFS-e) of payments are issued, by the service of the provider that collected them. */
export const FiscalSettings = z
  .object({
    isOn: z.boolean(),
    /** Of the service at the town: its id in the provider’s list, else its code; and its name. */
    municipalServiceId: words(50),
    municipalServiceCode: words(50),
    municipalServiceName: words(250),
    /** What the note says of the service. */
    description: words(400),
    observations: words(400),
    /** Whether the customer retains the ISS. */
    retainIss: z.boolean().default(false),
    ...{ iss: rate, pis: rate, cofins: rate, csll: rate, inss: rate, ir: rate },
  })
  .superRefine((given, context) => {
    const missing = (field: 'municipalServiceName' | 'description' | 'municipalServiceCode') =>
      context.addIssue({ code: 'custom', path: [field], message: 'Required' })
    if (!given.isOn) return
    if (!given.municipalServiceName) missing('municipalServiceName')
    if (!given.description) missing('description')
    if (!given.municipalServiceId && !given.municipalServiceCode) missing('municipalServiceCode')
  })
export type FiscalSettings = z.output<typeof FiscalSettings>

/** A note that the provider or the town refused. */
export const FailedNote = z.object({
  id: z.int(),
  companyId: z.int(),
  companyName: z.string(),
  /** Cents of the payment. */
  value: z.int(),
  valueBrl: z.string(),
  paidOn: day,
  /** Their words. */
  problem: z.string(),
})
export type FailedNote = z.infer<typeof FailedNote>

export const fiscalNotes = {
  settings: route('GET', '/fiscalNotes/settings', {
    needs: 'master',
    summary: 'How fiscal notes are issued; off until the operator switches it on.',
    reply: FiscalSettings,
  }),
  save: route('PUT', '/fiscalNotes/settings', {
    needs: 'master',
    summary:
      'Changes how fiscal notes are issued. Switched on, each payment that Asaas collects from then on gets one by its service.',
    body: FiscalSettings,
    reply: FiscalSettings,
  }),
  failed: route('GET', '/fiscalNotes', {
    needs: 'master',
    summary: 'Fiscal notes that were refused, the oldest first.',
    query: z.object({ pageNumber: pageNumber.optional() }),
    reply: z.object({ notes: z.array(FailedNote), hasMore: z.boolean() }),
  }),
  again: route('POST', '/fiscalNotes/:companyId/:noteId/again', {
    needs: 'master',
    summary:
      'Issues a note again that was refused, by what the settings say now. ERR_NOT_FOUND for any other.',
    params: z.object({ companyId: id, noteId: id }),
  }),
  dismiss: route('DELETE', '/fiscalNotes/:companyId/:noteId', {
    needs: 'master',
    summary: 'A note that was refused is not issued: it was written elsewhere, or is not needed.',
    params: z.object({ companyId: id, noteId: id }),
  }),
}
