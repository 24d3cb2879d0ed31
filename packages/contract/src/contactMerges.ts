import { z } from 'zod'
import { Contact } from './contacts.ts'
import { channel, id, instant, route } from './kit.ts'

/** Days in which a merge can be undone. */
export const UNDO_HOURS = 24

/** One of two contacts: the one that is kept, or the merged one. */
export const Side = z.enum(['into', 'from'])
export type Side = z.infer<typeof Side>
const SideOrBoth = z.enum(['into', 'from', 'both'])

/** Which contact's value is kept, by field. The number includes WhatsApp's id: answers go there. */
export const KeptSides = z.object({
  name: Side.default('into'),
  number: Side.default('into'),
  email: Side.default('into'),
  extraInfo: SideOrBoth.default('both'),
  categories: SideOrBoth.default('both'),
})
export type KeptSides = z.output<typeof KeptSides>

/** A merge that can still be undone. */
export const ContactMerge = z.object({
  id: z.int(),
  /** The contact that is kept. */
  contact: z.object({ id: z.int(), name: z.string() }),
  /** The merged contact, with its previous name. */
  from: z.object({ id: z.int(), name: z.string() }),
  by: z.object({ id: z.int(), name: z.string() }).nullable(),
  at: instant,
  undoUntil: instant,
})
export type ContactMerge = z.infer<typeof ContactMerge>

const MergePreview = z.object({
  into: Contact,
  from: Contact,
  /** What moves. */
  tickets: z.int(),
  messages: z.int(),
  files: z.int(),
  /** Active tickets on one connection that are merged: the second of each pair is closed. */
  ends: z.array(z.object({ goesOn: z.string(), closes: z.string() })),
})
export type MergePreview = z.infer<typeof MergePreview>

/** Two contacts that may be one person, and by what: the same number written in two ways, or one e-mail. */
export const MergeSuggestion = z.object({
  why: z.enum(['number', 'email']),
  into: Contact,
  from: Contact,
})
export type MergeSuggestion = z.infer<typeof MergeSuggestion>

const pair = z.object({ into: id, from: id })
const mergeId = z.object({ mergeId: id })
const needs = 'contacts-page:deleteContact'

export const contactMerges = {
  preview: route('GET', '/contactMerges/preview', {
    needs,
    summary: 'What a merge of two contacts would move.',
    query: pair,
    reply: MergePreview,
  }),
  suggestions: route('GET', '/contactMerges/suggestions', {
    needs,
    summary:
      'Contacts that may be one person: the same number written in two ways, or one e-mail. At most 50.',
    reply: z.object({ suggestions: z.array(MergeSuggestion) }),
  }),
  keepApart: route('POST', '/contactMerges/apart', {
    needs,
    summary: 'These two are two people: they are not suggested again.',
    body: pair,
  }),
  list: route('GET', '/contactMerges', {
    needs,
    summary: 'Merges that can still be undone, newest first.',
    reply: z.object({ merges: z.array(ContactMerge) }),
  }),
  merge: route('POST', '/contactMerges', {
    needs,
    summary:
      'Makes one contact of two: tickets, messages, files, identifiers and categories of the second move into the first. Can be undone for a day.',
    body: pair.extend({ keep: KeptSides.prefault({}) }),
    reply: z.object({ merge: ContactMerge, contact: Contact }),
  }),
  undo: route('POST', '/contactMerges/:mergeId/undo', {
    needs,
    summary: 'Puts two contacts back as they were; what each wrote since goes with it.',
    params: mergeId,
    reply: z.object({ into: Contact, from: Contact }),
  }),
}

/** Two contacts became one, or are two again: conversations on screens are read anew. */
export const contactMergeChannel = channel(
  'contactMerge-{companyId}',
  z.object({ action: z.enum(['merge', 'undo']), mergeId: z.int(), into: z.int(), from: z.int() }),
)
