import { cut } from '@balcao/contract/cut.rules.ts'
import { z } from 'zod'
import type { AsaasCall } from './asaas.calls.ts'
import { listOf } from './asaas.shapes.ts'
import { type NoteIssuer, type NoteState, ProviderRefused, type WantedNote } from './payments.ts'

const link = z.url({ protocol: /^https?$/, normalize: true }).max(2_000)

/** A fiscal note as far as we read it: https://docs.asaas.com/reference/agendar-nota-fiscal */
const AsaasNote = z.object({
  id: z.string().min(1).max(100),
  status: z.string(),
  statusDescription: z.string().nullish(),
  pdfUrl: link.nullish().catch(null),
  number: z.union([z.string(), z.number()]).nullish(),
  externalReference: z.string().nullish(),
})
type AsaasNote = z.infer<typeof AsaasNote>

/** Asaas’ service for NFS-e of its charges. */
export const asaasNotes = (call: AsaasCall): NoteIssuer => ({
  issue: async note => stateOf(await issue(call, note)),
  find: async noteId => stateOf(await call(AsaasNote, 'GET', pathOf(noteId))),
})

/** Asaas makes a second note of the same charge, so it is searched first: an earlier answer may be lost. */
async function issue(call: AsaasCall, note: WantedNote): Promise<AsaasNote> {
  const query = new URLSearchParams({ externalReference: note.reference, limit: '100' })
  const { data } = await call(listOf(AsaasNote), 'GET', `/invoices?${query}`)
  // a filter that Asaas did not understand would list everybody's
  const known = data.find(one => one.externalReference === note.reference && one.status !== 'CANCELED')
  if (!known) return call(AsaasNote, 'POST', '/invoices', bodyOf(note))
  if (known.status !== 'ERROR') return known
  // one that the town refused can be corrected, and is sent anew
  await call(AsaasNote, 'PUT', pathOf(known.id), bodyOf(note))
  return call(AsaasNote, 'POST', `${pathOf(known.id)}/authorize`, {})
}

const bodyOf = ({ reference, chargeId, cents, on, settings }: WantedNote) => ({
  payment: chargeId,
  serviceDescription: settings.description,
  observations: settings.observations,
  externalReference: reference,
  value: cents / 100,
  deductions: 0,
  effectiveDate: on,
  // the name of the service is needed beside its id or code
  ...(settings.municipalServiceId
    ? { municipalServiceId: settings.municipalServiceId }
    : { municipalServiceCode: settings.municipalServiceCode }),
  municipalServiceName: settings.municipalServiceName,
  taxes: {
    retainIss: settings.retainIss,
    iss: settings.iss,
    pis: settings.pis,
    cofins: settings.cofins,
    csll: settings.csll,
    inss: settings.inss,
    ir: settings.ir,
  },
})

/** A cancellation that is under way or denied: the note is valid. */
const STATUSES = new Map<string, NoteState['status']>([
  ['SCHEDULED', 'asked'],
  ['SYNCHRONIZED', 'asked'],
  ['AUTHORIZED', 'issued'],
  ['PROCESSING_CANCELLATION', 'issued'],
  ['CANCELLATION_DENIED', 'issued'],
  ['CANCELED', 'cancelled'],
  ['ERROR', 'failed'],
])

function stateOf({ id, status, statusDescription, pdfUrl, number }: AsaasNote): NoteState {
  const known = STATUSES.get(status)
  if (!known) throw new ProviderRefused('nonsense', `Asaas: ${id} has the unknown status ${cut(status, 50)}`)
  return {
    ...{ noteId: id, status: known, number: cut(String(number ?? ''), 50), pdfUrl: pdfUrl ?? '' },
    problem: known === 'failed' ? cut(statusDescription ?? '', 300) : '',
  }
}

const pathOf = (noteId: string) => `/invoices/${encodeURIComponent(noteId)}`
