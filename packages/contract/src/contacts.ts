import { z } from 'zod'
import { CategoryLabel } from './categories.ts'
import { isScientific, plainNumber } from './contacts.rules.ts'
import {
  channel,
  countOrNone,
  country,
  id,
  idList,
  idOrNone,
  instant,
  page,
  pageQuery,
  route,
  text,
} from './kit.ts'

/** A customer of years has thousands of tickets, and every list and push carries its contacts. */
export const MAX_TICKETS_NAMED = 40

export const Contact = z.object({
  id: z.int(),
  name: z.string(),
  /** Digits as they were given, country code first; empty while only a LID is known. */
  number: z.string(),
  email: z.string(),
  lid: z.string(),
  /** How the person is found in WhatsApp, without its `@`; empty where it is unknown. */
  username: z.string(),
  profilePicUrl: z.string(),
  /** The user whose customer it is. */
  ownerId: z.int().nullable(),
  isGroup: z.boolean(),
  extraInfo: z.array(z.object({ id: z.int(), name: z.string(), value: z.string() })),
  /** The documents name both lists; they are equal (OP-24). */
  categoryContacts: z.array(CategoryLabel),
  categoriesContactsAssociates: z.array(CategoryLabel),
  commandBot: z.string(),
  /** The newest of them; `count` is their total. */
  tickets: z.array(z.object({ id: z.int() })).max(MAX_TICKETS_NAMED),
  ticketsCount: z.int(),
  createdAt: instant,
  updatedAt: instant,
})
export type Contact = z.infer<typeof Contact>

/**
 * A number as it was written (`readNumber` of numbers.rules says which it is). Spreadsheet artefacts and placeholder input are
 * no phone numbers.
 */
export const numberInput = z
  .string({ error: 'Required' })
  .trim()
  .min(1, 'Required')
  .max(100, 'Too Long!')
  .refine(given => !isScientific(given), { message: 'In scientific notation', abort: true })
  .overwrite(plainNumber)
  .superRefine((given, check) => {
    const digits = given.replace(/\D/g, '')
    const message = digits.length < 8 ? 'Too Short!' : digits.length > 50 ? 'Too Long!' : null
    if (message) check.addIssue({ code: 'custom', message })
    else if (/^0*$/.test(digits)) check.addIssue({ code: 'custom', message: 'Only zeros' })
  })

export const ContactInput = z.object({
  name: text(2, 50),
  number: numberInput,
  /** That of the number, where it is known: a number without a country code may be one of two. */
  country: country.optional(),
  /** Kept in small letters: an address is the same in any. */
  email: z
    .string()
    .max(200, 'Too Long!')
    .toLowerCase()
    .pipe(z.email('Invalid email').or(z.literal('')))
    .nullable()
    .optional(),
  /** The user whose customer it is; null for none. */
  ownerId: idOrNone.optional(),
  extraInfo: z
    .array(
      z.object({
        id: z.int().optional(),
        name: z.string().trim().min(1).max(100),
        value: z.string().max(1000),
      }),
    )
    .max(50)
    .optional(),
})

export const ContactChange = ContactInput.partial().extend({ commandBot: z.string().max(100).optional() })

/** Among owners: contacts without one. */
export const NO_OWNER = 0

/** `selectedContactCategories`: contacts that carry any of them. `ownerId`: those of one user, 0 for those without an owner. */
export const ContactQuery = pageQuery.extend({
  selectedContactCategories: idList.optional(),
  ownerId: countOrNone(2_147_483_647).optional(),
})
export type ContactQuery = z.output<typeof ContactQuery>

/** The documents do not specify whether a list names its rows by id or whole. */
const idOrRow = z.union([id, z.object({ id }).transform(row => row.id)])

const contactId = z.object({ contactId: id })

export const contacts = {
  list: route('GET', '/contacts', {
    needs: 'session',
    summary:
      'Contacts of the company by name; searchParam matches name and number. Who may see only own customers gets those.',
    query: ContactQuery,
    reply: page('contacts', Contact).extend({ count: z.int() }),
  }),
  show: route('GET', '/contacts/:contactId', {
    needs: 'session',
    summary: 'One contact.',
    params: contactId,
    reply: Contact,
  }),
  create: route('POST', '/contacts', {
    aliases: ['/contact'],
    needs: 'session',
    summary:
      'Adds a contact. A number without a country code is one of the company’s country; one that could be abroad as well answers ERR_NUMBER_AMBIGUOUS, unless `country` says which. A number already known answers ERR_DUPLICATED_CONTACT.',
    body: ContactInput,
    reply: Contact,
  }),
  change: route('PUT', '/contacts/:contactId', {
    edits: '/contacts/:contactId',
    aliases: ['/contact/:contactId'],
    needs: 'session',
    summary: 'Changes a contact.',
    params: contactId,
    body: ContactChange,
    reply: Contact,
  }),
  remove: route('DELETE', '/contacts/:contactId', {
    needs: 'contacts-page:deleteContact',
    summary: 'Removes a contact with its tickets, its messages and all else that is known of the person.',
    params: contactId,
  }),
  data: route('GET', '/contacts/:contactId/data', {
    needs: 'admin',
    summary:
      'All that is known of one person as an archive (ZIP): person.json, and the files that were exchanged, up to 90 MB of them; others are named in it.',
    params: contactId,
    reply: z.object({ url: z.string() }),
    limit: { counts: 'calls', caller: 6 },
  }),
  categorize: route('POST', '/categoryContacts/sync', {
    needs: 'contacts:categorize',
    summary: 'Gives a contact exactly these categories, named by their ids or as they are listed.',
    body: z.object({ contactId: id, categoryContacts: z.array(idOrRow).max(500) }),
    reply: Contact,
  }),
  importOne: route('POST', '/contacts/import', {
    aliases: ['/contactsImport'],
    needs: 'contacts:import',
    summary: 'Adds or refreshes one row of a spreadsheet.',
    body: z.object({
      name: text(2, 50),
      number: numberInput,
      country: country.optional(),
      email: z.string().max(200).toLowerCase().nullable().optional(),
    }),
    reply: Contact,
  }),
}

export const contactChannel = channel(
  'contact-{companyId}',
  z.discriminatedUnion('action', [
    z.object({ action: z.enum(['create', 'update']), contact: Contact }),
    z.object({ action: z.literal('delete'), contactId: z.int() }),
  ]),
)
