import { showPayment } from './payments.made.ts'
import { refusals } from './refusals.ts'
import { fitting, NoteAsked, NoteChange, NotesListAsked } from './shapes.ts'
import { listed, type Note, type State } from './state.ts'

/** https://docs.asaas.com/reference/agendar-nota-fiscal: of a paid charge, or one that waits. */
export function createNote(state: State, body: unknown): Note {
  const asked = fitting(NoteAsked, body)
  const payment = showPayment(state, asked.payment)
  const note: Note = {
    ...{ object: 'invoice', type: 'NFS-e', id: `inv_${String(state.notes.length + 1).padStart(12, '0')}` },
    ...{ status: 'SCHEDULED', statusDescription: null, customer: payment.customer, ...asked },
    externalReference: asked.externalReference ?? null,
    ...{ pdfUrl: null, xmlUrl: null, number: null, deleted: false },
  }
  state.notes.push(note)
  raise(state, 'INVOICE_CREATED', note)
  return note
}

export function showNote({ notes }: State, id: string): Note {
  return notes.find(one => one.id === id) ?? refuseUnknown()
}

function refuseUnknown(): never {
  throw refusals.notFound('Nota fiscal')
}

export const listNotes = ({ notes }: State, query: unknown) => listed(notes, fitting(NotesListAsked, query))

/** Those that are not issued yet. */
export function changeNote(state: State, id: string, body: unknown): Note {
  const note = showNote(state, id)
  if (note.status !== 'SCHEDULED' && note.status !== 'ERROR') throw refusals.noteIssued()
  Object.assign(note, fitting(NoteChange, body))
  raise(state, 'INVOICE_UPDATED', note)
  return note
}

/** It is sent to the town at once. */
export function authorizeNote(state: State, id: string): Note {
  const note = showNote(state, id)
  if (note.status !== 'SCHEDULED' && note.status !== 'ERROR') throw refusals.noteIssued()
  Object.assign(note, { status: 'SYNCHRONIZED', statusDescription: null })
  raise(state, 'INVOICE_SYNCHRONIZED', note)
  return note
}

/** What the town does; what cannot happen throws. */
export const town = (state: State) => ({
  issueNote(id: string) {
    const note = showNote(state, id)
    const number = String(state.notes.indexOf(note) + 1)
    Object.assign(note, { status: 'AUTHORIZED', statusDescription: null, number })
    note.pdfUrl = `https://sandbox.asaas.com/nfse/${id}.pdf`
    note.xmlUrl = `https://sandbox.asaas.com/nfse/${id}.xml`
    raise(state, 'INVOICE_AUTHORIZED', note)
  },
  refuseNote(id: string, why: string) {
    const note = showNote(state, id)
    Object.assign(note, { status: 'ERROR', statusDescription: why })
    raise(state, 'INVOICE_ERROR', note)
  },
})

const raise = ({ webhooks }: State, event: string, note: Note) => webhooks.raise(event, note, 'invoice')
